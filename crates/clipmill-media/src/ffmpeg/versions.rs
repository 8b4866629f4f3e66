//! The supported versions of ffmpeg. This is the only definition; docs/operate/install.md repeats it, and a test compares them.

/// A version that the media tests passed with; docs/operate/install.md lists the exceptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestedVersion {
    pub version: &'static str,
    /// The origin of the package.
    pub system: &'static str,
    /// The date of the last test run, as year, month and day.
    pub on: &'static str,
}

pub const TESTED: [TestedVersion; 4] = [
    TestedVersion { version: "7.1.5", system: "Debian 13", on: "2026-11-27" },
    TestedVersion { version: "5.1.9", system: "Debian 12", on: "2026-11-27" },
    TestedVersion { version: "6.1", system: "built from source", on: "2026-11-27" },
    TestedVersion { version: "9.0.2", system: "Debian testing", on: "2026-11-27" },
];

/// The supported range, as shown to users.
pub const SUPPORTED: &str = "ffmpeg 5.1 to 9";
/// The version of libavcodec in ffmpeg 5.1, by which builds without a version number are recognized.
const OLDEST_AVCODEC: (u32, u32) = (59, 37);
/// The major version of libavcodec in ffmpeg 9.
const NEWEST_AVCODEC: u32 = 63;

/// The support status of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    TestedVersion(TestedVersion),
    /// Within the supported range.
    Supported,
    /// Newer than all tested versions.
    Newer,
    TooOld,
}

/// `toolchain` is a version as [`crate::toolchain::detect`] gives it: `7.1.5-0+deb13u1 libavutil 59.39.100 …`.
pub fn support(toolchain: &str) -> Support {
    let mut words = toolchain.split(' ');
    let version = words.next().unwrap_or("");
    let mut libraries = words.skip_while(|word| *word != "libavcodec").skip(1);
    let number = |part: Option<&str>| part?.parse::<u32>().ok();
    let mut parts = libraries.next().unwrap_or("").split('.');
    let (Some(major), minor) = (number(parts.next()), number(parts.next()).unwrap_or(0)) else {
        return Support::TooOld;
    };
    if (major, minor) < OLDEST_AVCODEC {
        return Support::TooOld;
    }
    // Distributions append a revision of theirs.
    let upstream = version.split(['-', '+']).next().unwrap_or("");
    match TESTED.into_iter().find(|tested| tested.version == upstream) {
        Some(tested) => Support::TestedVersion(tested),
        None if major > NEWEST_AVCODEC => Support::Newer,
        None => Support::Supported,
    }
}

impl std::fmt::Display for Support {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TestedVersion(TestedVersion { on, .. }) => write!(f, "tested on {on}"),
            Self::Supported => write!(f, "supported ({SUPPORTED})"),
            Self::Newer => write!(f, "newer than all tested versions ({SUPPORTED})"),
            Self::TooOld => write!(f, "too old ({SUPPORTED} is supported)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_judged_by_their_libraries() {
        let check =
            |toolchain: &str, expected: Support| assert_eq!(support(toolchain), expected, "{toolchain}");
        let [tested, ..] = TESTED;
        check("7.1.5-0+deb13u1 libavutil 59.39.100 libavcodec 61.19.101", Support::TestedVersion(tested));
        check("7.1.3 libavutil 59.39.100 libavcodec 61.19.101", Support::Supported);
        check("5.1 libavutil 57.28.100 libavcodec 59.37.100", Support::Supported);
        check("5.0.1 libavutil 57.17.100 libavcodec 59.18.100", Support::TooOld);
        check("4.4.2-0ubuntu0 libavutil 56.70.100 libavcodec 58.134.100", Support::TooOld);
        check("N-120000-g123 libavutil 62.1.100 libavcodec 64.1.100", Support::Newer);
        check("nonsense", Support::TooOld);
    }

    #[test]
    fn the_documentation_has_the_same_versions() {
        let install = include_str!("../../../../docs/operate/install.md");
        assert!(install.contains(SUPPORTED), "docs/operate/install.md does not say {SUPPORTED}");
        for TestedVersion { version, system, on } in TESTED {
            let row = format!("| {version} | {system} | {on} |");
            assert!(install.contains(&row), "docs/operate/install.md lacks the row {row}");
        }
    }
}
