//! Times as text (RFC 3339).

const DAY_MS: i64 = 86_400_000;

/// RFC 3339 in UTC with milliseconds, e.g. `2026-11-21T04:08:52.007Z`.
pub fn rfc3339(ms: i64) -> String {
    let (year, month, day) = civil(ms.div_euclid(DAY_MS));
    let of_day = ms.rem_euclid(DAY_MS);
    let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (second, milli) = (of_day / 1000 % 60, of_day % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Year, month and day of a day counted from 1970-01-01 (Howard Hinnant's `civil_from_days`). Years begin in March, so that
/// the leap day is the last of its year, and the pattern repeats every 400 years.
fn civil(day: i64) -> (i64, i64, i64) {
    let from_march_0000 = day + 719_468;
    let (era, of_era) = (from_march_0000.div_euclid(146_097), from_march_0000.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc_with_milliseconds() {
        let check = |ms, text: &str| assert_eq!(rfc3339(ms), text);
        check(0, "1970-01-01T00:00:00.000Z");
        check(-1, "1969-12-31T23:59:59.999Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_709_251_199_999, "2024-02-29T23:59:59.999Z");
        check(1_709_251_200_000, "2024-03-01T00:00:00.000Z");
        check(1_795_234_132_007, "2026-11-21T04:08:52.007Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
    }
}
