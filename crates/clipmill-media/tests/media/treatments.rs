//! Looks, volumes and speeds of single clips in mixes, measured.

use clipmill_core::request::model::{self, Clip, FillMode, Group, LookChoice, MixOptions};

use clipmill_core::time::Fps;

use crate::support::audio::*;
use crate::support::draw::*;
use crate::support::*;
use crate::sync::{flash_and_beep, flashes};
use crate::transitions::by;

fn look(name: &str) -> LookChoice {
    LookChoice::try_from(name.to_owned()).unwrap()
}

#[tokio::test]
async fn a_look_colours_the_clips_that_have_it() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(160, 96, "25", 5);
    let clip = fixture.plain("red.mp4", film, RED, &format!("{BT709} {X264}")).await;
    let own = |look: Option<LookChoice>| Clip { url: clip.clone(), look, ..Clip::default() };
    let videos = vec![own(None), own(Some(look("none")))];
    let options = MixOptions { look: look("mono"), fill: FillMode::None, ..options((160, 160), 25) };
    let rendering = fixture.render_one(base(vec![Group { videos, total_duration_s: None }], options)).await;
    let [coloured, plain] = [
        frame(&rendering.path, rendering.size, 2).await.around((80, 80)),
        frame(&rendering.path, rendering.size, 7).await.around((80, 80)),
    ];
    near(plain, RED, 15.0, "the clip without a look");
    assert!((coloured[0] - coloured[2]).abs() < 6.0, "black and white: {coloured:?}");
    near(frame(&rendering.path, rendering.size, 2).await.around((80, 10)), [0; 3], 5.0, "bars");
}

#[tokio::test]
async fn a_clip_has_a_volume_of_its_own() {
    let mut fixture = Fixture::new().await;
    let clip = toned(&mut fixture, 1.0, 440).await;
    let own = |volume_percent| Clip { url: clip.clone(), volume_percent, ..Clip::default() };
    let videos = vec![own(None), own(Some(50)), own(Some(0))];
    let rendering = fixture.render_one(base(vec![Group { videos, total_duration_s: None }], quiet())).await;
    let audio = samples(&rendering.path).await;
    check_level(&audio, (0.1, 0.9), TONE_DB, 0.2);
    check_level(&audio, (1.1, 1.9), TONE_DB - 6.02, 0.2);
    assert!(level_db(&audio, 2.1, 2.9) < -70.0);
}

const SPEEDS: [u32; 4] = [500, 750, 1500, 2000];

#[tokio::test]
async fn a_flash_and_its_beep_stay_together_at_every_speed() {
    let mut fixture = Fixture::new().await;
    let mut clips = Vec::new();
    for (index, (rate, seconds)) in
        [("25", 2.0), ("30", 2.4), ("50", 2.8), ("24", 1.5)].into_iter().enumerate()
    {
        let name = format!("clip{index}.mp4");
        clips.push((flash_and_beep(&mut fixture, &name, rate, seconds, true).await, rate, seconds));
    }
    let mut offsets = Vec::new();
    for (transition, speed) in every_nth(3, pairs([None, by(&["fade"], 0.2)], SPEEDS)) {
        let videos = clips.iter().map(|(url, ..)| Clip {
            url: url.clone(),
            speed_permille: Some(speed),
            ..Clip::default()
        });
        let group = Group { videos: videos.collect(), total_duration_s: None };
        let options = MixOptions { transition: transition.clone(), ..options((160, 90), 60) };
        let rendering = fixture.render_one(base(vec![group], options)).await;
        let speed = f64::from(speed) / 1000.0;
        let overlap = transition.as_ref().map_or(0.0, |transition| transition.duration_s);
        // The flash is in the middle of its clip.
        let mut begin = 0.0;
        let (flashes, beeps) = (flashes(&rendering.path, 60.0).await, onsets(&rendering.path).await);
        assert_eq!((flashes.len(), beeps.len()), (4, 4), "at {speed}: {flashes:?}, {beeps:?}");
        for ((flash, beep), (_, rate, seconds)) in flashes.iter().zip(&beeps).zip(&clips) {
            let expected = begin + seconds / 2.0 / speed;
            let frame_s = 1.0 / (rate.parse::<f64>().unwrap() * speed) + 1.0 / 60.0;
            assert!((flash - expected).abs() <= frame_s, "at {speed}: {flash}, not {expected}");
            let exact = begin
                + (seconds / 2.0 * rate.parse::<f64>().unwrap()).round()
                    / rate.parse::<f64>().unwrap()
                    / speed;
            assert!((beep - exact).abs() <= 0.020, "at {speed}: beep at {beep:.3}, flash at {exact:.3}");
            offsets.push(((beep - exact) * 1000.0).round());
            begin += (seconds / speed * 60.0).round() / 60.0 - overlap;
        }
        let frames = rendering.output.quality.frames_found as f64 / 60.0;
        assert!((frames - begin - overlap).abs() < 0.02, "at {speed}: {frames} s, not {begin}");
    }
    println!("milliseconds from flash to beep: {offsets:?}");
}

#[tokio::test]
async fn speed_keeps_the_pitch_and_the_level() {
    let mut fixture = Fixture::new().await;
    let clip = toned(&mut fixture, 2.0, 440).await;
    for speed in SPEEDS {
        let videos = vec![Clip { url: clip.clone(), speed_permille: Some(speed), ..Clip::default() }];
        let rendering =
            fixture.render_one(base(vec![Group { videos, total_duration_s: None }], quiet())).await;
        let audio = samples(&rendering.path).await;
        let seconds = 2000.0 / f64::from(speed);
        assert!((audio.len() as f64 / 48_000.0 - seconds).abs() < 0.05, "at {speed}");
        let tone = pitch(&audio, 0.1, seconds - 0.1);
        assert!((tone - 440.0).abs() < 4.0, "at {speed}: {tone:.1} Hz");
        check_level(&audio, (0.2, seconds - 0.2), TONE_DB, 0.5);
    }
}

/// A part of a clip at another speed, and a short clip that repeats.
#[tokio::test]
async fn excerpts_and_repetitions_have_their_speed() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.counted("a.mp4", TestVideo::new(160, 96, "25", 100), &format!("{BT709} {X264}")).await;
    let fast = Clip {
        url: clip.clone(),
        from_s: Some(1.0),
        to_s: Some(3.0),
        speed_permille: Some(2000),
        ..Clip::default()
    };
    let options = MixOptions { fill: FillMode::Stretch, ..options((160, 96), 25) };
    let rendering = fixture
        .render_one(base(vec![Group { videos: vec![fast.clone()], total_duration_s: None }], options.clone()))
        .await;
    assert_eq!(rendering.output.quality.frames_found, 25);
    let shown = |lumas: Vec<u8>| Vec::from_iter(lumas.into_iter().map(step_of));
    let counted = shown(lumas(&rendering.path).await);
    let source = shown(lumas(&fixture.path("a.mp4")).await);
    assert_eq!(counted, Vec::from_iter((0..25).map(|frame| source[25 + 2 * frame])));
    // A scene of 3 s shows the second of it three times.
    let scene = pro(&[(3.0, &clip)], options, |params| params.scenes[0].resources = vec![fast]);
    let repeated = shown(lumas(&fixture.render_one(scene).await.path).await);
    assert_eq!(repeated, [&counted[..]; 3].concat());
}

/// An effect over the border of two clips is that of one long clip, and the same as in videoDeduplication.
#[tokio::test]
async fn effects_of_mixes_are_those_of_deduplications() {
    let mut fixture = crate::parts::fixture(1).await;
    let whole = fixture
        .source(
            "a.mp4",
            "-f lavfi -i testsrc2=s=160x90:r=25:d=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
        )
        .await;
    let size = (160, 90);
    for name in ["snow", "shake"] {
        let effect = |duration_s, position_percent| model::Effect {
            name: name.into(),
            strength_percent: 80.0,
            duration_s,
            position_percent,
        };
        let effects = vec![effect(1.6, 30.0)];
        let mix = |urls: &[&str], effects: &[model::Effect]| {
            base(
                vec![group(urls)],
                MixOptions { effects: effects.to_vec(), fill: FillMode::Stretch, ..options(size, 25) },
            )
        };
        crate::parts::check(&mut fixture, name, &mix(&[&whole], &effects), 4).await;
        let own = crate::parts::shown(&fixture, &mix(&[&whole], &effects)).await.concat();
        let plain = crate::parts::shown(&fixture, &mix(&[&whole], &[])).await.concat();
        let of_dedup = crate::parts::shown(
            &fixture,
            &dedup(&[&whole], |options| {
                options.effect = Some(effect(1.6, 30.0));
                options.fps = Fps::new(25).unwrap();
            }),
        )
        .await;
        assert!(own == of_dedup.concat(), "{name}");
        // 1.6 s from 1.2 s on.
        let changed = Vec::from_iter((0..100).filter(|frame| own[*frame] != plain[*frame]));
        assert!(changed.first().is_some_and(|first| (30..33).contains(first)), "{name}: {changed:?}");
        assert!(changed.last().is_some_and(|last| (67..70).contains(last)), "{name}: {changed:?}");
        let two =
            crate::parts::shown(&fixture, &mix(&[&whole, &whole], &[effect(2.0, 40.0), effect(0.4, 90.0)]))
                .await
                .concat();
        assert_eq!(two.len(), 200);
    }
}
