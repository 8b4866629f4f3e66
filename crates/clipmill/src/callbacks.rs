//! `clipmill callbacks` and `clipmill user rotate-secret`, which also work while `serve` runs on the same folder.

use std::process::ExitCode;

use clipmill_core::message::{self, Message};
use clipmill_server::account::users;
use clipmill_server::clock;
use clipmill_server::view;
use clipmill_store::{DeliveryState, OpenDelivery};
use serde_json::{Value, json};

use crate::account::{find, with_store};
use crate::cli::{CallbacksArgs, RotateSecretArgs};
use crate::report::{localize, print_json, print_line};
use crate::serve::load;

pub async fn list(args: CallbacksArgs) -> anyhow::Result<ExitCode> {
    let open =
        with_store(&args.location, async |store| Ok(store.callbacks().open_deliveries(args.limit).await?))
            .await?;
    if args.json {
        print_json(&open.iter().map(delivery_json).collect());
    } else if open.is_empty() {
        print_line(localize(&message::no_open_callbacks()));
    } else {
        open.iter().for_each(|delivery| print_line(delivery_line(delivery)));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn rotate_secret(args: RotateSecretArgs) -> anyhow::Result<ExitCode> {
    let overlap = args.overlap.unwrap_or(load(&args.location)?.callbacks.secret_overlap).as_millis();
    let until = clock::now_ms().saturating_add(overlap);
    let secret = with_store(&args.location, async |store| {
        let user = find(store, &args.name).await?;
        Ok(users::rotate_secret(store, user, until).await?)
    });
    let (secret, until) = (secret.await?, view::rfc3339(until));
    if args.json {
        print_json(&json!({ "name": args.name, "webhookSecret": secret, "earlierUntil": until }));
    } else {
        print_line(format_args!("Webhook secret: {secret}"));
        print_line(if overlap == 0 {
            "The previous secret is revoked now.".to_owned()
        } else {
            format!("The previous secret remains valid until {until}.")
        });
    }
    Ok(ExitCode::SUCCESS)
}

fn delivery_json(delivery: &OpenDelivery) -> Value {
    json!({
        "eventId": delivery.event_id,
        "user": delivery.user_name,
        "taskNo": delivery.subject.number(),
        "url": delivery.url,
        "status": delivery.state.as_str(),
        "attempts": delivery.attempts,
        "nextAttemptTime": delivery.due_at.map(view::rfc3339),
        "lastError": delivery.last_error.as_ref().map(Message::english),
    })
}

fn delivery_line(delivery: &OpenDelivery) -> String {
    let state = match (delivery.state, delivery.due_at) {
        (DeliveryState::Due, Some(at)) => message::callback_due_at(view::rfc3339(at)),
        (DeliveryState::Due, None) => message::callback_due(),
        (DeliveryState::Sending, _) => message::callback_sending(),
        (DeliveryState::Delivered, _) => message::callback_delivered(),
        (DeliveryState::Failed, _) => message::callback_failed(),
    };
    let attempts = match delivery.attempts {
        1 => message::one_attempt(),
        count => message::attempts(count),
    };
    let error =
        delivery.last_error.as_ref().map(|error| format!("; {}", localize(error))).unwrap_or_default();
    format!(
        "{}  {}  {}  {}  {}{error}",
        localize(&state),
        delivery.user_name,
        delivery.subject.number(),
        delivery.url,
        localize(&attempts)
    )
}
