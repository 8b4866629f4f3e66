//! The direction of lines. The renderer determines it by the first letter of each line that it draws. That is wrong for
//! lines that begin with a foreign word, so they get an invisible mark. Inside a line it orders text by Unicode's
//! bidirectional algorithm, which is repeated here to find the places of emoji.

use std::ops::Range;

use unicode_bidi::data_source::BidiMatchedOpeningBracket;
use unicode_bidi::{BidiClass, BidiDataSource, BidiInfo, HardcodedBidiData, Level};

use super::font::Cluster;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    LeftToRight,
    RightToLeft,
}

impl Direction {
    /// The direction of the first letter or mark of a text; `None` for a text without any.
    pub fn of(text: &str) -> Option<Self> {
        text.chars().find_map(|c| match c {
            '\u{200e}' => Some(Self::LeftToRight),
            '\u{200f}' | '\u{61c}' => Some(Self::RightToLeft),
            c if !c.is_alphabetic() => None,
            c if is_right_to_left(c) => Some(Self::RightToLeft),
            _ => Some(Self::LeftToRight),
        })
    }

    /// The direction of a line in a caption, after a line of the direction `before`.
    ///
    /// A line follows its first letter, so that captions in two languages have a direction for each. But a line that
    /// begins with a foreign word after a right-to-left line continues that line.
    pub fn of_line(line: &str, caption: &str, before: Option<Self>) -> Self {
        let direction = Self::of(line);
        let continues = before == Some(Self::RightToLeft) && line.contains(is_right_to_left);
        let inherited = || before.or_else(|| Self::of(caption)).unwrap_or(Self::LeftToRight);
        if continues { Self::RightToLeft } else { direction.unwrap_or_else(inherited) }
    }

    /// The mark before a text that gives it this direction, unless it already has it.
    pub fn mark(self, text: &str) -> Option<char> {
        let direction = Self::of(text).unwrap_or(Self::LeftToRight);
        let mark = match self {
            Self::LeftToRight => '\u{200e}',
            Self::RightToLeft => '\u{200f}',
        };
        (direction != self).then_some(mark)
    }
}

/// Classes of characters as the renderer has them: it does not match brackets.
struct RendererClasses;

impl BidiDataSource for RendererClasses {
    fn bidi_class(&self, c: char) -> BidiClass {
        HardcodedBidiData.bidi_class(c)
    }

    fn bidi_matched_opening_bracket(&self, _: char) -> Option<BidiMatchedOpeningBracket> {
        None
    }
}

/// The emoji of a line, each with its distance from the line's left end in em. In `drawn`, which begins after the mark,
/// each emoji is a single replacement character.
pub fn lefts(
    drawn: &str,
    mark: Option<char>,
    clusters: &[Cluster],
    emoji: Vec<Range<usize>>,
) -> Vec<(Range<usize>, f64)> {
    let distances = distances(drawn, mark, clusters, &emoji);
    let distance = |own: &Range<usize>| {
        let index = clusters.binary_search_by_key(&own.start, |cluster| cluster.at);
        index.ok().and_then(|index| distances.get(index).copied()).unwrap_or(0.0)
    };
    emoji.into_iter().map(|own| (own.clone(), distance(&own))).collect()
}

/// The distance of each cluster of a line from its left end, as in [`lefts`].
pub fn distances(drawn: &str, mark: Option<char>, clusters: &[Cluster], emoji: &[Range<usize>]) -> Vec<f64> {
    let text: String = mark.into_iter().chain(drawn.chars()).collect();
    let info = BidiInfo::new_with_data_source(&RendererClasses, &text, None);
    let mark_len = mark.map_or(0, char::len_utf8);
    let (mut shift, mut next) = (0, emoji.iter().peekable());
    let level = |cluster: &Cluster| {
        while let Some(own) = next.next_if(|own| own.end <= cluster.at) {
            shift += own.len() as isize - '\u{fffc}'.len_utf8() as isize;
        }
        let at = (mark_len + cluster.at).saturating_add_signed(-shift);
        info.levels.get(at).copied().unwrap_or(Level::ltr())
    };
    let levels: Vec<Level> = clusters.iter().map(level).collect();
    let mut left = 0.0;
    let mut distances = vec![0.0; clusters.len()];
    for index in BidiInfo::reorder_visual(&levels) {
        if let (Some(distance), Some(cluster)) = (distances.get_mut(index), clusters.get(index)) {
            *distance = left;
            left += cluster.advance;
        }
    }
    distances
}

pub fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_or_mark_decides() {
        let check = |text: &str, expected| assert_eq!(Direction::of(text), expected, "{text:?}");
        check("- 12 شيء abc", Some(Direction::RightToLeft));
        check("(a) שלום", Some(Direction::LeftToRight));
        check("٢٠٢٦ a", Some(Direction::LeftToRight));
        check("\u{200f}a", Some(Direction::RightToLeft));
        check("12 - !", None);
    }

    #[test]
    fn lines_of_a_caption_continue_each_other_but_not_in_another_language() {
        let check = |caption: &str, expected: &[Direction]| {
            let mut actual = Vec::new();
            for line in caption.split('\n') {
                actual.push(Direction::of_line(line, caption, actual.last().copied()));
            }
            assert_eq!(actual, expected, "{caption:?}");
        };
        let (left, right) = (Direction::LeftToRight, Direction::RightToLeft);
        check("مرحبا\nEnglish في", &[right, right]);
        check("مرحبا\nHello, world.", &[right, left]);
        check("Hello\nمرحبا iPhone", &[left, right]);
        check("- 42!\nمرحبا\n42!", &[right, right, right]);
        check("42", &[left]);
    }

    #[test]
    fn a_mark_is_written_only_where_it_changes_the_direction() {
        assert_eq!(Direction::RightToLeft.mark("English في"), Some('\u{200f}'));
        assert_eq!(Direction::RightToLeft.mark("123."), Some('\u{200f}'));
        assert_eq!(Direction::LeftToRight.mark("في English"), Some('\u{200e}'));
        assert_eq!(Direction::RightToLeft.mark("في English"), None);
        assert_eq!(Direction::LeftToRight.mark("123."), None);
    }
}
