//! Fonts in order of preference: the first draws the text, the others draw characters that it lacks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use clipmill_core::fonts::CaptionFont;
use clipmill_core::media::ContentHash;
use clipmill_core::request::model::Weight;
use clipmill_core::subtitle::{
    Cluster, FontMetrics, Substitute, UNKNOWN_ADVANCE, is_invisible, western_marks,
};
use fontdb::Database;
use unicode_segmentation::UnicodeSegmentation;

use super::emoji::EmojiFont;
use super::face::{Face, advance, with_face};
use super::file::RewrittenFont;
use super::shaping::script_of;

/// How many advances are kept; a busy day has fewer distinct characters.
const MAX_KNOWN: usize = 65_536;
/// Punctuation that is as wide as this, in em, is made for ideographs.
const WIDE: f64 = 0.99;

pub struct FontSet {
    database: Arc<Database>,
    /// The fonts in order; at least one.
    faces: Vec<Arc<Face>>,
    /// The client's file that the first font is in.
    file: Option<ContentHash>,
    /// The same fonts in bold, if they belong together.
    bold: Option<Box<FontSet>>,
    known: Mutex<HashMap<char, Option<Glyph>>>,
    /// The glyphs of punctuation in Western text that the first font draws too wide.
    known_western: Mutex<HashMap<char, Option<Glyph>>>,
}

impl FontSet {
    /// `first`, then those of `rest` that are not in it.
    pub fn new(database: Arc<Database>, first: &[Arc<Face>], rest: &[Arc<Face>]) -> Self {
        let mut faces: Vec<Arc<Face>> = Vec::with_capacity(rest.len());
        for face in first.iter().chain(rest) {
            if faces.iter().all(|own| own.family != face.family) {
                faces.push(face.clone());
            }
        }
        Self {
            database,
            faces,
            file: None,
            bold: None,
            known: Mutex::default(),
            known_western: Mutex::default(),
        }
    }

    /// A font of a client's file, followed by the fonts of this set; `None` if it cannot draw text.
    pub fn behind(&self, font: RewrittenFont, file: &ContentHash) -> Option<Self> {
        let mut database = Database::clone(&self.database);
        let source = fontdb::Source::Binary(Arc::new(font.data));
        let id = *database.load_font_source(source).first()?;
        let face = Face::open(&database, database.face(id)?, &font.family)?;
        let set = Self::new(Arc::new(database), &[Arc::new(face)], &self.faces);
        Some(Self { file: Some(file.clone()), ..set })
    }

    pub fn with_bold(self, bold: Self) -> Self {
        Self { bold: Some(Box::new(bold)), ..self }
    }

    fn main(&self) -> &Face {
        &self.faces[0]
    }

    /// The font that draws `c`, and its advance.
    fn glyph(&self, c: char) -> Option<Glyph> {
        if let Some(known) = self.lock_known().get(&c) {
            return *known;
        }
        let drawn_by = self.faces.iter().position(|face| face.covers(&self.database, c));
        let drawn_glyph = match drawn_by {
            Some(face) => self.load_neighbours(face, c),
            None => Vec::new(),
        };
        let mut glyphs = self.lock_known();
        if glyphs.len() >= MAX_KNOWN {
            glyphs.clear();
        }
        glyphs.extend(drawn_glyph.into_iter().map(|(c, glyph)| (c, Some(glyph))));
        *glyphs.entry(c).or_insert(None)
    }

    /// The glyph of punctuation in Western text; `None` if it is the same as elsewhere.
    fn western_glyph(&self, c: char) -> Option<Glyph> {
        let cache = || self.known_western.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cache) = cache().get(&c) {
            return *cache;
        }
        let usual = self.glyph(c)?;
        let glyph = if usual.advance < WIDE { None } else { self.narrow_glyph(c) };
        cache().insert(c, glyph);
        glyph
    }

    /// A narrower glyph, preferably of a font with the same Western letters: those for Chinese, Japanese and Korean differ in
    /// the last word of the name only.
    fn narrow_glyph(&self, c: char) -> Option<Glyph> {
        let stem = |face: &Face| face.family.rsplit_once(' ').map(|(stem, _)| stem.to_owned());
        let main_stem = stem(self.main());
        let is_sibling = |index: &usize| self.faces.get(*index).is_some_and(|face| stem(face) == main_stem);
        let (siblings, others): (Vec<usize>, Vec<usize>) = (1..self.faces.len()).partition(is_sibling);
        siblings.into_iter().chain(others).find_map(|index| {
            let face = self.faces.get(index).filter(|face| face.covers(&self.database, c))?;
            let advance = with_face(&self.database, face.id, |opened| advance(opened, c)).flatten()?;
            (advance < WIDE).then_some(Glyph { face: index, advance })
        })
    }

    /// Glyphs of a face for `c` and its neighbours: opening the font costs more than many look-ups, and text tends to
    /// use neighbouring characters. Only the first face is used for neighbours: those of another may be in a preceding
    /// face.
    fn load_neighbours(&self, face: usize, c: char) -> Vec<(char, Glyph)> {
        let block = u32::from(c) & !0xff;
        let neighbours = if face == 0 { block..block + 0x100 } else { u32::from(c)..u32::from(c) + 1 };
        let Some(own) = self.faces.get(face) else { return Vec::new() };
        let advances = with_face(&self.database, own.id, |opened| {
            let advance = |c: char| Some((c, Glyph { face, advance: advance(opened, c)? }));
            neighbours.filter_map(char::from_u32).filter_map(advance).collect()
        });
        advances.unwrap_or_default()
    }

    /// The font for a grapheme cluster after text drawn by `before`: the first of its characters' fonts that has all of
    /// them, otherwise that of its first character. `None` if no font has that.
    fn face_of(&self, grapheme: &str, before: Option<usize>) -> Option<usize> {
        if grapheme.is_ascii() {
            return Some(0);
        }
        let mut visible = grapheme.chars().filter(|c| !is_invisible(*c));
        let Some(first) = visible.next() else { return before.or(Some(0)) };
        let has_all = |face: usize| {
            let face = self.faces.get(face);
            face.is_some_and(|face| {
                grapheme.chars().all(|c| is_invisible(c) || face.covers(&self.database, c))
            })
        };
        let glyph = self.glyph(first)?;
        if glyph.advance == 0.0
            && let Some(before) = before.filter(|face| has_all(*face))
        {
            return Some(before);
        }
        let mut faces = vec![glyph.face];
        for face in visible.filter_map(|c| self.glyph(c)).map(|glyph| glyph.face) {
            if !faces.contains(&face) {
                faces.push(face);
            }
        }
        // Nearly always there is a single one.
        if faces.len() == 1 {
            return Some(glyph.face);
        }
        faces.into_iter().find(|face| has_all(*face)).or(Some(glyph.face))
    }

    /// Splits a text where another font or another script begins; each run is shaped by itself.
    fn runs(&self, text: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let western = western_marks(text);
        for (at, grapheme) in text.grapheme_indices(true) {
            let script = grapheme.chars().find_map(script_of);
            let mark = grapheme.chars().next().filter(|_| western.binary_search(&at).is_ok());
            let narrow = mark.and_then(|c| self.western_glyph(c));
            let previous_face = runs.last().and_then(|run| run.face);
            let face = narrow.map(|glyph| glyph.face).or_else(|| self.face_of(grapheme, previous_face));
            match runs.last_mut() {
                Some(run)
                    if run.face == face
                        && (script.is_none() || run.script.is_none_or(|own| Some(own) == script)) =>
                {
                    run.script = run.script.or(script);
                }
                _ => runs.push(Run { at, face, script }),
            }
        }
        runs
    }

    fn substitute_of(&self, face: usize) -> Option<Substitute> {
        let face = self.faces.get(face)?;
        Some(Substitute {
            family: face.family.clone(),
            identity: face.identity(&self.database).to_owned(),
            em_to_ass: face.metrics.em_to_ass,
            descent: face.metrics.descent,
        })
    }

    fn lock_known(&self) -> std::sync::MutexGuard<'_, HashMap<char, Option<Glyph>>> {
        // A panicking thread leaves the table in a valid state.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FontMetrics for FontSet {
    fn family(&self) -> &str {
        &self.main().family
    }

    fn identity(&self) -> &str {
        self.main().identity(&self.database)
    }

    fn file(&self) -> Option<&ContentHash> {
        self.file.as_ref()
    }

    fn em_to_ass(&self) -> f64 {
        self.main().metrics.em_to_ass
    }

    fn ascent(&self) -> f64 {
        self.main().metrics.ascent
    }

    fn descent(&self) -> f64 {
        self.main().metrics.descent
    }

    fn advance(&self, c: char) -> Option<f64> {
        self.glyph(c).map(|glyph| glyph.advance)
    }

    fn clusters(&self, text: &str) -> Vec<Cluster> {
        let runs = self.runs(text);
        let ends = runs.iter().skip(1).map(|run| run.at).chain([text.len()]);
        let mut glyphs = Vec::with_capacity(text.len());
        for (run, end) in runs.iter().zip(ends) {
            let text = text.get(run.at..end).unwrap_or_default();
            let face = run.face.and_then(|face| self.faces.get(face));
            match face.and_then(|face| face.shaper(&self.database)) {
                Some(shaper) => shaper.add_clusters(text, run.at, &mut glyphs),
                None => glyphs.extend(
                    text.char_indices().map(|(i, _)| Cluster { at: run.at + i, advance: UNKNOWN_ADVANCE }),
                ),
            }
        }
        together(glyphs)
    }

    fn variant(&self, font: Option<CaptionFont>, weight: Weight) -> Option<&dyn FontMetrics> {
        match (font, weight) {
            (Some(_), _) => None,
            (None, Weight::Regular) => Some(self),
            (None, Weight::Bold) => self.bold.as_deref().map(|bold| bold as _),
        }
    }

    fn emoji_font(&self) -> Option<&str> {
        EmojiFont::installed().map(EmojiFont::identity)
    }

    fn is_emoji(&self, grapheme: &str) -> bool {
        EmojiFont::installed().is_some_and(|font| font.has(grapheme))
    }

    fn substitute(&self, c: char) -> Option<Substitute> {
        let glyph = self.glyph(c).filter(|glyph| glyph.face > 0)?;
        self.substitute_of(glyph.face)
    }

    fn substitute_for(&self, grapheme: &str) -> Option<Substitute> {
        let face = self.face_of(grapheme, None).filter(|face| *face > 0)?;
        self.substitute_of(face)
    }

    fn western(&self, c: char) -> Option<Substitute> {
        self.substitute_of(self.western_glyph(c)?.face)
    }
}

/// A glyph: an index into the faces, and its advance in em.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Glyph {
    face: usize,
    advance: f64,
}

/// Characters in one font and one script; `None` means no font, or any script.
struct Run {
    at: usize,
    face: Option<usize>,
    script: Option<harfrust::Script>,
}

/// Merges glyphs with the same place.
fn together(mut glyphs: Vec<Cluster>) -> Vec<Cluster> {
    glyphs.sort_by_key(|glyph| glyph.at);
    glyphs.dedup_by(|glyph, previous| {
        let same = glyph.at == previous.at;
        previous.advance += if same { glyph.advance } else { 0.0 };
        same
    });
    glyphs
}
