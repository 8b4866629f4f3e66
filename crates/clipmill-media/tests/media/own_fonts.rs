//! Text in a font file of the client.

use std::path::PathBuf;
use std::sync::Arc;

use clipmill_core::error::ErrorCode;
use clipmill_core::fonts::{CaptionFont, FontRef};
use clipmill_core::media::{Facts, Size};
use clipmill_core::plan::{InputKind, NeededInput};
use clipmill_core::request::model::{CaptionSource, Params, Subtitle, SubtitleStyle, Weight};
use clipmill_media::ffmpeg::process::Ffmpeg;
use clipmill_media::fonts::Fonts;
use clipmill_media::ingest::fetch::{FetchPolicy, Fetcher};
use clipmill_media::ingest::sources::{SourceLocation, Sources};

use crate::support::*;

const SIZE: (u32, u32) = (640, 360);

/// The path of an installed font.
fn installed(family: &str) -> PathBuf {
    let mut database = fontdb::Database::new();
    database.load_system_fonts();
    let query = fontdb::Query { families: &[fontdb::Family::Name(family)], ..fontdb::Query::default() };
    let id = database.query(&query).unwrap_or_else(|| panic!("install the font {family}"));
    match database.face_source(id).unwrap().0 {
        fontdb::Source::File(path) | fontdb::Source::SharedFile(path, _) => path,
        fontdb::Source::Binary(_) => panic!("{family} is not a file"),
    }
}

/// Adds the fonts at these paths to the facts, as a task does.
async fn learn_fonts(fixture: &mut Fixture, paths: &[&str]) {
    let inputs = fixture.folder.path().join("inputs");
    let fetcher = Fetcher::new(FetchPolicy::default()).unwrap();
    let sources = Sources::open(&inputs, Ffmpeg::default(), fetcher).await.unwrap();
    let fonts = Fonts::load(None).unwrap();
    let sources = sources.with_fonts(Arc::new(Ok(fonts)));
    let needed = paths.iter().map(|path| NeededInput { url: (*path).to_owned(), kind: InputKind::Font });
    let mut facts = Facts::default();
    let locate = |path: String| async move { Ok(SourceLocation::Local(path.into())) };
    sources.probe_inputs(needed.collect(), &mut facts, &locate).await;
    for process in std::fs::read_dir(inputs.join("partial")).unwrap().map(|entry| entry.unwrap().path()) {
        let is_empty = !process.is_dir() || std::fs::read_dir(&process).unwrap().next().is_none();
        assert!(is_empty, "files of checks are left");
    }
    for (path, font) in facts.fonts {
        if let Ok(font) = &font {
            fixture.paths.insert(font.0.file().unwrap().clone(), path.clone().into());
        }
        fixture.facts.fonts.insert(path, font);
    }
}

fn captioned(font: FontRef, weight: Weight) -> Params {
    let style = SubtitleStyle { font: Some(font), weight, ..SubtitleStyle::DEFAULT };
    let source = CaptionSource::Text("Waffle AVA é".to_owned());
    let mut options = options(SIZE, 30);
    options.subtitle = Some(Subtitle { source, timing: None, style });
    base(vec![group(&["clip.mp4"])], options)
}

/// The same letters in the same places, whether the font is installed or the client's.
#[tokio::test]
async fn an_own_font_draws_like_the_installed_one() {
    let mut fixture = Fixture::new().await;
    fixture
        .source("clip.mp4", "-f lavfi -i color=c=gray:s=640x360:r=30:d=1 -c:v libx264 -pix_fmt yuv420p")
        .await;
    let path = installed("Noto Serif");
    let path = path.to_str().unwrap();
    learn_fonts(&mut fixture, &[path]).await;
    let own = || FontRef::File(path.to_owned());
    let mut frames = Vec::new();
    for (font, weight) in [
        (own(), Weight::Regular),
        (FontRef::Catalogue(CaptionFont::NotoSerif), Weight::Regular),
        (FontRef::Catalogue(CaptionFont::NotoSans), Weight::Regular),
        (own(), Weight::Bold),
    ] {
        let rendered = fixture.render_one(captioned(font, weight)).await;
        frames.push(frame(&rendered.path, Size::new(SIZE.0, SIZE.1), 15).await);
    }
    let differing = |a: usize, b: usize| {
        let places = pairs(0..SIZE.0, 0..SIZE.1).into_iter();
        places.filter(|(x, y)| frames[a].at(*x, *y)[1].abs_diff(frames[b].at(*x, *y)[1]) > 24).count()
    };
    assert_eq!(differing(0, 1), 0, "the same font");
    assert!(differing(0, 2) > 200, "another font");
    // The file has no bold letters, so they are thickened.
    assert!(differing(0, 3) > 200, "bold");
    assert_eq!(fixture.leftovers(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn an_unusable_font_fails_the_outputs_that_use_it() {
    let mut fixture = Fixture::new().await;
    fixture.source("clip.mp4", "-f lavfi -i color=s=320x240:r=30:d=0.2 -c:v libx264 -pix_fmt yuv420p").await;
    let path = |name: &str| fixture.folder.path().join(name).to_str().unwrap().to_owned();
    let [text, large, missing] = ["a.ttf", "b.ttf", "c.ttf"].map(path);
    std::fs::write(&text, "hello").unwrap();
    std::fs::File::create(&large).unwrap().set_len((32 << 20) + 1).unwrap();
    learn_fonts(&mut fixture, &[&text, &large, &missing]).await;
    for (path, code, part) in [
        (text, ErrorCode::FontInvalid, "TTF, OTF or TTC"),
        (large, ErrorCode::FontInvalid, "33554432"),
        (missing, ErrorCode::DownloadFailed, ""),
    ] {
        let params = captioned(FontRef::File(path.clone()), Weight::Regular);
        let error = fixture.try_render(params).await.err().unwrap();
        assert_eq!((error.code, error.input.as_deref()), (code, Some(path.as_str())));
        assert!(error.message.english().contains(part), "{error}");
    }
}
