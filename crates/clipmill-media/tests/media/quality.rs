//! The effect of the encoder's settings on footage that is hard to encode.

use std::path::Path;

use clipmill_core::encoding::Encoding;

use crate::support::*;

/// The colours of outputs, so that nothing is converted.
const BT709: &str = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// Grain is limited by the highest bit rate: with too short a lookahead or too low a crf, bits run out and its quality
/// drops. Over a few seconds rate control varies by more than that, so the bounds apply to the mean of several
/// segments.
#[tokio::test]
async fn grain_at_the_highest_bit_rate_stays_near_an_experts_quality() {
    let mut fixture = Fixture::new().await;
    // With several threads rate control is not deterministic.
    fixture.encoding = Encoding::standard(1);
    let mut worse = Vec::new();
    let mut larger = Vec::new();
    for (clip, first) in [("bigbuckbunny", 0), ("bigbuckbunny", 20), ("city", 0), ("city", 20)] {
        let sample = format!("{}/../../samples/{clip}.mp4", env!("CARGO_MANIFEST_DIR")).replace(' ', "|");
        // By number, so that every version of ffmpeg selects the same frames.
        let piece = format!("trim=start_frame={first},setpts=N/25/TB,fps=30,scale=1280:720,setsar=1");
        let source = format!(
            "-i {sample} -an -vf {piece},noise=alls=10:allf=t:all_seed=7 -frames:v 90 -c:v libx264 -preset ultrafast -qp 0 -pix_fmt yuv420p {BT709}"
        );
        let url = fixture.source(&format!("{clip}-{first}.mp4"), &source).await;
        let source = fixture.path(&url);
        let rendering = fixture.render_one(base(vec![group(&[&url])], options((1280, 720), 30))).await;
        let expert = fixture.folder.path().join("expert.mp4");
        let rate = "-maxrate 6000k -bufsize 12000k -g 120 -flags:v +cgop -threads:v 1";
        ffmpeg(&format!("-i {} -c:v libx264 -preset veryfast -crf 21 {rate}", source.display()), &expert)
            .await;
        let quality = async |file: &Path| {
            let similarity = likeness(file, &source).await;
            assert_eq!(similarity.len(), 90);
            mean(&similarity)
        };
        worse.push(quality(&expert).await - quality(&rendering.path).await);
        let bytes = |path: &Path| std::fs::metadata(path).unwrap().len() as f64;
        larger.push(bytes(&rendering.path) / bytes(&expert));
    }
    assert!(mean(&worse) <= 0.005, "SSIM below the expert's: {worse:?}");
    assert!(mean(&larger) <= 1.1, "size over the expert's: {larger:?}");
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
