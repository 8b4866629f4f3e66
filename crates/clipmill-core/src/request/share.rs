//! The body of a share: which outputs, and until when.

use super::preview::read_body;
use super::reader::Fields;
use super::{Policy, RequestError};

const MOST_ITEMS: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareRequest {
    /// `None` means all items.
    pub items: Option<Vec<u32>>,
    /// The time as the client sent it; the caller parses it.
    pub expires_at: Option<String>,
}

pub fn parse_share(body: &[u8], policy: &Policy) -> Result<ShareRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let named = fields.has("items");
        let items = fields.get("items").array(MOST_ITEMS, |item| item.integer(1..=u32::MAX.into()));
        let expires_at = fields.get("expiresAt").text(40);
        (!named || items.is_some()).then_some(ShareRequest { items, expires_at })
    })
}
