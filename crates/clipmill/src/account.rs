//! `clipmill user`, `clipmill key` and `clipmill points`, which also work while `serve` runs on the same folder.

use std::process::ExitCode;

use anyhow::Context;
use clipmill_core::ids::UserId;
use clipmill_server::account::users::{self, Invitation, NewAccount};
use clipmill_server::{Config, clock, settings, view};
use clipmill_store::{Balance, Deduction, KeyRecord, Page, Scopes, Store, StoreError, Usage, UserOverview};
use serde_json::{Value, json};

use crate::cli::{
    AddUserArgs, AuditArgs, ConfigLocation, GrantArgs, InviteArgs, IssueKeyArgs, ListKeysArgs, ListUsersArgs,
    RevokeKeyArgs, ShowPointsArgs, SwitchOffArgs, TakeArgs, UsageArgs, UserArgs,
};
use crate::database;
use crate::report::{pluralize, print_json, print_line, wrong};
use crate::serve::load;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 86_400_000;

pub async fn add_user(args: AddUserArgs) -> anyhow::Result<ExitCode> {
    let config = load(&args.location)?;
    let created = !database::exists(&args.location, &config);
    let added = within(&args.location, &config, async |store| {
        let added = users::add(store, &args.name, args.points).await;
        if matches!(added, Err(users::AddError::Store(StoreError::Exists(_)))) {
            let name = &args.name;
            return Err(wrong(format!("a user called {name} already exists; choose another name")));
        }
        Ok(added?)
    });
    let NewAccount { user, api_key, webhook_secret } = added.await?;
    if created {
        let file = database::file(&args.location, &config);
        eprintln!(
            "warning: created the database {}; if the service uses another one, pass its settings with --config",
            file.display()
        );
    }
    if args.json {
        print_json(
            &json!({ "userId": user, "name": args.name, "apiKey": api_key, "webhookSecret": webhook_secret }),
        );
    } else {
        let points = pluralize(args.points, "point");
        print_line(format_args!("Created user \"{}\" (number {user}) with {points}.", args.name));
        print_line(format_args!("API key (shown once): {api_key}"));
        print_line(format_args!("Webhook secret:       {webhook_secret}"));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn invite(args: InviteArgs) -> anyhow::Result<ExitCode> {
    let scopes = Scopes::of(args.scope.iter().map(|scope| (*scope).into())).unwrap_or_default();
    let expires_at = clock::now_ms().saturating_add(i64::from(args.hours) * HOUR_MS);
    let server = load(&args.location)?.server;
    let invitation = with_store(&args.location, async |store| {
        let user = find(store, &args.name).await?;
        Ok(users::invite(store, user, scopes, expires_at).await?)
    });
    let Invitation { record, code } = invitation.await?;
    let base_url = server.base_url(server.listen);
    if server.public_url.is_none() {
        eprintln!(
            "warning: server.public_url is not set: the link only works where {} is the service",
            base_url.as_str()
        );
    }
    let url = format!("{}{}", base_url.as_str(), users::invitation_path(&code));
    let expires = view::rfc3339(record.expires_at);
    if args.json {
        print_json(&json!({
            "invitationId": record.id, "name": args.name, "url": url, "scopes": record.scopes.names(),
            "expireTime": expires,
        }));
    } else {
        print_line(format_args!(
            "Invitation {} for {} ({}), valid once until {expires}",
            record.id,
            args.name,
            record.scopes.to_text()
        ));
        print_line(format_args!("Link (shown once): {url}"));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn issue_key(args: IssueKeyArgs) -> anyhow::Result<ExitCode> {
    let scopes = Scopes::of(args.scope.iter().map(|scope| (*scope).into())).unwrap_or_default();
    let expires_at = args.expires.map(|span| clock::now_ms().saturating_add(span.as_millis()));
    let issued = with_store(&args.location, async |store| {
        let user = find(store, &args.user).await?;
        Ok(users::issue_key(store, user, scopes.clone(), expires_at).await?)
    });
    let issued = issued.await?;
    let expires = expires_at.map(view::rfc3339);
    if args.json {
        let names = scopes.names();
        print_json(&json!({
            "keyId": issued.id, "name": args.user, "apiKey": issued.text, "scopes": names, "expireTime": expires,
        }));
    } else {
        let until = expires.map_or_else(|| "no expiry".to_owned(), |moment| format!("until {moment}"));
        print_line(format_args!("key {} of {} for {}, {until}", issued.id, args.user, scopes.to_text()));
        print_line(format_args!("API key (shown once): {}", issued.text));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn list_keys(args: ListKeysArgs) -> anyhow::Result<ExitCode> {
    let keys = with_store(&args.location, async |store| {
        let user = find(store, &args.user).await?;
        Ok(store.keys().list(user).await?)
    });
    let keys = keys.await?;
    if args.json {
        print_json(&keys.iter().map(key_json).collect());
    } else {
        keys.iter().for_each(|key| print_line(key_line(key)));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn revoke_key(args: RevokeKeyArgs) -> anyhow::Result<ExitCode> {
    let revoked = with_store(&args.location, async |store| {
        match store.keys().revoke(args.key_id, clock::now_ms()).await {
            Err(StoreError::NotFound) => {
                Err(wrong(format!("no key {}; see `clipmill key list USER`", args.key_id)))
            }
            revoked => Ok(revoked?),
        }
    });
    let revoked = revoked.await?;
    if args.json {
        print_json(&key_json(&revoked));
    } else {
        print_line(key_line(&revoked));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn grant(args: GrantArgs) -> anyhow::Result<ExitCode> {
    let balance = with_store(&args.location, async |store| {
        let user = find(store, &args.user).await?;
        Ok(store.points().grant(user, args.points, &args.remark, clock::now_ms()).await?)
    });
    print_balance(&args.user, balance.await?, args.json);
    Ok(ExitCode::SUCCESS)
}

pub async fn take(args: TakeArgs) -> anyhow::Result<ExitCode> {
    let deduction = with_store(&args.location, async |store| {
        let user = find(store, &args.user).await?;
        Ok(store.points().deduct(user, args.points, &args.remark, clock::now_ms()).await?)
    });
    match deduction.await? {
        Deduction::Taken(balance) => print_balance(&args.user, balance, args.json),
        Deduction::TooFew { available } => {
            let available = pluralize(available, "spendable point");
            return Err(wrong(format!("{} has only {available}; nothing was deducted", args.user)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn switch_off(args: SwitchOffArgs) -> anyhow::Result<ExitCode> {
    let cancelled = with_store(&args.location, async |store| {
        let user = find(store, &args.name).await?;
        store.users().switch_off(user, &args.reason, clock::now_ms()).await?;
        Ok(if args.cancel { users::cancel_all(store, user).await? } else { 0 })
    });
    let cancelled = cancelled.await?;
    print_line(format_args!("User {} is disabled. Their keys are refused from now on.", args.name));
    if args.cancel {
        print_line(format_args!("Cancelled tasks and batches: {cancelled}."));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn switch_on(args: UserArgs) -> anyhow::Result<ExitCode> {
    let was_off = with_store(&args.location, async |store| {
        let user = find(store, &args.name).await?;
        Ok(store.users().switch_on(user).await?)
    });
    let name = &args.name;
    print_line(if was_off.await? {
        format!("User {name} is enabled again.")
    } else {
        format!("User {name} was not disabled.")
    });
    Ok(ExitCode::SUCCESS)
}

pub async fn list_users(args: ListUsersArgs) -> anyhow::Result<ExitCode> {
    let page = Page { number: 1, size: args.limit };
    let users = with_store(&args.location, async |store| {
        Ok(store.users().list(args.search.as_deref(), page).await?)
    })
    .await?;
    if args.json {
        print_json(&users.list.iter().map(user_json).collect());
    } else {
        users.list.iter().for_each(|user| print_line(user_line(user)));
        if users.total > users.list.len() as u64 {
            print_line(format_args!(
                "{} of {} users; use --limit to print more",
                users.list.len(),
                users.total
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn user_json(user: &UserOverview) -> Value {
    json!({
        "userId": user.id, "name": user.name, "balance": user.available, "held": user.held, "tasks": user.tasks,
        "createTime": view::rfc3339(user.created_at), "off": user.off.is_some(),
    })
}

fn user_line(user: &UserOverview) -> String {
    let UserOverview { name, available, held, tasks, .. } = user;
    let (points, tasks) = (pluralize(*available, "point"), pluralize(*tasks, "task"));
    let suffix = if user.off.is_some() { ", disabled" } else { "" };
    format!("{name}: {points}, {held} held, {tasks}{suffix}")
}

pub async fn usage(args: UsageArgs) -> anyhow::Result<ExitCode> {
    let now = clock::now_ms();
    let quota = settings::quota(&load(&args.location)?, now);
    let end = now.div_euclid(DAY_MS) + 1;
    let days = (end - i64::from(args.days), end);
    let page = Page { number: 1, size: args.limit };
    let usage_page = with_store(&args.location, async |store| {
        Ok(store.operations().usage(days, None, quota.uploads_since, page, now).await?.0.list)
    });
    let usage_page = usage_page.await?;
    if args.json {
        print_json(&usage_page.iter().map(usage_json).collect());
    } else {
        usage_page.iter().for_each(|user| print_line(usage_line(user)));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn show(args: ShowPointsArgs) -> anyhow::Result<ExitCode> {
    let balance = with_store(&args.location, async |store| {
        let user = find(store, &args.user).await?;
        Ok(store.points().balance(user).await?)
    });
    print_balance(&args.user, balance.await?, args.json);
    Ok(ExitCode::SUCCESS)
}

pub async fn audit(args: AuditArgs) -> anyhow::Result<ExitCode> {
    let findings = with_store(&args.location, async |store| Ok(store.points().audit().await?)).await?;
    for finding in &findings {
        print_line(finding);
    }
    if findings.is_empty() {
        print_line("The ledger matches all balances and holds.");
    }
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

/// Opens the database, and closes it properly regardless of the result of `work`.
/// Runs `work` on the database of an installation, which must exist.
pub async fn with_store<T>(
    location: &ConfigLocation,
    work: impl AsyncFnOnce(&dyn Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let config = load(location)?;
    if !database::exists(location, &config) {
        let file = database::file(location, &config);
        return Err(wrong(format!(
            "there is no database {}; name the data folder with --data, or the settings of the service with --config",
            file.display()
        )));
    }
    within(location, &config, work).await
}

async fn within<T>(
    location: &ConfigLocation,
    config: &Config,
    work: impl AsyncFnOnce(&dyn Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let store = database::open(location, config).await?;
    let outcome = work(&*store).await;
    store.close().await;
    outcome
}

fn usage_json(user: &Usage) -> Value {
    let used = user.used;
    json!({
        "userId": user.user, "name": user.name, "points": used.points, "outputs": used.outputs,
        "outputSeconds": used.output_ms as f64 / 1_000.0, "storedBytes": user.stored_bytes,
    })
}

fn usage_line(user: &Usage) -> String {
    let Usage { name, used, stored_bytes, .. } = user;
    let (points, outputs) = (pluralize(used.points, "point"), pluralize(used.outputs, "video"));
    let (seconds, stored) = (used.output_ms.div_ceil(1_000), pluralize(*stored_bytes, "byte"));
    format!("{name}: {points} for {outputs} of {seconds} s, {stored} stored now")
}

fn key_json(key: &KeyRecord) -> Value {
    json!({
        "keyId": key.id,
        "prefix": key.prefix,
        "scopes": key.scopes.names(),
        "createTime": view::rfc3339(key.created_at),
        "expireTime": key.expires_at.map(view::rfc3339),
        "revokeTime": key.revoked_at.map(view::rfc3339),
        "lastUseTime": key.last_used_at.map(view::rfc3339),
    })
}

fn key_line(key: &KeyRecord) -> String {
    let mut line = format!(
        "{}  {}…  {}  issued {}",
        key.id,
        key.prefix,
        key.scopes.to_text(),
        view::rfc3339(key.created_at)
    );
    for (what, moment) in
        [("expires", key.expires_at), ("last used", key.last_used_at), ("revoked", key.revoked_at)]
    {
        if let Some(moment) = moment {
            line.push_str(&format!("  {what} {}", view::rfc3339(moment)));
        }
    }
    line
}

pub async fn find(store: &dyn Store, name: &str) -> anyhow::Result<UserId> {
    let user = store.users().find_by_name(name).await.context("the user cannot be looked up")?;
    user.map(|user| user.id)
        .ok_or_else(|| wrong(format!("no user is called {name}; add one with `clipmill user add {name}`")))
}

fn print_balance(name: &str, balance: Balance, as_json: bool) {
    let Balance { available, held } = balance;
    if as_json {
        print_json(&json!({ "name": name, "balance": available, "held": held, "total": available + held }));
    } else {
        print_line(format_args!("{name}: {} available, {held} held", pluralize(available, "point")));
    }
}
