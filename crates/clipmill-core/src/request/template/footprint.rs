//! The size of a filled request, computed before it is filled.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fill::{CONDITION, OPEN, clip_url, condition, names};
use super::lists::{JsonSize, length};

/// The components of the size of a filled request. Objects that a condition may drop are counted.
pub struct Footprint<'a> {
    /// Everything but the values of variables.
    fixed: JsonSize,
    /// How often each variable is written.
    uses: BTreeMap<&'a str, usize>,
    /// Clips that are repeated for each entry of a list.
    repeated: Vec<(&'a str, Self)>,
}

impl<'a> Footprint<'a> {
    pub fn of(value: &'a Value, is_list: &dyn Fn(&str) -> bool) -> Self {
        let mut footprint = Self { fixed: JsonSize::default(), uses: BTreeMap::new(), repeated: Vec::new() };
        footprint.add(value, is_list);
        footprint
    }

    /// The size with the values of variables, of which `extent` returns the sizes.
    pub fn size(&self, extent: impl Fn(&str) -> Option<JsonSize>) -> JsonSize {
        self.sum(&extent)
    }

    fn sum(&self, extent: &impl Fn(&str) -> Option<JsonSize>) -> JsonSize {
        let of = |name: &str| extent(name).unwrap_or_default();
        let uses = self.uses.iter().map(|(name, count)| of(name).times(*count));
        let repeated = self.repeated.iter().map(|(list, clip)| clip.sum(extent).times(of(list).values));
        uses.chain(repeated).fold(self.fixed, JsonSize::plus)
    }

    fn add(&mut self, value: &'a Value, is_list: &dyn Fn(&str) -> bool) {
        self.fixed.values += 1;
        match value {
            Value::String(text) if text.contains(OPEN) => {
                self.fixed.bytes += text.len() + 2;
                names(text).for_each(|name| *self.uses.entry(name).or_default() += 1);
            }
            Value::Array(entries) => {
                self.fixed.bytes += entries.len() + 2;
                entries.iter().for_each(|entry| self.add_entry(entry, is_list));
            }
            Value::Object(members) => {
                self.fixed.bytes += members.keys().map(|name| name.len() + 4).sum::<usize>() + 2;
                let has_condition = condition(members).is_some();
                let kept = members.iter().filter(|(name, _)| !(has_condition && *name == CONDITION));
                kept.for_each(|(_, member)| self.add(member, is_list));
            }
            other => self.fixed.bytes += length(other),
        }
    }

    fn add_entry(&mut self, entry: &'a Value, is_list: &dyn Fn(&str) -> bool) {
        let list = entry.as_object().and_then(clip_url).filter(|(_, name)| is_list(name));
        let Some((_, name)) = list else { return self.add(entry, is_list) };
        let mut clip = Self::of(entry, is_list);
        // Each copy has one entry of the list; the list is counted once.
        if let Some(uses) = clip.uses.get_mut(name) {
            *uses -= 1;
        }
        *self.uses.entry(name).or_default() += 1;
        self.repeated.push((name, clip));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::template::lists::extent;

    #[test]
    fn sizes_are_computed_before_filling() {
        let request = json!({ "a": ["{{x}}", "<{{x}} {{ y }}>"], "b": { "{{x}}": "\\{{x}}" }, "c": 1 });
        let footprint = Footprint::of(&request, &|_| false);
        let size =
            |values: Value| footprint.size(|name| values.get(name).map(|value| extent(value, false))).bytes;
        let empty = size(json!({}));
        assert_eq!(size(json!({ "x": "x".repeat(1_000) })), empty + 2 * 1_002);
        assert_eq!(size(json!({ "x": 1, "y": "yy" })), empty + 2 * 8 + 4);
        assert!((60..100).contains(&empty), "{empty}");
    }

    #[test]
    fn repeated_clips_are_counted_for_each_entry() {
        let clip = json!({ "$if": "{{photos}}", "url": "{{photos}}", "note": ["{{x}}", { "deep": [0, 0] }] });
        let request = json!({ "videos": [clip, { "url": "a" }, clip], "texts": "{{photos}}" });
        let footprint = Footprint::of(&request, &|name| name == "photos");
        let size = |photos: Value, x: &str| {
            let values = json!({ "photos": photos, "x": x });
            footprint.size(|name| values.get(name).map(|value| extent(value, name == "photos")))
        };
        let ten = ["0123456789"; 10];
        let none = size(json!([]), "");
        let of_ten = size(json!(ten), "");
        // Both clips and the texts.
        let url_bytes = 3 * 10 * 13;
        let clip_bytes = (of_ten.bytes - none.bytes - url_bytes) / 20;
        assert!((clip.to_string().len()..clip.to_string().len() + 30).contains(&clip_bytes), "{clip_bytes}");
        assert_eq!(of_ten.values - none.values, 3 * 10 + 20 * 8);
        // A text is in every copy.
        assert_eq!(size(json!(ten), "xxxxx").bytes, of_ten.bytes + 20 * 5);
        // Cells are counted like lists.
        let cell = size(json!("0123456789|".repeat(9) + "0123456789"), "");
        assert!(cell.values >= of_ten.values && cell.bytes >= of_ten.bytes, "{cell:?}");
    }
}
