//! The bodies of shares: which outputs, and until when.

use super::preview::read_body;
use super::reader::{Fields, LONGEST_MOMENT};
use super::{Policy, RequestError};

/// The maximum number of outputs of a share.
pub const MOST_SHARED: usize = 1_000;
const MOST_TASKS: usize = 100;
const LONGEST_NUMBER: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareRequest {
    /// `None` means all items.
    pub items: Option<Vec<u32>>,
    /// The time as the client sent it; the caller parses it.
    pub expires_at: Option<String>,
}

/// A share of several tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiTaskShareRequest {
    pub tasks: Vec<SharedTaskRequest>,
    pub expires_at: Option<String>,
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
        let expires_at = fields.get("expiresAt").text(LONGEST_MOMENT);
        Some(ShareRequest { items: items?, expires_at })
    })
}

pub fn parse_multi_task_share(body: &[u8], policy: &Policy) -> Result<MultiTaskShareRequest, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        let tasks = fields.need("tasks").array(MOST_TASKS, |task| task.object(read_task).flatten());
        let expires_at = fields.get("expiresAt").text(LONGEST_MOMENT);
        Some(MultiTaskShareRequest { tasks: tasks?, expires_at })
    })
}

fn read_task(fields: &mut Fields) -> Option<SharedTaskRequest> {
    let task_no = fields.need("taskNo").text(LONGEST_NUMBER);
    let items = items(fields);
    Some(SharedTaskRequest { task_no: task_no?, items: items? })
}

/// The inner `None` means all.
fn items(fields: &mut Fields) -> Option<Option<Vec<u32>>> {
    let has_items = fields.has("items");
    let items = fields.get("items").array(MOST_SHARED, |item| item.integer(1..=u32::MAX.into()));
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
        assert_eq!(
            read(both),
            Ok(MultiTaskShareRequest { tasks, expires_at: Some("2030-01-01".to_owned()) })
        );
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
}
