//! The shape of the box behind a caption: one row a line, joined into one outline.
//!
//! One shape instead of one box a line, because translucent boxes would show where they overlap, and
//! because its corners lie on whole pixels.

/// A closed outline, clockwise, in output pixels.
pub type Outline = Vec<(i32, i32)>;

/// `edges` are the upper edge of each row and the lower edge of the last, from the top down; `halves` is
/// half the width of each row. Rows that differ by less than `step` become equal: small steps look like
/// mistakes.
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

fn level(halves: &[i32], step: i32) -> Vec<i32> {
    let mut level = halves.to_vec();
    let mut changed = true;
    while changed {
        changed = false;
        for i in 1..level.len() {
            let (Some(a), Some(b)) = (level.get(i - 1).copied(), level.get(i).copied()) else { continue };
            if a != b && (a - b).abs() < step {
                changed = true;
                level.iter_mut().skip(i - 1).take(2).for_each(|half| *half = a.max(b));
            }
        }
    }
    level
}

/// Leaves out the second of two equal points and the middle of three on one vertical.
fn without_repeats(points: impl Iterator<Item = (i32, i32)>) -> Outline {
    let mut outline: Outline = Vec::new();
    for point in points {
        match outline.as_slice() {
            [.., last] if *last == point => {}
            [.., before, last] if before.0 == last.0 && last.0 == point.0 => {
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
