//! Uploads local files to the service. Files that are already uploaded are not sent again.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clipmill_server::mcp::{Body, Call};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};

use super::{Service, failed};
use crate::batch_input::BatchInput;
use crate::progress::bar;

const UPLOADS: &str = "/open-api/v1/uploads";
const AT_ONCE: usize = 4;

/// Replaces all files by URLs.
pub async fn send(service: &Service, sheet: &mut BatchInput, quiet: bool) -> anyhow::Result<()> {
    let files = sheet.files();
    let bar = bar(files.len() as u64, "files", quiet);
    let uploads = stream::iter(files).map(async |file: PathBuf| {
        let url = url(service, &file).await?;
        bar.inc(1);
        anyhow::Ok((file, url))
    });
    let urls: BTreeMap<PathBuf, String> = uploads.buffer_unordered(AT_ONCE).try_collect().await?;
    bar.finish_and_clear();
    sheet.each_file(|file| urls.get(file).cloned());
    Ok(())
}

async fn url(service: &Service, file: &Path) -> anyhow::Result<String> {
    let content = sha256(file).await?;
    let existing = service.ask(Call::get(UPLOADS).with("sha256", Some(&content))).await.map_err(failed)?;
    if let Some(url) = existing["list"][0]["url"].as_str() {
        return Ok(url.to_owned());
    }
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    let call = Call::post(UPLOADS, Body::File(file.to_owned())).with("fileName", name);
    let upload = service.ask(call).await.map_err(failed);
    let upload = upload.with_context(|| format!("{} cannot be uploaded", file.display()))?;
    let url = upload["url"].as_str().map(str::to_owned);
    url.with_context(|| format!("the service returned no URL for {}", file.display()))
}

/// In lower-case hexadecimal.
pub async fn sha256(file: &Path) -> anyhow::Result<String> {
    let path = file.to_owned();
    let hashed = tokio::task::spawn_blocking(move || {
        let (mut source, mut hash) = (std::fs::File::open(path)?, Sha256::new());
        let mut piece = vec![0; 1 << 20];
        loop {
            match source.read(&mut piece)? {
                0 => return Ok::<_, std::io::Error>(hex::encode(hash.finalize())),
                read => hash.update(piece.get(..read).unwrap_or_default()),
            }
        }
    });
    hashed.await?.with_context(|| format!("{} cannot be read", file.display()))
}
