//! One font: reads its file, and caches the results.

use std::sync::OnceLock;

use fontdb::{Database, FaceInfo, ID};
use sha2::{Digest, Sha256};
use ttf_parser::GlyphId;

use super::shaping::Shaper;

pub struct Face {
    pub id: ID,
    pub family: String,
    pub metrics: Metrics,
    identity: OnceLock<String>,
    coverage: OnceLock<Vec<(u32, u32)>>,
    shaper: OnceLock<Option<Shaper>>,
}

impl Face {
    /// `None` for a font that the renderer cannot draw.
    pub fn open(database: &Database, info: &FaceInfo, family: &str) -> Option<Self> {
        Some(Self {
            id: info.id,
            family: family.to_owned(),
            metrics: with_face(database, info.id, drawable).flatten()?,
            identity: OnceLock::new(),
            coverage: OnceLock::new(),
            shaper: OnceLock::new(),
        })
    }

    /// Whether the font's character map has `c`. The result comes from memory, because text that no font can draw would
    /// otherwise open every font for every character.
    pub fn covers(&self, database: &Database, c: char) -> bool {
        let ranges = self.coverage.get_or_init(|| coverage(database, self.id));
        let c = u32::from(c);
        let after = ranges.partition_point(|(first, _)| *first <= c);
        after.checked_sub(1).and_then(|i| ranges.get(i)).is_some_and(|(_, last)| c <= *last)
    }

    /// `None` for a font that cannot be read any more.
    pub fn shaper(&self, database: &Database) -> Option<&Shaper> {
        let open_face = || {
            database.with_face_data(self.id, |data, index| {
                Shaper::new(&ttf_parser::RawFace::parse(data, index).ok()?)
            })
        };
        self.shaper.get_or_init(|| open_face().flatten()).as_ref()
    }

    /// SHA-256 of the file and the face's number in it. For a file that can no longer be read it is a value that no
    /// segment rendered with the font has.
    pub fn identity(&self, database: &Database) -> &str {
        self.identity.get_or_init(|| Self::identity_of(database, self.id))
    }

    pub fn identity_of(database: &Database, id: ID) -> String {
        let digest = database
            .with_face_data(id, |data, index| format!("{}#{index}", hex::encode(Sha256::digest(data))));
        digest.unwrap_or_else(|| "unreadable".to_owned())
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metrics {
    pub em_to_ass: f64,
    pub ascent: f64,
    pub descent: f64,
}

impl Metrics {
    /// Computed as libass does after VSFilter: a font size is the height from Windows' ascent to its descent, reached by scaling
    /// the height that FreeType sees; lines also have that height.
    fn of(face: &ttf_parser::Face<'_>) -> Option<Self> {
        let em = f64::from(face.units_per_em());
        let (seen_ascent, seen_descent) = (f64::from(face.ascender()), -f64::from(face.descender()));
        let hhea = face.tables().hhea;
        let hori = f64::from(hhea.ascender) - f64::from(hhea.descender);
        let windows = face
            .tables()
            .os2
            .map(|os2| (f64::from(os2.windows_ascender()), -f64::from(os2.windows_descender())));
        let (ascent, descent) =
            windows.filter(|(up, down)| up + down > 0.0).unwrap_or((seen_ascent, seen_descent));
        let scale = if hori > 0.0 { (ascent + descent) / hori } else { 1.0 };
        let visible_height = seen_ascent + seen_descent;
        let metrics =
            Self { em_to_ass: visible_height * scale / em, ascent: ascent / em, descent: descent / em };
        (metrics.em_to_ass > 0.1 && metrics.em_to_ass < 10.0).then_some(metrics)
    }
}

/// Metrics, if the font has outlines: coloured bitmaps are invisible in captions.
pub fn drawable(face: &ttf_parser::Face<'_>) -> Option<Metrics> {
    let tables = face.tables();
    let outlines = tables.glyf.is_some() || tables.cff.is_some() || tables.cff2.is_some();
    if outlines { Metrics::of(face) } else { None }
}

/// The advance in em.
pub fn advance(face: &ttf_parser::Face<'_>, c: char) -> Option<f64> {
    let glyph = face.glyph_index(c).filter(|glyph| *glyph != GlyphId(0))?;
    Some(f64::from(face.glyph_hor_advance(glyph)?) / f64::from(face.units_per_em()))
}

pub fn with_face<T>(database: &Database, id: ID, ask: impl FnOnce(&ttf_parser::Face<'_>) -> T) -> Option<T> {
    database.with_face_data(id, |data, index| Some(ask(&ttf_parser::Face::parse(data, index).ok()?)))?
}

/// First and last code points of the ranges in a font's character map, in order.
fn coverage(database: &Database, id: ID) -> Vec<(u32, u32)> {
    let mut points = with_face(database, id, code_points).unwrap_or_default();
    points.sort_unstable();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for point in points {
        match ranges.last_mut() {
            Some((_, last)) if point <= last.saturating_add(1) => *last = point,
            _ => ranges.push((point, point)),
        }
    }
    ranges.shrink_to_fit();
    ranges
}

pub fn code_points(face: &ttf_parser::Face<'_>) -> Vec<u32> {
    let mut points = Vec::new();
    let subtables = face.tables().cmap.iter().flat_map(|cmap| cmap.subtables);
    for subtable in subtables.filter(|subtable| subtable.is_unicode()) {
        subtable.codepoints(|point| points.push(point));
    }
    points
}
