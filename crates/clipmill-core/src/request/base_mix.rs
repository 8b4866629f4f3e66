//! `params` of baseVideoMix.

use super::dedup::MAX_CLIP_SECONDS;
use super::mix_options::{self, MAX_REMARK};
use super::model::{BaseMixParams, Clip, Group, MixOptions};
use super::reader::Fields;
use super::scalar::Range;
use super::seed;

const MAX_GROUPS: usize = 100;
const MAX_VIDEOS: usize = 100;
const MAX_TOTAL_SECONDS: f64 = 600.0;

pub(super) fn read(fields: &mut Fields) -> Option<BaseMixParams> {
    let groups = fields.need("videoList").array(MAX_GROUPS, |group| group.object(read_group).flatten());
    let is_shortest = fields.get("isShortest").boolean().unwrap_or(false);
    let options = fields.get("options").object_or_empty(|options| {
        options.belongs_elsewhere("isShortest", "params");
        mix_options::read(options)
    });
    fields.belongs_elsewhere("preset", "params.options");
    let seed = seed(fields);
    Some(BaseMixParams { groups: groups?, options: MixOptions { is_shortest, ..options? }, seed })
}

fn read_group(fields: &mut Fields) -> Option<Group> {
    let videos = fields.need("videos").array(MAX_VIDEOS, |video| video.object(read_video).flatten());
    let total = fields.get("totalDuration");
    let longest = total.report.policy.max_item_seconds.min(MAX_TOTAL_SECONDS);
    let total_duration_s = total.number(Range::positive(longest));
    Some(Group { videos: videos?, total_duration_s })
}

fn read_video(fields: &mut Fields) -> Option<Clip> {
    fields.get("sceneName").text(MAX_REMARK);
    read_clip(fields)
}

/// A clip of either mix.
pub(super) fn read_clip(fields: &mut Fields) -> Option<Clip> {
    let url = fields.need("url").url();
    let duration_s = fields.get("duration").number(Range::positive(MAX_CLIP_SECONDS));
    Some(Clip { url: url?, duration_s })
}
