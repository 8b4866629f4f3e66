use std::collections::BTreeSet;

use super::*;
use crate::media::Size;
use crate::time::{Fps, Frames};

const PORTRAIT: Overlap =
    Overlap { size: Size::new(720, 1280), fps: Fps::DEFAULT, frames: Frames(15), before: Frames(0) };

fn text(transition: &Transition, overlap: &Overlap) -> String {
    transition.apply(Graph::input(0, 0), Graph::input(1, 0), overlap).to_text("v")
}

#[test]
fn names_are_unique_and_can_be_found() {
    let names: BTreeSet<&str> = Transition::all().iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), Transition::all().len());
    assert!(names.len() >= 20);
    assert!(
        names.iter().all(|name| Transition::find(name).is_some_and(|transition| transition.name == *name))
    );
    assert_eq!(Transition::find("fadeout"), None);
}

#[test]
fn names_of_stored_requests_are_still_known() {
    for name in "fade fadeblack fadewhite fadegrays dissolve pixelize hblur slideleft slideright slideup slidedown \
         wipeleft wiperight wipeup wipedown smoothleft smoothright smoothup smoothdown circleopen circleclose \
         circlecrop rectcrop vertopen vertclose horzopen horzclose radial diagtl diagbr hlslice hrslice vuslice \
         vdslice squeezeh squeezev zoomthrough whippan spin glitch"
        .split_whitespace()
    {
        assert!(Transition::find(name).is_some() && NAMES.contains(&name), "{name}");
    }
}

#[test]
fn every_entry_has_texts_and_a_name_in_lower_case() {
    for entry in Transition::all() {
        assert!(entry.name.chars().all(|c| c.is_ascii_lowercase()), "{}", entry.name);
        let chinese = |text: &str| text.chars().all(|c| !c.is_ascii_alphabetic()) && !text.is_empty();
        assert!(chinese(entry.title_zh) && chinese(entry.description_zh), "{}", entry.name);
        assert!(!entry.title_en.is_empty() && !entry.description_en.is_empty(), "{}", entry.name);
    }
}

#[test]
fn unlisted_transitions_exist() {
    assert_eq!(Transition::listed().count() + UNLISTED.len(), Transition::all().len());
    assert!(UNLISTED.iter().all(|name| Transition::find(name).is_some()));
    assert!(Transition::listed().all(|transition| !UNLISTED.contains(&transition.name)));
}

/// Frames must not depend on chance, on the clock or on files.
#[test]
fn graphs_are_reproducible() {
    let allowed: BTreeSet<&str> =
        "alphamerge blend color crop displace fillborders format geq hflip hstack hue \
         lutyuv null overlay pad perspective rotate scale setparams split trim vstack zoompan"
            .split_whitespace()
            .collect();
    let mut texts = BTreeSet::new();
    for transition in Transition::all() {
        let text = text(transition, &PORTRAIT);
        // Labels are outside of filters; escaped separators are within their arguments.
        let plain = text.replace("\\,", "").replace("\\;", "");
        for filter in plain.split([';', ',']) {
            let name = filter.trim_start_matches(|c: char| "[]:n0123456789".contains(c));
            let name = if filter.contains("null") { "null" } else { name };
            let name = name.split(['=', '[']).next().unwrap_or_default();
            assert!(allowed.contains(name), "{}: {name} in {text}", transition.name);
        }
        assert!(!text.contains("random") && !text.contains("enable"), "{}", transition.name);
        assert!(text.contains("trim=end_frame=15"), "{}", transition.name);
        assert!(texts.insert(text), "{} is drawn like another one", transition.name);
    }
}

#[test]
fn progress_counts_frames_of_the_overlap() {
    assert_eq!(PORTRAIT.progress("N"), "clip(N/15,0,1)");
    let later = Overlap { before: Frames(10), ..PORTRAIT };
    assert_eq!((later.progress("n").as_str(), later.total()), ("clip((n-10)/15,0,1)", Frames(35)));
    let text = text(Transition::find("fade").unwrap(), &later);
    assert!(text.contains("[0:0]tpad=stop_mode=clone:stop=10,"), "{text}");
    assert!(text.contains("[1:0]tpad=start_mode=clone:start=10,"), "{text}");
    assert!(text.contains("trim=end_frame=35"), "{text}");
}

#[test]
fn masks_of_large_frames_are_small() {
    assert_eq!(PORTRAIT.reduced(180), Size::new(180, 320));
    assert_eq!(Overlap { size: Size::new(96, 160), ..PORTRAIT }.reduced(180), Size::new(96, 160));
}
