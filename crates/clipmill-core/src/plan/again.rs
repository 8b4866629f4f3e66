//! An output whose encoder failed, planned again by the encoder that it falls back on.

use std::collections::HashMap;

use crate::plan::Rendition;
use crate::segment::{PictureSpec, SegmentHash, SegmentSpec, Toolchain};

/// The whole output by the other encoder: no picture of the first one is left in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Again {
    pub rendition: Rendition,
    /// Each segment that is not used any more, and what is made in its place.
    pub replaced: Vec<(SegmentHash, SegmentHash, SegmentSpec)>,
}

/// `specs` are those of the output's segments. `None` where none of them has an encoder that could fail.
pub fn again(
    rendition: &Rendition,
    specs: &[(SegmentHash, SegmentSpec)],
    toolchain: &Toolchain,
) -> Option<Again> {
    let other = |(hash, spec): &(SegmentHash, SegmentSpec)| {
        let spec = fallback(spec)?;
        Some((hash.clone(), spec.hash(toolchain), spec))
    };
    let replaced: Vec<_> = specs.iter().filter_map(other).collect();
    if replaced.is_empty() {
        return None;
    }
    let names: HashMap<&SegmentHash, &SegmentHash> =
        replaced.iter().map(|(old, new, _)| (old, new)).collect();
    let renamed = |hash: &SegmentHash| names.get(hash).copied().unwrap_or(hash).clone();
    let pictures = rendition.pictures.iter().map(renamed).collect();
    Some(Again { rendition: Rendition { pictures, ..rendition.clone() }, replaced })
}

fn fallback(spec: &SegmentSpec) -> Option<SegmentSpec> {
    let SegmentSpec::Picture(picture) = spec else { return None };
    let encoder = picture.encoder.fallback.as_deref()?.clone().into();
    Some(SegmentSpec::Picture(PictureSpec { encoder, ..picture.clone() }))
}
