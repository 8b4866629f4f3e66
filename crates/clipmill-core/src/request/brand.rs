//! A user's brand: files, colours and a caption style that they use again and again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::color;
use super::preview::read_body;
use super::reader::{Fields, MAX_TIMESTAMP_LENGTH, Node};
use super::url::upload_id;
use super::{Policy, RequestError};
use crate::message;
use crate::subtitle::CaptionPreset;

const MAX_FONTS: usize = 10;
const MAX_COLORS: usize = 20;

/// Files are `upload://` URLs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Brand {
    pub logo: Option<String>,
    pub fonts: Vec<String>,
    pub colors: Vec<String>,
    pub intro: Option<String>,
    pub outro: Option<String>,
    /// The name of a caption style.
    pub caption_preset: Option<String>,
}

impl Brand {
    /// The IDs of its uploads, with their places.
    pub fn uploads(&self) -> Vec<(String, &str)> {
        let single = [("/logo", &self.logo), ("/intro", &self.intro), ("/outro", &self.outro)];
        let single = single.into_iter().filter_map(|(path, url)| Some((path.to_owned(), url.as_ref()?)));
        let fonts = self.fonts.iter().enumerate().map(|(index, url)| (format!("/fonts/{index}"), url));
        single.chain(fonts).filter_map(|(path, url)| Some((path, upload_id(url)?))).collect()
    }
}

pub fn parse_brand(body: &[u8], policy: &Policy) -> Result<Brand, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let logo = upload(fields.get("logo"));
        let fonts = fields.get("fonts").array_or_empty(MAX_FONTS, upload);
        let colors = fields.get("colors").array_or_empty(MAX_COLORS, color);
        let (intro, outro) = (upload(fields.get("intro")), upload(fields.get("outro")));
        let presets = CaptionPreset::NAMES.map(|name| (name, name));
        let caption_preset = fields.get("captionPreset").choice(&presets).map(str::to_owned);
        // A client may send the brand back as it was read.
        fields.get("updateTime").text(MAX_TIMESTAMP_LENGTH);
        let (fonts, colors) = (fonts.unwrap_or_default(), colors.unwrap_or_default());
        Some(Brand { logo, fonts, colors, intro, outro, caption_preset })
    })
}

fn upload(node: Node) -> Option<String> {
    match node.value? {
        Value::String(text) if upload_id(text).is_some() => Some(text.clone()),
        _ => node.refuse(message::upload_url_invalid(), None),
    }
}

fn color(node: Node) -> Option<String> {
    match node.value? {
        Value::String(text) if color::parse(text).is_some() => Some(text.clone()),
        _ => node.refuse(message::not_a_colour(), Some(message::allowed_values(color::ALLOWED))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brand_has_uploads_colours_and_a_caption_style() {
        let policy = Policy::default();
        let text = br##"{"logo":"upload://a","fonts":["upload://b"],"colors":["#FFF","#1B1B2F80"],
            "outro":"upload://c","captionPreset":"karaoke","intro":null,"updateTime":"2026-11-21T05:10:02.511Z"}"##;
        let brand = parse_brand(text, &policy).unwrap();
        assert_eq!(brand.colors, ["#FFF", "#1B1B2F80"]);
        assert_eq!(brand.caption_preset.as_deref(), Some("karaoke"));
        let uploads: Vec<_> = brand.uploads().into_iter().map(|(path, id)| format!("{path} {id}")).collect();
        assert_eq!(uploads, ["/logo a", "/outro c", "/fonts/0 b"]);
        assert_eq!(parse_brand(b"{}", &policy), Ok(Brand::default()));
        let wrong = br##"{"logo":"https://a.example/x","fonts":["upload://b",5],"colors":["red"],
            "intro":"upload://a/b","captionPreset":"comic"}"##;
        let Err(RequestError::Invalid { errors, .. }) = parse_brand(wrong, &policy) else { panic!() };
        let paths: Vec<_> = errors.into_iter().map(|error| error.path).collect();
        assert_eq!(paths, ["/logo", "/fonts/1", "/colors/0", "/intro", "/captionPreset"]);
    }
}
