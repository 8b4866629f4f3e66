//! The work of rendering.

use std::path::PathBuf;

use clipmill_core::encoding::{EncoderChoice, Preset};
use clipmill_media::machine::Machine;
use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::units::{ByteSize, Span};

section! {
    /// The work of rendering.
    Worker = "worker" {
        /// Pieces of work done at the same time; 0 means one for each processor core and one more, so that all cores
        /// are busy while a piece waits for a file or ends, but no more than one for each 700 MiB of memory. Limits of
        /// containers (cgroup versions 1 and 2) count for both. With 0, and where the memory allows it, a further slot
        /// serves only users of whom nothing is being rendered, so that a small task starts at once beside a large one.
        slots: usize = 0;
        /// How long a piece of work belongs to the worker that took it, unless renewed.
        lease: Span = Span::seconds(30);
        /// How often a worker renews its leases. Progress is reported every second, and less often by each of more than
        /// 32 workers, at least twice in this time.
        heartbeat: Span = Span::seconds(10);
        /// How often leases that ran out are taken back; less often by each of more than eight workers, as with `poll`.
        rescue: Span = Span::seconds(5);
        /// How often an idle slot polls for work that it was not notified of: a notification may be lost with the
        /// process or the connection that carried it, and work that is tried again later becomes due without any. On
        /// SQLite, at least five times a second. When more than eight workers share a database, each polls less
        /// often, so that all together poll as often as eight would.
        poll: Span = Span::seconds(1);
        /// How long work under way may go on when the service is told to stop; what is not done by then is
        /// made at the next start.
        drain: Span = Span::seconds(30);
        /// Threads of one encode in a task of one or two pictures; where there are more, each is encoded by one
        /// thread, beside others. Changing it changes the encoded bytes, so cached segments are made again.
        encoder_threads: u32 = 2;
        /// Pictures much longer than this, in seconds, are made in parts of this length, which several workers or
        /// slots take at the same time; 0 makes each in one piece. The same for all processes of a service.
        part_seconds: u32 = 30;
        /// Work that goes into each frame where a request has no `preset`: `draft`, `standard` or `high`.
        preset: Preset = Preset::Standard;
        /// What encodes pictures: `libx264`, a hardware encoder (`h264_nvenc`, `h264_qsv`, `h264_vaapi`; experimental,
        /// never tried on such hardware), or `auto` for the first of these that passes a trial at the start, libx264
        /// where none does. A named one that does not pass is an error. Outputs of an encoder that fails later are
        /// made again as a whole by libx264.
        encoder: EncoderChoice = EncoderChoice::Libx264;
        /// `on` confines every run of ffmpeg (files, network, memory, time); the service does not start where the
        /// kernel cannot do that. `off` only where something else isolates the service.
        sandbox: SandboxMode = SandboxMode::On;
        /// Most memory (address space) of one ffmpeg, where it is confined; 192 MiB are added for each processor core, up
        /// to 16 of them.
        memory: ByteSize = ByteSize(4 << 30);
        /// Folders that a confined ffmpeg may read beside the system's libraries and fonts, for one that is
        /// installed elsewhere.
        readable: Vec<PathBuf> = Vec::new();
    }
}

/// Whether ffmpeg is confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    On,
    Off,
}

impl Worker {
    /// [`Worker::slots`] with 0 resolved.
    pub fn slot_count(&self) -> usize {
        if self.slots > 0 { self.slots } else { Machine::this().slots() }
    }

    /// Whether there is a slot for users of whom nothing is being rendered, beside [`Worker::slot_count`].
    pub fn has_reserved_slot(&self) -> bool {
        self.slots == 0 && Machine::this().fits_another()
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let wrong = |name: &str, message: &str| {
            Err(ConfigError::Value { name: format!("worker.{name}"), message: message.to_owned() })
        };
        if self.heartbeat.get().is_zero() || self.heartbeat.get() * 2 > self.lease.get() {
            return wrong(
                "heartbeat",
                "above 0 and at most half of worker.lease, or work would be lost to others",
            );
        }
        if self.rescue.get().is_zero() {
            return wrong("rescue", "above 0");
        }
        if self.poll.get().is_zero() {
            return wrong("poll", "above 0");
        }
        if self.encoder_threads == 0 {
            return wrong("encoder_threads", "at least 1");
        }
        if self.memory.0 < 1 << 30 {
            return wrong("memory", "at least 1GiB: with less, ffmpeg leaves out captions without a word");
        }
        Ok(())
    }
}
