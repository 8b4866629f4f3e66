//! Random requests of probed files: the estimate is the price of the plan.

use clipmill_core::media::{Cuts, Size, VideoInfo};
use clipmill_core::plan::{InputKind, estimate_prices, needed_inputs, plan};
use clipmill_core::pricing::PriceList;
use clipmill_core::random::RandomStream;
use clipmill_core::request::model::*;
use clipmill_core::speech::Speech;
use clipmill_core::subtitle::{Pauses, Transcript};
use clipmill_core::transitions::Transition;

use crate::fixture::*;

const PRICES: PriceList = PriceList { hd: 1, full_hd: 2, above: 4, speech: 100, transcription: 60 };
const REQUESTS: u64 = 600;

/// Lengths are multiples of this: the first are whole numbers of frames at every rate, the others are not.
const STEPS_S: [f64; 2] = [0.2, 0.017];

struct Draw {
    random: RandomStream,
    step_s: f64,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn some<T>(&mut self, one_in: usize, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.is(one_in).then(|| value(self))
    }

    fn many<T>(&mut self, least: usize, most: usize, mut value: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| value(self)).collect()
    }

    /// From one step to `most_s`.
    fn seconds(&mut self, most_s: f64) -> f64 {
        let steps = (most_s / self.step_s).round() as usize;
        (1 + self.below(steps)) as f64 * self.step_s
    }

    fn clip(&mut self, urls: &[&str]) -> Clip {
        let from_s = self.some(4, |draw| draw.seconds(1.0));
        let to_s = self.some(4, |draw| 1.0 + draw.seconds(3.0));
        let duration_s = self.some(3, |draw| draw.seconds(5.0));
        Clip { url: self.one(urls).into(), duration_s, from_s, to_s, ..Clip::default() }
    }

    fn video_layer(&mut self) -> Overlay {
        let layer = VideoLayer {
            url: self.one(&["a", "b", "image.png"]).into(),
            width_percent: 30.0,
            opacity_percent: 100.0,
            looped: self.is(2),
            volume_percent: self.one(&[0, 50]),
            key: None,
        };
        Overlay {
            shown: OverlayContent::Video(layer),
            place: OverlayPlace::At(Anchor::Middle),
            margin_percent: 0.0,
            start_s: self.seconds(9.0),
            end_s: None,
            motions: OverlayMotions::default(),
        }
    }

    /// A clip of a mix.
    fn mixed_clip(&mut self, urls: &[&str]) -> Clip {
        let speed_permille = self.some(3, |draw| 500 + draw.below(1501) as u32);
        Clip { speed_permille, ..self.clip(urls) }
    }

    /// A clip that may have another one beside it.
    fn split_clip(&mut self, urls: &[&str]) -> Clip {
        let split = self.some(4, |draw| SplitScreen {
            layout: draw.one(&[SplitLayout::LeftRight, SplitLayout::TopBottom]),
            second: Box::new(Clip { duration_s: None, ..draw.clip(urls) }),
        });
        Clip { split, ..self.mixed_clip(urls) }
    }

    fn audio_url(&mut self) -> String {
        match self.is(2) {
            true => spoken(self.below(TEXTS.len())),
            false => self.one(&["voice", "long"]).to_owned(),
        }
    }

    fn track(&mut self) -> Track {
        let duration_s = self.some(3, |draw| draw.seconds(4.0));
        let start_s = self.some(3, |draw| draw.seconds(2.0));
        Track { start_s, ..track(&self.audio_url(), duration_s, 0.0, 0.0).unwrap() }
    }

    fn subtitle(&mut self) -> Option<Subtitle> {
        let audio = self.one(&[TranscribedAudio::Voice, TranscribedAudio::Clips]);
        let source = CaptionSource::Transcript(audio);
        self.some(4, |_| Subtitle { source, timing: None, style: SubtitleStyle::DEFAULT })
    }

    fn mix_options(&mut self) -> MixOptions {
        let mut options = options();
        options.fps = fps(self.one(&[25, 30, 50, 60]));
        options.size = self.one(&[Size::new(720, 1280), Size::new(1080, 1920)]);
        options.overlays = self.some(4, Self::video_layer).into_iter().collect();
        options.subtitle = self.subtitle();
        if self.is(2) {
            let pooled = self.is(2);
            match pooled {
                true => {
                    let voice = |draw: &mut Self| Voice { audio: draw.track(), subtitle: draw.subtitle() };
                    options.voice_pool = self.many(1, 3, voice);
                    options.subtitle = None;
                }
                false => options.voice = Some(self.track()),
            }
            options.length = self.one(&[MixLength::Clips, MixLength::Voice]);
            options.tail_s = self.some(2, |draw| draw.seconds(2.0));
        }
        let bumper = |draw: &mut Self| Bumper { url: draw.one(&["intro", "outro", "image.png"]).into() };
        options.intro_pool = self.some(4, |draw| draw.many(1, 2, bumper)).unwrap_or_default();
        options.outro_pool = self.some(4, |draw| draw.many(1, 2, bumper)).unwrap_or_default();
        options.is_shortest = options.length == MixLength::Clips && self.is(4);
        options.transition = self.some(3, |draw| {
            let names = Transition::all().iter().map(TransitionName).take(3).collect();
            Transitions { names, duration_s: draw.seconds(1.0) }
        });
        let least_s = options.transition.as_ref().map_or(0.0, |transition| 2.0 * transition.duration_s);
        options.clip_seconds = self.some(4, |draw| least_s.max(0.4) + draw.seconds(3.0));
        options
    }

    fn dedup(&mut self) -> Params {
        let videos = self.many(1, 3, |draw| {
            let copies = draw.some(3, |draw| 2 + draw.below(3) as u32);
            Clip { copies, ..draw.clip(&["a", "b", "small", "large"]) }
        });
        let speed = self.some(2, |draw| {
            let min = (5 + draw.below(10)) as f64 / 10.0;
            Span { min, max: min + draw.below(6) as f64 / 10.0 }
        });
        let options =
            DedupOptions { speed, fps: fps(self.one(&[25, 30, 50, 60])), ..crate::dedup::unchanged() };
        Params::VideoDeduplication(DedupParams { videos, options, seed: None })
    }

    fn base_mix(&mut self) -> Params {
        let options = self.mix_options();
        let groups = self.many(1, 3, |draw| {
            let videos = draw.many(1, 4, |draw| draw.split_clip(&["a", "b", "small", "large", "image.png"]));
            Group { videos, total_duration_s: draw.some(3, |draw| draw.seconds(24.0)) }
        });
        Params::BaseVideoMix(BaseMixParams { groups, options, seed: None })
    }

    fn pro_mix(&mut self) -> Params {
        let scenes = self.many(1, 4, |draw| {
            let urls = ["a", "b", "small", "large", "image.png"];
            let mut scene = scene(draw.seconds(6.0), &[]);
            scene.resources = draw.many(2, 3, |draw| draw.mixed_clip(&urls));
            let duration_s = draw.some(4, |draw| draw.seconds(3.0));
            let start_s = draw.some(3, |draw| draw.seconds(1.0)).unwrap_or(0.0);
            let audio = |draw: &mut Self| SceneAudio {
                url: draw.audio_url().into(),
                duration_s,
                start_s,
                volume_percent: 100,
            };
            scene.audio = draw.some(2, |draw| draw.many(1, 2, audio)).unwrap_or_default();
            scene
        });
        let mut params = pro(scenes, 1 + self.below(2) as u32);
        params.options = self.mix_options();
        params.options.clip_start = self.one(&[ClipStart::Begin, ClipStart::Begin, ClipStart::Random]);
        if !params.options.is_shortest {
            for scene in params.scenes.iter_mut().filter(|scene| !scene.audio.is_empty()) {
                scene.length = self.one(&[SceneLength::Duration, SceneLength::Voice]);
            }
        }
        Params::ProVideoMix(params)
    }
}

const TEXTS: [&str; 3] = ["One short text.", "A text of more than twenty characters.", "Another."];

fn spoken(index: usize) -> String {
    Speech { text: TEXTS[index].into(), voice: None, speed: 1.0 }.url()
}

fn fixture(draw: &mut Draw) -> Fixture {
    let mut fixture = Fixture::new();
    for name in ["a", "b", "intro", "outro"] {
        fixture = fixture.clip(name, 1.0 + draw.seconds(6.0));
    }
    for (name, size) in [("small", Size::new(320, 240)), ("large", Size::new(3840, 2160))] {
        let seconds = 1.0 + draw.seconds(6.0);
        fixture = fixture.file(name, Some(VideoInfo { coded: size, ..video(seconds) }), Some(audio(seconds)));
    }
    for name in ["voice", "long"].map(str::to_owned).into_iter().chain((0..TEXTS.len()).map(spoken)) {
        fixture = fixture.audio(&name, draw.seconds(12.0));
    }
    fixture.image("image.png")
}

/// Adds facts about contents, which a plan needs beyond probed files.
fn with_contents(mut fixture: Fixture, request: &TaskRequest, seed: u64) -> Fixture {
    loop {
        let inputs = needed_inputs(request, seed, &fixture.facts);
        if inputs.is_empty() {
            return fixture;
        }
        for input in inputs {
            match input.kind {
                InputKind::Cuts => _ = fixture.facts.cuts.insert(input.url, Ok(Cuts::default())),
                InputKind::Pauses => _ = fixture.facts.pauses.insert(input.url, Ok(Pauses::default())),
                InputKind::Transcript => {
                    _ = fixture.facts.transcripts.insert(input.url, Ok(Transcript::default()))
                }
                kind => panic!("{} is needed as {kind:?}", input.url),
            }
        }
    }
}

/// Compares the estimates of random requests with the prices of their plans.
fn check(params: fn(&mut Draw) -> Params) {
    for step_s in STEPS_S {
        let compared = (0..REQUESTS).map(|number| compare(number, params, step_s)).sum::<usize>();
        assert!(compared > REQUESTS as usize / 2, "only {compared} outputs can be made");
    }
}

/// Compares one request. Returns how many outputs were compared.
fn compare(number: u64, params: fn(&mut Draw) -> Params, step_s: f64) -> usize {
    let mut draw = Draw { random: RandomStream::stream(number, "prices"), step_s };
    let fixture = fixture(&mut draw);
    let request = request(params(&mut draw));
    let estimates = estimate_prices(&request, number, &fixture.facts, &PRICES);
    let fixture = with_contents(fixture, &request, number);
    let plan = fixture.within(|context| plan(&request, number, &fixture.facts, context));
    // An output that cannot be made costs nothing, and its speech is paid by the next one.
    if plan.items.iter().any(|item| item.outcome.is_err()) {
        return 0;
    }
    assert_eq!(estimates.len(), plan.items.len());
    for (estimate, item) in estimates.iter().zip(&plan.items) {
        let planned = item.outcome.as_ref().unwrap();
        let price = PRICES.points(planned.extent());
        assert_eq!(
            estimate.points, price,
            "request {number} in steps of {step_s} s, item {}: {} frames; {:?}",
            item.item_no, planned.frames.0, request.params,
        );
    }
    plan.items.len()
}

#[test]
fn the_estimate_of_a_deduplication_is_its_price() {
    check(Draw::dedup);
}

#[test]
fn the_estimate_of_a_base_mix_is_its_price() {
    check(Draw::base_mix);
}

#[test]
fn the_estimate_of_a_pro_mix_is_its_price() {
    check(Draw::pro_mix);
}
