//! `params` of videoDeduplication.

use super::base_mix::read_part;
use super::form::Form;
use super::model::{Clip, DedupOptions, DedupParams};
use super::reader::Fields;
use crate::message;

pub(super) fn read(fields: &mut Fields) -> Option<DedupParams> {
    let videos = fields.need("videoList");
    let most = videos.report.policy.max_videos;
    let videos = videos.array(most, |video| video.object(read_video).flatten());
    if let Some(videos) = &videos {
        check_number(fields, videos);
    }
    let options = fields.get("options").object_or_empty(DedupOptions::read_fields);
    let seed = fields.take("seed")?;
    Some(DedupParams { videos: videos?, options: options??, seed })
}

fn read_video(fields: &mut Fields) -> Option<Clip> {
    let clip = read_part(fields, "filename");
    let copies: Option<Option<u32>> = fields.take("copies");
    let copies = copies?.filter(|copies| *copies > 1);
    Some(Clip { copies, ..clip? })
}

/// Copies count as further videos.
fn check_number(fields: &mut Fields, videos: &[Clip]) {
    let most = fields.policy().max_videos;
    let output_count: usize = videos.iter().map(Clip::outputs).sum();
    if output_count > most {
        let message = message::too_many_copies(output_count, most);
        fields.refuse("videoList", message, Some(message::allowed_videos(most)));
    }
}
