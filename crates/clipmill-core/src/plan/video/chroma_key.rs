//! Green screen: makes one colour of a video transparent, and removes its reflection from the rest.
//!
//! A pixel at an edge is a mixture of the key colour and of an unknown colour in front of it. In the plane of Cb and Cr
//! it is on the line between the two, and its alpha is its distance from the key colour, as a part of the line. The
//! unknown colour is assumed to be on a curve: at right angles to the direction of the key colour for weak colours,
//! which is exact for greys and nearly exact for skin, and bent towards the key colour for strong ones, so that
//! yellow and cyan clothes before a green screen stay opaque. The same mixture then gives the colour in front, without
//! any of the key colour. All of it is looked up in tables: three times as fast as ffmpeg's own `chromakey`, which also
//! averages neighbouring pixels.

use crate::color_space::ycc;
use crate::filter_graph::{Filter, Graph};
use crate::media::{Size, VideoInfo};
use crate::request::model::ColorKey;

use super::clip::{cropped, overlay_filters, scaled_with_alpha};
use super::region::Region;
use super::source_color::{Color, planar_format};

/// Chroma of colours up to which the curve is straight, and its slope behind that.
const WEAK_CHROMA: f64 = 28.0;
const SLOPE: f64 = 1.8;
/// Pixels with less of the colour in front do not show what it is.
const MIN_ALPHA: f64 = 0.03;

/// Scales `frames` of `video` to `to`, makes the colour of `key` transparent, and applies `opacity`.
///
/// Single planes are only made for `alphamerge`: from ffmpeg 7 on, they have full range and would be converted for other
/// filters.
pub(crate) fn keyed(frames: Graph, video: &VideoInfo, to: Size, key: &ColorKey, opacity: f64) -> Graph {
    let tables = Tables::of(key, opacity);
    let own_alpha = video.has_alpha();
    let is_halved = has_halved_chroma(video, to);
    let scaled = if is_halved { overlay_filters(video, to) } else { at_full_chroma(video, to) };
    let half = Graph::copy_of("keyed").then((!is_halved).then(at_half_chroma).into_iter().flatten());
    let exchanged = Graph::copy_of("keyed").then([exchanged(0, if own_alpha { 3 } else { 0 })]);
    let look_up = Filter::new("lut2").arg("c0", 0).arg("c1", &tables.distance).arg("c2", 0);
    let look_up = if own_alpha { look_up.arg("c3", 0) } else { look_up };
    let distance = Graph::combine([Graph::copy_of("keyed"), exchanged], look_up)
        .then(is_halved.then(at_full_size).into_iter().flatten())
        .then([Filter::new("setparams").arg("range", "pc"), Filter::new("extractplanes").arg("planes", "u")]);
    let with_distance = half.join(distance, Filter::new("alphamerge"));
    let exchanged = match own_alpha {
        true => {
            let of_own = Graph::copy_of("keyed").then([Filter::new("format").arg("pix_fmts", "yuva420p")]);
            Graph::copy_of("distance").join(of_own, exchanged_with_alpha())
        }
        false => Graph::copy_of("distance").then([self::exchanged(3, 3)]),
    };
    let look_up = Filter::new("lut2")
        .arg("c0", &tables.luma)
        .arg("c1", &tables.cb)
        .arg("c2", &tables.cr)
        .arg("c3", if own_alpha { &tables.of_own_alpha } else { &tables.alpha });
    let body = Graph::copy_of("distance").join(exchanged, look_up);
    frames.then(scaled).named("keyed", with_distance.named("distance", body))
}

/// Exchanges Cb and Cr, and replaces luma and alpha by these planes.
fn exchanged(luma: u32, alpha: u32) -> Filter {
    Filter::new("shuffleplanes").arg("map0", luma).arg("map1", 2).arg("map2", 1).arg("map3", alpha)
}

/// Exchanges Cb and Cr, replaces luma by alpha, and alpha by that of the second frame.
fn exchanged_with_alpha() -> Filter {
    let planes = [(0, 3), (0, 2), (0, 1), (1, 3)];
    let merge =
        planes.iter().enumerate().fold(Filter::new("mergeplanes"), |merge, (index, (input, plane))| {
            merge.arg(format!("map{index}s"), input).arg(format!("map{index}p"), plane)
        });
    merge.arg("format", "yuva420p")
}

/// Whether the chroma of the video has half its size, and would have even at full size, so that distances can be looked
/// up at that size: faster, and more exact because they are rounded once.
fn has_halved_chroma(video: &VideoInfo, to: Size) -> bool {
    let is_halved = ["yuv420p", "yuvj420p", "nv12", "nv21"].contains(&video.pix_fmt.as_str());
    is_halved && to.width >= video.upright().width
}

/// Scales chroma to full size. Distances have the full range.
fn at_full_size() -> [Filter; 2] {
    let scale = Filter::new("zscale").arg("filter", "bicubic").arg("chromal", "left");
    [scale.arg("rangein", "full").arg("range", "full"), Filter::new("format").arg("pix_fmts", "yuv444p")]
}

/// Scales chroma to half its size, and omits alpha.
fn at_half_chroma() -> [Filter; 3] {
    [
        Filter::new("format").arg("pix_fmts", "yuv444p"),
        Filter::new("zscale").arg("chromal", "left"),
        Filter::new("format").arg("pix_fmts", "yuv420p"),
    ]
}

/// Scales to `to` with all planes of one size, and straight alpha if the video has alpha.
fn at_full_chroma(video: &VideoInfo, to: Size) -> Vec<Filter> {
    let whole = Region::whole(video.upright());
    if video.has_alpha() {
        let mut filters = scaled_with_alpha(video, whole, to);
        filters.push(Filter::new("unpremultiply").arg("inplace", 1));
        filters.push(Filter::new("format").arg("pix_fmts", "yuva444p"));
        return filters;
    }
    let planar = planar_format(&video.pix_fmt).map(|format| Filter::new("format").arg("pix_fmts", format));
    let mut filters: Vec<Filter> = planar.into_iter().chain(cropped(video, whole)).collect();
    filters.extend(Color::of(video).converted(to));
    filters.push(Filter::new("format").arg("pix_fmts", "yuv444p"));
    filters
}

/// Expressions of `lut2`, which gets frames and the same frames with exchanged planes. Those of the second run get the video's planes Y, Cb, Cr and the distance as `x`, and the
/// distance, Cr, Cb and the video's own alpha as `y`.
struct Tables {
    /// From Cb and Cr to the distance from the key colour, as a part of the way to the colour in front.
    distance: String,
    luma: String,
    cb: String,
    cr: String,
    alpha: String,
    of_own_alpha: String,
}

impl Tables {
    fn of(key: &ColorKey, opacity: f64) -> Self {
        let [y, cb, cr] = ycc(key.color);
        let square = cb * cb + cr * cr;
        let straight = (WEAK_CHROMA / square.sqrt()).min(0.4);
        // The distance of (u, v) is kept in variable 0.
        let distance = |u: &str, v: &str| {
            let along = |a: f64, b: f64| format!("({u}-128)*{:.8}+({v}-128)*{:.8}", a / square, b / square);
            format!(
                "st(0,1-({}));st(0,max(ld(0),(ld(0)+{SLOPE}*abs({}))/{:.6}))",
                along(cb, cr),
                along(cr, -cb),
                1.0 + SLOPE * straight
            )
        };
        let chroma = |u: &str, v: &str, of_key: f64| {
            let of_key = 128.0 + of_key;
            let front = format!("round(clip({of_key:.4}+(x-{of_key:.4})/ld(0),1,254))");
            format!("{};if(gte(ld(0),1),x,if(lt(ld(0),{MIN_ALPHA}),128,{front}))", distance(u, v))
        };
        let front = format!("round(clip({y:.4}+(x-{y:.4})*255/y,16,235))");
        let low = key.tolerance_percent / 100.0;
        let high = (low + (1.0 - low) * key.softness_percent / 100.0).max(low + 1.0 / 255.0);
        let alpha = format!("clip((x/255-{low:.6})/{:.6},0,1)*{opacity:.6}", high - low);
        Self {
            distance: format!("{};round(255*clip(ld(0),0,1))", distance("x", "y")),
            luma: format!("if(gte(y,255),x,if(lt(y,{:.2}),16,{front}))", MIN_ALPHA * 255.0),
            cb: chroma("x", "y", cb),
            cr: chroma("y", "x", cr),
            of_own_alpha: format!("round(y*{alpha})"),
            alpha: format!("round(255*{alpha})"),
        }
    }
}
