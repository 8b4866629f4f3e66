//! Overlays of a mix: which fields belong to images, videos and texts.

use serde_json::{Map, Value, json};

use super::form::{Form, Member, Wire};
use super::model::{
    Anchor, ColorKey, Overlay, OverlayContent, OverlayMotion, OverlayMotions, OverlayPlace, Rgba,
    SubtitleStyle, VideoLayer,
};
use super::reader::{Fields, Node};
use crate::message;

const OF_FILES: [&str; 3] = ["url", "width", "opacity"];
const OF_VIDEOS: [&str; 3] = ["loop", "volume", "key"];
const OF_TEXTS: [&str; 4] = ["text", "texts", "maxWidth", "style"];
/// The least difference between the channels of a key colour.
const MIN_COLOUR: u8 = 48;
/// Fields of styles that have no effect on overlays.
pub(super) const OF_CAPTIONS: [&str; 7] =
    ["bottom", "place", "highlight", "words", "motion", "maxWords", "maxWidth"];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Image,
    Video,
    Text,
}

impl Kind {
    /// The fields that have no effect on overlays of this type, with a type that has them.
    fn without_effect(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let (of_files, of_videos, of_texts) = match self {
            Self::Image => (&[][..], &OF_VIDEOS[..], &OF_TEXTS[..]),
            Self::Video => (&[][..], &[][..], &OF_TEXTS[..]),
            Self::Text => (&OF_FILES[..], &OF_VIDEOS[..], &[][..]),
        };
        let named = |names: &'static [&'static str], kind| names.iter().map(move |name| (*name, kind));
        named(of_files, "image").chain(named(of_videos, "video")).chain(named(of_texts, "text"))
    }
}

impl Form for Overlay {
    fn read_fields(fields: &mut Fields) -> Option<Self> {
        let kinds = [("image", Kind::Image), ("video", Kind::Video), ("text", Kind::Text)];
        let kind = fields.need("type").choice(&kinds);
        let file = read_file(fields, matches!(kind, Some(Kind::Image | Kind::Video)));
        let (looped, volume_percent): (Option<bool>, Option<u32>) =
            (fields.take("loop"), fields.take("volume"));
        let key: Option<Option<ColorKey>> = fields.take("key");
        let text = read_text(fields, kind == Some(Kind::Text));
        let place: Option<Option<OverlayPlace>> = fields.take("place");
        let margin_percent = fields.take("margin");
        let (start_s, end_s): (Option<f64>, Option<Option<f64>>) = (fields.take("start"), fields.take("end"));
        if let (Some(start), Some(Some(end))) = (start_s, end_s)
            && end <= start
        {
            fields.refuse("end", message::ends_before(start), Some(message::allowed_above(start)));
        }
        let motions = read_motions(fields);
        let kind = kind?;
        for (name, of) in kind.without_effect() {
            if fields.has(name) {
                fields.warn_of(name, message::only_for(of));
            }
        }
        let usual = if kind == Kind::Text { Anchor::Middle } else { Anchor::TopRight };
        Some(Self {
            shown: match kind {
                Kind::Image => {
                    let (url, width_percent, opacity_percent) = file?;
                    OverlayContent::Image { url, width_percent, opacity_percent }
                }
                Kind::Video => {
                    let (url, width_percent, opacity_percent) = file?;
                    let (looped, volume_percent, key) = (looped?, volume_percent?, key?);
                    OverlayContent::Video(VideoLayer {
                        url,
                        width_percent,
                        opacity_percent,
                        looped,
                        volume_percent,
                        key,
                    })
                }
                Kind::Text => text?,
            },
            place: place?.unwrap_or(OverlayPlace::At(usual)),
            margin_percent: margin_percent?,
            start_s: start_s?,
            end_s: end_s?,
            motions: motions?,
        })
    }

    fn write_fields(&self, object: &mut Map<String, Value>) {
        match &self.shown {
            OverlayContent::Image { url, width_percent, opacity_percent } => {
                object.insert("type".to_owned(), json!("image"));
                url.put("url", object);
                width_percent.put("width", object);
                opacity_percent.put("opacity", object);
            }
            OverlayContent::Video(layer) => {
                object.insert("type".to_owned(), json!("video"));
                layer.url.put("url", object);
                layer.width_percent.put("width", object);
                layer.opacity_percent.put("opacity", object);
                layer.looped.put("loop", object);
                layer.volume_percent.put("volume", object);
                layer.key.put("key", object);
            }
            OverlayContent::Text { texts, style, max_width_percent } => {
                object.insert("type".to_owned(), json!("text"));
                match texts.as_slice() {
                    [text] => text.put("text", object),
                    _ => texts.put("texts", object),
                }
                style.put("style", object);
                max_width_percent.put("maxWidth", object);
            }
        }
        self.place.put("place", object);
        self.margin_percent.put("margin", object);
        self.start_s.put("start", object);
        self.end_s.put("end", object);
        let OverlayMotions { enter, enter_s, leave, leave_s } = self.motions;
        for (motion, name, seconds_s, seconds) in
            [(enter, "enter", enter_s, "enterSeconds"), (leave, "leave", leave_s, "leaveSeconds")]
        {
            if motion != OverlayMotion::None {
                motion.put(name, object);
                seconds_s.put(seconds, object);
            }
        }
    }
}

/// How the overlay enters and leaves. Seconds without a motion are left out.
fn read_motions(fields: &mut Fields) -> Option<OverlayMotions> {
    let usual = OverlayMotions::default();
    let mut read = |name: &'static str, seconds: &'static str, usual_s: f64| {
        let motion: Option<OverlayMotion> = fields.take(name);
        let seconds_s: Option<f64> = fields.take(seconds);
        if motion == Some(OverlayMotion::None) {
            if fields.has(seconds) {
                fields.warn_of(seconds, message::only_with(name));
            }
            return Some((OverlayMotion::None, usual_s));
        }
        Some((motion?, seconds_s?))
    };
    let entering = read("enter", "enterSeconds", usual.enter_s);
    let leaving = read("leave", "leaveSeconds", usual.leave_s);
    let ((enter, enter_s), (leave, leave_s)) = (entering?, leaving?);
    Some(OverlayMotions { enter, enter_s, leave, leave_s })
}

/// Reads the URL, the width and the opacity of a file. The URL is required only if the overlay shows one.
fn read_file(fields: &mut Fields, is_one: bool) -> Option<(String, f64, f64)> {
    let url = if is_one { String::read(fields.need("url")) } else { String::read(fields.get("url")) };
    let (width_percent, opacity_percent): (Option<f64>, Option<f64>) =
        (fields.take("width"), fields.take("opacity"));
    if is_one && (width_percent == Some(0.0) || opacity_percent == Some(0.0)) {
        fields.warn(message::nothing_is_seen());
    }
    Some((url?, width_percent?, opacity_percent?))
}

/// A grey has no colour that distinguishes it from what is in front of it.
pub(super) fn check_key(fields: &mut Fields, key: Option<ColorKey>) -> Option<ColorKey> {
    let Rgba { r, g, b, .. } = key?.color;
    if r.max(g).max(b) - r.min(g).min(b) < MIN_COLOUR {
        fields.refuse("color", message::key_is_grey(), None);
        return None;
    }
    key
}

/// Reads all fields of texts, which are required only if the overlay `is_one`.
fn read_text(fields: &mut Fields, is_one: bool) -> Option<OverlayContent> {
    let (one, several) = (fields.has("text"), fields.has("texts"));
    if is_one && one && several {
        fields.refuse("texts", message::one_of_both("text"), None);
    }
    if is_one && !one && !several {
        fields.refuse("text", message::is_required_or("texts"), None);
    }
    let text: Option<Option<String>> = fields.take("text");
    let texts: Option<Vec<String>> = fields.take("texts");
    let max_width_percent = fields.take("maxWidth");
    let style: Option<SubtitleStyle> = fields.take("style");
    let of_captions = OF_CAPTIONS.into_iter().any(|name| fields.member_of("style", name).is_some());
    if is_one && of_captions && style.as_ref().is_some_and(is_for_captions) {
        fields.warn_of("style", message::not_of_overlays());
    }
    let texts = text?.map_or(texts?, |text| vec![text]);
    Some(OverlayContent::Text { texts, style: style?, max_width_percent: max_width_percent? })
}

/// Whether the style sets the position, the motion or the words of captions.
pub(super) fn is_for_captions(style: &SubtitleStyle) -> bool {
    let of_captions = |style: &SubtitleStyle| {
        let SubtitleStyle { bottom, place, highlight, words, motion, max_words, max_width_percent, .. } =
            *style;
        (bottom, place, highlight, words, motion, max_words, max_width_percent)
    };
    of_captions(style) != of_captions(&SubtitleStyle::DEFAULT)
}

impl Wire for OverlayPlace {
    fn read(node: Node) -> Option<Self> {
        match node.value? {
            Value::Object(_) => node.object(|fields| {
                let (x, y) = (fields.take("x"), fields.take("y"));
                Some(Self::Around { x: x?, y: y? })
            })?,
            _ => Anchor::read(node).map(Self::At),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::At(anchor) => anchor.write(),
            Self::Around { x, y } => json!({ "x": x, "y": y }),
        }
    }
}
