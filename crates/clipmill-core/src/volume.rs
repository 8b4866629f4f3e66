//! The volume of audio in percent, and its default, which stored requests and segments omit.

/// The volume of audio that does not state another one.
pub(crate) const fn full_volume() -> u32 {
    100
}

pub(crate) fn is_full_volume(percent: &u32) -> bool {
    *percent == full_volume()
}
