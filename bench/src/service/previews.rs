//! How long a user of the editor waits for a preview: of one frame, and of a few seconds with audio.

use std::path::Path;

use serde_json::json;

use super::Measurement;
use crate::clipmill::Clipmill;
use crate::peers::clips::{SECONDS, portrait};
use crate::peers::{base_mix, median};

/// Frames of each round, each at another time: a repeated preview is not rendered again.
const FRAMES: usize = 5;

pub async fn measure(
    program: &Path,
    samples: &Path,
    folder: &Path,
    rounds: usize,
) -> anyhow::Result<Vec<Measurement>> {
    let clip = portrait(samples, folder, 0)?;
    let (mut frames_s, mut clips_s) = (vec![], vec![]);
    for _ in 0..rounds {
        let service = Clipmill::start(program, folder)?;
        let request = base_mix(&[vec![service.upload(&clip).await?]]);
        for number in 0..FRAMES {
            let at = 0.5 + number as f64 * 0.8;
            let preview = json!({ "request": request, "atSeconds": at, "width": 360 });
            frames_s.push(service.preview("preview", &preview).await?);
        }
        let preview = json!({ "request": request, "seconds": SECONDS });
        clips_s.push(service.preview("preview/clip", &preview).await?);
    }
    Ok(vec![
        Measurement {
            name: "preview of a frame of a 1080×1920 clip".into(),
            result: format!("{:.0} ms", median(&frames_s) * 1e3),
            target: "≤ 150 ms".into(),
        },
        Measurement {
            name: format!("preview of {SECONDS} s of it, with audio"),
            result: format!("{:.2} s", median(&clips_s)),
            target: "≤ 1.5 s on 16 cores".into(),
        },
    ])
}
