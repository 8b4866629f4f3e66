//! Spoken texts: the voices, and texts to listen to.

pub mod listen;
pub mod voices;
