//! Writes results into the documentation: each between its own pair of markers, so that one part of the benchmark can
//! run without the others.

use std::path::Path;
use std::process::Command;

use anyhow::Context;

use crate::run::read;

/// Inserts `text` between `<!-- NAME -->` and `<!-- /NAME -->` of a file.
pub fn write_between(path: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let old = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let new = between(&old, name, text)
        .with_context(|| format!("{} has no <!-- {name} --> … <!-- /{name} -->", path.display()))?;
    std::fs::write(path, new).with_context(|| format!("cannot write {}", path.display()))
}

fn between(old: &str, name: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let (before, rest) = old.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", text.trim_end()))
}

/// The machine and the versions of all programs involved.
pub fn machine(clipmill: &Path) -> String {
    let cpu = file_field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".into());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = file_field("/proc/meminfo", "MemTotal").and_then(|text| gib(&text)).unwrap_or_default();
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let parts = [
        first_line(Command::new(clipmill).arg("--version")),
        first_line(Command::new("ffmpeg").arg("-version")),
        first_line(Command::new("melt").arg("--version")),
    ];
    let versions = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    format!("Measured on {cpu}, {cores} cores{memory}, Linux {}; {versions}.\n", kernel.trim())
}

fn gib(text: &str) -> Option<String> {
    let kib: f64 = text.trim_end_matches(" kB").parse().ok()?;
    Some(format!(", {:.0} GiB of memory", kib / f64::from(1 << 20)))
}

fn file_field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The first line of a program's version, without the copyright notice.
fn first_line(command: &mut Command) -> Option<String> {
    let (stdout, stderr) = read(command).ok()?;
    let text = String::from_utf8_lossy(&stdout).into_owned() + &stderr;
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(line.split(" Copyright").next().unwrap_or(line).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_between_the_markers_changes() {
        let old = "a\n<!-- x -->\nold\n<!-- /x -->\nb <!-- y --><!-- /y -->";
        let new = between(old, "x", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- x -->\nnew\n<!-- /x -->\nb <!-- y --><!-- /y -->");
        assert_eq!(between(&new, "x", "new").unwrap(), new, "the same again changes nothing");
        assert_eq!(between(old, "z", "new"), None);
    }
}
