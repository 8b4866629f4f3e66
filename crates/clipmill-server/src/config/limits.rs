//! Limits on sizes and on calls per key.

use std::num::{NonZeroU32, NonZeroUsize};

use super::ConfigError;
use super::rate::Rate;
use super::units::ByteSize;

section! {
    /// Limits on sizes and on calls per key.
    Limits = "limits" {
        /// Maximum JSON body of a submission; must fit 100 groups of 100 clips with long signed URLs.
        submit_body: ByteSize = ByteSize(32 << 20);
        /// Maximum size of an uploaded file; a larger one is refused with error 41300.
        upload: ByteSize = ByteSize(2 << 30);
        /// Maximum length of an output, in seconds.
        output_seconds: u32 = 3_600;
        /// Maximum videos in a videoDeduplication task.
        dedup_videos: u32 = 1_000;
        /// Maximum `outputCount` of a proVideoMix task; at most 200.
        output_count: u32 = 200;
        /// Maximum total size of the files of one task; a task above it is rejected once the sizes are known.
        task_inputs: ByteSize = ByteSize(50 << 30);
        /// Maximum open tasks per user; 0 means no limit. Further tasks are refused with error 42901.
        queued_tasks_per_user: u32 = 10_000;
        /// Maximum outputs and batch rows per user that may be cancelled or rejected within an hour without a
        /// delivered one; 0 means no limit. (They cost no points.) Further tasks and batches are refused with error
        /// 42905.
        given_up_per_hour: u32 = 10_000;
        /// Storage quota per user: stored results and uploads, requests, templates, drafts, batches, and 500 bytes per
        /// ledger record; `0B` means no limit. Further uploads, tasks and batches are refused with error 40902.
        stored_bytes_per_user: ByteSize = ByteSize(200 << 30);
        /// Maximum open event streams per user and process; 0 means no limit. Further ones are refused with error
        /// 42902.
        open_event_streams_per_user: u32 = 2_000;
        /// Maximum running jobs per user; 0 means no limit. A limit leaves slots to others when one user submits a
        /// lot. Jobs that fetch inputs are counted separately (`fetch.slots_per_user`).
        concurrent_items_per_user: u32 = 0;
        /// Average rate of read calls per key: `20/s`, `90/m` or `500/h`.
        read_rate: Rate = Rate::per_second(count(20));
        /// Burst of read calls per key before `limits.read_rate` applies.
        read_burst: NonZeroU32 = count(100);
        /// Average rate per key of calls that submit, upload or change something.
        submit_rate: Rate = Rate::per_second(count(5));
        /// Burst per key of calls that submit, upload or change something.
        submit_burst: NonZeroU32 = count(50);
        /// Average rate per key of previews, thumbnails and probes.
        preview_rate: Rate = Rate::per_second(count(10));
        /// Burst per key of previews, thumbnails and probes.
        preview_burst: NonZeroU32 = count(120);
        /// Previews and thumbnails rendered at the same time for all keys, at least two; 0 means one per two
        /// processor cores. Each can occupy a whole core, for at most 5 s of processor time. The same number of clip
        /// previews (at least two, and one per user) can run in addition.
        previews: usize = 0;
        /// Files probed on request at the same time for all keys: uploads, and files for a probe, a preview or a
        /// thumbnail, which may have to be fetched first. Each can use 512 MiB of memory.
        looks: NonZeroU32 = count(8);
        /// Maximum share of one user, in percent, of all limits that users share: probes, previews, estimates that
        /// fetch files, plans of large requests, callback tests, large bodies, archives. At least one of each. Free
        /// capacity is distributed fairly among waiting users.
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
