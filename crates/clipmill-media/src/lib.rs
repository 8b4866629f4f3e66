//! placeholder

pub mod fonts;
