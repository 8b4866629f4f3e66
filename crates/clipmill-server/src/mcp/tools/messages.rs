//! Messages in replies to agents, who read the text only.

use serde_json::Value;

/// Removes the codes and parameters of messages; a failure keeps its own code.
pub fn without_codes(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            let coded: &[&str] = if members.contains_key("messageCode") {
                &["messageCode", "messageParams"]
            } else if members.contains_key("message") {
                &["code", "params"]
            } else {
                &[]
            };
            for name in coded {
                members.shift_remove(*name);
            }
            for member in members.values_mut() {
                *member = without_codes(member.take());
            }
        }
        Value::Array(entries) => {
            for entry in entries {
                *entry = without_codes(entry.take());
            }
        }
        _ => {}
    }
    value
}
