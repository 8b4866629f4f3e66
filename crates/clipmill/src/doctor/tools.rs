//! Checks external programs and fonts: ffmpeg, its codecs, its sandbox.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clipmill_blobs::BlobError;
use clipmill_core::encoding::EncoderChoice;
use clipmill_core::fonts::CaptionFont;
use clipmill_core::message;
use clipmill_core::subtitle::FontMetrics;
use clipmill_media::cache::Cache;
use clipmill_media::error::MediaError;
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};
use clipmill_media::ffmpeg::sandbox::{Sandbox, check_kernel, remark};
use clipmill_media::ffmpeg::versions::{SUPPORTED, support};
use clipmill_media::fonts::Fonts;
use clipmill_media::segment::hardware::Hardware;
use clipmill_media::segment::renderer::Renderer;
use clipmill_media::self_test::SelfTest;
use clipmill_media::toolchain;
use clipmill_server::Config;
use clipmill_server::clock;
use clipmill_server::config::Storage;
use clipmill_server::settings;

use super::Finding;
use super::machine::existing;

const SHORT: Limits = Limits::wall(Duration::from_secs(30));

/// Whether a confined program starts, which it does not if any part of the sandbox fails.
pub async fn confinement(sandbox: &Sandbox, ffmpeg: &Ffmpeg) -> Result<String, String> {
    if *sandbox == Sandbox::Off {
        return Ok("off, as configured; something else must isolate ffmpeg".into());
    }
    check_kernel().map_err(|error| error.to_string())?;
    let started = ffmpeg.output(Program::Ffprobe, &["-version".into()], SHORT).await;
    started.map_err(|error| format!("{error}; see docs/operate/sandbox.md"))?;
    let remark = remark().map(|remark| format!("; {remark}")).unwrap_or_default();
    Ok(format!("every ffmpeg is confined (Landlock, seccomp, limits){remark}"))
}

pub async fn versions(ffmpeg: &Ffmpeg) -> Result<String, String> {
    let toolchain = toolchain::detect(ffmpeg).await;
    toolchain
        .map(|t| format!("{}, {}; x264 {}; libass {}", t.ffmpeg, support(&t.ffmpeg), t.x264, t.libass))
        .map_err(|error| match error {
            MediaError::Unsupported(reason) => reason,
            error => format!("{error}; install {SUPPORTED} (on Debian: apt install ffmpeg)"),
        })
}

/// Peculiarities of the installed programs.
pub async fn remarks(ffmpeg: &Ffmpeg) -> Vec<Finding> {
    toolchain::remarks(ffmpeg).await.into_iter().map(|remark| Finding::note("ffmpeg", remark)).collect()
}

/// Processes a built-in clip like a task.
pub async fn self_test(ffmpeg: &Ffmpeg) -> Finding {
    const WHAT: &str = "self-test";
    let scratch = std::env::temp_dir().join(format!("clipmill-doctor-test-{}", std::process::id()));
    let outcome = match Cache::open(&scratch).await {
        Ok(cache) => {
            let toolchain = toolchain::detect(ffmpeg).await.map_err(|error| error.to_string());
            let fonts = Arc::new(Fonts::load(None).map_err(|_| message::no_font()));
            Ok(SelfTest::new(ffmpeg.clone(), toolchain, fonts, cache, (&scratch, "")).run().await)
        }
        Err(error) => Err(error),
    };
    let _ = std::fs::remove_dir_all(&scratch);
    match outcome {
        Ok(Ok(report)) => {
            let captions = if report.captions { "with" } else { "without" };
            let text = format!(
                "a built-in clip was probed, rendered {captions} captions, joined and measured in {:.1} s",
                report.seconds
            );
            Finding::well(WHAT, text)
        }
        Ok(Err(failure)) => Finding::wrong(WHAT, failure.to_string()),
        Err(error) => Finding::note(WHAT, format!("not run: {error}")),
    }
}

pub async fn capabilities(ffmpeg: &Ffmpeg) -> Result<String, String> {
    let missing = toolchain::capabilities(ffmpeg).await.map_err(|error| error.to_string())?;
    if missing.is_empty() {
        return Ok("all available".into());
    }
    Err(toolchain::sentence(&missing))
}

/// The encoder, tested in the same way as by the service.
pub async fn encoder(ffmpeg: &Ffmpeg, config: &Config) -> Option<Finding> {
    const WHAT: &str = "encoder";
    let choice = config.worker.encoder;
    if choice == EncoderChoice::Libx264 {
        return Some(Finding::well(WHAT, "libx264"));
    }
    let scratch = std::env::temp_dir().join(format!("clipmill-doctor-{}", std::process::id()));
    let outcome = match Cache::open(&scratch).await {
        Ok(cache) => {
            let renderer = Renderer { ffmpeg: ffmpeg.clone(), cache, hardware: None };
            Ok(Hardware::find(&renderer, choice, &settings::encoding(config)).await)
        }
        Err(error) => Err(error),
    };
    let _ = std::fs::remove_dir_all(&scratch);
    let (hardware, refusals) = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return Some(Finding::note(WHAT, format!("not tried: {error}"))),
    };
    let tried = refusals.iter().map(|refusal| format!("{}: {}", refusal.encoder.as_str(), refusal.reason));
    let tried = tried.collect::<Vec<_>>().join("; ");
    Some(match hardware {
        Some(hardware) => Finding::note(WHAT, format!("{} works (experimental)", hardware.encoder.as_str())),
        None if choice == EncoderChoice::Auto => {
            Finding::note(WHAT, format!("libx264, because no hardware encoder works here ({tried})"))
        }
        None => {
            let hint = "fix that, or set encoder = \"libx264\" or \"auto\" under [worker]";
            Finding::wrong(WHAT, format!("{tried}; {hint}"))
        }
    })
}

/// The font of captions, and scripts without a font.
pub fn fonts() -> Finding {
    const WHAT: &str = "fonts";
    let fonts = match Fonts::load(None) {
        Ok(fonts) => fonts,
        Err(error) => return Finding::wrong(WHAT, error.to_string()),
    };
    if let Some(warning) = fonts.warning() {
        return Finding::wrong(WHAT, warning);
    }
    let family = FontMetrics::family(&fonts);
    let scripts = fonts.missing_scripts();
    let missing_fonts = fonts.missing_fonts().into_iter().map(CaptionFont::entry);
    let lacking: Vec<(&str, &str)> =
        scripts.into_iter().chain(missing_fonts.map(|font| (font.family, font.package))).collect();
    if lacking.is_empty() {
        return Finding::well(WHAT, family);
    }
    let names: Vec<&str> = lacking.iter().map(|(name, _)| *name).collect();
    let packages: BTreeSet<&str> = lacking.iter().map(|(_, package)| *package).collect();
    let install = packages.into_iter().collect::<Vec<_>>().join(" ");
    Finding::note(WHAT, format!("{family}; none for {}: apt-get install {install}", names.join(", ")))
}

/// Whether a bucket can store, return and remove files; `None` if there is none.
pub async fn bucket(data: &Path, config: &Storage) -> Option<Result<String, String>> {
    let describe = |error: BlobError| format!("{}: {error}; {}", config.url, error.remedy());
    let blobs = match settings::blobs(config, data, std::env::vars()) {
        Ok(blobs) => blobs,
        Err(error) => return Some(Err(describe(error))),
    };
    blobs.bucket()?;
    let scratch = existing(data).join(format!(".doctor-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir(&scratch) {
        return Some(Err(format!("{}: {error}", scratch.display())));
    }
    let name = format!("doctor-{}-{}", std::process::id(), clock::now_ms());
    let checked = blobs.check(&name, &scratch).await;
    let _ = std::fs::remove_dir_all(&scratch);
    Some(checked.map(|()| format!("{blobs} stores, returns and removes files")).map_err(describe))
}
