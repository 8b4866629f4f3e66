//! Whether this machine can process media: no work is claimed until its self-test has passed.

use std::sync::Arc;

use clipmill_media::self_test::Condition;
use tokio_util::sync::CancellationToken;

use super::Worker;
use crate::observe::metric;

impl Worker {
    pub(super) fn has_passed_self_test(&self) -> bool {
        *self.engine.self_test.condition().borrow() == Condition::Passed
    }

    /// Waits until the self-test has passed.
    pub(super) async fn wait_for_self_test(&self, stop: &CancellationToken) {
        let mut condition = self.engine.self_test.condition();
        tokio::select! {
            // The test lives as long as the engine, so waiting does not fail.
            _ = condition.wait_for(|condition| *condition == Condition::Passed) => {}
            () = stop.cancelled() => {}
        }
    }

    /// Reports to monitoring whether the self-test has passed.
    pub(super) async fn report_condition(self: Arc<Self>) {
        let mut condition = self.engine.self_test.condition();
        let mut is_open = true;
        while is_open {
            let passed = *condition.borrow_and_update() == Condition::Passed;
            metrics::gauge!(metric::SELF_TEST).set(if passed { 1.0 } else { 0.0 });
            is_open = condition.changed().await.is_ok();
        }
    }
}
