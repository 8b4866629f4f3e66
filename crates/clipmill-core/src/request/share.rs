//! The bodies of shares: which outputs, until when, and with which texts. Also those of feedback on them.

use super::preview::read_body;
use super::reader::{Fields, MAX_TIMESTAMP_LENGTH};
use super::{Policy, RequestError};
use crate::message;
use crate::subtitle::is_blank;

/// The maximum number of outputs of a share.
pub const MAX_SHARED: usize = 1_000;
const MAX_TASKS: usize = 100;
const MAX_NUMBER_LENGTH: usize = 40;
const MAX_TITLE_LENGTH: usize = 120;
const MAX_MESSAGE_LENGTH: usize = 500;
const MAX_COMMENT_LENGTH: usize = 500;
const MAX_NAME_LENGTH: usize = 60;
/// Of the name of a video, which is made of two numbers.
const MAX_ITEM_LENGTH: usize = 24;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareRequest {
    /// `None` means all items.
    pub items: Option<Vec<u32>>,
    /// The time as the client sent it; the caller parses it.
    pub expires_at: Option<String>,
    pub page: SharePage,
}

/// The contents of the page beside its videos.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharePage {
    pub title: Option<String>,
    pub message: Option<String>,
    /// Whether viewers can pick videos and comment.
    pub feedback: bool,
}

/// A share of several tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiTaskShareRequest {
    pub tasks: Vec<SharedTaskRequest>,
    pub expires_at: Option<String>,
    pub page: SharePage,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTaskRequest {
    /// The unparsed number; the caller parses it.
    pub task_no: String,
    pub items: Option<Vec<u32>>,
}

pub fn parse_share(body: &[u8], policy: &Policy) -> Result<ShareRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let items = items(fields);
        let expires_at = fields.get("expiresAt").text(MAX_TIMESTAMP_LENGTH);
        let page = read_page(fields);
        Some(ShareRequest { items: items?, expires_at, page })
    })
}

pub fn parse_multi_task_share(body: &[u8], policy: &Policy) -> Result<MultiTaskShareRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let tasks = fields.need("tasks").array(MAX_TASKS, |task| task.object(read_task).flatten());
        let expires_at = fields.get("expiresAt").text(MAX_TIMESTAMP_LENGTH);
        let page = read_page(fields);
        Some(MultiTaskShareRequest { tasks: tasks?, expires_at, page })
    })
}

fn read_page(fields: &mut Fields) -> SharePage {
    SharePage {
        title: fields.get("title").text(MAX_TITLE_LENGTH).and_then(trimmed),
        message: fields.get("message").lines(MAX_MESSAGE_LENGTH).and_then(trimmed),
        feedback: fields.get("feedback").boolean().unwrap_or(false),
    }
}

/// The text without the space around it; `None` if nothing of it is visible.
fn trimmed(text: String) -> Option<String> {
    (!is_blank(&text)).then(|| text.trim().to_owned())
}

/// A viewer picks a video, or no longer picks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickRequest {
    /// The unparsed name of the video; the caller parses it.
    pub item: String,
    pub picked: bool,
}

/// A comment of a viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentRequest {
    pub text: String,
    pub name: Option<String>,
    /// The unparsed name of the video; the caller parses it. `None`: about all of them.
    pub item: Option<String>,
}

pub fn parse_pick(body: &[u8], policy: &Policy) -> Result<PickRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let item = fields.need("item").text(MAX_ITEM_LENGTH);
        let picked = fields.need("picked").boolean();
        Some(PickRequest { item: item?, picked: picked? })
    })
}

pub fn parse_comment(body: &[u8], policy: &Policy) -> Result<CommentRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let text = fields.need("text").lines(MAX_COMMENT_LENGTH);
        if text.as_deref().is_some_and(is_blank) {
            fields.refuse("text", message::is_empty(), None);
        }
        let name = fields.get("name").text(MAX_NAME_LENGTH).and_then(trimmed);
        let item = fields.get("item").text(MAX_ITEM_LENGTH);
        Some(CommentRequest { text: text.and_then(trimmed)?, name, item })
    })
}

fn read_task(fields: &mut Fields) -> Option<SharedTaskRequest> {
    let task_no = fields.need("taskNo").text(MAX_NUMBER_LENGTH);
    let items = items(fields);
    Some(SharedTaskRequest { task_no: task_no?, items: items? })
}

/// The inner `None` means all.
fn items(fields: &mut Fields) -> Option<Option<Vec<u32>>> {
    let has_items = fields.has("items");
    let items = fields.get("items").array(MAX_SHARED, |item| item.integer(1..=u32::MAX.into()));
    (!has_items || items.is_some()).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_of_a_share_lists_its_outputs() {
        let read = |body: &str| {
            parse_multi_task_share(body.as_bytes(), &Policy::default()).map_err(|error| match error {
                RequestError::Invalid { errors, .. } => {
                    errors.into_iter().map(|error| error.path).collect::<Vec<_>>()
                }
                RequestError::Syntax { .. } => vec!["syntax".to_owned()],
            })
        };
        let task = |number: &str, items: Option<&[u32]>| SharedTaskRequest {
            task_no: number.to_owned(),
            items: items.map(<[u32]>::to_vec),
        };
        let both = r#"{"tasks":[{"taskNo":"VP1","items":[2,1]},{"taskNo":"VP2"}],"expiresAt":"2030-01-01"}"#;
        let tasks = vec![task("VP1", Some(&[2, 1])), task("VP2", None)];
        let expires_at = Some("2030-01-01".to_owned());
        assert_eq!(read(both), Ok(MultiTaskShareRequest { tasks, expires_at, page: SharePage::default() }));
        for (body, wrong) in [
            ("{}", "/tasks"),
            (r#"{"tasks":[]}"#, "/tasks"),
            (r#"{"tasks":["VP1"]}"#, "/tasks/0"),
            (r#"{"tasks":[{"items":[1]}]}"#, "/tasks/0/taskNo"),
            (r#"{"tasks":[{"taskNo":"VP1","items":[]}]}"#, "/tasks/0/items"),
            (r#"{"tasks":[{"taskNo":"VP1","items":[0]}]}"#, "/tasks/0/items/0"),
        ] {
            assert_eq!(read(body), Err(vec![wrong.to_owned()]), "{body}");
        }
    }

    fn paths<T: std::fmt::Debug>(read: Result<T, RequestError>) -> Vec<String> {
        match read {
            Err(RequestError::Invalid { errors, .. }) => errors.into_iter().map(|error| error.path).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_page_has_a_title_a_message_and_feedback_if_it_is_enabled() {
        let policy = Policy::default();
        let page = |body: &str| parse_share(body.as_bytes(), &policy).unwrap().page;
        assert_eq!(page("{}"), SharePage::default());
        let full = page(r#"{"title":" Spring ","message":"Hi,\r\npick two.\n","feedback":true}"#);
        let (title, message) = (Some("Spring".to_owned()), Some("Hi,\npick two.".to_owned()));
        assert_eq!(full, SharePage { title, message, feedback: true });
        let (long, longer) = ("x".repeat(120), "x".repeat(500));
        page(&format!(r#"{{"title":"{long}","message":"{longer}"}}"#));
        let wrong = format!(r#"{{"title":"{long}x","message":"{longer}x","feedback":"yes"}}"#);
        assert_eq!(paths(parse_share(wrong.as_bytes(), &policy)), ["/title", "/message", "/feedback"]);
        let wrong = br#"{"tasks":[{"taskNo":"VP1"}],"title":"a\nb","message":"a\u0000b"}"#;
        assert_eq!(paths(parse_multi_task_share(wrong, &policy)), ["/title", "/message"]);
    }

    #[test]
    fn a_comment_has_words() {
        let policy = Policy::default();
        let comment = parse_comment(br#"{"text":" a\nb ","name":" Li ","item":"2-1"}"#, &policy).unwrap();
        let (name, item) = (Some("Li".to_owned()), Some("2-1".to_owned()));
        assert_eq!(comment, CommentRequest { text: "a\nb".to_owned(), name, item });
        for wrong in ["{}", r#"{"text":" \n"}"#, r#"{"text":"\u200b\u2060"}"#, r#"{"text":5}"#] {
            assert_eq!(paths(parse_comment(wrong.as_bytes(), &policy)), ["/text"], "{wrong}");
        }
        let long = format!(r#"{{"text":"{}","name":"{}"}}"#, "x".repeat(501), "x".repeat(61));
        assert_eq!(paths(parse_comment(long.as_bytes(), &policy)), ["/text", "/name"]);
        assert_eq!(paths(parse_pick(b"{}", &policy)), ["/item", "/picked"]);
    }
}
