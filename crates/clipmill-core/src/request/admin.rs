//! The bodies of operators' requests.

use std::ops::RangeInclusive;

use super::preview::read_body;
use super::reader::Fields;
use super::{Policy, RequestError};

/// The points of one grant.
const POINTS: RangeInclusive<u64> = 1..=1_000_000_000_000;
const LONGEST_NAME: usize = 100;
const LONGEST_REMARK: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUserRequest {
    pub name: String,
    pub points: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRequest {
    pub user_id: i64,
    pub points: u64,
    pub remark: String,
}

pub fn parse_new_user(body: &[u8], policy: &Policy) -> Result<NewUserRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let name = fields.need("name").text(LONGEST_NAME);
        let points = fields.get("points").integer(0..=*POINTS.end());
        Some(NewUserRequest { name: name?, points: points.unwrap_or(0) })
    })
}

pub fn parse_grant(body: &[u8], policy: &Policy) -> Result<GrantRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let user_id = fields.need("userId").integer(1..=i64::MAX as u64);
        let points = fields.need("points").integer(POINTS);
        let remark = fields.get("remark").text(LONGEST_REMARK);
        Some(GrantRequest { user_id: user_id?, points: points?, remark: remark.unwrap_or_default() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths<T>(read: Result<T, RequestError>) -> Vec<String> {
        match read {
            Err(RequestError::Invalid { errors, .. }) => errors.into_iter().map(|error| error.path).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_user_has_a_name_and_a_grant_a_user() {
        let user = parse_new_user(br#"{"name":"ann","points":5}"#, &Policy::default());
        assert_eq!(user, Ok(NewUserRequest { name: "ann".to_owned(), points: 5 }));
        assert_eq!(paths(parse_new_user(br#"{"points":-1}"#, &Policy::default())), ["/name", "/points"]);
        let grant = parse_grant(br#"{"userId":1,"points":2,"remark":"x"}"#, &Policy::default());
        assert_eq!(grant, Ok(GrantRequest { user_id: 1, points: 2, remark: "x".to_owned() }));
        assert_eq!(paths(parse_grant(br#"{"points":0}"#, &Policy::default())), ["/userId", "/points"]);
    }
}
