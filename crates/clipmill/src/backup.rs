//! `clipmill backup` and `clipmill restore`: the embedded database and all files that it refers to.
//!
//! The database is copied first, as it is at one moment, and then the files that the copy refers to; retention waits
//! meanwhile, so all of them exist. Results and inputs are never changed in place, so a link is as good as a copy.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clipmill_server::DataDir;
use clipmill_server::clock;
use clipmill_server::retention::{LEASE_MS, RETENTION};
use clipmill_server::view;
use clipmill_store::retention::MaintenanceLease;
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::sqlite::backup::{known_schema, refuse_too_old};
use clipmill_store::{Store, StoredFiles};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cli::{BackupArgs, RestoreArgs};
use crate::gc::readable;
use crate::report::{pluralize, print_line, wrong};
use crate::serve::load;

const DATABASE: &str = "clipmill.db";
const MANIFEST: &str = "manifest.json";
/// Raised when older programs could not restore what this one writes.
const FORMAT: u32 = 1;
/// How long to wait for a process that is deleting expired data.
const TIMEOUT: Duration = Duration::from_secs(150);

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    format: u32,
    create_time: String,
    version: String,
    schema: i64,
    /// The database first.
    files: Vec<BackupFile>,
    /// Files that the database refers to but that were missing.
    missing: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BackupFile {
    path: String,
    size_bytes: u64,
    sha256: String,
}

pub async fn backup(args: BackupArgs) -> anyhow::Result<ExitCode> {
    let database = args.location.data.join(DATABASE);
    let config = load(&args.location)?;
    if config.database.is_shared() {
        return Err(wrong("the database is PostgreSQL: back it up with pg_dump, see docs/operate/backup.md"));
    }
    if !database.is_file() {
        return Err(wrong(format!("no {DATABASE} in {}", args.location.data.display())));
    }
    if args.out.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(wrong(format!("{} is not empty; use a new folder for each backup", args.out.display())));
    }
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    let store = Arc::new(SqliteStore::open(&database).await.context("the database cannot be opened")?);
    let lease = claim_retention(&store).await?;
    let keeper = tokio::spawn(renew_retention(store.clone(), lease.clone()));
    let outcome = make(&store, &args).await;
    keeper.abort();
    // If the lease was lost meanwhile, its new holder ends it.
    let _ = store.retention().end_maintenance(&lease, clock::now_ms()).await;
    store.close().await;
    let manifest = outcome?;
    let bytes: u64 = manifest.files.iter().map(|file| file.size_bytes).sum();
    let (files, out) = (pluralize(manifest.files.len(), "file"), args.out.display());
    print_line(format_args!("{files}, {}, schema {}, in {out}", readable(bytes), manifest.schema));
    for path in &manifest.missing {
        print_line(format_args!("missing: {path}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prevents retention from deleting files that the copy of the database refers to.
async fn claim_retention(store: &SqliteStore) -> anyhow::Result<MaintenanceLease> {
    let holder = format!("backup {}", std::process::id());
    let until = tokio::time::Instant::now() + TIMEOUT;
    loop {
        if let Some(lease) =
            store.retention().claim_maintenance(RETENTION, &holder, clock::now_ms(), LEASE_MS).await?
        {
            return Ok(lease);
        }
        ensure!(
            tokio::time::Instant::now() < until,
            "another process is still deleting expired data; try again"
        );
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn renew_retention(store: Arc<SqliteStore>, lease: MaintenanceLease) {
    loop {
        tokio::time::sleep(Duration::from_millis(LEASE_MS.unsigned_abs() / 4)).await;
        if let Err(error) = store.retention().renew_maintenance(&lease, clock::now_ms(), LEASE_MS).await {
            tracing::warn!(%error, "the lease that blocks retention could not be renewed");
        }
    }
}

async fn make(store: &SqliteStore, args: &BackupArgs) -> anyhow::Result<Manifest> {
    let copy = args.out.join(DATABASE);
    store.copy_to(&copy).await.context("the database cannot be copied")?;
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o600))?;
    let copied = SqliteStore::open_as_is(&copy).await.context("the copy cannot be opened")?;
    let (stored_files, schema) = (copied.stored_files().await, copied.schema_version().await);
    copied.close().await;
    let (stored_files, schema, args) = (stored_files?, schema?, args.clone());
    tokio::task::spawn_blocking(move || collect(&stored_files, schema, &args)).await?
}

fn collect(named: &StoredFiles, schema: i64, args: &BackupArgs) -> anyhow::Result<Manifest> {
    let mut files = vec![backup_file(&args.out, DATABASE.to_owned())?];
    let mut missing = Vec::new();
    let results = named.results.iter().map(|file| (format!("results/{}", file.key), file.sha256.clone()));
    let inputs = named.inputs.iter().map(|sha256| (format!("inputs/{sha256}"), sha256.clone()));
    for (path, sha256) in results.chain(inputs) {
        inside(&path)?;
        match bring(&args.location.data.join(&path), &args.out.join(&path), !args.copy)? {
            Some(size_bytes) => files.push(BackupFile { path, size_bytes, sha256 }),
            None => missing.push(path),
        }
    }
    let manifest = Manifest {
        format: FORMAT,
        create_time: view::rfc3339(clock::now_ms()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        schema,
        files,
        missing,
    };
    // The manifest is written last and atomically: a backup without one is incomplete.
    let unfinished = args.out.join(format!("{MANIFEST}.partial"));
    fs::write(&unfinished, serde_json::to_vec_pretty(&manifest)?)?;
    fs::File::open(&unfinished)?.sync_all()?;
    fs::rename(&unfinished, args.out.join(MANIFEST))?;
    fs::File::open(&args.out)?.sync_all()?;
    Ok(manifest)
}

/// Links a file, or copies it if a link is not possible; returns its size, or `None` if there is no such file.
fn bring(from: &Path, to: &Path, link: bool) -> anyhow::Result<Option<u64>> {
    let about = match fs::metadata(from) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        about => about.with_context(|| format!("cannot read {}", from.display()))?,
    };
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if !(link && fs::hard_link(from, to).is_ok()) {
        fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
        fs::File::open(to)?.sync_all()?;
    }
    Ok(Some(about.len()))
}

pub async fn restore(args: RestoreArgs) -> anyhow::Result<ExitCode> {
    if args.data.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        let data = args.data.display();
        return Err(wrong(format!("{data} is not empty; restore into a new folder, nothing is overwritten")));
    }
    let manifest = read_manifest(&args.backup)?;
    let restored = tokio::task::spawn_blocking(move || put_back(&args, &manifest)).await??;
    let store = SqliteStore::open(&restored.join(DATABASE)).await.context("the restored database")?;
    let findings = store.points().audit().await;
    store.close().await;
    let findings = findings?;
    for finding in &findings {
        print_line(finding);
    }
    ensure!(findings.is_empty(), "the ledger in the backup is inconsistent");
    print_line(format_args!("Restored to {}. Start `clipmill serve` on it.", restored.display()));
    Ok(ExitCode::SUCCESS)
}

fn read_manifest(backup: &Path) -> anyhow::Result<Manifest> {
    let path = backup.join(MANIFEST);
    let Ok(text) = fs::read(&path) else {
        return Err(wrong(format!("{} is not a complete backup: it has no {MANIFEST}", backup.display())));
    };
    let manifest: Manifest =
        serde_json::from_slice(&text).with_context(|| format!("{} cannot be read", path.display()))?;
    let (known, Manifest { format, schema, version, .. }) = (known_schema(), &manifest);
    if *format > FORMAT || *schema > known {
        return Err(wrong(format!(
            "the backup was made by clipmill {version} (schema {schema}); this one supports schema {known}: use that version \
             or a later one"
        )));
    }
    if refuse_too_old(*schema).is_err() {
        return Err(wrong(format!(
            "this version of clipmill cannot upgrade the backup, which has schema {schema}: build clipmill from the last \
             commit before 0.1.0, restore the backup with it, start it once, then start this version"
        )));
    }
    Ok(manifest)
}

/// Checks everything before the database is restored, which comes last: a folder without one was not completely
/// restored.
fn put_back(args: &RestoreArgs, manifest: &Manifest) -> anyhow::Result<PathBuf> {
    DataDir::open(&args.data).with_context(|| format!("cannot use {}", args.data.display()))?;
    let (databases, files): (Vec<&BackupFile>, Vec<&BackupFile>) =
        manifest.files.iter().partition(|file| file.path == DATABASE);
    ensure!(databases.len() == 1, "the backup contains no database");
    for file in files.into_iter().chain(databases) {
        inside(&file.path)?;
        let (from, to) = (args.backup.join(&file.path), args.data.join(&file.path));
        let copied_file = backup_file(&args.backup, file.path.clone())?;
        if copied_file.sha256 != file.sha256 || copied_file.size_bytes != file.size_bytes {
            bail!("{} is damaged: it differs from the file that was backed up", from.display());
        }
        // Copies: the service and the backup must not share files.
        bring(&from, &to, false)?.with_context(|| format!("{} is missing", from.display()))?;
    }
    Ok(args.data.clone())
}

fn backup_file(root: &Path, path: String) -> anyhow::Result<BackupFile> {
    let (sha256, size_bytes) = digest(&root.join(&path))?;
    Ok(BackupFile { path, size_bytes, sha256 })
}

fn digest(path: &Path) -> anyhow::Result<(String, u64)> {
    let mut file = fs::File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let (mut hash, mut size, mut buffer) = (Sha256::new(), 0, vec![0; 256 << 10]);
    loop {
        let read = file.read(&mut buffer).with_context(|| format!("{} cannot be read", path.display()))?;
        let Some(piece) = buffer.get(..read).filter(|piece| !piece.is_empty()) else { break };
        hash.update(piece);
        size += read as u64;
    }
    Ok((hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), size))
}

/// A manifest may come from elsewhere, so none of its paths may lead out of the folder.
fn inside(path: &str) -> anyhow::Result<()> {
    let stays = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    ensure!(stays && !path.is_empty(), "`{path}` leads out of the backup");
    Ok(())
}
