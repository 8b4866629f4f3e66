//! The files that a backup of the embedded database needs beside it.

/// The files that a database refers to, without segments and what can be fetched again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredFiles {
    pub results: Vec<StoredFile>,
    /// SHA-256 of the contents of uploads, and of the inputs of open tasks.
    pub inputs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub key: String,
    /// Lower-case hexadecimal.
    pub sha256: String,
}
