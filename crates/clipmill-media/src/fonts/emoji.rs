//! Emoji as coloured pictures from a font, which the text renderer cannot draw.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use fontdb::{Database, ID};
use ttf_parser::{GlyphId, RasterImageFormat};
use unicode_properties::UnicodeEmoji;
use unicode_properties::emoji::EmojiStatus;

use super::face::{Face, with_face};
use super::shaping::Shaper;

const FAMILY: &str = "Noto Color Emoji";
/// Requests a picture for a character that has both forms.
const AS_PICTURE: char = '\u{fe0f}';
/// Requests the text form.
const AS_TEXT: char = '\u{fe0e}';
/// How many results are kept; there are fewer emoji.
const MAX_KNOWN: usize = 8192;

/// The installed font of emoji.
pub struct EmojiFont {
    database: Database,
    id: ID,
    shaper: Shaper,
    identity: String,
    known: Mutex<HashMap<String, Option<GlyphId>>>,
}

impl EmojiFont {
    /// The system's emoji font; `None` if there is none.
    pub fn installed() -> Option<&'static Self> {
        static INSTALLED: LazyLock<Option<EmojiFont>> = LazyLock::new(|| {
            let mut database = Database::new();
            database.load_system_fonts();
            EmojiFont::of(database)
        });
        INSTALLED.as_ref()
    }

    fn of(mut database: Database) -> Option<Self> {
        let id = database.faces().find(|face| face.families.iter().any(|(name, _)| name == FAMILY))?.id;
        let others: Vec<ID> = database.faces().map(|face| face.id).filter(|other| *other != id).collect();
        others.into_iter().for_each(|other| database.remove_face(other));
        let shaper = database.with_face_data(id, |data, index| {
            Shaper::new(&ttf_parser::RawFace::parse(data, index).ok()?)
        })??;
        let identity = Face::identity_of(&database, id);
        Some(Self { database, id, shaper, identity, known: Mutex::default() })
    }

    /// Identifies the font file's content.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Whether the font has a picture for what is seen as one character.
    pub fn has(&self, grapheme: &str) -> bool {
        is_picture(grapheme) && self.glyph(grapheme).is_some()
    }

    /// The picture as a PNG file.
    pub fn png(&self, grapheme: &str) -> Option<Vec<u8>> {
        let glyph = self.glyph(grapheme)?;
        with_face(&self.database, self.id, |face| {
            let image = face.glyph_raster_image(glyph, u16::MAX)?;
            (image.format == RasterImageFormat::PNG).then(|| image.data.to_vec())
        })?
    }

    fn glyph(&self, grapheme: &str) -> Option<GlyphId> {
        // A panicking thread leaves the table in a valid state.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(glyph) = known.get(grapheme) {
            return *glyph;
        }
        let found = self.shaper.only_glyph(grapheme).filter(|glyph| {
            let raster = |face: &ttf_parser::Face<'_>| face.glyph_raster_image(*glyph, u16::MAX).is_some();
            with_face(&self.database, self.id, raster) == Some(true)
        });
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(grapheme.to_owned(), found);
        found
    }
}

/// Whether Unicode's rules show it as a picture, by itself or because of what follows.
fn is_picture(grapheme: &str) -> bool {
    let Some(first) = grapheme.chars().next() else { return false };
    let by_itself = matches!(
        first.emoji_status(),
        EmojiStatus::EmojiPresentation
            | EmojiStatus::EmojiPresentationAndModifierBase
            | EmojiStatus::EmojiPresentationAndEmojiComponent
            | EmojiStatus::EmojiPresentationAndModifierAndEmojiComponent
    );
    !grapheme.contains(AS_TEXT)
        && (by_itself || (first.is_emoji_char_or_emoji_component() && grapheme.contains(AS_PICTURE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_from_letters() {
        let font = EmojiFont::installed().expect("install the package fonts-noto-color-emoji");
        for picture in ["😀", "❤️", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪", "1️⃣", "⭐", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
        {
            assert!(font.has(picture), "{picture}");
            assert!(font.png(picture).is_some_and(|png| png.starts_with(b"\x89PNG")), "{picture}");
        }
        for letter in ["a", "1", "国", "❤", "☺\u{fe0e}", "#", "\u{200d}", "", "©"] {
            assert!(!font.has(letter), "{letter:?}");
        }
    }
}
