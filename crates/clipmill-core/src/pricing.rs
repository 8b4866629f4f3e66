//! Prices in whole points.

use serde::{Deserialize, Serialize};

use crate::media::Size;
use crate::time::{Fps, Frames};

/// The price tier of an output, by its short side; it determines the price and the highest bit rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tier {
    /// Short side up to 720.
    Hd,
    /// Short side up to 1080; also assumed while the size is unknown.
    FullHd,
    Above,
}

impl Tier {
    pub fn of(size: Size) -> Self {
        match size.short_side() {
            0..=720 => Self::Hd,
            721..=1080 => Self::FullHd,
            _ => Self::Above,
        }
    }

    /// The highest video bit rate of the output profile, in kilobits a second.
    pub fn max_rate_kbps(self) -> u32 {
        match self {
            Self::Hd => 6_000,
            Self::FullHd => 12_000,
            Self::Above => 30_000,
        }
    }
}

/// Points for each started second of output, by tier. Configured; the default is 1, 2, 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PriceList {
    pub hd: u32,
    pub full_hd: u32,
    pub above: u32,
}

impl Default for PriceList {
    fn default() -> Self {
        Self { hd: 1, full_hd: 2, above: 4 }
    }
}

/// The properties that determine the price of an output: as expected at submission, as planned, and as measured in the
/// finished file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    pub tier: Tier,
    pub frames: Frames,
    pub fps: Fps,
}

impl PriceList {
    /// The price of one output in points: estimated, confirmed, held and settled by this one function.
    pub fn points(&self, Extent { tier, frames, fps }: Extent) -> u64 {
        let rate = match tier {
            Tier::Hd => self.hd,
            Tier::FullHd => self.full_hd,
            Tier::Above => self.above,
        };
        frames.started_seconds(fps).saturating_mul(u64::from(rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_started_second_costs_by_the_short_side() {
        let price = |w, h, frames| {
            let extent =
                Extent { tier: Tier::of(Size::new(w, h)), frames: Frames(frames), fps: Fps::DEFAULT };
            PriceList::default().points(extent)
        };
        assert_eq!(price(720, 1280, 450), 15);
        assert_eq!(price(720, 1280, 451), 16);
        assert_eq!(price(1920, 1080, 30), 2);
        assert_eq!(price(2160, 3840, 1), 4);
        assert_eq!(price(720, 1280, 0), 0);
    }
}
