//! The fonts that captions are drawn with: which one, how wide its characters are, which font steps in.
//!
//! Font files are mapped for the moment of a question and never kept: what stays in memory is the list of
//! installed families, the advances asked for so far, and of fonts in use the tables that say how text is put together.

mod shaping;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use clipmill_core::subtitle::{Cluster, FontMetrics, Substitute, UNKNOWN_ADVANCE, is_invisible};
use fontdb::{Database, FaceInfo, ID, Stretch, Style, Weight};
use sha2::{Digest, Sha256};
use shaping::{Shaper, script_of};
use ttf_parser::GlyphId;

/// The first that is installed draws the captions. All but the last few have Chinese.
const PREFERRED: [&str; 9] = [
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "Noto Sans",
    "DejaVu Sans",
];

/// Advances kept; more distinct characters than a busy day has.
const MAX_KNOWN: usize = 65_536;

#[derive(Debug, thiserror::Error)]
pub enum FontError {
    #[error("no usable font is installed, so captions cannot be drawn; install the package fonts-noto-cjk")]
    NoFont,
}

/// The installed fonts, as far as captions need them.
pub struct Fonts {
    database: Database,
    /// The caption font first, then those that may step in, in order of preference; one a family.
    faces: Vec<Face>,
    warning: Option<String>,
    known: Mutex<HashMap<char, Option<Glyph>>>,
}

impl Fonts {
    /// Looks through the system's fonts and those in `extra_dir`. Reads many small pieces of files, so
    /// async code calls it where blocking is allowed.
    ///
    /// The renderer finds system fonts by itself; `extra_dir` must be given to its `ass` filter as
    /// `fontsdir`.
    pub fn load(extra_dir: Option<&Path>) -> Result<Self, FontError> {
        let mut database = Database::new();
        database.load_system_fonts();
        if let Some(dir) = extra_dir {
            database.load_fonts_dir(dir);
        }
        Self::choose(database)
    }

    /// Set when the captions are not in the font they should be in; says what to install.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    fn choose(mut database: Database) -> Result<Self, FontError> {
        let mut faces = usable_faces(&database);
        let preferred = PREFERRED.iter().find_map(|name| faces.iter().position(|face| face.family == **name));
        let main = preferred.unwrap_or(0);
        if main >= faces.len() {
            return Err(FontError::NoFont);
        }
        let chosen = faces.remove(main);
        let warning = (chosen.family != PREFERRED[0]).then(|| fallback_warning(&chosen.family));
        faces.insert(0, chosen);
        forget_others(&mut database, &faces);
        Ok(Self { database, faces, warning, known: Mutex::default() })
    }

    /// `choose` leaves at least one face.
    fn main(&self) -> &Face {
        &self.faces[0]
    }

    /// Who draws `c`, and how wide.
    fn glyph(&self, c: char) -> Option<Glyph> {
        if let Some(known) = self.lock_known().get(&c) {
            return *known;
        }
        let drawn_by = self.faces.iter().position(|face| face.covers(&self.database, c));
        let found = match drawn_by {
            Some(face) => self.look_up_around(face, c),
            None => Vec::new(),
        };
        let mut known = self.lock_known();
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.extend(found.into_iter().map(|(c, glyph)| (c, Some(glyph))));
        *known.entry(c).or_insert(None)
    }

    /// Glyphs of a face for `c` and its neighbours: opening the font costs more than many answers, and
    /// text stays with its neighbours. Another face's neighbours are left alone, for the faces before it
    /// may have them.
    fn look_up_around(&self, face: usize, c: char) -> Vec<(char, Glyph)> {
        let block = u32::from(c) & !0xff;
        let neighbours = if face == 0 { block..block + 0x100 } else { u32::from(c)..u32::from(c) + 1 };
        let Some(own) = self.faces.get(face) else { return Vec::new() };
        let advances = with_face(&self.database, own.id, |opened| {
            let advance = |c: char| Some((c, Glyph { face, advance: advance(opened, c)? }));
            neighbours.filter_map(char::from_u32).filter_map(advance).collect()
        });
        advances.unwrap_or_default()
    }

    /// The font that draws a character behind one drawn by `before`; `None` if there is none.
    fn face_of(&self, c: char, before: Option<usize>) -> Option<usize> {
        if c.is_ascii() {
            return Some(0);
        }
        if is_invisible(c) {
            return before.or(Some(0));
        }
        let glyph = self.glyph(c)?;
        let keeps = |face: &usize| self.faces.get(*face).is_some_and(|face| face.covers(&self.database, c));
        let stays = before.filter(|face| glyph.advance == 0.0 && keeps(face));
        stays.or(Some(glyph.face))
    }

    /// A text cut where another font or another script begins: what is put together by itself.
    fn runs(&self, text: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (at, c) in text.char_indices() {
            let script = script_of(c);
            let face = self.face_of(c, runs.last().and_then(|run| run.face));
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

    fn lock_known(&self) -> std::sync::MutexGuard<'_, HashMap<char, Option<Glyph>>> {
        // What a panicking thread left behind is still a table of facts.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FontMetrics for Fonts {
    fn family(&self) -> &str {
        &self.main().family
    }

    fn identity(&self) -> &str {
        self.main().identity(&self.database)
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

    fn substitute(&self, c: char) -> Option<Substitute> {
        let glyph = self.glyph(c).filter(|glyph| glyph.face > 0)?;
        let face = self.faces.get(glyph.face)?;
        Some(Substitute {
            family: face.family.clone(),
            identity: face.identity(&self.database).to_owned(),
            em_to_ass: face.metrics.em_to_ass,
            descent: face.metrics.descent,
        })
    }
}

/// A character found: an index into the faces, and its advance in em.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Glyph {
    face: usize,
    advance: f64,
}

/// Characters in one font and one script; `None` are no font and any script.
struct Run {
    at: usize,
    face: Option<usize>,
    script: Option<harfrust::Script>,
}

/// Glyphs with a place each, those of one place made one.
fn together(mut glyphs: Vec<Cluster>) -> Vec<Cluster> {
    glyphs.sort_by_key(|glyph| glyph.at);
    glyphs.dedup_by(|glyph, kept| {
        let same = glyph.at == kept.at;
        kept.advance += if same { glyph.advance } else { 0.0 };
        same
    });
    glyphs
}

struct Face {
    id: ID,
    family: String,
    metrics: Metrics,
    identity: OnceLock<String>,
    coverage: OnceLock<Vec<(u32, u32)>>,
    shaper: OnceLock<Option<Shaper>>,
}

impl Face {
    /// Whether the font's character map has `c`: asked of memory, because text that no font can draw
    /// would otherwise open every font for every character.
    fn covers(&self, database: &Database, c: char) -> bool {
        let ranges = self.coverage.get_or_init(|| coverage(database, self.id));
        let c = u32::from(c);
        let after = ranges.partition_point(|(first, _)| *first <= c);
        after.checked_sub(1).and_then(|i| ranges.get(i)).is_some_and(|(_, last)| c <= *last)
    }

    /// `None` for a font that cannot be read any more.
    fn shaper(&self, database: &Database) -> Option<&Shaper> {
        let opened = || {
            database.with_face_data(self.id, |data, index| {
                Shaper::new(&ttf_parser::RawFace::parse(data, index).ok()?)
            })
        };
        self.shaper.get_or_init(|| opened().flatten()).as_ref()
    }

    /// SHA-256 of the file and the face's number in it. A file that cannot be read any more is known by
    /// its absence, which no segment made with it shares.
    fn identity(&self, database: &Database) -> &str {
        self.identity.get_or_init(|| {
            let digest = database.with_face_data(self.id, |data, index| {
                format!("{}#{index}", hex::encode(Sha256::digest(data)))
            });
            digest.unwrap_or_else(|| "unreadable".to_owned())
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Metrics {
    em_to_ass: f64,
    ascent: f64,
    descent: f64,
}

impl Metrics {
    /// As libass does it after VSFilter: a font size is the height from Windows' ascent to its descent,
    /// reached by scaling the height that FreeType sees; lines have that height too.
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
        let seen = seen_ascent + seen_descent;
        let metrics = Self { em_to_ass: seen * scale / em, ascent: ascent / em, descent: descent / em };
        (metrics.em_to_ass > 0.1 && metrics.em_to_ass < 10.0).then_some(metrics)
    }
}

/// Fonts that the renderer can draw and find by name, the best first, one a family.
fn usable_faces(database: &Database) -> Vec<Face> {
    let mut infos: Vec<&FaceInfo> = database.faces().filter(|info| family(info).is_some()).collect();
    infos.sort_by_cached_key(|info| rank(info));
    let mut faces: Vec<Face> = Vec::new();
    for info in infos {
        let Some(family) = family(info).filter(|name| faces.iter().all(|face| face.family != *name)) else {
            continue;
        };
        if let Some(metrics) = with_face(database, info.id, drawable).flatten() {
            let family = family.to_owned();
            faces.push(Face {
                id: info.id,
                family,
                metrics,
                identity: OnceLock::new(),
                coverage: OnceLock::new(),
                shaper: OnceLock::new(),
            });
        }
    }
    faces
}

/// The name the renderer finds the font by, unless it has a meaning in the renderer's syntax.
fn family(info: &FaceInfo) -> Option<&str> {
    let name = info.families.first()?.0.as_str();
    let clean = !name.is_empty() && !name.contains([',', '{', '}', '\\', '@', ';', ':']);
    (clean && !name.chars().any(char::is_control)).then_some(name)
}

/// Plain upright sans serif first; the rest of the key only makes the order the same everywhere.
fn rank(info: &FaceInfo) -> (bool, bool, bool, String, String, u32) {
    let regular =
        info.style == Style::Normal && info.weight == Weight::NORMAL && info.stretch == Stretch::Normal;
    let name = family(info).unwrap_or_default();
    let sans = name.contains("Sans");
    (
        !regular,
        info.monospaced || name.contains("Mono"),
        !sans,
        name.to_owned(),
        info.post_script_name.clone(),
        info.index,
    )
}

/// Metrics, if the font has outlines: coloured bitmaps stay invisible in captions.
fn drawable(face: &ttf_parser::Face<'_>) -> Option<Metrics> {
    let tables = face.tables();
    let outlines = tables.glyf.is_some() || tables.cff.is_some() || tables.cff2.is_some();
    if outlines { Metrics::of(face) } else { None }
}

/// In em.
fn advance(face: &ttf_parser::Face<'_>, c: char) -> Option<f64> {
    let glyph = face.glyph_index(c).filter(|glyph| *glyph != GlyphId(0))?;
    Some(f64::from(face.glyph_hor_advance(glyph)?) / f64::from(face.units_per_em()))
}

fn with_face<T>(database: &Database, id: ID, ask: impl FnOnce(&ttf_parser::Face<'_>) -> T) -> Option<T> {
    database.with_face_data(id, |data, index| Some(ask(&ttf_parser::Face::parse(data, index).ok()?)))?
}

/// First and last code points of the runs in a font's character map, in order.
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

fn code_points(face: &ttf_parser::Face<'_>) -> Vec<u32> {
    let mut points = Vec::new();
    let subtables = face.tables().cmap.iter().flat_map(|cmap| cmap.subtables);
    for subtable in subtables.filter(|subtable| subtable.is_unicode()) {
        subtable.codepoints(|point| points.push(point));
    }
    points
}

fn forget_others(database: &mut Database, faces: &[Face]) {
    let ids: Vec<ID> = database.faces().map(|info| info.id).collect();
    for id in ids.into_iter().filter(|id| faces.iter().all(|face| face.id != *id)) {
        database.remove_face(id);
    }
}

fn fallback_warning(family: &str) -> String {
    let wanted = PREFERRED[0];
    format!(
        "the font {wanted} is not installed, so captions are drawn in {family}; install the package fonts-noto-cjk"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_fonts_the_package_to_install_is_named() {
        let error = Fonts::choose(Database::new()).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("fonts-noto-cjk")));
    }

    #[test]
    fn the_chinese_face_is_chosen_and_measured() {
        let fonts = Fonts::load(None).unwrap();
        assert_eq!((fonts.family(), fonts.warning()), ("Noto Sans CJK SC", None));
        assert_eq!((fonts.advance('中'), fonts.advance('\u{10fffd}')), (Some(1.0), None));
        assert!((fonts.ascent() - 1.16).abs() < 0.01 && (fonts.descent() - 0.288).abs() < 0.01);
        assert!((fonts.em_to_ass() - 1.448).abs() < 0.001);
        let (digest, face) = fonts.identity().split_once('#').unwrap();
        assert!(digest.len() == 64 && face.parse::<u32>().is_ok());
    }

    #[test]
    fn another_font_steps_in_for_what_the_first_lacks() {
        let fonts = Fonts::load(None).unwrap();
        assert_eq!(fonts.substitute('中'), None);
        let arabic = fonts.substitute('\u{627}').unwrap();
        assert!(arabic.family != "Noto Sans CJK SC" && fonts.advance('\u{627}').is_some_and(|a| a > 0.0));
    }

    /// Where clusters begin, and how wide all of them are.
    fn clusters(text: &str) -> (Vec<usize>, f64) {
        let clusters = Fonts::load(None).unwrap().clusters(text);
        (
            clusters.iter().map(|cluster| cluster.at).collect(),
            clusters.iter().map(|cluster| cluster.advance).sum(),
        )
    }

    #[test]
    fn what_is_drawn_together_is_one_cluster() {
        assert_eq!(clusters("中e\u{301}."), (vec![0, 3, 6], clusters("中é.").1));
        // Lam and alef are one shape, and a joined letter is narrower than one alone.
        let (places, width) = clusters("\u{644}\u{627} \u{628}\u{628}");
        assert_eq!(places, [0, 4, 5, 7]);
        let alone: f64 = "\u{644}\u{627} \u{628}\u{628}".chars().map(|c| clusters(&c.to_string()).1).sum();
        assert!(width < 0.85 * alone, "{width} of {alone}");
        assert!(clusters("AVAVAV").1 < clusters("A").1 * 3.0 + clusters("V").1 * 3.0);
        assert_eq!(clusters("\u{10fffd}\u{10fffd}"), (vec![0, 4], 2.0 * UNKNOWN_ADVANCE));
        assert_eq!(clusters(""), (vec![], 0.0));
    }

    #[test]
    fn text_made_to_be_hard_is_measured_as_well() {
        let marks = "e".to_owned() + &"\u{301}".repeat(100_000);
        assert!(clusters(&marks).1 < 1.0);
        let text = "a\u{5e9}\u{628}字\u{200d}\u{202e}\u{e34}\u{1f600}\u{fe0f}".repeat(1_000);
        assert!(clusters(&text).1.is_finite());
    }
}
