//! A progress bar on a terminal; nothing if the output is for a program.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// `label` is printed after the bar, in indicatif's template syntax.
pub fn bar(total: u64, label: &str, quiet: bool) -> ProgressBar {
    let is_visible = !quiet && std::io::stderr().is_terminal();
    let target = if is_visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(total), target);
    match ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}}/{{len}} {label}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
