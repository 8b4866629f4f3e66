//! clipmill measured beside its peers.

mod encoder;
mod quality;
mod run;

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use encoder::candidates::Candidate;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Tries encoder settings on several kinds of footage.
    Encoder {
        #[arg(long, default_value_t = 90)]
        frames: usize,
        #[arg(long, default_value_t = 3)]
        sampled: usize,
        #[arg(long, default_value_t = 2)]
        rounds: usize,
        #[arg(long, default_value_t = 1)]
        threads: usize,
        /// `preset crf params`, one a line, to be tried instead of the chosen ones.
        #[arg(long)]
        candidates: Option<PathBuf>,
    },
}

fn main() -> anyhow::Result<()> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").canonicalize()?;
    let folder = tempfile::Builder::new().prefix("clipmill-bench-").tempdir()?;
    match Cli::parse().what {
        What::Encoder { frames, sampled, rounds, threads, candidates } => {
            let how = encoder::Search { frames, sampled, rounds, threads };
            let text = std::fs::read_to_string(candidates.unwrap())?;
            let list = text.lines().filter(|l| !l.trim().is_empty()).map(|line| {
                let mut parts = line.split_whitespace();
                let preset: &'static str = parts.next().unwrap().to_owned().leak();
                let crf = parts.next().unwrap().parse().unwrap();
                Candidate::new(preset, crf, parts.next().unwrap_or_default())
            }).collect();
            let outcome = encoder::search(&samples, folder.path(), how, list)?;
            println!("{}", encoder::table(&outcome));
        }
    }
    Ok(())
}
