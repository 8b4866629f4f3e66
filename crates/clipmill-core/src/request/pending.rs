//! Options that the interface has and this version cannot render yet.
//!
//! Their fields are read and checked like all others; switched on, they are refused rather than
//! silently left out of a video that costs points.

use super::reader::Fields;

/// By their names in `options`. An option that can be rendered is taken off this list, and works.
const PENDING: [&str; 2] = ["ducking", "loudness"];

/// Passes `value` on, unless `option` is pending: then its use is reported at `switch`, the place
/// below `options` that turned it on.
pub(super) fn unless_pending<T>(
    fields: &mut Fields,
    option: &str,
    switch: &str,
    value: Option<T>,
) -> Option<T> {
    if value.is_some() && PENDING.contains(&option) {
        fields.refuse(switch, format!("`{option}` is not available yet in this version; leave it out"), None);
        return None;
    }
    value
}
