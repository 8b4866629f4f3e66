//! The command line of users, their keys, points and callbacks.

use clap::{Args, Subcommand, ValueEnum};
use clipmill_server::config::units::Span;
use clipmill_store::Scope;

use super::ConfigLocation;

#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user and print its API key, once.
    Add(AddUserArgs),
    /// List users by name, with their points.
    List(ListUsersArgs),
    /// Give a user a new secret for its callbacks and print it; the old one goes on signing for a while.
    RotateSecret(RotateSecretArgs),
    /// Switch a user off: calls with their keys are refused, tasks that were submitted are finished.
    Off(SwitchOffArgs),
    /// Switch a user on again.
    On(UserArgs),
    /// What users cost in the last days: points, seconds of output, stored bytes; the most expensive come first.
    Usage(UsageArgs),
}

#[derive(Debug, Args)]
pub struct ListUsersArgs {
    /// Only users whose name contains this text.
    #[arg(long)]
    pub search: Option<String>,
    /// Most users to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct SwitchOffArgs {
    pub name: String,
    /// The reason that the user is given.
    #[arg(long)]
    pub reason: String,
    /// Cancel their open tasks and batches, too.
    #[arg(long)]
    pub cancel: bool,
    #[command(flatten)]
    pub place: ConfigLocation,
}

#[derive(Debug, Args)]
pub struct UserArgs {
    pub name: String,
    #[command(flatten)]
    pub place: ConfigLocation,
}

#[derive(Debug, Args)]
pub struct UsageArgs {
    /// Number of days (UTC), today included.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_660))]
    pub days: u32,
    /// Most lines to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RotateSecretArgs {
    pub name: String,
    /// How long the old secret goes on signing beside the new one, e.g. `2d`; by default `callbacks.secret_overlap`.
    /// `0s` ends it at once.
    #[arg(long)]
    pub overlap: Option<Span>,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RotateLinksArgs {
    /// How long links signed with the previous secret remain valid, e.g. `2d`; by default `server.link_lifetime`, so that
    /// every file link lives as long as it was promised. `0s` ends them at once.
    #[arg(long)]
    pub overlap: Option<Span>,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CallbacksArgs {
    /// Most lines to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AddUserArgs {
    pub name: String,
    /// Points to begin with.
    #[arg(long, default_value_t = 0)]
    pub points: u64,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Give a user one more key and print it, once.
    Issue(IssueKeyArgs),
    /// Show a user's keys: never the keys themselves, only how they begin.
    List(ListKeysArgs),
    /// Revoke a key for good; calls with it are refused from then on.
    Revoke(RevokeKeyArgs),
}

/// What a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeArg {
    /// Read tasks, points and records.
    Read,
    /// Submit and cancel tasks, upload files.
    Submit,
    /// Manage the installation.
    Admin,
}

impl From<ScopeArg> for Scope {
    fn from(scope: ScopeArg) -> Self {
        match scope {
            ScopeArg::Read => Self::Read,
            ScopeArg::Submit => Self::Submit,
            ScopeArg::Admin => Self::Admin,
        }
    }
}

#[derive(Debug, Args)]
pub struct IssueKeyArgs {
    /// Name of the user.
    pub user: String,
    /// What the key may be used for; several with commas between them. Without it: read,submit.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub scope: Vec<ScopeArg>,
    /// How long the key is valid, e.g. `90d` or `12h`; without it, until it is revoked.
    #[arg(long)]
    pub expires: Option<Span>,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ListKeysArgs {
    /// Name of the user.
    pub user: String,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RevokeKeyArgs {
    /// Number of the key, as `clipmill key list` shows it.
    pub key_id: i64,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum PointsCommand {
    /// Give a user points.
    Grant(GrantArgs),
    /// Take away points that the user could spend; points that are held stay.
    Take(TakeArgs),
    /// Show a user's balance.
    Show(ShowPointsArgs),
    /// Replay the ledger and compare it with all balances.
    Audit(AuditArgs),
}

#[derive(Debug, Args)]
pub struct GrantArgs {
    /// Name of the user.
    pub user: String,
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub points: u64,
    /// A remark for the user's records.
    #[arg(long, default_value = "granted by the operator")]
    pub remark: String,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct TakeArgs {
    /// Name of the user.
    pub user: String,
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub points: u64,
    /// The reason, which stands in the user's records.
    #[arg(long)]
    pub remark: String,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ShowPointsArgs {
    /// Name of the user.
    pub user: String,
    #[command(flatten)]
    pub place: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(flatten)]
    pub place: ConfigLocation,
}
