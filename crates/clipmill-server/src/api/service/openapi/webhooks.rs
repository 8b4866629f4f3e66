//! The messages that the service sends to callback addresses, as `webhooks` of the description.

use serde_json::{Map, Value, json};

/// The webhooks; the examples are those of the operations that return the same data.
pub fn webhooks(examples: &Map<String, Value>) -> Value {
    let data =
        |operation: &str| examples.get(operation).map(|example| example["data"].clone()).unwrap_or_default();
    json!({
        "taskEnded": webhook(
            "taskEnded",
            "A task has ended.",
            "Sent to the task's `callbackUrl` once the task is in a final state.",
            "TaskCallbackEvent",
            message("task.completed", data("getTask")),
        ),
        "batchEnded": webhook(
            "batchEnded",
            "A batch has ended.",
            "Sent to the batch's `callbackUrl` once all of its rows have ended.",
            "BatchCallbackEvent",
            message("batch.completed", data("getBatch")),
        ),
    })
}

fn message(kind: &str, data: Value) -> Value {
    json!({ "type": kind, "timestamp": data["finishTime"], "data": data })
}

fn webhook(name: &str, summary: &str, description: &str, schema: &str, example: Value) -> Value {
    let header = |name: &str, description: &str, example: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": { "type": "string" }, "example": example,
        })
    };
    json!({
        "post": {
            "operationId": name,
            "tags": ["callbacks"],
            "summary": summary,
            "description": format!(
                "{description} The message is signed by the Standard Webhooks scheme and repeated until the receiver \
                 returns 2xx or 410. Verify the signature before you use the message."
            ),
            "security": [],
            "parameters": [
                header("webhook-id", "The event's id, the same at every attempt.", "evt_VP01M7Y7SJE4P7BM18RVJ8SFE3ZB"),
                header("webhook-timestamp", "The time of this attempt, in seconds since 1970.", "1795237418"),
                header(
                    "webhook-signature",
                    "Signatures of id, timestamp and body, separated by spaces; several while a secret is replaced.",
                    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
                ),
            ],
            "requestBody": {
                "required": true,
                "content": {
                    "application/json": {
                        "schema": { "$ref": format!("#/components/schemas/{schema}") },
                        "example": example,
                    },
                },
            },
            "responses": {
                "2XX": { "description": "The receiver accepted the message." },
                "410": { "description": "The receiver wants no further attempts." },
                "default": { "description": "The message is sent again later." },
            },
        },
    })
}

/// Schemas of the messages.
pub fn schemas() -> [(&'static str, Value); 2] {
    [
        ("TaskCallbackEvent", schema("A task has ended.", "When the task ended.", "EventType", "Task")),
        (
            "BatchCallbackEvent",
            schema("A batch has ended.", "When the batch ended.", "BatchEventType", "Batch"),
        ),
    ]
}

fn schema(about: &str, timestamp: &str, kind: &str, data: &str) -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    json!({
        "type": "object",
        "description": about,
        "required": ["type", "timestamp", "data"],
        "properties": {
            "type": reference(kind),
            "timestamp": { "type": "string", "format": "date-time", "description": timestamp },
            "test": { "type": "boolean", "description": "`true` in a message that `testCallback` sent; otherwise absent." },
            "data": reference(data),
        },
    })
}
