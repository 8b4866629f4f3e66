//! What can be asked of a request's normal form.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use super::model::{Clip, DedupParams, MixOptions, Params, TaskRequest};

impl TaskRequest {
    /// SHA-256 over the normal form: equal for bodies that ask for the same in other words (defaults
    /// spelled out or left away, `30` or `30.0`, fields in another order).
    pub fn fingerprint(&self) -> [u8; 32] {
        // Serialising plain structs to a string cannot fail.
        let text = serde_json::to_string(self).unwrap_or_default();
        Sha256::digest(text.as_bytes()).into()
    }

    /// Every distinct input that the request names, in order of first appearance.
    pub fn urls(&self) -> Vec<&str> {
        let mut urls = match &self.params {
            Params::VideoDeduplication(params) => dedup_urls(params),
            Params::BaseVideoMix(params) => {
                let clips = params.groups.iter().flat_map(|group| clip_urls(&group.videos));
                clips.chain(mix_urls(&params.options)).collect()
            }
            Params::ProVideoMix(params) => {
                let scenes = params.scenes.iter().flat_map(|scene| {
                    clip_urls(&scene.resources).chain(scene.audio.iter().map(|audio| audio.url.as_str()))
                });
                scenes.chain(mix_urls(&params.options)).collect()
            }
        };
        let mut seen = HashSet::new();
        urls.retain(|url| seen.insert(*url));
        urls
    }
}

fn clip_urls(clips: &[Clip]) -> impl Iterator<Item = &str> {
    clips.iter().map(|clip| clip.url.as_str())
}

fn dedup_urls(params: &DedupParams) -> Vec<&str> {
    let options = &params.options;
    let masks = options.pic_mask.iter().chain(&options.video_mask);
    let masks = masks.flat_map(|mask| mask.urls.iter().map(String::as_str));
    let fill = options.pip.as_ref().and_then(|pip| pip.fill_url.as_deref());
    clip_urls(&params.videos).chain(masks).chain(fill).collect()
}

fn mix_urls(options: &MixOptions) -> impl Iterator<Item = &str> {
    let tracks = options.music.iter().chain(&options.voice).map(|track| track.url.as_str());
    tracks.chain(options.subtitle.iter().map(|subtitle| subtitle.url.as_str()))
}
