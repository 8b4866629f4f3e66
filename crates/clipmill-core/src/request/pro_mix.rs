//! `params` of proVideoMix.

use std::collections::HashMap;

use super::base_mix::read_clip;
use super::dedup::MAX_CLIP_SECONDS;
use super::mix_options::MAX_REMARK;
use super::mix_options::is_heard;
use super::model::{AudioMode, Clip, MixOptions, ProMixParams, Scene, SceneAudio};
use super::reader::{Fields, Node};
use super::scalar::Range;
use super::{mix_options, seed};
use crate::message;

const MAX_SCENES: usize = 100;
const MAX_RESOURCES: usize = 100;
const MAX_NAME: usize = 200;
const MAX_OUTPUTS: usize = 5;
const MAX_SCENE_SECONDS: f64 = 3600.0;
const MAX_START_SECONDS: f64 = 3600.0;
const AUDIO_MODES: [(&str, AudioMode); 2] = [("merge", AudioMode::Merge), ("split", AudioMode::Split)];

pub(super) fn read(fields: &mut Fields) -> Option<ProMixParams> {
    let scenes = read_scenes(fields);
    let resources: Vec<_> = scenes.iter().flatten().map(|scene| scene.resources).collect();
    let audio_mode = fields.need("audioMode").choice(&AUDIO_MODES);
    let generate_count = fields.need("generateCount").integer(1..=MAX_OUTPUTS as u64);
    // A scene that is null or beyond the limit is not among them: then nothing can be judged by them.
    let all_there = scenes.is_some() && fields.entries("scenes") == Some(resources.len());
    let resources = all_there.then_some(resources.as_slice());
    check_enough(fields, generate_count, resources);
    let combinations = read_combinations(fields, generate_count, resources);
    fields.belongs_elsewhere("isShortest", "params.options");
    let options = fields.get("options").object_or_empty(|options| {
        let is_shortest = options.get("isShortest").boolean().unwrap_or(false);
        MixOptions { is_shortest, ..mix_options::read(options) }
    });
    fields.belongs_elsewhere("preset", "params.options");
    let seed = seed(fields);
    Some(ProMixParams {
        scenes: scenes?.into_iter().filter_map(|scene| scene.scene).collect(),
        audio_mode: audio_mode?,
        generate_count: generate_count?,
        combinations,
        options: options?,
        seed,
    })
}

/// A scene, whether or not it is right, with what its resources' indexes are checked against.
struct ReadScene {
    scene: Option<Scene>,
    resources: Option<usize>,
}

fn read_scenes(fields: &mut Fields) -> Option<Vec<ReadScene>> {
    let mut keys = HashMap::new();
    let scenes = fields.need("scenes");
    let longest = scenes.report.policy.max_item_seconds;
    let scenes = scenes.array(MAX_SCENES, |scene| {
        let place = scene.path.clone();
        let read = scene.object(|fields| ReadScene {
            resources: fields.entries("resources").filter(|count| *count > 0),
            scene: read_scene(fields, place, &mut keys),
        });
        // A place is kept for what is not even an object, so that indexes go on meaning the same scene.
        Some(read.unwrap_or(ReadScene { scene: None, resources: None }))
    })?;
    let seconds: f64 = scenes.iter().filter_map(|scene| scene.scene.as_ref()).map(|s| s.duration_s).sum();
    if seconds > longest + 1e-6 {
        let seconds = (seconds * 1000.0).round() / 1000.0;
        let message = message::scenes_too_long(seconds, longest);
        fields.refuse("scenes", message, Some(format!("at most {longest} seconds together")));
    }
    Some(scenes)
}

/// `keys` holds the scene keys met so far, with the place of their scene; `place` is this one's.
fn read_scene(fields: &mut Fields, place: String, keys: &mut HashMap<String, String>) -> Option<Scene> {
    let key = fields.need("sceneKey").text(MAX_NAME);
    if let Some(key) = &key {
        match keys.get(key) {
            Some(first) => {
                let message = message::key_again(first.as_str());
                fields.refuse("sceneKey", message, None);
            }
            None => {
                keys.insert(key.clone(), place);
            }
        }
    }
    let name = fields.need("sceneName").text(MAX_NAME);
    let duration_s = fields.need("duration").number(Range::positive(MAX_SCENE_SECONDS));
    let resources =
        fields.need("resources").array(MAX_RESOURCES, |clip| clip.object(read_resource).flatten());
    let audio = fields
        .get("audioResources")
        .array_or_empty(MAX_RESOURCES, |audio| audio.object(read_audio).flatten())
        .unwrap_or_default();
    Some(Scene { key: key?, name: name?, duration_s: duration_s?, resources: resources?, audio })
}

fn read_resource(fields: &mut Fields) -> Option<Clip> {
    fields.get("key").text(MAX_REMARK);
    read_clip(fields)
}

fn read_audio(fields: &mut Fields) -> Option<SceneAudio> {
    let url = fields.get("url");
    let has_url = url.value.is_some();
    let url = url.url();
    let duration_s = fields.get("duration").number(Range::new(0.0, MAX_CLIP_SECONDS));
    let start_s = fields.get("startTime").number(Range::new(0.0, MAX_START_SECONDS)).unwrap_or(0.0);
    if !is_heard(fields, has_url, duration_s) {
        return None;
    }
    Some(SceneAudio { url: url?, duration_s, start_s })
}

/// No two outputs of a task are the same, so there must be combinations enough.
fn check_enough(fields: &mut Fields, wanted: Option<u32>, resources: Option<&[Option<usize>]>) {
    let counts = resources.and_then(|counts| counts.iter().copied().collect::<Option<Vec<_>>>());
    let (Some(wanted), Some(counts)) = (wanted, counts) else { return };
    let distinct = counts.iter().fold(1, |all: usize, count| all.saturating_mul(*count));
    if distinct < wanted as usize {
        let message = match distinct {
            1 => message::one_combination(),
            _ => message::few_combinations(distinct),
        };
        fields.refuse("generateCount", message, Some(format!("1..{distinct}")));
    }
}

/// Manual rows: at most one for each output, one index for each scene, none twice.
/// `resources` is `None` where rows cannot be judged by the scenes, because some are missing.
fn read_combinations(
    fields: &mut Fields,
    generate_count: Option<u32>,
    resources: Option<&[Option<usize>]>,
) -> Vec<Vec<u32>> {
    let mut rows = HashMap::new();
    let max_rows = generate_count.map_or(MAX_OUTPUTS, |count| count as usize);
    let combinations = fields.get("combinations").array_or_empty(max_rows, |row| {
        let (path, value) = (row.path.clone(), row.value);
        let indexes = read_row(Node { report: &mut *row.report, path: row.path, value }, resources)?;
        if let Some(first) = rows.insert(indexes.clone(), path.clone()) {
            let again = Node { report: row.report, path, value };
            return again.refuse(message::combination_again(first), None);
        }
        Some(indexes)
    });
    combinations.unwrap_or_default()
}

fn read_row(row: Node, resources: Option<&[Option<usize>]>) -> Option<Vec<u32>> {
    let entries = row.value.and_then(|value| value.as_array()).map(Vec::len);
    if let (Some(entries), Some(scenes)) = (entries, resources.map(<[_]>::len))
        && entries != scenes
    {
        let wanted = if scenes == 1 { message::one_scene() } else { message::scenes(scenes) };
        let found = if entries == 1 { message::one_index() } else { message::indexes(entries) };
        let message = message::wrong_indexes(found, wanted);
        return row.refuse(message, Some(format!("{scenes} indexes")));
    }
    let indexes = row.indexed_array(MAX_SCENES, |scene, index| {
        let count = resources.and_then(|counts| counts.get(scene).copied().flatten());
        let last = count.unwrap_or(MAX_RESOURCES).saturating_sub(1);
        index.integer(0..=last as u64)
    })?;
    (Some(indexes.len()) == entries).then_some(indexes)
}
