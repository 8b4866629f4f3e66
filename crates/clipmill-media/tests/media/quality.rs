//! What the encoder's settings do to footage that is hard to encode.

use std::path::Path;

use clipmill_core::encoding::Encoding;

use crate::support::*;

/// Grain is held by the highest bit rate: with too short a lookahead or too low a crf, bits run out and its quality falls.
#[tokio::test]
async fn grain_at_the_highest_bit_rate_stays_near_what_an_expert_would_get() {
    let mut lab = Lab::new().await;
    // With several threads rate control goes by chance.
    lab.encoding = Encoding::standard(1);
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/bigbuckbunny.mp4").replace(' ', "|");
    let grain = "fps=30,scale=1280:720,noise=alls=10:allf=t:all_seed=7";
    let source = format!(
        "-ss 0.5 -i {sample} -an -vf {grain} -frames:v 90 -c:v libx264 -preset ultrafast -qp 0 -pix_fmt yuv420p"
    );
    let url = lab.source("grain.mp4", &source).await;
    let source = lab.path(&url);
    let made = lab.render_one(base(vec![group(&[&url])], options((1280, 720), 30))).await;
    let expert = lab.folder.path().join("expert.mp4");
    let rate = "-maxrate 6000k -bufsize 12000k -g 120 -flags:v +cgop -threads:v 1";
    ffmpeg(&format!("-i {} -c:v libx264 -preset veryfast -crf 21 {rate}", source.display()), &expert).await;
    let mean = async |file: &Path| {
        let found = likeness(file, &source).await;
        assert_eq!(found.len(), 90);
        found.iter().sum::<f64>() / 90.0
    };
    let (ours, theirs) = (mean(&made.path).await, mean(&expert).await);
    assert!(ours >= theirs - 0.006, "{ours}, an expert's {theirs}");
    let bytes = |path: &Path| std::fs::metadata(path).unwrap().len() as f64;
    let larger = bytes(&made.path) / bytes(&expert);
    assert!(larger <= 1.1, "{larger}");
}
