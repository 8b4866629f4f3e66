//! Distinguishes misspelt names from unrelated ones.

use strsim::osa_distance;

/// Up to two slips (a letter wrong, missing, extra, or two swapped) still mean the same name.
const MAX_SLIPS: usize = 2;

/// The known name that `name` most likely stands for, or `None` if all differ by more than two letters. Case and the
/// spelling `color` for `colour` do not count.
pub fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let name = plain(name);
    let letters = name.chars().count();
    known
        .iter()
        .map(|candidate| (plain(candidate), *candidate))
        // The difference in length is a lower bound of the distance, and saves comparing long hostile names.
        .filter(|(plain, _)| plain.chars().count().abs_diff(letters) <= MAX_SLIPS)
        .map(|(plain, candidate)| (osa_distance(&name, &plain), candidate))
        .filter(|(slips, _)| *slips <= MAX_SLIPS)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// The maximum number of suggestions for an unknown name.
const MAX_NEAR: usize = 3;

/// The catalogue entries that `name` may mean, the likeliest first: in other spellings (`FilmGrain`, `film grain`), with
/// slips, or in part.
pub(super) fn near<'k>(name: &str, known: &[&'k str]) -> Vec<&'k str> {
    let letters =
        |name: &str| -> String { name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect() };
    let name = letters(name);
    let distance = |candidate: &str| {
        let candidate = letters(candidate);
        let part = name.len() >= 3 && (candidate.contains(&name) || name.contains(&candidate));
        let slips = osa_distance(&name, &candidate);
        let bearable = MAX_SLIPS.max(candidate.len() / 3);
        if part { Some(slips.min(bearable)) } else { (slips <= bearable).then_some(slips) }
    };
    let mut candidates: Vec<_> =
        known.iter().filter_map(|candidate| distance(candidate).map(|slips| (slips, *candidate))).collect();
    candidates.sort();
    // An exact name in another spelling is unambiguous.
    let sure = candidates.first().is_some_and(|(slips, _)| *slips == 0);
    candidates.into_iter().take(if sure { 1 } else { MAX_NEAR }).map(|(_, candidate)| candidate).collect()
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace("colour", "color")
}
