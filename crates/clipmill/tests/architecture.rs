//! The rules of ARCHITECTURE.md that a compiler does not keep.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

#[path = "architecture/words.rs"]
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const CRATES: [&str; 6] = [
    "crates/clipmill-core/src",
    "crates/clipmill-blobs/src",
    "crates/clipmill-media/src",
    "crates/clipmill-store/src",
    "crates/clipmill-server/src",
    "crates/clipmill/src",
];

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
        let forbidden: Vec<_> = words.iter().filter(|word| code.contains(**word)).collect();
        assert!(forbidden.is_empty(), "{path} must not mention {forbidden:?}");
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
    let forbidden: Vec<_> =
        dependencies("clipmill-core").into_iter().filter(|name| outside.contains(&name.as_str())).collect();
    assert!(forbidden.is_empty(), "{forbidden:?}");
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

/// States of tasks and items have names in statements (`sql/states.rs`), not numbers; those of work, segments, holds
/// and callbacks are words, and each is one that the database knows.
#[test]
fn statements_name_states() {
    let migrations = root().join("crates/clipmill-store/migrations/sqlite");
    let migrations: String = std::fs::read_dir(migrations)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let known_states: BTreeSet<_> =
        states(&migrations).into_iter().filter(|state| state.starts_with('\'')).collect();
    assert!(known_states.contains("'ready'") && known_states.contains("'released'"), "{known_states:?}");
    for (path, text) in sources("crates/clipmill-store/src") {
        for state in states(&text) {
            assert!(known_states.contains(&state), "{path} has the state {state}");
        }
    }
}

/// What statements compare states with or set them to: words in quotes and numbers, not parameters or columns.
fn states(text: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find("state ") {
        rest = &rest[at + "state ".len()..];
        let compared =
            ["= ", "<> ", "< ", "> ", "IN (", "NOT IN ("].iter().find_map(|sign| rest.strip_prefix(sign));
        let Some(values) = compared else { continue };
        rest = values;
        let value = |part: &&str| part.starts_with('\'') || part.starts_with(|c: char| c.is_ascii_digit());
        let ends = rest.find([')', ';', '\n', '"']).unwrap_or(rest.len());
        let values = rest[..ends].split(", ").map(|part| part.split(' ').next().unwrap_or(part));
        found.extend(values.take_while(value).map(str::to_owned));
    }
    found
}

#[test]
fn processes_clock_and_chance_have_one_place_each() {
    for folder in CRATES {
        check_absent(
            folder,
            &["Command::new"],
            &["clipmill-media/src/ffmpeg/process.rs", "process/tests.rs", "sqlite/tests/faults.rs"],
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
        &["ffmpeg/policy.rs", "args/encode_mix.rs", "args/device.rs", "sandbox/mod.rs", "tests.rs"],
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
fn wire_types_are_views() {
    check_absent("crates/clipmill-server/src/api", &["derive(Serialize", "Serialize)]", "ToSchema"], &[]);
}

/// Types ensure the rest: users get a [`Message`], which only the functions of its codes make.
#[test]
fn no_message_arises_without_a_code() {
    for name in ["clipmill-core", "clipmill-media", "clipmill-store", "clipmill-server", "clipmill"] {
        let src = format!("crates/{name}/src");
        check_absent(&src, &["without_code("], &["core/src/message/mod.rs", "_tests.rs", "/tests.rs"]);
    }
    // What is read from the database, and from notes beside files, is all that a code may be missing from.
    let readers = [
        "findings/mod.rs",
        "assemble.rs",
        "callbacks/sql.rs",
        "tasks/read.rs",
        "points/movements.rs",
        "message/stored.rs",
        "batches/read.rs",
        "/tests.rs",
    ];
    check_absent("crates/clipmill-server/src", &["of_stored("], &[]);
    check_absent("crates/clipmill/src", &["of_stored("], &[]);
    for name in ["clipmill-core", "clipmill-media", "clipmill-store"] {
        check_absent(&format!("crates/{name}/src"), &["of_stored("], &readers);
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

/// Tools can do what everybody can, and nothing else.
#[test]
fn agents_reach_the_interface_by_its_calls() {
    check_absent(
        "crates/clipmill-server/src/mcp",
        &["crate::api", "crate::app", "crate::http", "crate::view", "clipmill_store", "clipmill_media"],
        &[],
    );
}

#[test]
fn files_stay_small() {
    for folder in CRATES {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= 600, "{path} has {lines} lines: it has more than one duty");
        }
    }
}

type Module = Vec<String>;

/// The module that a file is, from its path below `src`.
fn module(path: &str) -> Module {
    let path = path.rsplit_once("/src/").unwrap().1.trim_end_matches(".rs");
    let mut module: Module = path.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        module.pop();
    }
    module
}

/// What a `use` names, one by one: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`, `a::c::e`.
fn spread(tree: &str) -> Vec<String> {
    let Some((before, inside)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let inside = inside.strip_suffix('}').unwrap_or(inside);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inside.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut().unwrap().push(c),
        }
    }
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.flat_map(|part| spread(&format!("{before}{part}"))).collect()
}

/// All paths of the own crate that code names.
fn named(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let rest = &code[at..];
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        let end = if rest[word..].starts_with('{') { rest.find(';').unwrap_or(word) } else { word };
        let tree: String = rest[..end].split_whitespace().collect();
        paths.extend(spread(&tree));
    }
    paths
}

/// The file that a path within `module` leads to.
fn leads_to(module: &Module, path: &str, files: &BTreeSet<Module>) -> Module {
    let mut full = if path.starts_with("super") { module.clone() } else { Module::new() };
    for word in path.split("::") {
        match word {
            "crate" => {}
            "super" => _ = full.pop(),
            word => full.push(word.to_owned()),
        }
    }
    while !files.contains(&full) {
        full.pop();
    }
    full
}

/// For each file, the files it imports. A folder's own file and the files in the folder count as one.
fn imports(folder: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let sources: Vec<_> =
        sources(folder).into_iter().map(|(path, text)| (module(&path), code(&text))).collect();
    let mut files: BTreeSet<Module> = sources.iter().map(|(module, _)| module.clone()).collect();
    files.insert(Module::new());
    let modules = sources.into_iter().filter(|(module, _)| !module.iter().any(|word| word == "tests"));
    modules
        .map(|(module, code)| {
            let all = named(&code).into_iter().map(|path| leads_to(&module, &path, &files));
            let others = all.filter(|other| !other.starts_with(&module) && !module.starts_with(other));
            (module.clone(), others.collect())
        })
        .collect()
}

fn reached<'i, M: Ord>(from: &'i M, imports: &'i BTreeMap<M, BTreeSet<M>>) -> BTreeSet<&'i M> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        let next = imports.get(module).into_iter().flatten();
        open.extend(next.filter(|other| found.insert(*other)));
    }
    found
}

#[test]
fn no_two_files_import_each_other() {
    for name in ["clipmill-core", "clipmill-blobs", "clipmill-media", "clipmill-store", "clipmill-server"] {
        let imports = imports(&format!("crates/{name}/src"));
        assert!(imports.values().any(|others| !others.is_empty()), "nothing is read of {name}");
        let circle: Vec<_> = imports.keys().filter(|file| reached(*file, &imports).contains(file)).collect();
        assert!(circle.is_empty(), "{name}: these files need each other, by whatever way: {circle:?}");
    }
}

/// Folders directly below `src` are layers. Those of the store are nouns instead: a unit of work may write rows of several.
#[test]
fn no_two_folders_import_each_other() {
    for name in CRATES.into_iter().filter(|name| !name.contains("store")) {
        let mut folders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, others) in imports(name) {
            let Some(folder) = file.first() else { continue };
            let others = others.iter().filter_map(|other| other.first()).filter(|other| *other != folder);
            folders.entry(folder.clone()).or_default().extend(others.cloned());
        }
        let circle: Vec<_> =
            folders.keys().filter(|folder| reached(*folder, &folders).contains(folder)).collect();
        assert!(circle.is_empty(), "{name}: these folders import each other: {circle:?}");
    }
}

#[test]
fn imports_are_read_as_they_are_written() {
    let code = "use crate::a::{b, c::{self, d}};\nuse super::e;\nlet x = crate::f::g(super::h);";
    let paths = named(code);
    let expected =
        ["crate::a::b", "crate::a::c::self", "crate::a::c::d", "crate::f::g", "super::e", "super::h"];
    assert_eq!(paths, expected);
}

/// Imports of a TypeScript source folder by files relative to the repository.
fn typescript_imports(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|name| name == "ts" || name == "tsx") {
                let text = std::fs::read_to_string(&path).unwrap();
                files.insert(path, text);
            }
        }
    }
    let target = |from: &Path, name: &str| {
        let mut path = from.parent().unwrap().to_owned();
        for part in name.trim_end_matches(".js").split('/') {
            match part {
                "." => {}
                ".." => path = path.parent().unwrap().to_owned(),
                part => path.push(part),
            }
        }
        let path = path.display().to_string();
        let endings =
            [".ts", ".tsx", "/index.ts", "/index.tsx"].map(|ending| PathBuf::from(format!("{path}{ending}")));
        endings.into_iter().find(|path| files.contains_key(path))
    };
    let name = |path: &Path| path.strip_prefix(root()).unwrap_or(path).display().to_string();
    let of_file = |(path, text): (&PathBuf, &String)| {
        let names = text.split(" from \"").skip(1).filter_map(|rest| rest.split('"').next());
        let targets = names.filter(|name| name.starts_with('.')).filter_map(|name| target(path, name));
        (name(path), targets.map(|path| name(&path)).collect())
    };
    files.iter().map(of_file).collect()
}

#[test]
fn no_two_typescript_files_import_each_other() {
    for folder in ["console/src", "clients/typescript/src"] {
        let imports = typescript_imports(folder);
        assert!(imports.values().any(|others| others.len() > 2), "nothing is read of {folder}");
        let circle: Vec<_> = imports.keys().filter(|file| reached(*file, &imports).contains(file)).collect();
        assert!(circle.is_empty(), "{folder}: these files import each other: {circle:?}");
    }
}
