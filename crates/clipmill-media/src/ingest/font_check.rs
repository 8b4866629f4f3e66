//! Checks a client's font file before it is used: it is read by our own parser, and drawn by the text renderer, both
//! confined.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::ContentHash;
use clipmill_core::request::model::Weight;

use crate::blocking::blocking;
use crate::error::MediaError;
use crate::ffmpeg::args::FONTS;
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError};
use crate::ffmpeg::sandbox::{ConfinedHelper, inputs};
use crate::fonts::file::{self, FontFault};

/// The work of our own program that reads a font file: gets it as an input, and prints the fault as JSON, or `null`.
pub const WORK: ConfinedHelper = ConfinedHelper { name: "clipmill-font-check", run: read_confined };

/// The time for reading every glyph, and for drawing one line. The largest Chinese fonts take a second.
const PARSE: Limits = Limits::wall(Duration::from_secs(60)).cpu(Duration::from_secs(5)).stdout_bytes(4096);
const DRAW: Limits =
    Limits::wall(Duration::from_secs(60)).cpu(Duration::from_secs(10)).stderr_bytes(256 << 10);

const CAPTIONS: &str = "captions.ass";

fn read_confined(args: Vec<OsString>) -> Vec<u8> {
    let data = inputs(&args).next().and_then(|path| std::fs::read(path).ok());
    let fault = data.map_or(Some(FontFault::Unreadable), |data| file::check(&data).err());
    serde_json::to_vec(&fault).unwrap_or_default()
}

/// Reads and draws the file at `path`, which contains `data`; `scratch` is an empty folder.
pub(crate) async fn check(
    ffmpeg: &Ffmpeg,
    path: &Path,
    data: &[u8],
    content: &ContentHash,
    scratch: &Path,
) -> Result<(), TaskError> {
    parse(ffmpeg, path).await?;
    let font = file::rewrite(data, content, Weight::Regular).map_err(refuse)?;
    let folder = scratch.join(FONTS);
    tokio::fs::create_dir(&folder).await.map_err(MediaError::file("create", &folder))?;
    let captions = scratch.join(CAPTIONS);
    let font_file = folder.join(&font.family);
    for (path, bytes) in [(&captions, trial_captions(&font.family).as_bytes()), (&font_file, &font.data[..])]
    {
        tokio::fs::write(path, bytes).await.map_err(MediaError::file("write", path))?;
    }
    let args = format!(
        "-v verbose -f lavfi -i color=s=320x64:r=1:d=1 -vf ass=filename={CAPTIONS}:fontsdir={FONTS} -f null -"
    );
    let args: Vec<OsString> = args.split(' ').map(OsString::from).collect();
    match ffmpeg.run_ffmpeg(&args, Some(scratch), DRAW, |_| {}).await {
        Ok(run) if uses_another(&run.stderr, &font.family) => Err(refuse(FontFault::NotDrawn)),
        Ok(_) => Ok(()),
        Err(ProcessError::TimedOut { .. }) => Err(refuse(FontFault::TooComplex)),
        Err(error) if error.is_failure() => Err(refuse(FontFault::NotDrawn)),
        Err(error) => Err(MediaError::from(error).into()),
    }
}

async fn parse(ffmpeg: &Ffmpeg, path: &Path) -> Result<(), TaskError> {
    let args = input_args(path);
    let printed = match ffmpeg.own_work(WORK.name, &args, PARSE).await {
        None => blocking(move || read_confined(args)).await?,
        Some(Ok(printed)) => printed,
        Some(Err(ProcessError::TimedOut { .. } | ProcessError::Crashed { .. })) => {
            return Err(refuse(FontFault::TooComplex));
        }
        Some(Err(error)) => return Err(MediaError::from(error).into()),
    };
    let unexpected =
        |error: serde_json::Error| MediaError::Unexpected { program: WORK.name, detail: error.to_string() };
    let fault: Option<FontFault> = serde_json::from_slice(&printed).map_err(unexpected)?;
    fault.map_or(Ok(()), |fault| Err(refuse(fault)))
}

pub(crate) fn refuse(fault: FontFault) -> TaskError {
    TaskError::new(ErrorCode::FontInvalid, fault.message())
}

/// Whether the renderer reported only other fonts in place of this one: it silently replaces fonts that it cannot open. For
/// letters that the font lacks, it reports another font as well.
fn uses_another(log: &str, family: &str) -> bool {
    let wanted = format!("fontselect: ({family},");
    let chosen = log.lines().filter_map(|line| line.split_once(&wanted)?.1.split_once("->"));
    let chosen: Vec<&str> = chosen.map(|(_, chosen)| chosen).collect();
    !chosen.is_empty() && chosen.iter().all(|chosen| !chosen.contains(family))
}

fn trial_captions(family: &str) -> String {
    format!(
        "[Script Info]\nScriptType: v4.00+\nPlayResX: 320\nPlayResY: 64\n\n[V4+ Styles]\n\
         Format: Name, Fontname, Fontsize\nStyle: Default,{family},24\n\n[Events]\n\
         Format: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.00,0:00:10.00,Default,Aa\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_is_used_unless_only_others_are() {
        let line = |chosen: &str| {
            format!("[Parsed_ass_0 @ 0x1] fontselect: (own-0, 400, 0) -> {chosen}, 0, {chosen}\n")
        };
        let (own, other) = (line("own-0"), line("/usr/share/fonts/a.ttf"));
        assert!(!uses_another("", "own-0"));
        assert!(!uses_another(&own, "own-0"));
        assert!(!uses_another(&format!("{own}{other}"), "own-0"), "a letter that it lacks");
        assert!(uses_another(&other, "own-0"));
        assert!(!uses_another(&other, "own-1"));
    }
}
