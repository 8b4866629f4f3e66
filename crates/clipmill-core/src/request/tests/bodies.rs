//! One body per task type with every field of the API.

use serde_json::{Value, json};

/// A request with every option switched on.
pub fn dedup() -> Value {
    json!({
        "taskType": "videoDeduplication",
        "callbackUrl": "https://example.com/done",
        "clientTaskId": "order-17",
        "params": {
            "videoList": [{"filename": "https://example.com/a.mp4", "duration": 12.5}],
            "seed": 7,
            "options": {
                "isMirror": true,
                "isFilter": true,
                "fps": 25,
                "frameExtraction": {"isExtract": true, "start": 26, "end": 29},
                "speed": {"isSpeed": true, "start": 0.8, "end": 1.8},
                "rotation": {"isRotate": true, "direction": "counterclockwise", "minAngle": 1, "maxAngle": 5},
                "zoom": {"isZoom": true, "minScale": 1.1, "maxScale": 1.3},
                "colourMixing": {
                    "isMixing": true, "brightnessMin": -0.2, "brightnessMax": 0.3,
                    "contrastMin": 0.8, "contrastMax": 1.2, "saturationMin": 0.7,
                    "saturationMax": 1.3, "gammaMin": 0.6, "gammaMax": 1.4
                },
                "hueMixing": {"isMixing": true, "h": 15, "s": 0.2, "b": 0.3},
                "colorBalance": {
                    "isBalance": true, "rs": 0.1, "gs": 0.2, "bs": 0.3, "rh": 0.4, "gh": 0.5,
                    "bh": 0.6, "rm": 0.7, "gm": 0.8, "bm": 0.9
                },
                "picMask": {"isMask": false, "picFiles": ["https://example.com/m.png"], "layerCount": 2, "trans": 5},
                "videoMask": {"isMask": false, "videoFiles": ["https://example.com/m.mp4"], "layerCount": 2, "trans": 5},
                "effect": {"trans": 5, "duration": 1, "position": 50},
                "PIP": {"isPIP": false, "padding": 20, "fillMode": 1, "fillVideoPath": "https://example.com/f.mp4"}
            }
        }
    })
}

pub fn base() -> Value {
    json!({
        "taskType": "baseVideoMix",
        "callbackUrl": "https://example.com/done",
        "clientTaskId": "order-18",
        "params": {
            "videoList": [{
                "videos": [
                    {"url": "https://example.com/a.mp4", "duration": 5, "sceneName": "opening"},
                    {"url": "https://example.com/b.mp4"}
                ],
                "totalDuration": 8.5
            }],
            "isShortest": true,
            "seed": 7,
            "options": mix_options()
        }
    })
}

pub fn pro() -> Value {
    let mut options = mix_options();
    options["isShortest"] = json!(true);
    json!({
        "taskType": "proVideoMix",
        "callbackUrl": "https://example.com/done",
        "clientTaskId": "order-19",
        "params": {
            "scenes": [
                {
                    "sceneKey": "s1", "sceneName": "opening", "duration": 3,
                    "resources": [
                        {"key": "a", "url": "https://example.com/a.mp4", "duration": 5},
                        {"url": "https://example.com/b.mp4"},
                        {"url": "https://example.com/c.mp4"}
                    ],
                    "audioResources": [{"url": "https://example.com/a.mp3", "duration": 4, "startTime": 0.5}]
                },
                {
                    "sceneKey": "s2", "sceneName": "closing", "duration": 4,
                    "resources": [{"url": "https://example.com/d.mp4"}, {"url": "https://example.com/e.mp4"}]
                }
            ],
            "audioMode": "split",
            "generateCount": 3,
            "combinations": [[2, 1]],
            "seed": 7,
            "options": options
        }
    })
}

fn mix_options() -> Value {
    let track = |url: &str| {
        json!({
            "url": url, "fileName": "track.mp3", "duration": 60, "volume": 30, "fadeIn": 1, "fadeOut": 2
        })
    };
    json!({
        "resolution": "1080:1920",
        "resolutionMode": "crop",
        "background": "blur",
        "fps": 25,
        "originalVolume": 50,
        "ducking": false,
        "backgroundMusic": track("https://example.com/m.mp3"),
        "audio": track("https://example.com/v.mp3"),
        "subtitle": {
            "url": "https://example.com/s.srt",
            "fileName": "s.srt",
            "style": {
                "fontSize": 16, "fontColor": "#FF0", "outlineColor": "#102030", "backColor": "#10203040",
                "bottom": 80, "magnification": 3.25
            }
        }
    })
}
