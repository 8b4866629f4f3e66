//! The settings that are tried.

/// One setting of libx264, beside what the service always sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub preset: &'static str,
    pub crf: f64,
    pub params: String,
}

/// What everything is compared with: what somebody who knows ffmpeg well would write.
pub fn expert() -> Candidate {
    Candidate::new("veryfast", 21.0, "")
}

/// The yardstick of the highest quality.
pub fn demanding() -> Candidate {
    Candidate::new("medium", 19.0, "")
}

impl Candidate {
    pub fn new(preset: &'static str, crf: f64, params: &str) -> Self {
        Self { preset, crf, params: params.to_owned() }
    }

    pub fn name(&self) -> String {
        let params = if self.params.is_empty() { String::new() } else { format!(" {}", self.params) };
        format!("{} crf {}{params}", self.preset, self.crf)
    }
}
