//! The level of a mix, measured: music under speech, loudness and true peak, no clipping, no losses.

use std::path::{Path, PathBuf};

use crate::support::audio::*;
use crate::support::*;
use clipmill_core::plan::{AudioMix, MixTrack};
use clipmill_core::request::model::MixOptions;
use clipmill_core::time::Samples;
use clipmill_media::audio::mastering::Mastering;
use clipmill_media::ffmpeg::args::{MixArgs, encode_mixes, raw_mixes};

#[tokio::test]
async fn loud_tracks_do_not_clip_in_total() {
    let mut fixture = Fixture::new().await;
    let tone = |hz| format!("-f lavfi -i aevalsrc=sin(2*PI*{hz}*t):c=stereo:s=48000:d=2");
    let noise = |color, db| {
        format!(
            "-f lavfi -i anoisesrc=d=2:c={color}:a=1:seed=5 -af aformat=channel_layouts=stereo,volume={db}dB"
        )
    };
    let blows = "-f lavfi -i aevalsrc=exp(-mod(t\\,0.25)*30)*sin(2*PI*90*t):c=stereo:s=48000:d=2".to_owned();
    for (i, [own, voice, music]) in [
        [tone(220), noise("pink", 0), tone(330)],
        [tone(60), blows.clone(), tone(62)],
        [noise("brown", 20), noise("pink", 15), noise("white", 6)],
        [blows.clone(), noise("brown", 12), blows],
    ]
    .into_iter()
    .enumerate()
    {
        let source = format!("{PICTURE}:d=2 {own} -c:v libx264 -c:a pcm_s16le");
        let clip = fixture.source(&format!("loud{i}.mov"), &source).await;
        let voice = fixture.source(&format!("voice{i}.wav"), &voice).await;
        let music = fixture.source(&format!("music{i}.wav"), &music).await;
        let options = MixOptions { music: track(&music, |_| {}), voice: track(&voice, |_| {}), ..quiet() };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
        let sides = stereo(&rendering.path).await.into_iter().flatten();
        let peak = sides.fold(0f32, |peak, sample| peak.max(sample.abs()));
        assert!((0.6..=1.0).contains(&peak), "mix {i}: the peak is {peak}");
        let true_peak = rendering.output.quality.true_peak_dbtp.unwrap();
        assert!(true_peak <= -1.0, "mix {i}: the true peak is {true_peak} dB");
    }
}

/// The fast coder lets a loud tone flutter: by 4 dB at full scale, by 1 dB at −3 dB.
#[tokio::test]
async fn a_loud_tone_keeps_its_level() {
    let mut fixture = Fixture::new().await;
    for (i, (hertz, amplitude)) in [(1700, 0.7), (150, 0.95), (440, 0.5)].into_iter().enumerate() {
        let tone = format!("-f lavfi -i aevalsrc={amplitude}*sin(2*PI*{hertz}*t):c=stereo:s=48000:d=2");
        let source = format!("{PICTURE}:d=2 {tone} -c:v libx264 -c:a pcm_s16le");
        let clip = fixture.source(&format!("tone{i}.mov"), &source).await;
        let rendering = fixture.render_one(base(vec![group(&[&clip])], quiet())).await;
        let samples = stereo(&rendering.path).await;
        // Blocks of 50 ms are whole periods of 440 Hz and nearly so of the others; both ends are faded.
        let levels = samples[4_800..91_200].chunks_exact(2_400).map(|block| {
            let squares: f32 = block.iter().map(|sides| sides[0] * sides[0]).sum();
            10.0 * (squares / 2_400.0).log10()
        });
        let (lowest, highest) =
            levels.fold((f32::MAX, f32::MIN), |(low, high), db| (low.min(db), high.max(db)));
        assert!(highest - lowest < 0.5, "{hertz} Hz: from {lowest} to {highest} dB");
    }
}

/// The sum of two tracks before it is encoded, raw: as mixed, and after the limiter.
async fn summed(fixture: &mut Fixture, sounds: [&str; 2]) -> [Vec<u8>; 2] {
    let mut inputs = String::new();
    for audio in sounds {
        let name = format!("lane{}.wav", fixture.folder.path().read_dir().unwrap().count());
        let file = fixture.source(&name, &format!("-f lavfi -i {audio} -c:a pcm_f32le")).await;
        inputs += &format!(" -i {}", fixture.path(&file).display());
    }
    let tracks = vec![mix_track(); 2];
    let mix = AudioMix {
        samples: Samples(96_000),
        tracks,
        loudness_lufs: None,
        fade_out: Samples(0),
        stretch: None,
    };
    let (mastering, lists) = (Mastering::plain(2), vec![PathBuf::new(); 2]);
    let of = MixArgs { mix: &mix, tracks: &lists, output: Path::new("none"), mastering: &mastering };
    let mut mixes = [vec![], vec![]];
    for (raw, args) in mixes.iter_mut().zip([raw_mixes(&[of]), encode_mixes(&[of])]) {
        let graph = args.iter().skip_while(|arg| *arg != "-filter_complex").nth(1).unwrap();
        let output = tempfile::NamedTempFile::new().unwrap();
        let graph = graph.to_str().unwrap();
        let level = if graph.contains("[level0]") { "-map [level0] -f null -" } else { "" };
        ffmpeg(&format!("{inputs} -filter_complex {graph} {level} -map [mix0] -f f32le"), output.path())
            .await;
        *raw = std::fs::read(output.path()).unwrap();
        assert_eq!(raw.len(), 96_000 * 8);
    }
    mixes
}

fn mix_track() -> MixTrack {
    MixTrack {
        parts: vec![],
        begin: Samples(0),
        heard: Samples(96_000),
        volume_percent: 100,
        fade_in: Samples(0),
        fade_out: Samples(0),
        ducking: None,
    }
}

#[tokio::test]
async fn the_limiter_leaves_quiet_audio_identical_and_does_not_pump() {
    let mut fixture = Fixture::new().await;
    let noise = "anoisesrc=c=pink:a=0.3:d=2:seed=3,aformat=channel_layouts=stereo";
    let tone = "aevalsrc=0.25*sin(2*PI*1000*t):c=stereo:s=48000:d=2";
    let [plain, limited] = summed(&mut fixture, [noise, tone]).await;
    assert!(plain == limited, "a quiet sum was changed");
    // A burst beyond full scale, beside a soft tone: nothing above the ceiling, and the tone is back at once.
    let blow = "aevalsrc=1.6*sin(2*PI*90*t)*between(t\\,0.5\\,0.6):c=stereo:s=48000:d=2";
    let soft = "aevalsrc=0.05*sin(2*PI*3000*t):c=stereo:s=48000:d=2";
    let [plain, limited] = summed(&mut fixture, [blow, soft]).await;
    let samples = |raw: &[u8]| -> Vec<f32> {
        raw.as_chunks().0.iter().step_by(2).map(|four| f32::from_le_bytes(*four)).collect()
    };
    let (plain, limited) = (samples(&plain), samples(&limited));
    let peak = limited.iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
    assert!((0.7..=0.795).contains(&peak), "the peak is {peak}");
    assert!(plain[..23_000] == limited[..23_000], "nothing is turned down before the blow");
    for from in [0.7, 0.8, 1.2] {
        let level = |sound: &[f32]| tone_db(sound, 3000.0, (from, from + 0.05));
        let change = level(&limited) - level(&plain);
        assert!(change.abs() < 0.5, "the tone is changed by {change:.2} dB at {from} s");
    }
}

/// Half a second of a tone at `amplitude`, from `at`, in a file of `seconds`.
async fn word(fixture: &mut Fixture, name: &str, amplitude: f64, at: f64, seconds: f64) -> String {
    let audio_args = format!("{amplitude}*sin(2*PI*500*t)*between(t\\,{at}\\,{})", at + 0.5);
    fixture
        .source(
            name,
            &format!("-f lavfi -i aevalsrc={audio_args}:c=stereo:s=48000:d={seconds} -c:a pcm_f32le"),
        )
        .await
}

/// Music is 12 dB lower by 0.1 s after a word began at `at`, and as before from a second after its end.
#[track_caller]
fn check_ducked(sound: &[f32], at: f64, deep: f64) {
    let music = |from, to| tone_db(sound, 3000.0, (from, to)) - TONE_DB;
    let actual = [
        ("before", music(at - 0.4, at - 0.02), 0.0, 0.2),
        ("under the word", music(at + 0.1, at + 0.5), -deep, 0.7),
        ("between words", music(at + 0.55, at + 0.65), -deep, 1.5),
        ("afterwards", music(at + 1.6, at + 2.0), 0.0, 0.2),
    ];
    for (place, actual, expected, tolerance) in actual {
        assert!((actual - expected).abs() <= tolerance, "{place}: {actual:.2} dB instead of {expected}");
    }
}

#[tokio::test]
async fn music_is_lowered_under_speech_and_returns() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 3.0).await;
    let song = tone(&mut fixture, "song.wav", 1.0, 3000).await;
    let music = track(&song, |_| {});
    for (amplitude, deep) in [(0.5, 12.4), (0.25, 12.2), (0.05, 11.0)] {
        let words = word(&mut fixture, &format!("words{amplitude}.wav"), amplitude, 0.5, 1.0).await;
        let options = MixOptions { music: music.clone(), ducking: true, ..quiet() };
        let voice = MixOptions { voice: track(&words, |_| {}), ..options.clone() };
        let audio = heard(&fixture, base(vec![group(&[&clip])], voice.clone())).await;
        check_ducked(&audio, 0.5, deep);
        // The voice itself is unchanged.
        let spoken = tone_db(&audio, 500.0, (0.6, 0.9));
        assert!((spoken - 20.0 * (amplitude / 2f64.sqrt()).log10()).abs() < 0.2, "{spoken:.2} dB");
        let scenes = pro(&[(3.0, &clip)], options, |params| {
            params.scenes[0].audio = scene_audio(&words, 0.2);
        });
        check_ducked(&heard(&fixture, scenes).await, 0.7, deep);
        let off = heard(&fixture, base(vec![group(&[&clip])], MixOptions { ducking: false, ..voice })).await;
        assert!((tone_db(&off, 3000.0, (0.6, 1.0)) - TONE_DB).abs() < 0.2);
    }
}

#[tokio::test]
async fn clips_lower_the_music_only_without_other_speech() {
    let mut fixture = Fixture::new().await;
    let word = "-f lavfi -i aevalsrc=0.25*sin(2*PI*500*t)*between(t\\,0.5\\,1):s=48000:d=3";
    let clip = fixture.source("says.mov", &format!("{PICTURE}:d=3 {word} -c:v libx264 -c:a pcm_s16le")).await;
    let (song, hiss) = (
        tone(&mut fixture, "song.wav", 1.0, 3000).await,
        fixture.source("hiss.wav", "-f lavfi -i anoisesrc=a=0.004:d=3:seed=1").await,
    );
    let options = MixOptions { music: track(&song, |_| {}), ducking: true, ..quiet() };
    let audio = heard(&fixture, base(vec![group(&[&clip])], options.clone())).await;
    check_ducked(&audio, 0.5, 12.2);
    // A voice that only hisses does not lower the music, and where there is a voice the clip's own audio does not
    // count.
    let audio =
        heard(&fixture, base(vec![group(&[&clip])], MixOptions { voice: track(&hiss, |_| {}), ..options }))
            .await;
    assert!((tone_db(&audio, 3000.0, (0.6, 1.0)) - TONE_DB).abs() < 0.3);
}

/// Renders a source with a loudness target: the output has the expected loudness, or that of the source if `None`.
async fn check_loudness(fixture: &mut Fixture, name: &str, source: &str, target: f64, expected: Option<f64>) {
    let clip = mute(fixture, 3.0).await;
    let voice = fixture.source(name, source).await;
    let options = MixOptions { voice: track(&voice, |_| {}), ..quiet() };
    let plain = fixture.render_one(base(vec![group(&[&clip])], options.clone())).await.output.quality;
    let options = MixOptions { loudness_lufs: Some(target), ..options };
    let quality = fixture.render_one(base(vec![group(&[&clip])], options)).await.output.quality;
    let expected = expected.or(plain.loudness_lufs);
    match (quality.loudness_lufs, expected) {
        (Some(actual), Some(expected)) => assert!(
            (actual - expected).abs() <= 0.5,
            "{name} at {target}: {actual} LUFS instead of {expected} (was {:?})",
            plain.loudness_lufs
        ),
        (actual, expected) => assert_eq!(actual, expected, "{name} at {target}"),
    }
    let peak = quality.true_peak_dbtp.unwrap();
    assert!(peak <= -1.0, "{name} at {target}: the true peak is {peak} dB");
}

#[tokio::test]
async fn a_mix_reaches_its_loudness_within_bounds() {
    let mut fixture = Fixture::new().await;
    let noise = |amplitude: f64| {
        format!("-f lavfi -i anoisesrc=c=pink:a={amplitude}:d=3:seed=3 -ac 2 -c:a pcm_f32le")
    };
    let blows = "-f lavfi -i aevalsrc=0.8*exp(-mod(t\\,0.5)*60)*sin(2*PI*180*t):s=48000:d=3 -ac 2";
    let clipped = "-f lavfi -i anoisesrc=c=brown:a=1:d=3:seed=4 -af volume=20dB -ac 2 -c:a pcm_s16le";
    let sources = [
        ("down.wav", noise(0.9), -23.0, Some(-23.0)),
        ("up.wav", noise(0.1), -20.0, Some(-20.0)),
        ("more.wav", noise(0.25), -14.0, Some(-14.0)),
        // At most 20 dB.
        ("faint.wav", noise(0.01), -14.0, Some(-35.0)),
        ("silence.wav", noise(0.0004), -14.0, None),
        ("clipped.wav", clipped.to_owned(), -14.0, Some(-14.0)),
        ("blows.wav", blows.to_owned(), -23.0, Some(-23.0)),
    ];
    for (name, source, target, expected) in every_nth(2, sources) {
        check_loudness(&mut fixture, name, &source, target, expected).await;
    }
}

#[tokio::test]
async fn the_peaks_of_a_mix_win_over_its_loudness() {
    let mut fixture = Fixture::new().await;
    let beeps = "aevalsrc=0.99*sin(2*PI*997*t)*lt(mod(t\\,1)\\,0.02):c=stereo:s=48000:d=3";
    let source = format!("{PICTURE}:d=3 -f lavfi -i {beeps} -c:v libx264 -c:a pcm_s16le");
    let clip = fixture.source("beeps.mov", &source).await;
    let song = tone(&mut fixture, "song.wav", 1.0, 1000).await;
    for target in [-5.0, -9.0, -14.0] {
        let options = MixOptions { loudness_lufs: Some(target), music: track(&song, |_| {}), ..quiet() };
        let quality = fixture.render_one(base(vec![group(&[&clip])], options)).await.output.quality;
        let peak = quality.true_peak_dbtp.unwrap();
        assert!(peak <= -1.0, "{target}: the true peak is {peak} dB");
        assert!(quality.loudness_lufs.unwrap() <= target + 0.5, "{quality:?}");
    }
}

#[tokio::test]
async fn audio_too_short_to_measure_keeps_its_level_below_the_peak() {
    let mut fixture = Fixture::new().await;
    for (name, amplitude, expected_db) in [("soft.mov", 0.1, -23.0), ("loud.mov", 1.0, -5.5)] {
        let audio_args = format!("-f lavfi -i aevalsrc={amplitude}*sin(2*PI*1000*t):c=stereo:s=48000:d=0.32");
        let source = format!("{PICTURE}:d=0.32 {audio_args} -c:v libx264 -c:a pcm_s16le");
        let clip = fixture.source(name, &source).await;
        let options = MixOptions { loudness_lufs: Some(-14.0), ..quiet() };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
        assert_eq!(rendering.output.quality.loudness_lufs, None);
        assert!(rendering.output.quality.true_peak_dbtp.unwrap() <= -1.0);
        check_level(&samples(&rendering.path).await, (0.05, 0.27), expected_db, 0.8);
    }
}

#[tokio::test]
async fn a_loud_pure_tone_keeps_its_level() {
    let mut fixture = Fixture::new().await;
    for (i, (left, right)) in [(220, 220), (1000, 1000), (440, 554)].into_iter().enumerate() {
        let side = |hz| format!("aevalsrc=0.9*sin(2*PI*{hz}*t):s=48000:d=2");
        let audio_args = format!("{}[l];{}[r];[l][r]amerge", side(left), side(right));
        let source = format!("{PICTURE}:d=2 -f lavfi -i {audio_args} -c:v libx264 -c:a pcm_s16le");
        let clip = fixture.source(&format!("tone{i}.mov"), &source).await;
        let rendering = fixture.render_one(base(vec![group(&[&clip])], quiet())).await;
        for side in 0..2 {
            let samples: Vec<f32> =
                stereo(&rendering.path).await.into_iter().map(|both| both[side]).collect();
            check_level(&samples, (0.1, 1.9), -3.93, 0.3);
        }
    }
}

#[tokio::test]
async fn a_single_full_scale_track_is_not_turned_down() {
    let mut fixture = Fixture::new().await;
    let chord = "0.33*(sin(2*PI*262*t)+sin(2*PI*330*t)+sin(2*PI*392*t))";
    let chord = format!("-f lavfi -i aevalsrc={chord}:c=stereo:s=48000:d=2");
    let clip =
        fixture.source("loud.mov", &format!("{PICTURE}:d=2 {chord} -c:v libx264 -c:a pcm_s16le")).await;
    let before = samples(&fixture.folder.path().join(&clip)).await;
    let after = heard(&fixture, base(vec![group(&[&clip])], quiet())).await;
    check_level(&after, (0.1, 1.9), level_db(&before, 0.1, 1.9), 0.2);
    let peak = |samples: &[f32]| samples.iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
    assert!(peak(&before) > 0.9 && peak(&after) > 0.9, "{} became {}", peak(&before), peak(&after));
}

/// Audio at full scale whose encoded waveform exceeds it: no finished file may, mixed or not.
#[tokio::test]
async fn no_single_track_decodes_above_full_scale() {
    let mut fixture = Fixture::new().await;
    let square = "aevalsrc=sgn(sin(2*PI*441*t)):c=stereo:s=48000:d=2";
    let between = "aevalsrc=sin(2*PI*12000*t+PI/4)*1.4:c=stereo:s=48000:d=2";
    let sine = "aevalsrc=sin(2*PI*997*t):c=stereo:s=48000:d=2";
    let clipped = "anoisesrc=c=white:a=1:d=2:seed=4,volume=12dB,aformat=channel_layouts=stereo";
    let brown = "anoisesrc=c=brown:a=1:d=2:seed=4,volume=20dB,aformat=channel_layouts=stereo";
    // Encoded heavily clipped audio has peaks up to 9 dB above its samples: it is turned down by that much.
    let sources = [
        ("square", square, 6.5),
        ("between", between, 4.5),
        ("sine", sine, 1.5),
        ("clipped", clipped, 12.0),
        ("brown", brown, 8.0),
    ];
    for ((name, source, max), is_mix) in every_nth(3, pairs(sources, [true, false])) {
        let source = format!("{PICTURE}:d=2 -f lavfi -i {source} -c:v libx264 -c:a pcm_s16le");
        let clip = fixture.source(&format!("{name}.mov"), &source).await;
        let before = level_db(&samples(&fixture.folder.path().join(&clip)).await, 0.1, 1.9);
        let params = if is_mix { base(vec![group(&[&clip])], quiet()) } else { dedup(&[&clip], |_| {}) };
        let rendering = fixture.render_one(params).await;
        let peak = rendering.output.quality.true_peak_dbtp.unwrap();
        assert!(peak <= 0.0, "{name}: the true peak is {peak} dB");
        check_level(&samples(&rendering.path).await, (0.1, 1.9), before, max);
    }
}
