//! Chance from a seed: the same seed gives the same draws on every machine.
//!
//! Each option draws from a stream of its own, named by a text, so that switching one option on or off
//! does not change what another one draws.

use sha2::{Digest, Sha256};

/// Seeds are 0 to 2^53−1, so that every JSON reader keeps them exact.
pub const MAX_SEED: u64 = (1 << 53) - 1;

/// A stream of pseudo-random numbers (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// The stream called `name` of `seed`.
    pub fn stream(seed: u64, name: &str) -> Self {
        let digest = Sha256::new().chain_update(seed.to_be_bytes()).chain_update(name).finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        Self { state: u64::from_be_bytes(first) }
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// Uniform in `0..n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The high half of a 128-bit product: unbiased to 2^-64 for any list that fits in memory.
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Uniform on the grid of `step` within `[min, max]`, both ends included.
    pub fn on_grid(&mut self, min: f64, max: f64, step: f64) -> f64 {
        let steps = ((max - min) / step + 1e-6).floor().max(0.0);
        let drawn = min + step * self.below(steps as usize + 1) as f64;
        // Back to the decimal that the grid means: 0.1 + 2 × 0.1 must print as 0.3.
        (drawn / step).round() / (1.0 / step).round()
    }

    /// Shuffles in place (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// The seed of item `item_no` (from 1) of a task: item 1 uses the task's own, item n
/// `splitmix64(seed + n × 0x9E3779B97F4A7C15) mod 2^53`. One video sent again with its item's seed is
/// therefore made again.
pub fn item_seed(task_seed: u64, item_no: u32) -> u64 {
    if item_no <= 1 {
        return task_seed & MAX_SEED;
    }
    mix(task_seed.wrapping_add(u64::from(item_no).wrapping_mul(0x9E37_79B9_7F4A_7C15))) & MAX_SEED
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_are_independent() {
        let draw = |seed, name| Chance::stream(seed, name).next_u64();
        assert_eq!(draw(7, "speed"), draw(7, "speed"));
        assert_ne!(draw(7, "speed"), draw(7, "zoom"));
        assert_ne!(draw(7, "speed"), draw(8, "speed"));
    }

    #[test]
    fn grid_draws_reach_both_ends_and_stay_on_the_grid() {
        let mut chance = Chance::stream(1, "grid");
        let drawn: std::collections::BTreeSet<String> =
            (0..500).map(|_| chance.on_grid(0.9, 1.2, 0.1).to_string()).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), ["0.9", "1", "1.1", "1.2"]);
        assert_eq!(chance.on_grid(1.5, 1.5, 0.1), 1.5);
    }

    #[test]
    fn item_seeds_differ_and_the_first_is_the_tasks() {
        assert_eq!(item_seed(42, 1), 42);
        let seeds: std::collections::BTreeSet<u64> = (1..=1000).map(|n| item_seed(42, n)).collect();
        assert_eq!(seeds.len(), 1000);
        assert!(seeds.iter().all(|&s| s <= MAX_SEED));
    }
}
