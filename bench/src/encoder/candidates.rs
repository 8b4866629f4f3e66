//! The settings to try.

use anyhow::Context;
use clipmill_core::encoding::{Encoding, Preset};
use clipmill_core::pricing::Tier;
use clipmill_core::time::Fps;

/// One setting of libx264, beside the fixed settings of the service.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Why the setting is tried.
    pub role: &'static str,
    pub preset: String,
    pub crf: f64,
    pub params: String,
}

impl Candidate {
    fn new(role: &'static str, preset: &str, crf: f64, params: &str) -> Self {
        Self { role, preset: preset.to_owned(), crf, params: params.to_owned() }
    }

    /// The setting that the service uses for this preset.
    fn chosen(preset: Preset) -> Self {
        let settings = Encoding::standard(1).settings(Some(preset), Tier::Hd, Fps::DEFAULT);
        let crf = f64::from(settings.crf_tenths) / 10.0;
        Self { role: preset.as_str(), preset: settings.preset, crf, params: settings.params }
    }

    pub fn name(&self) -> String {
        let params = if self.params.is_empty() { String::new() } else { format!(" {}", self.params) };
        let role = if self.role.is_empty() { String::new() } else { format!("**{}**: ", self.role) };
        format!("{role}{} crf {}{params}", self.preset, self.crf)
    }
}

/// The reference for all comparisons: the settings of an ffmpeg expert.
pub fn expert() -> Candidate {
    Candidate::new("", "veryfast", 21.0, "")
}

/// The rows of the table in the documentation: the chosen settings and their neighbours.
pub fn shown() -> Vec<Candidate> {
    let mut all = Preset::ALL.map(Candidate::chosen).to_vec();
    let others = [
        ("ultrafast", 21.0, ""),
        ("superfast", 21.0, ""),
        ("superfast", 21.0, "mbtree=1:rc-lookahead=5"),
        ("superfast", 21.0, "mbtree=1:rc-lookahead=10"),
        ("superfast", 21.0, "mbtree=1:rc-lookahead=20"),
        ("superfast", 21.0, "mbtree=1:rc-lookahead=10:bframes=2"),
        ("superfast", 21.2, "mbtree=1:rc-lookahead=10:b-adapt=0:aq-strength=0.8"),
        ("superfast", 21.8, "mbtree=1:rc-lookahead=8:b-adapt=0:bframes=1:aq-strength=0.8"),
        ("superfast", 22.4, "mbtree=1:rc-lookahead=8:b-adapt=0:bframes=0:aq-strength=0.8"),
        ("superfast", 21.0, "mbtree=1:rc-lookahead=10:me=hex:subme=2"),
        ("veryfast", 21.0, "rc-lookahead=5"),
        ("fast", 20.0, ""),
        ("medium", 19.0, ""),
    ];
    all.extend(others.map(|(preset, crf, params)| Candidate::new("", preset, crf, params)));
    all
}

/// One setting per line: preset, crf, parameters.
pub fn read(text: &str) -> anyhow::Result<Vec<Candidate>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| read_line(line).with_context(|| format!("not a setting: {line:?}"))).collect()
}

fn read_line(line: &str) -> Option<Candidate> {
    let mut words = line.split_whitespace();
    let (preset, crf) = (words.next()?, words.next()?.parse().ok()?);
    Some(Candidate::new("", preset, crf, words.next().unwrap_or_default()))
}
