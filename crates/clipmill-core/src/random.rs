//! Random numbers from a seed: the same seed gives the same numbers on every machine.
//!
//! Each option draws from a stream of its own, named by a text, so that switching one option on or off
//! does not change what another one draws.

use sha2::{Digest, Sha256};

/// A stream of pseudo-random numbers (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct RandomStream {
    state: u64,
}

impl RandomStream {
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
        part(self.next_u64(), n)
    }

    /// Shuffles in place (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// The point at `fraction` (in parts of 2^64) of the way through the grid of `step` within `[min, max]`, both included.
pub fn grid_point(fraction: u64, min: f64, max: f64, step: f64) -> f64 {
    let steps = ((max - min) / step + 1e-6).floor().max(0.0);
    let point = min + step * part(fraction, steps as usize + 1) as f64;
    // Rounds to the decimal that the grid means: 0.1 + 2 × 0.1 must print as 0.3.
    (point / step).round() / (1.0 / step).round()
}

/// The index of the one of `n` equal parts of 0 to 1 that `fraction` (in parts of 2^64) falls into; 0 when `n` is 0.
fn part(fraction: u64, n: usize) -> usize {
    // This is the high half of a 128-bit product: unbiased to 2^-64 for any list that fits in memory.
    ((u128::from(fraction) * n as u128) >> 64) as usize
}

/// Mixes bits in a way that can be inverted (the last steps of SplitMix64).
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_are_independent() {
        let draw = |seed, name| RandomStream::stream(seed, name).next_u64();
        assert_eq!(draw(7, "speed"), draw(7, "speed"));
        assert_ne!(draw(7, "speed"), draw(7, "zoom"));
        assert_ne!(draw(7, "speed"), draw(8, "speed"));
    }

    #[test]
    fn points_reach_both_ends_of_a_grid_and_stay_on_it() {
        let mut rng = RandomStream::stream(1, "grid");
        let points: std::collections::BTreeSet<String> =
            (0..500).map(|_| grid_point(rng.next_u64(), 0.9, 1.2, 0.1).to_string()).collect();
        assert_eq!(points.into_iter().collect::<Vec<_>>(), ["0.9", "1", "1.1", "1.2"]);
        assert_eq!([0, u64::MAX].map(|end| grid_point(end, 0.9, 1.2, 0.1)), [0.9, 1.2]);
        assert_eq!(grid_point(u64::MAX, 1.5, 1.5, 0.1), 1.5);
    }
}
