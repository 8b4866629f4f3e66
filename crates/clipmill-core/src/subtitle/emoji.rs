//! Which characters are emoji, and how many of them an output may show.

use unicode_properties::UnicodeEmoji;
use unicode_properties::emoji::EmojiStatus;
use unicode_segmentation::UnicodeSegmentation;

use super::markup::shown_lines;

/// The maximum number of emoji in all texts of an output, because each is drawn by a filter of its own.
pub const MAX_EMOJI: usize = 100;

/// Requests the image form of a character that has both forms.
const AS_PICTURE: char = '\u{fe0f}';
/// Requests the text form.
const AS_TEXT: char = '\u{fe0e}';

/// Whether Unicode's rules show it as an image, by itself or because of the following characters.
pub fn is_emoji(grapheme: &str) -> bool {
    let Some(first) = grapheme.chars().next().filter(|_| !grapheme.is_ascii()) else { return false };
    let by_itself = matches!(
        first.emoji_status(),
        EmojiStatus::EmojiPresentation
            | EmojiStatus::EmojiPresentationAndModifierBase
            | EmojiStatus::EmojiPresentationAndEmojiComponent
            | EmojiStatus::EmojiPresentationAndModifierAndEmojiComponent
    );
    !grapheme.contains(AS_TEXT)
        && (by_itself || (first.is_emoji_char_or_emoji_component() && grapheme.contains(AS_PICTURE)))
}

/// The emoji of a text that are drawn as images if the emoji font has all of them.
pub(crate) fn count_emoji(text: &str) -> usize {
    if text.is_ascii() {
        return 0;
    }
    shown_lines(text).graphemes(true).filter(|grapheme| is_emoji(grapheme)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_are_counted_by_perceived_characters() {
        let counts = [
            ("😀", 1),
            ("❤️ 👍🏽 👩‍👩‍👧‍👦 🇩🇪 1️⃣ ⭐", 6),
            ("a 1 国 ❤ ☺\u{fe0e} # ©", 0),
            ("<b>😀</b>\n😀", 2),
            ("שלום 😀\n😀", 2),
            ("", 0),
        ];
        for (text, count) in counts {
            assert_eq!(count_emoji(text), count, "{text}");
        }
    }
}
