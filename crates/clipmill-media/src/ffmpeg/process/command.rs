//! Runs programs of the operator, such as one that speaks texts: confined like ffmpeg, without a folder to write to. They
//! read stdin and write to stdout.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::{Ffmpeg, Group, Limits, ProcessError, why};

/// A run of a program.
#[derive(Debug)]
pub struct Command<'a> {
    /// The program and its arguments. Files among them may be read.
    pub line: Vec<OsString>,
    /// The file that stdin is read from.
    pub input: &'a Path,
    /// The file that stdout is written to. Only confined runs limit its size, by [`Limits::file_bytes`].
    pub output: &'a Path,
}

impl Ffmpeg {
    /// Runs a program until it ends or reaches a limit.
    pub async fn run_command(&self, command: Command<'_>, limits: Limits) -> Result<(), ProcessError> {
        let mut words = command.line.into_iter();
        let program = PathBuf::from(words.next().unwrap_or_default());
        let args: Vec<OsString> = words.collect();
        let files = args.iter().map(PathBuf::from).filter(|path| path.is_absolute() && path.exists());
        let invocation = self.reading(files).confined_invocation(&program, args, None, limits);
        let stdin = Stdio::from(std::fs::File::open(command.input)?);
        let stdout = Stdio::from(std::fs::File::create(command.output)?);
        let mut group = Group::spawn_between(invocation, stdin, stdout).await?;
        match tokio::time::timeout(limits.wall, group.drive(limits, |_| {})).await {
            Ok(Ok((status, _))) if status.success() => Ok(()),
            Ok(Ok((status, stderr))) => Err(why(status, stderr, limits)),
            Ok(Err(error)) => {
                group.end().await;
                Err(error)
            }
            Err(_) => {
                group.end().await;
                Err(ProcessError::TimedOut { after: limits.wall })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The output of a shell script that reads `text`.
    async fn check(script: &str, text: &str, limits: Limits) -> Result<String, ProcessError> {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        std::fs::write(&input, text).unwrap();
        let line = ["/bin/sh", "-c", script].map(OsString::from).to_vec();
        let command = Command { line, input: &input, output: &output };
        Ffmpeg::default().run_command(command, limits).await?;
        Ok(std::fs::read_to_string(&output).unwrap())
    }

    #[tokio::test]
    async fn a_program_reads_and_writes() {
        let limits = Limits::wall(Duration::from_secs(60));
        assert_eq!(check("tr a-z A-Z; echo noise >&2", "hello", limits).await.unwrap(), "HELLO");
        let failed = check("cat > /dev/null; echo broken >&2; exit 3", "hello", limits).await;
        assert!(
            matches!(failed, Err(ProcessError::Failed { ref stderr, .. }) if stderr == "broken\n"),
            "{failed:?}"
        );
        let late = check("sleep 60", "", Limits::wall(Duration::from_millis(100))).await;
        assert!(matches!(late, Err(ProcessError::TimedOut { .. })));
    }
}
