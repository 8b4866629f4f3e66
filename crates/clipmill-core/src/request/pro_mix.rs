//! `params` of proVideoMix.

use std::collections::{HashMap, HashSet};

use super::base_mix::read_clip;
use super::captions::check_source;
use super::form::{Form, Wire};
use super::mix_options::VOICE_LENGTH;
use super::model::{ClipShowing, ClipStart, MixOptions, ProMixParams, Scene, SceneAudio, SceneLength};
use super::reader::{Fields, Node};
use super::schema::Kind;
use crate::message;
use crate::subtitle::is_blank;

pub(super) fn read(fields: &mut Fields) -> Option<ProMixParams> {
    let scenes = read_scenes(fields);
    let resources: Vec<_> = scenes.iter().flatten().map(|scene| scene.resources).collect();
    let audio_mode = fields.take("audioMode");
    let (counted_by, count) = read_count(fields);
    // A scene that is null or beyond the limit is missing from the list; then rows cannot be checked against the
    // scenes.
    let all_there = scenes.is_some() && fields.entries("scenes") == Some(resources.len());
    let resources = all_there.then_some(resources.as_slice());
    let combinations = read_combinations(fields, count, resources);
    let starts = read_starts(fields, combinations.len(), resources.map(<[_]>::len));
    let fill = read_fill(fields, &combinations, resources);
    let options = fields.get("options").object_or_empty(MixOptions::read_fields).flatten();
    let resources = resources.map(<[_]>::to_vec);
    let scenes: Option<Vec<Scene>> =
        scenes.map(|scenes| scenes.into_iter().filter_map(|scene| scene.scene).collect());
    let options = options.map(|options| check_source(fields, options, scenes.as_deref().unwrap_or_default()));
    let follows_audio = |scene: &Scene| scene.length == SceneLength::Voice;
    let is_shortest = options.as_ref().is_some_and(|options| options.is_shortest);
    if is_shortest && !fill.is_empty() {
        fields.refuse("fill", message::one_of_both("options.isShortest"), None);
    }
    if is_shortest && scenes.iter().flatten().any(follows_audio) {
        let other = format!("scenes[].{VOICE_LENGTH}");
        fields.refuse("options/isShortest", message::one_of_both(other), None);
    }
    let has_drawn_starts = starts_are_drawn(options.as_ref(), scenes.as_deref());
    if has_drawn_starts {
        check_drawn(fields, scenes.as_deref().unwrap_or_default(), [!starts.is_empty(), !fill.is_empty()]);
    } else {
        check_enough(fields, counted_by, count, resources.as_deref());
    }
    let seed = fields.take("seed")?;
    Some(ProMixParams {
        scenes: scenes?,
        audio_mode: audio_mode?,
        generate_count: count?,
        combinations,
        starts,
        fill,
        options: options?,
        seed,
    })
}

/// A scene if it is valid, and the number of its resources, against which indexes are checked.
struct ReadScene {
    scene: Option<Scene>,
    resources: Option<usize>,
}

fn read_scenes(fields: &mut Fields) -> Option<Vec<ReadScene>> {
    let mut keys = HashMap::new();
    let longest = fields.policy().max_item_seconds;
    let scenes = fields.list("scenes", |scene| {
        let place = scene.path.clone();
        let read = scene.object(|fields| ReadScene {
            resources: fields.entries("resources").filter(|count| *count > 0),
            scene: read_scene(fields, place, &mut keys),
        });
        // A place is reserved even for a value that is not an object, so that indexes still refer to the same scenes.
        Some(read.unwrap_or(ReadScene { scene: None, resources: None }))
    })?;
    let seconds: f64 = scenes.iter().filter_map(|scene| scene.scene.as_ref()).map(|s| s.duration_s).sum();
    if seconds > longest + 1e-6 {
        let seconds = (seconds * 1000.0).round() / 1000.0;
        let message = message::scenes_too_long(seconds, longest);
        fields.refuse("scenes", message, Some(message::allowed_seconds(longest)));
    }
    Some(scenes)
}

/// `keys` holds the scene keys read so far with the places of their scenes; `place` is this scene's.
fn read_scene(fields: &mut Fields, place: String, keys: &mut HashMap<String, String>) -> Option<Scene> {
    let key: Option<String> = fields.take("sceneKey");
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
    let (name, duration_s) = (fields.take("sceneName"), fields.take("duration"));
    let resources = fields.list("resources", |clip| clip.object(read_clip).flatten());
    let audio = fields.list("audioResources", SceneAudio::read).unwrap_or_default();
    let text: Option<Option<String>> = fields.take("text");
    if text.iter().flatten().any(|text| is_blank(text)) {
        fields.refuse("text", message::is_blank(), None);
    }
    let clip_start: Option<Option<ClipStart>> = fields.take("clipStart");
    let clip_start = clip_start.flatten();
    let length = fields.take("length");
    if length == Some(SceneLength::Voice) && audio.is_empty() {
        fields.refuse("length", message::scene_without_audio(), None);
    }
    let (resources, length) = (resources?, length?);
    Some(Scene {
        key: key?,
        name: name?,
        duration_s: duration_s?,
        length,
        clip_start,
        resources,
        audio,
        text: text?,
    })
}

/// The number of outputs, and which of the two fields set it.
fn read_count(fields: &mut Fields) -> (&'static str, Option<u32>) {
    let few: Option<u32> = fields.take::<Option<u32>>("generateCount").flatten();
    let many: Option<u32> = fields.take::<Option<u32>>("outputCount").flatten();
    match (fields.has("generateCount"), fields.has("outputCount")) {
        (true, true) => fields.refuse("outputCount", message::one_of_both("generateCount"), None),
        (false, false) => fields.refuse("generateCount", message::is_required_or("outputCount"), None),
        (true, false) => return ("generateCount", few),
        (false, true) => {
            let most = fields.policy().max_outputs;
            if many.is_some_and(|many| many > most) {
                fields.refuse(
                    "outputCount",
                    message::too_many_outputs(most),
                    Some(message::allowed_range(1u32, most)),
                );
            }
            return ("outputCount", many);
        }
    }
    ("outputCount", None)
}

/// The maximum number of clips that are fetched before starts are drawn.
const MOST_CLIPS: usize = 1_000;

fn starts_are_drawn(options: Option<&MixOptions>, scenes: Option<&[Scene]>) -> bool {
    let general = options.map(|options| options.clip_start).unwrap_or_default();
    let mut scenes = scenes.into_iter().flatten();
    scenes.any(|scene| scene.clip_start.unwrap_or(general) != ClipStart::Begin)
}

/// When starts are drawn, all clips are scanned first; whether there is enough footage is known only then.
fn check_drawn(fields: &mut Fields, scenes: &[Scene], are_given: [bool; 2]) {
    for (name, _) in ["starts", "fill"].into_iter().zip(are_given).filter(|(_, is_given)| *is_given) {
        fields.refuse(name, message::starts_with_clip_start(), None);
    }
    let urls: HashSet<&str> =
        scenes.iter().flat_map(|scene| &scene.resources).map(|clip| clip.url.as_str()).collect();
    if urls.len() > MOST_CLIPS {
        let message = message::too_many_clips(urls.len(), MOST_CLIPS);
        fields.refuse("scenes", message, Some(message::allowed_clips(MOST_CLIPS)));
    }
}

/// The starts of clips of manual rows: as many rows as manual combinations, with one start for each scene.
fn read_starts(fields: &mut Fields, combinations: usize, scenes: Option<usize>) -> Vec<Vec<f64>> {
    let rows = fields.list("starts", |row| {
        let (path, value, shape) = (row.path.clone(), row.value, row.shape);
        let entries = value.and_then(|value| value.as_array()).map(Vec::len);
        if let (Some(entries), Some(scenes)) = (entries, scenes)
            && entries != scenes
        {
            let message = message::wrong_starts(entries, scenes);
            return row.refuse(message, Some(message::allowed_numbers(scenes)));
        }
        let most = most_entries(&row).unwrap_or_default();
        Node { report: row.report, path, value, shape }.array_or_empty(most, f64::read)
    });
    let row_count = fields.entries("starts").unwrap_or(0);
    if row_count > 0 && row_count != combinations {
        fields.refuse(
            "starts",
            message::starts_need_combinations(),
            Some(message::allowed_rows(combinations)),
        );
    }
    rows.unwrap_or_default()
}

/// The clips of the scenes of manual rows: as many rows as manual combinations, with the clips of each scene. The
/// first clip is that of the combination.
fn read_fill(
    fields: &mut Fields,
    combinations: &[Vec<u32>],
    resources: Option<&[Option<usize>]>,
) -> Vec<Vec<Vec<ClipShowing>>> {
    let mut number = 0;
    let rows = fields.list("fill", |row| {
        let combination = combinations.get(number);
        number += 1;
        let entries = row.value.and_then(|value| value.as_array()).map(Vec::len);
        if let (Some(entries), Some(scenes)) = (entries, resources.map(<[_]>::len))
            && entries != scenes
        {
            let message = message::wrong_fill(entries, scenes);
            return row.refuse(message, Some(message::allowed_entries(scenes)));
        }
        let most = most_entries(&row).unwrap_or_default();
        row.indexed_array(most, |scene, showings| {
            let count = resources.and_then(|counts| counts.get(scene).copied().flatten());
            let first = combination.and_then(|row| row.get(scene).copied());
            read_showings(showings, count, first)
        })
    });
    let row_count = fields.entries("fill").unwrap_or(0);
    if row_count > 0 && row_count != combinations.len() {
        let message = message::starts_need_combinations();
        fields.refuse("fill", message, Some(message::allowed_rows(combinations.len())));
    }
    rows.unwrap_or_default()
}

/// The clips that a scene with `count` resources shows, if the first of them is that of the combination.
fn read_showings(showings: Node, count: Option<usize>, first: Option<u32>) -> Option<Vec<ClipShowing>> {
    let most = most_entries(&showings).unwrap_or_default();
    showings.array_of_indexed(most, |number, entry| {
        entry.object(|fields| {
            let showing = ClipShowing::read_fields(fields)?;
            let resource = showing.resource as usize;
            if let Some(count) = count.filter(|count| resource >= *count) {
                let most = count.saturating_sub(1);
                fields.refuse(
                    "resource",
                    message::between(0_u32, most),
                    Some(message::allowed_range(0_u32, most)),
                );
            } else if let Some(first) = first.filter(|first| number == 0 && showing.resource != *first) {
                fields.refuse("resource", message::other_than_combination(first), None);
            }
            Some(showing)
        })?
    })
}

/// No two outputs of a task are the same, so there must be enough combinations.
fn check_enough(
    fields: &mut Fields,
    counted_by: &str,
    wanted: Option<u32>,
    resources: Option<&[Option<usize>]>,
) {
    let counts = resources.and_then(|counts| counts.iter().copied().collect::<Option<Vec<_>>>());
    let (Some(wanted), Some(counts)) = (wanted, counts) else { return };
    let distinct = counts.iter().fold(1, |all: usize, count| all.saturating_mul(*count));
    if distinct < wanted as usize {
        let message = match distinct {
            1 => message::one_combination(),
            _ => message::few_combinations(distinct),
        };
        fields.refuse(counted_by, message, Some(message::allowed_range(1u32, distinct)));
    }
}

/// Manual rows: at most one for each output, one index for each scene, no duplicate rows. `resources` is `None` if rows
/// cannot be checked against the scenes, because some are missing.
fn read_combinations(
    fields: &mut Fields,
    count: Option<u32>,
    resources: Option<&[Option<usize>]>,
) -> Vec<Vec<u32>> {
    let mut rows = HashMap::new();
    let table = fields.get("combinations");
    let most = count.map(|count| count as usize).or_else(|| most_entries(&table)).unwrap_or_default();
    let combinations = table.array_or_empty(most, |row| {
        let (path, value, shape) = (row.path.clone(), row.value, row.shape);
        let indexes = read_row(Node { report: &mut *row.report, path: row.path, value, shape }, resources)?;
        if let Some(first) = rows.insert(indexes.clone(), path.clone()) {
            let again = Node { report: row.report, path, value, shape };
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
        let expected_text = if scenes == 1 { message::one_scene() } else { message::scenes(scenes) };
        let actual_text = if entries == 1 { message::one_index() } else { message::indexes(entries) };
        let message = message::wrong_indexes(actual_text, expected_text);
        return row.refuse(message, Some(message::allowed_indexes(scenes)));
    }
    let most = most_entries(&row).unwrap_or_default();
    let indexes = row.indexed_array(most, |scene, index| {
        match resources.and_then(|counts| counts.get(scene).copied().flatten()) {
            Some(count) => index.integer(0..=count.saturating_sub(1) as u64),
            None => u32::read(index),
        }
    })?;
    (Some(indexes.len()) == entries).then_some(indexes)
}

/// The maximum number of entries of a list, from its row.
fn most_entries(list: &Node) -> Option<usize> {
    match list.kind() {
        Some(Kind::Array(_, most)) => Some(most),
        _ => None,
    }
}
