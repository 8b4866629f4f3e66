//! Decides when an event is sent again.

use std::time::Duration;

use clipmill_store::{AttemptOutcome, Millis};

use crate::config::Callbacks;
use crate::webhook::WebhookResponse;

/// The longest wait that a receiver can request.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * 3600);

/// The step after the attempt at position `step` of the schedule. `jitter` is a random fraction.
pub fn after(
    config: &Callbacks,
    step: u32,
    received: &WebhookResponse,
    now: Millis,
    jitter: f64,
) -> AttemptOutcome {
    let Some(refusal) = &received.refused else { return AttemptOutcome::Delivered };
    let next = config.schedule.get(step as usize + 1).filter(|_| !refusal.for_good);
    let Some(wait) = next else { return AttemptOutcome::GiveUp };
    let lengthened = wait.get().mul_f64(1.0 + jitter * f64::from(config.jitter) / 100.0);
    let requested_delay = received.retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
    let wait = i64::try_from(lengthened.max(requested_delay).as_millis()).unwrap_or(i64::MAX);
    AttemptOutcome::RetryAt(now.saturating_add(wait))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::WebhookRefusal;

    fn received(refused: Option<bool>, retry_after_s: Option<u64>) -> WebhookResponse {
        WebhookResponse {
            duration: Duration::ZERO,
            status: None,
            retry_after: retry_after_s.map(Duration::from_secs),
            refused: refused
                .map(|for_good| WebhookRefusal { message: clipmill_core::message::not_signed(), for_good }),
        }
    }

    #[test]
    fn waits_follow_the_schedule_to_its_end() {
        let config = Callbacks::default();
        let failed = received(Some(false), None);
        let waits: Vec<_> = (0..10).map(|step| after(&config, step, &failed, 1_000, 0.0)).collect();
        let s = |seconds: i64| AttemptOutcome::RetryAt(1_000 + seconds * 1_000);
        let h = |hours: i64| s(hours * 3600);
        let expected =
            [s(5), s(300), s(1800), h(2), h(5), h(10), h(14), h(20), h(24), AttemptOutcome::GiveUp];
        assert_eq!(waits, expected);
    }

    #[test]
    fn jitter_lengthens_and_a_receiver_may_ask_for_more() {
        let config = Callbacks::default();
        let check = |step, received: WebhookResponse, jitter, expected| {
            assert_eq!(after(&config, step, &received, 0, jitter), expected);
        };
        check(0, received(None, Some(9)), 0.5, AttemptOutcome::Delivered);
        check(0, received(Some(true), Some(9)), 0.5, AttemptOutcome::GiveUp);
        check(1, received(Some(false), None), 0.5, AttemptOutcome::RetryAt(315_000));
        check(0, received(Some(false), Some(60)), 0.5, AttemptOutcome::RetryAt(60_000));
        check(1, received(Some(false), Some(60)), 0.0, AttemptOutcome::RetryAt(300_000));
        check(0, received(Some(false), Some(u64::MAX)), 0.0, AttemptOutcome::RetryAt(86_400_000));
    }
}
