//! Transfers files to a bucket and back in chunks, checked by length and hash.

use std::borrow::Cow;
use std::path::Path;

use futures_util::StreamExt;
use object_store::path::Path as Name;
use object_store::{
    Attribute, Attributes, GetResult, ObjectStore, PutMultipartOptions, PutOptions, WriteMultipart,
};
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufWriter};

use crate::error::{BlobError, BlobResult};

/// The hash of the content is stored with every file.
pub const SHA256: Attribute = Attribute::Metadata(Cow::Borrowed("sha256"));
/// Larger files are sent in parts of this size; a file may have ten thousand.
const PART: usize = 8 << 20;
/// How many parts of one file are sent at the same time; each is in memory.
const PARALLEL: usize = 4;
const BUFFER: usize = 256 << 10;

pub async fn put(
    store: &dyn ObjectStore,
    name: &Name,
    file: &Path,
    attributes: Attributes,
) -> BlobResult<()> {
    let mut source = File::open(file).await.map_err(BlobError::file("open", file))?;
    let size = source.metadata().await.map_err(BlobError::file("read", file))?.len();
    if size <= PART as u64 {
        let mut bytes = Vec::with_capacity(size as usize);
        source.read_to_end(&mut bytes).await.map_err(BlobError::file("read", file))?;
        let options = PutOptions { attributes, ..PutOptions::default() };
        store.put_opts(name, bytes.into(), options).await?;
        return Ok(());
    }
    let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
    let upload = store.put_multipart_opts(name, options).await?;
    let part = PART.max(usize::try_from(size.div_ceil(10_000)).unwrap_or(PART));
    let mut parts = WriteMultipart::new_with_chunk_size(upload, part);
    match send(&mut parts, &mut source, file).await {
        // Failed parts are reported here; none of their data remains.
        Ok(()) => parts.finish().await.map(drop).map_err(Into::into),
        Err(error) => {
            if let Err(error) = parts.abort().await {
                tracing::warn!(%error, "parts of an upload remain until the bucket's lifecycle rules remove them");
            }
            Err(error)
        }
    }
}

async fn send(parts: &mut WriteMultipart, opened: &mut File, file: &Path) -> BlobResult<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = opened.read(&mut buffer).await.map_err(BlobError::file("read", file))?;
        if read == 0 {
            return Ok(());
        }
        parts.wait_for_capacity(PARALLEL).await?;
        parts.write(&buffer[..read]);
    }
}

/// Writes the content to the file, which is created or overwritten.
pub async fn write(key: &str, found: GetResult, to: &Path) -> BlobResult<()> {
    let (expected, sha256) = (found.meta.size, found.attributes.get(&SHA256).map(|value| value.to_string()));
    let file = File::create(to).await.map_err(BlobError::file("create", to))?;
    let mut file = BufWriter::with_capacity(BUFFER, file);
    let (mut hasher, mut size) = (Sha256::new(), 0);
    let mut chunks = found.into_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        size += chunk.len() as u64;
        hasher.update(&chunk);
        file.write_all(&chunk).await.map_err(BlobError::file("write", to))?;
    }
    file.flush().await.map_err(BlobError::file("write", to))?;
    let damaged = |detail: String| Err(BlobError::Damaged { key: key.to_owned(), detail });
    if size != expected {
        return damaged(format!("{size} of its {expected} bytes came"));
    }
    match sha256 {
        Some(sha256) if sha256 != hex::encode(hasher.finalize()) => {
            damaged("its bytes are not those put there".to_owned())
        }
        _ => Ok(()),
    }
}

pub async fn sha256(file: &Path) -> BlobResult<String> {
    let mut reader = File::open(file).await.map_err(BlobError::file("open", file))?;
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; BUFFER]);
    loop {
        let read = reader.read(&mut buffer).await.map_err(BlobError::file("read", file))?;
        if read == 0 {
            return Ok(hex::encode(hasher.finalize()));
        }
        hasher.update(&buffer[..read]);
    }
}
