//! The probe result of a file as clients see it.

use clipmill_core::media::MediaInfo;
use serde_json::{Value, json};

pub fn media(info: &MediaInfo) -> Value {
    let video = info.video.as_ref().map(|video| {
        let display = video.display();
        json!({
            "codec": video.codec, "width": display.width, "height": display.height,
            "duration": video.duration_s, "frames": video.frames, "frameRate": video.rate, "rotation": video.rotation,
            "still": video.still,
        })
    });
    let audio = info.audio.as_ref().map(|audio| {
        json!({ "codec": audio.codec, "channels": audio.channels, "sampleRate": audio.sample_rate, "duration": audio.duration_s })
    });
    json!({ "format": info.format, "video": video, "audio": audio })
}
