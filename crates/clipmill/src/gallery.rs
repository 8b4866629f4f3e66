//! `clipmill effects`, `clipmill looks` and `clipmill transitions`: the catalogues as text, and as previews on a
//! sample.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clipmill_core::effects::Effect;
use clipmill_core::looks::Look;
use clipmill_core::media::{ContentHash, VideoInfo};
use clipmill_core::plan::{ThumbnailSubject, catalogue_thumbnail};
use clipmill_core::transitions::Transition;
use clipmill_media::ffmpeg::process::Ffmpeg;
use clipmill_media::ingest::probe::probe;
use clipmill_media::previews::thumbnail;
use serde_json::{Value, json};

use crate::cli::{EffectsArgs, GalleryArgs};
use crate::report::{print_json, print_line, wrong};

/// From "Big Buck Bunny", © Blender Foundation, CC BY 3.0; see `samples/README.md`.
const SAMPLE: &[u8] = include_bytes!("../../../samples/bigbuckbunny.mp4");

/// One line of a catalogue.
struct Entry {
    name: &'static str,
    titles: [&'static str; 2],
    descriptions: [&'static str; 2],
    shown: ThumbnailSubject,
}

pub async fn effects(args: EffectsArgs) -> anyhow::Result<ExitCode> {
    let strength = f64::from(args.strength);
    let entries = Effect::all().iter().map(|effect| Entry {
        name: effect.name,
        titles: [effect.title_en, effect.title_zh],
        descriptions: [effect.description_en, effect.description_zh],
        shown: ThumbnailSubject::Effect(effect, strength),
    });
    show(entries.collect(), &args.gallery).await
}

pub async fn looks(args: GalleryArgs) -> anyhow::Result<ExitCode> {
    let entries = Look::all().iter().map(|look| Entry {
        name: look.name,
        titles: [look.title_en, look.title_zh],
        descriptions: [look.description_en, look.description_zh],
        shown: ThumbnailSubject::Look(look),
    });
    show(entries.collect(), &args).await
}

pub async fn transitions(args: GalleryArgs) -> anyhow::Result<ExitCode> {
    let entries = Transition::listed().map(|transition| Entry {
        name: transition.name,
        titles: [transition.title_en, transition.title_zh],
        descriptions: [transition.description_en, transition.description_zh],
        shown: ThumbnailSubject::Transition(transition),
    });
    show(entries.collect(), &args).await
}

async fn show(all: Vec<Entry>, args: &GalleryArgs) -> anyhow::Result<ExitCode> {
    if let Some(unknown) = args.only.iter().find(|name| all.iter().all(|entry| entry.name != **name)) {
        return Err(wrong(format!("no `{unknown}` in this catalogue")));
    }
    let is_selected = |entry: &Entry| args.only.is_empty() || args.only.iter().any(|name| name == entry.name);
    let entries: Vec<Entry> = all.into_iter().filter(is_selected).collect();
    let images = match &args.preview {
        Some(folder) => Some(render_all(&entries, folder, args).await?),
        None => None,
    };
    match args.json {
        true => print_json(&json!({ "list": as_json(&entries, images.as_deref()), "total": entries.len() })),
        false => entries.iter().for_each(|entry| {
            print_line(format_args!(
                "{:<14} {} · {}\n{:15}{}",
                entry.name, entry.titles[0], entry.titles[1], "", entry.descriptions[0]
            ));
        }),
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(entries: &[Entry], made: Option<&[RenderedImage]>) -> Vec<Value> {
    let line = |(index, entry): (usize, &Entry)| {
        let [en, zh] = entry.titles;
        let [about_en, about_zh] = entry.descriptions;
        let mut line = json!({
            "name": entry.name,
            "title": { "en": en, "zh": zh },
            "description": { "en": about_en, "zh": about_zh },
        });
        if let Some(made) = made.and_then(|made| made.get(index)) {
            line["video"] = json!(made.video);
            line["picture"] = json!(made.still);
        }
        line
    };
    entries.iter().enumerate().map(line).collect()
}

struct RenderedImage {
    video: PathBuf,
    still: PathBuf,
}

async fn render_all(
    entries: &[Entry],
    folder: &Path,
    args: &GalleryArgs,
) -> anyhow::Result<Vec<RenderedImage>> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let ffmpeg = Ffmpeg::default();
    let sample = folder.join(".sample.mp4");
    let source = args.source.as_deref().unwrap_or(&sample);
    if args.source.is_none() {
        std::fs::write(&sample, SAMPLE).with_context(|| format!("cannot write {}", sample.display()))?;
    }
    let images = match probe_source(&ffmpeg, source).await {
        Ok(video) => render_each(entries, folder, &ffmpeg, (source, &video), args.thumbnails).await,
        Err(error) => Err(error),
    };
    if args.source.is_none() {
        // Only a copy of the embedded sample.
        let _ = std::fs::remove_file(&sample);
    }
    images
}

async fn probe_source(ffmpeg: &Ffmpeg, source: &Path) -> anyhow::Result<VideoInfo> {
    let info = probe(ffmpeg, source, ContentHash("".into())).await;
    let info = info.map_err(|error| wrong(format!("{}: {error}", source.display())))?;
    match info.video {
        Some(video) if !video.still => Ok(video),
        _ => bail!("{} is not a video", source.display()),
    }
}

async fn render_each(
    entries: &[Entry],
    folder: &Path,
    ffmpeg: &Ffmpeg,
    (source, video): (&Path, &VideoInfo),
    thumbnails: bool,
) -> anyhow::Result<Vec<RenderedImage>> {
    let mut all = Vec::with_capacity(entries.len());
    for entry in entries {
        let image_file = |extension: &str| folder.join(format!("{}.{extension}", entry.name));
        let planned = catalogue_thumbnail(video, entry.shown);
        let image = RenderedImage { video: image_file("mp4"), still: image_file("jpg") };
        let failed = || format!("{} could not be rendered", entry.name);
        thumbnail::video(ffmpeg, source, &planned, &image.video).await.with_context(failed)?;
        thumbnail::frame(ffmpeg, &image.video, &planned, &image.still).await.with_context(failed)?;
        if thumbnails {
            let to = image_file("webp");
            match entry.shown {
                ThumbnailSubject::Effect(..) => {
                    thumbnail::animation(ffmpeg, &image.video, (8, 38), &to).await
                }
                ThumbnailSubject::Transition(_) => {
                    thumbnail::animation(ffmpeg, &image.video, (10, 12), &to).await
                }
                ThumbnailSubject::Look(_) => {
                    thumbnail::small_frame(ffmpeg, &image.video, &planned, &to).await
                }
            }
            .with_context(failed)?;
        }
        all.push(image);
    }
    Ok(all)
}
