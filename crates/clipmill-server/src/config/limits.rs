//! How large things may be, and how many calls a key may make.

use std::num::{NonZeroU32, NonZeroUsize};

use super::ConfigError;
use super::rate::Rate;
use super::units::ByteSize;

section! {
    /// How large things may be, and how many calls a key may make.
    Limits = "limits" {
        /// Largest JSON body of a submission; 100 groups of 100 clips with long signed urls must fit.
        submit_body: ByteSize = ByteSize(32 << 20);
        /// Largest uploaded file; a larger one is refused with error 41300.
        upload: ByteSize = ByteSize(2 << 30);
        /// Longest output of an item, in seconds.
        output_seconds: u32 = 3_600;
        /// Most videos in a videoDeduplication task.
        dedup_videos: u32 = 1_000;
        /// Most outputs of a proVideoMix task, by `outputCount`; at most 200.
        output_count: u32 = 200;
        /// Most bytes that the files of one task may have together; a task beyond it is rejected once they are known.
        task_inputs: ByteSize = ByteSize(50 << 30);
        /// Tasks of one user that have not ended; 0 means no limit. A task beyond it is refused with error 42901.
        queued_tasks_per_user: u32 = 10_000;
        /// Outputs of one user's tasks, and rows of their batches, that may be cancelled or rejected within an hour
        /// without one that was delivered; 0 means no limit. They cost no points. Tasks and batches beyond it are
        /// refused with error 42905.
        given_up_per_hour: u32 = 10_000;
        /// Bytes that one user may take up: results and uploads while they are kept, requests, templates, batches, and
        /// 500 for each movement of points; `0B` means no limit. Uploads, tasks and batches beyond it are refused with
        /// error 40902.
        stored_bytes_per_user: ByteSize = ByteSize(200 << 30);
        /// Streams of live events that one user may have open at a service; 0 means no limit. Further ones are
        /// refused with error 42902.
        open_event_streams_per_user: u32 = 2_000;
        /// Pieces of work of one user done at the same time; 0 means no limit. With one, a user who hands in a lot
        /// leaves slots to others. What fetches inputs is counted apart (`fetch.slots_per_user`).
        concurrent_items_per_user: u32 = 0;
        /// Calls that read, for each key: `20/s`, `90/m` or `500/h`, on average.
        read_rate: Rate = Rate::per_second(count(20));
        /// Calls that read which a key may make at once before `limits.read_rate` slows it down.
        read_burst: NonZeroU32 = count(100);
        /// Calls that submit, upload or change something, for each key, on average.
        submit_rate: Rate = Rate::per_second(count(5));
        /// Calls that submit, upload or change something which a key may make at once.
        submit_burst: NonZeroU32 = count(50);
        /// Calls for previews, thumbnails and facts about files, for each key, on average.
        preview_rate: Rate = Rate::per_second(count(10));
        /// Calls for previews, thumbnails and facts about files which a key may make at once.
        preview_burst: NonZeroU32 = count(120);
        /// Previews and thumbnails made at the same time, for all keys together, at least two; 0 means one for every two
        /// processor cores. Each may take a whole core from rendering while it lasts, for 5 s of processor time at most. As
        /// many previews that are played are made beside them, at least two, and one of each user at a time.
        previews: usize = 0;
        /// Files probed on request at the same time, for all keys together: those uploaded, and those named for a
        /// probe, a preview or a thumbnail, which may have to be fetched first. Each may take 512 MiB of memory.
        looks: NonZeroU32 = count(8);
        /// How much one user may have of all that is limited for all users together, in percent: probes, previews,
        /// estimates that fetch files, plans of large requests, tests of callbacks, large bodies, archives. At least
        /// one of each; what is free goes to the users who wait, in turn.
        share_per_user: u8 = 50;
    }
}

impl Limits {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if (1..=100).contains(&self.share_per_user) {
            return Ok(());
        }
        let message = "a part in a hundred, 1 to 100".to_owned();
        Err(ConfigError::Value { name: "limits.share_per_user".to_owned(), message })
    }

    /// [`Limits::previews`] with 0 resolved.
    pub fn preview_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        if self.previews > 0 { self.previews } else { cores().div_ceil(2) }
    }
}

const fn count(number: u32) -> NonZeroU32 {
    match NonZeroU32::new(number) {
        Some(number) => number,
        None => NonZeroU32::MIN,
    }
}
