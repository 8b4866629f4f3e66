//! The media half as one value: tools found and identified, fonts, sources, renderer.

use std::path::PathBuf;

use clipmill_core::media::Facts;
use clipmill_core::plan::{Context, Plan, plan};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::Toolchain;

use crate::cache::Cache;
use crate::error::MediaError;
use crate::fetch::{FetchPolicy, Fetcher};
use crate::fonts::Fonts;
use crate::process::Ffmpeg;
use crate::render::Renderer;
use crate::sources::Sources;
use crate::toolchain;

/// Settings of the media half.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// Segments and scratch files.
    pub cache: PathBuf,
    /// Downloaded and uploaded sources, by content.
    pub inputs: PathBuf,
    pub fetch: FetchPolicy,
    pub encoder_threads: u32,
    pub max_item_seconds: u64,
    pub max_input_bytes: u64,
}

pub struct Engine {
    pub renderer: Renderer,
    pub sources: Sources,
    pub toolchain: Toolchain,
    fonts: Result<Fonts, String>,
    encoder_threads: u32,
    max_item_seconds: u64,
    max_input_bytes: u64,
}

impl Engine {
    /// Finds ffmpeg, asks for its versions, opens the folders. A missing font is not an error until
    /// somebody wants subtitles.
    pub async fn open(settings: EngineSettings) -> Result<Self, MediaError> {
        let ffmpeg = Ffmpeg::default();
        let toolchain = toolchain::detect(&ffmpeg).await?;
        let fetcher = Fetcher::new(settings.fetch)?;
        let cache = Cache::open(&settings.cache).await?;
        Ok(Self {
            sources: Sources::open(&settings.inputs, ffmpeg.clone(), fetcher).await?,
            renderer: Renderer { ffmpeg, cache },
            toolchain,
            fonts: Fonts::load(None).map_err(|error| error.to_string()),
            encoder_threads: settings.encoder_threads,
            max_item_seconds: settings.max_item_seconds,
            max_input_bytes: settings.max_input_bytes,
        })
    }

    /// Plans with this machine's tools and fonts.
    pub fn plan(&self, request: &TaskRequest, seed: u64, facts: &Facts) -> Plan {
        let context = Context {
            toolchain: &self.toolchain,
            font: self.fonts.as_ref().map(|fonts| fonts as _).map_err(Clone::clone),
            encoder_threads: self.encoder_threads,
            max_item_seconds: self.max_item_seconds,
            max_input_bytes: self.max_input_bytes,
        };
        plan(request, seed, facts, &context)
    }
}
