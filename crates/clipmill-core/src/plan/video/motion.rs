//! The motion of an image while it is shown: a window moves over a larger copy of it, in steps of parts of a pixel.

use crate::filter_graph::Filter;
use crate::media::Size;
use crate::request::model::ImageMotion;
use crate::time::Frames;

use super::region::even_near;

/// The maximum enlargement of the view.
const NEAREST: f64 = 1.12;
/// How much larger the image under the window is than the visible part. It is interpolated linearly, which keeps every
/// point exactly in place (cubic interpolation does not) and is as sharp on so fine a grid. Details that the enlarged
/// view could not show would flicker as it moves, so they are removed before: see [`detailed`].
const FINER: f64 = 1.5;

/// A movement from the first to the last frame of a shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Movement {
    pub motion: ImageMotion,
    /// The length of the whole shot, whatever range of it is rendered.
    pub over: Frames,
}

/// The size of the image that the window moves over; width and height are even.
pub(crate) fn larger(shown: Size) -> Size {
    let side = |n: u32| even_near(f64::from(n) * FINER);
    Size::new(side(shown.width), side(shown.height))
}

/// The size of an image with the details that are visible when the view is most enlarged. The image is scaled to it
/// first, then to the size [`larger`].
pub(crate) fn detailed(shown: Size) -> Size {
    let side = |n: u32| even_near(f64::from(n) * NEAREST);
    Size::new(side(shown.width), side(shown.height))
}

impl Movement {
    /// Filters from images of the size [`larger`] to the size `shown`; the first one is frame `begin` of the shot. Every
    /// frame's view depends on its number, and moves by the same amount from each frame to the next.
    pub fn filters(self, shown: Size, begin: Frames) -> Vec<Filter> {
        let (x, y) = (self.span("W", shown.width, begin), self.span("H", shown.height, begin));
        let window = Filter::new("perspective")
            .arg("x0", &x.0)
            .arg("y0", &y.0)
            .arg("x1", &x.1)
            .arg("y1", &y.0)
            .arg("x2", &x.0)
            .arg("y2", &y.1)
            .arg("x3", &x.1)
            .arg("y3", &y.1)
            .arg("interpolation", "linear")
            .arg("eval", "frame");
        let cut = Filter::new("crop").arg("w", shown.width).arg("h", shown.height).arg("x", 0).arg("y", 0);
        vec![window, cut]
    }

    /// The positions in the image of both ends of one side of the filter's output. That output is as large as the
    /// image, and its first part is visible.
    fn span(self, side: &str, shown: u32, begin: Frames) -> (String, String) {
        let progress = format!("(on-1+{})/{}", begin.0, self.over.0.saturating_sub(1).max(1));
        let span = |seen: &str, place: &str| {
            let start = format!("({side}-{seen})*{place}");
            (start.clone(), format!("{start}+{seen}*{side}/{shown}"))
        };
        let panned =
            |place: &str| span(&format!("{side}/{NEAREST}"), if side == "W" { place } else { "0.5" });
        // Linear in the visible part, not in the size of the window, so that everything moves by the same amount in
        // each frame.
        let zoomed = |nearness: &str| span(&format!("{side}/(1+{:.2}*{nearness})", NEAREST - 1.0), "0.5");
        match self.motion {
            ImageMotion::ZoomOut => zoomed(&format!("(1-{progress})")),
            ImageMotion::PanLeft => panned(&format!("(1-{progress})")),
            ImageMotion::PanRight => panned(&progress),
            // A shot never has the last two.
            ImageMotion::ZoomIn | ImageMotion::None | ImageMotion::Random => zoomed(&progress),
        }
    }
}
