//! `clipmill user` and `clipmill points`: also while `serve` runs on the same folder.

use std::process::ExitCode;

use anyhow::Context;
use clipmill_core::ids::UserId;
use clipmill_server::accounts::{self, NewAccount};
use clipmill_server::clock;
use clipmill_store::{Balance, Store, StoreError};
use serde_json::json;

use crate::cli::{AddUserArgs, AuditArgs, GrantArgs, ShowPointsArgs};
use crate::report::{say, say_json, wrong};
use crate::serve::open_store;

pub async fn add_user(args: AddUserArgs) -> anyhow::Result<ExitCode> {
    let store = open_store(&args.place).await?;
    let account = match accounts::add(&*store, &args.name, args.points).await {
        Ok(account) => account,
        Err(accounts::AddError::Store(StoreError::Exists(_))) => {
            return Err(wrong(format!("there is a user called {} already; choose another name", args.name)));
        }
        Err(error) => return Err(error.into()),
    };
    let NewAccount { user, api_key, webhook_secret } = account;
    if args.json {
        say_json(
            &json!({ "userId": user, "name": args.name, "apiKey": api_key, "webhookSecret": webhook_secret }),
        );
    } else {
        say(format_args!("user {user} ({}), {} points", args.name, args.points));
        say(format_args!("API key (shown once): {api_key}"));
        say(format_args!("webhook secret:       {webhook_secret}"));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn grant(args: GrantArgs) -> anyhow::Result<ExitCode> {
    let store = open_store(&args.place).await?;
    let user = find(&*store, &args.user).await?;
    let balance = store.grant(user, args.points, &args.remark, clock::now_ms()).await?;
    print_balance(&args.user, balance, args.json);
    Ok(ExitCode::SUCCESS)
}

pub async fn show(args: ShowPointsArgs) -> anyhow::Result<ExitCode> {
    let store = open_store(&args.place).await?;
    let user = find(&*store, &args.user).await?;
    print_balance(&args.user, store.balance(user).await?, args.json);
    Ok(ExitCode::SUCCESS)
}

pub async fn audit(args: AuditArgs) -> anyhow::Result<ExitCode> {
    let store = open_store(&args.place).await?;
    let findings = store.audit().await?;
    for finding in &findings {
        say(finding);
    }
    if findings.is_empty() {
        say("the ledger agrees with all balances and holds");
    }
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

async fn find(store: &dyn Store, name: &str) -> anyhow::Result<UserId> {
    let user = store.user_by_name(name).await.context("the user cannot be looked up")?;
    user.map(|user| user.id).ok_or_else(|| {
        wrong(format!("there is no user called {name}; add one with `clipmill user add {name}`"))
    })
}

fn print_balance(name: &str, balance: Balance, as_json: bool) {
    let Balance { available, held } = balance;
    if as_json {
        say_json(&json!({ "name": name, "balance": available, "held": held, "total": available + held }));
    } else {
        say(format_args!("{name}: {available} points to spend, {held} held"));
    }
}
