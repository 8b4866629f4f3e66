//! Writes the files from which a segment's texts are drawn.

use std::io::ErrorKind;
use std::path::Path;

use clipmill_core::error::TaskError;
use clipmill_core::media::Size;
use clipmill_core::segment::VideoSpec;
use clipmill_core::subtitle::{CaptionView, to_ass};

use crate::blocking::blocking;
use crate::cache::Scratch;
use crate::error::MediaError;
use crate::ffmpeg::args::{EmojiStrip, FONTS, emoji_of};
use crate::fonts::emoji::{EmojiFont, EmojiImage};
use crate::fonts::file;
use crate::source_file::{SourceFile, find};

/// The files of a segment's texts.
#[derive(Default)]
pub(crate) struct TextFiles {
    /// Its plain name is enough, because it is in the working directory.
    pub captions: Option<&'static str>,
    pub emoji: Option<EmojiStrip>,
}

/// Writes all text in view as an ASS file, its emoji as one image, and the client's fonts that draw it.
pub(crate) async fn write_texts(
    scratch: &Scratch,
    spec: &VideoSpec,
    files: &[SourceFile],
) -> Result<TextFiles, TaskError> {
    const NAME: &str = "captions.ass";
    if spec.drawn().next().is_none() {
        return Ok(TextFiles::default());
    }
    let path = scratch.file(NAME);
    tokio::fs::write(&path, to_ass(spec.drawn())).await.map_err(MediaError::file("write", &path))?;
    write_fonts(scratch, spec, files).await?;
    let names: Vec<String> = emoji_of(spec).into_iter().map(str::to_owned).collect();
    if names.is_empty() {
        return Ok(TextFiles { captions: Some(NAME), emoji: None });
    }
    let file = scratch.file("emoji.png");
    let strip = blocking(move || {
        let images = names.iter().map(|name| image_of(name)).collect::<Result<Vec<_>, _>>()?;
        let places = write_strip(&file, &images)?;
        Ok::<_, MediaError>(EmojiStrip { file, places })
    });
    Ok(TextFiles { captions: Some(NAME), emoji: Some(strip.await??) })
}

async fn write_fonts(scratch: &Scratch, spec: &VideoSpec, files: &[SourceFile]) -> Result<(), TaskError> {
    let folder = scratch.file(FONTS);
    for (content, family) in spec.drawn().flat_map(CaptionView::font_files) {
        let target = folder.join(family);
        if tokio::fs::try_exists(&target).await.unwrap_or(false) {
            continue;
        }
        if let Err(error) = tokio::fs::create_dir(&folder).await
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(MediaError::file("create", &folder)(error).into());
        }
        let source = find(files, Some(content))?;
        let (path, content, family) = (source.path.clone(), content.clone(), family.to_owned());
        let write = move || {
            let data = std::fs::read(&path).map_err(MediaError::file("read", &path))?;
            let font = file::rewrite_family(&data, &content, &family);
            let font = font.ok_or_else(|| unusable(format!("the font {family} is not in its file")))?;
            std::fs::write(&target, font.data).map_err(MediaError::file("write", &target))
        };
        blocking(write).await??;
    }
    Ok(())
}

/// Scans the installed fonts when it is first called.
fn image_of(text: &str) -> Result<EmojiImage, MediaError> {
    let image = EmojiFont::installed().and_then(|font| font.image(text));
    image.ok_or_else(|| unusable(format!("it has no image of {text}")))
}

fn unusable(detail: String) -> MediaError {
    MediaError::Unexpected { program: "the font of emoji", detail }
}

/// Writes images one below the other, and returns the upper edge and the size of each.
fn write_strip(file: &Path, images: &[EmojiImage]) -> Result<Vec<(u32, Size)>, MediaError> {
    let width = images.iter().map(|picture| picture.size.width).max().unwrap_or(1);
    let mut places = Vec::with_capacity(images.len());
    let (mut pixels, mut height) = (Vec::new(), 0);
    for EmojiImage { size, rgba } in images {
        places.push((height, *size));
        height += size.height;
        for row in rgba.chunks_exact(4 * size.width as usize) {
            pixels.extend_from_slice(row);
            pixels.resize(pixels.len() + 4 * (width - size.width) as usize, 0);
        }
    }
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
    written.map_err(|error| unusable(error.to_string()))?;
    std::fs::write(file, png).map_err(MediaError::file("write", file))?;
    Ok(places)
}
