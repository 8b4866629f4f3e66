//! Finds the first encoder that works on this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clipmill_core::encoding::{Encoder, EncoderChoice, Encoding};

use super::{EncoderRefusal, Hardware, trial};
use crate::segment::renderer::Renderer;

impl Hardware {
    /// The first of the candidates that works here, and those that do not.
    pub async fn find(
        renderer: &Renderer,
        choice: EncoderChoice,
        encoding: &Encoding,
    ) -> (Option<Self>, Vec<EncoderRefusal>) {
        let mut refusals = Vec::new();
        for encoder in choice.candidates() {
            for node in nodes(*encoder, Path::new("/dev/dri")) {
                let hardware = Self {
                    encoder: *encoder,
                    node,
                    devices: devices(Path::new("/dev")),
                    failures: Arc::default(),
                };
                match trial::pass(renderer, &hardware, encoding).await {
                    Ok(()) => return (Some(hardware), refusals),
                    Err(reason) => refusals.push(EncoderRefusal { encoder: *encoder, reason }),
                }
            }
        }
        (None, refusals)
    }
}

/// The render nodes to try. An encoder that takes no node finds its device by itself.
fn nodes(encoder: Encoder, folder: &Path) -> Vec<Option<PathBuf>> {
    let mut nodes = match encoder {
        Encoder::H264Vaapi | Encoder::H264Qsv => listed(folder, &["renderD"]),
        Encoder::H264Nvenc | Encoder::Libx264 => Vec::new(),
    };
    nodes.sort();
    if nodes.is_empty() { vec![None] } else { nodes.into_iter().map(Some).collect() }
}

/// Everything that the encoding process may open beside its own folder.
fn devices(folder: &Path) -> Vec<PathBuf> {
    let mut device_files = listed(folder, &["nvidia"]);
    // If it does not exist, naming it allows nothing; without any device, a run would be confined as a decoder is.
    device_files.push(folder.join("dri"));
    device_files.sort();
    device_files
}

fn listed(folder: &Path, beginnings: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_device = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        beginnings.iter().any(|beginning| name.to_string_lossy().starts_with(beginning))
    };
    entries.filter(is_device).map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_tried_and_nothing_else_is_opened() {
        let dev = tempfile::tempdir().unwrap();
        let folder = dev.path();
        std::fs::create_dir(folder.join("dri")).unwrap();
        for name in ["dri/renderD129", "dri/renderD128", "dri/card0", "nvidia0", "nvidiactl", "sda"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let dri = folder.join("dri");
        let both = ["renderD128", "renderD129"].map(|name| Some(dri.join(name)));
        assert_eq!(nodes(Encoder::H264Vaapi, &dri), both);
        assert_eq!(nodes(Encoder::H264Nvenc, &dri), [None]);
        assert_eq!(nodes(Encoder::H264Qsv, &folder.join("none")), [None]);
        assert_eq!(devices(folder), ["dri", "nvidia0", "nvidiactl"].map(|name| folder.join(name)));
    }
}
