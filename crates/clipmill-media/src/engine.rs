//! The media half as one value: tools found and identified, fonts, sources, renderer.

use std::path::PathBuf;

use clipmill_blobs::Bucket;
use clipmill_core::encoding::{Encoder, EncoderChoice, Encoding};
use clipmill_core::media::Facts;
use clipmill_core::message::{self, Message};
use clipmill_core::plan::{Context, Plan, plan};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::Toolchain;

use crate::cache::Cache;
use crate::cache::disk::Disk;
use crate::error::MediaError;
use crate::ffmpeg::loading;
use crate::ffmpeg::process::Ffmpeg;
use crate::ffmpeg::sandbox::{Sandbox, check_kernel, remark};
use crate::ffmpeg::toolchain;
use crate::fonts::{FontError, Fonts};
use crate::ingest::fetch::{FetchPolicy, Fetcher};
use crate::ingest::probe_cache::ProbeCache;
use crate::ingest::sources::Sources;
use crate::segment::hardware::{Hardware, Refused};
use crate::segment::renderer::Renderer;

/// Settings of the media half.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// Segments and scratch files.
    pub cache: PathBuf,
    /// Downloaded and uploaded sources, by content.
    pub inputs: PathBuf,
    pub fetch: FetchPolicy,
    pub encoding: Encoding,
    /// What is tried for encoding when the engine starts; `encoding` says the rest.
    pub encoder: EncoderChoice,
    pub max_item_seconds: u64,
    /// Length of the parts that long pictures are made in; 0 makes each in one piece.
    pub part_seconds: u64,
    /// Bytes of the disk that stay free; work that would take them is put off.
    pub keep_free: u64,
    /// Storage behind both folders that other machines see as well.
    pub shared: Option<Bucket>,
    /// How every run of ffmpeg is confined.
    pub sandbox: Sandbox,
    pub max_input_bytes: u64,
}

pub struct Engine {
    pub renderer: Renderer,
    pub sources: Sources,
    pub toolchain: Toolchain,
    fonts: Result<Fonts, Message>,
    encoding: Encoding,
    max_item_seconds: u64,
    max_input_bytes: u64,
    part_seconds: u64,
    pub(crate) probe_cache: ProbeCache,
}

impl Engine {
    /// Finds ffmpeg, asks for its versions, opens the folders; all of it confined, so that a machine that
    /// cannot confine is found out here. A missing font is not an error until
    /// somebody wants subtitles.
    pub async fn open(settings: EngineSettings) -> Result<Self, MediaError> {
        if settings.sandbox != Sandbox::Off {
            check_kernel()?;
            if let Some(remark) = remark() {
                tracing::warn!("{remark}");
            }
        }
        let ffmpeg = loading::faster(&Ffmpeg::confined(settings.sandbox)).await;
        let toolchain = toolchain::detect(&ffmpeg).await?;
        let fetcher = Fetcher::new(settings.fetch)?;
        let cache = Cache::open(&settings.cache).await?;
        let disk = Disk::new(&settings.cache, settings.keep_free);
        let cache = cache.on(disk.clone()).before(settings.shared.clone());
        let sources = Sources::open(&settings.inputs, ffmpeg.clone(), fetcher).await?;
        let renderer = Renderer { ffmpeg, cache, hardware: None };
        let hardware = find_hardware(&renderer, settings.encoder, &settings.encoding).await?;
        Ok(Self {
            sources: sources.before(settings.shared, disk),
            renderer: Renderer { hardware, ..renderer },
            toolchain,
            fonts: Fonts::load(None).map_err(|FontError::NoFont| message::no_font()),
            encoding: settings.encoding,
            max_item_seconds: settings.max_item_seconds,
            max_input_bytes: settings.max_input_bytes,
            part_seconds: settings.part_seconds,
            probe_cache: ProbeCache::default(),
        })
    }

    /// Removes unfinished files of processes that died.
    pub fn sweep(&self) -> std::io::Result<usize> {
        Ok(self.renderer.cache.sweep()? + self.sources.sweep()?)
    }

    /// The account of the disk that cache and inputs lie on.
    pub fn disk(&self) -> &Disk {
        &self.renderer.cache.disk
    }

    /// Plans with this machine's tools and fonts.
    pub fn plan(&self, request: &TaskRequest, seed: u64, facts: &Facts) -> Plan {
        plan(request, seed, facts, &self.context())
    }

    /// What outputs are planned with now.
    pub fn encoder(&self) -> Encoder {
        let hardware = self.renderer.hardware.as_ref().filter(|hardware| hardware.is_well());
        hardware.map_or(Encoder::Libx264, |hardware| hardware.encoder)
    }

    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            toolchain: &self.toolchain,
            font: self.fonts.as_ref().map(|fonts| fonts as _).map_err(Clone::clone),
            encoding: Encoding { encoder: self.encoder(), ..self.encoding },
            max_item_seconds: self.max_item_seconds,
            max_input_bytes: self.max_input_bytes,
            part_seconds: self.part_seconds,
        }
    }
}

/// What was named must work; of several that may be tried, one that does is enough, and so is none.
async fn find_hardware(
    renderer: &Renderer,
    choice: EncoderChoice,
    encoding: &Encoding,
) -> Result<Option<Hardware>, MediaError> {
    let (found, refused) = Hardware::find(renderer, choice, encoding).await;
    for Refused { encoder, reason } in &refused {
        tracing::warn!(encoder = encoder.as_str(), reason, "an encoder does not pass its trial");
    }
    match (&found, refused.into_iter().next_back()) {
        (None, Some(Refused { encoder, reason })) if choice != EncoderChoice::Auto => {
            return Err(MediaError::NoEncoder { encoder: encoder.as_str(), reason });
        }
        _ => {}
    }
    let encoder = found.as_ref().map_or(Encoder::Libx264, |hardware| hardware.encoder);
    if choice != EncoderChoice::Libx264 {
        tracing::info!(encoder = encoder.as_str(), "pictures are encoded");
    }
    Ok(found)
}
