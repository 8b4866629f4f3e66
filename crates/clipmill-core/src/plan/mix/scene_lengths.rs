//! How long the scenes of an output are: as declared, as long as their audio, or scaled so that together they last as
//! long as the voice.

use crate::error::{ErrorCode, TaskError};
use crate::message;
use crate::plan::mix::resources::scene_frames;
use crate::plan::timeline::overlaps;
use crate::request::model::{MixOptions, ProMixParams, Scene, SceneAudio, SceneLength};
use crate::time::{Fps, Frames, SAMPLE_RATE, Samples};

/// The shortest scaled scene, in seconds. All scaled scenes but the last are whole multiples of it, so that outputs with
/// voices of different lengths show clips for the same time and share the segments.
const STEP_S: f64 = 0.5;

/// The length of each scene of one output, which plays these audio resources. `content` is the length that the voice
/// determines for all of them together; `heard` returns the length of an audio resource.
pub(crate) fn scene_lengths(
    params: &ProMixParams,
    audio: &[Option<usize>],
    content: Option<Frames>,
    heard: impl Fn(&SceneAudio) -> Result<Samples, TaskError>,
) -> Result<Vec<Frames>, TaskError> {
    let fps = params.options.fps;
    let overlap = transition_frames(&params.options);
    let last = params.scenes.len().saturating_sub(1);
    let own_length = |(number, (scene, index)): (usize, (&Scene, Option<usize>))| {
        let own = scene.audio.get(index?).filter(|_| scene.length == SceneLength::Voice)?;
        // The next scene begins with its transition, and its audio must not begin before this one's has ended.
        let overlap = if number < last { overlap } else { Frames(0) };
        Some(heard(own).map(|heard| until_end(own, heard, fps) + overlap))
    };
    let audio = audio.iter().copied().chain(std::iter::repeat(None));
    let own_lengths = params.scenes.iter().zip(audio).enumerate().map(|scene| own_length(scene).transpose());
    let own_lengths: Vec<Option<Frames>> = own_lengths.collect::<Result<_, _>>()?;
    let declared = params.scenes.iter().map(|scene| scene_frames(scene, fps));
    let scenes = declared.zip(own_lengths).map(|(declared, own)| match own {
        Some(frames) => Length::Fixed(frames),
        None => Length::Scaled(declared),
    });
    let scenes: Vec<Length> = scenes.collect();
    let Some(content) = content else { return Ok(scenes.into_iter().map(Length::unscaled).collect()) };
    let fitting = Fitting { scenes: &scenes, overlap, step: step(fps) };
    let too_long = || {
        let least_s = format!("{:.1}", Frames(fitting.total(&fitting.scaled(fitting.least()))).seconds(fps));
        let message =
            message::scenes_exceed_voice(scenes.len(), least_s, format!("{:.1}", content.seconds(fps)));
        TaskError::new(ErrorCode::ClipTooShort, message)
    };
    fitting.fitted(content).ok_or_else(too_long)
}

/// How far neighbouring clips overlap, if they are long enough.
pub(crate) fn transition_frames(options: &MixOptions) -> Frames {
    let seconds = options.transition.as_ref().map_or(0.0, |transition| transition.duration_s);
    Frames::nearest(seconds, options.fps)
}

/// The frames of a scene until its audio has ended.
fn until_end(audio: &SceneAudio, heard: Samples, fps: Fps) -> Frames {
    let samples = Samples::nearest(audio.start_s).0.saturating_add(heard.0);
    Frames(samples.div_ceil(SAMPLE_RATE / u64::from(fps.get())).max(1))
}

fn step(fps: Fps) -> u64 {
    (STEP_S * f64::from(fps.get())).ceil() as u64
}

#[derive(Debug, Clone, Copy)]
enum Length {
    /// Never scaled.
    Fixed(Frames),
    /// In proportion to this.
    Scaled(Frames),
}

impl Length {
    fn unscaled(self) -> Frames {
        match self {
            Self::Fixed(frames) | Self::Scaled(frames) => frames,
        }
    }
}

/// Scenes that are to last as long as a voice.
struct Fitting<'s> {
    scenes: &'s [Length],
    /// The length of a transition.
    overlap: Frames,
    step: u64,
}

impl Fitting<'_> {
    /// Lengths with which the scenes, less their overlaps, last for exactly `content`; `None` if they do not fit.
    fn fitted(&self, content: Frames) -> Option<Vec<Frames>> {
        let overlaps = self.overlap.0.saturating_mul(self.scenes.len() as u64);
        let (mut low, mut high) = (self.least(), content.0.saturating_add(overlaps).max(self.least()));
        let fits = |sum: u64| self.total(&self.scaled(sum)) <= content.0;
        if self.scenes.is_empty() || !fits(low) {
            return None;
        }
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        let mut lengths = self.scaled(low);
        // The scene becomes longer in each round. Its overlaps, which shorten the output, cannot exceed a transition.
        let last = self.last_scaled().unwrap_or(self.scenes.len() - 1);
        loop {
            let missing = content.0.saturating_sub(self.total(&lengths));
            if missing == 0 {
                return Some(lengths);
            }
            lengths[last] = lengths[last] + Frames(missing);
        }
    }

    fn last_scaled(&self) -> Option<usize> {
        self.scenes.iter().rposition(|scene| matches!(scene, Length::Scaled(_)))
    }

    /// The sum of the shortest lengths.
    fn least(&self) -> u64 {
        let least = self.scenes.iter().map(|scene| match scene {
            Length::Fixed(frames) => frames.0,
            Length::Scaled(_) => self.step,
        });
        least.fold(0, u64::saturating_add)
    }

    /// How long scenes of these lengths last together.
    fn total(&self, lengths: &[Frames]) -> u64 {
        let sum = lengths.iter().map(|length| length.0).fold(0, u64::saturating_add);
        let shared: Frames = overlaps(lengths, self.overlap).into_iter().sum();
        sum.saturating_sub(shared.0)
    }

    /// The lengths with this sum. Scaled scenes are in proportion to their declared lengths, except those that would be
    /// shorter than a step, and rounded down to a step; the last of them gets what remains.
    fn scaled(&self, sum: u64) -> Vec<Frames> {
        let mut available = sum;
        let mut weights: Vec<Option<u64>> = Vec::with_capacity(self.scenes.len());
        for scene in self.scenes {
            weights.push(match scene {
                Length::Fixed(frames) => {
                    available = available.saturating_sub(frames.0);
                    None
                }
                Length::Scaled(declared) => Some(declared.0.max(1)),
            });
        }
        let shares = Shares::of(weights.into_iter().flatten().collect(), available, self.step);
        let mut ends = shares.ends();
        let mut before = 0;
        let length = |scene: &Length| match scene {
            Length::Fixed(frames) => *frames,
            Length::Scaled(_) => {
                let end = ends.next().unwrap_or(before);
                let frames = end.saturating_sub(before);
                before = end;
                Frames(frames)
            }
        };
        self.scenes.iter().map(length).collect()
    }
}

/// Frames that are shared in proportion to weights, where no share is less than a step.
struct Shares {
    /// `None` for a share of one step.
    weights: Vec<Option<u64>>,
    /// The sum of the weights.
    all: u128,
    /// The frames of all shares, and those of the shares by weight.
    available: u64,
    by_weight: u64,
    step: u64,
}

impl Shares {
    fn of(weights: Vec<u64>, available: u64, step: u64) -> Self {
        let all = weights.iter().map(|weight| u128::from(*weight)).sum();
        let weights = weights.into_iter().map(Some).collect();
        let mut shares = Self { weights, all, available, by_weight: available, step };
        // What a share of one step takes away can make further shares too small.
        while let Some(index) = shares.too_small() {
            shares.all -= shares.weights[index].take().map_or(0, u128::from);
            shares.by_weight = shares.by_weight.saturating_sub(step);
        }
        shares
    }

    fn too_small(&self) -> Option<usize> {
        let is_too_small = |weight: &Option<u64>| {
            weight.is_some_and(|weight| {
                u128::from(weight) * u128::from(self.by_weight) < u128::from(self.step) * self.all
            })
        };
        self.weights.iter().position(is_too_small)
    }

    /// The frame after each share's last: a whole number of steps, except for the last.
    fn ends(self) -> impl Iterator<Item = u64> {
        let Self { weights, all, available, by_weight, step } = self;
        let count = weights.len();
        let (mut steps, mut weight_before) = (0_u64, 0_u128);
        weights.into_iter().enumerate().map(move |(index, weight)| {
            match weight {
                Some(weight) => weight_before += u128::from(weight),
                None => steps += 1,
            }
            let end = steps * step + (u128::from(by_weight) * weight_before / all.max(1)) as u64;
            if index + 1 == count { available } else { end / step * step }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FPS: u32 = 30;

    fn fps() -> Fps {
        Fps::new(FPS).unwrap()
    }

    /// Lengths in seconds; those of fixed scenes are negative.
    fn of(scenes: &[f64], content_s: f64, overlap_s: f64) -> Option<Vec<f64>> {
        let frames = |seconds: f64| Frames::nearest(seconds, fps());
        let scenes: Vec<Length> = scenes
            .iter()
            .map(|&seconds| match seconds < 0.0 {
                true => Length::Fixed(frames(-seconds)),
                false => Length::Scaled(frames(seconds)),
            })
            .collect();
        let fitting = Fitting { scenes: &scenes, overlap: frames(overlap_s), step: step(fps()) };
        let lengths = fitting.fitted(frames(content_s))?;
        assert_eq!(fitting.total(&lengths), frames(content_s).0, "{lengths:?}");
        Some(lengths.into_iter().map(|length| length.seconds(fps())).collect())
    }

    #[test]
    fn scenes_are_scaled_in_steps() {
        assert_eq!(of(&[2.0, 4.0, 2.0], 12.0, 0.0), Some(vec![3.0, 6.0, 3.0]));
        assert_eq!(of(&[2.0, 4.0, 2.0], 4.2, 0.0), Some(vec![1.0, 2.0, 1.2]));
        assert_eq!(of(&[1.0, 1.0, 1.0], 10.0, 0.0), Some(vec![3.0, 3.5, 3.5]));
        assert_eq!(of(&[5.0], 0.7, 0.0), Some(vec![0.7]));
        assert_eq!(of(&[0.01, 60.0], 20.0, 0.0), Some(vec![0.5, 19.5]));
        assert_eq!(of(&[60.0, 0.01], 20.0, 0.0), Some(vec![19.5, 0.5]));
        // The last scene is the one that is not whole.
        let lengths = of(&[3.0, 1.0, 2.0, 5.0], 17.3, 0.0).unwrap();
        assert!(lengths[..3].iter().all(|seconds| seconds * 2.0 == (seconds * 2.0).round()), "{lengths:?}");
    }

    #[test]
    fn scenes_have_at_least_half_a_second() {
        assert_eq!(of(&[9.0, 0.1, 0.1], 1.5, 0.0), Some(vec![0.5; 3]));
        assert_eq!(of(&[9.0, 0.1, 0.1], 1.6, 0.0), Some(vec![0.5, 0.5, 0.6]));
        assert_eq!(of(&[9.0, 0.1, 0.1], 1.46, 0.0), None);
        assert_eq!(of(&[1.0; 100], 49.9, 0.0), None);
        assert_eq!(of(&[1.0; 100], 50.0, 0.0), Some(vec![0.5; 100]));
    }

    #[test]
    fn transitions_lengthen_the_scenes() {
        assert_eq!(of(&[1.0, 1.0, 1.0], 8.0, 0.5), Some(vec![3.0; 3]));
        let lengths = of(&[1.0, 3.0, 1.0], 2.0, 2.0).unwrap();
        assert!(lengths.iter().all(|seconds| *seconds >= 0.5), "{lengths:?}");
    }

    #[test]
    fn fixed_scenes_keep_their_length() {
        assert_eq!(of(&[-2.1, 1.0, 1.0], 6.1, 0.0), Some(vec![2.1, 2.0, 2.0]));
        assert_eq!(of(&[1.0, 1.0, -2.1], 6.4, 0.0), Some(vec![2.0, 2.3, 2.1]));
        assert_eq!(of(&[1.0, -6.1], 6.4, 0.0), None);
        // Without any other scene, the last one continues until the voice ends.
        assert_eq!(of(&[-2.0, -3.0], 6.0, 0.0), Some(vec![2.0, 4.0]));
        assert_eq!(of(&[-2.0, -3.0], 4.5, 0.0), None);
    }

    proptest::proptest! {
        #[test]
        fn scenes_fit_exactly(
            scenes in proptest::collection::vec(0.01_f64..60.0, 1..40),
            fixed in proptest::collection::vec(proptest::bool::weighted(0.2), 40),
            content_s in 0.5_f64..600.0, overlap_s in 0.0_f64..2.0,
        ) {
            let signed = |(seconds, is_fixed): (&f64, bool)| if is_fixed { -seconds } else { *seconds };
            let scenes: Vec<f64> = scenes.iter().zip(fixed).map(signed).collect();
            let least = |seconds: &f64| if *seconds < 0.0 { -seconds + 0.02 } else { 0.5 };
            let least: f64 = scenes.iter().map(least).sum();
            let is_long = |(length, scene): (&f64, &f64)| *scene < 0.0 || *length >= 0.5;
            match of(&scenes, content_s, overlap_s) {
                Some(lengths) => assert!(lengths.iter().zip(&scenes).all(is_long)),
                None => assert!(least > content_s - 0.1, "{least} of {content_s}"),
            }
        }
    }
}
