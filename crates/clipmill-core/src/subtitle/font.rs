//! What the layout needs to know about fonts; whoever can open font files tells it.

use crate::fonts::CaptionFont;
use crate::message::{self, Message};
use crate::request::model::{SubtitleStyle, Weight};

/// Metrics of the caption font, in em unless said otherwise.
pub trait FontMetrics {
    /// The family by which the renderer finds the font, e.g. `Noto Sans CJK SC`.
    fn family(&self) -> &str;

    /// Names the font file's content, so that a new version of the font gives new segments.
    fn identity(&self) -> &str;

    /// The ASS font size that draws an em of one pixel.
    fn em_to_ass(&self) -> f64;

    /// Height of a line above the baseline, as the renderer lays it out; positive.
    fn ascent(&self) -> f64;

    /// Depth of a line below the baseline, as the renderer lays it out; positive.
    fn descent(&self) -> f64;

    /// How far a character moves on where it stands alone; `None` if no installed font can draw it.
    fn advance(&self, c: char) -> Option<f64>;

    /// A line of text cut into what is drawn together: letters with their marks, ligatures, pictures put together of
    /// several. In the order of the text; nothing overlaps. Without knowledge of that, every character by itself.
    fn clusters(&self, text: &str) -> Vec<Cluster> {
        let advance = |c| if is_invisible(c) { 0.0 } else { self.advance(c).unwrap_or(UNKNOWN_ADVANCE) };
        text.char_indices().map(|(at, c)| Cluster { at, advance: advance(c) }).collect()
    }

    /// Another of the catalogue's fonts (`None` is this one), in this weight; `None` where this machine lacks it.
    fn variant(&self, _font: Option<CaptionFont>, _weight: Weight) -> Option<&dyn FontMetrics> {
        None
    }

    /// Names the font that [`FontMetrics::is_emoji`] goes by; `None` without one.
    fn emoji_font(&self) -> Option<&str> {
        None
    }

    /// Whether characters that are seen as one are drawn as one coloured picture.
    fn is_emoji(&self, _grapheme: &str) -> bool {
        false
    }

    /// The other font that draws `c` where this one cannot.
    fn substitute(&self, _c: char) -> Option<Substitute> {
        None
    }
}

/// The font that a style is drawn in: the one it names where that is installed, else `font`.
pub(super) fn font_of<'a>(style: &SubtitleStyle, font: &'a dyn FontMetrics) -> &'a dyn FontMetrics {
    if style.font.is_none() && style.weight == Weight::Regular {
        return font;
    }
    font.variant(style.font, style.weight).unwrap_or(font)
}

/// What to say where a style names a font that this machine lacks.
pub fn not_installed(style: &SubtitleStyle, font: &dyn FontMetrics) -> Option<Message> {
    let named = style.font.filter(|named| font.variant(Some(*named), style.weight).is_none())?.entry();
    Some(message::font_not_installed(named.name, named.family, named.package))
}

/// The width drawn in place of a character that no font has.
pub const UNKNOWN_ADVANCE: f64 = 1.0;

/// Characters that are drawn together: where the first begins in the text, and how far all of them move on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    pub at: usize,
    pub advance: f64,
}

/// A font that steps in for characters the caption font lacks; fields as in [`FontMetrics`].
#[derive(Debug, Clone, PartialEq)]
pub struct Substitute {
    pub family: String,
    pub identity: String,
    pub em_to_ass: f64,
    pub descent: f64,
}

/// Characters that shape their neighbours and are never drawn themselves: no font need have them.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Emoji and other pictures: left out where no font draws them. An empty box in the place of a letter says
/// that a letter is missing; in the place of a smile it only spoils the picture.
pub(super) fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}
