//! The current time of a unit of work: by the caller's clock on SQLite, by the database's on PostgreSQL.

/// Milliseconds since 1970, UTC.
pub type Millis = i64;

/// The current time of the store. If the database's clock counts, times that a caller derived from its own clock keep
/// their distance from the caller's current time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    pub ms: Millis,
    shift: i64,
}

impl Now {
    pub fn of_the_caller(now: Millis) -> Self {
        Self { ms: now, shift: 0 }
    }

    #[cfg(feature = "postgres")]
    pub fn of_the_database(now: Millis, asked: Millis) -> Self {
        Self { ms: now, shift: now.saturating_sub(asked) }
    }

    /// A time that the caller derived from its own clock.
    pub fn of(self, moment: Millis) -> Millis {
        moment.saturating_add(self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_keep_their_distance_from_now() {
        assert_eq!(Now::of_the_caller(5).of(7), 7);
        let moment = Now::of_the_database(1_000, 400);
        assert_eq!((moment.ms, moment.of(450), moment.of(Millis::MAX)), (1_000, 1_050, Millis::MAX));
    }
}
