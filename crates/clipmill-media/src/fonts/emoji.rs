//! Emoji as coloured images from a font, which the text renderer cannot draw.

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::{LazyLock, Mutex, PoisonError};

use clipmill_core::media::Size;
use clipmill_core::subtitle::is_emoji;
use fontdb::{Database, ID};
use png::{ColorType, Transformations};
use ttf_parser::{GlyphId, RasterImageFormat};

use super::face::{Face, with_face};
use super::shaping::Shaper;

const FAMILY: &str = "Noto Color Emoji";
/// Part of the identity, because ffmpeg converts the palettes of PNG files slightly differently.
const HANDED_OVER_AS: &str = "rgba";
/// How many results are kept; there are fewer emoji.
const MAX_KNOWN: usize = 8192;

/// An emoji as 8-bit RGBA, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmojiImage {
    pub size: Size,
    pub rgba: Vec<u8>,
}

impl EmojiImage {
    fn of_png(data: &[u8]) -> Option<Self> {
        let mut decoder = png::Decoder::new(Cursor::new(data));
        decoder.set_transformations(
            Transformations::EXPAND | Transformations::STRIP_16 | Transformations::ALPHA,
        );
        let mut reader = decoder.read_info().ok()?;
        let mut pixels = vec![0; reader.output_buffer_size()?];
        let frame = reader.next_frame(&mut pixels).ok()?;
        pixels.truncate(frame.buffer_size());
        let rgba = match frame.color_type {
            ColorType::Rgba => pixels,
            ColorType::GrayscaleAlpha => {
                let all = pixels.chunks_exact(2);
                all.flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]).collect()
            }
            _ => return None,
        };
        Some(Self { size: Size::new(frame.width, frame.height), rgba })
    }
}

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
        let identity = format!("{} {HANDED_OVER_AS}", Face::identity_of(&database, id));
        Some(Self { database, id, shaper, identity, known: Mutex::default() })
    }

    /// Identifies the font file's content, and its conversion here.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Whether the font has an image for characters that are perceived as one.
    pub fn has(&self, grapheme: &str) -> bool {
        is_emoji(grapheme) && self.glyph(grapheme).is_some()
    }

    pub fn image(&self, grapheme: &str) -> Option<EmojiImage> {
        let glyph = self.glyph(grapheme)?;
        with_face(&self.database, self.id, |face| {
            let image = face.glyph_raster_image(glyph, u16::MAX)?;
            (image.format == RasterImageFormat::PNG).then(|| EmojiImage::of_png(image.data))?
        })?
    }

    fn glyph(&self, grapheme: &str) -> Option<GlyphId> {
        // A panicking thread leaves the table in a valid state.
        let mut cache = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(glyph) = cache.get(grapheme) {
            return *glyph;
        }
        let glyph_id = self.shaper.only_glyph(grapheme).filter(|glyph| {
            let raster = |face: &ttf_parser::Face<'_>| face.glyph_raster_image(*glyph, u16::MAX).is_some();
            with_face(&self.database, self.id, raster) == Some(true)
        });
        if cache.len() >= MAX_KNOWN {
            cache.clear();
        }
        cache.insert(grapheme.to_owned(), glyph_id);
        glyph_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_are_distinguished_from_letters() {
        let font = EmojiFont::installed().expect("install the package fonts-noto-color-emoji");
        for emoji in ["😀", "❤️", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪", "1️⃣", "⭐", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
        {
            assert!(font.has(emoji), "{emoji}");
            let EmojiImage { size, rgba } = font.image(emoji).expect(emoji);
            assert_eq!(rgba.len(), 4 * (size.width * size.height) as usize, "{emoji}");
            // Transparent at a corner, and not everywhere.
            assert!(rgba[3] == 0 && rgba.chunks_exact(4).any(|pixel| pixel[3] == 255), "{emoji}");
        }
        for letter in ["a", "1", "国", "❤", "☺\u{fe0e}", "#", "\u{200d}", "", "©"] {
            assert!(!font.has(letter), "{letter:?}");
        }
    }
}
