//! Font files of clients. They are rewritten before they are used: with a family name of their own, so that they cannot
//! replace an installed font, and with only the tables that draw text.

use clipmill_core::media::ContentHash;
use clipmill_core::message::{self, Message};
use clipmill_core::request::model::Weight;
use serde::{Deserialize, Serialize};
use ttf_parser::{Face, GlyphId, OutlineBuilder, RawFace, Tag};
use write_fonts::FontBuilder;

use super::face::{code_points, drawable};
use super::shaping::Shaper;

/// The largest font file.
pub const MAX_BYTES: u64 = 32 << 20;
/// The number of fonts of a collection that are looked at.
const MAX_FACES: u32 = 64;
/// The number of lines and curves in all glyphs together; large Chinese fonts have 5 million.
const MAX_OUTLINES: u64 = 50_000_000;
/// The number of characters that are shaped as a trial, and how many at a time.
const SHAPED: usize = 8192;
const SHAPED_AT_ONCE: usize = 64;

/// The tables that are kept. Others hold programs for hinting, variations, bitmaps, colours and signatures; none of them
/// changes how captions are drawn.
const TABLES: [&[u8; 4]; 19] = [
    b"head", b"hhea", b"maxp", b"hmtx", b"cmap", b"OS/2", b"post", b"glyf", b"loca", b"CFF ", b"CFF2",
    b"VORG", b"GDEF", b"GSUB", b"GPOS", b"kern", b"morx", b"kerx", b"vhea",
];

/// The reason why a font file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FontFault {
    /// A font for web pages, in a compressed format.
    Web,
    Unreadable,
    WithoutOutlines,
    WithoutCharacters,
    TooComplex,
    /// The text renderer does not use it.
    NotDrawn,
}

impl FontFault {
    pub fn message(self) -> Message {
        match self {
            Self::Web => message::font_of_web(),
            Self::Unreadable => message::font_unreadable(),
            Self::WithoutOutlines => message::font_without_outlines(),
            Self::WithoutCharacters => message::font_without_characters(),
            Self::TooComplex => message::font_too_complex(),
            Self::NotDrawn => message::font_not_drawn(),
        }
    }
}

/// A font of a client's file, rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewrittenFont {
    /// The family name by which the renderer finds it: the file's content hash, shortened, and the font's index in the file.
    pub family: String,
    pub data: Vec<u8>,
}

/// The font of a file for text of this weight.
pub fn rewrite(data: &[u8], content: &ContentHash, weight: Weight) -> Result<RewrittenFont, FontFault> {
    rewrite_face(data, content, index_for(data, weight)?)
}

/// The font with the family name that [`rewrite`] gave it; `None` if the file has none.
pub fn rewrite_family(data: &[u8], content: &ContentHash, family: &str) -> Option<RewrittenFont> {
    let (_, index) = family.rsplit_once('-')?;
    rewrite_face(data, content, index.parse().ok()?).ok().filter(|font| font.family == family)
}

fn rewrite_face(data: &[u8], content: &ContentHash, index: u32) -> Result<RewrittenFont, FontFault> {
    let family = format!("clipmill-{}-{index}", content.0.get(..16).unwrap_or_default());
    let face = RawFace::parse(data, index).map_err(|_| FontFault::Unreadable)?;
    let is_cut_off = |table: ttf_parser::TableRecord| {
        u64::from(table.offset) + u64::from(table.length) > data.len() as u64
    };
    if face.table_records.into_iter().any(is_cut_off) {
        return Err(FontFault::Unreadable);
    }
    let name = name_table(&family);
    let (mut font, mut total) = (FontBuilder::new(), 0);
    for tag in TABLES {
        if let Some(table) = face.table(Tag::from_bytes(tag)) {
            total += table.len() as u64;
            // Tables may share their bytes.
            if total > MAX_BYTES {
                return Err(FontFault::TooComplex);
            }
            font.add_raw(harfrust::Tag::new(tag), table);
        }
    }
    font.add_raw(harfrust::Tag::new(b"name"), &name);
    Ok(RewrittenFont { data: font.build(), family })
}

/// A `name` table with one name for everything that a renderer searches for: family, full name and PostScript name.
/// Format 0 of <https://learn.microsoft.com/typography/opentype/spec/name>.
fn name_table(name: &str) -> Vec<u8> {
    const REGULAR: &str = "Regular";
    const WINDOWS_UNICODE_ENGLISH: [u16; 3] = [3, 1, 0x409];
    let records: [(u16, &str); 4] = [(1, name), (2, REGULAR), (4, name), (6, name)];
    let (mut table, mut texts) = (Vec::new(), Vec::new());
    let mut put =
        |number: usize| table.extend_from_slice(&u16::try_from(number).unwrap_or(u16::MAX).to_be_bytes());
    put(0);
    put(records.len());
    put(6 + 12 * records.len());
    for (id, text) in records {
        WINDOWS_UNICODE_ENGLISH.into_iter().chain([id]).for_each(|number| put(number.into()));
        put(2 * text.len());
        put(texts.len());
        texts.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    }
    table.extend(texts);
    table
}

/// The index of the upright font whose weight is nearest. Of a collection with several families, the first family is used.
fn index_for(data: &[u8], weight: Weight) -> Result<u32, FontFault> {
    match data.get(..4) {
        Some(b"wOFF" | b"wOF2") => return Err(FontFault::Web),
        Some([0, 1, 0, 0] | b"true" | b"OTTO" | b"ttcf") => {}
        _ => return Err(FontFault::Unreadable),
    }
    let count = ttf_parser::fonts_in_collection(data).unwrap_or(1);
    // The parser expects that the list of fonts fits into the file.
    if u64::from(count) * 4 > data.len() as u64 {
        return Err(FontFault::Unreadable);
    }
    let wanted = match weight {
        Weight::Regular => 400,
        Weight::Bold => 700,
    };
    let first_face = Face::parse(data, 0).map_err(|_| FontFault::Unreadable)?;
    let first_family = family(&first_face);
    let distance = |index: u32| {
        let face = Face::parse(data, index).ok()?;
        let is_sibling = index == 0 || family(&face).is_some() && family(&face) == first_family;
        is_sibling.then(|| (face.is_italic(), face.weight().to_number().abs_diff(wanted), index))
    };
    Ok((0..count.min(MAX_FACES)).filter_map(distance).min().map_or(0, |(.., index)| index))
}

fn family(face: &Face<'_>) -> Option<String> {
    use ttf_parser::name_id::{FAMILY, TYPOGRAPHIC_FAMILY};
    let name =
        |id| face.names().into_iter().find(|name| name.name_id == id && name.is_unicode())?.to_string();
    name(TYPOGRAPHIC_FAMILY).or_else(|| name(FAMILY))
}

/// Reads everything in a font file that drawing text may read. The time that this takes is not bounded: fonts can be made so
/// that it never ends.
pub fn check(data: &[u8]) -> Result<(), FontFault> {
    // The parser asserts some things in debug builds.
    std::panic::catch_unwind(|| check_all(data)).unwrap_or(Err(FontFault::Unreadable))
}

/// For fuzzing: what is accepted can be opened and measured.
pub fn check_bytes(data: &[u8]) {
    let content = ContentHash("".into());
    if check_all(data).is_err() {
        return;
    }
    for weight in [Weight::Regular, Weight::Bold] {
        let font = rewrite(data, &content, weight).map(|font| font.data).unwrap_or_default();
        let shaper = RawFace::parse(&font, 0).ok().as_ref().and_then(Shaper::new);
        if let Some(shaper) = shaper {
            shaper.add_clusters("Waffle \u{644}\u{627} 中é\u{301}", 0, &mut Vec::new());
        }
    }
}

fn check_all(data: &[u8]) -> Result<(), FontFault> {
    // The name does not matter here.
    let content = ContentHash("".into());
    let regular = rewrite(data, &content, Weight::Regular)?;
    check_font(&regular.data)?;
    let bold = rewrite(data, &content, Weight::Bold)?;
    if bold == regular { Ok(()) } else { check_font(&bold.data) }
}

fn check_font(data: &[u8]) -> Result<(), FontFault> {
    let face = Face::parse(data, 0).map_err(|_| FontFault::Unreadable)?;
    drawable(&face).ok_or(FontFault::WithoutOutlines)?;
    let characters: Vec<char> = code_points(&face).into_iter().filter_map(char::from_u32).collect();
    let mut outlines = Outlines::default();
    let mut has_outline = false;
    for glyph in 0..face.number_of_glyphs() {
        has_outline |= face.outline_glyph(GlyphId(glyph), &mut outlines).is_some();
        if outlines.0 > MAX_OUTLINES {
            return Err(FontFault::TooComplex);
        }
    }
    if !has_outline {
        return Err(FontFault::WithoutOutlines);
    }
    if !characters.iter().any(|c| !c.is_whitespace() && face.glyph_index(*c).is_some_and(|glyph| glyph.0 > 0))
    {
        return Err(FontFault::WithoutCharacters);
    }
    let raw = RawFace::parse(data, 0).map_err(|_| FontFault::Unreadable)?;
    let shaper = Shaper::new(&raw).ok_or(FontFault::Unreadable)?;
    let mut clusters = Vec::new();
    let step = characters.len().div_ceil(SHAPED).max(1);
    let sample: Vec<char> = characters.into_iter().step_by(step).collect();
    for text in sample.chunks(SHAPED_AT_ONCE) {
        clusters.clear();
        shaper.add_clusters(&text.iter().collect::<String>(), 0, &mut clusters);
    }
    Ok(())
}

/// Counts lines and curves.
#[derive(Default)]
struct Outlines(u64);

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, _: f32, _: f32) {
        self.0 += 1;
    }

    fn line_to(&mut self, _: f32, _: f32) {
        self.0 += 1;
    }

    fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {
        self.0 += 1;
    }

    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
        self.0 += 1;
    }

    fn close(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use clipmill_core::fonts::CaptionFont;
    use clipmill_core::subtitle::FontMetrics;

    use crate::fonts::Fonts;

    fn content() -> ContentHash {
        ContentHash("0123456789abcdef0123456789abcdef".into())
    }

    /// The file of an installed font.
    fn installed(family: &str) -> Vec<u8> {
        let mut database = fontdb::Database::new();
        database.load_system_fonts();
        let query = fontdb::Query { families: &[fontdb::Family::Name(family)], ..fontdb::Query::default() };
        let id = database.query(&query).unwrap_or_else(|| panic!("install the font {family}"));
        database.with_face_data(id, |data, _| data.to_vec()).unwrap()
    }

    #[test]
    fn a_font_gets_a_family_of_its_own_and_keeps_its_letters() {
        let fonts = Fonts::load(None).unwrap();
        let data = installed("Noto Serif");
        assert_eq!(check(&data), Ok(()));
        let own = fonts.of_file(&data, &content()).unwrap().0;
        let serif = fonts.variant(Some(CaptionFont::NotoSerif), Weight::Regular).unwrap();
        assert_eq!((own.family(), own.file()), ("clipmill-0123456789abcdef-0", Some(&content())));
        assert_eq!(own.em_to_ass(), serif.em_to_ass());
        assert_eq!((own.ascent(), own.descent()), (serif.ascent(), serif.descent()));
        assert_eq!(own.clusters("AVA ffi é"), serif.clusters("AVA ffi é"));
        assert_ne!(own.identity(), serif.identity());
        // Installed fonts draw characters that it lacks.
        assert_eq!(own.substitute('中').map(|font| font.family), Some("Noto Sans CJK SC".to_owned()));
        assert_eq!(own.substitute('a'), None);
    }

    #[test]
    fn the_weights_of_a_collection_are_its_own() {
        // The first font of the file is the bold one.
        let data = include_bytes!("../../../../fuzz/seeds/fonts/letters.ttc");
        assert_eq!(check(data), Ok(()));
        for (weight, index) in [(Weight::Regular, 1), (Weight::Bold, 0)] {
            let font = rewrite(data, &content(), weight).unwrap();
            assert_eq!(font.family, format!("clipmill-0123456789abcdef-{index}"));
            assert_eq!(family(&Face::parse(&font.data, 0).unwrap()), Some(font.family.clone()));
            assert_eq!(rewrite_family(data, &content(), &font.family), Some(font));
        }
        assert_eq!(rewrite_family(data, &content(), "clipmill-0123456789abcdef-9"), None);
        assert_eq!(rewrite_family(data, &content(), "other-0"), None);
        // The fonts of this one are families for different regions.
        let families = installed("Noto Sans CJK KR");
        assert_eq!(index_for(&families, Weight::Bold), index_for(&families, Weight::Regular));
    }

    #[test]
    fn unusable_files_are_rejected_with_their_reason() {
        let emoji = installed("Noto Color Emoji");
        let serif = installed("Noto Serif");
        for (data, expected) in [
            (&b"wOFF\0\x01\0\0"[..], FontFault::Web),
            (b"wOF2\0\x01\0\0", FontFault::Web),
            (b"", FontFault::Unreadable),
            (b"1\n00:00:01,000 --> 00:00:02,000\nHi\n", FontFault::Unreadable),
            (b"ttcf\0\x01\0\0\xff\xff\xff\xff", FontFault::Unreadable),
            (&emoji, FontFault::WithoutOutlines),
            (&serif[..serif.len() / 3], FontFault::Unreadable),
        ] {
            assert_eq!(check(data), Err(expected), "{:?}", data.get(..8));
        }
    }

    #[test]
    fn tables_that_share_their_bytes_are_rejected() {
        let mut data = vec![0, 1, 0, 0, 0, 19, 0, 0, 0, 0, 0, 0];
        let length = 4u32 << 20;
        let mut tags = TABLES;
        tags.sort_unstable();
        for tag in tags {
            data.extend(tag);
            data.extend([0u32, 512, length].iter().flat_map(|number| number.to_be_bytes()));
        }
        data.resize(512 + length as usize, 0);
        assert!(rewrite_face(&data, &content(), 0) == Err(FontFault::TooComplex));
    }

    /// Seeds of the fuzz target, cut off and with some bytes changed. One of them is excluded, because reading it never ends.
    #[test]
    fn damaged_fonts_are_read_without_a_panic() {
        let fonts = Fonts::load(None).unwrap();
        let mut random = 7u32;
        let mut next = move |below: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as usize % below
        };
        let mut usable = 0;
        for name in ["letters.ttf", "letters.otf", "letters.ttc"] {
            let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/fonts");
            let original = std::fs::read(seeds.join(name)).unwrap();
            assert_eq!(check(&original), Ok(()), "{name}");
            for at in (0..original.len()).step_by(7) {
                // The fonts of a collection share tables, so the first may be complete.
                let is_accepted = check(&original[..at]).is_ok();
                assert!(!is_accepted || name == "letters.ttc", "{name} of {at} bytes");
            }
            for _ in 0..1000 {
                let mut data = original.clone();
                for _ in 0..=next(8) {
                    data[next(original.len())] = [0, 0xff, 0x7f, next(256) as u8][next(4)];
                }
                if check(&data).is_ok()
                    && let Ok(font) = fonts.of_file(&data, &content())
                {
                    font.0.clusters("Aé \u{644}\u{627}");
                    usable += 1;
                }
            }
        }
        assert!(usable > 100, "{usable} were measured");
    }
}
