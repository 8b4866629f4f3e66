//! Font data for the layout, as a trait that the owner of font files implements.

use std::fmt;
use std::sync::Arc;

use crate::fonts::{CaptionFont, FontRef};
use crate::ids::ContentHash;
use crate::message::{self, Message};
use crate::subtitle::{SubtitleStyle, Weight};

/// Metrics of the caption font, in em unless stated otherwise.
pub trait FontMetrics {
    /// The family by which the renderer finds the font, such as `Noto Sans CJK SC`.
    fn family(&self) -> &str;

    /// Identifies the font file's content, so that a new version of the font gives new segments.
    fn identity(&self) -> &str;

    /// The file of the font if the client gave it; `None` for an installed font.
    fn file(&self) -> Option<&ContentHash> {
        None
    }

    /// The ASS font size at which an em is one pixel.
    fn em_to_ass(&self) -> f64;

    /// The height of a line above the baseline as the renderer lays it out; positive.
    fn ascent(&self) -> f64;

    /// The depth of a line below the baseline as the renderer lays it out; positive.
    fn descent(&self) -> f64;

    /// The advance of a character by itself; `None` if no installed font can draw it.
    fn advance(&self, c: char) -> Option<f64>;

    /// Splits a line of text into units that are drawn together: letters with their marks, ligatures, emoji of several
    /// characters. In the order of the text, without overlaps. By default every character is a unit.
    fn clusters(&self, text: &str) -> Vec<Cluster> {
        let advance = |c| if is_invisible(c) { 0.0 } else { self.advance(c).unwrap_or(UNKNOWN_ADVANCE) };
        text.char_indices().map(|(at, c)| Cluster { at, advance: advance(c) }).collect()
    }

    /// Another of the catalogue's fonts in this weight (`None` is this font); `None` if it is not installed.
    fn variant(&self, _font: Option<CaptionFont>, _weight: Weight) -> Option<&dyn FontMetrics> {
        None
    }

    /// Identifies the font that [`FontMetrics::is_emoji`] uses; `None` without one.
    fn emoji_font(&self) -> Option<&str> {
        None
    }

    /// Whether characters that are perceived as one are drawn as one coloured image.
    fn is_emoji(&self, _grapheme: &str) -> bool {
        false
    }

    /// The font that draws `c` when this one cannot.
    fn substitute(&self, _c: char) -> Option<Substitute> {
        None
    }

    /// The font that draws all characters of a grapheme cluster when this one cannot, so that it is not torn apart.
    fn substitute_for(&self, grapheme: &str) -> Option<Substitute> {
        self.substitute(grapheme.chars().find(|c| !is_invisible(*c))?)
    }

    /// The font that draws punctuation of [`western_marks`](super::western_marks), if this one draws it too wide.
    fn western(&self, _c: char) -> Option<Substitute> {
        None
    }
}

/// A font file of a client that was read.
#[derive(Clone)]
pub struct FontFile(pub Arc<dyn FontMetrics + Send + Sync>);

impl fmt::Debug for FontFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FontFile").field(&self.0.family()).finish()
    }
}

/// The font of a style: the requested one of the catalogue if it is installed, else `font`, in the requested weight.
pub(super) fn font_of<'a>(style: &SubtitleStyle, font: &'a dyn FontMetrics) -> &'a dyn FontMetrics {
    let named = style.font.as_ref().and_then(FontRef::catalogue);
    if named.is_none() && style.weight == Weight::Regular {
        return font;
    }
    font.variant(named, style.weight).unwrap_or(font)
}

/// The warning about a style whose font is not installed.
pub fn not_installed(style: &SubtitleStyle, font: &dyn FontMetrics) -> Option<Message> {
    let named = style.font.as_ref()?.catalogue()?;
    let named = Some(named).filter(|named| font.variant(Some(*named), style.weight).is_none())?.entry();
    Some(message::font_not_installed(named.name, named.family, named.package))
}

/// The width of the box drawn for a character that no font has.
pub const UNKNOWN_ADVANCE: f64 = 1.0;

/// Characters that are drawn together: where the first begins in the text, and the advance of all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    pub at: usize,
    pub advance: f64,
}

/// A font that draws characters which the caption font lacks; fields as in [`FontMetrics`].
#[derive(Debug, Clone, PartialEq)]
pub struct Substitute {
    pub family: String,
    pub identity: String,
    pub em_to_ass: f64,
    pub descent: f64,
}

/// Characters that shape their neighbours and are never drawn themselves: a font need not have them.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the character is an emoji or another pictograph, which is skipped if no font draws it. An empty box shows
/// that a letter is missing; in place of a smile it is only noise.
pub(super) fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}
