//! The number of jobs for many outputs of few clips: a small version of the bench, without a clock.

use serde_json::{Value, json};

use crate::harness::{Service, count, make};

/// Segments rendered, outputs assembled, outputs linked; encoded audio files in the cache.
fn spent(service: &Service) -> [usize; 4] {
    let log = service.log();
    let output = |what: &str| log.matches(what).count();
    let sounds = count(&service.data.path().join("cache"), "m4a");
    [output("made=Rendered"), output("linked=false"), output("linked=true"), sounds]
}

/// Every first clip before every second one, with music.
fn combinations(first: &[&str], second: &[&str], music: &str) -> Value {
    let group = |a: &&str, b: &&str| json!({ "videos": [{ "url": a }, { "url": b }] });
    let groups: Vec<Value> = first.iter().flat_map(|a| second.iter().map(move |b| group(a, b))).collect();
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": groups,
        "options": {
            "resolution": "720:1280", "resolutionMode": "crop", "fps": 30, "originalVolume": 0,
            "backgroundMusic": { "url": music, "volume": 30 } } } })
}

#[tokio::test]
async fn outputs_cost_only_their_new_parts() {
    let service = Service::start(500).await;
    let folder = tempfile::tempdir().unwrap();
    let mut clips = Vec::new();
    for (name, source) in [("a", "testsrc2"), ("b", "smptebars"), ("c", "rgbtestsrc"), ("d", "pal75bars")] {
        let file = format!("{name}.mp4");
        let picture = format!("-f lavfi -i {source}=s=320x180:r=30:d=0.5 -c:v libx264 -preset ultrafast");
        make(folder.path(), &format!("{picture} -pix_fmt yuv420p {file}"));
        clips.push(service.upload(&folder.path().join(file)).await);
    }
    make(folder.path(), "-f lavfi -i sine=frequency=300:duration=2 music.wav");
    let music = service.upload(&folder.path().join("music.wav")).await;
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| clips[i].as_str());

    // Each request, and the total cost so far.
    let four = combinations(&[a, b], &[c, b], &music);
    let replaced = combinations(&[a, b], &[d, b], &music);
    for (request, expected) in [
        // Three clips and the music; four outputs with the same audio.
        (&four, [4, 4, 0, 1]),
        // Repeating the request renders nothing new.
        (&four, [4, 4, 4, 1]),
        // One clip is new, and with it two of the outputs.
        (&replaced, [5, 6, 6, 1]),
    ] {
        let status = service.ended(&service.accepted(request).await).await;
        assert_eq!((&status["status"], &status["completedItems"]), (&json!(3), &json!(4)), "{status:#}");
        assert_eq!(spent(&service), expected, "{}", service.log());
    }
    service.assert_audit();
}
