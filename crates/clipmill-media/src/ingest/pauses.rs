//! Searches a voice for its pauses, by the level of short stretches.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::AudioInfo;
use clipmill_core::subtitle::Pauses;

use crate::blocking::blocking;
use crate::error::MediaError;
use crate::ffmpeg::args::{Args, in_stereo};
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError};

/// Consonants with high frequencies are speech as well.
pub(super) const SAMPLE_RATE: usize = 16_000;
pub(super) const STRETCH_MS: u32 = 10;
const STRETCH_SAMPLES: usize = SAMPLE_RATE * STRETCH_MS as usize / 1000;
/// As much of a file is searched; the longest script takes less than half of it to speak.
const MAX_S: f64 = 3600.0;
/// The levels of pauses and of speech: 5 % of all stretches are below the first, 5 % above the second.
const PERCENTILE: usize = 20;
/// Speech is at most this much below its loudest parts.
const SPEECH_RANGE_DB: f64 = 35.0;
/// The threshold is this part of the way from the level of pauses to that of speech, and pauses count as this much below
/// speech at most.
const THRESHOLD: f64 = 0.3;
const MAX_RANGE_DB: f64 = 60.0;
/// If the levels are nearer to each other, they are not those of speech and pauses.
const MIN_RANGE_DB: f64 = 12.0;
/// Below this level, in decibels of full scale, nothing is speech.
pub(super) const SILENCE_DB: f64 = -60.0;
/// Shorter sounds between pauses are noise, and shorter pauses are parts of words.
const MIN_SPEECH_MS: u32 = 30;
const MIN_PAUSE_MS: u32 = 40;

/// The size of the decoded audio.
pub fn planned_bytes(audio: &AudioInfo) -> u64 {
    decoded_bytes(audio, MAX_S)
}

/// The size of the first `max_s` seconds of decoded audio.
pub(super) fn decoded_bytes(audio: &AudioInfo, max_s: f64) -> u64 {
    (audio.duration_s.clamp(0.0, max_s) * SAMPLE_RATE as f64 * 2.0) as u64 + (1 << 16)
}

/// Searches the audio of a file. `raw` is a file for the decoded audio in the writable `folder`. Audio that cannot be
/// decoded has no pauses, because rendering the file reports it. `None` if the search was aborted, which may be a fault of
/// the machine.
pub async fn find(
    ffmpeg: &Ffmpeg,
    path: &Path,
    audio: &AudioInfo,
    folder: &Path,
    raw: &Path,
) -> Result<Option<Pauses>, TaskError> {
    match decode(ffmpeg, (path, audio), folder, raw, MAX_S).await {
        Ok(()) => {}
        Err(ProcessError::Failed { .. }) => return Ok(Some(Pauses::default())),
        Err(ProcessError::Crashed { .. } | ProcessError::TimedOut { .. }) => return Ok(None),
        Err(error) => return Err(MediaError::from(error).into()),
    }
    let samples = tokio::fs::read(raw).await.map_err(MediaError::file("read", raw))?;
    blocking(move || Some(pauses(&levels(&samples)))).await
}

/// Decodes the first `max_s` seconds of the audio of a file, as it is heard in a mix, into one channel of 16-bit samples.
pub(super) async fn decode(
    ffmpeg: &Ffmpeg,
    (path, audio): (&Path, &AudioInfo),
    folder: &Path,
    raw: &Path,
    max_s: f64,
) -> Result<(), ProcessError> {
    let wall = Duration::from_secs_f64(audio.duration_s.clamp(60.0, MAX_S));
    let limits = Limits::wall(wall).file_bytes(2 * decoded_bytes(audio, max_s));
    ffmpeg.run_ffmpeg(&args(path, audio, raw, max_s), Some(folder), limits, |_| {}).await.map(|_| ())
}

fn args(path: &Path, audio: &AudioInfo, raw: &Path, max_s: f64) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-copyts"]).extend(input_args(path));
    args.option("-map", format!("0:{}", audio.stream_index)).add(["-vn", "-sn", "-dn"]);
    let mut filters = vec![format!("asetpts=PTS-({:.6})/TB", audio.start_s)];
    filters.extend(in_stereo(audio.channels, audio.ambisonic).map(str::to_owned));
    filters.push(format!("aresample={SAMPLE_RATE}:async=1:min_hard_comp=0.02:first_pts=0:out_chlayout=mono"));
    filters.push(format!("atrim=end={max_s}"));
    args.option("-af", filters.join(","));
    args.add(["-c:a", "pcm_s16le", "-ac", "1"]).option("-ar", SAMPLE_RATE);
    args.option("-fs", decoded_bytes(audio, max_s)).add(["-f", "s16le"]).file(raw);
    args.done()
}

/// The level of each stretch, in decibels of full scale.
pub(super) fn levels(raw: &[u8]) -> Vec<f64> {
    let (samples, _) = raw.as_chunks::<2>();
    let level = |stretch: &[[u8; 2]]| {
        let square = |sample: &[u8; 2]| (f64::from(i16::from_le_bytes(*sample)) / 32_768.0).powi(2);
        let mean = stretch.iter().map(square).sum::<f64>() / STRETCH_SAMPLES as f64;
        10.0 * (mean + 1e-10).log10()
    };
    samples.chunks_exact(STRETCH_SAMPLES).map(level).collect()
}

pub(super) fn pauses(levels: &[f64]) -> Pauses {
    let mut sorted = levels.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let part = sorted.len() / PERCENTILE;
    let (Some(&pause), Some(&speech)) = (sorted.get(part), sorted.iter().rev().nth(part)) else {
        return Pauses::default();
    };
    let pause = pause.max(speech - MAX_RANGE_DB);
    if speech < SILENCE_DB || speech - pause < MIN_RANGE_DB {
        return Pauses::default();
    }
    let threshold = (speech - SPEECH_RANGE_DB).max(pause + THRESHOLD * (speech - pause));
    let mut quiet: Vec<(u32, u32)> = Vec::new();
    let mut at = 0;
    for run in levels.chunk_by(|one, next| (*one > threshold) == (*next > threshold)) {
        let end = at + run.len() as u32 * STRETCH_MS;
        if run.first().is_some_and(|level| *level <= threshold) {
            match quiet.last_mut() {
                Some(last) if at - last.1 < MIN_SPEECH_MS => last.1 = end,
                _ => quiet.push((at, end)),
            }
        }
        at = end;
    }
    quiet.retain(|(from, to)| to - from >= MIN_PAUSE_MS);
    Pauses { pauses: quiet, end_ms: at }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stretches of levels in decibels and milliseconds.
    fn of(stretches: &[(f64, u32)]) -> Vec<(u32, u32)> {
        let levels = stretches.iter().flat_map(|&(level, ms)| vec![level; (ms / STRETCH_MS) as usize]);
        pauses(&levels.collect::<Vec<_>>()).pauses
    }

    #[test]
    fn pauses_are_quiet_stretches() {
        let quiet = of(&[(-90.0, 200), (-20.0, 1000), (-90.0, 300), (-25.0, 1000), (-90.0, 100)]);
        assert_eq!(quiet, [(0, 200), (1200, 1500), (2500, 2600)]);
        // The same in a noisy room.
        let noisy = of(&[(-48.0, 200), (-20.0, 1000), (-48.0, 300), (-25.0, 1000), (-48.0, 100)]);
        assert_eq!(noisy, quiet);
    }

    #[test]
    fn clicks_and_stops_in_words_are_ignored() {
        let stretches =
            [(-20.0, 1000), (-80.0, 30), (-20.0, 500), (-80.0, 200), (-30.0, 20), (-80.0, 200), (-20.0, 900)];
        assert_eq!(of(&stretches), [(1530, 1950)]);
    }

    #[test]
    fn silence_and_music_have_no_pauses() {
        assert_eq!(pauses(&[]), Pauses::default());
        assert_eq!(pauses(&[-100.0; 500]), Pauses::default());
        assert_eq!(of(&[(-62.0, 1000), (-90.0, 1000)]), []);
        let music: Vec<f64> = (0..3000).map(|at| -20.0 - f64::from(at % 10)).collect();
        assert_eq!(pauses(&music), Pauses::default());
        assert_eq!(of(&[(-20.0, 3000)]), []);
    }

    #[test]
    fn levels_are_those_of_the_samples() {
        let half: Vec<u8> =
            [16_384i16, -16_384].repeat(80).iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let levels = levels(&[half, vec![0; 320], vec![1; 7]].concat());
        assert!(levels.len() == 2 && (levels[0] + 6.02).abs() < 0.01 && levels[1] < -99.0, "{levels:?}");
    }
    /// Reads the voices that `scripts/caption-timing.py` made, and writes them with their pauses for the tests of caption
    /// timing.
    #[tokio::test]
    #[ignore = "regenerates a file"]
    async fn voices_of_a_folder() {
        let folder = std::path::PathBuf::from(std::env::var("VOICES").unwrap());
        let sources = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut sources: Vec<_> =
            sources.filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect();
        sources.sort();
        let mut voices = Vec::new();
        for path in sources {
            let mut voice: serde_json::Value =
                serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            voice["pauses"] = serde_json::to_value(search(&path.with_extension("wav")).await).unwrap();
            voices.push(voice.to_string());
        }
        let text = format!("[\n{}\n]\n", voices.join(",\n"));
        let to =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../clipmill-core/src/subtitle/alignment/voices.json");
        std::fs::write(to, text).unwrap();
    }

    async fn search(file: &Path) -> Pauses {
        let ffmpeg = Ffmpeg::default();
        let info =
            crate::ingest::probe::probe(&ffmpeg, file, clipmill_core::media::ContentHash("".into())).await;
        let folder = tempfile::tempdir().unwrap();
        let raw = folder.path().join("raw");
        find(&ffmpeg, file, &info.unwrap().audio.unwrap(), folder.path(), &raw).await.unwrap().unwrap()
    }

    /// The spectrogram shows these pauses.
    #[tokio::test]
    async fn pauses_of_a_file_are_found() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/speech.wav");
        let pauses = search(&sample).await;
        let long: Vec<(u32, u32)> = pauses.pauses.into_iter().filter(|(from, to)| to - from >= 100).collect();
        let expected = [(0, 290), (5460, 5610), (5800, 6050)];
        let is_near = |((from, to), (own_from, own_to)): (&(u32, u32), (u32, u32))| {
            from.abs_diff(own_from) <= 20 && to.abs_diff(own_to) <= 20
        };
        assert!(long.len() == 3 && long.iter().zip(expected).all(is_near), "{long:?}");
        assert_eq!(pauses.end_ms, 6050);
    }
}
