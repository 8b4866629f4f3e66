//! The renderer: tools, sources and cache that all rendering shares.

use crate::cache::Cache;
use crate::ffmpeg::process::Ffmpeg;
use crate::segment::hardware::Hardware;

/// The resources that rendering needs beside the plan.
#[derive(Debug, Clone)]
pub struct Renderer {
    pub ffmpeg: Ffmpeg,
    pub cache: Cache,
    /// A device that encodes, if one was configured and works.
    pub hardware: Option<Hardware>,
}
