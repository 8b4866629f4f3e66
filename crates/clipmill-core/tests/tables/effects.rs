//! The filters of each effect, as they were when their frames were last reviewed.
//!
//! A change that shows up here changes frames: review them (`make previews`), then accept the new text with
//! `INSTA_UPDATE=always cargo test -p clipmill-core --test tables effects`.

use clipmill_core::effects::{Effect, Stage};
use clipmill_core::filter_graph::Graph;
use clipmill_core::media::Size;
use clipmill_core::time::{Fps, Frames};

/// A whole small output, a piece of a large one that begins within the effect, and one long before it.
fn stages() -> [(&'static str, Stage); 3] {
    let stage = |width, height, frames, strength, duration_s, position| {
        let output = (Size::new(width, height), Fps::DEFAULT, Frames(frames));
        Stage::new(output, strength, duration_s, position)
    };
    let long = stage(1080, 1920, 900, 60.0, 8.0, 25.0);
    [
        ("small", stage(320, 180, 90, 100.0, 3.0, 0.0)),
        ("within", Stage { graph_begin: Frames(300), ..long }),
        ("before", Stage { graph_begin: Frames(30), ..long }),
    ]
}

fn text_of(effect: &Effect) -> String {
    let lines = stages().map(|(name, stage)| {
        let text = effect.apply(Graph::input(0, 0), &stage).to_text("v");
        format!("# {name}\n{}\n", text.replace(';', ";\n"))
    });
    lines.concat()
}

#[test]
fn filters_of_effects_do_not_change() {
    for effect in Effect::all() {
        insta::assert_snapshot!(effect.name, text_of(effect));
    }
}

#[test]
fn effects_are_found_by_name_and_distinct() {
    let texts: std::collections::BTreeSet<_> = Effect::all().iter().map(text_of).collect();
    assert_eq!(texts.len(), Effect::all().len());
    for effect in Effect::all() {
        assert!(std::ptr::eq(Effect::find(effect.name).unwrap(), effect));
    }
    assert!(Effect::find("nothing").is_none());
}
