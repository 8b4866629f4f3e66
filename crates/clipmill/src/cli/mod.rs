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
    /// Check ffmpeg and its codecs, fonts, database and storage, each with the mend.
    Doctor(DoctorArgs),
    /// Make a video for each row of a table at a running service; files that rows name by path are uploaded.
    Batch(BatchArgs),
    /// Keep templates at a running service: requests with variables.
    #[command(subcommand)]
    Template(TemplateCommand),
    /// Be the door for agents on standard input and output: MCP (Model Context Protocol) before a running service.
    Mcp(McpArgs),
    /// Ask the service of this configuration whether it is ready; exit status 1 when it is not.
    Health(HealthArgs),
    /// Check or show the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Delete what has had its time, as `serve` does by itself; `--dry-run` says what would go.
    Gc(GcArgs),
    /// Write the database and all files it speaks of to a folder, also while `serve` runs.
    Backup(BackupArgs),
    /// Make a data folder from a backup; everything is checked.
    Restore(RestoreArgs),
    /// Manage users.
    #[command(subcommand)]
    User(UserCommand),
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
    pub place: Place,
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
    pub place: Place,
}

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KindArg {
    /// Fetch inputs, look at them and plan.
    Preflight,
    /// Render segments.
    Segment,
    /// Join segments, mix the sound, deliver.
    Finish,
}

#[derive(Debug, Args)]
pub struct PlaceArgs {
    #[command(flatten)]
    pub place: Place,
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
    pub place: Place,
}

#[derive(Debug, Subcommand)]
pub enum QueueCommand {
    /// Take up nothing more; what runs goes on.
    Pause(PauseArgs),
    /// Take up work again.
    Resume(PlaceArgs),
    /// Take work from whoever has it and make it ready again; nothing is counted against it.
    Requeue(RequeueArgs),
}

#[derive(Debug, Args)]
pub struct PauseArgs {
    /// What users are told whose tasks wait.
    #[arg(long)]
    pub reason: Option<String>,
    #[command(flatten)]
    pub place: Place,
}

#[derive(Debug, Args)]
pub struct RequeueArgs {
    /// Number of a piece of work, as `clipmill queue` shows it.
    pub work: Option<i64>,
    /// Everything that this worker has.
    #[arg(long, value_name = "NAME", conflicts_with = "work")]
    pub worker: Option<String>,
    /// What failed and waits for its next try.
    #[arg(long, conflicts_with_all = ["work", "worker"])]
    pub delayed: bool,
    #[command(flatten)]
    pub place: Place,
}

/// Where the installation is.
#[derive(Debug, Args)]
pub struct Place {
    /// Folder of the database and of all files.
    #[arg(long, env = "CLIPMILL_DATA", default_value = "data")]
    pub data: PathBuf,
    /// Configuration file (TOML); every key is also an environment variable `CLIPMILL_<SECTION>_<KEY>`.
    #[arg(long, env = "CLIPMILL_CONFIG")]
    pub config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Say whether the configuration is valid; exit status 2 and everything that is wrong where it is not.
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
    /// Where it listens, when that was given on the command line; by default as configured.
    #[arg(long)]
    pub listen: Option<SocketAddr>,
    /// Ask a worker: it answers on `metrics.listen`.
    #[arg(long)]
    pub worker: bool,
    /// Configuration file (TOML); the environment is read as well.
    #[arg(long, env = "CLIPMILL_CONFIG")]
    pub config: Option<PathBuf>,
}

/// A running service, and who calls it.
#[derive(Debug, Args)]
pub struct ServiceArgs {
    /// Where the service is.
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
    /// Your own id of the batch: sent again under it, nothing is made or paid twice. By default it is made of the content.
    #[arg(long)]
    pub id: Option<String>,
    /// What the batch is called; by default the table's name.
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub naming: NamingArgs,
    /// Submit nothing that would cost more.
    #[arg(long, value_name = "N")]
    pub max_points: Option<u64>,
    /// Take as many rows, from the first on, as there are points for; else all or none are taken.
    #[arg(long)]
    pub partial: bool,
    /// Called once when the batch has ended.
    #[arg(long, value_name = "URL")]
    pub callback: Option<String>,
    /// Check everything, upload the files, tell the price, and submit nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Submit, and wait for nothing; the same command without this takes the videos later.
    #[arg(long)]
    pub no_wait: bool,
    /// Print what came of it as JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub service: ServiceArgs,
}

/// What the files of rows are called.
#[derive(Debug, Clone, Default, Args)]
pub struct NamingArgs {
    /// Name the videos by this column; by default they have the number of the row and the `name` of its request.
    #[arg(long, value_name = "COLUMN")]
    pub name_by: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// List the templates, the last changed first.
    List(ListTemplatesArgs),
    /// Print a template as a file that `save`, `batch` and `render` take.
    Show(ShowTemplateArgs),
    /// Keep a template of a file: a new one, or the next version of the one with its name. Files that it names by path are
    /// uploaded.
    Save(SaveTemplateArgs),
    /// Delete templates with all their versions. What was made from them stays.
    Delete(DeleteTemplatesArgs),
}

#[derive(Debug, Args)]
pub struct ListTemplatesArgs {
    /// Only those whose name contains this.
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
    pub place: Place,
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
    /// Copy files also where links would do (on the same filesystem links cost no space, and no safety from a
    /// broken disk).
    #[arg(long)]
    pub copy: bool,
}

#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// Folder that `clipmill backup` wrote.
    pub backup: PathBuf,
    /// The new data folder; it must be empty or not there.
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
    /// Seed for everything that is drawn (0 to 2^53−1); wins over the request's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub local: LocalArgs,
}

/// What stands in place of a template's variables; their defaults do where nothing is said.
#[derive(Debug, Args)]
pub struct ValuesArgs {
    /// A variable's value, once for each. Paths of files are from here.
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
    /// Seed for everything that is drawn (0 to 2^53−1); wins over the request's.
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
    pub place: Place,
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
}
