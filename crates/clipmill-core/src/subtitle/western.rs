//! Punctuation that Western and Chinese text share, such as `’` and `…`. Chinese fonts draw it as wide as an ideograph,
//! which tears Western words apart.

/// The kind of a character, as far as it determines which punctuation is Western.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A letter of any script but those of `Wide`.
    Western,
    /// A Chinese or Japanese character, including punctuation.
    Wide,
    /// Punctuation that both share.
    Shared,
    Other,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            '\u{b7}' | '\u{2010}'..='\u{2027}' => Self::Shared,
            '\u{2e80}'..='\u{a4cf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe10}'..='\u{fe1f}'
            | '\u{fe30}'..='\u{fe6f}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{20000}'..='\u{3ffff}' => Self::Wide,
            c if c.is_alphabetic() => Self::Western,
            _ => Self::Other,
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Self::Western | Self::Wide)
    }
}

/// The text on one side of a mark.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    /// The next character, skipping other marks.
    next: Option<Kind>,
    /// The next letter, at any distance.
    letter: Option<Kind>,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    at: usize,
    c: char,
    before: Side,
    after: Side,
    is_western: bool,
}

/// The places of shared punctuation in a line that belongs to Western text, in order.
pub fn western_marks(text: &str) -> Vec<usize> {
    if !text.chars().any(|c| Kind::of(c) == Kind::Shared) {
        return Vec::new();
    }
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let before = sides(chars.iter());
    let after = sides(chars.iter().rev());
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    let shared = chars.iter().filter(|(_, c)| Kind::of(*c) == Kind::Shared);
    let sides = before.into_iter().zip(after.into_iter().rev());
    let mark = |(&(at, c), (before, after))| {
        let is_western = is_western(c, before, after).unwrap_or(has_digits);
        Mark { at, c, before, after, is_western }
    };
    let mut marks: Vec<Mark> = shared.zip(sides).map(mark).collect();
    match_pairs(&mut marks);
    marks.into_iter().filter(|mark| mark.is_western).map(|mark| mark.at).collect()
}

/// For each mark, the text that was read before it.
fn sides<'a>(chars: impl Iterator<Item = &'a (usize, char)>) -> Vec<Side> {
    let mut side = Side::default();
    let mut sides = Vec::new();
    for (_, c) in chars {
        match Kind::of(*c) {
            Kind::Shared => sides.push(side),
            kind => {
                side.next = Some(kind);
                side.letter = side.next.filter(|kind| kind.is_letter()).or(side.letter);
            }
        }
    }
    sides
}

/// Quotes follow the text inside them, other marks the adjacent letters. Marks without adjacent letters are Western
/// only if there is no Chinese nearby. `None` if the line has no letters.
fn is_western(c: char, before: Side, after: Side) -> Option<bool> {
    let beside = match c {
        '‘' | '“' => [after.next, None],
        '”' => [before.next, None],
        // An apostrophe, unless it closes a quote.
        '’' => [before.next, after.next.filter(|next| *next == Kind::Western)],
        _ => [before.next, after.next],
    };
    if let Some(letter) = beside.into_iter().flatten().find(|kind| kind.is_letter()) {
        return Some(letter == Kind::Western);
    }
    let letters = [before.letter, after.letter];
    let has = |kind| letters.contains(&Some(kind));
    (has(Kind::Western) || has(Kind::Wide)).then(|| !has(Kind::Wide))
}

/// Makes both quotes of a pair Chinese if one of them is.
fn match_pairs(marks: &mut [Mark]) {
    for (open, close) in [('“', '”'), ('‘', '’')] {
        let mut open_quote: Option<usize> = None;
        for i in 0..marks.len() {
            let Some(mark) = marks.get(i).copied() else { return };
            let is_inside_word = [mark.before.next, mark.after.next] == [Some(Kind::Western); 2];
            if mark.c == open {
                open_quote = Some(i);
            } else if mark.c == close && !is_inside_word {
                let Some(first) = open_quote.take() else { continue };
                let are_western = marks.get(first).is_some_and(|mark| mark.is_western) && mark.is_western;
                for own in [first, i] {
                    marks.get_mut(own).into_iter().for_each(|mark| mark.is_western = are_western);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which marks are Western: `w` for each that is, `-` for the others.
    fn check(text: &str, expected: &str) {
        let western = western_marks(text);
        let marks = text.char_indices().filter(|(_, c)| Kind::of(*c) == Kind::Shared);
        let actual: String = marks.map(|(at, _)| if western.contains(&at) { 'w' } else { '-' }).collect();
        assert_eq!(actual, expected, "{text}");
    }

    #[test]
    fn marks_in_western_text_are_western() {
        check("It’s what you don’t see — that’s “magic”…", "wwwwwww");
        check("l’été, ’tis, the dogs’ bone", "www");
        check("„Привет“ … · «Γειά» – ok", "wwwww");
        check("‘Don’t’ “123” 5’10”", "wwwwwww");
        check("שלום “עולם” 한국어 “자막”", "wwww");
        check("5’10”", "ww");
    }

    #[test]
    fn marks_in_chinese_text_are_not() {
        check("他说：“你好”——‘是’……", "--------");
        check("“90后”，……", "----");
        check("……", "--");
        check("約束 … 「あ」 “123” か", "---");
    }

    #[test]
    fn marks_in_mixed_text_follow_their_neighbours() {
        check("他说：“你好”，It’s OK……", "--www");
        check("他说“Hello”了，don’t", "www");
        check("He said “你好” – now", "---");
        check("用“iPhone 是”好，“新 iPad”", "----");
        check("他 90’s 的 ’tis", "ww");
    }

    #[test]
    fn long_texts_take_no_longer_than_their_length() {
        let marks = "…".repeat(300_000);
        assert_eq!(western_marks(&format!("a{marks}b")).len(), 300_000);
        assert_eq!(western_marks(&format!("“{marks}")).len(), 0);
    }
}
