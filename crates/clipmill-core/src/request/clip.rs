//! A clip of a task.

use serde_json::{Value, json};

use super::form::Wire;
use super::model::{Clip, ImageMotion, LookChoice, SplitLayout, SplitScreen};
use super::reader::Fields;
use super::wire::object;
use crate::message;

/// A clip of either mix.
pub(super) fn read_clip(fields: &mut Fields) -> Option<Clip> {
    let clip = read_part(fields, "url");
    let image_motion: Option<Option<ImageMotion>> = fields.take("imageMotion");
    let volume_percent: Option<Option<u32>> = fields.take("volume");
    let look: Option<Option<LookChoice>> = fields.take("look");
    let speed: Option<Option<f64>> = fields.take("speed");
    let split = read_split(fields);
    fields.check_remarks();
    let volume_percent = volume_percent?.filter(|percent| *percent != 100);
    let (image_motion, look) = (image_motion?, look?);
    let speed_permille =
        speed?.map(|speed| (speed * 1000.0).round() as u32).filter(|permille| *permille != 1000);
    Some(Clip { image_motion, volume_percent, look, speed_permille, split: split?, ..clip? })
}

/// The clip beside another one; `Some(None)` if there is none.
fn read_split(fields: &mut Fields) -> Option<Option<SplitScreen>> {
    // A task type without split screens reports both fields as unknown.
    if fields.row("layout").is_none() {
        return Some(None);
    }
    for (name, other) in [("layout", "second"), ("second", "layout")] {
        if !fields.has(name) && fields.has(other) {
            fields.refuse(name, message::is_required_with(other), None);
        }
    }
    let (has_layout, has_second) = (fields.has("layout"), fields.has("second"));
    let layout: Option<Option<SplitLayout>> = fields.take("layout");
    let second = fields.get("second").object(|second| read_part(second, "url")).flatten();
    if !(has_layout || has_second) {
        return Some(None);
    }
    Some(Some(SplitScreen { layout: layout??, second: Box::new(second?) }))
}

/// A file and its used excerpt.
pub(super) fn read_part(fields: &mut Fields, url: &'static str) -> Option<Clip> {
    let (url, duration_s) = (fields.take(url), fields.take("duration"));
    let (from_s, to_s): (Option<Option<f64>>, Option<Option<f64>>) = (fields.take("from"), fields.take("to"));
    let from_s = from_s.flatten().filter(|from| *from > 0.0);
    if let (from, Some(Some(to))) = (from_s.unwrap_or(0.0), to_s)
        && to <= from
    {
        fields.refuse("to", message::part_is_empty(from), Some(message::allowed_above(from)));
    }
    Some(Clip { url: url?, duration_s: duration_s?, from_s, to_s: to_s?, ..Clip::default() })
}

/// The clip, whose URL is in the field `url`.
pub(super) fn write_clip(url: &str, clip: &Clip) -> Value {
    object([
        (url, json!(clip.url)),
        ("duration", json!(clip.duration_s)),
        ("from", json!(clip.from_s)),
        ("to", json!(clip.to_s)),
        ("copies", json!(clip.copies)),
        ("imageMotion", clip.image_motion.map_or(Value::Null, |motion| motion.write())),
        ("volume", json!(clip.volume_percent)),
        ("speed", clip.speed_permille.map_or(Value::Null, |_| json!(clip.speed()))),
        ("look", clip.look.map_or(Value::Null, |look| look.write())),
        ("layout", clip.split.as_ref().map_or(Value::Null, |split| split.layout.write())),
        ("second", clip.split.as_ref().map_or(Value::Null, |split| write_clip("url", &split.second))),
    ])
}
