//! Rendering.

use std::path::PathBuf;

use clipmill_core::encoding::{EncoderChoice, Preset};
use clipmill_media::machine::Machine;
use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::units::{ByteSize, Span};

section! {
    /// Rendering.
    Worker = "worker" {
        /// Jobs that run at the same time. 0 means one per processor core plus one, so that every core stays busy
        /// while a job waits for I/O or finishes, but at most one per 700 MiB of memory. Container limits (cgroup
        /// versions 1 and 2) apply to both. With 0, and if memory allows it, an additional slot serves only users
        /// without a running job, so that a small task starts at once beside a large one.
        slots: usize = 0;
        /// How long a worker's lease on a job lasts unless renewed.
        lease: Span = Span::seconds(30);
        /// How often a worker renews its leases. Progress is reported every second, and less often by each of more than
        /// 32 workers, at least twice in this time.
        heartbeat: Span = Span::seconds(10);
        /// How often expired leases are revoked; less often by each of more than eight workers, as with `poll`.
        rescue: Span = Span::seconds(5);
        /// How often an idle slot polls for work without a notification: a notification can be lost with its process
        /// or connection, and delayed jobs become due without one. On SQLite, at least five times a second. If more
        /// than eight workers share a database, each polls less often, so that the total rate equals that of eight
        /// workers.
        poll: Span = Span::seconds(1);
        /// Grace period for running work during shutdown. Unfinished work is handed back and resumed at the next start.
        drain: Span = Span::seconds(30);
        /// Encoder threads per video segment; 0 chooses one to four, by the task and the installation's width
        /// (`clipmill width`). With more threads than cores, encodes run one at a time. Changing it changes the encoded bytes, so cached segments are re-rendered. Must be
        /// identical on all processes of a service.
        encoder_threads: u32 = 0;
        /// Video segments longer than one and a half times this, in seconds, are split into parts of this length, which
        /// several workers or slots render in parallel. Tasks with little video have shorter parts, by the installation's width. 0
        /// disables splitting. Must be identical on all processes of a service.
        part_seconds: u32 = 30;
        /// Encoding preset for requests without `preset`: `draft`, `standard` or `high`.
        preset: Preset = Preset::Standard;
        /// Video encoder: `libx264`, a hardware encoder (`h264_nvenc`, `h264_qsv`, `h264_vaapi`; experimental, not
        /// tested on such hardware), or `auto` for the first hardware encoder that passes a test at startup,
        /// otherwise libx264. If a named encoder fails the test, the service does not start. If an encoder fails
        /// later, the whole output is re-encoded by libx264.
        encoder: EncoderChoice = EncoderChoice::Libx264;
        /// `on` confines every run of ffmpeg (files, network, memory, time); the service does not start if the kernel
        /// does not support that. Use `off` only if something else isolates the service.
        sandbox: SandboxMode = SandboxMode::On;
        /// Maximum memory (address space) of one confined ffmpeg process; 192 MiB are added per processor core, for
        /// at most 16 cores.
        memory: ByteSize = ByteSize(4 << 30);
        /// Additional folders that a confined ffmpeg may read, for an ffmpeg that is installed outside of the
        /// system's folders.
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

    /// Whether there is an additional slot for users without a running job, beside [`Worker::slot_count`].
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
        if self.memory.0 < 1 << 30 {
            return wrong("memory", "at least 1GiB: with less, ffmpeg leaves out captions without a word");
        }
        Ok(())
    }
}
