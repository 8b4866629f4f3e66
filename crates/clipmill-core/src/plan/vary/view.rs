//! The visible part of the video: mirrored, enlarged, and rotated around its centre.

use crate::filter_graph::{Filter, Graph};
use crate::media::{Size, VideoInfo};
use crate::plan::vary::layers::over;
use crate::plan::video::clip::{Timing, blurred_copy, middle, timed, whole};
use crate::plan::video::motion::larger;
use crate::plan::video::region::Region;
use crate::time::Fps;

/// Up to this angle the video is enlarged until no empty corner shows; beyond it a blurred copy fills the background.
const COVERED_ANGLE: f64 = 15.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum View {
    /// The centre of the video, enlarged by `zoom`; `is_flipped` if it is rotated by exactly half a turn.
    Straight { zoom: f64, is_flipped: bool },
    /// Rotated by `degrees` clockwise and enlarged by `scale`.
    Turned { degrees: f64, scale: f64, covers: bool },
}

impl View {
    /// `degrees` are clockwise. `zoom` is in addition to the enlargement that covers the frame's corners.
    pub fn of(degrees: f64, zoom: f64, size: Size) -> Self {
        let scale = cover_scale(degrees, size);
        match degrees {
            0.0 => Self::Straight { zoom, is_flipped: false },
            _ if degrees.abs() == 180.0 => Self::Straight { zoom, is_flipped: true },
            _ if degrees.abs() <= COVERED_ANGLE => {
                Self::Turned { degrees, scale: zoom * scale, covers: true }
            }
            // Upside down, or enlarged far enough, it covers the frame by itself.
            _ => Self::Turned { degrees, scale: zoom, covers: zoom + 1e-9 >= scale },
        }
    }

    /// The visible video at `size`, after the colour filters `colours`.
    pub fn graph(
        self,
        video: &VideoInfo,
        timing: &Timing,
        size: Size,
        mirror: bool,
        colours: Vec<Filter>,
    ) -> Graph {
        let mirrored = mirror.then(|| Filter::new("hflip"));
        match self {
            Self::Straight { zoom, is_flipped } => {
                let (region, to) = Region::whole(video.upright()).to_enlarge(zoom, size);
                let cut = (to != size).then(|| middle(to, size));
                let flips = if is_flipped { &["hflip", "vflip"][..] } else { &[] };
                let flipped = flips.iter().map(|name| Filter::new(*name));
                let changed = cut.into_iter().chain(mirrored).chain(flipped).chain(colours).collect();
                timed(video, timing, region, to, changed)
            }
            Self::Turned { degrees, scale, covers: true } => {
                let turned = turned(degrees, scale, size);
                timed(
                    video,
                    timing,
                    Region::whole(video.upright()),
                    size,
                    mirrored.into_iter().chain(turned).chain(colours).collect(),
                )
            }
            Self::Turned { degrees, scale, covers: false } => {
                let straight = whole(video, timing, size).then(mirrored);
                over_blurred_copy(straight, degrees, scale, size, timing.fps).then(colours)
            }
        }
    }
}

/// The rotated video over a blurred copy of itself. Rotation repeats its outermost pixels without end, so nothing
/// foreign mixes into its edge; a white frame rotated in the same way masks the repeated pixels.
fn over_blurred_copy(graph: Graph, degrees: f64, scale: f64, size: Size, fps: Fps) -> Graph {
    const NAME: &str = "straight";
    let white = Filter::new("color").arg("c", "white").arg("s", size).arg("r", fps.get());
    let sides = ["left", "right", "top", "bottom"];
    let edge = sides.into_iter().fold(Filter::new("fillborders"), |filter, side| filter.arg(side, 2));
    let foreground = Graph::source(white).then([
        Filter::new("trim").arg("end_frame", 1),
        Filter::new("format").arg("pix_fmts", "gbrp"),
        edge.arg("mode", "fixed").arg("color", "black"),
        turn(degrees, scale, size, size),
        Filter::new("extractplanes").arg("planes", "g"),
    ]);
    let front =
        Graph::copy_of(NAME).then(turned(degrees, scale, size)).join(foreground, Filter::new("alphamerge"));
    let behind = Graph::copy_of(NAME).then(blurred_copy(size));
    graph.named(NAME, behind.join(front, over()))
}

/// How much a frame must be enlarged so that, rotated by `degrees`, it still covers its own area: `|cos a| + |sin a| ×
/// max(w/h, h/w)`.
fn cover_scale(degrees: f64, size: Size) -> f64 {
    let angle = degrees.abs().to_radians();
    let aspect = f64::from(size.long_side()) / f64::from(size.short_side());
    angle.cos().abs() + angle.sin().abs() * aspect
}

/// Rotates and enlarges a frame of `size`. It is interpolated linearly on a finer grid, which looks the same as cubic
/// interpolation of the frame itself and takes half the time.
fn turned(degrees: f64, scale: f64, size: Size) -> [Filter; 2] {
    let fine = larger(size);
    let enlarged = Filter::new("zscale").arg("w", fine.width).arg("h", fine.height).arg("filter", "lanczos");
    [enlarged, turn(degrees, scale, fine, size)]
}

/// Rotates a frame of the size `of` around its centre, enlarges the visible part, and gives it the size `to`. The
/// filter is made for panoramas: both frames are flat views, and a wider angle shows more.
fn turn(degrees: f64, scale: f64, of: Size, to: Size) -> Filter {
    let tall = f64::from(of.height) / f64::from(of.width);
    let angle = |half: f64| format!("{:.9}", 2.0 * half.atan().to_degrees());
    // The filter has the last pixel, not the edge behind it, at the end of the view that it reads.
    let edge = |pixels: u32| f64::from(pixels) / f64::from(pixels - 1);
    Filter::new("v360")
        .arg("input", "flat")
        .arg("output", "flat")
        .arg("ih_fov", angle(1.0))
        .arg("iv_fov", angle(tall))
        .arg("h_fov", angle(edge(of.width) / scale))
        .arg("v_fov", angle(edge(of.height) * tall / scale))
        .arg("roll", format!("{:.6}", -degrees))
        .arg("interp", "linear")
        .arg("w", to.width)
        .arg("h", to.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_frame_covers_every_corner() {
        for size in [Size::new(720, 1280), Size::new(1920, 1080), Size::new(640, 640)] {
            for degrees in [0.5, 2.0, -7.5, 15.0] {
                let View::Turned { degrees, scale, covers: true } = View::of(degrees, 1.0, size) else {
                    panic!("{degrees}° leave corners empty")
                };
                let angle = f64::to_radians(degrees);
                let (w, h) = (f64::from(size.width) / 2.0, f64::from(size.height) / 2.0);
                for (x, y) in [(w, h), (w, -h), (-w, h), (-w, -h)] {
                    let across = (x * angle.cos() + y * angle.sin()) / scale;
                    let down = (y * angle.cos() - x * angle.sin()) / scale;
                    assert!(
                        across.abs() <= w + 1e-6 && down.abs() <= h + 1e-6,
                        "{size} {degrees}: ({across}, {down})"
                    );
                }
            }
        }
    }

    #[test]
    fn zoom_alone_does_not_rotate() {
        let size = Size::new(1920, 1080);
        assert_eq!(View::of(0.0, 1.1, size), View::Straight { zoom: 1.1, is_flipped: false });
        for degrees in [180.0, -180.0] {
            assert_eq!(View::of(degrees, 1.1, size), View::Straight { zoom: 1.1, is_flipped: true });
        }
        assert!(matches!(View::of(40.0, 1.0, size), View::Turned { covers: false, .. }));
        assert!(matches!(View::of(-40.0, 2.0, size), View::Turned { covers: true, .. }));
    }
}
