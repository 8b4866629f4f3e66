//! Random numbers that can be repeated.

/// xorshift64*: good enough to choose a moment.
pub struct Rng(u64);

impl Rng {
    /// The seed is in this environment variable; otherwise it is the time.
    pub fn from_env(variable: &str) -> (Self, u64) {
        let given = std::env::var(variable).ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| clipmill_server::clock::now_ms() as u64);
        (Self::new(seed), seed)
    }

    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }
}
