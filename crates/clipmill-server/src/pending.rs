//! Stand-in for the core's `plan::quote`, with the signature that it will have there.

use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::{Params, TaskRequest};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemQuote {
    pub seed: u64,
    pub points: u64,
}

/// One per item, in order: 15 s each at the middle price, or what the clip of a videoDeduplication declares.
pub fn quote(request: &TaskRequest, seed: u64, prices: &PriceList) -> Vec<ItemQuote> {
    let seconds = |item: usize| match &request.params {
        Params::VideoDeduplication(params) => params.videos.get(item).and_then(|clip| clip.duration_s),
        _ => None,
    };
    let points = |item| seconds(item).unwrap_or(15.0).ceil() as u64 * u64::from(prices.full_hd);
    let quote = |item| ItemQuote { seed: seed.wrapping_add(item as u64), points: points(item) };
    (0..request.params.total_items()).map(quote).collect()
}
