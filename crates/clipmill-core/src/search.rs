//! Words for searching tasks, which are matched by their beginnings.

/// The maximum length of a word, in characters; longer words are truncated, both here and in searches.
const MAX_WORD_LENGTH: usize = 32;
/// The maximum number of words that one object is indexed by.
const MAX_WORDS: usize = 100;
/// The maximum number of words of one search.
const MAX_SEARCH_WORDS: usize = 8;

/// The words of these texts, each once: runs of letters and digits, in lower case. In scripts without spaces between
/// words, a word begins at each character, so that any part of a text can be found.
pub fn words<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut words = Vec::new();
    for run in texts.into_iter().flat_map(runs) {
        let chars: Vec<char> = run.chars().collect();
        let beginnings = if chars.first().copied().is_some_and(is_unspaced) { chars.len() } else { 1 };
        for at in 0..beginnings {
            let word: String = chars.iter().skip(at).take(MAX_WORD_LENGTH).collect();
            if words.len() < MAX_WORDS && !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

/// The beginnings of words that a search requires, all of them.
pub fn beginnings(asked: &str) -> Vec<String> {
    runs(asked)
        .into_iter()
        .take(MAX_SEARCH_WORDS)
        .map(|run| run.chars().take(MAX_WORD_LENGTH).collect())
        .collect()
}

/// Splits text into runs of letters and digits of one kind of script.
fn runs(text: &str) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    let mut previous = None;
    for character in text.chars().flat_map(char::to_lowercase) {
        let kind = character.is_alphanumeric().then(|| is_unspaced(character));
        match (kind, runs.last_mut()) {
            (None, _) => {}
            (Some(_), Some(run)) if kind == previous => run.push(character),
            (Some(_), _) => runs.push(character.into()),
        }
        previous = kind;
    }
    runs
}

/// Whether the character's script is written without spaces: Thai, Lao, Khmer, Chinese, Japanese, Korean.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character), 0xE00..=0xEFF | 0x1780..=0x17FF | 0x2E80..=0xD7FF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str], query: &str) -> bool {
        let words = words(texts.iter().copied());
        beginnings(query).iter().all(|query| words.iter().any(|word| word.starts_with(query)))
    }

    #[test]
    fn a_prefix_finds_a_word_in_any_case() {
        let texts = ["Spring Sale – Blue Mug", "sku-1234#7", "VP01K9ABC"];
        for query in ["spring", "SALE", "mug blue", "sku-12", "#7", "vp01k9", "", "--"] {
            assert!(found(&texts, query), "{query}");
        }
        for query in ["pring", "mug red", "234", "9abc"] {
            assert!(!found(&texts, query), "{query}");
        }
    }

    #[test]
    fn any_part_of_text_without_spaces_is_found() {
        let texts = ["春季促销Mug蓝色马克杯"];
        for query in ["春季", "促销", "马克杯", "mug", "蓝色 春"] {
            assert!(found(&texts, query), "{query}");
        }
        assert!(!found(&texts, "红色"));
        assert!(found(&["โปรโมชั่น"], "โมชั่น"));
    }

    #[test]
    fn words_are_bounded() {
        let long = "é".repeat(500);
        assert_eq!(words([long.as_str()]), ["é".repeat(MAX_WORD_LENGTH)]);
        assert!(found(&[&long], &long));
        assert_eq!(words(["漢".repeat(300).as_str()]).len(), MAX_WORD_LENGTH);
        let all: String = (0..1000).map(|number| format!("w{number} ")).collect();
        assert_eq!(words([all.as_str()]).len(), MAX_WORDS);
        assert_eq!(beginnings(&all).len(), MAX_SEARCH_WORDS);
    }
}
