//! A folder for downloaded outputs; no output overwrites another.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

pub struct Folder {
    path: PathBuf,
    /// Files of other outputs.
    existing: Mutex<HashSet<String>>,
}

impl Folder {
    /// `existing` are the names of outputs that were downloaded before.
    pub fn open(path: &Path, existing: impl Iterator<Item = String>) -> Self {
        Self { path: path.to_owned(), existing: Mutex::new(existing.collect()) }
    }

    /// Whether there is such a file in the folder itself.
    pub fn has(&self, name: &str) -> bool {
        let is_name = Path::new(name).file_name().is_some_and(|file| file == name);
        is_name && self.path.join(name).is_file()
    }

    /// The path of an incomplete file.
    pub fn unfinished(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.part"))
    }

    /// Moves a complete file into its place, also over an existing one.
    pub fn replace(&self, unfinished: &Path, name: &str) -> anyhow::Result<String> {
        let path = self.path.join(name);
        fs::rename(unfinished, &path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(name.to_owned())
    }

    /// Moves a complete file into its place; if another file has its name, ` (2)` is added to it. Returns the name.
    pub fn add(&self, unfinished: &Path, name: &str) -> anyhow::Result<String> {
        let mut names = self.existing.lock().unwrap_or_else(PoisonError::into_inner);
        let added = self.add_beside(unfinished, name, &names);
        let added = added.with_context(|| format!("cannot write {}", self.path.join(name).display()))?;
        names.insert(added.clone());
        Ok(added)
    }

    fn add_beside(&self, unfinished: &Path, name: &str, existing: &HashSet<String>) -> io::Result<String> {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let others = (2_u32..).map(|number| format!("{stem} ({number}).{ending}"));
        for name in std::iter::once(name.to_owned()).chain(others) {
            let path = self.path.join(&name);
            // Creating the file takes the name before another process can.
            match File::options().write(true).create_new(true).open(&path) {
                Ok(_) => {
                    return fs::rename(unfinished, &path).map(|()| name).inspect_err(|_| {
                        let _ = fs::remove_file(&path);
                    });
                }
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                // An interrupted run has downloaded it without recording it.
                Err(_) if !existing.contains(&name) && is_same(unfinished, &path)? => {
                    fs::remove_file(unfinished)?;
                    return Ok(name);
                }
                Err(_) => {}
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    if !other.is_file() || fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let (mut here, mut there) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    loop {
        let length = one.read(&mut here)?;
        if length == 0 {
            return Ok(true);
        }
        let (Some(here), Some(there)) = (here.get(..length), there.get_mut(..length)) else {
            return Ok(false);
        };
        other.read_exact(there)?;
        if here != there {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_output_takes_the_place_of_another() {
        let place = tempfile::tempdir().unwrap();
        let open =
            |existing: &[&str]| Folder::open(place.path(), existing.iter().map(|name| (*name).to_owned()));
        let add = |folder: &Folder, content: &str| {
            let unfinished = folder.unfinished("0001.mp4");
            fs::write(&unfinished, content).unwrap();
            let name = folder.add(&unfinished, "Mug – 1.mp4").unwrap();
            assert!(!unfinished.exists());
            assert_eq!(fs::read_to_string(place.path().join(&name)).unwrap(), content);
            name
        };
        let folder = open(&[]);
        assert_eq!(add(&folder, "one"), "Mug – 1.mp4");
        assert_eq!(add(&folder, "two"), "Mug – 1 (2).mp4");
        assert_eq!(add(&folder, "one"), "Mug – 1 (3).mp4", "an output of its own");
        // Another run knows them only by its table.
        assert_eq!(add(&open(&[]), "two"), "Mug – 1 (2).mp4");
        assert_eq!(add(&open(&["Mug – 1 (2).mp4"]), "two"), "Mug – 1 (4).mp4");
        assert!(folder.has("Mug – 1.mp4"));
        fs::write(place.path().join("outside"), "x").unwrap();
        let inner = Folder::open(&place.path().join("inner"), std::iter::empty());
        fs::create_dir(place.path().join("inner")).unwrap();
        for name in ["../outside", "..", "", "nothing"] {
            assert!(!inner.has(name), "{name}");
        }
    }
}
