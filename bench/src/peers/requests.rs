//! The requests to clipmill, and the same in ffmpeg's filters.

use anyhow::Context;
use clipmill_core::looks::Look;
use serde_json::{Value, json};

/// One output for each row of URLs, cropped to portrait.
pub fn base_mix(rows: &[Vec<String>]) -> Value {
    let clip = |url: &String| json!({ "url": url });
    let group = |row: &Vec<String>| json!({ "videos": row.iter().map(clip).collect::<Vec<_>>() });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": rows.iter().map(group).collect::<Vec<_>>(),
        "options": { "resolution": "720:1280", "resolutionMode": "crop", "fps": 30 } } })
}

/// The request with outputs of another size.
pub fn sized(mut request: Value, (width, height): (u32, u32)) -> Value {
    request["params"]["options"]["resolution"] = json!(format!("{width}:{height}"));
    request
}

/// One output of five seconds from each of these positions of a file.
pub fn excerpts(url: &str, from_s: &[u32]) -> Value {
    let clip = |from: &u32| json!({ "url": url, "from": from, "to": from + super::clips::SECONDS as u32 });
    let mut request = base_mix(&[Vec::new()]);
    request["params"]["videoList"][0]["videos"] = from_s.iter().map(clip).collect();
    request
}

pub fn with_music(mut request: Value, url: &str) -> Value {
    request["params"]["options"]["backgroundMusic"] = json!({ "url": url, "volume": 50, "fadeIn": 0.5 });
    request
}

pub fn with_captions(mut request: Value, url: &str) -> Value {
    request["params"]["options"]["subtitle"] = json!({ "url": url, "style": { "fontSize": 14 } });
    request
}

const DEGREES: f64 = 2.0;
const ZOOM: f64 = 1.1;
const BALANCE: f64 = 0.1;

/// All options of colour and geometry, each range a single value, so that an expert could do the same.
pub fn variation(url: &str) -> Value {
    json!({ "taskType": "videoDeduplication", "params": { "seed": 5,
        "videoList": [{ "filename": url, "duration": super::clips::SECONDS }],
        "options": {
            "isMirror": true, "isFilter": true, "fps": super::clips::FPS,
            "rotation": { "isRotate": true, "minAngle": DEGREES, "maxAngle": DEGREES },
            "zoom": { "isZoom": true, "minScale": ZOOM, "maxScale": ZOOM },
            "colourMixing": { "isMixing": true, "brightnessMin": 0.1, "brightnessMax": 0.1,
                "contrastMin": 1.1, "contrastMax": 1.1, "saturationMin": 1.1, "saturationMax": 1.1,
                "gammaMin": 1.1, "gammaMax": 1.1 },
            "hueMixing": { "isMixing": true, "h": 10, "s": 0.1, "b": 0 },
            "colorBalance": { "isBalance": true, "rs": BALANCE, "gm": BALANCE, "bh": BALANCE } } } })
}

/// Ten variations by the most common options, each value drawn from a range.
pub fn ten_variations(url: &str) -> Value {
    json!({ "taskType": "videoDeduplication", "params": { "seed": 5,
        "videoList": [{ "filename": url, "duration": super::clips::SECONDS, "copies": 10 }],
        "options": {
            "isMirror": true, "fps": super::clips::FPS,
            "speed": { "isSpeed": true, "start": 1.0, "end": 1.2 },
            "rotation": { "isRotate": true, "minAngle": 0.5, "maxAngle": DEGREES },
            "zoom": { "isZoom": true, "minScale": 1.0, "maxScale": ZOOM },
            "colourMixing": { "isMixing": true } } } })
}

/// The same as [`variation`] for a 1080p video, with the look that was drawn.
pub fn variation_filters(recipe: &Value) -> anyhow::Result<String> {
    let name = recipe["look"].as_str().with_context(|| format!("no look in the recipe {recipe}"))?;
    let look = Look::find(name).with_context(|| format!("the look {name} is not known here"))?;
    let look: Vec<_> = look.filters().iter().map(ToString::to_string).collect();
    Ok(format!(
        "{},hue=h=10:s=1.1,colorbalance=rs={BALANCE}:gm={BALANCE}:bh={BALANCE},{}",
        turned_and_mixed(recipe)?,
        look.join(",")
    ))
}

/// The same as one of [`ten_variations`], and its speed.
pub fn of_ten_filters(recipe: &Value) -> anyhow::Result<(String, f64)> {
    let speed = number(recipe, "/speed")?;
    Ok((format!("setpts=PTS/{speed},{}", turned_and_mixed(recipe)?), speed))
}

/// Mirrored, rotated and enlarged, and coloured according to the recipe of a 1080p video.
fn turned_and_mixed(recipe: &Value) -> anyhow::Result<String> {
    let angle = number(recipe, "/angle")?.to_radians();
    // Enlarged just enough that no corner is empty, times the zoom.
    let scale = number(recipe, "/scale")? * (angle.cos() + angle.sin() * 16.0 / 9.0);
    let (width, height) = (even(1920.0 * scale), even(1080.0 * scale));
    let mixed = ["brightness", "contrast", "saturation", "gamma"].map(|name| {
        let value = number(recipe, &format!("/colour/{name}"))?;
        anyhow::Ok(format!("{name}={value}"))
    });
    let mixed = mixed.into_iter().collect::<anyhow::Result<Vec<_>>>()?.join(":");
    Ok(format!("hflip,scale={width}:{height},rotate={angle:.6}:bilinear=1,crop=1920:1080,eq={mixed}"))
}

fn number(recipe: &Value, pointer: &str) -> anyhow::Result<f64> {
    recipe
        .pointer(pointer)
        .and_then(Value::as_f64)
        .with_context(|| format!("no {pointer} in the recipe {recipe}"))
}

fn even(size: f64) -> u32 {
    (size / 2.0).ceil() as u32 * 2
}
