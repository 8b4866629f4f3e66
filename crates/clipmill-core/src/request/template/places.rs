//! Where the parts of a filled request come from.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Values;
use super::fill::{Expansion, clip_url, is_dropped, step};

/// The maximum length of a place that is listed. All fields of requests are at shorter ones, whereas an unknown name may
/// be as long as the body, and precede all others.
pub const MAX_PATH_LENGTH: usize = 200;

/// A place in the template.
#[derive(Debug, PartialEq, Eq)]
pub struct Origin {
    /// JSON Pointer into the request of the template.
    pub path: String,
    /// The entry of the list that the clip there is repeated for, from 0.
    pub entry: Option<usize>,
}

/// The origins of the entries of arrays that have others than in the template: of each, its index there and the entry
/// of its list. Keys are JSON Pointers into the filled request.
pub struct Places(BTreeMap<String, Vec<(usize, Option<usize>)>>);

impl Places {
    pub fn of(request: &Value, values: &Values) -> Self {
        let mut places = Self(BTreeMap::new());
        places.add(request, values, &mut String::new());
        places
    }

    pub fn origin(&self, path: &str) -> Origin {
        let (mut origin, mut entry) = (String::new(), None);
        let mut container = 0;
        for step in path.split('/').skip(1) {
            let entries = path.get(..container).and_then(|path| self.0.get(path));
            let moved = entries.and_then(|entries| entries.get(step.parse::<usize>().ok()?));
            match moved {
                Some((index, of_list)) => {
                    origin.push_str(&format!("/{index}"));
                    entry = of_list.or(entry);
                }
                None => origin.push_str(&format!("/{step}")),
            }
            container += step.len() + 1;
        }
        Origin { path: origin, entry }
    }

    fn add(&mut self, value: &Value, values: &Values, path: &mut String) {
        let end = path.len();
        match value {
            Value::Array(entries) => {
                let mut origins = Vec::new();
                for (index, entry) in entries.iter().enumerate() {
                    match Expansion::of(entry, values) {
                        Expansion::Dropped => {}
                        Expansion::One => origins.push((index, None)),
                        Expansion::Clips(_, list) => {
                            origins.extend((0..list.len()).map(|entry| (index, Some(entry))));
                        }
                    }
                }
                for (place, entry) in origins.iter().enumerate() {
                    path.push_str(&format!("/{place}"));
                    if let Some(entry) = entries.get(entry.0) {
                        self.add(entry, values, path);
                    }
                    path.truncate(end);
                }
                let is_unchanged = origins.len() == entries.len()
                    && origins.iter().enumerate().all(|(place, origin)| *origin == (place, None));
                if !is_unchanged && path.len() <= MAX_PATH_LENGTH {
                    self.0.insert(path.clone(), origins);
                }
            }
            Value::Object(members) => {
                for (name, member) in members.iter().filter(|(_, member)| !is_dropped(member, values)) {
                    path.push_str(&step(name));
                    self.add(member, values, path);
                    path.truncate(end);
                }
            }
            _ => {}
        }
    }
}

/// The clips of a template whose list is empty: the place and the variable of each.
pub fn empty_clips<'t>(request: &'t Value, values: &Values) -> Vec<(String, &'t str)> {
    let mut clips = Vec::new();
    add_empty(request, values, &mut String::new(), &mut clips);
    clips
}

fn add_empty<'t>(value: &'t Value, values: &Values, path: &mut String, clips: &mut Vec<(String, &'t str)>) {
    let end = path.len();
    match value {
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                path.push_str(&format!("/{index}"));
                match Expansion::of(entry, values) {
                    Expansion::Dropped => {}
                    Expansion::Clips(key, []) if path.len() <= MAX_PATH_LENGTH => {
                        let clip = entry.as_object().and_then(clip_url);
                        clips.extend(clip.map(|(_, name)| (format!("{path}/{key}"), name)));
                    }
                    _ => add_empty(entry, values, path, clips),
                }
                path.truncate(end);
            }
        }
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(_, member)| !is_dropped(member, values)) {
                path.push_str(&step(name));
                add_empty(member, values, path, clips);
                path.truncate(end);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fill::filled;
    use super::*;

    #[test]
    fn every_place_of_a_filled_request_has_its_origin() {
        let request = json!({ "videos": [
            { "url": "first" },
            { "$if": "{{no}}", "url": "dropped" },
            { "url": "{{photos}}", "more": [{ "$if": "{{no}}" }, { "deep": "here" }] },
            { "url": "last" },
        ], "a/b": { "$if": "{{no}}" }, "c": ["x"] });
        let values = json!({ "photos": ["p", "q"], "empty": [] });
        let values = values.as_object().unwrap();
        let places = Places::of(&request, values);
        for (path, origin, entry) in [
            ("", "", None),
            ("/videos", "/videos", None),
            ("/videos/0/url", "/videos/0/url", None),
            ("/videos/1/url", "/videos/2/url", Some(0)),
            ("/videos/2/url", "/videos/2/url", Some(1)),
            ("/videos/2/more/0/deep", "/videos/2/more/1/deep", Some(1)),
            ("/videos/3/url", "/videos/3/url", None),
            ("/videos/9", "/videos/9", None),
            ("/c/0", "/c/0", None),
        ] {
            let expected = Origin { path: origin.to_owned(), entry };
            assert_eq!(places.origin(path), expected, "{path}");
        }
        let result = filled(&request, values);
        assert_eq!(result.pointer("/videos/2/more/0/deep"), Some(&json!("here")));
        assert_eq!(result.pointer("/videos/3/url"), Some(&json!("last")));
        assert_eq!(Places::of(&json!([{ "a": [{ "url": "{{x}}" }] }]), values).0.len(), 0);

        let empty = json!([{ "url": "{{photos}}" }, { "$if": "{{empty}}", "url": "{{empty}}" }, [{ "url": "{{empty}}" }]]);
        assert_eq!(empty_clips(&empty, values), [("/2/0/url".to_owned(), "empty")]);
    }
}
