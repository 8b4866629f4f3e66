//! The rules of ARCHITECTURE.md that a compiler does not keep.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names in the `[dependencies]` table of a crate.
fn dependencies(name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
    let table = text.split("[dependencies]").nth(1).unwrap();
    let lines = table.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Rust files below a folder of the repository, with their text.
fn sources(folder: &str) -> Vec<(String, String)> {
    let (mut found, mut open) = (Vec::new(), vec![root().join(folder)]);
    while let Some(folder) = open.pop() {
        for entry in
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_string_lossy().into_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "no sources below {folder}");
    found
}

/// Code without comments and without what is built for tests only. Goes by how rustfmt lays code out: what begins
/// with an indentation ends with a closing bracket of the same.
fn code(text: &str) -> String {
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut kept = Vec::new();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push(line);
            continue;
        }
        let indentation = &line[..line.len() - line.trim_start().len()];
        let is_attribute = |line: &&str| line.trim_start().starts_with("#[");
        let first = lines.by_ref().find(|line| !is_attribute(line)).expect("an item after #[cfg(test)]");
        if first.ends_with(['{', '(', '[']) {
            let ends = |line: &&str| {
                let closes =
                    line.strip_prefix(indentation).is_some_and(|rest| rest.starts_with(['}', ')', ']']));
                closes && !line.ends_with('{')
            };
            lines.by_ref().find(ends).expect("the end of an item after #[cfg(test)]");
        } else {
            assert!(first.ends_with([';', '}']), "{first}: rustfmt breaks no item here");
        }
    }
    kept.join("\n")
}

#[test]
fn only_what_is_built_for_tests_is_left_out() {
    let text = r#"
        //! A comment.
        mod one;
        #[cfg(test)]
        mod tests;
        mod two;
        #[cfg(test)]
        #[path = "others.rs"]
        mod others;
        impl Three {
            #[cfg(test)]
            fn tested(
                &self,
            ) -> bool {
                if self.0 { "}" } else {
                    "{"
                }
            }

            // Another.
            fn four(&self) {}
        }
        #[cfg(test)]
        mod tests {
            mod inner {}
        }
        fn five() {}
    "#;
    let kept: Vec<_> =
        code(text).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    assert_eq!(kept, ["mod one;", "mod two;", "impl Three {", "fn four(&self) {}", "}", "fn five() {}"]);
}

fn check_absent(folder: &str, words: &[&str], except: &[&str]) {
    for (path, text) in sources(folder) {
        if except.iter().any(|allowed| path.ends_with(allowed)) {
            continue;
        }
        let code = code(&text);
        let found: Vec<_> = words.iter().filter(|word| code.contains(**word)).collect();
        assert!(found.is_empty(), "{path} must not mention {found:?}");
    }
}

#[test]
fn crates_depend_only_downwards() {
    let allowed: [(&str, &[&str]); 6] = [
        ("clipmill-core", &[]),
        ("clipmill-blobs", &[]),
        ("clipmill-media", &["clipmill-blobs", "clipmill-core"]),
        ("clipmill-store", &["clipmill-core"]),
        ("clipmill-server", &["clipmill-blobs", "clipmill-core", "clipmill-media", "clipmill-store"]),
        (
            "clipmill",
            &["clipmill-blobs", "clipmill-core", "clipmill-media", "clipmill-server", "clipmill-store"],
        ),
    ];
    for (name, allowed) in allowed {
        let ours: BTreeSet<_> =
            dependencies(name).into_iter().filter(|name| name.starts_with("clipmill")).collect();
        assert_eq!(ours, allowed.iter().map(|name| (*name).to_owned()).collect(), "{name}");
    }
}

#[test]
fn the_core_is_pure() {
    let outside = ["tokio", "sqlx", "reqwest", "axum", "getrandom", "rand", "rustix", "process-wrap"];
    let found: Vec<_> =
        dependencies("clipmill-core").into_iter().filter(|name| outside.contains(&name.as_str())).collect();
    assert!(found.is_empty(), "{found:?}");
    check_absent(
        "crates/clipmill-core/src",
        &["std::fs", "std::process", "std::net", "SystemTime", "Instant", "std::env", "async fn"],
        &[],
    );
}

#[test]
fn sql_and_object_storage_stay_in_their_crates() {
    for name in ["clipmill-core", "clipmill-media", "clipmill-store", "clipmill-server", "clipmill"] {
        assert!(!dependencies(name).contains("object_store"), "{name}");
    }
    for name in ["clipmill-core", "clipmill-blobs", "clipmill-media", "clipmill-server", "clipmill"] {
        assert!(!dependencies(name).contains("sqlx"), "{name}");
    }
}

#[test]
fn processes_clock_and_chance_have_one_place_each() {
    for folder in [
        "crates/clipmill-core/src",
        "crates/clipmill-blobs/src",
        "crates/clipmill-media/src",
        "crates/clipmill-store/src",
        "crates/clipmill-server/src",
        "crates/clipmill/src",
    ] {
        check_absent(
            folder,
            &["Command::new"],
            &["clipmill-media/src/process.rs", "process/tests.rs", "sqlite/tests/faults.rs"],
        );
        check_absent(folder, &["SystemTime::now", "getrandom::"], &["clipmill-server/src/clock.rs"]);
    }
}

#[test]
fn ffmpeg_runs_guarded_and_confined() {
    // Inputs are opened with the lists of what is accepted; the only others are lists and textures of our own.
    check_absent(
        "crates/clipmill-media/src",
        &["\"-i\""],
        &[
            "probe/policy.rs",
            "args/encode_mix.rs",
            "args/device.rs",
            "args/asset.rs",
            "sandbox/mod.rs",
            "tests.rs",
        ],
    );
    for folder in ["crates/clipmill-core/src", "crates/clipmill-media/src"] {
        // Filters that open files and addresses by themselves, past those lists.
        check_absent(folder, &["movie=", "subtitles=", "\"movie\"", "\"subtitles\""], &["tests.rs"]);
    }
    for folder in ["crates/clipmill-media/src", "crates/clipmill-server/src", "crates/clipmill/src"] {
        // How runs are confined is said where the service is put together, and never left out. The gallery only
        // shrinks films that it made itself.
        check_absent(
            folder,
            &["Ffmpeg::default()", "Ffmpeg::in_folder"],
            &["process/tests.rs", "probe/tests.rs", "fetch/tests.rs", "clipmill/src/gallery.rs"],
        );
    }
}

#[test]
fn api_worker_and_delivery_meet_in_the_store() {
    check_absent(
        "crates/clipmill-server/src/api",
        &["crate::worker", "super::worker", "crate::delivery", "super::delivery"],
        &[],
    );
    check_absent(
        "crates/clipmill-server/src/delivery",
        &["crate::api", "crate::worker", "crate::auth", "axum"],
        &[],
    );
    check_absent(
        "crates/clipmill-server/src/worker",
        &["crate::api", "crate::view", "crate::auth", "crate::delivery", "axum"],
        &[],
    );
}

#[test]
fn files_stay_small() {
    for folder in [
        "crates/clipmill-core/src",
        "crates/clipmill-blobs/src",
        "crates/clipmill-media/src",
        "crates/clipmill-store/src",
        "crates/clipmill-server/src",
        "crates/clipmill/src",
    ] {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= 600, "{path} has {lines} lines: it has more than one duty");
        }
    }
}
