//! The position of each value of a request in its normal form.

use serde_json::json;

use super::*;

#[track_caller]
fn check(body: &Value, pointer: &str, expected: Value) {
    let normal = serde_json::to_value(accepted(body).request).unwrap();
    assert_eq!(normal.pointer(pointer), Some(&expected), "{normal:#}");
}

#[test]
fn deduplication() {
    let expected = json!({
        "taskType": "videoDeduplication",
        "videos": [{"url": "https://example.com/a.mp4", "duration_s": 12.5}],
        "options": {
            "mirror": true,
            "filter": true,
            "fps": 25,
            "frame_extraction": {"min": 26.0, "max": 29.0},
            "speed": {"min": 0.8, "max": 1.8},
            "rotation": {"clockwise": false, "angle": {"min": 1.0, "max": 5.0}},
            "zoom": {"min": 1.1, "max": 1.3},
            "colour_mixing": {
                "brightness": {"min": -0.2, "max": 0.3},
                "contrast": {"min": 0.8, "max": 1.2},
                "saturation": {"min": 0.7, "max": 1.3},
                "gamma": {"min": 0.6, "max": 1.4}
            },
            "hue_mixing": {"hue_degrees": 15.0, "saturation": 0.2, "brightness": 0.3},
            "color_balance": {
                "shadows": [0.1, 0.2, 0.3], "midtones": [0.7, 0.8, 0.9], "highlights": [0.4, 0.5, 0.6]
            },
            "pic_mask": null,
            "video_mask": null,
            "effect": null,
            "pip": null
        },
        "seed": 7
    });
    check(&bodies::dedup(), "/params", expected);
    check(&bodies::dedup(), "/callbackUrl", json!("https://example.com/done"));
    check(&bodies::dedup(), "/clientTaskId", json!("order-17"));
}

#[test]
fn basic_mix() {
    let groups = json!([{
        "videos": [
            {"url": "https://example.com/a.mp4", "duration_s": 5.0},
            {"url": "https://example.com/b.mp4", "duration_s": null}
        ],
        "total_duration_s": 8.5
    }]);
    check(&bodies::base(), "/params/groups", groups);
    check(&bodies::base(), "/params/seed", json!(7));
    check(&bodies::base(), "/params/options", options());
}

#[test]
fn professional_mix() {
    let clip = |name: &str| json!({"url": format!("https://example.com/{name}.mp4"), "duration_s": null});
    let expected = json!({
        "taskType": "proVideoMix",
        "scenes": [
            {
                "key": "s1", "name": "opening", "duration_s": 3.0,
                "resources": [
                    {"url": "https://example.com/a.mp4", "duration_s": 5.0}, clip("b"), clip("c")
                ],
                "audio": [{"url": "https://example.com/a.mp3", "duration_s": 4.0, "start_s": 0.5}]
            },
            {
                "key": "s2", "name": "closing", "duration_s": 4.0,
                "resources": [clip("d"), clip("e")], "audio": []
            }
        ],
        "audio_mode": "split",
        "generate_count": 3,
        "combinations": [[2, 1]],
        "options": options(),
        "seed": 7
    });
    check(&bodies::pro(), "/params", expected);
}

fn options() -> Value {
    let track = |url: &str| json!({"url": url, "duration_s": 60.0, "volume_percent": 30, "fade_in_s": 1.0, "fade_out_s": 2.0});
    json!({
        "size": {"width": 1080, "height": 1920},
        "fill": "crop",
        "background": "blur",
        "fps": 25,
        "is_shortest": true,
        "music": track("https://example.com/m.mp3"),
        "voice": track("https://example.com/v.mp3"),
        "subtitle": {
            "url": "https://example.com/s.srt",
            "style": {
                "font_size": 16,
                "font_color": {"r": 255, "g": 255, "b": 0, "a": 255},
                "outline_color": {"r": 16, "g": 32, "b": 48, "a": 255},
                "back_color": {"r": 16, "g": 32, "b": 48, "a": 64},
                "bottom": 80,
                "magnification": 3.25
            }
        },
        "original_volume": 50
    })
}
