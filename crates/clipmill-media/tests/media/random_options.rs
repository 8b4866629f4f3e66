//! videoDeduplication with random options: every valid request renders its plan, and the same seed gives the same
//! recipe and the same frames.

use crate::support::*;
use clipmill_core::effects::Effect;
use clipmill_core::media::Size;
use clipmill_core::random::{RandomStream, grid_point};
use clipmill_core::request::{Policy, parse};
use clipmill_core::time::Fps;
use serde_json::{Map, Value, json};

/// Candidate files: clips, masks and fills.
struct Shelf {
    clips: Vec<(String, Size)>,
    images: Vec<String>,
    videos: Vec<String>,
}

async fn shelf(fixture: &mut Fixture) -> Shelf {
    let audio_args = "-f lavfi -i sine=frequency=440:duration=0.7 -c:a aac";
    let film = |size: &str, rate: &str| format!("-f lavfi -i testsrc2=s={size}:r={rate}:d=0.7");
    let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";
    let clips = vec![
        (
            fixture.source("wide.mp4", &format!("{} {audio_args} {x264}", film("128x72", "24"))).await,
            Size::new(128, 72),
        ),
        (
            fixture.source("odd.mkv", &format!("{} {x264} -pix_fmt yuv444p", film("67x91", "60"))).await,
            Size::new(66, 90),
        ),
        (
            fixture
                .source("tall.mov", &format!("{} {audio_args} -c:v prores_ks", film("64x110", "30")))
                .await,
            Size::new(64, 110),
        ),
    ];
    let still = "-f lavfi -i testsrc=s=40x60 -frames:v 1";
    let clear = "-filter_complex format=gbrap,colorchannelmixer=aa=0.5";
    let images = vec![
        fixture.source("clear.png", &format!("{still} {clear} -pix_fmt rgba")).await,
        fixture.source("plain.jpg", &format!("{still} -pix_fmt yuvj420p")).await,
        fixture.source("moving.gif", "-f lavfi -i testsrc=s=50x30:r=10:d=0.3").await,
        fixture.source("grey.png", &format!("{still} -pix_fmt gray")).await,
        fixture.source("few.png", &format!("{still} -pix_fmt monob")).await,
    ];
    let videos = vec![
        fixture.source("mask.mp4", &format!("{} {audio_args} {x264}", film("80x80", "25"))).await,
        fixture
            .source(
                "clear.webm",
                &format!("{} -c:v libvpx-vp9 -pix_fmt yuva420p -auto-alt-ref 0", film("50x30", "10")),
            )
            .await,
        fixture.source("clear.mov", &format!("{} {clear} -c:v png -pix_fmt rgba", film("50x30", "12"))).await,
    ];
    Shelf { clips, images, videos }
}

/// The two fields of a range; least, most and step.
type Bounds = ([&'static str; 2], (f64, f64, f64));

type Maker = fn(&mut Draw, &Shelf) -> Value;

const MIXING: [Bounds; 4] = [
    (["brightnessMin", "brightnessMax"], (-1.0, 1.0, 0.1)),
    (["contrastMin", "contrastMax"], (-2.0, 2.0, 0.1)),
    (["saturationMin", "saturationMax"], (0.0, 3.0, 0.1)),
    (["gammaMin", "gammaMax"], (0.1, 10.0, 0.1)),
];

const BALANCE: [&str; 9] = ["rs", "gs", "bs", "rm", "gm", "bm", "rh", "gh", "bh"];

/// Draws requests by a seed, so that a failure can be reproduced.
struct Draw(RandomStream);

impl Draw {
    fn yes(&mut self) -> bool {
        self.0.below(2) == 1
    }

    /// A value on the grid, ends included.
    fn number(&mut self, min: f64, max: f64, step: f64) -> Value {
        json!(grid_point(self.0.next_u64(), min, max, step))
    }

    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.0.below(list.len())]
    }

    fn span(&mut self, into: &mut Value, names: [&str; 2], (min, max, step): (f64, f64, f64)) {
        let (a, b) =
            (grid_point(self.0.next_u64(), min, max, step), grid_point(self.0.next_u64(), min, max, step));
        into[names[0]] = json!(a.min(b));
        into[names[1]] = json!(a.max(b));
    }

    fn options(&mut self, shelf: &Shelf) -> Value {
        let mut options = Map::new();
        options.insert("fps".into(), self.one(&[25, 30, 50, 60]).to_owned().into());
        options.insert("isMirror".into(), self.yes().into());
        options.insert("isFilter".into(), self.yes().into());
        let makers: [(&str, Maker); 11] = [
            ("frameExtraction", |draw, _| draw.spans("isExtract", &[(["start", "end"], (25.0, 30.0, 0.5))])),
            ("speed", |draw, _| draw.spans("isSpeed", &[(["start", "end"], (0.5, 2.0, 0.1))])),
            ("rotation", |draw, _| draw.rotation()),
            ("zoom", |draw, _| draw.spans("isZoom", &[(["minScale", "maxScale"], (1.0, 2.0, 0.1))])),
            ("colourMixing", |draw, _| draw.spans("isMixing", &MIXING)),
            ("hueMixing", |draw, _| draw.numbers("isMixing", &[("h", 360.0), ("s", 1.0), ("b", 1.0)])),
            ("colorBalance", |draw, _| draw.numbers("isBalance", &BALANCE.map(|name| (name, 1.0)))),
            ("picMask", |draw, shelf| draw.mask("picFiles", &shelf.images)),
            ("videoMask", |draw, shelf| draw.mask("videoFiles", &shelf.videos)),
            ("PIP", Self::pip),
            ("effect", |draw, _| draw.effect()),
        ];
        for (name, make) in makers {
            if self.yes() {
                options.insert(name.into(), make(self, shelf));
            }
        }
        Value::Object(options)
    }

    fn rotation(&mut self) -> Value {
        let max = *self.one(&[2.0, 15.0, 180.0]);
        let mut rotation = self.spans("isRotate", &[(["minAngle", "maxAngle"], (0.0, max, 0.5))]);
        rotation["direction"] = json!(self.one(&["clockwise", "counterclockwise"]));
        rotation
    }

    fn effect(&mut self) -> Value {
        let names: Vec<&str> = Effect::all().iter().map(|effect| effect.name).collect();
        json!({
            "value": self.one(&names),
            "trans": self.number(1.0, 100.0, 1.0),
            "duration": self.number(0.1, 3.0, 0.1),
            "position": self.number(0.0, 100.0, 1.0),
        })
    }

    fn pip(&mut self, shelf: &Shelf) -> Value {
        let (padding, mode) = (self.number(1.0, 80.0, 1.0), self.one(&[1, 2]));
        let mut pip = json!({ "isPIP": true, "padding": padding, "fillMode": mode });
        let fills = [&shelf.videos[0], &shelf.videos[1], &shelf.images[1], &shelf.clips[0].0];
        if self.yes() {
            pip["fillVideoPath"] = json!(self.one(&fills));
        }
        pip
    }

    fn numbers(&mut self, switch: &str, fields: &[(&str, f64)]) -> Value {
        let mut option = json!({ switch: true });
        fields.iter().for_each(|(name, max)| option[*name] = self.number(0.0, *max, 0.1));
        option
    }

    fn spans(&mut self, switch: &str, spans: &[Bounds]) -> Value {
        let mut option = json!({ switch: true });
        spans.iter().for_each(|(names, range)| self.span(&mut option, *names, *range));
        option
    }

    fn mask(&mut self, list: &str, files: &[String]) -> Value {
        let count = 1 + self.0.below(files.len());
        let mut files = files.to_vec();
        self.0.shuffle(&mut files);
        files.truncate(count);
        json!({ "isMask": true, list: files, "layerCount": self.0.below(11), "trans": self.number(1.0, 100.0, 1.0) })
    }
}

async fn check(fixture: &Fixture, shelf: &Shelf, seed: u64) {
    let mut draw = Draw(RandomStream::stream(seed, "options"));
    let (clip, size) = draw.one(&shelf.clips).clone();
    let options = draw.options(shelf);
    let body = json!({
        "taskType": "videoDeduplication",
        "params": { "videoList": [{ "filename": clip, "duration": 0.7 }], "options": options, "seed": seed },
    });
    let what = format!("case {seed}: {body:#}");
    let policy = Policy { allow_local_paths: true, ..Policy::default() };
    let params = || parse(body.to_string().as_bytes(), &policy).expect(&what).request.params;
    let (plan, again) = (fixture.plan(params()), fixture.plan(params()));
    assert_eq!(plan, again, "{what}");
    let rendition = plan.items[0].outcome.as_ref().unwrap_or_else(|error| panic!("{error}: {what}"));
    let speed = plan.items[0].recipe["speed"].as_f64().unwrap_or(1.0);
    let planned = 0.7 / speed * f64::from(rendition.fps.get());
    assert!((rendition.frames.0 as f64 - planned).abs() <= 2.5, "{planned} frames: {what}");
    assert_eq!(rendition.size, size, "{what}");

    let rendering =
        fixture.try_render(params()).await.unwrap_or_else(|error| panic!("{error}: {what}")).remove(0);
    assert_eq!(rendering.output.quality.frames_found, rendition.frames.0, "{what}");
    let first = frame_hashes(&rendering.path).await;
    // The segment itself is rendered again, not taken from the cache.
    for segment in &plan.segments {
        std::fs::remove_file(fixture.renderer.cache.path(&segment.key, &segment.spec)).unwrap();
    }
    let second =
        fixture.try_render(params()).await.unwrap_or_else(|error| panic!("{error}: {what}")).remove(0);
    assert_eq!(second.cached, 0, "{what}");
    assert_eq!(first, frame_hashes(&second.path).await, "{what}");
}

#[tokio::test]
async fn random_options_render_the_plan_reproducibly() {
    let mut fixture = Fixture::new().await;
    let shelf = shelf(&mut fixture).await;
    for seed in every_nth(3, 1..=10) {
        check(&fixture, &shelf, seed).await;
    }
}

#[tokio::test]
async fn all_options_at_once_render() {
    let mut fixture = Fixture::new().await;
    let shelf = shelf(&mut fixture).await;
    let options = |options: &mut clipmill_core::request::model::DedupOptions| {
        use clipmill_core::request::model::*;
        let just = |value: f64| Some(Span { min: value, max: value });
        let mask =
            |urls: &[String]| Some(Mask { urls: urls.to_vec(), layer_count: 10, opacity_percent: 3.0 });
        *options = DedupOptions {
            mirror: true,
            filter: true,
            fps: Fps::new(25).unwrap(),
            frame_extraction: just(25.0),
            speed: just(0.8),
            rotation: Some(Rotation { clockwise: false, angle: Span { min: 20.0, max: 20.0 } }),
            zoom: just(1.3),
            hue_mixing: Some(HueMixing { hue_degrees: 10.0, saturation: 0.1, brightness: 0.0 }),
            color_balance: Some(ColorBalance { shadows: [0.1; 3], midtones: [0.0; 3], highlights: [0.0; 3] }),
            pic_mask: mask(&shelf.images),
            video_mask: mask(&shelf.videos),
            pip: Some(Pip { padding_percent: 10.0, blurred: true, fill_url: None }),
            ..options.clone()
        };
    };
    let rendering = fixture.render_one(dedup(&[&shelf.clips[0].0], options)).await;
    assert_eq!(
        rendering.output.quality.frames_found, 22,
        "17 frames at 24 per second, at 0.8 of their speed"
    );
    assert!(rendering.output.quality.av_difference_ms.is_some());
}
