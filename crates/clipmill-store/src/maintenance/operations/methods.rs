//! Implements [`OperationsStore`]: the unit of work behind each method, and the signals that it sends.

use async_trait::async_trait;
use clipmill_core::error::ErrorCode;

use super::super::dialect::Handle;
use super::super::unit::{apart, in_time, snapshot};
use super::{failures, usage};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};
use crate::maintenance::operations::{FailedItem, FailureCause, OperationsStore, Usage, UsageSum};

#[async_trait]
impl OperationsStore for Handle {
    async fn failed_items(
        &self,
        code: Option<ErrorCode>,
        search: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<FailedItem>> {
        let search = search.map(str::to_owned);
        snapshot!(self, search; tx => failures::failed_items(tx, code, search.as_deref(), page))
    }

    async fn failure_causes(&self, from: Millis, to: Millis) -> StoreResult<Vec<FailureCause>> {
        snapshot!(self; tx => usage::failure_causes(tx, from, to))
    }

    async fn usage(
        &self,
        days: (i64, i64),
        search: Option<&str>,
        uploads_since: Millis,
        page: Page,
        now: Millis,
    ) -> StoreResult<(Paged<Usage>, UsageSum)> {
        let search = search.map(str::to_owned);
        snapshot!(self, at now, search;
                  tx => usage::of_users(tx, days, search.as_deref(), uploads_since, page, now.ms))
    }
}
