//! Generates `docs/transitions.md` from the catalogue, and fails if the checked-in file differs.
use clipmill_core::transitions::Transition;

use crate::effects::{COMMAND, table};

const INTRODUCTION: &str = r#"The clips of a `baseVideoMix` and the scenes of a `proVideoMix` can be joined by transitions
(`options.transition`):

```json
"transition": { "names": ["fade", "slideleft", "circleopen"], "duration": 0.5 }
```

For each change of clips, one of the names is chosen at random. [How transitions affect lengths, audio and
captions](api.md#transitions).

The images show each transition slowed down, between clips of "Big Buck Bunny" (© Blender Foundation,
[CC BY 3.0](https://creativecommons.org/licenses/by/3.0/)) and of a city. `GET /open-api/v1/video-process/transitions` returns
the same catalogue without a key, with titles in English and Chinese and a link to each image. On the command line, use
`clipmill transitions`. With `--preview DIR`, it renders every entry as a short video and an image, from the first half of a
sample or your own video (`--source FILE`) to its second half.
"#;

#[test]
fn the_checked_in_document_is_up_to_date() {
    let all: Vec<_> =
        Transition::listed().map(|t| (t.name, t.title_en, t.title_zh, t.description_en)).collect();
    let document = format!(
        "# Transitions\n\n<!-- Generated from the code; do not edit. To regenerate it:\n{COMMAND}\nThe images: make \
         previews\n-->\n\n{INTRODUCTION}\n## All transitions\n\n{}",
        table("transitions", &all)
    );
    crate::checked_in::check("transitions.md", &document);
}

#[test]
fn every_image_exists() {
    for transition in Transition::listed() {
        let path =
            format!("{}/../../docs/images/transitions/{}.webp", env!("CARGO_MANIFEST_DIR"), transition.name);
        assert!(std::path::Path::new(&path).is_file(), "{path} is missing: make previews");
    }
}
