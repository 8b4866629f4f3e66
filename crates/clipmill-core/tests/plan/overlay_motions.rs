//! Overlays that enter and leave: which segments they change, and what is shown on each frame.

use clipmill_core::request::model::*;
use clipmill_core::segment::SegmentKey;

use crate::overlays::{image, made, names, over, text, timed};

fn moving(overlay: Overlay, enter: OverlayMotion, leave: OverlayMotion) -> Overlay {
    Overlay { motions: OverlayMotions { enter, leave, ..OverlayMotions::default() }, ..overlay }
}

fn moves() -> impl Iterator<Item = OverlayMotion> {
    OverlayMotion::NAMES.into_iter().map(|(_, motion)| motion).filter(|motion| *motion != OverlayMotion::None)
}

const CLIPS: &[&[&str]] = &[&["a", "b", "c"]];

fn keys(overlay: Overlay) -> Vec<SegmentKey> {
    names(&made(over(vec![overlay]), CLIPS), 0)
}

#[test]
fn only_the_segments_in_which_it_moves_change() {
    for overlay in [image("logo"), text(&["hello"]), timed(text(&["hello"]), 0.0, 6.0)] {
        let plain = keys(overlay.clone());
        for motion in moves() {
            let own = keys(moving(overlay.clone(), motion, motion));
            let changed: Vec<bool> = plain.iter().zip(&own).map(|(plain, own)| plain != own).collect();
            assert_eq!(changed, [true, false, true], "{motion:?}");
            let own = keys(moving(overlay.clone(), motion, OverlayMotion::None));
            assert_eq!((&own[1..], own[0] == plain[0]), (&plain[1..], false), "{motion:?}");
        }
        let still = OverlayMotions { enter_s: 1.0, leave_s: 2.0, ..OverlayMotions::default() };
        assert_eq!(keys(Overlay { motions: still, ..overlay }), plain);
    }
}

/// Both sides of a cut show different frames of the motion, so they are different segments, also of the same clip.
#[test]
fn a_motion_continues_in_the_next_segment() {
    let clips: &[&[&str]] = &[&["a", "a", "a"]];
    for overlay in [image("logo"), text(&["hello"])] {
        for motion in moves() {
            let cut = timed(moving(overlay.clone(), motion, OverlayMotion::None), 1.9, 5.0);
            let own = names(&made(over(vec![cut]), clips), 0);
            assert!(own[0] != own[1] && own[1] != own[2] && own[0] != own[2], "{motion:?}");
            // The same as if the motion was in the first segment only.
            let whole = names(&made(over(vec![timed(overlay.clone(), 0.5, 5.0)]), clips), 0);
            assert!(own[1] != whole[1] && own[2] == whole[2], "{motion:?}");
        }
    }
}

#[test]
fn texts_are_drawn_alike_on_both_sides_of_a_cut() {
    let drawn = |groups: &[&[&str]], motion| {
        let title = timed(moving(text(&["Hi 5"]), motion, motion), 1.8, 2.2);
        let reading = made(over(vec![title]), groups);
        let mut events = Vec::new();
        let mut start = 0;
        for spec in reading.video(0) {
            for line in spec
                .texts
                .iter()
                .flat_map(|text| text.to_ass().lines().map(str::to_owned).collect::<Vec<_>>())
            {
                let Some(event) = line.strip_prefix("Dialogue: ") else { continue };
                let fields: Vec<&str> = event.splitn(10, ',').collect();
                let centiseconds = |time: &str| -> f64 {
                    let parts: Vec<f64> = time.split(':').map(|part| part.parse().unwrap()).collect();
                    (parts[0] * 3600.0 + parts[1] * 60.0 + parts[2]) * 100.0
                };
                let first = (centiseconds(fields[1]) * 0.3).ceil() as u64;
                let last = (centiseconds(fields[2]) * 0.3).ceil() as u64;
                events.extend((first..last).map(|frame| (start + frame, fields[9].to_owned())));
            }
            start += spec.frames.0;
        }
        events
    };
    for motion in moves() {
        let (whole, parts) = (drawn(&[&["long"]], motion), drawn(&[&["a", "b"]], motion));
        assert_eq!(
            whole.iter().map(|event| event.0).collect::<Vec<_>>(),
            Vec::from_iter(54..66),
            "{motion:?}"
        );
        assert_eq!(whole, parts, "{motion:?}");
    }
}

#[test]
fn motions_that_do_not_fit_are_shortened_with_a_warning() {
    let motions =
        OverlayMotions { enter: OverlayMotion::Fade, enter_s: 1.0, leave: OverlayMotion::Pop, leave_s: 2.0 };
    let reading = made(over(vec![timed(Overlay { motions, ..image("logo") }, 1.0, 2.5)]), CLIPS);
    let warnings = &reading.item(0).warnings;
    assert_eq!(warnings[0].path, "/params/options/overlays/0/enterSeconds");
    assert!(
        warnings[0].message.to_string().starts_with("is shown for only 1.50 s"),
        "{}",
        warnings[0].message
    );
    // A half and a whole second.
    let graph = reading.video(0)[0].graph.to_string();
    assert!(graph.contains("enable=between(t\\,0.98333\\,1.48333)"), "{graph}");
    let enough = timed(Overlay { motions, ..image("logo") }, 1.0, 4.0);
    assert!(made(over(vec![enough]), CLIPS).item(0).warnings.is_empty());
}

#[test]
fn frames_of_previews_depend_on_the_time_in_the_output() {
    use clipmill_core::plan::{Moment, frame_inputs};
    let request = |overlay| {
        crate::fixture::request(crate::fixture::base(
            vec![crate::fixture::group(&["a", "b"])],
            over(vec![overlay]),
        ))
    };
    let needed = |overlay| {
        let moment = Moment { item_no: 1, clip: Some(0), at_s: None };
        let needed = frame_inputs(&request(overlay), 1, &crate::fixture::Fixture::new().facts, &moment);
        needed.into_iter().map(|input| input.url).collect::<Vec<_>>()
    };
    assert_eq!(needed(moving(image("logo"), OverlayMotion::Fade, OverlayMotion::None)), ["a", "b", "logo"]);
}
