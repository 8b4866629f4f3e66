//! Previews: parameters, errors, and rate limits.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clipmill_core::ids::UserId;
use serde_json::{Value, json};

use crate::harness::{Service, User, task};

const PREVIEW: &str = "/open-api/v1/preview";
const CLIP: &str = "/open-api/v1/preview/clip";

async fn upload(service: &Service, user: &User) -> String {
    let response = service.upload(user, "/open-api/v1/uploads", "MEDIA").await;
    response.data()["url"].as_str().unwrap().to_owned()
}

fn of_upload(url: &str) -> Value {
    let mut task = task();
    task["params"]["videoList"][0]["filename"] = json!(url);
    task
}

fn paths(errors: &Value) -> Vec<&str> {
    errors["errors"].as_array().unwrap().iter().map(|error| error["path"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_frame_is_the_requested_one() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let url = upload(&service, &ann).await;
    // Ten seconds at 30 frames per second.
    for (asked, width, frame, at) in [
        (json!({}), 720, 100, "3.333"),
        (json!({ "atSeconds": 2.5 }), 720, 75, "2.500"),
        (json!({ "atSeconds": 99, "clip": 0, "width": 64 }), 64, 299, "9.967"),
    ] {
        let mut body = asked;
        body["request"] = of_upload(&url);
        let response = service.post(&ann, PREVIEW, body.to_string()).await;
        assert_eq!(String::from_utf8_lossy(&response.body), format!("JPEG {width} {frame}"), "{body}");
        assert_eq!((response.header("content-type"), response.header("x-at-seconds")), ("image/jpeg", at));
        assert_eq!(response.header("x-length-seconds"), "10.000");
        assert!(response.header("ratelimit").starts_with("\"previewing\";"), "{response:?}");
    }
    assert_eq!(service.get(&ann, "/open-api/v1/video-process/records").await.data()["total"], 0);
}

#[tokio::test]
async fn a_rendered_frame_is_cached() {
    let service = Service::start().await;
    let [ann, bob] = [service.user("ann", 0).await, service.user("bob", 0).await];
    for user in [&ann, &ann, &bob] {
        let url = upload(&service, user).await;
        let body = json!({ "request": of_upload(&url) }).to_string();
        assert_eq!(service.post(user, PREVIEW, body).await.status, 200);
    }
    // The same content under different names; the name is used in errors only.
    assert_eq!(service.media.frames.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn errors_have_the_same_paths_as_for_a_submission() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let url = upload(&service, &ann).await;
    let error =
        async |body: Value, code: u16| service.post(&ann, PREVIEW, body.to_string()).await.error(code);
    let check = async |body: Value, expected: &[&str]| {
        assert_eq!(paths(&error(body.clone(), 40001).await), expected, "{body}");
    };
    check(json!({}), &["/request"]).await;
    let mut wrong = of_upload(&url);
    wrong["params"]["options"] = json!({ "fps": 31 });
    check(json!({ "request": wrong, "width": 9 }), &["/params/options/fps", "/width"]).await;
    check(json!({ "request": of_upload("upload://0123") }), &["/params/videoList/0/filename"]).await;
    check(json!({ "request": of_upload(&url), "itemNo": 2 }), &["/itemNo"]).await;
    check(json!({ "request": of_upload(&url), "clip": 1 }), &["/clip"]).await;
    // A file that cannot be fetched is an error at each of its places.
    let mut twice = task();
    let options = json!({ "picMask": { "isMask": true, "picFiles": ["https://media.example/a.mp4"] } });
    twice["params"]["options"] = options;
    check(
        json!({ "request": twice }),
        &["/params/videoList/0/filename", "/params/options/picMask/picFiles/0"],
    )
    .await;
    // Other places of the same file are not named: those of other outputs, and those beside the requested clip.
    let clip = twice["params"]["videoList"][0].clone();
    twice["params"]["videoList"] = json!([clip.clone(), clip]);
    check(
        json!({ "request": twice, "itemNo": 2 }),
        &["/params/videoList/1/filename", "/params/options/picMask/picFiles/0"],
    )
    .await;
    check(json!({ "request": twice, "itemNo": 2, "clip": 0 }), &["/params/videoList/1/filename"]).await;
    let clip = json!({ "url": "https://media.example/a.mp4" });
    let group = json!({ "videos": [clip, clip], "totalDuration": 2 });
    let mix = json!({ "taskType": "baseVideoMix", "params": { "videoList": [group, group] } });
    let at = |group: usize, clip: usize| format!("/params/videoList/{group}/videos/{clip}/url");
    check(json!({ "request": mix, "itemNo": 2, "clip": 1 }), &[&at(1, 1)]).await;
    check(json!({ "request": mix }), &[&at(0, 0), &at(0, 1)]).await;
    // Another user's upload does not exist for this user.
    let bob = service.user("bob", 0).await;
    let body = json!({ "request": of_upload(&url) }).to_string();
    let refused = service.post(&bob, PREVIEW, body).await.error(40001);
    assert_eq!(paths(&refused), ["/params/videoList/0/filename"]);
}

#[tokio::test]
async fn previews_have_a_limit_of_their_own() {
    let slow = |config: &mut clipmill_server::Config| {
        config.limits.preview_rate = "1/h".parse().unwrap();
        config.limits.preview_burst = 1.try_into().unwrap();
    };
    let service = Service::with(slow).await;
    let ann = service.user("ann", 0).await;
    service.post(&ann, PREVIEW, "{}").await.error(40001);
    service.post(&ann, "/open-api/v1/probe", "{}").await.error(42900);
    service.get(&ann, "/open-api/v1/uploads/0123/thumbnail").await.error(42900);
    service.submit(&ann, &task()).await.error(40200);
}

#[tokio::test]
async fn files_can_be_probed_by_their_owner() {
    let service = Service::start().await;
    let [ann, bob] = [service.user("ann", 0).await, service.user("bob", 0).await];
    let url = upload(&service, &ann).await;
    let body = json!({ "url": url, "atSeconds": 1, "width": 100 }).to_string();
    let probe_result = service.post(&ann, "/open-api/v1/probe", body.clone()).await.data();
    assert_eq!(
        (&probe_result["url"], &probe_result["media"]["video"]["duration"]),
        (&json!(url), &json!(10.0))
    );
    let shown = service.post(&ann, "/open-api/v1/thumbnail", body.clone()).await;
    assert_eq!(shown.body, "JPEG 100 30");
    let asked = json!({ "url": url, "atSeconds": 2, "seconds": 60 }).to_string();
    let heard = service.post(&ann, "/open-api/v1/sound", asked).await;
    assert_eq!((heard.header("content-type"), heard.body.as_ref()), ("audio/mp4", b"M4A 2 8".as_slice()));
    assert_eq!((heard.header("x-at-seconds"), heard.header("x-length-seconds")), ("2.000", "10.000"));
    for path in ["probe", "thumbnail", "sound"] {
        let refused = service.post(&bob, &format!("/open-api/v1/{path}"), body.clone()).await.error(40001);
        assert_eq!(paths(&refused), ["/url"]);
        let elsewhere = json!({ "url": "https://media.example/a.mp4" }).to_string();
        let refused = service.post(&ann, &format!("/open-api/v1/{path}"), elsewhere).await.error(40001);
        assert_eq!(paths(&refused), ["/url"]);
    }

    let address = format!("/open-api/v1/uploads/{}/thumbnail", url.strip_prefix("upload://").unwrap());
    let shown = service.get(&ann, &address).await;
    assert_eq!(
        (shown.header("content-type"), shown.body.as_ref()),
        ("image/jpeg", b"JPEG 320 30".as_slice())
    );
    assert_eq!(shown.header("cache-control"), "private, max-age=86400, immutable");
    service.get(&bob, &address).await.error(40400);
    let refused = service.get(&ann, &format!("{address}?width=1&atSeconds=-1")).await.error(40001);
    assert_eq!(paths(&refused), ["/query/atSeconds", "/query/width"]);
}

#[tokio::test]
async fn seconds_of_an_output_can_be_played() {
    let service = Service::start().await;
    let [ann, bob] = [service.user("ann", 0).await, service.user("bob", 0).await];
    let url = upload(&service, &ann).await;
    // Ten seconds at 30 frames per second: four by default, at most the remaining ones, at least one.
    for (asked, at, frames) in [
        (json!({}), "0.000", 120),
        (json!({ "atSeconds": 2.5, "seconds": 0.1 }), "2.500", 3),
        (json!({ "atSeconds": 8, "seconds": 10, "clip": 0 }), "8.000", 60),
        (json!({ "atSeconds": 99 }), "9.000", 30),
    ] {
        let mut body = asked;
        body["request"] = of_upload(&url);
        let response = service.post(&ann, CLIP, body.to_string()).await;
        let place: f64 = at.parse().unwrap();
        assert_eq!(String::from_utf8_lossy(&response.body), format!("MP4 {place} {frames}"), "{body}");
        assert_eq!((response.header("content-type"), response.header("x-at-seconds")), ("video/mp4", at));
        assert_eq!(response.header("x-length-seconds"), "10.000");
        assert!(response.header("ratelimit").starts_with("\"previewing\";"), "{response:?}");
    }
    assert_eq!(service.get(&ann, "/open-api/v1/video-process/records").await.data()["total"], 0);
    let refused = async |user: &User, body: Value, expected: &[&str]| {
        let error = service.post(user, CLIP, body.to_string()).await.error(40001);
        assert_eq!(paths(&error), expected, "{body}");
    };
    let of = |url: &str, seconds: f64, clip: u32| json!({ "request": of_upload(url), "seconds": seconds, "clip": clip });
    refused(&ann, of(&url, 181.0, 0), &["/seconds"]).await;
    refused(&ann, of(&url, 1.0, 1), &["/clip"]).await;
    refused(&ann, of("upload://0123", 1.0, 0), &["/params/videoList/0/filename"]).await;
    refused(&ann, of("https://media.example/a.mp4", 1.0, 0), &["/params/videoList/0/filename"]).await;
    refused(&bob, of(&url, 1.0, 0), &["/params/videoList/0/filename"]).await;
}

#[tokio::test]
async fn long_clips_leave_room_for_short_ones() {
    let service = Service::start().await;
    let bob = service.user("bob", 0).await;
    let url = upload(&service, &bob).await;
    let permits = &service.app.semaphores;
    // Other users play as many long clips as there can be.
    let mut held = Vec::new();
    for user in (1_000..1_064).map(UserId) {
        let Ok(long) = permits.long_clips.try_acquire(user) else { break };
        held.push((long, permits.clips.try_acquire(user).unwrap()));
    }
    let clip = json!({ "url": url });
    let twice =
        json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [clip, clip] }] } });
    let play = |seconds: u32| json!({ "request": twice, "seconds": seconds }).to_string();
    let response = service.post(&bob, CLIP, play(10)).await;
    assert_eq!(response.body, "MP4 0 300", "a short clip is rendered meanwhile");
    let long = service.post(&bob, CLIP, play(180));
    assert!(tokio::time::timeout(Duration::from_millis(300), long).await.is_err(), "a long one waits");
    drop(held);
    assert_eq!(service.post(&bob, CLIP, play(180)).await.body, "MP4 0 600");
}

#[tokio::test]
async fn clips_of_one_user_are_rendered_one_by_one_and_do_not_block_others() {
    let service = Arc::new(Service::start().await);
    let [ann, bob] = [service.user("ann", 0).await, service.user("bob", 0).await];
    let (mine, others) = (upload(&service, &ann).await, upload(&service, &bob).await);
    let ann = Arc::new(ann);
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..20 {
        // This clip never finishes.
        let body = json!({ "request": of_upload(&mine), "atSeconds": 7 }).to_string();
        let (service, ann) = (service.clone(), ann.clone());
        crowd.spawn(async move { service.post(&ann, CLIP, body).await });
    }
    let in_progress = |service: &Service| service.media.clips.load(Ordering::Relaxed);
    let started = async {
        while in_progress(&service) == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(300), started).await.unwrap();
    let body = json!({ "request": of_upload(&others), "atSeconds": 1 }).to_string();
    let response =
        tokio::time::timeout(Duration::from_secs(300), service.post(&bob, CLIP, body)).await.unwrap();
    assert_eq!(response.body, "MP4 1 120");
    assert_eq!(in_progress(&service), 1, "the others of the same user wait");
    crowd.abort_all();
    while crowd.join_next().await.is_some() {}
    assert_eq!(in_progress(&service), 0, "nothing is rendered for a disconnected client");
    assert!(service.app.semaphores.clips.try_acquire(ann.id).is_ok());
}
