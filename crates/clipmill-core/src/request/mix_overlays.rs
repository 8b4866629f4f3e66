//! Overlays of a mix: which fields belong to images and which to texts.

use serde_json::{Map, Value, json};

use super::form::{Form, Member, Wire};
use super::model::{Anchor, Overlay, OverlayContent, OverlayPlace, SubtitleStyle};
use super::reader::{Fields, Node};
use crate::message;

const OF_IMAGES: [&str; 3] = ["url", "width", "opacity"];
const OF_TEXTS: [&str; 4] = ["text", "texts", "maxWidth", "style"];
/// Fields of styles that have no effect on overlays.
pub(super) const OF_CAPTIONS: [&str; 7] =
    ["bottom", "place", "highlight", "words", "motion", "maxWords", "maxWidth"];

impl Form for Overlay {
    fn read_fields(fields: &mut Fields) -> Option<Self> {
        let kind = fields.need("type").choice(&[("image", true), ("text", false)]);
        let image = read_image(fields, kind == Some(true));
        let text = read_text(fields, kind == Some(false));
        let place: Option<Option<OverlayPlace>> = fields.take("place");
        let margin_percent = fields.take("margin");
        let (start_s, end_s): (Option<f64>, Option<Option<f64>>) = (fields.take("start"), fields.take("end"));
        if let (Some(start), Some(Some(end))) = (start_s, end_s)
            && end <= start
        {
            fields.refuse("end", message::ends_before(start), Some(message::allowed_above(start)));
        }
        let is_image = kind?;
        for name in if is_image { &OF_TEXTS[..] } else { &OF_IMAGES } {
            if fields.has(name) {
                fields.warn_of(name, message::only_for(if is_image { "text" } else { "image" }));
            }
        }
        let usual = if is_image { Anchor::TopRight } else { Anchor::Middle };
        Some(Self {
            shown: if is_image { image? } else { text? },
            place: place?.unwrap_or(OverlayPlace::At(usual)),
            margin_percent: margin_percent?,
            start_s: start_s?,
            end_s: end_s?,
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
    }
}

/// Reads all fields of images, which are required only if the overlay `is_one`.
fn read_image(fields: &mut Fields, is_one: bool) -> Option<OverlayContent> {
    let url = if is_one { String::read(fields.need("url")) } else { String::read(fields.get("url")) };
    let (width_percent, opacity_percent): (Option<f64>, Option<f64>) =
        (fields.take("width"), fields.take("opacity"));
    if is_one && (width_percent == Some(0.0) || opacity_percent == Some(0.0)) {
        fields.warn(message::nothing_is_seen());
    }
    Some(OverlayContent::Image {
        url: url?,
        width_percent: width_percent?,
        opacity_percent: opacity_percent?,
    })
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
