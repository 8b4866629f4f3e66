//! Generates `docs/effects.md` from the catalogues, and fails if the checked-in file differs.
use clipmill_core::effects::Effect;
use clipmill_core::looks::Look;

pub const COMMAND: &str = "UPDATE_DOCS=1 cargo test -p clipmill-server --test documents";
/// Images in a row.
const COLUMNS: usize = 3;

const INTRODUCTION: &str = r#"A videoDeduplication task can lay one **effect** over a part of each video (`options.effect`) and draw one
colour **look** for each video (`options.isFilter`). The pictures below show every effect at full strength, and
every look, on a clip of "Big Buck Bunny" (© Blender Foundation, [CC BY 3.0](https://creativecommons.org/licenses/by/3.0/)).
The same catalogues, with titles in English and Chinese and a link to each picture, are answered by
`GET /open-api/v1/video-process/effects` and `GET /open-api/v1/video-process/looks`, without a key; on the command
line by `clipmill effects` and `clipmill looks`. With `--preview DIR` these render every entry as a short video and
a picture, on a sample or on a video of your own (`--source FILE`).

## Using an effect

```json
"effect": { "value": "light-leak", "trans": 60, "duration": 2, "position": 40 }
```

- `value`: a name from below. An unknown one is an error that lists near names.
- `trans`: the strength in percent, 1 to 100. At 3, the default, an effect is barely visible; at 100 it is as shown
  here. Strength blends overlays into the video and scales movement.
- `duration`: seconds, up to 60. The effect comes and goes softly, each within 0.15 s or a quarter of the duration,
  whichever is shorter.
- `position`: where it begins, in percent of the video's length; it begins earlier where it would not end with
  the video. Frames outside that range are left as they are.

An effect is the last step: it lies over masks and picture-in-picture, too. The same request gives the same pictures
again. Everything is made by calculation; no effect needs a file. `strobe` and `rgb-split` pulse no faster than three
times a second, but lights that flash can still trouble people with photosensitive epilepsy: warn your viewers.
"#;

fn document() -> String {
    let effects: Vec<_> =
        Effect::all().iter().map(|e| (e.name, e.title_en, e.title_zh, e.description_en)).collect();
    let looks: Vec<_> =
        Look::all().iter().map(|l| (l.name, l.title_en, l.title_zh, l.description_en)).collect();
    format!(
        "# Effects and looks\n\n<!-- Made from the code; do not edit. To make it again:\n{COMMAND}\nThe pictures: \
         make previews\n-->\n\n{INTRODUCTION}\n## Effects\n\n{}\n## Looks\n\n{}",
        table("effects", &effects),
        table("looks", &looks)
    )
}

type Line = (&'static str, &'static str, &'static str, &'static str);

pub fn table(folder: &str, lines: &[Line]) -> String {
    let mut text = format!("|{}\n|{}\n", "   |".repeat(COLUMNS), "---|".repeat(COLUMNS));
    for row in lines.chunks(COLUMNS) {
        let cells = row.iter().map(|(name, en, zh, about)| {
            format!(" ![{en}](images/{folder}/{name}.webp)<br>**`{name}`** {en} · {zh}<br>{about} |")
        });
        text.push_str(&format!("|{}{}\n", cells.collect::<String>(), "   |".repeat(COLUMNS - row.len())));
    }
    text
}

#[test]
fn the_checked_in_document_is_up_to_date() {
    crate::checked_in::check("effects.md", &document());
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
