//! A bar on a terminal; nothing where the output is read by a program.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// `told` stands behind the bar, in indicatif's language.
pub fn bar(total: u64, told: &str, quiet: bool) -> ProgressBar {
    let is_visible = !quiet && std::io::stderr().is_terminal();
    let target = if is_visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(total), target);
    match ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}}/{{len}} {told}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
