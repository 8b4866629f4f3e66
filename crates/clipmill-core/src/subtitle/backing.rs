//! The shape of the box behind a caption: one row for each line, joined into one outline.
//!
//! It is one shape instead of a box for each line, because overlaps of translucent boxes would be visible, and because
//! its corners are on whole pixels.

/// A closed outline, clockwise, in output pixels.
pub type Outline = Vec<(i32, i32)>;

/// `edges` are the upper edge of each row and the lower edge of the last, from the top down; `halves` is half the width of
/// each row. Rows that differ by less than `step` become equal, because small steps look like mistakes.
pub fn outline(center: i32, edges: &[i32], halves: &[i32], step: i32) -> Outline {
    let halves = level(halves, step);
    let rows: Vec<(i32, i32, i32)> = edges
        .iter()
        .zip(edges.iter().skip(1))
        .zip(halves)
        .map(|((top, low), half)| (*top, *low, half))
        .collect();
    let down = rows.iter().flat_map(|(top, low, half)| [(center + half, *top), (center + half, *low)]);
    let up = rows.iter().rev().flat_map(|(top, low, half)| [(center - half, *low), (center - half, *top)]);
    without_repeats(down.chain(up))
}

/// An outline with rounded corners: for each corner the point where its curve begins, its two control points, and the
/// point where it ends. Edges too short for two curves of `radius` get smaller ones.
pub fn rounded(outline: &Outline, radius: f64) -> Vec<[(f64, f64); 4]> {
    let point =
        |i: usize| outline.get(i % outline.len()).map_or((0.0, 0.0), |p| (f64::from(p.0), f64::from(p.1)));
    let count = outline.len();
    (0..count).map(|i| corner(point(i + count - 1), point(i), point(i + 1), radius)).collect()
}

/// The distance of a control point from the start of a quarter circle, in radii.
const BEND: f64 = 0.552_284_75;

fn corner(before: (f64, f64), at: (f64, f64), after: (f64, f64), radius: f64) -> [(f64, f64); 4] {
    let length = |to: (f64, f64)| (to.0 - at.0).hypot(to.1 - at.1);
    let radius = radius.min(length(before) / 2.0).min(length(after) / 2.0);
    let towards = |to: (f64, f64), far: f64| {
        let part = far / length(to).max(1.0);
        (at.0 + (to.0 - at.0) * part, at.1 + (to.1 - at.1) * part)
    };
    let bend = radius * (1.0 - BEND);
    [towards(before, radius), towards(before, bend), towards(after, bend), towards(after, radius)]
}

fn level(halves: &[i32], step: i32) -> Vec<i32> {
    let mut level = halves.to_vec();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for i in 1..level.len() {
            let (Some(a), Some(b)) = (level.get(i - 1).copied(), level.get(i).copied()) else { continue };
            if a != b && (a - b).abs() < step {
                has_changed = true;
                level.iter_mut().skip(i - 1).take(2).for_each(|half| *half = a.max(b));
            }
        }
    }
    level
}

/// Drops the second of two equal points and the middle of three on one vertical.
fn without_repeats(points: impl Iterator<Item = (i32, i32)>) -> Outline {
    let mut outline: Outline = Vec::new();
    for point in points {
        match outline.as_slice() {
            [.., last] if *last == point => {}
            [.., second_last, last] if second_last.0 == last.0 && last.0 == point.0 => {
                outline.pop();
                outline.push(point);
            }
            _ => outline.push(point),
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_is_a_rectangle() {
        assert_eq!(outline(50, &[10, 30], &[20], 5), [(70, 10), (70, 30), (30, 30), (30, 10)]);
    }

    #[test]
    fn rows_of_like_width_become_one() {
        assert_eq!(outline(50, &[10, 30, 50], &[20, 18], 5), [(70, 10), (70, 50), (30, 50), (30, 10)]);
    }

    #[test]
    fn rows_of_other_width_make_steps() {
        assert_eq!(
            outline(50, &[0, 10, 20], &[30, 10], 5),
            [(80, 0), (80, 10), (60, 10), (60, 20), (40, 20), (40, 10), (20, 10), (20, 0)]
        );
    }
}
