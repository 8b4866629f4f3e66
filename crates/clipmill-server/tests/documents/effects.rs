//! Generates `docs/effects.md` from the catalogues, and fails if the checked-in file differs.
use clipmill_core::effects::Effect;
use clipmill_core::looks::Look;

pub const COMMAND: &str = "UPDATE_DOCS=1 cargo test -p clipmill-server --test documents";
/// Images in a row.
const COLUMNS: usize = 3;

const INTRODUCTION: &str = r#"A videoDeduplication task can apply one **effect** to a part of each video (`options.effect`) and one random colour
**look** to each video (`options.isFilter`). The images below show every effect at full strength, and every look, on a clip of
"Big Buck Bunny" (© Blender Foundation, [CC BY 3.0](https://creativecommons.org/licenses/by/3.0/)).

`GET /open-api/v1/video-process/effects` and `GET /open-api/v1/video-process/looks` return the same catalogues without a key,
with titles in English and Chinese and a link to each image. On the command line, use `clipmill effects` and `clipmill looks`.
With `--preview DIR`, they render every entry as a short video and an image, from a sample or your own video
(`--source FILE`).

## Using an effect

```json
"effect": { "value": "light-leak", "trans": 60, "duration": 2, "position": 40 }
```

- `value`: the name of an effect. An unknown name is an error that lists similar names.
- `trans`: the strength in percent, 1 to 100. At 3, the default, an effect is barely visible; at 100 it is as shown here. The
  strength sets the opacity of overlays and the size of movements.
- `duration`: the duration in seconds, up to 60. The effect fades in and out, each within 0.15 s or a quarter of the duration,
  whichever is shorter.
- `position`: the start, in percent of the video's length. The effect starts earlier if it would otherwise exceed the end of
  the video. All other frames are unchanged.

An effect is the last step, so it also covers masks and picture-in-picture. The same request always renders the same frames.
All effects are computed; none needs a file. `strobe` and `rgb-split` pulse at most three times per second, but flashing
lights can still affect people with photosensitive epilepsy: warn your viewers.
"#;

fn document() -> String {
    let effects: Vec<_> =
        Effect::all().iter().map(|e| (e.name, e.title_en, e.title_zh, e.description_en)).collect();
    let looks: Vec<_> =
        Look::all().iter().map(|l| (l.name, l.title_en, l.title_zh, l.description_en)).collect();
    format!(
        "# Effects and looks\n\n<!-- Generated from the code; do not edit. To regenerate it:\n{COMMAND}\nThe images: \
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
