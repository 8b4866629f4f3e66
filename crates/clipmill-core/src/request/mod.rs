//! Wire model, validation and normal form of the three requests.

pub mod model;
