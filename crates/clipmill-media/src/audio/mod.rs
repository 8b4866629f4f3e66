//! Audio samples: WAV files, loudness, mastering, joints of clips.

pub(crate) mod loudness;
pub mod mastering;
pub(crate) mod seam;
pub mod voice;
pub mod wav;
