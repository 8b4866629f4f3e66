//! The visible region of a frame.

use crate::media::{Size, VideoInfo};

/// A region of the upright source frame, in its own pixels; even where chroma is subsampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    pub x: u32,
    pub y: u32,
    pub size: Size,
}

impl Region {
    /// The whole frame without an odd last row or column.
    pub fn whole(size: Size) -> Self {
        Self { x: 0, y: 0, size: Size::new(even_down(size.width), even_down(size.height)) }
    }

    /// The largest centred region with the aspect ratio of `target` in square pixels, or slightly more than that, and the
    /// size it is scaled to, of which `target` is the middle. Sizes and places are even, which alone rarely keeps the
    /// proportions: of 1920×1080, 607.5 columns are 9:16.
    pub fn to_cover(self, video: &VideoInfo, target: Size) -> (Self, Size) {
        let (display, upright) = (video.display(), video.upright());
        let stretch = f64::from(display.width) * f64::from(upright.height)
            / (f64::from(display.height) * f64::from(upright.width));
        // The aspect ratio in source pixels that is displayed as the target's.
        let aspect = f64::from(target.width) / f64::from(target.height) / stretch;
        let (w, h) = (f64::from(self.size.width), f64::from(self.size.height));
        let (cut, scaled) = if w / h > aspect {
            let (width, scaled) = cut(self.size.width, h * aspect, target.width);
            (Size { width, ..self.size }, Size { width: scaled, ..target })
        } else {
            let (height, scaled) = cut(self.size.height, w / aspect, target.height);
            (Size { height, ..self.size }, Size { height: scaled, ..target })
        };
        (self.middle(cut), scaled)
    }

    /// The part of the middle that is visible enlarged by `zoom`, or slightly more than that, and the size it is scaled
    /// to, of which `target` is the middle.
    pub fn to_enlarge(self, zoom: f64, target: Size) -> (Self, Size) {
        let cut_side = |all: u32, target: u32| cut(all, f64::from(all) / zoom, target);
        let (width, scaled_width) = cut_side(self.size.width, target.width);
        let (height, scaled_height) = cut_side(self.size.height, target.height);
        (self.middle(Size::new(width, height)), Size::new(scaled_width, scaled_height))
    }

    fn middle(self, size: Size) -> Self {
        let begin = |all: u32, kept: u32| even_down((all - kept) / 2);
        Self { x: begin(self.size.width, size.width), y: begin(self.size.height, size.height), size }
    }
}

/// How many of `all` rows or columns to keep when `shown` of them fill `target`, and how many pixels to scale these to:
/// the fewest with which no row is displaced by a tenth of a row, or else those that come nearest to that.
fn cut(all: u32, shown: f64, target: u32) -> (u32, u32) {
    const NEAR: f64 = 0.1;
    /// The maximum that is kept beside the visible part, as a part of it.
    const MARGIN: f64 = 0.08;
    let factor = f64::from(target) / shown;
    let most_beside = (f64::from(target) * MARGIN / 4.0).floor();
    let candidate = |kept: u32| {
        let exact = f64::from(kept) * factor;
        // The margin around the target is cropped again, equally on both sides. Two rows of a source may be far more
        // than the visible part.
        let beside = ((exact - f64::from(target)) / 4.0).round().clamp(0.0, most_beside);
        let scaled = target + 4 * beside as u32;
        let off_centre = f64::from((all - kept) % 4 / 2) * factor;
        let at_the_edge = (exact / f64::from(scaled) - 1.0).abs() * f64::from(target) / 2.0;
        (off_centre + at_the_edge, kept, scaled)
    };
    let fewest = even_near(shown).min(all);
    let most = ((shown * (1.0 + MARGIN)) as u32).clamp(fewest, all);
    let candidates = (fewest..=most).step_by(2).map(candidate);
    let near = candidates.clone().find(|(off, ..)| *off <= NEAR);
    let nearest = near.or_else(|| candidates.min_by(|a, b| a.0.total_cmp(&b.0)));
    nearest.map_or((fewest, target), |(_, kept, scaled)| (kept, scaled))
}

pub fn even_down(n: u32) -> u32 {
    if n < 2 { n } else { n & !1 }
}

/// The nearest even number, at least 2.
pub fn even_near(x: f64) -> u32 {
    ((x / 2.0).round() as u32 * 2).max(2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::video::clip::tests::video;

    #[test]
    fn cropped_regions_are_even_and_in_proportion() {
        let portrait = Size::new(720, 1280);
        let covered = |video: &VideoInfo| Region::whole(video.upright()).to_cover(video, portrait);

        let landscape = video(Size::new(1920, 1080), 0, (1, 1), 30.0);
        let (region, scaled) = covered(&landscape);
        assert_eq!(region, Region { x: 636, y: 0, size: Size::new(648, 1080) });
        assert_eq!(scaled, Size::new(768, 1280));

        let phone = video(Size::new(1920, 1080), 90, (1, 1), 30.0);
        assert_eq!(covered(&phone), (Region::whole(Size::new(1080, 1920)), portrait));

        // 720×576 is displayed as 1024×576: the region that is 9:16 on screen is narrower in stored pixels.
        let wide = video(Size::new(720, 576), 0, (64, 45), 25.0);
        let (region, scaled) = covered(&wide);
        assert_eq!(region, Region { x: 246, y: 0, size: Size::new(228, 576) });
        assert_eq!(scaled, portrait);

        let square = video(Size::new(1080, 1080), 0, (1, 1), 30.0);
        let (region, scaled) = Region::whole(square.upright()).to_cover(&square, Size::new(1920, 1080));
        assert_eq!(region, Region { x: 0, y: 234, size: Size::new(1080, 612) });
        assert_eq!(scaled, Size::new(1920, 1088));
    }

    proptest! {
        #[test]
        fn a_cut_keeps_the_middle_and_the_proportions(
            all in (1u32..2160).prop_map(|n| 2 * n),
            part in prop_oneof![1e-6f64..0.01, 0.01f64..=1.0],
            target in (8u32..1080).prop_map(|n| 2 * n),
        ) {
            let shown = f64::from(all) * part;
            let (kept, scaled) = cut(all, shown, target);
            prop_assert!((1..=all).contains(&kept) && kept % 2 == 0);
            prop_assert!(scaled >= target && (scaled - target) % 4 == 0);
            prop_assert!(f64::from(scaled) <= f64::from(target) * 1.08);
            let plain = even_near(shown).min(all);
            prop_assert!(f64::from(kept) <= (shown * 1.08).max(f64::from(plain)));
            // The error is never larger than that of cutting without a margin.
            let off = |kept: u32, scaled: u32| {
                let factor = f64::from(target) / shown;
                f64::from((all - kept) % 4 / 2) * factor
                    + (f64::from(kept) * factor / f64::from(scaled) - 1.0).abs() * f64::from(target) / 2.0
            };
            prop_assert!(off(kept, scaled) <= off(plain, target) + 1e-9);
        }
    }
}
