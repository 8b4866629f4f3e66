//! The command line.

mod accounts;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clipmill_server::installation::MAX_WIDTH;

pub use accounts::*;

/// Turns clips into finished videos: a video-processing service with an open HTTP API.
#[derive(Debug, Parser)]
#[command(name = "clipmill", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Write logs as JSON lines. Set the log level with CLIPMILL_LOG (e.g. `debug`).
    #[arg(long, global = true)]
    pub log_json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run API and worker in one process, with SQLite and a folder.
    Serve(ServeArgs),
    /// Run only a worker on a shared queue (PostgreSQL).
    Worker(WorkerArgs),
    /// Migrate the schema of a shared database; safe to run repeatedly and concurrently.
    Migrate(LocationArgs),
    /// Show the queue and its workers; pause, resume or requeue work.
    Queue(QueueArgs),
    /// Render a request, or a template with a table of values, without a server; URLs can also be local paths.
    Render(RenderArgs),
    /// Print the plan for a request without rendering it.
    Plan(PlanArgs),
    /// List the effects of videoDeduplication, or render previews of them.
    Effects(EffectsArgs),
    /// List the colour looks of videoDeduplication, or render previews of them.
    Looks(GalleryArgs),
    /// List the transitions between the clips of a mix, or render previews of them.
    Transitions(GalleryArgs),
    /// Check ffmpeg and its codecs, fonts, database and storage; each finding explains what to do.
    Doctor(DoctorArgs),
    /// Render a video for each row of a table at a running service; local files in rows are uploaded.
    Batch(BatchArgs),
    /// Manage the templates (requests with variables) of a running service.
    #[command(subcommand)]
    Template(TemplateCommand),
    /// Serve the tools of a running service to agents on standard input and output, by MCP (Model Context Protocol).
    Mcp(McpArgs),
    /// Check whether the service of this configuration is ready; exits with status 1 if not.
    Health(HealthArgs),
    /// Check or show the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Delete expired data, as `serve` does periodically; `--dry-run` lists what would be deleted.
    Gc(GcArgs),
    /// Back up the database and all files that it refers to into a folder, also while `serve` runs.
    Backup(BackupArgs),
    /// Create a data folder from a backup, and verify it.
    Restore(RestoreArgs),
    /// Manage users.
    #[command(subcommand)]
    User(UserCommand),
    /// Replace the secret that signs links; the previous one remains valid for a while.
    RotateLinks(RotateLinksArgs),
    /// Show or change the width: the cores that plans are made for.
    Width(WidthArgs),
    /// List callbacks that are not delivered: the failed ones, then those still to be sent.
    Callbacks(CallbacksArgs),
    /// Issue, list and revoke API keys.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Grant, show and audit points.
    #[command(subcommand)]
    Points(PointsCommand),
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Address and port to listen on; port 0 selects a free one.
    #[arg(long)]
    pub listen: Option<SocketAddr>,
    #[command(flatten)]
    pub location: ConfigLocation,
    /// Serve only the API; other processes do the rendering.
    #[arg(long)]
    pub no_worker: bool,
}

#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// Jobs that run at the same time; by default `worker.slots`.
    #[arg(long)]
    pub slots: Option<usize>,
    /// Kinds of work that this worker accepts, separated by commas; by default all.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub kinds: Vec<KindArg>,
    #[command(flatten)]
    pub location: ConfigLocation,
}

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KindArg {
    /// Fetch inputs, probe them and plan.
    Preflight,
    /// Render segments.
    Segment,
    /// Join segments, mix the audio, deliver.
    Finish,
}

#[derive(Debug, Args)]
pub struct LocationArgs {
    #[command(flatten)]
    pub location: ConfigLocation,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct QueueArgs {
    #[command(subcommand)]
    pub command: Option<QueueCommand>,
    /// Maximum number of users and of running jobs to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub location: ConfigLocation,
}

#[derive(Debug, Subcommand)]
pub enum QueueCommand {
    /// Pause the queue: no new work starts, running work continues.
    Pause(PauseArgs),
    /// Resume the queue.
    Resume(LocationArgs),
    /// Return jobs from their worker to the queue; this does not count as a failed attempt.
    Requeue(RequeueArgs),
}

#[derive(Debug, Args)]
pub struct PauseArgs {
    /// The reason shown to users whose tasks are waiting.
    #[arg(long)]
    pub reason: Option<String>,
    #[command(flatten)]
    pub location: ConfigLocation,
}

#[derive(Debug, Args)]
pub struct RequeueArgs {
    /// Number of a job, from `clipmill queue`.
    pub work: Option<i64>,
    /// All jobs of this worker.
    #[arg(long, value_name = "NAME", conflicts_with = "work")]
    pub worker: Option<String>,
    /// All failed jobs that wait for their next attempt.
    #[arg(long, conflicts_with_all = ["work", "worker"])]
    pub delayed: bool,
    #[command(flatten)]
    pub location: ConfigLocation,
}

/// The location of the installation.
#[derive(Debug, Clone, Args)]
pub struct ConfigLocation {
    /// Folder of the database and of all files.
    #[arg(long, env = "CLIPMILL_DATA", default_value = "data")]
    pub data: PathBuf,
    /// Configuration file (TOML); every key is also an environment variable `CLIPMILL_<SECTION>_<KEY>`.
    #[arg(long, env = "CLIPMILL_CONFIG")]
    pub config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Check whether the configuration is valid; if not, print all errors and exit with status 2.
    Check(ConfigArgs),
    /// Print every key's value and its origin; secrets are masked.
    Show(ConfigArgs),
}

#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Configuration file (TOML); the environment is read as well.
    #[arg(long, env = "CLIPMILL_CONFIG")]
    pub config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct HealthArgs {
    /// The listen address of `serve`, if set on its command line; by default the configured one.
    #[arg(long)]
    pub listen: Option<SocketAddr>,
    /// Check a worker, which responds on `metrics.worker_listen` or `metrics.listen`.
    #[arg(long)]
    pub worker: bool,
    /// Configuration file (TOML); the environment is read as well.
    #[arg(long, env = "CLIPMILL_CONFIG")]
    pub config: Option<PathBuf>,
}

/// A running service, and the key of the caller.
#[derive(Debug, Args)]
pub struct ServiceArgs {
    /// Address of the service.
    #[arg(long, env = "CLIPMILL_URL", default_value = "http://127.0.0.1:8080")]
    pub url: String,
    /// API key. Prefer the variable, because other users of this machine can see command lines.
    #[arg(long, env = "CLIPMILL_API_KEY", hide_env_values = true)]
    pub key: Option<String>,
}

#[derive(Debug, Args)]
pub struct McpArgs {
    #[command(flatten)]
    pub service: ServiceArgs,
    /// Only allow uploads from this folder; by default from any.
    #[arg(long, value_name = "DIR")]
    pub files: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BatchArgs {
    /// The table: CSV whose first line names the variables, or a JSON array of objects; `-` reads standard input.
    /// Paths are relative to its folder.
    pub rows: PathBuf,
    /// The template: its name or number at the service, or a file with `request` and `variables`.
    #[arg(long, visible_alias = "request", value_name = "NAME|TP…|FILE")]
    pub template: String,
    /// Folder for the finished videos and their table, `results.csv`.
    #[arg(short, long, required_unless_present_any = ["dry_run", "no_wait"])]
    pub out: Option<PathBuf>,
    /// Your own ID for the batch: sending it again with the same ID has no effect and costs nothing. By default it is
    /// derived from the content.
    #[arg(long)]
    pub id: Option<String>,
    /// Name of the batch; by default the table's name.
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub naming: NamingArgs,
    /// Maximum price of the batch in points: nothing is submitted if the estimate is higher, and rows whose confirmed
    /// price would exceed it are rejected.
    #[arg(long, value_name = "N")]
    pub max_points: Option<u64>,
    /// Accept as many rows as the balance covers, starting with the first; otherwise all rows or none.
    #[arg(long)]
    pub partial: bool,
    /// URL to call once when the batch has ended.
    #[arg(long, value_name = "URL")]
    pub callback: Option<String>,
    /// Check everything, upload the files, print the price, and submit nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Submit without waiting; the same command without this flag downloads the videos later.
    #[arg(long)]
    pub no_wait: bool,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub service: ServiceArgs,
}

/// File names of the videos.
#[derive(Debug, Clone, Default, Args)]
pub struct NamingArgs {
    /// Name the videos by this column. By default, `batch` uses the names from the service, and `render` uses the
    /// number of the row and the `name` of its request.
    #[arg(long, value_name = "COLUMN")]
    pub name_by: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// List the templates, most recently changed first.
    List(ListTemplatesArgs),
    /// Print a template as a file for `save`, `batch` and `render`.
    Show(ShowTemplateArgs),
    /// Save a template from a file: as a new one, or as the next version of the template with its name. Local files
    /// in it are uploaded.
    Save(SaveTemplateArgs),
    /// Delete templates with all their versions. Tasks and batches created from them are kept.
    Delete(DeleteTemplatesArgs),
}

#[derive(Debug, Args)]
pub struct ListTemplatesArgs {
    /// Only templates whose name contains this.
    #[arg(value_name = "TEXT")]
    pub part: Option<String>,
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub service: ServiceArgs,
}

#[derive(Debug, Args)]
pub struct ShowTemplateArgs {
    /// Name or number of the template.
    pub template: String,
    /// One of the last 50 versions; the newest by default.
    #[arg(long)]
    pub version: Option<u32>,
    /// Also print number, version and times.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub service: ServiceArgs,
}

#[derive(Debug, Args)]
pub struct SaveTemplateArgs {
    /// JSON with `name`, `request` and `variables`; `-` reads standard input.
    pub file: PathBuf,
    /// Name of the template; overrides the name in the file.
    #[arg(long)]
    pub name: Option<String>,
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub service: ServiceArgs,
}

#[derive(Debug, Args)]
pub struct DeleteTemplatesArgs {
    /// Names or numbers.
    #[arg(required = true)]
    pub templates: Vec<String>,
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub service: ServiceArgs,
}

#[derive(Debug, Args)]
pub struct GcArgs {
    /// Count only; delete nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Args)]
pub struct BackupArgs {
    #[command(flatten)]
    pub location: ConfigLocation,
    /// A new folder for this backup.
    #[arg(short, long)]
    pub out: PathBuf,
    /// Copy files even where links are possible. Links, on the same filesystem, take no space, but do not help if the
    /// disk breaks.
    #[arg(long)]
    pub copy: bool,
}

#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// Folder that `clipmill backup` wrote.
    pub backup: PathBuf,
    /// The new data folder; it must be empty or not exist yet.
    #[arg(long, env = "CLIPMILL_DATA", default_value = "data")]
    pub data: PathBuf,
}

#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The request, as it would be submitted, or a template; `-` reads standard input.
    pub request: PathBuf,
    #[command(flatten)]
    pub values: ValuesArgs,
    /// Render a video of the template for each row of this table: CSV whose first line names the variables, or a JSON
    /// array of objects. Paths are relative to its folder.
    #[arg(long, value_name = "FILE", conflicts_with = "set")]
    pub rows: Option<PathBuf>,
    #[command(flatten)]
    pub naming: NamingArgs,
    /// Folder for the finished files.
    #[arg(short, long)]
    pub out: PathBuf,
    /// Print the result as JSON in the format of the status endpoint, with `path` instead of `url`.
    #[arg(long)]
    pub json: bool,
    /// Seed for all random choices (0 to 2^53−1); takes precedence over the request's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub local: LocalArgs,
}

/// Values for a template's variables; others keep their defaults.
#[derive(Debug, Args)]
pub struct ValuesArgs {
    /// A variable's value; repeat it for each variable. Paths of files are relative to the current folder. Separate the
    /// entries of a list with `|`.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

/// Settings of work without a server.
#[derive(Debug, Args)]
pub struct LocalArgs {
    /// Folder that caches segments between runs; by default inside the user's cache folder.
    #[arg(long)]
    pub cache: Option<PathBuf>,
    /// Configuration file (TOML).
    #[arg(long)]
    pub config: Option<PathBuf>,
    /// Cores that the plan is made for; by default those of this machine. The same request, seed and width give the same
    /// frames on every machine.
    #[arg(long, value_name = "CORES", value_parser = width)]
    pub width: Option<u32>,
}

/// Reads a number of cores.
pub fn width(text: &str) -> Result<u32, String> {
    let width = text.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
    width.ok_or_else(|| format!("use a whole number from 1 to {MAX_WIDTH}"))
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The request, as it would be submitted, or a template; `-` reads standard input.
    pub request: PathBuf,
    #[command(flatten)]
    pub values: ValuesArgs,
    /// Print the plan as JSON.
    #[arg(long)]
    pub json: bool,
    /// Print the graph of segments for Graphviz, e.g. for `dot -Tsvg`.
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
    /// Seed for all random choices (0 to 2^53−1); takes precedence over the request's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub local: LocalArgs,
}

#[derive(Debug, Args)]
pub struct EffectsArgs {
    /// Strength of the previews in percent.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub strength: u32,
    #[command(flatten)]
    pub gallery: GalleryArgs,
}

/// A catalogue as text, or as rendered previews.
#[derive(Debug, Args)]
pub struct GalleryArgs {
    /// Print the catalogue as JSON.
    #[arg(long)]
    pub json: bool,
    /// Render each entry into this folder: a short video and an image.
    #[arg(long, value_name = "DIR")]
    pub preview: Option<PathBuf>,
    /// Show this video instead of the built-in sample.
    #[arg(long, value_name = "FILE", requires = "preview")]
    pub source: Option<PathBuf>,
    /// Only these entries.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Also write the small WebP images for the docs and the API.
    #[arg(long, hide = true, requires = "preview")]
    pub thumbnails: bool,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub location: ConfigLocation,
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_a_number_of_cores() {
        assert_eq!(width("16"), Ok(16));
        for wrong in ["0", "1025", "abc", "-1", "1.5", ""] {
            assert_eq!(width(wrong), Err("use a whole number from 1 to 1024".to_owned()), "{wrong}");
        }
    }
}
