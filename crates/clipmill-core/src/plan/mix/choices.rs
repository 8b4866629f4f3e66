//! The clip and the audio of each scene for every output of a proVideoMix.

use std::collections::HashMap;

use crate::combination::{self, Row, Scenes, ShownClip};
use crate::error::TaskError;
use crate::media::{Facts, VideoInfo};
use crate::plan::assumptions::assumed_lengths;
use crate::plan::mix::resources::{file, footage_frames, usable_resources};
use crate::plan::mix::starts;
use crate::plan::video::excerpt::Excerpt;
use crate::request::model::{Clip, ClipShowing, ProMixParams, Scene, SceneAudio};
use crate::seed::{Place, item_seed};
use crate::time::{Fps, Frames};

/// The choices of one output for each scene.
pub(crate) struct Choice {
    pub row: Row,
    /// The frame of its file at which each scene's clip begins, at the output's rate; `None` is the clip's beginning.
    pub starts: Vec<Option<Frames>>,
    /// Index into the scene's audio resources, if it has any.
    pub audio: Vec<Option<usize>>,
    /// The clips that the request lists for each scene; empty if it lists none.
    pub fill: Vec<Vec<ClipShowing>>,
}

impl Choice {
    /// The excerpt of the chosen clip of a scene, from its drawn start on if it has one.
    pub fn excerpt(
        &self,
        scene: usize,
        (clip, video, excerpt): (&Clip, &VideoInfo, Excerpt),
        fps: Fps,
    ) -> Result<Excerpt, TaskError> {
        match self.starts.get(scene).copied().flatten().filter(|_| !video.still) {
            Some(start) => excerpt.beginning(start, fps, video).map_err(|error| error.input(&clip.url)),
            None => Ok(excerpt),
        }
    }
}

/// The choices of all outputs, as far as they can be made: manual rows, then draws without resources known to be bad.
/// `None` for an output for which no combination remains.
pub(crate) fn choices(params: &ProMixParams, seed: u64, facts: &Facts) -> Vec<Option<Choice>> {
    let count = params.generate_count as usize;
    let fixed_rows: Vec<Row> = params.combinations.iter().take(count).cloned().collect();
    let drawn_count = count - fixed_rows.len();
    let rows = if starts::are_drawn(params) && starts::can_be_drawn(params, facts) {
        starts::rows(params, &fixed_rows, drawn_count, seed, facts)
    } else {
        let drawn_choices = drawn_rows(params, &fixed_rows, drawn_count, seed, facts);
        let starts_of = |number: usize| params.starts.get(number).map(|starts| given_starts(params, starts));
        let started =
            |(number, row)| (row, starts_of(number).unwrap_or_else(|| vec![None; params.scenes.len()]));
        fixed_rows.into_iter().chain(drawn_choices).enumerate().map(started).collect()
    };
    let mut choices: Vec<Option<Choice>> = Vec::with_capacity(count);
    for (index, (row, starts)) in rows.into_iter().enumerate() {
        let audio = drawn_audio(params, item_seed(seed, index as u32 + 1), facts);
        let fill = params.fill.get(index).cloned().unwrap_or_default();
        choices.push(Some(Choice { row, starts, audio, fill }));
    }
    choices.resize_with(count, || None);
    choices
}

/// The starts that the request gives in seconds, in frames.
fn given_starts(params: &ProMixParams, starts: &[f64]) -> Vec<Option<Frames>> {
    let frames = |&seconds: &f64| Some(Frames::nearest(seconds, params.options.fps));
    starts.iter().map(frames).collect()
}

/// Draws rows from the request alone, so that an estimate, a preview or a submission, which know fewer facts about the
/// files, gets the same rows. Known facts change a row only if that improves it.
fn drawn_rows(params: &ProMixParams, fixed: &[Row], wanted: usize, seed: u64, facts: &Facts) -> Vec<Row> {
    let declared = scenes(params, &Facts::default());
    let rows = combination::draw(&declared, fixed, wanted, seed, &[]);
    let scene_table = scenes(params, facts);
    if scene_table == declared { rows } else { combination::draw(&scene_table, fixed, wanted, seed, &rows) }
}

/// The resources of all scenes, as far as the files are known.
fn scenes(params: &ProMixParams, facts: &Facts) -> Scenes {
    let fps = params.options.fps;
    let lengths = assumed_lengths(params.scenes.iter().flat_map(|scene| &scene.resources));
    let mut files: HashMap<(&str, i64), u32> = HashMap::new();
    let mut shown_clips = Vec::with_capacity(params.scenes.len());
    for scene in &params.scenes {
        let mut clips = Vec::with_capacity(scene.resources.len());
        for clip in &scene.resources {
            let (name, natural) = file((clip, scene), &lengths, facts, fps);
            let next = files.len() as u32;
            let shown = natural.min(footage_frames((clip, scene), facts, fps));
            clips.push(ShownClip { file: *files.entry(name).or_insert(next), frames: shown.0 });
        }
        shown_clips.push(clips);
    }
    let usable = params.scenes.iter().map(|scene| usable_resources(scene, facts)).collect();
    Scenes { shown: shown_clips, usable, shortest: params.options.is_shortest }
}

/// One audio resource per scene, dealt to the outputs in turn; bad ones are skipped while there are others.
fn drawn_audio(params: &ProMixParams, item_seed: u64, facts: &Facts) -> Vec<Option<usize>> {
    let place = Place::of(item_seed);
    let draw = |(number, scene): (usize, &Scene)| {
        let all = 0..scene.audio.len();
        let good: Vec<usize> =
            all.clone().filter(|&index| can_be_heard(&scene.audio[index], facts)).collect();
        let open = if good.is_empty() { all.collect() } else { good };
        let order = place.deal(&format!("sceneAudio {number}"), open.len(), 1);
        order.first().map(|&card| open[card])
    };
    params.scenes.iter().enumerate().map(draw).collect()
}

/// Whether this audio can be used, as far as its file is known.
fn can_be_heard(audio: &SceneAudio, facts: &Facts) -> bool {
    facts
        .media
        .get(audio.url.as_str())
        .is_none_or(|info| info.as_ref().is_ok_and(|info| info.audio.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::estimate::assumed_facts;
    use crate::request::model::{Params, TaskRequest};
    use crate::request::{Policy, parse};

    fn request(scenes: &serde_json::Value) -> TaskRequest {
        let params = serde_json::json!({ "audioMode": "split", "generateCount": 3, "scenes": scenes });
        let body = serde_json::json!({ "taskType": "proVideoMix", "params": params });
        parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request
    }

    #[test]
    fn an_estimate_draws_the_same_rows_as_without_facts() {
        let clip = |name: &str, duration: Option<f64>| match duration {
            Some(duration) => {
                serde_json::json!({ "url": format!("https://a.b/{name}"), "duration": duration })
            }
            None => serde_json::json!({ "url": format!("https://a.b/{name}") }),
        };
        // The lengths are known, known in one place only, declared in two ways, or unknown; one scene is longer than all of
        // them.
        let clips = [
            clip("a", Some(2.5)),
            clip("b", None),
            clip("b", Some(3.33)),
            clip("a", Some(1.0)),
            clip("c", None),
        ];
        let scene = |key: &str, seconds: f64| serde_json::json!({ "sceneKey": key, "sceneName": key, "duration": seconds, "resources": clips });
        let request = request(&serde_json::json!([scene("one", 2.0), scene("two", 40.0)]));
        let Params::ProVideoMix(params) = &request.params else { panic!() };
        let facts = assumed_facts(&request, 5, Facts::default());
        assert_eq!(facts.media.len(), 3);
        assert_eq!(scenes(params, &facts), scenes(params, &Facts::default()));
    }
}
