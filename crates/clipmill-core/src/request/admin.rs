//! The bodies of operators' requests.

use std::ops::RangeInclusive;

use super::preview::read_body;
use super::reader::Fields;
use super::{Policy, RequestError};
use crate::message;

/// The points of one grant.
const POINTS: RangeInclusive<u64> = 1..=1_000_000_000_000;
const MAX_NAME_LENGTH: usize = 100;
const MAX_REMARK_LENGTH: usize = 200;
/// Scopes of one key.
const MAX_SCOPES: usize = 10;
const MAX_SCOPE_LENGTH: usize = 20;
const MAX_TIMESTAMP_LENGTH: usize = 40;
/// How long an invitation is valid.
const HOURS: RangeInclusive<u64> = 1..=72;

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

/// Points to be deducted; the reason is shown in the user's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeductionRequest {
    pub user_id: i64,
    pub points: u64,
    pub remark: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRequest {
    /// The unchecked names of the scopes; the caller knows the valid ones. `None`: the default scopes of clients.
    pub scopes: Option<Vec<String>>,
    /// The unparsed time; the caller parses it.
    pub expire_time: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationRequest {
    pub user_id: i64,
    /// As in [`KeyRequest`].
    pub scopes: Option<Vec<String>>,
    pub hours: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchOffRequest {
    /// The reason shown to the user.
    pub reason: String,
    /// Cancel their open tasks and batches, too.
    pub cancel: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PauseRequest {
    /// The reason shown to users whose tasks wait.
    pub reason: Option<String>,
}

pub fn parse_deduction(body: &[u8], policy: &Policy) -> Result<DeductionRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let user_id = fields.need("userId").integer(1..=i64::MAX as u64);
        let points = fields.need("points").integer(POINTS);
        let remark = required_text(fields, "remark");
        Some(DeductionRequest { user_id: user_id?, points: points?, remark: remark? })
    })
}

pub fn parse_key(body: &[u8], policy: &Policy) -> Result<KeyRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let scopes = fields.get("scopes").array(MAX_SCOPES, |scope| scope.text(MAX_SCOPE_LENGTH));
        let expire_time = fields.get("expireTime").text(MAX_TIMESTAMP_LENGTH);
        Some(KeyRequest { scopes, expire_time })
    })
}

pub fn parse_invitation(body: &[u8], policy: &Policy) -> Result<InvitationRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let user_id = fields.need("userId").integer(1..=i64::MAX as u64);
        let scopes = fields.get("scopes").array(MAX_SCOPES, |scope| scope.text(MAX_SCOPE_LENGTH));
        let hours = fields.get("hours").integer(HOURS);
        Some(InvitationRequest { user_id: user_id?, scopes, hours })
    })
}

/// The code of an invitation to redeem.
pub fn parse_invitation_code(body: &[u8], policy: &Policy) -> Result<String, RequestError> {
    read_body(body, policy, |fields: &mut Fields| fields.need("code").text(MAX_REMARK_LENGTH))
}

pub fn parse_switch_off(body: &[u8], policy: &Policy) -> Result<SwitchOffRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let reason = required_text(fields, "reason");
        let cancel = fields.get("cancel").boolean().unwrap_or(false);
        Some(SwitchOffRequest { reason: reason?, cancel })
    })
}

pub fn parse_pause(body: &[u8], policy: &Policy) -> Result<PauseRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let reason = fields.get("reason").text(MAX_REMARK_LENGTH).map(|reason| reason.trim().to_owned());
        Some(PauseRequest { reason: reason.filter(|reason| !reason.is_empty()) })
    })
}

/// A text that must not be empty.
fn required_text(fields: &mut Fields, name: &'static str) -> Option<String> {
    let text = fields.need(name).text(MAX_REMARK_LENGTH)?.trim().to_owned();
    if text.is_empty() {
        fields.refuse(name, message::is_empty(), None);
        return None;
    }
    Some(text)
}

pub fn parse_new_user(body: &[u8], policy: &Policy) -> Result<NewUserRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let name = fields.need("name").text(MAX_NAME_LENGTH);
        let points = fields.get("points").integer(0..=*POINTS.end());
        Some(NewUserRequest { name: name?, points: points.unwrap_or(0) })
    })
}

pub fn parse_grant(body: &[u8], policy: &Policy) -> Result<GrantRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let user_id = fields.need("userId").integer(1..=i64::MAX as u64);
        let points = fields.need("points").integer(POINTS);
        let remark = fields.get("remark").text(MAX_REMARK_LENGTH);
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

    #[test]
    fn deductions_and_revocations_need_a_reason() {
        let policy = Policy::default();
        let deduction = parse_deduction(br#"{"userId":1,"points":2,"remark":" paid back "}"#, &policy);
        assert_eq!(deduction, Ok(DeductionRequest { user_id: 1, points: 2, remark: "paid back".to_owned() }));
        for body in [r#"{"userId":1,"points":2}"#, r#"{"userId":1,"points":2,"remark":"  "}"#] {
            assert_eq!(paths(parse_deduction(body.as_bytes(), &policy)), ["/remark"], "{body}");
        }
        assert_eq!(paths(parse_deduction(br#"{"userId":1,"points":-2,"remark":"x"}"#, &policy)), ["/points"]);
        let off = parse_switch_off(br#"{"reason":"unpaid","cancel":true}"#, &policy);
        assert_eq!(off, Ok(SwitchOffRequest { reason: "unpaid".to_owned(), cancel: true }));
        assert_eq!(paths(parse_switch_off(br#"{"cancel":1}"#, &policy)), ["/reason", "/cancel"]);
        assert_eq!(parse_pause(br#"{"reason":" "}"#, &policy), Ok(PauseRequest::default()));
        let key = parse_key(br#"{"scopes":["read"],"expireTime":"2027-01-01"}"#, &policy).unwrap();
        assert_eq!(
            (key.scopes.unwrap(), key.expire_time.unwrap()),
            (vec!["read".to_owned()], "2027-01-01".to_owned())
        );
        assert_eq!(paths(parse_key(br#"{"scopes":[]}"#, &policy)), ["/scopes"]);
    }

    #[test]
    fn an_invitation_is_valid_for_at_most_three_days() {
        let policy = Policy::default();
        let read = |body: &str| parse_invitation(body.as_bytes(), &policy);
        let invitation = InvitationRequest { user_id: 7, scopes: None, hours: Some(72) };
        assert_eq!(read(r#"{"userId":7,"hours":72}"#), Ok(invitation));
        for hours in ["0", "73", "1.5", "\"x\""] {
            let body = format!("{{\"userId\":7,\"hours\":{hours}}}");
            assert_eq!(paths(read(&body)), ["/hours"], "{hours}");
        }
        assert_eq!(paths(read(r#"{"scopes":[]}"#)), ["/userId", "/scopes"]);
        assert_eq!(paths(parse_invitation_code(b"{}", &policy)), ["/code"]);
        assert_eq!(parse_invitation_code(br#"{"code":"x"}"#, &policy).as_deref(), Ok("x"));
    }
}
