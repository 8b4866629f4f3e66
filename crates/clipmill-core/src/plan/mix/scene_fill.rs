//! The clips that each scene of an output shows: the chosen one, followed by others of the scene where it is too short.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::{Value, json};

use crate::error::{ErrorCode, TaskError};
use crate::media::{ContentHash, Facts, MediaInfo, VideoInfo};
use crate::message;
use crate::plan::build::{Builder, usable_clip};
use crate::plan::mix::choices::Choice;
use crate::plan::mix::fill::{Available, MAX_SHOWINGS, MIN_S, fill};
use crate::plan::mix::images::{ImagePosition, image_frames};
use crate::plan::mix::pools::DrawnOptions;
use crate::plan::mix::scene_lengths::transition_frames;
use crate::plan::mix::shot::Shot;
use crate::plan::mix::{is_held, looped_shots};
use crate::plan::timeline::overlaps;
use crate::plan::video::excerpt::{Excerpt, micros};
use crate::request::model::{Clip, MixLength, ProMixParams, Scene, SceneLength};
use crate::time::{Fps, Frames};

/// Whether scenes show further clips after the chosen one where that is too short.
pub(crate) fn is_filled(params: &ProMixParams) -> bool {
    let scenes = 0..params.scenes.len();
    !params.options.is_shortest
        && (!params.fill.is_empty() || scenes.into_iter().any(|scene| fills(params, scene)))
}

fn fills(params: &ProMixParams, scene: usize) -> bool {
    let follows_audio = |scene: &Scene| scene.length == SceneLength::Voice;
    params.options.length == MixLength::Voice
        || params.options.clip_seconds.is_some()
        || params.scenes.get(scene).is_some_and(follows_audio)
}

/// The maximum length of one showing of a clip.
pub(crate) fn longest_showing(params: &ProMixParams) -> Frames {
    let seconds = params.options.clip_seconds;
    seconds.map_or(Frames(u64::MAX), |seconds| Frames::nearest(seconds, params.options.fps))
}

/// The URLs of the clips that may follow the chosen ones of an output, as far as the files that decide about it are known.
pub(crate) fn further_clips<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    lengths: Option<&[Frames]>,
    facts: &Facts,
) -> Vec<&'a str> {
    let mut urls = Vec::new();
    for (number, scene) in params.scenes.iter().enumerate() {
        if let Some(showings) = choice.fill.get(number) {
            let clips = showings.iter().filter_map(|showing| scene.resources.get(showing.resource as usize));
            urls.extend(clips.map(|clip| clip.url.as_str()));
            continue;
        }
        let length = lengths.and_then(|lengths| lengths.get(number)).filter(|_| fills(params, number));
        if length.is_some_and(|length| is_too_short(params, choice, number, *length, facts)) {
            urls.extend(scene.resources.iter().map(|clip| clip.url.as_str()));
        }
    }
    urls
}

/// Whether the chosen clip of a scene is known, and too short for it.
fn is_too_short(
    params: &ProMixParams,
    choice: &Choice,
    number: usize,
    length: Frames,
    facts: &Facts,
) -> bool {
    let fps = params.options.fps;
    let chosen = || {
        let scene = params.scenes.get(number)?;
        let clip = scene.resources.get(*choice.row.get(number)? as usize)?;
        let info = facts.media.get(&clip.url)?.as_ref().ok()?;
        let (video, excerpt) = usable_clip(clip, info).ok()?;
        Some((video, choice.excerpt(number, (clip, video, excerpt), fps).ok()?, clip.speed()))
    };
    let is_enough = |(video, excerpt, speed): (&VideoInfo, Excerpt, f64)| {
        let natural = if video.still { length } else { excerpt.frames(video, speed, fps) };
        is_enough(natural, length, longest_showing(params), fps)
    };
    chosen().is_some_and(|clip| !is_enough(clip))
}

/// Whether one showing of a clip with these frames is enough for a scene.
fn is_enough(natural: Frames, length: Frames, most: Frames, fps: Fps) -> bool {
    length <= most && is_held(natural.0, length.0, fps)
}

/// A scene with its chosen clip.
pub(crate) struct ChosenClip<'a> {
    pub number: usize,
    pub resource: u32,
    /// The clip for the whole length of the scene.
    pub shot: Shot<'a>,
}

/// The clips that a scene shows.
pub(crate) struct FilledScene<'a> {
    pub number: usize,
    pub shots: Vec<Shot<'a>>,
    showings: Vec<PlacedShowing>,
}

/// A showing of a clip, from this microsecond of its file on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PlacedShowing {
    resource: u32,
    from_us: i64,
    frames: Frames,
}

/// The showings of each scene, for the recipe; `None` if each scene has only its chosen clip and the request gave none.
pub(crate) fn recipe(scenes: &[FilledScene], is_given: bool, fps: Fps) -> Option<Value> {
    let showing = |showing: &PlacedShowing| {
        let seconds = (showing.frames.seconds(fps) * 1e6).round() / 1e6;
        json!({ "resource": showing.resource, "start": showing.from_us as f64 / 1e6, "seconds": seconds })
    };
    let is_filled = scenes.iter().any(|scene| scene.showings.len() > 1);
    let scene = |scene: &FilledScene| scene.showings.iter().map(showing).collect::<Value>();
    (is_filled || is_given).then(|| scenes.iter().map(scene).collect())
}

/// The shots of all scenes. A clip that is shorter than its scene is followed by others of the scene, if the request asks
/// for that; otherwise it loops.
pub(crate) fn filled<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    dealt: &DrawnOptions,
    chosen: &[ChosenClip<'a>],
    builder: &mut Builder<'a>,
) -> Result<Vec<FilledScene<'a>>, TaskError> {
    let fps = params.options.fps;
    let most = longest_showing(params);
    let mut footage = ShownFootage::default();
    for clip in chosen {
        footage.add(&clip.shot.info.content, clip.first_footage(most, fps));
    }
    let lengths: Vec<Frames> = chosen.iter().map(|clip| clip.shot.frames).collect();
    let overlaps = overlaps(&lengths, transition_frames(&params.options));
    let overlap =
        |place: Option<usize>| place.and_then(|place| overlaps.get(place)).copied().unwrap_or_default();
    let mut scenes = Vec::with_capacity(chosen.len());
    let mut count = 0;
    for (place, clip) in chosen.iter().enumerate() {
        let sides = [overlap(place.checked_sub(1)), overlap(Some(place))];
        let filler = Filler { params, dealt, clip, most };
        let showings = match choice.fill.get(clip.number) {
            Some(given) => {
                let given = given.iter().map(|one| PlacedShowing {
                    resource: one.resource,
                    from_us: micros(one.start_s),
                    frames: Frames::nearest(one.length_s, fps),
                });
                repeated(&given.collect::<Vec<_>>(), clip.shot.frames)
            }
            None if fills(params, clip.number) => filler.showings(&footage, builder)?,
            None => vec![filler.whole()],
        };
        let showings = covering(&showings, sides, fps).unwrap_or_else(|| vec![filler.whole()]);
        let shots = filler.shots(&showings, builder)?;
        for (shot, showing) in shots.iter().zip(&showings) {
            footage.add(&shot.info.content, footage_of(shot, showing.frames, fps));
        }
        count += shots.len();
        if is_filled(params) && count > MAX_SHOWINGS {
            return Err(too_many());
        }
        scenes.push(FilledScene { number: clip.number, shots, showings });
    }
    Ok(scenes)
}

fn too_many() -> TaskError {
    TaskError::new(ErrorCode::ClipTooShort, message::too_many_showings(MAX_SHOWINGS))
}

impl ChosenClip<'_> {
    /// The footage of its first showing.
    fn first_footage(&self, most: Frames, fps: Fps) -> Range<i64> {
        footage_of(&self.shot, self.shot.frames.min(most), fps)
    }
}

/// The footage that a showing of these frames shows; that of an image is a microsecond.
fn footage_of(shot: &Shot, frames: Frames, fps: Fps) -> Range<i64> {
    let from_us = shot.excerpt.from_us;
    let shown_s = frames.min(shot.natural).seconds(fps) * shot.adjustments.speed();
    let length_us = if shot.video.still { 1 } else { micros(shown_s) };
    from_us..from_us.saturating_add(length_us)
}

/// Fills one scene.
struct Filler<'f, 'a> {
    params: &'a ProMixParams,
    dealt: &'f DrawnOptions<'f>,
    clip: &'f ChosenClip<'a>,
    most: Frames,
}

/// A stretch of a clip that a scene can show.
struct Candidate {
    resource: u32,
    excerpt: Excerpt,
    /// The speed at which it is shown.
    speed: f64,
    available: Available,
}

impl<'a> Filler<'_, 'a> {
    /// The chosen clip for the whole length of the scene.
    fn whole(&self) -> PlacedShowing {
        let Shot { excerpt, frames, .. } = self.clip.shot;
        PlacedShowing { resource: self.clip.resource, from_us: excerpt.from_us, frames }
    }

    /// The chosen clip, and further ones if it is too short.
    fn showings(
        &self,
        footage: &ShownFootage,
        builder: &mut Builder<'a>,
    ) -> Result<Vec<PlacedShowing>, TaskError> {
        let fps = self.params.options.fps;
        let Shot { natural, frames: length, .. } = self.clip.shot;
        if is_enough(natural, length, self.most, fps) {
            return Ok(vec![self.whole()]);
        }
        let candidates = self.candidates(footage, builder);
        let repeats = |builder: &mut Builder| {
            let path = format!("/params/scenes/{}/resources", self.clip.number);
            builder.warn_once(path, message::scene_footage_repeats());
        };
        if candidates.len() == 1 && self.most >= length {
            repeats(builder);
            return Ok(vec![self.whole()]);
        }
        let available: Vec<Available> = candidates.iter().map(|candidate| candidate.available).collect();
        let filling = fill(&available, length, Frames(0), fps).ok_or_else(too_many)?;
        if filling.repeats {
            repeats(builder);
        }
        let placed = filling.showings.into_iter().filter_map(|showing| {
            let Candidate { resource, excerpt, speed, .. } = candidates.get(showing.clip)?;
            let from_us = excerpt.after(showing.start, *speed, fps).from_us;
            Some(PlacedShowing { resource: *resource, from_us, frames: showing.frames })
        });
        Ok(repeated(&placed.collect::<Vec<_>>(), length))
    }

    /// What the scene can show, in order: the chosen clip, then the others from the next one on. Footage that the output
    /// shows elsewhere is used only if there is no other.
    fn candidates(&self, footage: &ShownFootage, builder: &Builder<'a>) -> Vec<Candidate> {
        let Some(scene) = self.params.scenes.get(self.clip.number) else { return Vec::new() };
        let chosen = &self.clip.shot;
        let mut candidates = Vec::new();
        let mut own = self.clip.first_footage(self.most, self.params.options.fps);
        let mut rest = Vec::new();
        if !chosen.video.still {
            let whole = builder.clip(&scene.resources[self.clip.resource as usize]);
            let whole = whole.map_or(own.clone(), |(_, video, excerpt)| extent(excerpt, video));
            for free in footage.free(&chosen.info.content, whole) {
                if free.start == own.end { own.end = free.end } else { rest.push(free) }
            }
        }
        let of_chosen = (self.clip.resource, chosen.adjustments.speed());
        candidates.push(self.candidate(of_chosen, chosen.video, own, false));
        let count = scene.resources.len();
        for index in (1..count).map(|step| (self.clip.resource as usize + step) % count) {
            let (resource, clip) = (index as u32, &scene.resources[index]);
            // Unusable clips are left out, as in the draw.
            let Ok((info, video, excerpt)) = builder.clip(clip) else { continue };
            candidates.extend(self.of_clip(resource, clip, (info, video, excerpt), footage));
        }
        let rest = rest.into_iter().filter(is_long);
        candidates.extend(rest.map(|free| self.candidate(of_chosen, chosen.video, free, false)));
        candidates
    }

    fn of_clip(
        &self,
        resource: u32,
        clip: &Clip,
        (info, video, excerpt): (&MediaInfo, &VideoInfo, Excerpt),
        footage: &ShownFootage,
    ) -> Vec<Candidate> {
        let fps = self.params.options.fps;
        if video.still {
            let is_seen = footage.free(&info.content, 0..1).is_empty();
            let frames = image_frames(clip, fps).min(self.most);
            let available = Available { frames, most: frames, is_image: true, is_seen };
            return vec![Candidate { resource, excerpt, speed: 1.0, available }];
        }
        let whole = extent(excerpt, video);
        let free = footage.free(&info.content, whole.clone());
        let is_unseen = free.len() == 1 && free[0] == whole;
        let free: Vec<Range<i64>> = free.into_iter().filter(|free| is_unseen || is_long(free)).collect();
        match free.is_empty() {
            true => vec![self.candidate((resource, clip.speed()), video, whole, true)],
            false => {
                let of_free = |free| self.candidate((resource, clip.speed()), video, free, false);
                free.into_iter().map(of_free).collect()
            }
        }
    }

    fn candidate(
        &self,
        (resource, speed): (u32, f64),
        video: &VideoInfo,
        footage: Range<i64>,
        is_seen: bool,
    ) -> Candidate {
        let fps = self.params.options.fps;
        let excerpt = Excerpt { from_us: footage.start, to_us: Some(footage.end) };
        let available = match video.still {
            true => {
                let frames = self.clip.shot.frames.min(self.most);
                Available { frames, most: frames, is_image: true, is_seen }
            }
            false => {
                let frames = excerpt.frames(video, speed, fps);
                Available { frames, most: frames.min(self.most), is_image: false, is_seen }
            }
        };
        Candidate { resource, excerpt, speed, available }
    }

    /// The shots of these showings. A single one that is too short holds its last frame or loops; one of several holds it.
    fn shots(&self, showings: &[PlacedShowing], builder: &Builder<'a>) -> Result<Vec<Shot<'a>>, TaskError> {
        if let [showing] = showings {
            let shot = self.shot(0, *showing, builder)?;
            let fps = self.params.options.fps;
            return Ok(match is_held(shot.natural.0, shot.frames.0, fps) {
                true => vec![shot],
                false => looped_shots(shot, shot.frames, fps),
            });
        }
        showings.iter().enumerate().map(|(place, showing)| self.shot(place, *showing, builder)).collect()
    }

    fn shot(
        &self,
        place: usize,
        showing: PlacedShowing,
        builder: &Builder<'a>,
    ) -> Result<Shot<'a>, TaskError> {
        let PlacedShowing { resource, from_us, frames } = showing;
        let (s, fps) = (self.clip.number, self.params.options.fps);
        let clip = self.params.scenes.get(s).and_then(|scene| scene.resources.get(resource as usize));
        let no_resource = || TaskError::new(ErrorCode::Internal, message::no_resource(s, resource));
        let clip = clip.ok_or_else(no_resource)?;
        let (info, video, excerpt) = builder.clip(clip)?;
        let motion = self.dealt.motions.of(ImagePosition::Clip(s + place), clip.image_motion);
        let adjustments = self.dealt.adjustments(clip, video);
        let (excerpt, natural) = match video.still {
            true => (excerpt, frames),
            false => {
                let excerpt = excerpt.beginning_at(from_us, video).map_err(|error| error.input(&clip.url))?;
                (excerpt, excerpt.frames(video, clip.speed(), fps))
            }
        };
        Ok(Shot {
            url: &clip.url,
            info,
            video,
            excerpt,
            natural,
            frames,
            looped: false,
            motion,
            adjustments,
            second: None,
        })
    }
}

/// The footage of a clip, in microseconds of its file.
fn extent(excerpt: Excerpt, video: &VideoInfo) -> Range<i64> {
    excerpt.from_us..excerpt.to_us.unwrap_or_else(|| micros(video.duration_s))
}

/// Whether footage is long enough to be shown without its neighbours.
fn is_long(footage: &Range<i64>) -> bool {
    footage.end - footage.start >= micros(MIN_S)
}

/// The showings for exactly this many frames: cut, or repeated from the first on.
fn repeated(showings: &[PlacedShowing], length: Frames) -> Vec<PlacedShowing> {
    if let [only] = showings {
        return vec![PlacedShowing { frames: length, ..*only }];
    }
    let (mut remaining, mut placed) = (length.0, Vec::new());
    for showing in showings.iter().filter(|showing| showing.frames.0 > 0).cycle() {
        if remaining == 0 || placed.len() > MAX_SHOWINGS {
            break;
        }
        let frames = showing.frames.0.min(remaining);
        placed.push(PlacedShowing { frames: Frames(frames), ..*showing });
        remaining -= frames;
    }
    placed
}

/// The showings of a scene. The first and the last are at least as long as the transitions at the scene's ends,
/// because a transition has only one clip on each side. `None` if the scene is too short for that.
fn covering(
    showings: &[PlacedShowing],
    [before, after]: [Frames; 2],
    fps: Fps,
) -> Option<Vec<PlacedShowing>> {
    let mut showings = showings.to_vec();
    if showings.len() == 1 {
        return Some(showings);
    }
    let least = Frames::nearest(MIN_S, fps);
    lengthen_first(&mut showings, before, Frames(1), least);
    showings.reverse();
    lengthen_first(&mut showings, after, before.max(Frames(1)), least);
    showings.reverse();
    let (first, last) = (showings.first()?, showings.last()?);
    (first.frames >= before && last.frames >= after).then_some(showings)
}

/// Lengthens the first showing to `wanted` frames by taking them from those that follow. Of the last one, `kept` frames
/// remain; others disappear when fewer than `least` would remain.
fn lengthen_first(showings: &mut Vec<PlacedShowing>, wanted: Frames, kept: Frames, least: Frames) {
    let Some((first, others)) = showings.split_first_mut() else { return };
    let count = others.len();
    for (place, other) in others.iter_mut().enumerate() {
        let missing = wanted.0.saturating_sub(first.frames.0);
        if missing == 0 {
            break;
        }
        let is_last = place + 1 == count;
        let available = other.frames.0.saturating_sub(if is_last { kept.0 } else { 0 });
        let leaves_little = !is_last && other.frames.0.saturating_sub(missing) < least.0;
        let moved = if leaves_little { available } else { available.min(missing) };
        first.frames = first.frames + Frames(moved);
        other.frames = Frames(other.frames.0 - moved);
    }
    showings.retain(|showing| showing.frames.0 > 0);
}

/// The footage that an output shows, in microseconds of each file.
#[derive(Default)]
struct ShownFootage<'a>(HashMap<&'a ContentHash, Vec<Range<i64>>>);

impl<'a> ShownFootage<'a> {
    fn add(&mut self, content: &'a ContentHash, footage: Range<i64>) {
        self.0.entry(content).or_default().push(footage);
    }

    /// The parts of this footage that are not shown.
    fn free(&self, content: &ContentHash, footage: Range<i64>) -> Vec<Range<i64>> {
        let mut free = vec![footage];
        for shown in self.0.get(content).into_iter().flatten() {
            let without = |part: Range<i64>| {
                let before = part.start..part.end.min(shown.start);
                let after = part.start.max(shown.end)..part.end;
                [before, after].into_iter().filter(|part| part.start < part.end)
            };
            free = free.into_iter().flat_map(without).collect();
        }
        free
    }
}
