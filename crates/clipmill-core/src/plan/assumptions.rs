//! Assumptions about files that have not been probed yet.

use std::collections::BTreeMap;

use crate::media::Facts;
use crate::request::model::Clip;
use crate::speech::Speech;

/// The assumed length of a clip of unknown length.
pub(crate) const UNKNOWN_CLIP_S: f64 = 15.0;

/// File name extensions of images.
const IMAGE_EXTENSIONS: [&str; 4] = ["jpg", "jpeg", "png", "webp"];

/// Whether the last path segment of a URL has the extension of an image. The query is ignored.
pub(crate) fn is_named_as_image(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let Some((_, ending)) = path.rsplit_once('.') else { return false };
    IMAGE_EXTENSIONS.iter().any(|name| ending.eq_ignore_ascii_case(name))
}

/// The assumed length of each file in seconds, from the clips that use it: the first declared length, otherwise a
/// length that covers every use.
pub(crate) fn assumed_lengths<'a>(clips: impl IntoIterator<Item = &'a Clip>) -> BTreeMap<&'a str, f64> {
    let (mut declared, mut used) = (BTreeMap::new(), BTreeMap::new());
    for clip in clips {
        let url = clip.url.as_str();
        match clip.duration_s {
            Some(seconds) => _ = declared.entry(url).or_insert(seconds),
            None => {
                let used_length = clip.to_s.unwrap_or(0.0).max(clip.from_s.unwrap_or(0.0) + UNKNOWN_CLIP_S);
                let longest: &mut f64 = used.entry(url).or_insert(used_length);
                *longest = longest.max(used_length);
            }
        }
    }
    used.extend(declared);
    used
}

/// The used length of an audio file: at most `limit_s`.
pub(crate) fn audio_seconds(url: &str, limit_s: Option<f64>, facts: &Facts) -> f64 {
    let file_s = facts.media.get(url).and_then(|info| Some(info.as_ref().ok()?.audio.as_ref()?.duration_s));
    let file_s = file_s.or_else(|| Some(Speech::of_url(url)?.estimated_s()));
    file_s.into_iter().chain(limit_s).reduce(f64::min).unwrap_or(UNKNOWN_CLIP_S)
}
