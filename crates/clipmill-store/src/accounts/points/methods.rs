//! Implements [`PointStore`]: the unit of work behind each method, and the signals that it sends.

use async_trait::async_trait;
use clipmill_core::ids::UserId;

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::{audit, ledger, listening, movements};
use crate::accounts::points::{
    Balance, Deduction, ListeningOutcome, ListeningPrice, Movement, MovementFilter, PointStore,
};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
impl PointStore for Handle {
    async fn grant(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Balance> {
        unit!(self, at now, remark; tx => ledger::grant(tx, user, points, &remark, now.ms))
    }

    async fn deduct(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Deduction> {
        unit!(self, at now, remark; tx => ledger::deduct(tx, user, points, &remark, now.ms))
    }

    async fn balance(&self, user: UserId) -> StoreResult<Balance> {
        snapshot!(self; tx => ledger::balance(tx, user))
    }

    async fn check_listening(
        &self,
        user: UserId,
        price: ListeningPrice,
        now: Millis,
    ) -> StoreResult<ListeningOutcome> {
        snapshot!(self, at now; tx => listening::check(tx, user, price, now.ms))
    }

    async fn charge_listening(
        &self,
        user: UserId,
        price: ListeningPrice,
        now: Millis,
    ) -> StoreResult<ListeningOutcome> {
        unit!(self, at now; tx => listening::charge(tx, user, price, now.ms))
    }

    async fn movements(
        &self,
        user: UserId,
        filter: &MovementFilter,
        page: Page,
    ) -> StoreResult<Paged<Movement>> {
        snapshot!(self, filter; tx => movements::movements(tx, user, &filter, page))
    }

    async fn audit(&self) -> StoreResult<Vec<String>> {
        // This takes time in proportion to the length of the ledger.
        snapshot!(self, unhurried; tx => audit::audit(tx))
    }
}
