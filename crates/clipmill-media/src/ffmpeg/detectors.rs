//! ffmpeg's detectors of black and still frames with the settings used everywhere, and reading of their logs.

/// A frame is black if at least 98 % of it is darker than a tenth of the luma range; runs of at least `min_s` are
/// reported.
pub fn black(min_s: f64) -> String {
    format!("blackdetect=pic_th=0.98:pix_th=0.1:d={min_s}")
}

/// A frame is frozen if it differs by less than 0.05 % from the one at which the run began; runs of at least `min_s`
/// are reported.
pub fn frozen(min_s: f64) -> String {
    format!("freezedetect=n=0.0005:d={min_s}")
}

/// The number after `label`.
pub fn number(line: &str, label: &str) -> Option<f64> {
    let (_, rest) = line.split_once(label)?;
    rest.split_whitespace().next()?.parse().ok()
}
