//! The body that renames a task or changes its labels.

use super::preview::read_body;
use super::reader::Fields;
use super::task::distinct;
use super::{Policy, RequestError, schema};
use crate::message;
use crate::request::model::TaskType;

/// The new name and labels of a task. `None` leaves a value unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskNaming {
    /// An empty name removes the task's name.
    pub name: Option<String>,
    pub labels: Option<Vec<String>>,
}

/// Reads it by the rows of submissions; `null` removes the value.
pub fn parse_task_naming(body: &[u8], policy: &Policy) -> Result<TaskNaming, RequestError> {
    read_body(body, policy, |fields: &mut Fields| {
        // All types have these fields.
        fields.shape = Some(schema::shape(TaskType::ALL[0]));
        let [named, labelled] = ["name", "labels"].map(|field| fields.is_mentioned(field));
        if !named && !labelled {
            fields.refuse("name", message::is_required_or("labels"), None);
        }
        let name: Option<String> = fields.take("name")?;
        let labels = distinct(fields.take("labels").unwrap_or_default());
        Some(TaskNaming { name: named.then(|| name.unwrap_or_default()), labels: labelled.then_some(labels) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Result<(Option<&str>, Option<&[&str]>), &str>) {
        let read = parse_task_naming(body.as_bytes(), &Policy::default());
        let owned = |(name, labels): (Option<&str>, Option<&[&str]>)| TaskNaming {
            name: name.map(str::to_owned),
            labels: labels.map(|labels| labels.iter().map(|label| (*label).to_owned()).collect()),
        };
        let read = read.map_err(|error| match error {
            RequestError::Invalid { errors, .. } => {
                errors.into_iter().map(|error| error.path).collect::<String>()
            }
            RequestError::Syntax { .. } => "syntax".to_owned(),
        });
        assert_eq!(read, expected.map(owned).map_err(str::to_owned), "{body}");
    }

    #[test]
    fn a_task_is_named_by_the_rules_of_submissions() {
        check(r#"{"name":"Spring","labels":["a","b","a"]}"#, Ok((Some("Spring"), Some(&["a", "b"]))));
        check(r#"{"name":"Spring"}"#, Ok((Some("Spring"), None)));
        check(r#"{"labels":["a"]}"#, Ok((None, Some(&["a"]))));
        for body in [r#"{"name":null,"labels":null}"#, r#"{"name":"","labels":[]}"#] {
            check(body, Ok((Some(""), Some(&[]))));
        }
        check("{}", Err("/name"));
        check(r#"{"nmae":"x"}"#, Err("/name/nmae"));
        check(r#"{"name":5,"labels":[""]}"#, Err("/name/labels/0"));
        check(r#"{"name":"a\nb"}"#, Err("/name"));
        check(&format!(r#"{{"name":"{}"}}"#, "x".repeat(121)), Err("/name"));
        check(r#"{"labels":["1","2","3","4","5","6","7","8","9","10","11"]}"#, Err("/labels"));
        check("[]", Err(""));
        check("", Err("syntax"));
    }
}
