//! Counts captions for warnings.

use super::Cue;
use crate::message::Message;

/// Counts cues that were treated in the same way, and remembers when the first begins.
#[derive(Default)]
pub struct CueCounter {
    count: usize,
    first_ms: u64,
}

impl CueCounter {
    pub fn add(&mut self, cue: &Cue) {
        if self.count == 0 {
            self.first_ms = cue.start_ms;
        }
        self.count += 1;
    }

    pub fn warning(&self, message: impl Fn(usize, String) -> Message) -> Option<Message> {
        let seconds = self.first_ms / 1000;
        let (h, m, s, ms) = (seconds / 3600, seconds / 60 % 60, seconds % 60, self.first_ms % 1000);
        let (count, first) = (self.count, format!("{h:02}:{m:02}:{s:02}.{ms:03}"));
        (count > 0).then(|| message(count, first))
    }
}
