//! The results so far, kept in a file: all rounds take hours, and an interrupted run continues where it was.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::growth::Growth;
use super::measurements::Measurements;
use super::quality::OutputQuality;

/// What was measured so far.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// Completed steps of all rounds.
    pub steps: usize,
    pub measurements: Measurements,
    pub qualities: Vec<OutputQuality>,
    pub growth: Growth,
}

/// The file of the results of one program on one machine.
pub struct Record {
    path: PathBuf,
    /// Identifies machine, programs and cases: results of others are not continued.
    subject: String,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    subject: String,
    results: Results,
}

impl Record {
    /// `about` describes the machine and the cases.
    pub fn new(path: &Path, program: &Path, about: &str) -> anyhow::Result<Self> {
        let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let subject = format!("{about} {:016x}", hasher.finish());
        Ok(Self { path: path.to_owned(), subject })
    }

    /// The results of an interrupted run with the same subject, or none.
    pub fn read(&self) -> anyhow::Result<Results> {
        let text = match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Results::default()),
            text => text.with_context(|| format!("cannot read {}", self.path.display()))?,
        };
        match serde_json::from_str::<Stored>(&text) {
            Ok(stored) if stored.subject == self.subject => Ok(stored.results),
            _ => {
                eprintln!(
                    "{} has results of another program or machine and is replaced",
                    self.path.display()
                );
                Ok(Results::default())
            }
        }
    }

    pub fn write(&self, results: Results) -> anyhow::Result<Results> {
        let stored = Stored { subject: self.subject.clone(), results };
        let partial = self.path.with_extension("partial");
        std::fs::write(&partial, serde_json::to_vec(&stored)?)
            .and_then(|()| std::fs::rename(&partial, &self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(stored.results)
    }

    /// Forgets the results, after all rounds.
    pub fn remove(&self) -> anyhow::Result<()> {
        std::fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::measurements::{CLIPMILL, Case};
    use super::*;

    #[test]
    fn only_results_of_the_same_program_are_continued() {
        let folder = tempfile::tempdir().unwrap();
        let (path, program) = (folder.path().join("rounds.json"), folder.path().join("program"));
        std::fs::write(&program, "one").unwrap();
        let record = Record::new(&path, &program, "machine").unwrap();
        assert_eq!(record.read().unwrap().steps, 0);
        let mut results = Results { steps: 3, ..Results::default() };
        results.measurements.add(Case::Eight, CLIPMILL, 2.0);
        record.write(results).unwrap();
        let continued = record.read().unwrap();
        assert_eq!(continued.steps, 3);
        assert_eq!(continued.measurements.sides(Case::Eight)[0].seconds, [2.0]);
        std::fs::write(&program, "two").unwrap();
        assert_eq!(Record::new(&path, &program, "machine").unwrap().read().unwrap().steps, 0);
        assert_eq!(Record::new(&path, &program, "another").unwrap().read().unwrap().steps, 0);
        record.remove().unwrap();
        assert_eq!(record.read().unwrap().steps, 0);
    }
}
