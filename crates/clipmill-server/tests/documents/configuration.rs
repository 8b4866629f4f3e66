//! Generates `docs/operate/configuration.md` from the code, and fails if the checked-in file differs.
use std::fmt::Write;
use std::path::Path;

use clipmill_server::Config;
use clipmill_server::config::Key;

const COMMAND: &str = "UPDATE_DOCS=1 cargo test -p clipmill-server --test documents";

const INTRODUCTION: &str = "\
Every setting has a default, so the service works without any configuration. Set values in two places; the environment takes
precedence over the file:

- **File:** a [TOML](https://toml.io) file, passed on the command line: `clipmill serve --config clipmill.toml`.
- **Environment variables:** `CLIPMILL_`, the section, `_` and the key, in capitals.

Settings are read once, at startup. The data directory and the file are not settings: set them with `--data` or
`CLIPMILL_DATA`, and `--config` or `CLIPMILL_CONFIG`. Flags take precedence over everything: `--listen` over
`server.listen`, `--log-json` over `log.format`.

**Secrets in files.** Any setting can be read from a file that contains only its value. In the file, add `_file` to the key:
`url_file = \"/run/secrets/database\"` instead of `url`. In the environment, add `_FILE`: `CLIPMILL_DATABASE_URL_FILE`. A
trailing newline is removed.

`clipmill config check` validates the configuration and reports all errors at once (exit status 2). `clipmill config show`
prints every value in effect and its origin, and masks secrets.
";

const EXAMPLE: &str = r#"[server]
listen = "127.0.0.1:8080"
public_url = "https://clips.example.com"

[fetch]
allow_ports = [80, 443, 9000]
allow_networks = ["10.20.0.0/16"]

[worker]
slots = 4
"#;

const VALUES: &str = r#"| Type | In the file | In the environment |
|---|---|---|
| duration: `ms`, `s`, `m`, `h`, `d` | `"30s"` | `30s` |
| size: `B`, `KiB`, `MiB`, `GiB` | `"2GiB"` | `2GiB` |
| number | `4` | `4` |
| list | `[80, 443]` | `80,443` |
| text, address | `"127.0.0.1:8080"` | `127.0.0.1:8080` |

Durations and sizes are integers with a unit. An empty variable counts as not set. An unknown section or key in the file is an
error, and so is a variable that closely resembles the name of a setting. Other variables that begin with `CLIPMILL_` are
ignored.
"#;

/// The whole document.
fn document() -> String {
    let mut text = format!(
        "# Configuration\n\n<!-- Generated from the code; do not edit. To regenerate it:\n{COMMAND}\n-->\n\n\
         {INTRODUCTION}\n```toml\n{EXAMPLE}```\n\n{VALUES}"
    );
    let keys = Config::keys();
    for section in keys.chunk_by(|a, b| a.section == b.section) {
        let name = section.first().map_or("", |key| key.section);
        write!(text, "\n## `[{name}]`\n\n| Key | Variable | Default | Description |\n|---|---|---|---|\n")
            .unwrap();
        section.iter().for_each(|key| text.push_str(&row(key)));
    }
    text
}

fn row(key: &Key) -> String {
    let default = if key.default.is_empty() { "not set".to_owned() } else { format!("`{}`", key.default) };
    let description = key.description.replace('|', "\\|");
    format!("| `{}` | `{}` | {default} | {description} |\n", key.name, key.variable())
}

#[test]
fn the_checked_in_document_is_up_to_date() {
    crate::checked_in::check("operate/configuration.md", &document());
}

#[test]
fn the_example_is_a_valid_configuration() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), EXAMPLE).unwrap();
    let config = Config::load(Some(Path::new(file.path())), std::iter::empty()).unwrap();
    assert_eq!(config.worker.slots, 4);
    assert_eq!(config.fetch.allow_networks.len(), 1);
}
