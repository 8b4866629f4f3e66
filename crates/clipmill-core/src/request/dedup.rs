//! `params` of videoDeduplication.

use super::form::Form;
use super::model::{Clip, DedupOptions, DedupParams};
use super::reader::Fields;

pub(super) fn read(fields: &mut Fields) -> Option<DedupParams> {
    let videos = fields.need("videoList");
    let most = videos.report.policy.max_videos;
    let videos = videos.array(most, |video| video.object(read_video).flatten());
    let options = fields.get("options").object_or_empty(|options| {
        options.belongs_elsewhere("seed", "params");
        DedupOptions::read_fields(options)
    });
    fields.belongs_elsewhere("preset", "params.options");
    let seed = fields.take("seed")?;
    Some(DedupParams { videos: videos?, options: options??, seed })
}

fn read_video(fields: &mut Fields) -> Option<Clip> {
    let (url, duration_s) = (fields.take("filename"), fields.take("duration"));
    Some(Clip { url: url?, duration_s: Some(duration_s?) })
}
