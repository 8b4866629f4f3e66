//! Telling a misspelt name from a foreign one.

use strsim::osa_distance;

/// Two slips (a letter wrong, missing, extra, or two swapped) still mean the same name.
const MAX_SLIPS: usize = 2;

/// The known name that `name` most likely stands for, if any is near: case does not count, nor does
/// British against American spelling of colour.
pub(super) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let name = plain(name);
    let letters = name.chars().count();
    known
        .iter()
        .map(|candidate| (plain(candidate), *candidate))
        // The length bounds the distance from below, and spares comparing long hostile names.
        .filter(|(plain, _)| plain.chars().count().abs_diff(letters) <= MAX_SLIPS)
        .map(|(plain, candidate)| (osa_distance(&name, &plain), candidate))
        .filter(|(slips, _)| *slips <= MAX_SLIPS)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace("colour", "color")
}
