//! Looks and volumes of single clips in mixes, measured.

use clipmill_core::request::model::{Clip, FillMode, Group, LookChoice, MixOptions};

use crate::support::audio::*;
use crate::support::draw::*;
use crate::support::*;

fn look(name: &str) -> LookChoice {
    LookChoice::try_from(name.to_owned()).unwrap()
}

#[tokio::test]
async fn a_look_colours_the_clips_that_have_it() {
    let mut lab = Lab::new().await;
    let film = Film::new(160, 96, "25", 5);
    let clip = lab.plain("red.mp4", film, RED, &format!("{BT709} {X264}")).await;
    let own = |look: Option<LookChoice>| Clip { url: clip.clone(), look, ..Clip::default() };
    let videos = vec![own(None), own(Some(look("none")))];
    let options = MixOptions { look: look("mono"), fill: FillMode::None, ..options((160, 160), 25) };
    let rendering = lab.render_one(base(vec![Group { videos, total_duration_s: None }], options)).await;
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
    let mut lab = Lab::new().await;
    let clip = toned(&mut lab, 1.0, 440).await;
    let own = |volume_percent| Clip { url: clip.clone(), volume_percent, ..Clip::default() };
    let videos = vec![own(None), own(Some(50)), own(Some(0))];
    let rendering = lab.render_one(base(vec![Group { videos, total_duration_s: None }], quiet())).await;
    let audio = samples(&rendering.path).await;
    check_level(&audio, (0.1, 0.9), TONE_DB, 0.2);
    check_level(&audio, (1.1, 1.9), TONE_DB - 6.02, 0.2);
    assert!(level_db(&audio, 2.1, 2.9) < -70.0);
}
