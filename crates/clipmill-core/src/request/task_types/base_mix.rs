//! baseVideoMix: its fields, and reading and writing them.

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
use crate::request::model::{BaseMixParams, Clip, Group, MixLength, MixOptions, Params};
use crate::request::reader::Fields;
use crate::request::scalar::Range;
use crate::request::schema::field::Field;
use crate::request::schema::field::Kind::{
    Array, Bool, Choice, Integer, Number, Object, Positive, Text, Url,
};
use crate::request::schema::mixes::MIX;
use crate::request::wire::{list, object, without};
use crate::time::Fps;

pub(super) const DECLARATION: TaskDeclaration = TaskDeclaration {
    about: "One video per group of clips and images, with [transitions](transitions.md), logos, titles, music, voice-over and captions. Up to 100 groups per task.",
    summary: "joins clips into one video per group",
    rows: ROWS,
    shared_rows: MIX,
    read: |fields| read(fields).map(Params::BaseVideoMix),
    example,
};

impl TaskParams for BaseMixParams {
    fn seed(&self) -> Option<u64> {
        self.seed
    }

    fn fps(&self) -> Fps {
        self.options.fps
    }

    fn total_items(&self) -> usize {
        self.groups.len()
    }

    fn mix_options(&self) -> Option<&MixOptions> {
        Some(&self.options)
    }

    fn mix_options_mut(&mut self) -> Option<&mut MixOptions> {
        Some(&mut self.options)
    }

    fn clips(&self) -> Vec<&Clip> {
        self.groups.iter().flat_map(|group| &group.videos).flat_map(Clip::files).collect()
    }

    fn clips_mut(&mut self) -> Vec<&mut Clip> {
        self.groups.iter_mut().flat_map(|group| &mut group.videos).collect()
    }

    fn list_inputs<'a>(&'a self, inputs: &mut Inputs<'a>) {
        for (i, group) in self.groups.iter().enumerate() {
            inputs.clips("/params/videoList/#/videos/#/url", i, &group.videos);
            for (j, split) in
                group.videos.iter().enumerate().filter_map(|(j, clip)| Some((j, clip.split.as_ref()?)))
            {
                let pattern = "/params/videoList/#/videos/#/second/url";
                inputs.add(InputRole::Clip, pattern, [i, j], &split.second.url);
            }
        }
    }

    fn write(&self) -> Value {
        object([
            ("videoList", list(&self.groups, write_group)),
            ("isShortest", json!(self.options.is_shortest)),
            ("seed", json!(self.seed)),
            ("options", without(without(self.options.write(), "isShortest"), "clipStart")),
        ])
    }
}

fn write_group(group: &Group) -> Value {
    let videos = list(&group.videos, |clip| write_clip("url", clip));
    object([("videos", videos), ("totalDuration", json!(group.total_duration_s))])
}

fn read(fields: &mut Fields) -> Option<BaseMixParams> {
    let groups = fields.list("videoList", |group| group.object(read_group).flatten());
    let is_shortest = fields.take("isShortest");
    let options = fields.get("options").object_or_empty(MixOptions::read_fields);
    let seed = fields.take("seed")?;
    let options = MixOptions { is_shortest: is_shortest?, ..options?? };
    if options.is_shortest && options.length == MixLength::Voice {
        fields.refuse("isShortest", message::one_of_both(format!("options.{VOICE_LENGTH}")), None);
    }
    let options = check_source(fields, options, &[]);
    Some(BaseMixParams { groups: groups?, options, seed })
}

fn read_group(fields: &mut Fields) -> Option<Group> {
    let videos = fields.list("videos", |video| video.object(read_clip).flatten());
    let total = fields.get("totalDuration");
    let total_duration_s = match total.kind() {
        Some(Positive(most)) => {
            let longest = total.report.policy.max_item_seconds.min(most);
            total.number(Range::positive(longest))
        }
        _ => None,
    };
    Some(Group { videos: videos?, total_duration_s })
}

fn example() -> Value {
    json!({
        "taskType": "baseVideoMix",
        "clientTaskId": "order-1002",
        "params": {
            "videoList": [{
                "videos": [
                    { "url": "https://media.example.com/opening.mp4", "duration": 5.3 },
                    { "url": "https://media.example.com/city.mp4", "duration": 7.6 },
                ],
            }],
            "options": {
                "resolution": "720:1280",
                "resolutionMode": "crop",
                "backgroundMusic": { "url": "https://media.example.com/music.mp3", "volume": 40 },
                "subtitle": { "url": "https://media.example.com/captions.srt", "style": { "bottom": 160 } },
            },
        },
    })
}

const ROWS: &[Field] = &[
    Field::new("/params/videoList", Array(1, 100), "Groups of clips; each group produces one output.").needed(),
    Field::new("/params/videoList/0", Object, "One group."),
    Field::new("/params/videoList/0/videos", Array(1, 100), "Clips of the group, in order.").needed(),
    Field::new("/params/videoList/0/videos/0", Object, "One clip."),
    Field::new("/params/videoList/0/videos/0/url", Url(InputRole::Clip), "URL of the clip.").needed(),
    Field::new(
        "/params/videoList/0/videos/0/duration",
        Positive(86_400.0),
        "Declared length in seconds, used only to estimate the price. For an image: how long it is shown; 3 s if omitted.",
    )
    .unit("s"),
    Field::new("/params/videoList/0/videos/0/volume", Integer(0, 100), "Volume of the clip's own audio in percent. It multiplies `options.originalVolume`.").or("100").unit("percent"),
    Field::new("/params/videoList/0/videos/0/speed", Number(0.5, 2.0), "Speed of the clip; the pitch of its audio is kept. Its length in the output is divided by it. It has no effect on an image.").or("1"),
    Field::new("/params/videoList/0/videos/0/look", Choice(&looks::CHOICES), "Colour look of the clip.").otherwise("`options.look`")
        .details("Colour look of the clip, see [`options.look`](#options-of-both-mixes)"),
    Field::new("/params/videoList/0/videos/0/imageMotion", Choice(&["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]), "Motion, if the clip is an image.").otherwise("`options.imageMotion`"),
    Field::new(
        "/params/videoList/0/videos/0/from",
        Number(0.0, 86_400.0),
        "Start of the excerpt, in seconds from the beginning of the file.",
    )
    .or("0")
    .unit("s"),
    Field::new("/params/videoList/0/videos/0/to", Positive(86_400.0), "End of the excerpt, in seconds from the beginning of the file.")
        .unit("s")
        .otherwise("end of the file"),
    Field::new(
        "/params/videoList/0/videos/0/layout",
        Choice(&["left-right", "top-bottom"]),
        "Shows two clips at once: this one in the left or top half of the frame, `second` in the other half.",
    )
    .otherwise("one clip fills the frame")
    .details("Shows two clips at once, see [Split screen](#split-screen)"),
    Field::new(
        "/params/videoList/0/videos/0/second",
        Object,
        "The clip in the right or bottom half. It is trimmed to the length of this one, or repeats if it is shorter.",
    )
    .otherwise("none; required with `layout`"),
    Field::new("/params/videoList/0/videos/0/second/url", Url(InputRole::Clip), "URL of the second clip.").needed(),
    Field::new(
        "/params/videoList/0/videos/0/second/from",
        Number(0.0, 86_400.0),
        "Start of its excerpt, in seconds from the beginning of the file.",
    )
    .or("0")
    .unit("s"),
    Field::new("/params/videoList/0/videos/0/second/to", Positive(86_400.0), "End of its excerpt, in seconds from the beginning of the file.")
        .unit("s")
        .otherwise("end of the file"),
    Field::new("/params/videoList/0/videos/0/sceneName", Text(500), "A name for your own use; it has no effect."),
    Field::new(
        "/params/videoList/0/totalDuration",
        Positive(600.0),
        "Trims the output to this many seconds; a shorter output is not changed.",
    )
    .unit("s"),
    Field::new("/params/isShortest", Bool, "Trims every clip of a group to the length of the shortest clip.")
        .or("false")
        .label("Trim all to the shortest", "按最短截齐")
        .hint("Every clip of a group is trimmed to the length of the shortest.", "每组素材都按最短的截取。")
        .section("picture"),
];
