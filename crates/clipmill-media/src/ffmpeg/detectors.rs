//! ffmpeg's detectors of black and of still pictures, as they are asked for everywhere, and what is read in their logs.

/// A picture is black when at least 98 % of it is darker than a tenth of the luma range, for so many seconds or more.
pub fn black(least_s: f64) -> String {
    format!("blackdetect=pic_th=0.98:pix_th=0.1:d={least_s}")
}

/// A picture stands still when it differs by less than 0.05 % from the one at which that began, for so many seconds or
/// more.
pub fn frozen(least_s: f64) -> String {
    format!("freezedetect=n=0.0005:d={least_s}")
}

/// The number behind `label`.
pub fn number(line: &str, label: &str) -> Option<f64> {
    let (_, rest) = line.split_once(label)?;
    rest.split_whitespace().next()?.parse().ok()
}
