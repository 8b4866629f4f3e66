//! The known facts about the clips that a scene can choose from.

use std::collections::BTreeMap;

use crate::media::{Facts, MediaInfo};
use crate::plan::assumptions::UNKNOWN_CLIP_S;
use crate::plan::build::usable_clip;
use crate::plan::mix::images::is_image;
use crate::plan::video::excerpt::Excerpt;
use crate::request::model::{Clip, Scene};
use crate::time::{Fps, Frames};

/// A file's content hash, the position in it at which the clip begins, and the clip's frames at its own speed; for a file that is not
/// probed, its URL and assumed length. An image lasts as long as its scene.
pub(super) fn file<'a>(
    (clip, scene): (&'a Clip, &Scene),
    lengths: &BTreeMap<&str, f64>,
    facts: &'a Facts,
    fps: Fps,
) -> ((&'a str, i64), Frames) {
    let (name, seconds) = match facts.media.get(&clip.url) {
        Some(Ok(MediaInfo { content, video: Some(video), .. })) => (&*content.0, video.duration_s),
        _ => (clip.url.as_str(), lengths.get(clip.url.as_str()).copied().unwrap_or(UNKNOWN_CLIP_S)),
    };
    if is_image(clip, facts) {
        return ((name, 0), scene_frames(scene, fps));
    }
    let excerpt = Excerpt::of(clip, seconds).unwrap_or_default();
    ((name, excerpt.from_us), Frames(Frames::nearest(excerpt.seconds(seconds), fps).0.max(1)))
}

/// The length of a scene; at least a frame.
pub(crate) fn scene_frames(scene: &Scene, fps: Fps) -> Frames {
    Frames(Frames::nearest(scene.duration_s, fps).0.max(1))
}

/// The frames of footage that a scene shows of a clip: more than its own at a higher speed.
pub(super) fn footage_frames((clip, scene): (&Clip, &Scene), facts: &Facts, fps: Fps) -> Frames {
    let frames = scene_frames(scene, fps);
    match clip.speed_permille {
        Some(_) if !is_image(clip, facts) => Frames((frames.0 as f64 * clip.speed()).ceil() as u64),
        _ => frames,
    }
}

/// The resources that can be used, as far as the files are known.
pub(super) fn usable_resources(scene: &Scene, facts: &Facts) -> Vec<u32> {
    let good = |clip: &Clip| match facts.media.get(&clip.url) {
        None => true,
        Some(Ok(info)) => usable_clip(clip, info).is_ok(),
        Some(Err(_)) => false,
    };
    (0u32..).zip(&scene.resources).filter(|(_, clip)| good(clip)).map(|(index, _)| index).collect()
}
