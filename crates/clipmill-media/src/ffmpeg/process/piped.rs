//! Two runs of ffmpeg side by side: one decodes and filters, confined as usual, and writes raw frames into a pipe; the
//! other reads them, encodes with a device, and gets no other data of a client.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use super::{
    Ffmpeg, Group, Limits, Lines, ProcessError, Program, RunReport, global_args, last_line, why,
    without_progress,
};
use crate::ffmpeg::progress::{Progress, ProgressParser};

/// Which of the two failed. A failing encoder also ends the decoder, and a failing decoder may end the encoder. If both
/// failed, the encoder is blamed: another encoder then repeats its work and the decoder's.
#[derive(Debug, thiserror::Error)]
pub enum PipedError {
    #[error(transparent)]
    Decoder(ProcessError),
    #[error(transparent)]
    Encoder(ProcessError),
}

impl Ffmpeg {
    /// Runs ffmpeg with `decode`, whose frames go to `pipe:1`, and with `encode`, whose frames come from `pipe:0`. Only the
    /// second one may use `devices`. Progress counts encoded frames.
    pub async fn run_piped(
        &self,
        (decode, encode): (&[OsString], &[OsString]),
        devices: &[PathBuf],
        cwd: &Path,
        limits: Limits,
        on_progress: impl FnMut(&Progress) + Send,
    ) -> Result<RunReport, PipedError> {
        let decode = [&without_progress(), decode].concat();
        let encode = [&global_args(), encode].concat();
        let decode = self.invocation(Program::Ffmpeg, decode, Some(cwd), limits);
        let encode = self.using(devices).invocation(Program::Ffmpeg, encode, Some(cwd), limits);
        let (reader, writer) = std::io::pipe().map_err(|error| PipedError::Decoder(error.into()))?;
        let decoder = Group::spawn_between(decode, Stdio::null(), writer.into()).await;
        let mut decoder = match decoder {
            Ok(decoder) => decoder,
            Err(error) => return Err(PipedError::Decoder(self.judged(Program::Ffmpeg, error).await)),
        };
        let encoder = Group::spawn_between(encode, reader.into(), Stdio::piped()).await;
        let mut encoder = encoder.map_err(PipedError::Encoder)?;
        let both = drive(&mut decoder, &mut encoder, limits, on_progress);
        let outcome = tokio::time::timeout(limits.wall, both).await;
        if !matches!(outcome, Ok((Ok(_), Ok(_)))) {
            tokio::join!(decoder.end(), encoder.end());
        }
        match outcome {
            Err(_) => Err(PipedError::Encoder(ProcessError::TimedOut { after: limits.wall })),
            Ok((decoded, encoded)) => match judge(decoded, encoded, limits) {
                Err(PipedError::Decoder(error)) => {
                    Err(PipedError::Decoder(self.judged(Program::Ffmpeg, error).await))
                }
                judged => judged,
            },
        }
    }
}

type ExitResult = Result<(ExitStatus, String), ProcessError>;

async fn drive(
    decoder: &mut Group,
    encoder: &mut Group,
    limits: Limits,
    mut on_progress: impl FnMut(&Progress) + Send,
) -> (ExitResult, Result<(ExitStatus, RunReport), ProcessError>) {
    let (mut parser, mut lines) = (ProgressParser::default(), Lines::default());
    let encoding = encoder.drive(limits, |chunk| {
        lines.feed(chunk, |line| {
            if let Some(progress) = parser.line(line) {
                on_progress(&progress);
            }
        });
    });
    let (decoded, encoded) = tokio::join!(decoder.drive(limits, |_| {}), encoding);
    let finished = |stderr| RunReport { progress: parser.current(), stderr };
    (decoded, encoded.map(|(status, stderr)| (status, finished(stderr))))
}

/// The log is that of the decoder, because an encoder knows nothing about the source.
fn judge(
    decoded: ExitResult,
    encoded: Result<(ExitStatus, RunReport), ProcessError>,
    limits: Limits,
) -> Result<RunReport, PipedError> {
    let (status, finished) = encoded.map_err(PipedError::Encoder)?;
    if !status.success() {
        return Err(PipedError::Encoder(why(status, finished.stderr, limits)));
    }
    match decoded.map_err(PipedError::Decoder)? {
        (status, stderr) if status.success() => {
            if !finished.stderr.trim().is_empty() {
                tracing::debug!(said = last_line(&finished.stderr), "an encoder printed messages");
            }
            Ok(RunReport { stderr, ..finished })
        }
        (status, stderr) => Err(PipedError::Decoder(why(status, stderr, limits))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LIMITS: Limits = Limits::wall(Duration::from_secs(100));

    /// Uses two shell scripts as decoder and encoder.
    async fn check(decoder: &str, encoder: &str) -> Result<RunReport, PipedError> {
        let shell = |script: &str| super::super::Invocation {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: None,
            variables: Vec::new(),
        };
        let (reader, writer) = std::io::pipe().unwrap();
        let mut first = Group::spawn_between(shell(decoder), Stdio::null(), writer.into()).await.unwrap();
        let mut second = Group::spawn_between(shell(encoder), reader.into(), Stdio::piped()).await.unwrap();
        let (decoded, encoded) = drive(&mut first, &mut second, LIMITS, |_| {}).await;
        judge(decoded, encoded, LIMITS)
    }

    #[tokio::test]
    async fn frames_are_piped_and_errors_are_the_decoders() {
        let encoder =
            "test $(wc -c) -eq 1000000 || exit 9; echo warning >&2; echo frame=25; echo progress=end";
        let finished = check("head -c 1000000 /dev/zero; echo odd >&2", encoder).await.unwrap();
        assert_eq!((finished.progress.frame, finished.stderr.as_str()), (25, "odd\n"));
    }

    #[tokio::test]
    async fn the_failed_process_is_reported() {
        let failed = check("head -c 1000 /dev/zero; echo damaged >&2; exit 3", "cat > /dev/null").await;
        assert!(matches!(failed, Err(PipedError::Decoder(ref error)) if error.stderr() == "damaged\n"));
        // The decoder has no reader left, and ends too.
        let failed =
            check("cat /dev/zero", "head -c 100000 > /dev/null; echo lost the card >&2; exit 1").await;
        assert!(matches!(failed, Err(PipedError::Encoder(ref error)) if error.stderr() == "lost the card\n"));
        let failed = check("exit 3", "cat > /dev/null; exit 1").await;
        assert!(matches!(failed, Err(PipedError::Encoder(_))));
    }
}
