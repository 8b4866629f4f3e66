//! One request of each kind, for the API description.

use clipmill_core::request::model::TaskType;
use serde_json::{Value, json};

pub fn request(kind: TaskType) -> Value {
    match kind {
        TaskType::VideoDeduplication => json!({
            "taskType": "videoDeduplication",
            "clientTaskId": "order-1001",
            "params": {
                "videoList": [{ "filename": "https://media.example.com/city.mp4", "duration": 7.6 }],
                "options": {
                    "isMirror": true,
                    "isFilter": true,
                    "speed": { "isSpeed": true, "start": 1.0, "end": 1.2 },
                    "zoom": { "isZoom": true, "minScale": 1.0, "maxScale": 1.1 },
                },
            },
        }),
        TaskType::BaseVideoMix => json!({
            "taskType": "baseVideoMix",
            "clientTaskId": "order-1002",
            "params": {
                "videoList": [{
                    "videos": [
                        { "url": "https://media.example.com/opening.mp4", "duration": 5.3 },
                        { "url": "https://media.example.com/city.mp4", "duration": 7.6 },
                    ],
                }],
                "options": {
                    "resolution": "720:1280",
                    "resolutionMode": "crop",
                    "backgroundMusic": { "url": "https://media.example.com/music.mp3", "volume": 40 },
                    "subtitle": { "url": "https://media.example.com/captions.srt", "style": { "bottom": 160 } },
                },
            },
        }),
        TaskType::ProVideoMix => json!({
            "taskType": "proVideoMix",
            "clientTaskId": "order-1003",
            "params": {
                "audioMode": "split",
                "generateCount": 2,
                "scenes": [
                    {
                        "sceneKey": "opening", "sceneName": "Opening", "duration": 3,
                        "resources": [
                            { "url": "https://media.example.com/opening-1.mp4" },
                            { "url": "https://media.example.com/opening-2.mp4" },
                        ],
                    },
                    {
                        "sceneKey": "product", "sceneName": "Product", "duration": 4,
                        "resources": [
                            { "url": "https://media.example.com/product-1.mp4" },
                            { "url": "https://media.example.com/product-2.mp4" },
                        ],
                        "audioResources": [{ "url": "https://media.example.com/voice.mp3", "startTime": 0.5 }],
                    },
                ],
                "options": { "resolution": "1080:1920" },
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use clipmill_core::request::{Policy, UnknownFields, parse};
    use utoipa::PartialSchema;

    use super::*;
    use crate::view::TaskTypeName;

    #[test]
    fn the_description_and_the_tools_of_agents_name_every_kind() {
        let described = serde_json::to_value(TaskTypeName::schema()).unwrap();
        assert_eq!(described["enum"], json!(TaskType::ALL.map(TaskType::as_str)));
        let tools = [
            include_str!("../mcp/tools/describe.rs"),
            include_str!("../mcp/tools/spend.rs"),
            include_str!("../mcp/tools/task.rs"),
        ];
        for (tool, kind) in tools.iter().flat_map(|tool| TaskType::ALL.map(|kind| (tool, kind))) {
            assert!(tool.contains(kind.as_str()), "{} is missing in: {tool}", kind.as_str());
        }
    }

    #[test]
    fn the_examples_are_accepted_without_a_remark() {
        let policy = Policy { unknown_fields: UnknownFields::Deny, ..Policy::default() };
        for kind in TaskType::ALL {
            let accepted = parse(request(kind).to_string().as_bytes(), &policy).unwrap();
            assert_eq!(accepted.request.params.task_type(), kind);
            assert_eq!(accepted.warnings, []);
        }
    }
}
