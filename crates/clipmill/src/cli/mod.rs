//! The command line.

mod accounts;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use accounts::*;

/// Turns clips into finished videos: a video-processing service with an open HTTP API.
#[derive(Debug, Parser)]
#[command(name = "clipmill", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Write logs as JSON lines. What is logged is set by CLIPMILL_LOG (e.g. `debug`).
    #[arg(long, global = true)]
    pub log_json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run API and worker in one process, with SQLite and a folder.
    Serve(ServeArgs),
    /// Do the work of a queue that several processes share (PostgreSQL), and nothing else.
    Worker(WorkerArgs),
    /// Bring the schema of a shared database up to date; safe to run several times, also at once.
    Migrate(PlaceArgs),
    /// Show what waits and runs, and which workers there are; pause, resume, or take work back.
    Queue(QueueArgs),
    /// Render a request, or a template with a table of values, without a server; local paths are allowed beside urls.
    Render(RenderArgs),
    /// Print what would be made for a request, and render nothing.
    Plan(PlanArgs),
    /// List the effects that a videoDeduplication can use, or show them.
    Effects(EffectsArgs),
    /// List the colour looks that a videoDeduplication draws from, or show them.
    Looks(GalleryArgs),
    /// List the transitions that lie between the clips of a mix, or show them.
    Transitions(GalleryArgs),
    /// Check ffmpeg and its codecs, fonts, database and storage; each finding says what to do.
    Doctor(DoctorArgs),
    /// Make a video for each row of a table at a running service; files that rows name by path are uploaded.
    Batch(BatchArgs),
    /// Keep templates at a running service: requests with variables.
    #[command(subcommand)]
    Template(TemplateCommand),
    /// Offer a running service to agents on standard input and output, by MCP (Model Context Protocol).
    Mcp(McpArgs),
    /// Ask the service of this configuration whether it is ready; exit status 1 when it is not.
    Health(HealthArgs),
    /// Check or show the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Delete what has expired, as `serve` does by itself; `--dry-run` shows what would be deleted.
    Gc(GcArgs),
    /// Write the database and all files that it refers to into a folder, also while `serve` runs.
    Backup(BackupArgs),
    /// Make a data folder from a backup, and check everything.
    Restore(RestoreArgs),
    /// Manage users.
    #[command(subcommand)]
    User(UserCommand),
    /// Replace the secret that signs links; the previous one remains valid for a while.
    RotateLinks(RotateLinksArgs),
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
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long)]
    pub listen: Option<SocketAddr>,
    #[command(flatten)]
    pub place: ConfigLocation,
    /// Answer the API only; work is done by other processes.
    #[arg(long)]
    pub no_worker: bool,
}

#[derive(Debug, Args)]
pub struct WorkerArgs {
    /// Pieces of work done at the same time; by default `worker.slots`.
    #[arg(long)]
    pub slots: Option<usize>,
    /// What this worker takes, with commas between; by default everything.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub kinds: Vec<KindArg>,
    #[command(flatten)]
    pub place: ConfigLocation,
}

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KindArg {
    /// Fetch inputs, probe them and plan.
    Preflight,
    /// Render segments.
    Segment,
    /// Join segments, mix the sound, deliver.
    Finish,
}

#[derive(Debug, Args)]
pub struct PlaceArgs {
    #[command(flatten)]
    pub place: ConfigLocation,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct QueueArgs {
    #[command(subcommand)]
    pub command: Option<QueueCommand>,
    /// Most users and pieces of running work to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub place: ConfigLocation,
}

#[derive(Debug, Subcommand)]
pub enum QueueCommand {
    /// Begin no more work; work that runs goes on.
    Pause(PauseArgs),
    /// Begin work again.
    Resume(PlaceArgs),
    /// Take work away from its worker and make it ready again; this does not count as a failed attempt.
    Requeue(RequeueArgs),
}

#[derive(Debug, Args)]
pub struct PauseArgs {
    /// The reason that users see whose tasks wait.
    #[arg(long)]
    pub reason: Option<String>,
    #[command(flatten)]
    pub place: ConfigLocation,
}

#[derive(Debug, Args)]
pub struct RequeueArgs {
    /// Number of a piece of work, as `clipmill queue` shows it.
    pub work: Option<i64>,
    /// Everything that this worker has.
    #[arg(long, value_name = "NAME", conflicts_with = "work")]
    pub worker: Option<String>,
    /// All work that failed and waits for its next attempt.
    #[arg(long, conflicts_with_all = ["work", "worker"])]
    pub delayed: bool,
    #[command(flatten)]
    pub place: ConfigLocation,
}

/// Where the installation is.
#[derive(Debug, Args)]
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
    /// Check whether the configuration is valid; if not, print everything that is wrong and exit with status 2.
    Check(ConfigArgs),
    /// Print every key's value and where it came from; secrets are masked.
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
    /// The address that `serve` listens on, if it was given on the command line; by default the configured one.
    #[arg(long)]
    pub listen: Option<SocketAddr>,
    /// Ask a worker: it responds on `metrics.worker_listen`, or `metrics.listen`.
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
    /// API key; better given by the variable, because others on this machine see command lines.
    #[arg(long, env = "CLIPMILL_API_KEY", hide_env_values = true)]
    pub key: Option<String>,
}

#[derive(Debug, Args)]
pub struct McpArgs {
    #[command(flatten)]
    pub service: ServiceArgs,
    /// Upload files of this folder only; by default of any.
    #[arg(long, value_name = "DIR")]
    pub files: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BatchArgs {
    /// The table: CSV whose first line names the variables, or a JSON array of objects; `-` reads standard input. Paths
    /// of files are from its folder.
    pub rows: PathBuf,
    /// The template: its name or number at the service, or a file with `request` and `variables`.
    #[arg(long, visible_alias = "request", value_name = "NAME|TP…|FILE")]
    pub template: String,
    /// Folder for the finished videos and their table, `results.csv`.
    #[arg(short, long, required_unless_present_any = ["dry_run", "no_wait"])]
    pub out: Option<PathBuf>,
    /// Your own id of the batch: sending it again with the same id makes and costs nothing. By default it is derived
    /// from the content.
    #[arg(long)]
    pub id: Option<String>,
    /// Name of the batch; by default the table's name.
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub naming: NamingArgs,
    /// The most points that the batch may cost: nothing is submitted if the estimate is higher, and rows whose price,
    /// found from their files, would exceed it are rejected.
    #[arg(long, value_name = "N")]
    pub max_points: Option<u64>,
    /// Take as many rows, from the first on, as there are points for; else all or none are taken.
    #[arg(long)]
    pub partial: bool,
    /// Called once when the batch has ended.
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

/// What the files of rows are called.
#[derive(Debug, Clone, Default, Args)]
pub struct NamingArgs {
    /// Name the videos by this column. By default `batch` uses the names that the service gives, and `render` the number of the
    /// row and the `name` of its request.
    #[arg(long, value_name = "COLUMN")]
    pub name_by: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// List the templates, the last changed first.
    List(ListTemplatesArgs),
    /// Print a template as a file that `save`, `batch` and `render` take.
    Show(ShowTemplateArgs),
    /// Save a template from a file: as a new one, or as the next version of the one with its name. Files that it
    /// names by path are uploaded.
    Save(SaveTemplateArgs),
    /// Delete templates with all their versions. Tasks and batches made from them stay.
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
    /// Its name or its number.
    pub template: String,
    /// One of its last 50 versions; the newest without this.
    #[arg(long)]
    pub version: Option<u32>,
    /// Print its number, version and times too.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub service: ServiceArgs,
}

#[derive(Debug, Args)]
pub struct SaveTemplateArgs {
    /// JSON with `name`, `request` and `variables`; `-` reads standard input.
    pub file: PathBuf,
    /// Its name, in place of the file's.
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
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Args)]
pub struct BackupArgs {
    /// Folder of the database and of all files.
    #[arg(long, env = "CLIPMILL_DATA", default_value = "data")]
    pub data: PathBuf,
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
    /// Make a video of the template for each row of this table: CSV whose first line names the variables, or a JSON array of
    /// objects. Paths of files are from its folder.
    #[arg(long, value_name = "FILE", conflicts_with = "set")]
    pub rows: Option<PathBuf>,
    #[command(flatten)]
    pub naming: NamingArgs,
    /// Folder for the finished files.
    #[arg(short, long)]
    pub out: PathBuf,
    /// Print the result as JSON, as the status endpoint answers it, with `path` in place of `url`.
    #[arg(long)]
    pub json: bool,
    /// Seed for everything that is drawn (0 to 2^53−1); takes precedence over the request's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub local: LocalArgs,
}

/// Values for a template's variables; those that get none have their defaults.
#[derive(Debug, Args)]
pub struct ValuesArgs {
    /// A variable's value; repeat it for each variable. Paths of files are relative to the current folder.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

/// Settings of work without a server.
#[derive(Debug, Args)]
pub struct LocalArgs {
    /// Folder where segments are kept from one run to the next; by default below the user's cache folder.
    #[arg(long)]
    pub cache: Option<PathBuf>,
    /// Configuration file (TOML).
    #[arg(long)]
    pub config: Option<PathBuf>,
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
    /// Seed for everything that is drawn (0 to 2^53−1); takes precedence over the request's.
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

/// A catalogue as text, or as pictures.
#[derive(Debug, Args)]
pub struct GalleryArgs {
    /// Print the catalogue as JSON.
    #[arg(long)]
    pub json: bool,
    /// Render each entry into this folder: a short video and a picture of it.
    #[arg(long, value_name = "DIR")]
    pub preview: Option<PathBuf>,
    /// Show this video instead of the built-in sample.
    #[arg(long, value_name = "FILE", requires = "preview")]
    pub source: Option<PathBuf>,
    /// Only these entries.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Write small WebP pictures too, as the docs and the API show them.
    #[arg(long, hide = true, requires = "preview")]
    pub thumbnails: bool,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub place: ConfigLocation,
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
}
