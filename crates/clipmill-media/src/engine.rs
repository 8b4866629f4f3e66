//! The engine: tools found and identified, fonts, sources and renderer as one value.

use std::path::PathBuf;
use std::sync::Arc;

use clipmill_blobs::Bucket;
use clipmill_core::encoding::{Encoder, EncoderChoice, Encoding};
use clipmill_core::media::Facts;
use clipmill_core::message::{self, Message};
use clipmill_core::plan::{Context, DivisionSettings, Plan, plan};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::Toolchain;

use crate::cache::Cache;
use crate::cache::disk::Disk;
use crate::error::MediaError;
use crate::ffmpeg::process::Ffmpeg;
use crate::ffmpeg::sandbox::{Sandbox, check_kernel, remark};
use crate::fonts::{FontError, Fonts};
use crate::ingest::fetch::{FetchPolicy, Fetcher};
use crate::ingest::probe_cache::ProbeCache;
use crate::ingest::sources::Sources;
use crate::segment::hardware::{EncoderRefusal, Hardware};
use crate::segment::renderer::Renderer;
use crate::self_test::SelfTest;
use crate::speech::{SynthesisSettings, Synthesizer, Transcriber, TranscriptionSettings};
use crate::toolchain;

/// Settings of the engine.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// The folder of segments and scratch files.
    pub cache: PathBuf,
    /// The folder of downloaded and uploaded sources, named by content hash.
    pub inputs: PathBuf,
    pub fetch: FetchPolicy,
    /// The service that speaks texts, and the one that transcribes audio.
    pub synthesis: Option<SynthesisSettings>,
    pub transcription: Option<TranscriptionSettings>,
    pub encoding: Encoding,
    /// Which encoders are tried when the engine starts; `encoding` has the other settings.
    pub encoder: EncoderChoice,
    pub max_item_seconds: u64,
    pub division: DivisionSettings,
    /// Bytes of the disk that must stay free; work that would use them is postponed.
    pub keep_free: u64,
    /// Shared storage behind both folders.
    pub shared: Option<Bucket>,
    /// How every run of ffmpeg is confined.
    pub sandbox: Sandbox,
    pub max_input_bytes: u64,
    /// Whether the engine also opens without usable tools, for a process that does no work; operations that need them
    /// then fail.
    pub tools_optional: bool,
}

pub struct Engine {
    pub renderer: Renderer,
    pub sources: Sources,
    pub toolchain: Toolchain,
    pub self_test: Arc<SelfTest>,
    fonts: Arc<Result<Fonts, Message>>,
    encoding: Encoding,
    max_item_seconds: u64,
    max_input_bytes: u64,
    division: DivisionSettings,
    pub(crate) probe_cache: ProbeCache,
}

impl Engine {
    /// Finds ffmpeg, queries its versions and opens the folders. All runs are confined, so that a machine that cannot
    /// confine them is detected here. A missing font is an error only when subtitles are requested.
    pub async fn open(settings: EngineSettings) -> Result<Self, MediaError> {
        let described = format!("{:?}", (&settings.sandbox, &settings.encoding));
        // Reading the installed fonts takes as long as a run of ffmpeg.
        let fonts = tokio::task::spawn_blocking(|| Fonts::load(None));
        let (ffmpeg, toolchain) = match tools(settings.sandbox.clone()).await {
            Ok((ffmpeg, toolchain)) => (ffmpeg, Ok(toolchain)),
            Err(error) if settings.tools_optional => {
                tracing::warn!(%error, "this process cannot probe or preview media");
                (Ffmpeg::confined(settings.sandbox), Err(error.to_string()))
            }
            Err(error) => return Err(error),
        };
        let fetcher = Fetcher::new(settings.fetch)?;
        let cache = Cache::open(&settings.cache).await?;
        let fonts = fonts.await.unwrap_or(Err(FontError::NoFont));
        let fonts = Arc::new(fonts.map_err(|FontError::NoFont| message::no_font()));
        let place = (settings.cache.as_path(), described.as_str());
        let self_test = SelfTest::new(ffmpeg.clone(), toolchain.clone(), fonts.clone(), cache.clone(), place);
        let ffmpeg = ffmpeg.with_crash_check(self_test.crash_check());
        let disk = Disk::new(&settings.cache, settings.keep_free);
        let cache = cache.on(disk.clone()).before(settings.shared.clone());
        let synthesizer = settings.synthesis.map(Synthesizer::new).transpose()?;
        let transcriber = settings.transcription.map(Transcriber::new).transpose()?;
        let sources = Sources::open(&settings.inputs, ffmpeg.clone(), fetcher).await?;
        let sources = sources.with_fonts(fonts.clone()).with_speech(synthesizer, transcriber);
        let renderer = Renderer { ffmpeg, cache, hardware: None };
        let hardware = find_hardware(&renderer, settings.encoder, &settings.encoding).await?;
        Ok(Self {
            sources: sources.before(settings.shared, disk),
            renderer: Renderer { hardware, ..renderer },
            toolchain: toolchain.unwrap_or_default(),
            self_test,
            fonts,
            encoding: settings.encoding,
            max_item_seconds: settings.max_item_seconds,
            max_input_bytes: settings.max_input_bytes,
            division: settings.division,
            probe_cache: ProbeCache::default(),
        })
    }

    /// Removes unfinished files of processes that died.
    pub fn sweep(&self) -> std::io::Result<usize> {
        Ok(self.renderer.cache.sweep()? + self.sources.sweep()?)
    }

    /// Re-creates removed folders of unfinished files; returns whether there were any.
    pub fn restore_folders(&self) -> std::io::Result<bool> {
        Ok(self.renderer.cache.restore()? | self.sources.restore()?)
    }

    /// The account of the disk that holds the cache and the inputs.
    pub fn disk(&self) -> &Disk {
        &self.renderer.cache.disk
    }

    /// Plans with this machine's tools and fonts.
    pub fn plan(&self, request: &TaskRequest, seed: u64, facts: &Facts) -> Plan {
        plan(request, seed, facts, &self.context())
    }

    /// [`Engine::plan`] for one core, which splits only long video: the number of segments is then a measure of the work.
    pub fn plan_for_estimate(&self, request: &TaskRequest, seed: u64, facts: &Facts) -> Plan {
        let division = DivisionSettings { width: 1, ..self.division };
        plan(request, seed, facts, &Context { division, ..self.context() })
    }

    /// The cores that plans are made for.
    pub fn width(&self) -> u32 {
        self.division.width
    }

    /// The encoder that outputs are currently planned with.
    pub fn encoder(&self) -> Encoder {
        let hardware = self.renderer.hardware.as_ref().filter(|hardware| hardware.is_well());
        hardware.map_or(Encoder::Libx264, |hardware| hardware.encoder)
    }

    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            toolchain: &self.toolchain,
            font: self.fonts.as_ref().as_ref().map(|fonts| fonts as _).map_err(Clone::clone),
            encoding: Encoding { encoder: self.encoder(), ..self.encoding },
            max_item_seconds: self.max_item_seconds,
            max_input_bytes: self.max_input_bytes,
            division: self.division,
            is_wanted: &|| true,
        }
    }
}

/// The programs and their versions. All runs are confined, and a kernel that cannot confine them is an error.
async fn tools(sandbox: Sandbox) -> Result<(Ffmpeg, Toolchain), MediaError> {
    if sandbox != Sandbox::Off {
        check_kernel()?;
        if let Some(remark) = remark() {
            tracing::warn!("{remark}");
        }
    }
    let plain = Ffmpeg::confined(sandbox);
    let (ffmpeg, installed) = toolchain::fastest(&plain).await?;
    for remark in installed.remarks {
        tracing::warn!("{remark}");
    }
    Ok((ffmpeg, installed.toolchain))
}

/// Finds a hardware encoder. An explicitly configured one must work; of several candidates, one or none may work.
async fn find_hardware(
    renderer: &Renderer,
    choice: EncoderChoice,
    encoding: &Encoding,
) -> Result<Option<Hardware>, MediaError> {
    let (device, refusals) = Hardware::find(renderer, choice, encoding).await;
    for EncoderRefusal { encoder, reason } in &refusals {
        tracing::warn!(encoder = encoder.as_str(), reason, "an encoder failed its trial");
    }
    match (&device, refusals.into_iter().next_back()) {
        (None, Some(EncoderRefusal { encoder, reason })) if choice != EncoderChoice::Auto => {
            return Err(MediaError::NoEncoder { encoder: encoder.as_str(), reason });
        }
        _ => {}
    }
    let encoder = device.as_ref().map_or(Encoder::Libx264, |hardware| hardware.encoder);
    if choice != EncoderChoice::Libx264 {
        tracing::info!(encoder = encoder.as_str(), "video encoder selected");
    }
    Ok(device)
}
