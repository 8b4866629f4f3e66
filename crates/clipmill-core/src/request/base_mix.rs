//! `params` of baseVideoMix.

use super::captions::check_source;
use super::form::Form;
use super::mix_options::VOICE_LENGTH;
use super::model::{BaseMixParams, Clip, Group, ImageMotion, MixLength, MixOptions};
use super::reader::Fields;
use super::scalar::Range;
use super::schema::Kind;
use crate::message;

pub(super) fn read(fields: &mut Fields) -> Option<BaseMixParams> {
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
        Some(Kind::Positive(most)) => {
            let longest = total.report.policy.max_item_seconds.min(most);
            total.number(Range::positive(longest))
        }
        _ => None,
    };
    Some(Group { videos: videos?, total_duration_s })
}

/// A clip of either mix.
pub(super) fn read_clip(fields: &mut Fields) -> Option<Clip> {
    let clip = read_part(fields, "url");
    let image_motion: Option<Option<ImageMotion>> = fields.take("imageMotion");
    fields.check_remarks();
    Some(Clip { image_motion: image_motion?, ..clip? })
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
    Some(Clip { url: url?, duration_s: duration_s?, from_s, to_s: to_s?, copies: None, image_motion: None })
}
