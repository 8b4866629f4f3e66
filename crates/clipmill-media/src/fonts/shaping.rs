//! The width of text as the renderer draws it: with ligatures, joined letters, kerning and marks, by the same shaping rules
//! (HarfBuzz) that the renderer uses.
//!
//! Of a font only the tables for shaping are kept, not its outlines.

use std::sync::{Arc, Mutex, PoisonError};

use clipmill_core::subtitle::Cluster;
use harfrust::font::{Blob, TableFunction};
use harfrust::unicode::script;
use harfrust::{Buffer, Direction, Font, Script, ShapeOptions, ShapePlan, ShaperFont, shape};
use ttf_parser::GlyphId;

/// The tables that shaping reads. Outlines are by far the largest part of a font.
const TABLES: [&[u8; 4]; 12] = [
    b"head", b"maxp", b"hhea", b"hmtx", b"cmap", b"OS/2", b"GDEF", b"GSUB", b"GPOS", b"kern", b"morx",
    b"kerx",
];

/// A font without its outlines.
pub struct Shaper {
    font: Font,
    /// Shaping plans for the scripts used so far.
    plans: Mutex<Vec<(Option<Script>, Arc<ShapePlan>)>>,
}

impl Shaper {
    pub fn new(face: &ttf_parser::RawFace<'_>) -> Option<Self> {
        let table = |name: &'static [u8; 4]| Some((*name, face.table(ttf_parser::Tag::from_bytes(name))?));
        let tables: Vec<([u8; 4], Arc<Vec<u8>>)> = TABLES
            .into_iter()
            .filter_map(table)
            .map(|(name, bytes)| (name, Arc::new(bytes.to_vec())))
            .collect();
        let tables = TableFunction::new(Arc::new(move |tag| {
            let (_, bytes) = tables.iter().find(|(name, _)| *name == tag.to_be_bytes())?;
            let bytes: Arc<dyn AsRef<[u8]> + Send + Sync> = bytes.clone();
            Some(Blob::from(bytes))
        }));
        Some(Self { font: Font::new(tables, 0)?, plans: Mutex::default() })
    }

    /// Adds the glyphs of a text in one script that begins at `from`, in the order in which they are drawn.
    pub fn add_clusters(&self, text: &str, from: usize, clusters: &mut Vec<Cluster>) {
        let mut buffer = Buffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let plan = self.plan(buffer.script(), buffer.direction());
        if shape(&ShaperFont::new(&self.font), &mut buffer, ShapeOptions::new().plan(Some(&plan))).is_err() {
            return;
        }
        let em = f64::from(self.font.units_per_em());
        let glyphs = buffer.glyph_infos().iter().zip(buffer.glyph_positions());
        clusters.extend(glyphs.map(|(info, at)| Cluster {
            at: from + info.cluster as usize,
            advance: f64::from(at.x_advance) / em,
        }));
    }

    /// The glyph of a text that is drawn as a single one.
    pub fn only_glyph(&self, text: &str) -> Option<GlyphId> {
        let mut buffer = Buffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let plan = self.plan(buffer.script(), buffer.direction());
        shape(&ShaperFont::new(&self.font), &mut buffer, ShapeOptions::new().plan(Some(&plan))).ok()?;
        // A character that only selects between forms has no width.
        let mut visible_glyphs =
            buffer.glyph_infos().iter().zip(buffer.glyph_positions()).filter(|(_, at)| at.x_advance != 0);
        let (glyph, _) = visible_glyphs.next()?;
        let number = u16::try_from(glyph.glyph_id).ok()?;
        (number != 0 && visible_glyphs.next().is_none()).then_some(GlyphId(number))
    }

    fn plan(&self, script: Option<Script>, direction: Direction) -> Arc<ShapePlan> {
        // A panicking thread leaves the list in a valid state.
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, plan)) = plans.iter().find(|(known, _)| *known == script) {
            return plan.clone();
        }
        let plan = Arc::new(ShapePlan::new(&self.font, direction, script, None, &[]));
        plans.push((script, plan.clone()));
        plan
    }
}

/// The script of a character; `None` for a character that takes the script of the text around it.
pub fn script_of(c: char) -> Option<Script> {
    let none = [Script::COMMON, Script::INHERITED, Script::UNKNOWN];
    Some(script(u32::from(c))).filter(|own| !none.contains(own))
}
