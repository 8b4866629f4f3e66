//! Compares clipmill with its peers, and contains the measurements behind its settings. `make bench` runs it.

mod clipmill;
mod encoder;
mod peers;
mod quality;
mod report;
mod run;
mod service;
mod width;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(
    about = "Measures clipmill beside its peers and writes docs/operate/performance.md and its details."
)]
struct Cli {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// clipmill, one ffmpeg command for each output, melt and the encoder alone; then the service itself.
    All(RunArgs),
    /// Only the outputs.
    Peers(RunArgs),
    /// Only the service: planning, status, claims, memory.
    Service(RunArgs),
    /// One job on machines with 2 to 64 cores: recorded here, scheduled there.
    Width(WidthArgs),
    /// Settings of x264 on several kinds of footage.
    Encoder(EncoderArgs),
    /// Compare encoded videos of 720×1280 with the same frames without loss: the effect of one setting on one kind of
    /// footage.
    Compare {
        /// Raw frames, yuv420p.
        raw: PathBuf,
        files: Vec<PathBuf>,
    },
    #[command(hide = true)]
    Baseline { data: PathBuf },
}

#[derive(Args)]
struct RunArgs {
    /// The program to measure.
    program: PathBuf,
    /// Number of rounds.
    #[arg(long, env = "ROUNDS", default_value_t = 5)]
    rounds: usize,
    /// Rows of the long queue.
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
    /// Print only; do not change the documentation.
    #[arg(long)]
    dry: bool,
    /// The folder of other installed programs: they are measured too, and so are the slow cases.
    #[arg(long)]
    peers: Option<PathBuf>,
    /// A file that keeps the results of an interrupted run; the next run with the same program continues from it.
    #[arg(long)]
    record: Option<PathBuf>,
}

#[derive(Args)]
struct WidthArgs {
    /// The program to measure.
    program: PathBuf,
    /// Number of rounds by the clock.
    #[arg(long, env = "ROUNDS", default_value_t = 3)]
    rounds: usize,
}

#[derive(Args)]
struct EncoderArgs {
    /// Frames of each kind of footage.
    #[arg(long, default_value_t = 90)]
    frames: usize,
    /// Frames that SSIMULACRA2 examines. The quality of footage that is limited by the highest bit rate varies from
    /// frame to frame: six frames were two points off.
    #[arg(long, default_value_t = 15)]
    sampled: usize,
    /// Encodes of each; the minimum of processor time counts.
    #[arg(long, default_value_t = 2)]
    rounds: usize,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// A file of other settings to try, one per line: preset, crf, parameters. Prints only.
    #[arg(long)]
    candidates: Option<PathBuf>,
}

/// The documentation, and the samples that all clips are made from.
struct Repository(PathBuf);

impl Repository {
    fn samples(&self) -> PathBuf {
        self.0.join("samples")
    }

    fn page(&self) -> PathBuf {
        self.0.join("docs/operate/performance.md")
    }

    /// Details for developers.
    fn details(&self) -> PathBuf {
        self.0.join("docs/contributing/performance-measurements.md")
    }

    fn plot(&self, name: &str) -> PathBuf {
        self.0.join(format!("docs/images/{name}.svg"))
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let repository = Repository(root);
    let folder = tempfile::Builder::new().prefix("clipmill-bench-").tempdir()?;
    match Cli::parse().action {
        Action::All(args) => {
            measure_outputs(&repository, folder.path(), &args).await?;
            measure_service(&repository, folder.path(), &args).await
        }
        Action::Peers(args) => measure_outputs(&repository, folder.path(), &args).await,
        Action::Service(args) => measure_service(&repository, folder.path(), &args).await,
        Action::Width(args) => {
            let program = std::path::absolute(&args.program)?;
            let result = width::measure(&program, &repository.samples(), folder.path(), args.rounds)?;
            println!("{}\n{}", result.table, result.details);
            report::write_between(&repository.page(), "width", &result.table)?;
            report::write_between(&repository.details(), "critical-paths", &result.details)
        }
        Action::Encoder(args) => measure_encoder(&repository, folder.path(), &args),
        Action::Compare { raw, files } => peers::compare_quality(&raw, &files),
        Action::Baseline { data } => service::baseline::serve(&data).await,
    }
}

async fn measure_outputs(repository: &Repository, folder: &Path, args: &RunArgs) -> anyhow::Result<()> {
    let program = std::path::absolute(&args.program)?;
    let machine = report::machine(&program);
    let comparison = peers::compare(&peers::Run {
        program: &program,
        samples: &repository.samples(),
        folder,
        rounds: args.rounds,
        peers: args.peers.as_deref(),
        record: args.record.as_deref(),
        machine: &machine,
    })
    .await?;
    let text = format!("{machine}\n{}", peers::table(&comparison));
    println!("{text}");
    if !args.dry {
        report::write_between(&repository.page(), "outputs", &text)?;
        peers::plot(&comparison, &repository.plot("performance"))?;
        peers::plot_growth(&comparison, &repository.plot("growth"))?;
    }
    Ok(())
}

async fn measure_service(repository: &Repository, folder: &Path, args: &RunArgs) -> anyhow::Result<()> {
    let program = std::path::absolute(&args.program)?;
    let options = service::Options { rounds: args.rounds, rows: args.rows };
    let measurements = service::measure(&program, &repository.samples(), folder, &options).await?;
    let text = service::table(&measurements);
    println!("{text}");
    if !args.dry {
        report::write_between(&repository.page(), "service", &text)?;
    }
    Ok(())
}

fn measure_encoder(repository: &Repository, folder: &Path, args: &EncoderArgs) -> anyhow::Result<()> {
    let EncoderArgs { frames, sampled, rounds, threads, .. } = *args;
    let how = encoder::Search { frames, sampled, rounds, threads };
    let tried = match &args.candidates {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
            encoder::candidates::read(&text)?
        }
        None => encoder::candidates::shown(),
    };
    let outcome = encoder::search(&repository.samples(), folder, how, tried)?;
    let text = encoder::table(&outcome);
    println!("{text}");
    for one in outcome.measured.iter().skip(1) {
        println!("{}", encoder::by_footage(&outcome, one));
    }
    if args.candidates.is_none() {
        report::write_between(&repository.details(), "encoder", &text)?;
    }
    Ok(())
}
