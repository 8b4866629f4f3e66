use clipmill_core::error::ErrorCode;
use clipmill_core::ids::{ItemId, TaskId, TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::plan::Warning;
use clipmill_store::LinkSecret;
use serde_json::json;

use super::*;
use crate::config::units::Span;

const NOW: i64 = 1_795_234_132_000;

fn task(state: TaskState, items: Vec<ItemRecord>) -> TaskRecord {
    TaskRecord {
        id: TaskId(7),
        task_no: TaskNo::new(0, [0; 10]),
        user: UserId(1),
        task_type: TaskType::ProVideoMix,
        client_task_id: None,
        name: None,
        labels: Vec::new(),
        template: None,
        state,
        seed: 1,
        total_items: items.len() as u32,
        completed_items: 0,
        failed_items: 0,
        estimated_points: 30,
        price: None,
        consumed_points: 0,
        frames_done: 150,
        frames_planned: 600,
        queue_position: None,
        work_left: None,
        created_at: NOW - 20_000,
        started_at: Some(NOW - 10_000),
        finished_at: None,
        error_message: None,
        warnings: vec![Warning { path: "/params/x".into(), message: Message::without_code("unknown") }],
        diversity: None,
        items,
        first_output: None,
    }
}

fn item(state: TaskState, result: Option<ItemResult>, error: Option<TaskError>) -> ItemRecord {
    ItemRecord {
        id: ItemId(1),
        item_no: 1,
        state,
        seed: 5,
        frames_done: 10,
        frames_planned: 10,
        recipe: json!({ "combination": [0, 1] }),
        warnings: Vec::new(),
        error,
        charged: 0,
        result,
        ended_order: None,
    }
}

fn result(expires_at: i64) -> ItemResult {
    ItemResult {
        key: "a/b.mp4".into(),
        duration_ms: 15_040,
        width: 720,
        height: 1280,
        fps: 25,
        size_bytes: 1000,
        sha256: "ab".into(),
        video_codec: "h264".into(),
        audio_codec: None,
        quality: json!({ "frames": 376 }),
        cover: None,
        pictures: None,
        warnings: Vec::new(),
        expires_at,
    }
}

fn detailed(task: TaskRecord) -> Value {
    let secret = LinkSecret { newest: [1; 32], since: 0, earlier: None };
    let links = Links::new("http://h".parse().unwrap(), &secret, Span::seconds(60));
    serde_json::to_value(TaskView::detailed(task, &links, &Load::default(), NOW)).unwrap()
}

#[test]
fn a_running_task_shows_every_field() {
    let mut view = detailed(task(TaskState::Executing, vec![item(TaskState::Executing, None, None)]));
    let item = view["items"][0].take();
    assert_eq!(
        view,
        json!({
            "taskNo": "VP00000000000000000000000000", "taskType": "proVideoMix", "status": 2,
            "statusName": "executing", "progressPercent": 25, "taskId": 7, "clientTaskId": null,
            "name": null, "labels": [], "template": null,
            "totalItems": 1, "completedItems": 0, "failedItems": 0, "estimatedDotCount": 30, "price": null,
            "consumedDotCount": 0, "queuePosition": null, "etaSeconds": 30,
            "createTime": "2026-11-21T04:08:32.000Z", "startTime": "2026-11-21T04:08:42.000Z",
            "finishTime": null, "errorMsg": null, "errorMsgCode": null, "errorMsgParams": null,
            "warnings": [{ "path": "/params/x", "message": "unknown", "code": null, "params": null }], "paused": null, "diversity": null,
            "coverUrl": null, "downloadUrl": null, "items": [null],
        })
    );
    assert_eq!(
        item,
        json!({
            "itemNo": 1, "status": 2, "statusName": "executing", "progressPercent": 99, "url": null,
            "coverUrl": null, "expiresAt": null, "fileExpiresAt": null, "duration": null, "width": null,
            "height": null, "fps": null, "sizeBytes": null, "sha256": null, "videoCodec": null,
            "audioCodec": null, "seed": 5, "recipe": { "combination": [0, 1] }, "quality": null,
            "warnings": [], "error": null,
        })
    );
}

#[test]
fn a_finished_item_has_a_link_until_its_file_is_gone() {
    let seen = |expires_at| {
        let item = item(TaskState::Completed, Some(result(expires_at)), None);
        detailed(task(TaskState::Completed, vec![item]))
    };
    let fresh = seen(NOW + 3_600_000);
    assert_eq!(fresh["progressPercent"], 100);
    let item = &fresh["items"][0];
    assert!(item["url"].as_str().unwrap().starts_with("http://h/files/VP0"), "{item}");
    assert_eq!(item["expiresAt"], "2026-11-21T04:09:52.000Z");
    assert_eq!(item["fileExpiresAt"], "2026-11-21T05:08:52.000Z");
    assert_eq!(item["duration"], 15.04);
    assert_eq!(item["quality"], json!({ "frames": 376 }));

    let item = &seen(NOW)["items"][0];
    assert_eq!([&item["url"], &item["expiresAt"]], [&Value::Null, &Value::Null]);
    assert_eq!(item["fileExpiresAt"], "2026-11-21T04:08:52.000Z");
    assert_eq!(item["sha256"], "ab");
}

#[test]
fn a_failed_item_names_its_input() {
    let error = TaskError::new(ErrorCode::NotMedia, Message::without_code("this is a web page"))
        .input("https://x/y.mp4");
    let view = detailed(task(TaskState::Failed, vec![item(TaskState::Failed, None, Some(error))]));
    assert_eq!(
        view["items"][0]["error"],
        json!({
            "code": "NOT_MEDIA", "message": "this is a web page", "messageCode": null, "messageParams": null,
            "input": "https://x/y.mp4", "retryable": false, "charged": false,
        })
    );
}

#[test]
fn progress_is_100_only_when_completed() {
    let check = |state, done, planned, expected| assert_eq!(percent(state, done, planned), expected);
    check(TaskState::PendingSubmission, 0, 0, 0);
    check(TaskState::Executing, 199, 200, 99);
    check(TaskState::Executing, 300, 200, 99);
    check(TaskState::Executing, u64::MAX, u64::MAX, 99);
    check(TaskState::Failed, 200, 200, 99);
    check(TaskState::Completed, 0, 200, 100);
}

#[test]
fn a_list_entry_has_no_items() {
    let view =
        serde_json::to_value(TaskView::brief(task(TaskState::Queued, Vec::new()), &Load::default(), NOW))
            .unwrap();
    assert!(view.get("items").is_none());
    assert_eq!(view["etaSeconds"], Value::Null);
}

#[test]
fn the_remaining_time_is_estimated_as_soon_as_possible() {
    let check = |state, frames_done, work_left, speed, expected| {
        // Other users have work for three slots: one has more to do than this user, one less.
        let users = vec![(UserId(1), 9_999), (UserId(2), 10_000), (UserId(3), 150)];
        let task = TaskRecord { frames_done, work_left, ..task(state, Vec::new()) };
        let eta = TaskView::brief(task, &Load { speed, work_left: users, pause: None }, NOW).eta_seconds;
        assert_eq!(eta, expected, "{state:?}, {frames_done} done, {work_left:?}, {speed:?}");
    };
    let speed = Some(10_000);
    // The task's own 600, as much of the second user, 150 of the third; ten a second.
    check(TaskState::Queued, 0, Some(600), speed, Some(135));
    check(TaskState::Queued, 0, Some(600), None, None);
    check(TaskState::PendingSubmission, 0, None, speed, None);
    check(TaskState::Executing, 0, Some(600), speed, Some(135));
    check(TaskState::Executing, 150, Some(450), speed, Some(30));
    check(TaskState::Executing, 150, Some(450), None, Some(30));
    check(TaskState::Completed, 600, None, speed, None);
}
