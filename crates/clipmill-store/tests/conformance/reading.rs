//! Reads that only owners can do.

use clipmill_core::ids::TaskNo;
use clipmill_core::request::TaskNaming;
use clipmill_core::request::model::{Params, TaskType};
use clipmill_core::task::TaskState;
use clipmill_store::*;

use super::fixture::{Fixture, found, new_upload, result, segment, task_error};

pub async fn tasks_are_paged_filtered_and_private(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let stranger = fixture.user(100).await;
    let first = fixture.submit(user, &[1]).await;
    fixture.preflight(found(vec![Err(task_error("bad"))], &[])).await;
    let second = fixture.submit(user, &[1]).await;
    let third = fixture.submit(user, &[1]).await;
    fixture.submit(stranger, &[1]).await;

    let list = async |filter: TaskFilter, number, size| {
        let paged = fixture.store.tasks().list(user, &filter, Page { number, size }).await.unwrap();
        assert!(paged.list.iter().all(|task| task.items.is_empty()));
        (paged.list.into_iter().map(|task| task.task_no).collect::<Vec<TaskNo>>(), paged.total)
    };
    let all = TaskFilter::default;
    assert_eq!(list(all(), 1, 2).await, (vec![third.clone(), second], 3));
    assert_eq!(list(all(), 2, 2).await, (vec![first.clone()], 3));
    assert_eq!(list(all(), u32::MAX, u32::MAX).await, (vec![], 3));
    let rejected = TaskFilter { state: Some(TaskState::Rejected), ..all() };
    assert_eq!(list(rejected, 1, 9).await, (vec![first.clone()], 1));
    let mixes = TaskFilter { task_type: Some(TaskType::BaseVideoMix), ..all() };
    assert_eq!(list(mixes, 1, 1).await, (vec![third], 3));
    let pro = TaskFilter { task_type: Some(TaskType::ProVideoMix), ..all() };
    assert_eq!(list(pro, 1, 9).await, (vec![], 0));
    assert!(fixture.store.tasks().find(stranger, &first).await.unwrap().is_none());
    assert_eq!(fixture.store.tasks().owner(&first).await.unwrap(), Some(user));
    assert_eq!(fixture.store.tasks().owner(&TaskNo::new(1, [9; 10])).await.unwrap(), None);
}

pub async fn the_queue_is_counted_from_one(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let first = fixture.queued(user, &[segment("a", 30)]).await;
    let second = fixture.submit(fixture.user(10).await, &[1]).await;
    let third = fixture.submit(user, &[1]).await;
    let position =
        async |task_no| fixture.store.tasks().find(user, task_no).await.unwrap().unwrap().queue_position;
    assert_eq!((position(&first).await, position(&third).await), (Some(1), Some(3)));
    fixture.claim().await;
    fixture.claim().await;
    fixture.claim_segment("a").await;
    assert_eq!((position(&first).await, position(&third).await), (None, Some(2)));
    assert!(fixture.store.tasks().find(user, &second).await.unwrap().is_none());
}

pub async fn results_and_uploads_are_found(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let stranger = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    assert_eq!(fixture.store.tasks().item_result(&task_no, 1).await.unwrap(), None);
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 1).await;
    assert_eq!(fixture.store.tasks().item_result(&task_no, 1).await.unwrap(), Some(result()));
    assert_eq!(fixture.store.tasks().item_result(&task_no, 2).await.unwrap(), None);
    assert_eq!(fixture.task(user, &task_no).await.items.remove(0).result, Some(result()));

    let new = NewUpload { size_bytes: 5, ..new_upload(user, "up1", "ab", 1) };
    fixture.store.library().add(new.clone()).await.unwrap();
    assert!(matches!(fixture.store.library().add(new).await, Err(StoreError::Exists(_))));
    let upload =
        Upload { id: "up1".into(), user, content_sha256: "ab".into(), size_bytes: 5, is_media: false };
    assert_eq!(fixture.store.library().upload(user, "up1").await.unwrap(), Some(upload));
    assert_eq!(fixture.store.library().upload(stranger, "up1").await.unwrap(), None);
}

/// A user's tasks by their names, with correct totals.
pub async fn tasks_are_found_by_their_names(fixture: &Fixture) {
    let user = fixture.user(2_000).await;
    let stranger = fixture.user(100).await;
    let submit = async |user, name: &str, labels: &[&str], client_task_id: &str| {
        let mut task = fixture.new_task(user, &[1]);
        task.request.name = Some(name.to_owned());
        task.request.labels = labels.iter().map(|label| (*label).to_owned()).collect();
        task.request.client_task_id = Some(client_task_id.to_owned());
        fixture.submit_task(task).await
    };
    let mug = submit(user, "Spring sale: blue mug", &["shop", "2026"], "sku-77#1").await;
    fixture.pass(1_000);
    let cup = submit(user, "春季促销 红色马克杯", &["shop"], "sku-78#1").await;
    submit(stranger, "Spring sale: blue mug", &["shop"], "sku-77#1").await;
    let created = async |task_no| fixture.task(user, task_no).await.created_at;
    let later = created(&cup).await;

    let find = async |filter: TaskFilter| {
        let paged = fixture.store.tasks().list(user, &filter, Page { number: 1, size: 9 }).await.unwrap();
        let list: Vec<TaskNo> = paged.list.into_iter().map(|task| task.task_no).collect();
        assert_eq!(paged.total, list.len() as u64);
        list
    };
    let words =
        async |words: &str| find(TaskFilter { words: Some(words.to_owned()), ..<_>::default() }).await;
    assert_eq!(words("SPRING mu").await, vec![mug.clone()]);
    assert_eq!(words("马克").await, vec![cup.clone()]);
    assert_eq!(words("sku").await, [cup.clone(), mug.clone()]);
    assert_eq!(words("sku-78").await, vec![cup.clone()]);
    assert_eq!(words(mug.as_str()).await, vec![mug.clone()]);
    assert_eq!(words("ug").await, []);
    assert_eq!(words("sku green").await, []);
    assert_eq!(words("' OR 1=1 --%_").await, []);
    let label =
        async |label: &str| find(TaskFilter { label: Some(label.to_owned()), ..<_>::default() }).await;
    assert_eq!(label("2026").await, vec![mug.clone()]);
    assert_eq!(label("shop").await, [cup.clone(), mug.clone()]);
    assert_eq!(label("sho").await, []);
    assert_eq!(find(TaskFilter { from: Some(later), ..<_>::default() }).await, vec![cup.clone()]);
    assert_eq!(find(TaskFilter { to: Some(later), ..<_>::default() }).await, vec![mug.clone()]);
    let both = TaskFilter {
        words: Some("sku".to_owned()),
        to: Some(later),
        state: Some(TaskState::Queued),
        ..<_>::default()
    };
    assert_eq!(find(both).await, []);
    let task = fixture.task(user, &mug).await;
    assert_eq!((task.name.as_deref(), task.labels.len()), (Some("Spring sale: blue mug"), 2));

    // The counters follow every change of tasks.
    assert_eq!(find(TaskFilter::default()).await.len(), 2);
    fixture.store.tasks().cancel(user, &mug, fixture.now()).await.unwrap();
    let state = async |state| find(TaskFilter { state: Some(state), ..<_>::default() }).await;
    assert_eq!(state(TaskState::Cancelled).await, [mug]);
    assert_eq!(state(TaskState::PendingSubmission).await, [cup]);
    submit(user, "third", &[], "third").await;
    assert_eq!(state(TaskState::PendingSubmission).await.len(), 2);
    assert_eq!(state(TaskState::Cancelled).await.len(), 1);
}

/// A task is listed under its current name, not under a previous one; its request contains the current name too.
pub async fn a_task_is_found_by_its_latest_name(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(100).await, fixture.user(100).await);
    let mut new = fixture.new_task(user, &[1]);
    new.request.name = Some("Spring sale".to_owned());
    new.request.labels = vec!["shop".to_owned(), "2026".to_owned()];
    new.request.client_task_id = Some("sku-77".to_owned());
    let task_no = fixture.submit_task(new.clone()).await;
    let finds = async |words: Option<&str>, label: Option<&str>| {
        let owned = |text: &str| text.to_owned();
        let filter = TaskFilter { words: words.map(owned), label: label.map(owned), ..<_>::default() };
        fixture.store.tasks().list(user, &filter, Page { number: 1, size: 9 }).await.unwrap().total == 1
    };
    let rename = async |user, name: Option<&str>, labels: Option<&[&str]>| {
        let labels = labels.map(|labels| labels.iter().map(|label| (*label).to_owned()).collect());
        let to = TaskNaming { name: name.map(str::to_owned), labels };
        fixture.store.tasks().rename(user, &task_no, &to).await.unwrap()
    };
    assert!(!rename(stranger, Some("mine"), None).await);
    assert!(finds(Some("spring"), Some("shop")).await);

    assert!(rename(user, Some("Autumn sale"), None).await);
    assert!(finds(Some("autumn sale"), Some("shop")).await && finds(Some("sku"), Some("2026")).await);
    assert!(finds(Some(task_no.as_str()), None).await && !finds(Some("spring"), None).await);
    assert!(rename(user, None, Some(&["shop", "new"])).await);
    assert!(finds(Some("autumn"), Some("new")).await && !finds(None, Some("2026")).await);
    let task = fixture.task(user, &task_no).await;
    assert_eq!(
        (task.name.as_deref(), task.labels),
        (Some("Autumn sale"), vec!["shop".to_owned(), "new".to_owned()])
    );
    let Some(StoredRequest::Kept(request)) = fixture.store.tasks().request(user, &task_no).await.unwrap()
    else {
        panic!("it is kept")
    };
    assert_eq!(request.client_task_id, new.request.client_task_id);
    assert_eq!((request.name.as_deref(), request.labels.len()), (Some("Autumn sale"), 2));
    // It is the same request as before.
    assert!(matches!(
        fixture.store.tasks().submit(new, fixture.now()).await.unwrap(),
        SubmitOutcome::Duplicate(_)
    ));

    // In any state.
    fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
    assert!(rename(user, Some(""), Some(&[])).await);
    assert!(
        !finds(Some("autumn"), None).await
            && !finds(None, Some("new")).await
            && finds(Some("sku-77"), None).await
    );
    assert_eq!(fixture.task(user, &task_no).await.name, None);
}

pub async fn concurrent_renames_leave_one_name(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[1]).await;
    let renames = (0..8).map(|number| {
        let (store, task_no) = (fixture.store.clone(), task_no.clone());
        let to =
            TaskNaming { name: Some(format!("name{number}")), labels: Some(vec![format!("label{number}")]) };
        tokio::spawn(async move { store.tasks().rename(user, &task_no, &to).await.unwrap() })
    });
    for renamed in renames.collect::<Vec<_>>() {
        assert!(renamed.await.unwrap());
    }
    let task = fixture.task(user, &task_no).await;
    for number in 0..8 {
        let (name, label) = (format!("name{number}"), format!("label{number}"));
        let is = task.name.as_ref() == Some(&name);
        assert_eq!(task.labels == [label.clone()], is);
        for filter in [
            TaskFilter { words: Some(name), ..<_>::default() },
            TaskFilter { label: Some(label), ..<_>::default() },
        ] {
            let task_page =
                fixture.store.tasks().list(user, &filter, Page { number: 1, size: 9 }).await.unwrap();
            assert_eq!(task_page.total, u64::from(is), "{filter:?}");
        }
    }
}

/// Outputs of all tasks, those of the newest first, and the first one of each in the list of tasks.
pub async fn outputs_are_found_by_their_tasks(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(1_000).await, fixture.user(100).await);
    let first = fixture.queued(user, &[segment("a", 30), segment("b", 30), segment("c", 30)]).await;
    fixture.make_segment("a").await;
    fixture.fail(fixture.claim_finish(&first, 1).await, "bad").await;
    fixture.make_segment("b").await;
    fixture.deliver(&first, 2, 1).await;
    fixture.make_segment("c").await;
    fixture.deliver(&first, 3, 1).await;
    let second = fixture.queued(user, &[segment("d", 30), segment("e", 30)]).await;
    fixture.make_segment("d").await;
    fixture.deliver(&second, 1, 1).await;
    let waiting = fixture.submit(user, &[1]).await;
    let list = async |user, filter: TaskFilter, number, size| {
        let output_page = fixture.store.tasks().outputs(user, &filter, Page { number, size }).await.unwrap();
        let name = |output: OutputRecord| (output.task_no, output.output.item_no);
        (output_page.list.into_iter().map(name).collect::<Vec<_>>(), output_page.total)
    };
    let all = TaskFilter::default;
    let [a, b, c] = [(second.clone(), 1), (first.clone(), 2), (first.clone(), 3)];
    assert_eq!(list(user, all(), 1, 9).await, (vec![a.clone(), b.clone(), c.clone()], 3));
    assert_eq!(list(user, all(), 1, 2).await, (vec![a.clone(), b.clone()], 3));
    assert_eq!(list(user, all(), 2, 2).await, (vec![c.clone()], 3));
    assert_eq!(list(user, all(), 3, 1).await, (vec![c.clone()], 3));
    assert_eq!(list(user, all(), u32::MAX, u32::MAX).await, (vec![], 3));
    assert_eq!(list(stranger, all(), 1, 9).await, (vec![], 0));
    let words = |words: &str| TaskFilter { words: Some(words.to_owned()), ..all() };
    assert_eq!(list(user, words(first.as_str()), 1, 9).await, (vec![b, c], 2));
    assert_eq!(list(user, words(waiting.as_str()), 1, 9).await, (vec![], 0));
    let created = fixture.task(user, &second).await.created_at;
    assert_eq!(list(user, TaskFilter { from: Some(created), ..all() }, 1, 9).await, (vec![a], 1));

    let tasks = fixture.store.tasks().list(user, &all(), Page { number: 1, size: 9 }).await.unwrap().list;
    let firsts = tasks.iter().map(|task| task.first_output.as_ref().map(|output| output.item_no));
    assert_eq!(firsts.collect::<Vec<_>>(), [None, Some(1), Some(2)]);
}

/// A word that many tasks have, and a rare word that one of these has.
pub async fn rare_and_common_words_are_found_together(fixture: &Fixture) {
    let user = fixture.user(10_000).await;
    let mut rare = None;
    for number in 0..105 {
        let mut task = fixture.new_task(user, &[1]);
        task.request.name = Some(format!("common {}", if number == 7 { "rare" } else { "plain" }));
        let task_no = fixture.submit_task(task).await;
        rare = rare.or((number == 7).then_some(task_no));
    }
    let find = async |words: &str, number| {
        let filter = TaskFilter { words: Some(words.to_owned()), ..<_>::default() };
        fixture.store.tasks().list(user, &filter, Page { number, size: 100 }).await.unwrap()
    };
    let common = find("common", 2).await;
    assert_eq!((common.list.len(), common.total), (5, 105));
    let both = find("common rare", 1).await;
    assert_eq!((both.list.first().map(|task| task.task_no.clone()), both.total), (rare, 1));
}

pub async fn uploads_are_a_library(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(100).await, fixture.user(100).await);
    let add = async |user, id: &str, content: &str, name: Option<&str>| {
        let upload = NewUpload {
            size_bytes: 5,
            file_name: name.map(str::to_owned),
            ..new_upload(user, id, content, fixture.now())
        };
        fixture.store.library().add(upload).await.unwrap();
    };
    add(user, "clip-1", "aa", Some("Holiday 100%.MP4")).await;
    add(user, "song-1", "bb", Some("Lied_Ä.mp3")).await;
    add(user, "clip-2", "aa", Some("holiday again.mp4")).await;
    add(user, "text-1", "cc", None).await;
    add(stranger, "clip-3", "aa", Some("not yours")).await;
    let facts = |kind| UploadFacts { kind, media: serde_json::json!({ "format": "mp4" }) };
    fixture.store.library().describe(user, "aa", facts(MediaKind::Video)).await.unwrap();
    fixture.store.library().describe(user, "bb", facts(MediaKind::Audio)).await.unwrap();

    let find = async |part: Option<&str>, kind| {
        let filter = LibraryFilter { part_of_name: part.map(str::to_owned), kind, ..Default::default() };
        let library_page =
            fixture.store.library().list(user, &filter, Page { number: 1, size: 9 }).await.unwrap();
        assert_eq!(library_page.total, library_page.list.len() as u64);
        library_page.list.into_iter().map(|file| file.id).collect::<Vec<_>>()
    };
    // The same file is listed once.
    assert_eq!(find(None, None).await, ["text-1", "clip-2", "song-1"]);
    assert_eq!(find(None, Some(MediaKind::Video)).await, ["clip-2"]);
    assert_eq!(find(Some("DAY AG"), None).await, ["clip-2"]);
    assert_eq!(find(Some("lied_ä"), None).await, ["song-1"]);
    assert_eq!(find(Some("%"), None).await, Vec::<String>::new());
    assert_eq!(find(Some("liedxä"), None).await, Vec::<String>::new());
    let of_content = LibraryFilter { content_sha256: Some("aa".to_owned()), ..Default::default() };
    let library_page =
        fixture.store.library().list(user, &of_content, Page { number: 1, size: 9 }).await.unwrap();
    assert_eq!((library_page.total, library_page.list[0].id.as_str()), (1, "clip-2"));
    assert!(fixture.store.library().rename(user, "clip-1", "100% \\ new").await.unwrap());
    assert_eq!(find(Some("% \\ N"), None).await, ["clip-2"]);
    assert!(!fixture.store.library().rename(user, "clip-3", "mine").await.unwrap());
    assert_eq!(fixture.store.library().find(user, "clip-3").await.unwrap(), None);
    let clip = fixture.store.library().find(user, "clip-1").await.unwrap().unwrap();
    assert_eq!((clip.name.as_deref(), clip.facts), (Some("100% \\ new"), Some(facts(MediaKind::Video))));

    // Files that an open task needs are not deleted.
    let mut task = fixture.new_task(user, &[1]);
    if let Params::BaseVideoMix(params) = &mut task.request.params {
        params.groups[0].videos[0].url = "upload://clip-1".to_owned();
    }
    let task_no = fixture.submit_task(task).await;
    let delete = async |user, id: &str| fixture.store.library().delete(user, id).await.unwrap();
    assert_eq!(delete(user, "clip-2").await, Some(DeleteOutcome::InUse(task_no.to_string())));
    assert_eq!(delete(user, "clip-3").await, None);
    fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
    assert_eq!(delete(user, "clip-2").await, Some(DeleteOutcome::Deleted));
    assert_eq!(fixture.store.library().upload(user, "clip-1").await.unwrap(), None);
    // A client read the list before an upload was deleted, and submits a task with it afterwards.
    for (id, gone) in [("clip-1", true), ("clip-3", true), ("song-1", false)] {
        let mut task = fixture.new_task(user, &[1]);
        if let Params::BaseVideoMix(params) = &mut task.request.params {
            params.groups[0].videos[0].url = format!("upload://{id}");
        }
        let outcome = fixture.store.tasks().submit(task, fixture.now()).await.unwrap();
        let expected = SubmitOutcome::UploadGone { id: id.to_owned() };
        assert_eq!(outcome == expected, gone, "{outcome:?}");
    }
    assert!(fixture.store.library().upload(stranger, "clip-3").await.unwrap().is_some());
    assert_eq!(find(None, None).await, ["text-1", "song-1"]);
}
