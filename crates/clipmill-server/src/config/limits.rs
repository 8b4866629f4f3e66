//! How large things may be.

use super::units::ByteSize;

section! {
    /// How large things may be.
    Limits = "limits" {
        /// Largest JSON body of a submission; 100 groups of 100 clips with long signed urls must fit.
        submit_body: ByteSize = ByteSize(32 << 20);
        /// Largest uploaded file.
        upload: ByteSize = ByteSize(2 << 30);
        /// Longest output of an item, in seconds.
        output_seconds: u32 = 3_600;
        /// Most videos in a videoDeduplication task.
        dedup_videos: u32 = 1_000;
        /// Not used yet: only `fetch.max_size` and `limits.upload` bound inputs. Meant to be the most bytes that
        /// the inputs of one task may have together.
        task_inputs: ByteSize = ByteSize(50 << 30);
    }
}
