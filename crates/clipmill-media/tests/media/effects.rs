//! Every effect of the catalogue, measured on frames before they are encoded: where it is visible, how it fades in and
//! out, how it scales with its strength.

use std::path::Path;
use std::time::Duration;

use clipmill_core::effects::{Effect, Stage};
use clipmill_core::filter_graph::{Filter, Graph};
use clipmill_core::looks::Look;
use clipmill_core::media::Size;
use clipmill_core::time::{Fps, Frames};
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};

use crate::support::every_nth;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
const FRAMES: usize = 45;

/// The first frames of a sample at a size and a rate, raw, as `plain` and in a file.
struct Clip {
    size: Size,
    fps: u32,
    file: tempfile::NamedTempFile,
    plain: Vec<Vec<u8>>,
}

impl Clip {
    async fn new(sample: &str, (width, height): (u32, u32), fps: u32) -> Self {
        let cover = format!("max({width}/iw,{height}/ih)");
        let graph = Graph::input(0, 0).then([
            Filter::new("fps").arg("fps", fps).arg("start_time", 0),
            Filter::new("scale")
                .arg("w", format!("ceil(iw*{cover}/2)*2"))
                .arg("h", format!("ceil(ih*{cover}/2)*2")),
            Filter::new("crop").arg("w", width).arg("h", height),
        ]);
        let file = tempfile::Builder::new().suffix(".y4m").tempfile().unwrap();
        let mut clip = Self { size: Size::new(width, height), fps, file, plain: vec![] };
        let raw = render(&Path::new(SAMPLES).join(sample), &graph, "yuv4mpegpipe").await;
        std::fs::write(clip.file.path(), raw).unwrap();
        clip.plain = clip.pictures(Graph::input(0, 0)).await;
        clip
    }

    async fn tall() -> Self {
        Self::new("bigbuckbunny.mp4", (160, 284), 30).await
    }

    async fn wide() -> Self {
        Self::new("city.mp4", (284, 160), 30).await
    }

    fn stage(&self, strength: f64, duration_s: f64, position: f64) -> Stage {
        let fps = Fps::new(self.fps).unwrap();
        Stage::new((self.size, fps, Frames(FRAMES as u64)), strength, duration_s, position)
    }

    /// Frames in YUV 4:2:0, planes one after another.
    async fn pictures(&self, graph: Graph) -> Vec<Vec<u8>> {
        let bytes = render(self.file.path(), &graph, "rawvideo").await;
        let length = (self.size.width * self.size.height * 3 / 2) as usize;
        let frames: Vec<_> = bytes.chunks_exact(length).map(<[u8]>::to_vec).collect();
        assert_eq!(frames.len(), FRAMES, "{graph}");
        frames
    }

    /// The difference of each frame from the one without the effect.
    async fn change(&self, effect: &Effect, stage: &Stage) -> Vec<Change> {
        let changed = self.pictures(effect.apply(source(), stage)).await;
        let luma = (self.size.width * self.size.height) as usize;
        self.plain
            .iter()
            .zip(&changed)
            .map(|(plain, changed)| Change::between(plain, changed, luma))
            .collect()
    }
}

/// The source in the output's colours, as the effect receives it.
fn source() -> Graph {
    Graph::input(0, 0).then([Filter::new("setparams").arg("range", "tv").arg("colorspace", "bt709")])
}

async fn render(input: &Path, graph: &Graph, format: &str) -> Vec<u8> {
    let (graph, count) = (graph.to_text("out"), FRAMES.to_string());
    let fixed = ["-map", "[out]", "-fps_mode", "passthrough", "-frames:v", &count, "-pix_fmt", "yuv420p"];
    let mut args = vec!["-v", "error", "-nostdin", "-i", input.to_str().unwrap(), "-filter_complex", &graph];
    args.extend(fixed);
    args.extend(["-f", format, "-"]);
    let args: Vec<_> = args.into_iter().map(Into::into).collect();
    let limits = Limits::wall(Duration::from_secs(300)).stdout_bytes(1 << 30);
    Ffmpeg::default().output(Program::Ffmpeg, &args, limits).await.unwrap()
}

/// Mean distance of luma and of chroma, in 255ths.
#[derive(Debug, Clone, Copy)]
struct Change {
    luma: f64,
    chroma: f64,
}

impl Change {
    fn between(a: &[u8], b: &[u8], luma: usize) -> Self {
        let mean = |a: &[u8], b: &[u8]| {
            a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64
        };
        Self { luma: mean(&a[..luma], &b[..luma]), chroma: mean(&a[luma..], &b[luma..]) }
    }

    fn max(self) -> f64 {
        self.luma.max(self.chroma)
    }
}

fn mean(changes: &[Change], of: impl Fn(&Change) -> f64) -> f64 {
    changes.iter().map(of).sum::<f64>() / changes.len() as f64
}

/// The larger of the mean changes of luma and chroma over a range.
fn strength(changes: &[Change]) -> f64 {
    mean(changes, |change| change.luma).max(mean(changes, |change| change.chroma))
}

/// Effects that are movement or flicker by nature may jump inside, but still fade in and out gently.
const LIVELY: [&str; 2] = ["glitch", "rgb-split"];

/// Measures one effect on one clip, the range in the middle.
async fn check(clip: &Clip, effect: &Effect) {
    let name = effect.name;
    let mut strengths = Vec::new();
    for percent in [3.0, 30.0, 100.0] {
        let stage = clip.stage(percent, 0.9, 20.0);
        let (begin, end) = (stage.begin.0 as usize, (stage.begin.0 + stage.frames.0) as usize);
        let changes = clip.change(effect, &stage).await;
        for (n, change) in changes.iter().enumerate().filter(|(n, _)| !(begin..end).contains(n)) {
            assert_eq!(change.max(), 0.0, "{name} at {percent}: frame {n} is outside {begin}..{end}");
        }
        let inside = &changes[begin..end];
        strengths.push(strength(inside));
        if percent == 100.0 {
            let peak = inside.iter().map(|change| change.max()).fold(0.0, f64::max);
            for (border, change) in [("first", inside[0]), ("last", inside[inside.len() - 1])] {
                let share = change.max() / peak;
                assert!(share <= 0.45, "{name}: the {border} frame has {share:.2} of the peak at once");
            }
            let steps = inside.windows(2).map(|pair| (pair[1].max() - pair[0].max()).abs() / peak);
            let step = steps.fold(0.0, f64::max);
            assert!(step <= 0.65 || LIVELY.contains(&name), "{name}: a step of {step:.2} of the peak");
        }
    }
    let [weak, medium, full] = strengths[..] else { panic!("{strengths:?}") };
    assert!(weak > 0.0 && weak < medium && medium < full, "{name}: {strengths:.2?}");
    assert!(full >= 8.0, "{name} at full strength changes {full:.2} of 255");
    assert!(weak <= 4.5, "{name} at 3 changes {weak:.2} of 255");
}

/// Every third effect from the first, second or third on, so that three tests cover all; all in each for `make
/// test-all`.
fn third(first: usize) -> impl Iterator<Item = &'static Effect> {
    let all = Effect::all().iter();
    every_nth(3, all.cycle().skip(first).take(Effect::all().len()))
}

#[tokio::test]
async fn every_effect_stays_in_its_range_and_scales_on_a_tall_frame() {
    let clip = Clip::tall().await;
    for effect in third(0) {
        check(&clip, effect).await;
    }
}

#[tokio::test]
async fn every_effect_stays_in_its_range_and_scales_on_a_wide_frame() {
    let clip = Clip::wide().await;
    for effect in third(1) {
        check(&clip, effect).await;
    }
}

/// The distance between the dark and the bright tones of a frame.
fn spread(luma: &[u8]) -> f64 {
    let mut sorted = luma.to_vec();
    sorted.sort_unstable();
    f64::from(sorted[sorted.len() * 95 / 100]) - f64::from(sorted[sorted.len() * 5 / 100])
}

#[tokio::test]
async fn sepia_tones_dark_footage_and_leaves_its_shapes() {
    let clip = Clip::wide().await;
    let to = |from: &str, range: &str, to: &str, into: &str| {
        let filter = Filter::new("zscale").arg("matrixin", from).arg("rangein", range);
        filter.arg("matrix", to).arg("range", into)
    };
    let format = |name: &str| Filter::new("format").arg("pix_fmts", name);
    for darker in [1.0, 0.5, 0.25] {
        let dark = Graph::input(0, 0).then([Filter::new("lutyuv").arg("y", format!("16+(val-16)*{darker}"))]);
        let plain = clip.pictures(dark.clone()).await;
        let rgb = dark.then([to("709", "limited", "gbr", "full"), format("gbrp")]);
        let toned = rgb.then(Look::find("sepia").unwrap().filters());
        let toned = clip.pictures(toned.then([to("gbr", "full", "709", "limited"), format("yuv420p")])).await;
        let luma = (clip.size.width * clip.size.height) as usize;
        let (plain, toned) = (&plain[20], &toned[20]);
        let (before, after) = (spread(&plain[..luma]), spread(&toned[..luma]));
        assert!(after >= 0.85 * before, "{darker}: tones were {before} apart and are {after}");
        let mean = |bytes: &[u8]| bytes.iter().map(|byte| f64::from(*byte)).sum::<f64>() / bytes.len() as f64;
        let brighter = mean(&toned[..luma]) - mean(&plain[..luma]);
        assert!((-6.0..=12.0).contains(&brighter), "{darker}: brighter by {brighter:.1}");
        let (blue, red) = toned[luma..].split_at(luma / 4);
        assert!(mean(blue) < 124.0 && mean(red) > 131.5, "{darker}: {:.1} {:.1}", mean(blue), mean(red));
    }
}

#[tokio::test]
async fn every_effect_is_reproducible() {
    let clip = Clip::tall().await;
    for effect in third(2) {
        let graph = || effect.apply(source(), &clip.stage(60.0, 0.4, 10.0));
        let (first, second) = (clip.pictures(graph()).await, clip.pictures(graph()).await);
        assert!(first == second, "{}", effect.name);
    }
}

#[tokio::test]
async fn every_effect_works_at_odd_shapes_rates_and_borders() {
    // The ranges are one frame, the beginning, the end, and everything.
    let shapes: [(_, _, _, &[(f64, f64)]); 3] = [
        (16, 16, 25, &[(0.01, 40.0), (0.3, 0.0)]),
        (90, 320, 60, &[(0.3, 100.0)]),
        (322, 34, 50, &[(60.0, 50.0)]),
    ];
    for (width, height, fps, ranges) in shapes {
        let clip = Clip::new("city.mp4", (width, height), fps).await;
        for effect in third(2) {
            for (duration, position) in ranges {
                let stage = clip.stage(100.0, *duration, *position);
                let changes = clip.change(effect, &stage).await;
                let range = stage.begin.0 as usize..(stage.begin.0 + stage.frames.0) as usize;
                let outside = changes.iter().enumerate().filter(|(n, _)| !range.contains(n));
                let touched: Vec<_> =
                    outside.filter(|(_, change)| change.max() > 0.0).map(|(n, _)| n).collect();
                assert!(touched.is_empty(), "{} {width}x{height} {range:?}: {touched:?}", effect.name);
            }
        }
    }
}
