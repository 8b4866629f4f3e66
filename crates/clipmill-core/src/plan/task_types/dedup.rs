//! videoDeduplication: one varied copy of each video.

use super::Planner;
use crate::editorial::EditorialTimeline;
use crate::media::Facts;
use crate::plan::assumptions::UNKNOWN_CLIP_S;
use crate::plan::build::Builder;
use crate::plan::mix::choices::Choice;
use crate::plan::parts::Range;
use crate::plan::preview::frame::begin_of;
use crate::plan::preview::{ClipRange, FrameError, FrameSpec, PlannedFrame, RegisteredClip, no_more_than};
use crate::plan::price_estimate::{declared, probed};
use crate::plan::vary::dedup::{self, DedupValues, drawn_speed, overlay_urls};
use crate::plan::vary::layers::Canvas;
use crate::plan::video::clip::kept_size;
use crate::plan::{PlannedItem, Rendition};
use crate::pricing::Tier;
use crate::request::Moment;
use crate::request::model::{Clip, DedupParams};
use crate::seed::item_seed;
use crate::segment::SegmentSpec;
use crate::time::Frames;

/// The tier that prices a source of unknown size.
const UNKNOWN_TIER: Tier = Tier::FullHd;

impl Planner for DedupParams {
    fn plan<'a>(&'a self, seed: u64, builder: &mut Builder<'a>) -> Vec<PlannedItem> {
        dedup::plan(self, seed, builder)
    }

    fn used_files(&self, seed: u64, _: &Facts) -> Vec<&str> {
        let seeds = (1..).map(|item_no| item_seed(seed, item_no)).take(self.total_items());
        let overlays = seeds.flat_map(|seed| overlay_urls(&self.options, seed));
        self.videos.iter().map(|clip| clip.url.as_str()).chain(overlays).collect()
    }

    fn lengths(&self, seed: u64, facts: &Facts) -> Vec<(Tier, f64)> {
        let length = |(item_no, (_, clip)): (u32, (usize, &Clip))| {
            let probed = probed(clip, facts).filter(|(video, _)| !video.still);
            let tier = probed.map_or(UNKNOWN_TIER, |(video, _)| Tier::of(kept_size(video)));
            let seconds = probed.map(|(video, excerpt)| excerpt.seconds(video.duration_s));
            let seconds = seconds.or_else(|| declared(clip)).unwrap_or(UNKNOWN_CLIP_S);
            (tier, seconds / drawn_speed(&self.options, item_seed(seed, item_no)))
        };
        (1..).zip(self.items()).map(length).collect()
    }

    fn frame<'a>(
        &'a self,
        seed: u64,
        moment: &Moment,
        builder: &mut Builder<'a>,
    ) -> Result<PlannedFrame, FrameError> {
        no_more_than(1, moment)?;
        let clip = self.items().nth(moment.item_no as usize - 1);
        let (_, clip) = clip.ok_or(FrameError::NoSuchItem(self.total_items() as u32))?;
        let values = DedupValues::new(&self.options, item_seed(seed, moment.item_no));
        let (info, video, excerpt) = builder.moving_clip(clip)?;
        let fps = self.options.fps;
        let length = dedup::length((video, excerpt), &values, fps);
        let canvas = Canvas { size: kept_size(video), fps, frames: length, range: Range::whole(length) };
        let representative_frame = || match dedup::staged(&self.options, canvas) {
            Some((_, stage)) => Frames(stage.begin.0 + stage.frames.0 / 2),
            None => Frames(length.0 / 3),
        };
        let frame = moment.at_s.map_or_else(representative_frame, |at| Frames::nearest(at, fps));
        let frame = Frames(frame.0.min(length.0.saturating_sub(1)));
        let make =
            |begin: Frames| dedup::video_spec(self, clip, &values, Range::from(begin, length), builder);
        let exact = make(Frames(0))?;
        let quick = begin_of(frame, info, (video, excerpt), length).map(make).transpose()?;
        let spec = |made: dedup::DedupVideo| FrameSpec { video: made.spec, frame, seek_us: made.seek_us };
        Ok(PlannedFrame {
            sources: exact.sources.clone(),
            quick: quick.map(spec),
            exact: spec(exact).unentered(),
            at_s: frame.seconds(fps),
            length_s: length.seconds(fps),
        })
    }

    fn frame_files(&self, seed: u64, _: Option<&Choice>, _: &Facts, moment: &Moment) -> Vec<&str> {
        let clip = self.items().nth(moment.item_no.saturating_sub(1) as usize);
        let overlays = overlay_urls(&self.options, item_seed(seed, moment.item_no));
        clip.map(|(_, clip)| clip.url.as_str()).into_iter().chain(overlays).collect()
    }

    fn clip<'a>(
        &'a self,
        seed: u64,
        range: ClipRange,
        builder: &mut Builder<'a>,
    ) -> Result<RegisteredClip, FrameError> {
        no_more_than(1, range.moment)?;
        let clip = self.items().nth(range.moment.item_no as usize - 1);
        let (_, clip) = clip.ok_or(FrameError::NoSuchItem(self.total_items() as u32))?;
        let values = DedupValues::new(&self.options, item_seed(seed, range.moment.item_no));
        let (info, video, excerpt) = builder.moving_clip(clip)?;
        let fps = self.options.fps;
        let total = dedup::length((video, excerpt), &values, fps);
        let shown_frames = range.frames(Frames(0), total, fps);
        let mut keys = Vec::new();
        for range in dedup::ranges(self, &values, (info, video), total, builder)? {
            let Some(range) = range.within(&shown_frames) else { continue };
            let range = Range { is_part: range.frames() < total, ..range };
            let dedup_video = dedup::video_spec(self, clip, &values, range, builder)?;
            keys.push(builder.segment_of(SegmentSpec::Video(dedup_video.spec), dedup_video.sources));
        }
        let size = builder.rendered_size(kept_size(video));
        let frames = Frames(shown_frames.end.0 - shown_frames.start.0);
        let speed = values.speed.unwrap_or(1.0);
        let audio = dedup::audio_mix(builder, info, (clip, excerpt), total.samples(fps), speed);
        let rendition = Rendition {
            fps,
            size,
            frames,
            tier: Tier::of(size),
            video: keys,
            audio,
            speech: vec![],
            cover: None,
        };
        Ok(RegisteredClip { rendition, shown: shown_frames, total })
    }

    fn editorial<'a>(
        &'a self,
        seed: u64,
        item_no: u32,
        builder: &mut Builder<'a>,
    ) -> Result<EditorialTimeline, FrameError> {
        let clip = self.items().nth(item_no as usize - 1);
        let (_, clip) = clip.ok_or(FrameError::NoSuchItem(self.total_items() as u32))?;
        let values = DedupValues::new(&self.options, item_seed(seed, item_no));
        Ok(dedup::editorial(self, clip, &values, builder)?)
    }
}
