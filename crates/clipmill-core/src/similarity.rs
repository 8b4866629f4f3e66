//! How alike two outputs look: perceptual hashes of a frame each half second, compared at the best shift in time.
//!
//! The hash is the usual 64-bit pHash: of a 32×32 luma plane the 8×8 lowest frequencies of its cosine transform, each as
//! a bit that states whether it is above their median.

use std::f32::consts::PI;

use serde::{Deserialize, Serialize};

use crate::time::Fps;

/// The side of the luma plane that is hashed.
pub const HASHED_SIDE: usize = 32;
/// The side of the block of frequencies.
const SIDE: usize = 8;
/// Hashes per second.
const RATE: u64 = 2;
/// A frame is flat, and its hash meaningless, when its luma deviates from its mean by less than this.
const FLAT: f32 = 2.0;
const ROUNDING: f32 = 1.0;
/// Of longer outputs, only the first twenty minutes are used.
const MAX_HASHES: usize = 2_400;
/// Two hashes that differ in this many bits have nothing in common.
const UNRELATED_BITS: u32 = 32;
/// The maximum number of comparisons of hashes for all pairs of a task, which take a second or two of processor time.
/// Beyond it, only every second, third, … half second is compared.
const COMPARISONS: u64 = 1_000_000_000;
/// This many hashes of an output suffice to find the shifts that need a close comparison.
const PROBES: usize = 32;
const CLOSE_COMPARISONS: usize = 8;

/// The hash of a frame and that of its mirror image; 0 for a flat frame, which no other frame has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameHash {
    pub plain: u64,
    pub mirrored: u64,
}

/// One hash for each half second, from its middle. In JSON it is a text of 32 hexadecimal digits for each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FrameHashes(pub Vec<FrameHash>);

impl FrameHash {
    /// Hashes a plane of [`HASHED_SIDE`]² luma values; missing ones are taken as black.
    pub fn of(luma: &[u8]) -> Self {
        let area = HASHED_SIDE * HASHED_SIDE;
        let mut plane = vec![0.0_f32; area];
        plane.iter_mut().zip(luma).for_each(|(to, from)| *to = f32::from(*from));
        let mean = plane.iter().sum::<f32>() / area as f32;
        let variance = plane.iter().map(|y| (y - mean).powi(2)).sum::<f32>() / area as f32;
        if variance < FLAT * FLAT {
            return Self::default();
        }
        let plain = frequencies(&plane);
        let mut mirrored = plain;
        // In a mirror image the waves that are odd across the frame are inverted.
        mirrored
            .iter_mut()
            .enumerate()
            .filter(|(at, _)| at % SIDE % 2 == 1)
            .for_each(|(_, wave)| *wave = -*wave);
        Self { plain: above_median(&plain), mirrored: above_median(&mirrored) }
    }

    fn is_flat(self) -> bool {
        self.plain == 0
    }

    fn mirror(self) -> Self {
        Self { plain: self.mirrored, mirrored: self.plain }
    }
}

/// The cosine transform for none to seven half waves down, and for each of these as many across.
fn frequencies(plane: &[f32]) -> [f32; SIDE * SIDE] {
    let wave = |number: usize, at: usize| {
        (PI * number as f32 * (2 * at + 1) as f32 / (2 * HASHED_SIDE) as f32).cos()
    };
    let waves: Vec<f32> =
        (0..SIDE).flat_map(|number| (0..HASHED_SIDE).map(move |at| wave(number, at))).collect();
    let across: Vec<f32> = (plane.chunks_exact(HASHED_SIDE))
        .flat_map(|row| waves.chunks_exact(HASHED_SIDE).map(|wave| dot(row.iter(), wave)))
        .collect();
    let mut result = [0.0; SIDE * SIDE];
    for (place, value) in result.iter_mut().enumerate() {
        let (down, column) = (place / SIDE, place % SIDE);
        let wave = &waves[down * HASHED_SIDE..][..HASHED_SIDE];
        let strength = dot(across.iter().skip(column).step_by(SIDE), wave);
        // Values this small are rounding errors.
        *value = if strength.abs() < ROUNDING { 0.0 } else { strength };
    }
    result
}

fn dot<'a>(values: impl Iterator<Item = &'a f32>, wave: &[f32]) -> f32 {
    values.zip(wave).map(|(value, wave)| value * wave).sum()
}

fn above_median(waves: &[f32; SIDE * SIDE]) -> u64 {
    let mut sorted = *waves;
    sorted.sort_by(f32::total_cmp);
    let median = f32::midpoint(sorted[SIDE * SIDE / 2 - 1], sorted[SIDE * SIDE / 2]);
    waves.iter().enumerate().fold(0, |bits, (place, wave)| bits | u64::from(*wave > median) << place)
}

/// The frame of hash `number`: the first one after the middle of its half second.
fn frame_of(number: u64, fps: Fps) -> u64 {
    ((2 * number + 1) * u64::from(fps.get())).div_ceil(2 * RATE)
}

/// A condition for ffmpeg's `select` that picks the hashed frames of a segment; the first frame if it is too short.
pub fn hashed_frames(frames: u64, fps: Fps) -> String {
    if frames <= frame_of(0, fps) {
        return "not(n)".to_owned();
    }
    format!("eq(n\\,ceil((2*selected_n+1)*{}/{}))", fps.get(), 2 * RATE)
}

/// The hashes of an output, joined from the frame counts and hashes of its segments in order.
pub fn joined<'a>(segments: impl IntoIterator<Item = (u64, &'a FrameHashes)>, fps: Fps) -> FrameHashes {
    let (mut begin, mut hashes, mut first) = (0, Vec::new(), None);
    for (frames, FrameHashes(known)) in segments {
        let end = begin + frames;
        first = first.or(known.first().copied());
        while hashes.len() < MAX_HASHES && frame_of(hashes.len() as u64, fps) < end {
            let inside = frame_of(hashes.len() as u64, fps).saturating_sub(begin);
            let nearest = (inside * RATE / u64::from(fps.get())) as usize;
            hashes.push(known.get(nearest.min(known.len().saturating_sub(1))).copied().unwrap_or_default());
        }
        begin = end;
    }
    // An output shorter than half of half a second still has one hash.
    hashes.extend(first.filter(|_| hashes.is_empty()));
    FrameHashes(hashes)
}

/// The similarity of each two outputs of a task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Similarities {
    items: Vec<u32>,
    /// For each item in turn, the similarities to all items before it.
    triangle: Vec<Option<f32>>,
}

impl Similarities {
    /// Compares outputs, given by item number in ascending order.
    pub fn of(outputs: &[(u32, FrameHashes)]) -> Self {
        let thinned = thinned(outputs);
        let mut triangle = Vec::with_capacity(outputs.len() * outputs.len().saturating_sub(1) / 2);
        for (index, hashes) in thinned.iter().enumerate() {
            triangle.extend(thinned[..index].iter().map(|others| similarity(hashes, others)));
        }
        Self { items: outputs.iter().map(|(item, _)| *item).collect(), triangle }
    }

    /// From 0 to 1; `None` if one of the two is unknown or shows nothing.
    pub fn get(&self, items: [u32; 2]) -> Option<f64> {
        let [first, second] = items.map(|item| self.items.binary_search(&item).ok());
        let (low, high) = (first?.min(second?), first?.max(second?));
        let place = (high * high.checked_sub(1)? / 2).checked_add(low).filter(|_| low < high)?;
        self.triangle.get(place).copied().flatten().map(rounded)
    }

    /// The most similar pair, the lower item first; of equal pairs the first.
    pub fn most_alike(&self) -> Option<([u32; 2], f64)> {
        let pairs = (0..self.items.len()).flat_map(|high| (0..high).map(move |low| (low, high)));
        let measured =
            pairs.zip(&self.triangle).filter_map(|(pair, similarity)| Some((pair, (*similarity)?)));
        let most = measured.reduce(|most, next| if next.1 > most.1 { next } else { most });
        most.map(|((low, high), found)| ([self.items[low], self.items[high]], rounded(found)))
    }

    /// The approximate size in bytes.
    pub fn size(&self) -> usize {
        8 * self.triangle.len() + 4 * self.items.len()
    }
}

fn rounded(similarity: f32) -> f64 {
    (f64::from(similarity) * 1000.0).round() / 1000.0
}

/// The hashes that are compared: all, or every n-th if comparing all would take too long.
fn thinned(outputs: &[(u32, FrameHashes)]) -> Vec<Vec<FrameHash>> {
    let longest = outputs.iter().map(|(_, hashes)| hashes.0.len()).max().unwrap_or(0);
    let pairs = (outputs.len() * outputs.len().saturating_sub(1) / 2) as u64;
    let cost = |step: &usize| {
        let length = longest.div_ceil(*step) as u64;
        pairs * 2 * length * (2 * length.min(PROBES as u64) + CLOSE_COMPARISONS as u64)
    };
    let step = (1..=longest.max(1)).find(|step| cost(step) <= COMPARISONS).unwrap_or(longest.max(1));
    let thin = |(_, hashes): &(u32, FrameHashes)| hashes.0.iter().copied().step_by(step).collect();
    outputs.iter().map(thin).collect()
}

/// The mean similarity of half seconds at the best shift, with at least half of the shorter output overlapping, either as
/// it is or mirrored. `None` if one shows nothing but flat frames.
pub fn similarity(one: &[FrameHash], other: &[FrameHash]) -> Option<f32> {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let textured = |hashes: &[FrameHash]| hashes.iter().filter(|hash| !hash.is_flat()).count();
    let least = textured(short).min(textured(long)).div_ceil(2);
    if least == 0 {
        return None;
    }
    let mirrored: Vec<FrameHash> = short.iter().map(|hash| hash.mirror()).collect();
    let best = best_shift(short, long, least).max(best_shift(&mirrored, long, least));
    Some(best)
}

fn best_shift(short: &[FrameHash], long: &[FrameHash], least: usize) -> f32 {
    let half = short.len().div_ceil(2) as isize;
    let shifts = half - short.len() as isize..=long.len() as isize - half;
    let step = short.len().div_ceil(PROBES);
    if step == 1 {
        return shifts.filter_map(|shift| mean(short, long, shift, 1, least)).fold(0.0, f32::max);
    }
    let mut rough: Vec<(f32, isize)> =
        shifts.filter_map(|shift| Some((mean(short, long, shift, step, 1)?, shift))).collect();
    rough.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let close = rough.into_iter().take(CLOSE_COMPARISONS);
    close.filter_map(|(_, shift)| mean(short, long, shift, 1, least)).fold(0.0, f32::max)
}

/// The mean over every `step`-th half second of `short`, which begins `shift` after `long`; `None` if fewer than
/// `least` can be compared.
fn mean(short: &[FrameHash], long: &[FrameHash], shift: isize, step: usize, least: usize) -> Option<f32> {
    let skipped = (-shift).max(0) as usize;
    let skipped = skipped.next_multiple_of(step);
    let first = shift.checked_add_unsigned(skipped)?;
    let hashes = short.get(skipped..)?.iter().step_by(step);
    let others = long.get(usize::try_from(first).ok()?..)?.iter().step_by(step);
    let (mut alike, mut count) = (0, 0);
    for (a, b) in hashes.zip(others).filter(|(a, b)| !a.is_flat() && !b.is_flat()) {
        alike += UNRELATED_BITS.saturating_sub((a.plain ^ b.plain).count_ones());
        count += 1;
    }
    (count >= least.max(1)).then(|| alike as f32 / (count as f32 * UNRELATED_BITS as f32))
}

impl From<FrameHashes> for String {
    fn from(FrameHashes(hashes): FrameHashes) -> Self {
        hashes.iter().map(|hash| format!("{:016x}{:016x}", hash.plain, hash.mirrored)).collect()
    }
}

impl TryFrom<String> for FrameHashes {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const WRONG: &str = "picture hashes are 32 hexadecimal digits each";
        let number = |digits: &[u8]| {
            let digits = std::str::from_utf8(digits).map_err(|_| WRONG)?;
            u64::from_str_radix(digits, 16).map_err(|_| WRONG)
        };
        let hash =
            |digits: &[u8]| Ok(FrameHash { plain: number(&digits[..16])?, mirrored: number(&digits[16..])? });
        let hashes = text.as_bytes().chunks_exact(32);
        if !hashes.remainder().is_empty() {
            return Err(WRONG);
        }
        hashes.map(hash).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::RandomStream;

    fn luma_plane(pixel: impl Fn(usize, usize) -> u8) -> Vec<u8> {
        (0..HASHED_SIDE * HASHED_SIDE).map(|at| pixel(at % HASHED_SIDE, at / HASHED_SIDE)).collect()
    }

    /// A frame that has nothing in common with others.
    fn noise(seed: u64) -> FrameHash {
        let mut rng = RandomStream::stream(seed, "noise");
        let coarse: Vec<u8> = (0..64).map(|_| rng.below(256) as u8).collect();
        FrameHash::of(&luma_plane(|x, y| coarse[y / 4 * 8 + x / 4]))
    }

    fn film(seeds: impl IntoIterator<Item = u64>) -> Vec<FrameHash> {
        seeds.into_iter().map(noise).collect()
    }

    #[test]
    fn a_frame_matches_its_mirror_image() {
        let slope = |x: usize, y: usize| ((x * x + 3 * y) / 5) as u8;
        let (plain, mirrored) = (luma_plane(slope), luma_plane(|x, y| slope(HASHED_SIDE - 1 - x, y)));
        let (plain, mirrored) = (FrameHash::of(&plain), FrameHash::of(&mirrored));
        assert_eq!((plain.plain, plain.mirrored), (mirrored.mirrored, mirrored.plain));
        assert!((plain.plain ^ plain.mirrored).count_ones() >= 4);
        let brighter = FrameHash::of(&luma_plane(|x, y| slope(x, y) + 20));
        assert!((plain.plain ^ brighter.plain).count_ones() <= 2, "brightness does not count");
        assert_eq!(FrameHash::of(&luma_plane(|x, _| 90 + (x % 2) as u8)), FrameHash::default());
        assert_eq!(FrameHash::of(&[]), FrameHash::default());
    }

    #[test]
    fn equal_footage_matches_at_any_shift_and_mirrored() {
        let film_a = film(0..20);
        assert_eq!(similarity(&film_a, &film_a), Some(1.0));
        assert_eq!(similarity(&film_a, &film(7..19)), Some(1.0));
        assert_eq!(
            similarity(&film(100..110).into_iter().chain(film(0..10)).collect::<Vec<_>>(), &film(0..20)),
            Some(1.0)
        );
        let turned: Vec<FrameHash> = film_a.iter().map(|hash| hash.mirror()).collect();
        assert_eq!(similarity(&film_a, &turned), Some(1.0));
        let other = similarity(&film_a, &film(100..120)).unwrap();
        assert!(other < 0.3, "{other}");
        let half = similarity(&film_a, &[film(0..10), film(100..110)].concat()).unwrap();
        assert!((0.5..1.01).contains(&half), "{half}");
        // Longer outputs are compared roughly first.
        let long = film(0..400);
        assert_eq!(similarity(&long, &film(150..390)), Some(1.0));
        assert!(similarity(&long, &film(1000..1300)).unwrap() < 0.3);
    }

    #[test]
    fn flat_frames_do_not_count() {
        let flat = vec![FrameHash::default(); 10];
        assert_eq!(similarity(&flat, &film(0..10)), None);
        assert_eq!(similarity(&[], &film(0..10)), None);
        let start = [flat.clone(), film(0..10)].concat();
        assert_eq!(similarity(&start, &film(0..10)), Some(1.0));
        // One frame that matches by chance does not make two films alike.
        let once = [film(0..1), film(200..220)].concat();
        assert!(similarity(&once, &film(0..20)).unwrap() < 0.3);
    }

    #[test]
    fn joined_segments_have_the_hashes_of_their_frames() {
        let fps = Fps::new(30).unwrap();
        let of = |seeds: std::ops::Range<u64>| FrameHashes(film(seeds));
        // The lengths are two seconds, one and a half, a tenth, and one.
        let (a, b, c, d) = (of(0..4), of(10..13), of(20..21), of(30..32));
        let actual = joined([(60, &a), (45, &b), (3, &c), (30, &d)], fps);
        let expected = film([0, 1, 2, 3, 10, 11, 12, 30, 31]);
        assert_eq!(actual.0, expected);
        assert_eq!(joined([(3, &c)], fps), c);
        assert_eq!(joined([(u64::MAX / 8, &a)], fps).0.len(), MAX_HASHES);
        assert_eq!(hashed_frames(60, fps), "eq(n\\,ceil((2*selected_n+1)*30/4))");
        assert_eq!(hashed_frames(8, fps), "not(n)");
        assert_eq!((0..3).map(|n| frame_of(n, fps)).collect::<Vec<_>>(), [8, 23, 38]);
    }

    #[test]
    fn pairs_of_a_task_are_looked_up_by_item() {
        let outputs: Vec<(u32, FrameHashes)> = [(1, 0..10), (3, 0..10), (4, 50..60), (9, 0..0)]
            .map(|(item, seeds): (u32, std::ops::Range<u64>)| (item, FrameHashes(film(seeds))))
            .into();
        let similarities = Similarities::of(&outputs);
        assert_eq!((similarities.get([1, 3]), similarities.get([3, 1])), (Some(1.0), Some(1.0)));
        assert!(similarities.get([3, 4]).unwrap() < 0.3);
        assert_eq!([[1, 9], [1, 2], [1, 1]].map(|items| similarities.get(items)), [None; 3]);
        assert_eq!(similarities.most_alike(), Some(([1, 3], 1.0)));
        assert_eq!(Similarities::of(&outputs[..1]).most_alike(), None);
    }

    #[test]
    fn the_largest_tasks_are_compared_by_fewer_frames() {
        let outputs = |count: u32, length: usize| -> Vec<(u32, FrameHashes)> {
            (0..count).map(|item| (item, FrameHashes(vec![FrameHash::default(); length]))).collect()
        };
        assert_eq!(thinned(&outputs(200, 120))[0].len(), 120, "two hundred of a minute are compared whole");
        assert!(thinned(&outputs(1000, MAX_HASHES))[0].len() >= 4);
    }

    #[test]
    fn hashes_survive_serialization() {
        let hashes = FrameHashes(film(0..3));
        let text = serde_json::to_string(&hashes).unwrap();
        assert_eq!(text.len(), 3 * 32 + 2);
        assert_eq!(serde_json::from_str::<FrameHashes>(&text).unwrap(), hashes);
        for wrong in ["\"abc\"", "\"zz00000000000000zz00000000000000\"", "\"ééééééééééééé\"", "7"]
        {
            assert!(serde_json::from_str::<FrameHashes>(wrong).is_err(), "{wrong}");
        }
    }
}
