//! Pages of long lists.

#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// From 1.
    pub number: u32,
    pub size: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paged<T> {
    pub list: Vec<T>,
    pub total: u64,
}
