//! The effect of looks on colours.

use clipmill_core::looks::Look;

/// As they were when their frames were last reviewed; accept a change like that of an effect.
#[test]
fn filters_of_looks_do_not_change() {
    let texts = Look::all().iter().map(|look| {
        let filters: Vec<_> = look.filters().iter().map(ToString::to_string).collect();
        format!("{}: {}\n", look.name, filters.join(",\n  "))
    });
    insta::assert_snapshot!("looks", texts.collect::<String>());
}

/// The matrices of a look, from which red, green and blue are computed.
fn matrices(look: &Look) -> Vec<[[f64; 3]; 3]> {
    let texts = look.filters().into_iter().map(|filter| filter.to_string());
    let matrix = |text: String| {
        let arguments = text.strip_prefix("colorchannelmixer=")?;
        let value = |name: String| {
            let number = arguments.split(':').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
            number.unwrap_or_else(|| panic!("{name} is not in {text}")).parse().unwrap()
        };
        Some(["r", "g", "b"].map(|to| ["r", "g", "b"].map(|from| value(format!("{to}{from}")))))
    };
    texts.filter_map(matrix).collect()
}

fn shown(matrix: &[[f64; 3]; 3], color: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(color).map(|(weight, value)| weight * value).sum())
}

fn luma([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[test]
fn more_or_less_colour_leaves_brightness_and_greys_alone() {
    for (name, amount) in [("warm", 1.08), ("cool", 0.95)] {
        let [matrix] = matrices(Look::find(name).unwrap())[..] else { panic!("{name} has one matrix") };
        for color in [[0.8, 0.2, 0.1], [0.1, 0.5, 0.9], [0.4, 0.4, 0.4]] {
            let after = shown(&matrix, color);
            assert!((luma(after) - luma(color)).abs() < 1e-3, "{name}: {color:?} became {after:?}");
            for (before, after) in color.into_iter().zip(after) {
                let expected = luma(color) + amount * (before - luma(color));
                assert!((after - expected).abs() < 1e-3, "{name}: {before} became {after}, not {expected}");
            }
        }
    }
}

#[test]
fn looks_are_distinct() {
    let texts: std::collections::BTreeSet<_> = Look::all()
        .iter()
        .map(|look| look.filters().iter().map(ToString::to_string).collect::<Vec<_>>())
        .collect();
    assert_eq!(texts.len(), Look::all().len());
    for look in Look::all() {
        assert!(std::ptr::eq(Look::find(look.name).unwrap(), look));
        // A curve that a look does not change is omitted from its filters.
        assert!(look.filters().iter().all(|filter| !filter.to_string().contains("0/0 1/1")), "{}", look.name);
    }
    assert!(Look::find("nothing").is_none());
}
