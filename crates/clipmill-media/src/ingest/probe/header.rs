//! ffprobe's JSON unchanged, with a few derived values.

use clipmill_core::media::Turn;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

use super::packets::seconds;

#[derive(Debug, Default, Deserialize)]
pub struct Header {
    #[serde(default)]
    pub streams: Vec<Stream>,
    #[serde(default)]
    pub format: Format,
}

/// Decoded frames, which ffprobe describes like streams.
#[derive(Debug, Default, Deserialize)]
pub struct Frames {
    #[serde(default)]
    pub frames: Vec<Stream>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Format {
    #[serde(default)]
    pub format_name: String,
    start_time: Option<String>,
    duration: Option<String>,
}

/// One stream. Everything is optional, because an unknown codec has an index and little else.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Stream {
    pub index: u32,
    pub codec_type: String,
    pub codec_name: String,
    pub width: u32,
    pub height: u32,
    pub pix_fmt: String,
    pub field_order: String,
    pub profile: String,
    pub codec_tag_string: String,
    chroma_location: String,
    extradata_hash: String,
    pub color_range: Option<String>,
    pub color_space: Option<String>,
    pub color_transfer: Option<String>,
    pub color_primaries: Option<String>,
    pub channels: u32,
    channel_layout: String,
    sample_rate: String,
    sample_aspect_ratio: String,
    avg_frame_rate: String,
    r_frame_rate: String,
    duration: String,
    disposition: BTreeMap<String, Value>,
    tags: BTreeMap<String, Value>,
    side_data_list: Vec<BTreeMap<String, Value>>,
}

impl Format {
    pub fn start_s(&self) -> Option<f64> {
        seconds(self.start_time.as_deref()?)
    }

    pub fn duration_s(&self) -> Option<f64> {
        seconds(self.duration.as_deref()?)
    }
}

impl Stream {
    pub fn is_default(&self) -> bool {
        self.has("default")
    }

    /// Whether it is a video; cover art and chapter thumbnails are not.
    pub fn is_video(&self) -> bool {
        self.codec_type == "video" && !self.has("attached_pic") && !self.has("timed_thumbnails")
    }

    /// Whether WebM's header declares an alpha channel beside the video.
    pub fn has_side_alpha(&self) -> bool {
        let mode = self.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("alpha_mode"));
        mode.and_then(|(_, value)| number(value)) == Some(1.0)
    }

    pub fn is_audio(&self) -> bool {
        self.codec_type == "audio"
    }

    /// Whether the colours are only in the frames: ffprobe 7 does not list those of ProRes with the stream.
    pub fn has_colours_in_frames(&self) -> bool {
        self.codec_name == "prores" && self.color_space.as_deref().is_none_or(|space| space == "unknown")
    }

    /// Takes the colours of a decoded frame.
    pub fn take_colours(&mut self, frame: Self) {
        self.color_range = frame.color_range;
        self.color_space = frame.color_space;
        self.color_transfer = frame.color_transfer;
        self.color_primaries = frame.color_primaries;
    }

    pub fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    pub fn sample_rate(&self) -> u32 {
        self.sample_rate.parse().unwrap_or(0)
    }

    /// Whether the channels are ambisonics; some have stereo beside them.
    pub fn is_ambisonic(&self) -> bool {
        self.channel_layout.starts_with("ambisonic")
    }

    /// The length from the container's index, with edits applied.
    pub fn duration_s(&self) -> Option<f64> {
        seconds(&self.duration)
    }

    /// The average rate from the header, otherwise its guess at the base rate.
    pub fn rate(&self) -> Option<f64> {
        let rate = |text| ratio(text, '/').map(|(num, den)| f64::from(num) / f64::from(den));
        rate(&self.avg_frame_rate).or_else(|| rate(&self.r_frame_rate))
    }

    /// The width to the height of one sample; (1, 1) if unknown or beyond what any camera makes.
    pub fn sample_aspect(&self) -> (u32, u32) {
        let sane = |(num, den): &(u32, u32)| {
            let (num, den) = (u64::from(*num), u64::from(*den));
            num <= den * 8 && den <= num * 8
        };
        ratio(&self.sample_aspect_ratio, ':').filter(sane).unwrap_or((1, 1))
    }

    /// The clockwise rotation, in multiples of 90 degrees, that makes the video upright. The display matrix gives it
    /// counter-clockwise; the tag of older files, clockwise.
    pub fn rotation(&self) -> u32 {
        let matrix = self.side_data_list.iter().find_map(|side_data| number(side_data.get("rotation")?));
        let tag = || number(self.tags.get("rotate")?);
        let clockwise = matrix.map(|degrees| -degrees).or_else(tag).unwrap_or(0.0);
        // `as` maps NaN to 0.
        ((clockwise / 90.0).round().rem_euclid(4.0) * 90.0) as u32
    }

    /// Where chroma samples are, if not to the left.
    pub fn chroma_location(&self) -> Option<&str> {
        const OTHERS: [&str; 5] = ["center", "topleft", "top", "bottomleft", "bottom"];
        OTHERS.into_iter().find(|location| *location == self.chroma_location)
    }

    /// Whether a display matrix turns or mirrors the frames.
    pub fn is_oriented(&self) -> bool {
        self.side_data_list.iter().any(|side_data| side_data.contains_key("rotation"))
    }

    /// The turn of the display matrix, which ffprobe prints as three numbered lines of three numbers.
    pub fn turn(&self) -> Option<Turn> {
        let side_data = self.side_data_list.iter().find(|side_data| side_data.contains_key("rotation"))?;
        let rotation = side_data.get("rotation").and_then(number)?;
        let lines = side_data.get("displaymatrix")?.as_str()?.trim().lines();
        let rows = lines.map(|line| line.split(':').nth(1).unwrap_or_default().split_whitespace());
        let numbers: Vec<i64> = rows.flatten().map_while(|number| number.parse().ok()).collect();
        match numbers[..] {
            [a, b, _, c, d, ..] => Turn::of_matrix(rotation, [a, b, c, d]),
            _ => None,
        }
    }

    /// A hash of an H.264 decoder's configuration, if the stream has the format of outputs and no side data changes how
    /// it is displayed.
    pub fn avc_configuration(&self) -> Option<&str> {
        let plain = self.codec_name == "h264"
            && self.codec_tag_string == "avc1"
            && self.profile == "High"
            && self.pix_fmt == "yuv420p"
            && self.field_order == "progressive"
            && ["", "left", "unspecified"].contains(&self.chroma_location.as_str())
            && ["", "1:1", "0:1", "N/A"].contains(&self.sample_aspect_ratio.as_str())
            && self.side_data_list.is_empty();
        self.extradata_hash.strip_prefix("murmur3:").filter(|hash| plain && hash.len() == 32)
    }

    fn has(&self, disposition: &str) -> bool {
        self.disposition.get(disposition).and_then(number) == Some(1.0)
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| seconds(value.as_str()?.trim()))
}

/// Two positive whole numbers on both sides of `sign`.
fn ratio(text: &str, sign: char) -> Option<(u32, u32)> {
    let (num, den) = text.split_once(sign)?;
    let both = (num.parse().ok()?, den.parse().ok()?);
    (both.0 > 0 && both.1 > 0).then_some(both)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(json: &str) -> Stream {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn rotation_is_clockwise_whatever_its_source() {
        let check = |json: &str, expected| assert_eq!(stream(json).rotation(), expected, "{json}");
        check(r#"{"side_data_list":[{"side_data_type":"x"},{"rotation":-90}]}"#, 90);
        check(r#"{"side_data_list":[{"rotation":90}]}"#, 270);
        check(r#"{"side_data_list":[{"rotation":-180}]}"#, 180);
        check(r#"{"side_data_list":[{"rotation":"-90.00"}]}"#, 90);
        check(r#"{"side_data_list":[{"rotation":-90}],"tags":{"rotate":"180"}}"#, 90);
        check(r#"{"tags":{"rotate":"270"}}"#, 270);
        check(r#"{"tags":{"rotate":"-90"}}"#, 270);
        check(r#"{"tags":{"rotate":"89.6"}}"#, 90);
        check(r#"{"tags":{"rotate":"round"}}"#, 0);
        check(r#"{"tags":{"rotate":"inf"}}"#, 0);
        check("{}", 0);
    }

    #[test]
    fn a_matrix_turns_as_ffmpeg_does() {
        let turn = |rotation: &str, [a, b, c, d]: [i32; 4]| {
            let [a, b, c, d] = [a, b, c, d].map(|value| value << 16);
            let rows = format!(r"\n00000000: {a} {b} 0\n00000001: {c} {d} 0\n00000002: 0 0 1073741824\n");
            let side_data = format!(r#"{{"rotation":{rotation},"displaymatrix":"{rows}"}}"#);
            stream(&format!(r#"{{"side_data_list":[{side_data}]}}"#)).turn()
        };
        assert_eq!(turn("0", [1, 0, 0, 1]), None);
        assert_eq!(turn("0", [1, 0, 0, -1]), Some(Turn::Flip));
        assert_eq!(turn("-90", [0, 1, -1, 0]), Some(Turn::Clockwise));
        assert_eq!(turn("-90", [0, 1, 1, 0]), Some(Turn::CounterClockwiseFlip));
        assert_eq!(turn("90", [0, -1, 1, 0]), Some(Turn::CounterClockwise));
        assert_eq!(turn("90", [0, -1, -1, 0]), Some(Turn::ClockwiseFlip));
        assert_eq!(turn("-180", [-1, 0, 0, -1]), Some(Turn::HalfTurn));
        assert_eq!(turn("180", [-1, 0, 0, 1]), Some(Turn::Mirror));
        assert_eq!(turn("-45", [1, 1, -1, 1]), None);
        assert_eq!(turn("\"nan\"", [1, 0, 0, 1]), None);
        assert_eq!(stream(r#"{"side_data_list":[{"rotation":90}]}"#).turn(), None);
    }

    #[test]
    fn absurd_sample_shapes_are_unknown() {
        let check = |aspect: &str, expected| {
            let stream = stream(&format!(r#"{{"sample_aspect_ratio":"{aspect}"}}"#));
            assert_eq!(stream.sample_aspect(), expected, "{aspect}");
        };
        check("64:45", (64, 45));
        check("0:1", (1, 1));
        check("N/A", (1, 1));
        check("1:9", (1, 1));
        check("4294967295:1", (1, 1));
        check("4294967296:1", (1, 1));
    }

    #[test]
    fn rates_fall_back_to_the_base_rate() {
        let check = |json: &str, expected| assert_eq!(stream(json).rate(), expected, "{json}");
        check(r#"{"avg_frame_rate":"30000/1001","r_frame_rate":"60/1"}"#, Some(30000.0 / 1001.0));
        check(r#"{"avg_frame_rate":"0/0","r_frame_rate":"100/10"}"#, Some(10.0));
        check(r#"{"avg_frame_rate":"0/0"}"#, None);
    }

    #[test]
    fn covers_are_not_video() {
        assert!(stream(r#"{"codec_type":"video","disposition":{"attached_pic":0}}"#).is_video());
        assert!(!stream(r#"{"codec_type":"video","disposition":{"attached_pic":1}}"#).is_video());
    }
}
