//! Previews of outputs: one frame, a short clip, an excerpt of the audio; and small images of files.

mod clip;
mod editorial;
pub mod excerpt;
pub mod frame;
pub mod thumbnail;
