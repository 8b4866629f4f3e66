//! proVideoMix: its fields, and reading and writing them.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::{TaskDeclaration, TaskParams};
use crate::looks;
use crate::message;
use crate::request::InputRole;
use crate::request::captions::check_source;
use crate::request::clip::{read_clip, write_clip};
use crate::request::form::{Form, Wire};
use crate::request::inputs::Inputs;
use crate::request::mix_options::VOICE_LENGTH;
use crate::request::model::{
    Clip, ClipShowing, ClipStart, MixOptions, Params, ProMixParams, Scene, SceneAudio, SceneLength,
};
use crate::request::reader::{Fields, Node};
use crate::request::schema::field::Field;
use crate::request::schema::field::Kind::{
    Array, Bool, Choice, Integer, Lines, Number, Object, Positive, Text, Url,
};
use crate::request::schema::mixes::MIX;
use crate::request::wire::{list, object, some};
use crate::speech::{MAX_CHARACTERS, MAX_VOICE_LENGTH};
use crate::subtitle::is_blank;
use crate::time::Fps;

pub(super) const DECLARATION: TaskDeclaration = TaskDeclaration {
    about: "Videos made of scenes, each scene with several alternative clips. Every output is a different combination.",
    summary: "has scenes with several clips each and makes several different videos",
    rows: ROWS,
    shared_rows: MIX,
    read: |fields| read(fields).map(Params::ProVideoMix),
    example,
};

impl TaskParams for ProMixParams {
    fn seed(&self) -> Option<u64> {
        self.seed
    }

    fn fps(&self) -> Fps {
        self.options.fps
    }

    fn total_items(&self) -> usize {
        self.generate_count as usize
    }

    fn mix_options(&self) -> Option<&MixOptions> {
        Some(&self.options)
    }

    fn mix_options_mut(&mut self) -> Option<&mut MixOptions> {
        Some(&mut self.options)
    }

    fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    fn clips(&self) -> Vec<&Clip> {
        self.scenes.iter().flat_map(|scene| &scene.resources).collect()
    }

    fn clips_mut(&mut self) -> Vec<&mut Clip> {
        self.scenes.iter_mut().flat_map(|scene| &mut scene.resources).collect()
    }

    fn list_inputs<'a>(&'a self, inputs: &mut Inputs<'a>) {
        for (s, scene) in self.scenes.iter().enumerate() {
            inputs.clips("/params/scenes/#/resources/#/url", s, &scene.resources);
            for (i, audio) in scene.audio.iter().enumerate() {
                let pattern = "/params/scenes/#/audioResources/#/url";
                inputs.add(InputRole::SceneAudio, pattern, [s, i], &audio.url);
            }
        }
    }

    fn write(&self) -> Value {
        object([
            ("scenes", list(&self.scenes, write_scene)),
            ("audioMode", json!(self.audio_mode)),
            (count_name(self.generate_count), json!(self.generate_count)),
            ("combinations", some(&self.combinations, |row| json!(row))),
            ("starts", some(&self.starts, |row| json!(row))),
            ("fill", some(&self.fill, |row| list(row, |scene| list(scene, Wire::write)))),
            ("seed", json!(self.seed)),
            ("options", self.options.write()),
        ])
    }
}

/// The field for this number of outputs.
fn count_name(count: u32) -> &'static str {
    const FEW: u32 = 5;
    if count <= FEW { "generateCount" } else { "outputCount" }
}

fn write_scene(scene: &Scene) -> Value {
    object([
        ("sceneKey", json!(scene.key)),
        ("sceneName", json!(scene.name)),
        ("duration", json!(scene.duration_s)),
        ("length", if scene.length == SceneLength::Duration { Value::Null } else { scene.length.write() }),
        ("clipStart", scene.clip_start.map_or(Value::Null, |start| start.write())),
        ("resources", list(&scene.resources, |clip| write_clip("url", clip))),
        ("audioResources", some(&scene.audio, Wire::write)),
        ("text", json!(scene.text)),
    ])
}

fn read(fields: &mut Fields) -> Option<ProMixParams> {
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
const MAX_CLIPS: usize = 1_000;

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
    if urls.len() > MAX_CLIPS {
        let message = message::too_many_clips(urls.len(), MAX_CLIPS);
        fields.refuse("scenes", message, Some(message::allowed_clips(MAX_CLIPS)));
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
        Some(Array(_, most)) => Some(most),
        _ => None,
    }
}

fn example() -> Value {
    json!({
        "taskType": "proVideoMix",
        "clientTaskId": "order-1003",
        "params": {
            "audioMode": "split",
            "generateCount": 2,
            "scenes": [
                {
                    "sceneKey": "opening", "sceneName": "Opening", "duration": 3,
                    "resources": [
                        { "url": "https://media.example.com/opening-1.mp4" },
                        { "url": "https://media.example.com/opening-2.mp4" },
                    ],
                },
                {
                    "sceneKey": "product", "sceneName": "Product", "duration": 4,
                    "resources": [
                        { "url": "https://media.example.com/product-1.mp4" },
                        { "url": "https://media.example.com/product-2.mp4" },
                    ],
                    "audioResources": [{ "url": "https://media.example.com/voice.mp3", "startTime": 0.5 }],
                },
            ],
            "options": { "resolution": "1080:1920" },
        },
    })
}

const ROWS: &[Field] = &[
    Field::new("/params/scenes", Array(1, 100), "Scenes in order. Their total length must not exceed the maximum length of an output.").needed(),
    Field::new("/params/scenes/0", Object, "One scene."),
    Field::new("/params/scenes/0/sceneKey", Text(200), "Unique key of the scene.").needed(),
    Field::new("/params/scenes/0/sceneName", Text(200), "Name of the scene.").needed(),
    Field::new("/params/scenes/0/duration", Positive(3600.0), "Length of the scene in seconds. A longer clip is trimmed, a slightly shorter one holds its last frame, a shorter one loops.").needed().unit("s"),
    Field::new("/params/scenes/0/length", Choice(&["duration", "voice"]), "What determines how long the scene lasts. `duration`: its `duration`; `voice`: its audio, from the start of the scene to the end of the audio. `duration` is then only the declared length.").or("\"duration\"")
        .details("What determines how long the scene lasts, see [Length of the voice](#length-of-the-voice)"),
    Field::new("/params/scenes/0/clipStart", Choice(&["begin", "random", "shots"]), "Where in their files the clips of this scene start.").otherwise("`options.clipStart`"),
    Field::new("/params/scenes/0/resources", Array(1, 100), "Candidate clips; each output uses one.").needed(),
    Field::new("/params/scenes/0/resources/0", Object, "One clip."),
    Field::new("/params/scenes/0/resources/0/key", Text(500), "A key for your own use; it has no effect."),
    Field::new("/params/scenes/0/resources/0/url", Url(InputRole::Clip), "URL of the clip.").needed(),
    Field::new("/params/scenes/0/resources/0/duration", Positive(86_400.0), "Declared length in seconds, used only to estimate the price.").unit("s"),
    Field::new("/params/scenes/0/resources/0/volume", Integer(0, 100), "Volume of the clip's own audio in percent. It multiplies `options.originalVolume`.").or("100").unit("percent"),
    Field::new("/params/scenes/0/resources/0/speed", Number(0.5, 2.0), "Speed of the clip; the pitch of its audio is kept. Its length in the output is divided by it. It has no effect on an image.").or("1"),
    Field::new("/params/scenes/0/resources/0/look", Choice(&looks::CHOICES), "Colour look of the clip.").otherwise("`options.look`")
        .details("Colour look of the clip, see [`options.look`](#options-of-both-mixes)"),
    Field::new("/params/scenes/0/resources/0/imageMotion", Choice(&["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]), "Motion, if the clip is an image.").otherwise("`options.imageMotion`"),
    Field::new("/params/scenes/0/resources/0/from", Number(0.0, 86_400.0), "Start of the excerpt, in seconds from the beginning of the file.").or("0").unit("s"),
    Field::new("/params/scenes/0/resources/0/to", Positive(86_400.0), "End of the excerpt, in seconds from the beginning of the file.").unit("s").otherwise("end of the file"),
    Field::new("/params/scenes/0/audioResources", Array(0, 100), "Audio of the scene. If there are several entries, each output uses a random one.").or("[]"),
    Field::new("/params/scenes/0/audioResources/0", Object, "One audio file, or a text to speak.").needs("url"),
    Field::new("/params/scenes/0/audioResources/0/url", Url(InputRole::SceneAudio), "URL of an audio file, or of a video with audio. An entry without `url` and `text` is skipped with a warning."),
    Field::new("/params/scenes/0/audioResources/0/text", Lines(MAX_CHARACTERS), "A text to speak, in place of `url`.").otherwise("none"),
    Field::new("/params/scenes/0/audioResources/0/voice", Text(MAX_VOICE_LENGTH), "The voice that speaks `text`: a name in the list of voices.").otherwise("the service's default voice"),
    Field::new("/params/scenes/0/audioResources/0/speed", Number(0.5, 2.0), "The speed at which `text` is spoken.").or("1"),
    Field::new("/params/scenes/0/audioResources/0/duration", Number(0.0, 86_400.0), "Use only this many seconds from the beginning of the file; 0 plays nothing.").unit("s").otherwise("whole file"),
    Field::new("/params/scenes/0/audioResources/0/startTime", Number(0.0, 3600.0), "`split`: seconds after the start of the scene; `merge`: silence before this audio, in seconds.").or("0").unit("s")
        .details("See [`audioMode`](#audio-of-scenes)"),
    Field::new("/params/scenes/0/audioResources/0/volume", Integer(0, 100), "Volume in percent of amplitude.").or("100").unit("percent"),
    Field::new("/params/scenes/0/text", Lines(20_000), "The script of the scene, shown as captions when its audio speaks it, or spread over the scene. `options.subtitle` can set the `style` and `timing` of these captions, but no other captions.").otherwise("none")
        .details("The script of the scene, shown as captions, see [Captions of scenes](#captions-of-scenes)"),
    Field::new("/params/audioMode", Choice(&["merge", "split"]), "`split`: the audio of each scene plays within its scene; `merge`: the audio of all scenes is joined into one track from the start.").needed()
        .label("Audio of scenes", "场景音频")
        .words(&[("As one track", "合并为一轨"), ("In their own scene", "限于本场景")]).section("sound")
        .details("How the audio of scenes is joined, see [Audio of scenes](#audio-of-scenes)"),
    Field::new("/params/generateCount", Integer(1, 5), "Number of different videos to make.").otherwise("`outputCount`")
        .label("Number of videos", "成片数量"),
    Field::new("/params/outputCount", Integer(1, 200), "Like `generateCount`, for more videos. Set exactly one of the two. An installation can set a lower limit.").otherwise("`generateCount`")
        .label("Number of videos", "成片数量"),
    Field::new("/params/combinations", Array(0, 200), "Combinations to use first: each row has one index into `resources` for each scene. The remaining combinations are chosen at random.").or("[]")
        .details("Combinations to use first, at most as many rows as videos; see [Combinations](#combinations)"),
    Field::new("/params/combinations/0", Array(1, 100), "One combination."),
    Field::new("/params/combinations/0/0", Integer(0, 99), "Index into the scene's `resources`."),
    Field::new("/params/starts", Array(0, 200), "Where the clips of `combinations` start: one row for each row of `combinations`, in the form of `recipe.starts`.").or("[]")
        .details("Where in their files the clips of `combinations` start, see [Where clips start](#where-clips-start)"),
    Field::new("/params/starts/0", Array(1, 100), "Starts of one combination."),
    Field::new("/params/starts/0/0", Number(0.0, 86_400.0), "Seconds from the beginning of the scene's file.").unit("s"),
    Field::new("/params/fill", Array(0, 200), "Which clips the scenes of `combinations` show one after another: one row for each row of `combinations`, in the form of `recipe.fill`.").or("[]")
        .details("Which clips the scenes of `combinations` show one after another, see [Length of the voice](#length-of-the-voice)"),
    Field::new("/params/fill/0", Array(1, 100), "The scenes of one combination."),
    Field::new("/params/fill/0/0", Array(1, 2_000), "The clips that one scene shows, in order. The first is that of the combination."),
    Field::new("/params/fill/0/0/0", Object, "A part of a clip."),
    Field::new("/params/fill/0/0/0/resource", Integer(0, 99), "Index into the scene's `resources`.").needed(),
    Field::new("/params/fill/0/0/0/start", Number(0.0, 86_400.0), "Where it begins, in seconds from the beginning of the file.").needed().unit("s"),
    Field::new("/params/fill/0/0/0/seconds", Positive(3600.0), "How long it is shown. The last one is cut or continues until the scene ends.").needed().unit("s"),
    Field::new("/params/options/clipStart", Choice(&["begin", "random", "shots"]), "Where in their files clips start. `begin`: with the first frame; `random`: at random positions, chosen so that outputs share as little footage as possible; `shots`: likewise, but at detected cuts. `shots` avoids black, frozen and blurred footage as long as there is other footage.").or("\"begin\"")
        .label("Start of clips", "素材起始位置")
        .words(&[("At the beginning", "从头开始"), ("Anywhere", "随机位置"), ("At a cut", "镜头切点")])
        .hint("Anywhere, or at a cut: videos of the same clips show different parts of them. Cuts are detected before rendering.", "随机位置或镜头切点：相同素材的成片展示不同片段，切点会自动检测。").section("picture")
        .details("Where in their files clips start, see [Where clips start](#where-clips-start)"),
    Field::new("/params/options/isShortest", Bool, "Trims every scene of an output to the length of its shortest scene.").or("false")
        .label("Trim all to the shortest", "按最短截齐")
        .hint("All scenes of a video get the length of its shortest scene.", "成片的所有场景都取最短场景的时长。").section("picture")
        .details("`proVideoMix` only: trims every scene of an output to the length of its shortest scene, see [Length of a scene](#length-of-a-scene)"),
];
