//! Colours and pixel formats of a source, and their conversion to the output's.

use crate::filter_graph::Filter;
use crate::media::{ColorInfo, ImageProfile, RgbProfile, Size, ToneCurve, VideoInfo};

/// Planar formats for a source with alpha: without the alpha channel and with it.
pub(crate) fn planes(pix_fmt: &str) -> (&'static str, &'static str) {
    match planar_format(pix_fmt) {
        Some("gbrp") => ("gbrp", "gbrap"),
        Some("gbrp10le") => ("gbrp10le", "gbrap10le"),
        Some("yuv444p10le") => ("yuv444p10le", "yuva444p10le"),
        _ => ("yuv444p", "yuva444p"),
    }
}

/// A format that the scaler can read, for sources whose own format it cannot (packed, with alpha, grey). For those with
/// alpha, all planes have the same size.
pub(crate) fn planar_format(pix_fmt: &str) -> Option<&'static str> {
    match pix_fmt {
        "rgb24" | "bgr24" | "rgba" | "bgra" | "argb" | "abgr" | "rgb0" | "bgr0" | "0rgb" | "0bgr"
        | "pal8" | "gbrap" | "rgb48le" | "rgb48be" | "bgr48le" | "rgb555le" | "rgb565le" => Some("gbrp"),
        "rgba64le" | "rgba64be" | "bgra64le" | "gbrap10le" | "gbrap12le" | "gbrap16le" => Some("gbrp10le"),
        "yuyv422" | "uyvy422" | "yvyu422" => Some("yuv422p"),
        "yuva420p" | "yuva422p" | "yuva444p" | "gray" | "gray8" | "ya8" | "monob" | "monow" | "nv24" => {
            Some("yuv444p")
        }
        "yuva444p10le" | "yuva444p12le" | "yuva444p16le" | "yuva422p10le" | "yuva422p12le"
        | "yuva420p10le" | "ya16le" | "ya16be" | "gray10le" | "gray12le" | "gray16le" | "gray16be" => {
            Some("yuv444p10le")
        }
        "p010le" => Some("yuv420p10le"),
        "nv12" | "nv21" => Some("yuv420p"),
        "yuv411p" | "yuv410p" => Some("yuv422p"),
        _ => None,
    }
}

/// SMPTE 240M by its number in ITU-T H.273, because ffmpeg 5.1 misspells the name.
const SMPTE240M: &str = "7";

/// Colours of the input by zimg's names, with the guesses that players make when a file does not say.
pub(crate) struct Color<'a> {
    matrix: &'a str,
    transfer: Option<&'a str>,
    primaries: Option<&'a str>,
    chroma_location: Option<&'a str>,
    pub full: bool,
    /// Whether the file does not state its matrix.
    guessed: bool,
    /// The profile of an image, if its colours are not those of sRGB.
    pub profile: Option<&'a RgbProfile>,
    has_alpha: bool,
}

/// Whether video of this coded size has the colours of BT.601 unless it states otherwise, by the rule of mpv, with
/// which VLC and Chromium agree for all common sizes.
fn is_standard_definition(coded: Size) -> bool {
    coded.width < 1280 && coded.height <= 576
}

impl<'a> Color<'a> {
    pub fn of(video: &'a VideoInfo) -> Self {
        let ColorInfo { matrix, primaries, transfer, full_range, chroma_location, profile } = &video.color;
        let rgb = planar_format(&video.pix_fmt).unwrap_or(&video.pix_fmt).starts_with("gbr");
        let guess = if is_standard_definition(video.coded) { "170m" } else { "709" };
        let matrix = match matrix.as_deref() {
            _ if rgb => "gbr",
            Some("bt709") => "709",
            Some("bt470bg") => "470bg",
            Some("smpte170m") => "170m",
            Some("smpte240m") => SMPTE240M,
            Some("fcc") => "fcc",
            Some("bt2020nc") => "2020_ncl",
            Some("bt2020c") => "2020_cl",
            Some("ycgco") => "ycgco",
            _ => guess,
        };
        let full = full_range.unwrap_or(rgb || video.pix_fmt.starts_with("yuvj"));
        let guessed = video.color.matrix.is_none();
        let (transfer, primaries) = (transfer.as_deref(), primaries.as_deref());
        let chroma_location = chroma_location.as_deref();
        let has_alpha = video.has_alpha();
        let color =
            Self { matrix, transfer, primaries, chroma_location, full, guessed, profile: None, has_alpha };
        match profile {
            ImageProfile::Rgb(profile) if !color.is_hdr() => Self { profile: Some(profile), ..color },
            _ => color,
        }
    }

    fn is_hdr(&self) -> bool {
        matches!(self.transfer, Some("smpte2084" | "arib-std-b67"))
    }

    /// The matrix by swscale's names; `None` for RGB. A still image that does not state its matrix has BT.601's.
    pub fn swscale_matrix(&self, still: bool) -> Option<&'static str> {
        match self.matrix {
            "gbr" => None,
            "709" if self.guessed && still => Some("bt601"),
            "709" => Some("bt709"),
            SMPTE240M => Some("smpte240m"),
            "fcc" => Some("fcc"),
            "2020_ncl" | "2020_cl" => Some("bt2020"),
            _ => Some("bt601"),
        }
    }

    fn is_wide(&self) -> bool {
        self.primaries == Some("bt2020")
    }

    /// Filters that scale to `to` in the output's colours.
    pub fn converted(&self, to: Size) -> Vec<Filter> {
        match self.profile {
            Some(profile) => self.converted_by(profile, to),
            None if self.is_hdr() => self.tone_mapped(to),
            None => vec![self.scale_to_709(to)],
        }
    }

    /// Converts an image by its profile, after scaling. Colours that are multiplied by alpha are divided by it for that.
    fn converted_by(&self, profile: &RgbProfile, to: Size) -> Vec<Filter> {
        let same = |filter: Filter| {
            filter.arg("primariesin", 709).arg("transferin", 709).arg("primaries", 709).arg("transfer", 709)
        };
        let alpha = |name| self.has_alpha.then(|| Filter::new(name).arg("inplace", 1));
        let to_rgb = same(self.zscale(to)).arg("matrix", "gbr").arg("range", "full");
        let to_709 =
            Filter::new("zscale").arg("rangein", "full").arg("matrixin", "gbr").arg("chromal", "left");
        let to_709 = same(to_709).arg("matrix", 709).arg("range", "limited");
        [to_rgb]
            .into_iter()
            .chain([Filter::new("format").arg("pix_fmts", self.deep_rgb())])
            .chain(alpha("unpremultiply"))
            .chain(to_srgb(profile))
            .chain(alpha("premultiply"))
            .chain([to_709])
            .collect()
    }

    /// Planar RGB in which linear light has enough steps.
    pub fn deep_rgb(&self) -> &'static str {
        if self.has_alpha { "gbrap16le" } else { "gbrp16le" }
    }

    fn zscale(&self, to: Size) -> Filter {
        let filter = Filter::new("zscale")
            .arg("w", to.width)
            .arg("h", to.height)
            .arg("filter", "bicubic")
            .arg("rangein", if self.full { "full" } else { "limited" })
            .arg("matrixin", self.matrix)
            // Chroma is moved if the source states another position (JPEG, MPEG-1, BT.2020).
            .arg("chromal", "left");
        // `scale` in ffmpeg 9 drops this tag from frames.
        match self.chroma_location {
            Some(location) => filter.arg("chromalin", location),
            None => filter,
        }
    }

    /// Converts primaries only if the difference is visible (BT.2020), because that conversion is slow.
    fn scale_to_709(&self, to: Size) -> Filter {
        let filter = self.zscale(to);
        let filter = if self.is_wide() {
            filter
                .arg("primariesin", 2020)
                .arg("transferin", "2020_10")
                .arg("primaries", 709)
                .arg("transfer", 709)
        } else {
            filter.arg("primariesin", 709).arg("transferin", 709).arg("primaries", 709).arg("transfer", 709)
        };
        filter.arg("matrix", 709).arg("range", "limited")
    }

    /// Converts high dynamic range to BT.709: linear light, BT.709 primaries, a roll-off of the highlights. White is at 203
    /// nits (ITU-R BT.2408) and stays white, as in video of standard range beside it; only what is brighter is compressed.
    fn tone_mapped(&self, to: Size) -> Vec<Filter> {
        let transfer = if self.transfer == Some("smpte2084") { "smpte2084" } else { "arib-std-b67" };
        vec![
            self.zscale(to)
                .arg("primariesin", if self.is_wide() { "2020" } else { "709" })
                .arg("transferin", transfer)
                .arg("transfer", "linear")
                .arg("primaries", 709)
                .arg("npl", 203),
            Filter::new("format").arg("pix_fmts", "gbrpf32le"),
            Filter::new("tonemap").arg("tonemap", "mobius").arg("param", 0.9).arg("desat", 0),
            Filter::new("zscale").arg("transfer", 709).arg("matrix", 709).arg("range", "limited"),
        ]
    }
}

/// Converts RGB by a profile to sRGB. Linear light is halved in between, because the mixer takes no factor above 2.
pub(crate) fn to_srgb(profile: &RgbProfile) -> [Filter; 3] {
    let table = |expression: &str| {
        let filter = Filter::new("lutrgb").arg("r", expression).arg("g", expression);
        filter.arg("b", expression)
    };
    let linear = match profile.curve {
        ToneCurve::Srgb => {
            "if(lte(val/maxval,0.04045),val/12.92,maxval*pow((val/maxval+0.055)/1.055,2.4))".to_owned()
        }
        ToneCurve::Gamma(thousandths) => {
            format!("maxval*pow(val/maxval,{})", f64::from(thousandths) / 1000.0)
        }
    };
    const PARTS: [[&str; 3]; 3] = [["rr", "rg", "rb"], ["gr", "gg", "gb"], ["br", "bg", "bb"]];
    let parts = PARTS.into_iter().flatten().zip(profile.to_srgb.into_iter().flatten());
    let half = |part: i32| f64::from(part) / f64::from(2 * RgbProfile::UNIT);
    let mixer =
        parts.fold(Filter::new("colorchannelmixer"), |mixer, (name, part)| mixer.arg(name, half(part)));
    let light = "min(2*val/maxval,1)";
    let gamma = format!("maxval*if(lte({light},0.0031308),12.92*{light},1.055*pow({light},1/2.4)-0.055)");
    [table(&linear), mixer, table(&gamma)]
}
