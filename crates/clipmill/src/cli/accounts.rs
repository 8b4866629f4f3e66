//! The command line of users, their keys, points and callbacks.

use clap::{Args, Subcommand, ValueEnum};
use clipmill_server::config::units::Span;
use clipmill_store::Scope;

use super::ConfigLocation;

#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Create a user and print its API key, once.
    Add(AddUserArgs),
    /// Print a link with which a person signs in as a user, once, without copying a key.
    Invite(InviteArgs),
    /// List users by name, with their points.
    List(ListUsersArgs),
    /// Replace a user's callback secret and print the new one; the previous one remains valid for a while.
    RotateSecret(RotateSecretArgs),
    /// Disable a user: calls with their keys are refused, submitted tasks are finished.
    Off(SwitchOffArgs),
    /// Enable a user again.
    On(UserArgs),
    /// Show usage of the last days per user: points, seconds of output, stored bytes; the most expensive first.
    Usage(UsageArgs),
}

#[derive(Debug, Args)]
pub struct InviteArgs {
    /// Name of the user.
    pub name: String,
    /// Scopes of the key that the person gets, separated by commas; by default read,submit.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub scope: Vec<ScopeArg>,
    /// Hours until the link expires.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=72))]
    pub hours: u32,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ListUsersArgs {
    /// Only users whose name contains this text.
    #[arg(long)]
    pub search: Option<String>,
    /// Maximum number of users to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct SwitchOffArgs {
    pub name: String,
    /// The reason shown to the user.
    #[arg(long)]
    pub reason: String,
    /// Also cancel their open tasks and batches.
    #[arg(long)]
    pub cancel: bool,
    #[command(flatten)]
    pub location: ConfigLocation,
}

#[derive(Debug, Args)]
pub struct UserArgs {
    pub name: String,
    #[command(flatten)]
    pub location: ConfigLocation,
}

#[derive(Debug, Args)]
pub struct UsageArgs {
    /// Number of days (UTC), today included.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_660))]
    pub days: u32,
    /// Maximum number of lines to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RotateSecretArgs {
    pub name: String,
    /// How long the previous secret remains valid, e.g. `2d`; by default `callbacks.secret_overlap`. `0s` revokes it
    /// at once.
    #[arg(long)]
    pub overlap: Option<Span>,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RotateLinksArgs {
    /// How long links signed with the previous secret remain valid, e.g. `2d`; by default `server.link_lifetime`, so
    /// that every file link remains valid until its expiry. `0s` revokes them at once.
    #[arg(long)]
    pub overlap: Option<Span>,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct WidthArgs {
    /// The new width; all processes must be restarted. By default, the width is shown.
    #[arg(value_parser = super::width)]
    pub cores: Option<u32>,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CallbacksArgs {
    /// Maximum number of lines to print.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AddUserArgs {
    pub name: String,
    /// Initial points.
    #[arg(long, default_value_t = 0)]
    pub points: u64,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Issue another key for a user and print it, once.
    Issue(IssueKeyArgs),
    /// List a user's keys with their first characters, never the keys themselves.
    List(ListKeysArgs),
    /// Revoke a key permanently; calls with it are refused from then on.
    Revoke(RevokeKeyArgs),
}

/// A scope of a key.
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
    /// Scopes of the key, separated by commas; by default read,submit.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub scope: Vec<ScopeArg>,
    /// How long the key is valid, e.g. `90d` or `12h`; by default until it is revoked.
    #[arg(long)]
    pub expires: Option<Span>,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ListKeysArgs {
    /// Name of the user.
    pub user: String,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RevokeKeyArgs {
    /// Number of the key, from `clipmill key list`.
    pub key_id: i64,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum PointsCommand {
    /// Grant points to a user.
    Grant(GrantArgs),
    /// Deduct spendable points from a user; held points are not affected.
    Take(TakeArgs),
    /// Show a user's balance.
    Show(ShowPointsArgs),
    /// Recompute all balances from the ledger and compare them.
    Audit(AuditArgs),
}

#[derive(Debug, Args)]
pub struct GrantArgs {
    /// Name of the user.
    pub user: String,
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub points: u64,
    /// The reason, shown in the user's records.
    #[arg(long, default_value = "granted by the operator")]
    pub remark: String,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct TakeArgs {
    /// Name of the user.
    pub user: String,
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub points: u64,
    /// The reason, shown in the user's records.
    #[arg(long)]
    pub remark: String,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ShowPointsArgs {
    /// Name of the user.
    pub user: String,
    #[command(flatten)]
    pub location: ConfigLocation,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(flatten)]
    pub location: ConfigLocation,
}
