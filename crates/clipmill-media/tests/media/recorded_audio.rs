//! Audio files as written by recorders, radio stations and tools that join files, compared with the playback of plain
//! ffmpeg.

use std::time::Duration;

use crate::support::audio::*;
use crate::support::*;
use clipmill_core::request::model::MixOptions;
use clipmill_media::ffmpeg::args::excerpt_args;
use clipmill_media::ffmpeg::process::Limits;

/// The length of a file and when its beep begins and ends.
const SECONDS: f64 = 1.2;
const BEEP_S: [f64; 2] = [0.4, 0.6];
/// Half a frame.
const TOLERANCE_S: f64 = 0.022;

/// A file with one beep.
async fn beep(fixture: &Fixture, name: &str, args: &str) -> Vec<u8> {
    let [from, to] = BEEP_S;
    let path = fixture.folder.path().join(name);
    let source =
        format!("-f lavfi -i aevalsrc=0.5*sin(2*PI*1500*t)*between(t\\,{from}\\,{to}):s=48000:d={SECONDS}");
    ffmpeg(&format!("{source} {args}"), &path).await;
    std::fs::read(path).unwrap()
}

/// A WAV file with the beep in all channels.
fn wav(channels: u16) -> Vec<u8> {
    const RATE: u32 = 48_000;
    let samples = (0..(SECONDS * f64::from(RATE)) as u32).map(|sample| f64::from(sample) / f64::from(RATE));
    let value = |time: f64| {
        let is_heard = (BEEP_S[0]..BEEP_S[1]).contains(&time);
        if is_heard { (8000.0 * (std::f64::consts::TAU * 1500.0 * time).sin()) as i16 } else { 0 }
    };
    let data: Vec<u8> =
        samples.flat_map(|time| value(time).to_le_bytes().repeat(usize::from(channels))).collect();
    let mut file = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0".to_vec();
    file.extend(channels.to_le_bytes());
    file.extend(RATE.to_le_bytes());
    file.extend((RATE * u32::from(channels) * 2).to_le_bytes());
    file.extend((channels * 2).to_le_bytes());
    file.extend(b"\x10\0data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    let riff = (file.len() as u32 - 8).to_le_bytes();
    file[4..8].copy_from_slice(&riff);
    file
}

/// Checks that a video has the file's audio as plain ffmpeg plays it: beeps at the same times, the same length, no
/// warning. Returns the number of beeps.
async fn check(fixture: &mut Fixture, name: &str, bytes: Vec<u8>) -> usize {
    let path = fixture.folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let name = fixture.learn(name, &path).await;
    let plain = path.with_extension("plain.wav");
    // Not all files can be mixed down by plain ffmpeg.
    ffmpeg(&format!("-i {} -af channelmap=0:mono", path.display()), &plain).await;
    let (expected, length) = (onsets(&plain).await, samples(&plain).await.len() as f64 / 48_000.0);
    let info = fixture.facts.media[&name].clone().unwrap_or_else(|error| panic!("{name}: {error}"));
    let actual = info.audio.unwrap().duration_s;
    assert!((actual - length).abs() <= TOLERANCE_S, "{name}: {actual:.3} s instead of {length:.3}");
    let clip = mute(fixture, 4.0).await;
    let options = MixOptions { voice: track(&name, |_| {}), ..quiet() };
    let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
    let actual = onsets(&rendering.path).await;
    assert_eq!(actual.len(), expected.len(), "{name}: {actual:?} instead of {expected:?}");
    for (actual, expected) in actual.iter().zip(&expected) {
        assert!((actual - expected).abs() <= TOLERANCE_S, "{name}: {actual:.3} instead of {expected:.3}");
    }
    assert!(rendering.output.damaged.is_empty(), "{name}: {:?}", rendering.output.damaged);
    actual.len()
}

#[tokio::test]
async fn chained_ogg_files_are_played_to_their_end() {
    let mut fixture = Fixture::new().await;
    let opus = beep(&fixture, "a.opus", "-ac 2 -c:a libopus").await;
    let mono = beep(&fixture, "b.opus", "-c:a libopus").await;
    let vorbis = beep(&fixture, "a.ogg", "-ar 44100 -ac 2 -c:a libvorbis").await;
    let slower = beep(&fixture, "b.ogg", "-ar 22050 -ac 2 -c:a libvorbis").await;
    assert_eq!(check(&mut fixture, "one.opus", opus.clone()).await, 1);
    assert_eq!(check(&mut fixture, "same.opus", opus.repeat(3)).await, 3);
    assert_eq!(check(&mut fixture, "same.ogg", vorbis.repeat(2)).await, 2);
    // ffmpeg 9 ends where the format changes.
    check(&mut fixture, "stereo.opus", [mono, opus].concat()).await;
    check(&mut fixture, "slower.ogg", [vorbis, slower].concat()).await;
}

#[tokio::test]
async fn joined_mp3_and_aac_files_are_played_to_their_end() {
    let mut fixture = Fixture::new().await;
    let plain = beep(&fixture, "a.mp3", "-ar 44100 -ac 2 -b:a 128k").await;
    let tagged = beep(&fixture, "b.mp3", "-ar 44100 -ac 2 -q:a 2 -metadata title=x -write_id3v1 1").await;
    let mono = beep(&fixture, "c.mp3", "-ar 22050 -ac 1 -b:a 64k").await;
    let bare = beep(&fixture, "d.mp3", "-ar 44100 -ac 2 -b:a 128k -write_xing 0 -id3v2_version 0").await;
    let aac = beep(&fixture, "a.aac", "-ar 44100 -ac 2").await;
    let faster = beep(&fixture, "b.aac", "-ar 48000 -ac 1").await;
    for (name, files) in [
        ("tags.mp3", [&tagged, &plain]),
        ("mono.mp3", [&plain, &mono]),
        ("stereo.mp3", [&mono, &plain]),
        ("bare.mp3", [&bare, &bare]),
        ("bare-mono.mp3", [&bare, &mono]),
        ("faster.aac", [&aac, &faster]),
        ("slower.aac", [&faster, &aac]),
    ] {
        assert_eq!(check(&mut fixture, name, files.map(Vec::as_slice).concat()).await, 2);
    }
}

#[tokio::test]
async fn lengths_that_recorders_leave_open_do_not_matter() {
    let mut fixture = Fixture::new().await;
    let whole = wav(2);
    for length in [0, 0x7fff_ffff_u32, 0x7fff_f000, 0xffff_ffff] {
        let mut file = whole.clone();
        file[4..8].copy_from_slice(&length.to_le_bytes());
        file[40..44].copy_from_slice(&length.to_le_bytes());
        assert_eq!(check(&mut fixture, &format!("{length:x}.wav"), file).await, 1);
    }
}

#[tokio::test]
async fn formats_of_recorders_are_accepted() {
    let mut fixture = Fixture::new().await;
    for (name, args) in [
        ("ima.wav", "-ac 2 -c:a adpcm_ima_wav"),
        ("ms.wav", "-ar 22050 -c:a adpcm_ms"),
        ("plain.caf", "-c:a pcm_s16be"),
        ("ima.caf", "-c:a adpcm_ima_qt"),
        ("plain.aiff", "-ac 2"),
        ("deep.aiff", "-c:a pcm_s24be"),
    ] {
        let file = beep(&fixture, name, args).await;
        assert_eq!(check(&mut fixture, name, file).await, 1);
    }
}

#[tokio::test]
async fn any_number_of_channels_is_accepted() {
    let mut fixture = Fixture::new().await;
    for channels in [4, 10, 64] {
        assert_eq!(check(&mut fixture, &format!("{channels}.wav"), wav(channels)).await, 1);
    }
    let four = fixture.path("4.wav").display().to_string();
    for (name, family) in [("ambisonics.opus", 2), ("streams.opus", 255)] {
        let path = fixture.folder.path().join(name);
        ffmpeg(&format!("-i {four} -c:a libopus -mapping_family {family}"), &path).await;
        let file = std::fs::read(path).unwrap();
        assert_eq!(check(&mut fixture, name, file).await, 1);
    }
    for name in ["10.wav", "ambisonics.opus"] {
        let audio = fixture.facts.media[name].as_ref().unwrap().audio.clone().unwrap();
        let output = fixture.folder.path().join("heard.m4a");
        let args = excerpt_args(&fixture.path(name), &audio, (0.0, SECONDS), &output);
        let limits = Limits::wall(Duration::from_secs(60));
        fixture.renderer.ffmpeg.run_ffmpeg(&args, None, limits, |_| {}).await.unwrap();
        assert_eq!(onsets(&output).await.len(), 1, "{name}");
    }
}
