//! The fonts of captions: which font is used, how wide its characters are, and which font draws characters that it
//! lacks.
//!
//! Font files are mapped only while they are read. Memory holds the list of installed families, the advances read so
//! far, and, of fonts in use, the tables for shaping.

pub mod emoji;
mod face;
pub mod file;
mod set;
mod shaping;

use std::path::Path;
use std::sync::Arc;

use clipmill_core::fonts::CaptionFont;
use clipmill_core::media::ContentHash;
use clipmill_core::request::model::Weight as Strength;
use clipmill_core::subtitle::{Cluster, FontFile, FontMetrics, Substitute};
use emoji::EmojiFont;
use face::Face;
use file::FontFault;
use fontdb::{Database, FaceInfo, ID, Stretch, Style, Weight};
use set::FontSet;

/// The first installed font draws the captions. All but the last few have Chinese.
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

/// The first substitute for a serif font.
const SERIF: &str = "Noto Serif CJK SC";

/// Characters of scripts that the usual packages cover, with the package to install if no font has them.
const SCRIPTS: [(&str, char, &str); 7] = [
    ("Chinese", '中', "fonts-noto-cjk"),
    ("Japanese", 'あ', "fonts-noto-cjk"),
    ("Korean", '한', "fonts-noto-cjk"),
    ("Vietnamese", 'ệ', "fonts-noto-core"),
    ("Thai", 'ก', "fonts-noto-core"),
    ("Hindi", 'क', "fonts-noto-core"),
    ("Arabic", 'ع', "fonts-noto-core"),
];

#[derive(Debug, thiserror::Error)]
pub enum FontError {
    #[error("no usable font is installed, so captions cannot be drawn; install the package fonts-noto-cjk")]
    NoFont,
}

/// The installed fonts that captions can use.
pub struct Fonts {
    usual: FontSet,
    /// The catalogue's installed fonts and the default one, in each weight.
    variants: Vec<(Option<CaptionFont>, Strength, FontSet)>,
    warning: Option<String>,
}

impl Fonts {
    /// Scans the system's fonts and those in `extra_dir`. It reads many small pieces of files, so async code must call it where
    /// blocking is allowed.
    ///
    /// The renderer finds system fonts by itself; `extra_dir` must be passed to its `ass` filter as `fontsdir`.
    pub fn load(extra_dir: Option<&Path>) -> Result<Self, FontError> {
        let mut database = Database::new();
        database.load_system_fonts();
        if let Some(dir) = extra_dir {
            database.load_fonts_dir(dir);
        }
        Self::choose(database)
    }

    /// Set if captions are not drawn in the preferred font; has the remedy.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Scripts that captions cannot be drawn in, each with the package that covers it.
    pub fn missing_scripts(&self) -> Vec<(&'static str, &'static str)> {
        let missing = SCRIPTS.iter().filter(|(_, sample, _)| self.advance(*sample).is_none());
        let missing = missing.map(|(script, _, package)| (*script, *package));
        let emoji = EmojiFont::installed().is_none().then_some(("emoji", "fonts-noto-color-emoji"));
        missing.chain(emoji).collect()
    }

    /// Fonts of the catalogue that are not installed.
    pub fn missing_fonts(&self) -> Vec<CaptionFont> {
        let lacks = |font: &CaptionFont| self.variant(Some(*font), Strength::Regular).is_none();
        CaptionFont::ALL.into_iter().filter(lacks).collect()
    }

    /// The font of a client's file, which was checked. Installed fonts draw the characters that it lacks.
    pub fn of_file(&self, data: &[u8], content: &ContentHash) -> Result<FontFile, FontFault> {
        let set = |weight, installed: &FontSet| {
            installed.behind(file::rewrite(data, content, weight)?, content).ok_or(FontFault::Unreadable)
        };
        let bold = self.variants.iter().find(|(font, weight, _)| (*font, *weight) == (None, Strength::Bold));
        let bold = bold.map_or(&self.usual, |(_, _, set)| set);
        let bold = set(Strength::Bold, bold)?;
        Ok(FontFile(Arc::new(set(Strength::Regular, &self.usual)?.with_bold(bold))))
    }

    fn choose(mut database: Database) -> Result<Self, FontError> {
        let regular = usable_faces(&database);
        let position_of = |name: &str| regular.iter().position(|face| face.family == name);
        let main = PREFERRED.iter().find_map(|name| position_of(name)).unwrap_or(0);
        let Some(main_face) = regular.get(main) else { return Err(FontError::NoFont) };
        let warning = (main_face.family != PREFERRED[0]).then(|| fallback_warning(&main_face.family));
        let bold = bold_faces(&database, &regular);
        forget_others(&mut database, &[regular.as_slice(), &bold].concat());
        let database = Arc::new(database);
        let set = |faces: &[Arc<Face>], first: &[usize]| {
            let first: Vec<_> = first.iter().filter_map(|index| faces.get(*index).cloned()).collect();
            FontSet::new(database.clone(), &first, faces)
        };
        let both = |font, first: &[usize]| {
            [(font, Strength::Regular, set(&regular, first)), (font, Strength::Bold, set(&bold, first))]
        };
        let installed =
            CaptionFont::ALL.into_iter().filter_map(|font| Some((font, position_of(font.entry().family)?)));
        let mut variants: Vec<_> = both(None, &[main]).into();
        for (font, own) in installed {
            let serif = position_of(SERIF).filter(|_| font.entry().family.contains("Serif"));
            let first: Vec<usize> = [Some(own), serif, Some(main)].into_iter().flatten().collect();
            variants.extend(both(Some(font), &first));
        }
        Ok(Self { usual: set(&regular, &[main]), variants, warning })
    }
}

impl FontMetrics for Fonts {
    fn family(&self) -> &str {
        self.usual.family()
    }

    fn identity(&self) -> &str {
        self.usual.identity()
    }

    fn em_to_ass(&self) -> f64 {
        self.usual.em_to_ass()
    }

    fn ascent(&self) -> f64 {
        self.usual.ascent()
    }

    fn descent(&self) -> f64 {
        self.usual.descent()
    }

    fn advance(&self, c: char) -> Option<f64> {
        self.usual.advance(c)
    }

    fn clusters(&self, text: &str) -> Vec<Cluster> {
        self.usual.clusters(text)
    }

    fn variant(&self, font: Option<CaptionFont>, weight: Strength) -> Option<&dyn FontMetrics> {
        let variant = self.variants.iter().find(|(own, strength, _)| (*own, *strength) == (font, weight));
        variant.map(|(_, _, set)| set as _)
    }

    fn emoji_font(&self) -> Option<&str> {
        self.usual.emoji_font()
    }

    fn is_emoji(&self, grapheme: &str) -> bool {
        self.usual.is_emoji(grapheme)
    }

    fn substitute(&self, c: char) -> Option<Substitute> {
        self.usual.substitute(c)
    }

    fn substitute_for(&self, grapheme: &str) -> Option<Substitute> {
        self.usual.substitute_for(grapheme)
    }

    fn western(&self, c: char) -> Option<Substitute> {
        self.usual.western(c)
    }
}

/// Fonts that the renderer can draw and find by name, the best first, one for each family.
fn usable_faces(database: &Database) -> Vec<Arc<Face>> {
    let mut infos: Vec<&FaceInfo> = database.faces().filter(|info| family(info).is_some()).collect();
    infos.sort_by_cached_key(|info| rank(info));
    let mut faces: Vec<Arc<Face>> = Vec::new();
    for info in infos {
        let Some(family) = family(info).filter(|name| faces.iter().all(|face| face.family != *name)) else {
            continue;
        };
        faces.extend(Face::open(database, info, family).map(Arc::new));
    }
    faces
}

/// The same families in bold; a family without bold letters is listed unchanged, and the renderer thickens it.
fn bold_faces(database: &Database, regular: &[Arc<Face>]) -> Vec<Arc<Face>> {
    let is_bold = |info: &&FaceInfo| {
        info.style == Style::Normal && info.weight == Weight::BOLD && info.stretch == Stretch::Normal
    };
    let mut bold: Vec<(&str, &FaceInfo)> =
        database.faces().filter(is_bold).filter_map(|info| Some((family(info)?, info))).collect();
    bold.sort_by_cached_key(|(_, info)| rank(info));
    let of = |face: &Arc<Face>| {
        let (family, info) = bold.iter().find(|(family, _)| *family == face.family)?;
        Face::open(database, info, family).map(Arc::new)
    };
    regular.iter().map(|face| of(face).unwrap_or_else(|| face.clone())).collect()
}

/// The family name by which the renderer finds the font, unless it has a meaning in the renderer's syntax.
fn family(info: &FaceInfo) -> Option<&str> {
    let name = info.families.first()?.0.as_str();
    let clean = !name.is_empty() && !name.contains([',', '{', '}', '\\', '@', ';', ':']);
    (clean && !name.chars().any(char::is_control)).then_some(name)
}

/// Plain upright sans serif fonts come first, Noto's before others of the same script; the rest of the key only makes the
/// order the same everywhere.
fn rank(info: &FaceInfo) -> (bool, bool, bool, bool, String, String, u32) {
    let regular =
        info.style == Style::Normal && info.weight == Weight::NORMAL && info.stretch == Stretch::Normal;
    let name = family(info).unwrap_or_default();
    let sans = name.contains("Sans");
    (
        !regular,
        info.monospaced || name.contains("Mono"),
        !sans,
        !name.starts_with("Noto"),
        name.to_owned(),
        info.post_script_name.clone(),
        info.index,
    )
}

fn forget_others(database: &mut Database, faces: &[Arc<Face>]) {
    let ids: Vec<ID> = database.faces().map(|info| info.id).collect();
    for id in ids.into_iter().filter(|id| faces.iter().all(|face| face.id != *id)) {
        database.remove_face(id);
    }
}

fn fallback_warning(family: &str) -> String {
    let preferred = PREFERRED[0];
    format!(
        "the font {preferred} is not installed, so captions are drawn in {family}; install the package fonts-noto-cjk"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clipmill_core::subtitle::UNKNOWN_ADVANCE;

    #[test]
    fn without_fonts_the_package_to_install_is_named() {
        let error = Fonts::choose(Database::new()).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("fonts-noto-cjk")));
    }

    #[test]
    fn missing_fonts_are_reported_with_their_package() {
        let mut database = Database::new();
        database.load_system_fonts();
        let others: Vec<ID> =
            database.faces().filter(|info| family(info) != Some(PREFERRED[0])).map(|info| info.id).collect();
        others.into_iter().for_each(|id| database.remove_face(id));
        let fonts = Fonts::choose(database).unwrap();
        let core = |script| (script, "fonts-noto-core");
        assert_eq!(fonts.missing_scripts(), [core("Thai"), core("Hindi"), core("Arabic")]);
        assert!(fonts.missing_fonts().contains(&CaptionFont::NotoSerif));
        assert!(!fonts.missing_fonts().contains(&CaptionFont::NotoSansSc));
        assert!(fonts.variant(Some(CaptionFont::NotoSerif), Strength::Bold).is_none());
    }

    #[test]
    fn bold_letters_are_of_the_same_family_and_another_file() {
        let fonts = Fonts::load(None).unwrap();
        let bold = fonts.variant(None, Strength::Bold).unwrap();
        assert_eq!(bold.family(), fonts.family());
        assert_ne!(bold.identity(), fonts.identity());
        assert!(bold.advance('m') > fonts.advance('m'));
        assert_eq!(fonts.variant(None, Strength::Regular).unwrap().identity(), fonts.identity());
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
    fn another_font_draws_missing_characters() {
        let fonts = Fonts::load(None).unwrap();
        assert_eq!(fonts.substitute('中'), None);
        let arabic = fonts.substitute('\u{627}').unwrap();
        assert!(arabic.family != "Noto Sans CJK SC" && fonts.advance('\u{627}').is_some_and(|a| a > 0.0));
    }

    /// Noto Grantha has the signs of Tamil, but not its letters.
    #[test]
    fn a_cluster_is_drawn_by_one_font() {
        let fonts = Fonts::load(None).unwrap();
        let family = |text: &str| fonts.substitute_for(text).map(|font| font.family);
        for (cluster, script) in
            [("கா", "Tamil"), ("க்", "Tamil"), ("கௌ", "Tamil"), ("ကြ", "Myanmar"), ("ខ្មែ", "Khmer")]
        {
            let own = family(cluster).unwrap();
            assert!(own.contains(script), "{cluster}: {own}");
            // It is measured in one piece too.
            let joined: f64 = fonts.clusters(cluster).iter().map(|cluster| cluster.advance).sum();
            assert!(joined > 0.0);
        }
        assert_eq!(family("é"), None);
    }

    /// The starts of clusters, and the width of all of them.
    fn clusters(text: &str) -> (Vec<usize>, f64) {
        let clusters = Fonts::load(None).unwrap().clusters(text);
        (
            clusters.iter().map(|cluster| cluster.at).collect(),
            clusters.iter().map(|cluster| cluster.advance).sum(),
        )
    }

    #[test]
    fn characters_drawn_together_are_one_cluster() {
        assert_eq!(clusters("中e\u{301}."), (vec![0, 3, 6], clusters("中é.").1));
        // Lam and alef form one shape, and a joined letter is narrower than an isolated one.
        let (places, width) = clusters("\u{644}\u{627} \u{628}\u{628}");
        assert_eq!(places, [0, 4, 5, 7]);
        let alone: f64 = "\u{644}\u{627} \u{628}\u{628}".chars().map(|c| clusters(&c.to_string()).1).sum();
        assert!(width < 0.85 * alone, "{width} of {alone}");
        assert!(clusters("AVAVAV").1 < clusters("A").1 * 3.0 + clusters("V").1 * 3.0);
        assert_eq!(clusters("\u{10fffd}\u{10fffd}"), (vec![0, 4], 2.0 * UNKNOWN_ADVANCE));
        assert_eq!(clusters(""), (vec![], 0.0));
    }

    #[test]
    fn adversarial_text_is_measured() {
        let marks = "e".to_owned() + &"\u{301}".repeat(100_000);
        assert!(clusters(&marks).1 < 1.0);
        let text = "a\u{5e9}\u{628}字\u{200d}\u{202e}\u{e34}\u{1f600}\u{fe0f}".repeat(1_000);
        assert!(clusters(&text).1.is_finite());
    }
}
