//! Generates the tables of `docs/api/effects.md` from the catalogues, and fails if the checked-in ones differ.
use clipmill_core::effects::Effect;
use clipmill_core::looks::Look;

/// Images in a row.
const COLUMNS: usize = 3;

/// Checks the table of a catalogue between its marks.
#[track_caller]
pub fn check(page: &str, catalogue: &str, lines: &[Line]) {
    let begin = format!("<!-- catalogue: {catalogue} -->");
    crate::checked_in::check_part(page, &begin, "<!-- end of catalogue -->", &table(catalogue, lines));
}

pub type Line = (&'static str, &'static str, &'static str, &'static str);

fn table(folder: &str, lines: &[Line]) -> String {
    let mut text = format!("|{}\n|{}\n", "   |".repeat(COLUMNS), "---|".repeat(COLUMNS));
    for row in lines.chunks(COLUMNS) {
        let cells = row.iter().map(|(name, en, zh, about)| {
            format!(" ![{en}](../images/{folder}/{name}.webp)<br>**`{name}`** {en} · {zh}<br>{about} |")
        });
        text.push_str(&format!("|{}{}\n", cells.collect::<String>(), "   |".repeat(COLUMNS - row.len())));
    }
    text
}

#[test]
fn the_checked_in_tables_are_up_to_date() {
    let effects: Vec<_> =
        Effect::all().iter().map(|e| (e.name, e.title_en, e.title_zh, e.description_en)).collect();
    let looks: Vec<_> =
        Look::all().iter().map(|l| (l.name, l.title_en, l.title_zh, l.description_en)).collect();
    check("api/effects.md", "effects", &effects);
    check("api/effects.md", "looks", &looks);
}

#[test]
fn every_image_exists() {
    for (folder, names) in [
        ("effects", Effect::all().iter().map(|entry| entry.name).collect::<Vec<_>>()),
        ("looks", Look::all().iter().map(|entry| entry.name).collect()),
    ] {
        for name in names {
            let path = format!("{}/../../docs/images/{folder}/{name}.webp", env!("CARGO_MANIFEST_DIR"));
            assert!(std::path::Path::new(&path).is_file(), "{path} is missing: make previews");
        }
    }
}
