//! The probe cache: facts about files at web addresses, so that a file is fetched once while a user tries one setting
//! after another. It is kept in memory only, and without uploads, each of which belongs to one user.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::{Facts, MediaInfo};
use clipmill_core::plan::{InputKind, NeededInput};
use clipmill_core::subtitle::{Pauses, Subtitles};
use tokio::time::Instant;

/// How long facts about a file are reused.
const GOOD_FOR: Duration = Duration::from_secs(15 * 60);
/// How long a file that could not be fetched or used is not retried.
const BAD_FOR: Duration = Duration::from_secs(15);
const MAX_ENTRIES: usize = 512;
/// Subtitle files with more cues are not kept.
const MAX_CUES: usize = 20_000;

#[derive(Default)]
pub struct ProbeCache(Mutex<HashMap<NeededInput, (Instant, CachedFacts)>>);

#[derive(Clone)]
enum CachedFacts {
    Media(Box<MediaInfo>),
    Subtitle(Subtitles),
    Pauses(Pauses),
    Bad(TaskError),
}

impl ProbeCache {
    /// Adds the cached facts about `needed` to `facts`; returns the rest.
    pub fn recall(&self, needed: Vec<NeededInput>, facts: &mut Facts, now: Instant) -> Vec<NeededInput> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, (until, _)| *until > now);
        let is_unknown = |input: &NeededInput| match (entries.get(input), input.kind) {
            (Some((_, CachedFacts::Media(info))), _) => {
                facts.media.insert(input.url.clone(), Ok(*info.clone()));
                false
            }
            (Some((_, CachedFacts::Subtitle(subtitles))), _) => {
                facts.subtitles.insert(input.url.clone(), Ok(subtitles.clone()));
                false
            }
            (Some((_, CachedFacts::Pauses(pauses))), _) => {
                facts.pauses.insert(input.url.clone(), Ok(pauses.clone()));
                false
            }
            (Some((_, CachedFacts::Bad(error))), InputKind::Media) => {
                facts.media.insert(input.url.clone(), Err(error.clone()));
                false
            }
            (Some((_, CachedFacts::Bad(error))), InputKind::Subtitle) => {
                facts.subtitles.insert(input.url.clone(), Err(error.clone()));
                false
            }
            (Some((_, CachedFacts::Bad(error))), InputKind::Pauses) => {
                facts.pauses.insert(input.url.clone(), Err(error.clone()));
                false
            }
            (None, _) | (_, InputKind::Cuts | InputKind::Transcript | InputKind::Font) => true,
        };
        needed.into_iter().filter(is_unknown).collect()
    }

    /// Caches the facts about `looked`.
    pub fn remember(&self, looked: &[NeededInput], facts: &Facts, now: Instant) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for input in looked.iter().filter(|input| input.url.starts_with("http")) {
            let Some((time, found)) = found(input, facts) else { continue };
            if entries.len() >= MAX_ENTRIES {
                let soonest =
                    entries.iter().min_by_key(|(_, (until, _))| *until).map(|(input, _)| input.clone());
                soonest.map(|input| entries.remove(&input));
            }
            entries.insert(input.clone(), (now + time, found));
        }
    }
}

fn found(input: &NeededInput, facts: &Facts) -> Option<(Duration, CachedFacts)> {
    match input.kind {
        InputKind::Media => match facts.media.get(&input.url)? {
            Ok(info) => Some((GOOD_FOR, CachedFacts::Media(Box::new(info.clone())))),
            Err(error) => Some((BAD_FOR, CachedFacts::Bad(error.clone()))),
        },
        // Cuts are stored beside the file.
        InputKind::Cuts | InputKind::Transcript | InputKind::Font => None,
        InputKind::Pauses => match facts.pauses.get(&input.url)? {
            Ok(pauses) => Some((GOOD_FOR, CachedFacts::Pauses(pauses.clone()))),
            Err(error) => Some((BAD_FOR, CachedFacts::Bad(error.clone()))),
        },
        InputKind::Subtitle => match facts.subtitles.get(&input.url)? {
            Ok(subtitles) if subtitles.cues.len() > MAX_CUES => None,
            Ok(subtitles) => Some((GOOD_FOR, CachedFacts::Subtitle(subtitles.clone()))),
            Err(error) => Some((BAD_FOR, CachedFacts::Bad(error.clone()))),
        },
    }
}

#[cfg(test)]
mod tests {
    use clipmill_core::error::ErrorCode;

    use super::*;

    fn needed(url: &str) -> Vec<NeededInput> {
        vec![NeededInput { url: url.to_owned(), kind: InputKind::Subtitle }]
    }

    #[test]
    fn results_are_cached_longer_than_failures() {
        let (cache, start) = (ProbeCache::default(), Instant::now());
        let error = TaskError::new(ErrorCode::DownloadFailed, clipmill_core::message::no_host());
        let mut facts = Facts::default();
        let read = || Ok(Subtitles::default());
        for (url, found) in [("https://a", read()), ("https://b", Err(error)), ("upload://c", read())] {
            facts.subtitles.insert(url.to_owned(), found);
            cache.remember(&needed(url), &facts, start);
        }
        let cached = |url: &str, after: Duration| {
            let mut facts = Facts::default();
            let unknown = cache.recall(needed(url), &mut facts, start + after);
            unknown.is_empty() && facts.subtitles.contains_key(url)
        };
        let at = |after| ["https://a", "https://b", "upload://c"].map(|url| cached(url, after));
        assert_eq!(at(Duration::ZERO), [true, true, false]);
        assert_eq!(at(BAD_FOR), [true, false, false]);
        assert_eq!(at(GOOD_FOR), [false, false, false]);
    }

    #[test]
    fn memory_is_bounded() {
        let (cache, mut facts) = (ProbeCache::default(), Facts::default());
        for number in 0..2 * MAX_ENTRIES {
            let url = format!("https://{number}");
            facts.subtitles.insert(url.clone(), Ok(Subtitles::default()));
            cache.remember(&needed(&url), &facts, Instant::now());
        }
        assert_eq!(cache.0.lock().unwrap().len(), MAX_ENTRIES);
    }
}
