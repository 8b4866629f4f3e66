//! Seeds of tasks and items, and draws that keep the items of one task apart.
//!
//! A seed encodes the **series** of items it belongs to and its **place** there. The draws for the places of one series
//! are spread evenly over each range, as far apart as possible, so that copies of one video do not coincide by chance.
//! Everything follows from the item's seed alone, so an item can be rendered again without the others.

use crate::random::{RandomStream, grid_point, mix};

/// Seeds are 0 to 2^53−1, so that every JSON reader keeps them exact.
pub const MAX_SEED: u64 = (1 << 53) - 1;
/// The highest seed that is drawn when the client sets none: such seeds begin a series.
const MAX_DRAWN_SEED: u64 = PLACED - 1;

/// Seeds from here on consist of a place and a series.
const PLACED: u64 = 1 << 52;
/// The bits of a series; the ten bits above them are the place.
const SERIES_BITS: u32 = 42;
const SERIES: u64 = (1 << SERIES_BITS) - 1;
const PLACES: u64 = 1 << (52 - SERIES_BITS);

/// The seed of a task whose client set none, from random bytes or a hash: 0 to 2^52−1, so that the task's items form
/// one series that begins with the first.
pub fn drawn_seed(bytes: [u8; 8]) -> u64 {
    u64::from_be_bytes(bytes) & MAX_DRAWN_SEED
}

/// The seed of item `item_no` (from 1) of a task: item 1 uses the task's own; item n has
/// 2^52 + (n − 1) · 2^42 + (mix(seed) mod 2^42) up to 1,024, and mix(seed + n · 0x9E3779B97F4A7C15) mod 2^52 beyond,
/// `mix` being the end of SplitMix64.
pub fn item_seed(task_seed: u64, item_no: u32) -> u64 {
    let place = u64::from(item_no.saturating_sub(1));
    match place {
        0 => task_seed & MAX_SEED,
        1..PLACES => PLACED | place << SERIES_BITS | mix(task_seed) & SERIES,
        _ => {
            let step = u64::from(item_no).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mix(task_seed.wrapping_add(step)) & MAX_DRAWN_SEED
        }
    }
}

/// A value that is drawn from a range, with the step from one place to the next in parts of 2^64. The steps are
/// irrational numbers: their multiples are spread evenly over 0 to 1 for any count, and more evenly the smaller the
/// terms of their continued fractions (stated after each, repeated without end). They were chosen so that any two of
/// them also fill a square evenly: no two options move in step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranged {
    name: &'static str,
    step: u64,
}

impl Ranged {
    pub const SPEED: Self = Self::new("speed", 0x5EEE_A116_83F4_9205); // 2, 1, 2, 3 …, of √14
    pub const ROTATION: Self = Self::new("rotation", 0xBB67_AE85_84CA_A73B); // 1, 2 …, of √3
    pub const ZOOM: Self = Self::new("zoom", 0xB1EA_B259_80F8_5A72); // 1, 2, 3, 1 …, of √11
    pub const FRAME_EXTRACTION: Self = Self::new("frameExtraction", 0x70BD_B41E_FEB8_E82C); // 2, 3, 1 …, of √37
    pub const BRIGHTNESS: Self = Self::new("brightness", 0xC3FC_07EC_375A_0962); // 1, 3, 3 …, of √65
    pub const CONTRAST: Self = Self::new("contrast", 0xC8D6_8427_7CF0_B0CD); // 1, 3, 1, 1 …, of √165
    pub const SATURATION: Self = Self::new("saturation", 0x4A8C_20D4_1998_0941); // 3, 2, 3 …, of √170
    pub const GAMMA: Self = Self::new("gamma", 0x6916_5A29_8FD6_3B13); // 2, 2, 3 …, of √365

    const fn new(name: &'static str, step: u64) -> Self {
        Self { name, step }
    }
}

/// The place and series that a seed encodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    series: u64,
    place: u64,
}

impl Place {
    pub fn of(seed: u64) -> Self {
        match seed < PLACED {
            true => Self { series: mix(seed) & SERIES, place: 0 },
            false => Self { series: seed & SERIES, place: seed >> SERIES_BITS & (PLACES - 1) },
        }
    }

    /// A point of the grid of `step` within `[min, max]`.
    pub fn on_grid(self, what: Ranged, min: f64, max: f64, step: f64) -> f64 {
        let first = RandomStream::stream(self.series, what.name).next_u64();
        grid_point(first.wrapping_add(self.place.wrapping_mul(what.step)), min, max, step)
    }

    /// Deals `hand` of `n` things to each place of the series, like cards: nothing occurs twice in a hand while another
    /// thing has not occurred, and all occur equally often before they are shuffled again.
    pub fn deal(self, what: &str, n: usize, hand: usize) -> Vec<usize> {
        if n == 0 {
            return Vec::new();
        }
        // After this many hands the cards are used up without a remainder.
        let hands = (n / common_divisor(n, hand)) as u64;
        let deck = self.deck(what, n, self.place / hands);
        let from = (self.place % hands) as usize * hand;
        (from..from + hand).map(|card| deck[card % n]).collect()
    }

    fn deck(self, what: &str, n: usize, number: u64) -> Vec<usize> {
        // Two things always alternate.
        let number = if n > 2 { number } else { 0 };
        let mut deck = self.shuffled(what, n, number);
        // The last card of a shuffle is not the first of the next one.
        if number > 0 && self.shuffled(what, n, number - 1).last() == deck.first() {
            deck.swap(0, 1);
        }
        deck
    }

    fn shuffled(self, what: &str, n: usize, number: u64) -> Vec<usize> {
        let mut deck: Vec<usize> = (0..n).collect();
        RandomStream::stream(self.series, &format!("{what} {number}")).shuffle(&mut deck);
        deck
    }
}

fn common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;

    const RANGED: [Ranged; 8] = [
        Ranged::SPEED,
        Ranged::ROTATION,
        Ranged::ZOOM,
        Ranged::FRAME_EXTRACTION,
        Ranged::BRIGHTNESS,
        Ranged::CONTRAST,
        Ranged::SATURATION,
        Ranged::GAMMA,
    ];
    const TASK_SEEDS: [u64; 7] = [0, 1, 42, PLACED - 1, PLACED, PLACED + (5 << SERIES_BITS) + 7, MAX_SEED];

    fn places(seed: u64, items: u32) -> impl Iterator<Item = Place> {
        (1..=items).map(move |n| Place::of(item_seed(seed, n)))
    }

    #[test]
    fn drawn_seeds_begin_a_series() {
        assert_eq!(drawn_seed([0xff; 8]), (1 << 52) - 1);
        assert_eq!(drawn_seed([0xff, 0xf0, 0, 0, 0, 0, 1, 2]), 0x102);
    }

    #[test]
    fn seeds_of_items_follow_the_formula() {
        for seed in TASK_SEEDS {
            assert_eq!(item_seed(seed, 1), seed);
            for (n, place) in [(2, 1), (3, 2), (1024, 1023)] {
                let expected = (1 << 52) + place * (1 << 42) + mix(seed) % (1 << 42);
                assert_eq!(item_seed(seed, n), expected, "item {n} of {seed}");
            }
            assert!(item_seed(seed, 1025) < 1 << 52);
        }
        // The first output of SplitMix64 with state 0.
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn seeds_of_items_differ_and_are_exact_in_json() {
        for seed in TASK_SEEDS {
            let seeds: HashSet<u64> = (1..=100_000).map(|n| item_seed(seed, n)).collect();
            assert_eq!(seeds.len(), 100_000, "{seed}");
            assert!(seeds.iter().all(|&seed| seed <= MAX_SEED));
        }
    }

    #[test]
    fn a_seed_encodes_its_series_and_place() {
        for seed in [0, 1, 42, MAX_DRAWN_SEED] {
            let all: Vec<Place> = places(seed, 1024).collect();
            assert!((0..).zip(&all).all(|(n, place)| *place == Place { series: all[0].series, place: n }));
            assert_eq!(Place::of(item_seed(seed, 1025)).place, 0, "a series of its own");
        }
        // A task whose seed is an item's: its first item equals that item, the others are new.
        let item = item_seed(42, 3);
        let earlier: Vec<Place> = places(42, 1024).collect();
        let again: Vec<Place> = places(item, 1024).collect();
        assert_eq!(again[0], earlier[2]);
        assert!(again[1..].iter().all(|place| !earlier.contains(place)));
    }

    #[test]
    fn neighbouring_task_seeds_make_different_items() {
        for seed in TASK_SEEDS.into_iter().flat_map(|seed| [seed.saturating_sub(1), seed.min(MAX_SEED - 1)]) {
            let both: HashSet<u64> =
                (1..=64).flat_map(|n| [item_seed(seed, n), item_seed(seed + 1, n)]).collect();
            assert_eq!(both.len(), 128, "{seed}");
            for what in RANGED {
                let drawn = |seed| Place::of(seed).on_grid(what, 0.0, 1.0, 1e-6);
                assert_ne!(drawn(seed), drawn(seed + 1), "{what:?} of {seed}");
            }
        }
    }

    /// The largest gap between `n` draws on 0 to 1 (taken as a circle), in parts of 1 / n.
    fn greatest_gap(what: Ranged, seed: u64, n: u32) -> f64 {
        let mut values: Vec<f64> = places(seed, n).map(|place| place.on_grid(what, 0.0, 1.0, 1e-9)).collect();
        values.sort_by(f64::total_cmp);
        let around = values[0] + 1.0 - values[values.len() - 1];
        values.windows(2).map(|pair| pair[1] - pair[0]).fold(around, f64::max) * f64::from(n)
    }

    #[test]
    fn draws_of_every_range_leave_no_wide_gap() {
        for what in RANGED {
            for n in (2..=64).chain([100, 200, 500, 1000, 1024]) {
                let gap = greatest_gap(what, 7, n);
                assert!(gap < 3.6, "{n} draws of {what:?} leave {gap:.2} / {n}");
            }
        }
    }

    #[test]
    fn a_grid_is_covered_before_its_points_crowd() {
        for what in RANGED {
            for points in 2..=40 {
                let most = f64::from(points) - 1.0;
                let values = places(9, points * 4).map(|place| place.on_grid(what, 0.0, most, 1.0) as u32);
                assert_eq!(values.collect::<BTreeSet<u32>>().len(), points as usize, "{what:?} on {points}");
            }
        }
    }

    #[test]
    fn no_two_ranges_move_in_step() {
        // If two options moved in step, 256 draws would fall into few of the 8 × 8 parts of their ranges.
        for (i, one) in RANGED.into_iter().enumerate() {
            for other in &RANGED[i + 1..] {
                let parts = places(3, 256)
                    .map(|place| [one, *other].map(|what| place.on_grid(what, 0.0, 7.0, 1.0) as u32));
                let filled = parts.collect::<BTreeSet<_>>().len();
                assert!(filled >= 58, "{one:?} and {other:?} fill {filled} of 64 parts");
            }
        }
    }

    #[test]
    fn every_card_is_dealt_before_one_repeats() {
        for (n, hand) in [(1, 1), (2, 1), (3, 1), (12, 1), (5, 3), (4, 2), (3, 8), (7, 7)] {
            let hands: Vec<Vec<usize>> = places(5, 64).map(|place| place.deal("list", n, hand)).collect();
            let distinct = |cards: &[usize]| cards.iter().collect::<BTreeSet<_>>().len();
            for cards in hands.iter().flat_map(|cards| cards.chunks(n)) {
                assert_eq!(distinct(cards), cards.len(), "{cards:?}");
            }
            let period = n / common_divisor(n, hand);
            for turn in hands.chunks_exact(period) {
                let mut uses = vec![0; n];
                turn.iter().flatten().for_each(|&card| uses[card] += 1);
                assert!(uses.iter().all(|&count| count == uses[0]), "{n}, {hand}: {turn:?}");
            }
            let repeats = hands.windows(2).filter(|pair| pair[0].last() == pair[1].first()).count();
            assert!(n < 3 || hand > 1 || repeats == 0, "{hands:?}");
        }
        assert!(Place::of(1).deal("list", 0, 3).is_empty());
        assert!(Place::of(1).deal("list", 3, 0).is_empty());
    }

    #[test]
    fn series_deal_in_other_orders() {
        let first: BTreeSet<Vec<usize>> = (0..50).map(|seed| Place::of(seed).deal("list", 3, 1)).collect();
        assert_eq!(first.len(), 3);
    }
}
