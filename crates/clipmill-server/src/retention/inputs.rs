//! Uploads and fetched files in a process's own folder. Using a file updates its modification time, so a file that is
//! old and that no open task needs is unused.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use clipmill_store::Millis;

use super::files::{Entry, gone_is_fine, modified_at, read};
use super::{Mode, Outcome, Report, Retention};

/// The prefix of a file that is about to be deleted.
const GOING: &str = ".going-";

pub(super) async fn sweep(
    retention: &Retention,
    now: Millis,
    mode: Mode,
    report: &mut Report,
) -> Outcome<()> {
    uploads(retention, now, mode, report).await?;
    let cutoff = now.saturating_sub(retention.ages.inputs.as_millis());
    let folder = retention.data.inputs();
    let old = read(folder.clone()).await?.into_iter();
    let old: Vec<Entry> = old.filter(|entry| !entry.is_folder && entry.modified_at <= cutoff).collect();
    if old.is_empty() {
        return Ok(());
    }
    let in_use = retention.store.retention().sources_in_use().await?;
    for entry in old {
        if is_used(retention, &in_use, &folder, &entry.name).await? {
            continue;
        }
        let is_deleted = mode == Mode::DryRun || take(folder.clone(), entry.name.clone(), cutoff).await?;
        if is_deleted {
            // Notes and leftovers are deleted with the files they belong to, and not counted as files.
            let counts = u64::from(is_content(&entry.name));
            report.inputs.add(counts, entry.size_bytes);
        }
    }
    Ok(())
}

/// Deletes uploads whose process died while receiving them.
async fn uploads(retention: &Retention, now: Millis, mode: Mode, report: &mut Report) -> Outcome<()> {
    let cutoff = now.saturating_sub(retention.ages.orphans.as_millis());
    for entry in read(retention.data.uploads()).await? {
        if entry.is_folder || entry.modified_at > cutoff {
            continue;
        }
        if mode == Mode::Delete {
            gone_is_fine(tokio::fs::remove_file(retention.data.uploads().join(&entry.name)).await)?;
        }
        report.orphans.add(1, entry.size_bytes);
    }
    Ok(())
}

async fn is_used(
    retention: &Retention,
    in_use: &HashSet<String>,
    folder: &Path,
    name: &str,
) -> Outcome<bool> {
    if name.starts_with(GOING) {
        return Ok(false);
    }
    // The name is `HASH`, or that of a note or a repaired file: `HASH.json`, `HASH.cuts.json`, `HASH.pauses.json`,
    // `HASH.font.json`, `HASH.repaired`. `HASH.speech.json` and `HASH.transcript.json` are named by keys that are
    // not those of files, so they are kept for themselves.
    let content = name.split('.').next().unwrap_or_default();
    if !is_content(content) {
        return Ok(true);
    }
    if content != name {
        // A note is kept as long as its file.
        return Ok(tokio::fs::try_exists(folder.join(content)).await?);
    }
    Ok(in_use.contains(content) || retention.store.library().is_uploaded(content).await?)
}

/// The extensions of files beside an input, which are deleted with it.
const BESIDE: [&str; 5] = ["json", "cuts.json", "pauses.json", "font.json", "repaired"];

fn is_content(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

async fn take(folder: PathBuf, name: String, before: Millis) -> io::Result<bool> {
    tokio::task::spawn_blocking(move || take_now(&folder, &name, before)).await.map_err(io::Error::other)?
}

/// Deletes a file unless it was used since the check: it is moved aside, checked again, and moved back if it is in
/// use, so it is missing only for a moment.
fn take_now(folder: &Path, name: &str, before: Millis) -> io::Result<bool> {
    let path = folder.join(name);
    let aside = if name.starts_with(GOING) { path.clone() } else { folder.join(format!("{GOING}{name}")) };
    if aside != path {
        match std::fs::rename(&path, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            moved => moved?,
        }
    }
    if std::fs::metadata(&aside).is_ok_and(|about| modified_at(&about) > before) {
        // A new file with the same content may exist by now; it is equally good.
        match std::fs::hard_link(&aside, &path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        std::fs::remove_file(&aside)?;
        return Ok(false);
    }
    gone_is_fine(std::fs::remove_file(&aside))?;
    if is_content(name) {
        for note in BESIDE {
            gone_is_fine(std::fs::remove_file(folder.join(format!("{name}.{note}"))))?;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_used_meanwhile_is_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let name = "a".repeat(64);
        let path = dir.path().join(&name);
        std::fs::write(&path, "x").unwrap();
        assert!(!take_now(dir.path(), &name, 1).unwrap(), "it is newer than 1970");
        assert_eq!(std::fs::read(&path).unwrap(), b"x");
        for note in BESIDE {
            std::fs::write(dir.path().join(format!("{name}.{note}")), "{}").unwrap();
        }
        assert!(take_now(dir.path(), &name, Millis::MAX - 1).unwrap());
        assert!(!take_now(dir.path(), &name, Millis::MAX - 1).unwrap(), "once");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "its notes go with it");
    }
}
