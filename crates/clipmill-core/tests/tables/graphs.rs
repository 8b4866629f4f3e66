//! Graphs in the form that ffmpeg reads.

use clipmill_core::filter_graph::{Filter, Graph};

fn filter(name: &'static str) -> Filter {
    Filter::new(name)
}

#[test]
fn filters_extend_one_chain_and_an_empty_list_changes_nothing() {
    let input = Graph::input(0, 0);
    assert_eq!(input.clone().then([]), input);
    let chain = input.then([filter("a")]);
    assert_eq!(chain.clone().then([]), chain);
    assert_eq!(chain.then([filter("b"), filter("c")]).to_text("v"), "[0:0]a,b,c[n1];[n1]null[v]");
}

/// How often a value called `name` is split in `body`.
fn copies(body: Graph) -> Option<u32> {
    let text = Graph::input(0, 0).named("x", body).to_text("v");
    assert!(!text.contains("[x]"), "a copy is missing: {text}");
    let split = text.split("[0:0]split=").nth(1)?;
    split.chars().next().unwrap().to_digit(10)
}

#[test]
fn a_named_graph_is_split_for_all_its_uses() {
    let x = || Graph::copy_of("x");
    let joined = || x().join(x(), filter("j"));
    for (expected, body) in [
        (None, Graph::input(1, 0)),
        (None, x()),
        (Some(2), joined()),
        (Some(2), joined().then([filter("a")])),
        (Some(3), Graph::combine([x(), x(), x()], filter("c"))),
        (Some(3), joined().join(x(), filter("j"))),
        (Some(2), joined().fork(vec![], vec![filter("a")], filter("j"))),
        // Within another name: in its value, in its body, in both.
        (Some(2), joined().named("y", Graph::copy_of("y"))),
        (Some(2), Graph::input(1, 0).named("y", joined())),
        (Some(4), joined().named("y", joined())),
        // The inner name hides the outer one in its body, not in its value.
        (Some(2), joined().named("x", x())),
        (None, x().named("x", x().then([filter("a")]))),
    ] {
        assert_eq!(copies(body.clone()), expected, "{body:?}");
    }
}

#[test]
fn an_unknown_copy_keeps_its_name() {
    assert_eq!(Graph::copy_of("x").to_text("v"), "[x]null[v]");
}
