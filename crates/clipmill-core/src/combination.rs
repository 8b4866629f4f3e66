//! combination
