//! The measurements: seconds of each side in each case, round after round.

use serde::{Deserialize, Serialize};

/// One side of one case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Line {
    pub case: Case,
    pub side: String,
    /// Wall-clock seconds, one for each round.
    pub seconds: Vec<f64>,
}

/// A case that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Case {
    Portrait,
    Landscape,
    Captioned,
    Eight,
    SixtyFour,
    Again,
    Replaced,
    FirstOfMany,
    Varied,
    TenVaried,
    FullHd,
    Phone,
    Long,
}

impl Case {
    pub const ALL: [Self; 13] = [
        Self::Portrait,
        Self::Landscape,
        Self::Captioned,
        Self::Eight,
        Self::SixtyFour,
        Self::Again,
        Self::Replaced,
        Self::FirstOfMany,
        Self::Varied,
        Self::TenVaried,
        Self::FullHd,
        Self::Phone,
        Self::Long,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Portrait => "one output of three portrait clips",
            Self::Landscape => "one output of three 1080p landscape clips, cropped to portrait",
            Self::Captioned => "one output with music and subtitles",
            Self::Eight => "8 outputs: 3 scenes × 2 clips, with music",
            Self::SixtyFour => "64 outputs: 3 scenes × 4 clips, with music",
            Self::Again => "the same 64 again",
            Self::Replaced => "the 64 with one clip replaced",
            Self::FirstOfMany => "the first of the 64 (compared with one alone)",
            Self::Varied => "one 1080p video, all colour and geometry options",
            Self::TenVaried => {
                "ten variations of one 1080p video: mirrored, faster, rotated, zoomed, coloured"
            }
            Self::FullHd => {
                "one output of three portrait clips at their own size, 1080×1920 (clipmill copies them)"
            }
            Self::Phone => "one 1080×1920 output from three phone clips: 2160p at 60 fps, HEVC at 50 Mbit/s",
            Self::Long => "one output from three excerpts of a ten-minute 1080p video",
        }
    }

    pub fn short(self) -> &'static str {
        match self {
            Self::Portrait => "1, portrait",
            Self::Landscape => "1, landscape",
            Self::Captioned => "1, music, subtitles",
            Self::Eight => "8 outputs",
            Self::SixtyFour => "64 outputs",
            Self::Again => "64 again",
            Self::Replaced => "64, 1 clip new",
            Self::FirstOfMany => "first of 64",
            Self::Varied => "varied video",
            Self::TenVaried => "10 variations",
            Self::FullHd => "1, own size",
            Self::Phone => "1, of 4K HEVC",
            Self::Long => "1, of 10 minutes",
        }
    }

    /// The target ratio of clipmill.
    pub fn target(self) -> Option<f64> {
        match self {
            Self::Portrait => Some(0.75),
            Self::Landscape => Some(0.62),
            Self::Captioned | Self::FullHd | Self::Phone | Self::Long => None,
            Self::Eight => Some(0.20),
            Self::SixtyFour => Some(0.065),
            Self::Again => Some(0.005),
            Self::Replaced => Some(0.015),
            Self::FirstOfMany => Some(1.2),
            Self::Varied => Some(0.8),
            Self::TenVaried => Some(0.72),
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Measurements(Vec<Line>);

impl Measurements {
    pub fn add(&mut self, case: Case, side: &str, seconds: f64) {
        eprintln!("  {}, {side}: {seconds:.2} s", case.title());
        match self.0.iter_mut().find(|line| line.case == case && line.side == side) {
            Some(line) => line.seconds.push(seconds),
            None => self.0.push(Line { case, side: side.to_owned(), seconds: vec![seconds] }),
        }
    }

    /// The sides of a case, the reference first.
    pub fn sides(&self, case: Case) -> Vec<&Line> {
        let mut sides: Vec<_> = self.0.iter().filter(|line| line.case == case).collect();
        sides.sort_by_key(|line| line.side != EXPERT && line.side != ALONE);
        sides
    }

    /// The time of clipmill relative to the reference. See [`Line::against`].
    pub fn ratio(&self, case: Case) -> Option<f64> {
        let sides = self.sides(case);
        let clipmill = sides.iter().find(|line| line.side == CLIPMILL)?;
        Some(clipmill.against(sides.first()?))
    }
}

pub const EXPERT: &str = "ffmpeg commands";
pub const ALONE: &str = "clipmill, one alone";
pub const CLIPMILL: &str = "clipmill";
pub const FLOOR: &str = "encoder alone, from raw frames";

impl Line {
    pub fn median(&self) -> f64 {
        median(&self.seconds)
    }

    /// Median of the ratios of all rounds: the machine's speed varies over minutes, and less within a round than
    /// between rounds.
    pub fn against(&self, base: &Self) -> f64 {
        let ratios: Vec<f64> = self.seconds.iter().zip(&base.seconds).map(|(own, base)| own / base).collect();
        median(&ratios)
    }
}

/// The median; for an even number of values the mean of the two in the middle.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match (sorted.get((sorted.len().wrapping_sub(1)) / 2), sorted.get(sorted.len() / 2)) {
        (Some(low), Some(high)) => (low + high) / 2.0,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let check = |values: &[f64], expected: f64| assert_eq!(median(values), expected, "{values:?}");
        check(&[3.0], 3.0);
        check(&[9.0, 1.0, 2.0], 2.0);
        check(&[4.0, 1.0, 2.0, 9.0], 3.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn ratios_are_of_rounds() {
        let mut measurements = Measurements::default();
        for (clipmill, reference) in [(1.0, 4.0), (2.0, 5.0), (9.0, 4.0)] {
            measurements.add(Case::Eight, CLIPMILL, clipmill);
            measurements.add(Case::Eight, "melt", 100.0);
            measurements.add(Case::Eight, EXPERT, reference);
        }
        assert_eq!(measurements.ratio(Case::Eight), Some(0.4));
        assert_eq!(measurements.ratio(Case::Portrait), None);
        assert_eq!(measurements.sides(Case::Eight)[0].side, EXPERT);
    }
}
