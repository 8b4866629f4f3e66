//! Generates the table of `docs/api/transitions.md` from the catalogue, and fails if the checked-in one differs.
use clipmill_core::transitions::Transition;

#[test]
fn the_checked_in_table_is_up_to_date() {
    let all: Vec<_> =
        Transition::listed().map(|t| (t.name, t.title_en, t.title_zh, t.description_en)).collect();
    crate::effects::check("api/transitions.md", "transitions", &all);
}

#[test]
fn every_image_exists() {
    for transition in Transition::listed() {
        let path =
            format!("{}/../../docs/images/transitions/{}.webp", env!("CARGO_MANIFEST_DIR"), transition.name);
        assert!(std::path::Path::new(&path).is_file(), "{path} is missing: make previews");
    }
}
