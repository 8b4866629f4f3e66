//! Encoder fallback: plans an output whose encoder failed again with its fallback encoder.

use std::collections::HashMap;

use crate::plan::Rendition;
use crate::segment::{SegmentKey, SegmentSpec, Toolchain, VideoSpec};

/// The whole output made by the other encoder, with no segment of the first encoder left.
#[derive(Debug, Clone, PartialEq)]
pub struct FallbackRendition {
    pub rendition: Rendition,
    /// For each replaced segment: its key, and the key and specification of its replacement.
    pub replaced: Vec<(SegmentKey, SegmentKey, SegmentSpec)>,
}

/// `specs` are those of the output's segments. `None` if none of them has an encoder that could fail.
pub fn by_fallback(
    rendition: &Rendition,
    specs: &[(SegmentKey, SegmentSpec)],
    toolchain: &Toolchain,
) -> Option<FallbackRendition> {
    let other = |(key, spec): &(SegmentKey, SegmentSpec)| {
        let spec = fallback(spec)?;
        Some((key.clone(), spec.key(toolchain), spec))
    };
    let replaced: Vec<_> = specs.iter().filter_map(other).collect();
    if replaced.is_empty() {
        return None;
    }
    let names: HashMap<&SegmentKey, &SegmentKey> = replaced.iter().map(|(old, new, _)| (old, new)).collect();
    let renamed = |key: &SegmentKey| names.get(key).copied().unwrap_or(key).clone();
    let video = rendition.video.iter().map(renamed).collect();
    Some(FallbackRendition { rendition: Rendition { video, ..rendition.clone() }, replaced })
}

fn fallback(spec: &SegmentSpec) -> Option<SegmentSpec> {
    let SegmentSpec::Video(spec) = spec else { return None };
    let encoder = spec.encoder.fallback.as_deref()?.clone().into();
    Some(SegmentSpec::Video(VideoSpec { encoder, ..spec.clone() }))
}
