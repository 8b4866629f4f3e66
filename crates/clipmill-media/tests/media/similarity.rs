//! The visual similarity of real outputs, by the hashes computed while their segments were rendered.

use std::path::Path;

use clipmill_core::request::model::*;
use clipmill_core::similarity::{FrameHashes, similarity};

use crate::support::*;

async fn sample(fixture: &mut Fixture, name: &str) -> String {
    fixture.learn(name, &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).await
}

async fn seen(fixture: &Fixture, params: Params) -> FrameHashes {
    fixture.render_one(params).await.output.pictures.unwrap()
}

fn alike(a: &FrameHashes, b: &FrameHashes) -> f64 {
    f64::from(similarity(&a.0, &b.0).unwrap())
}

fn joined(clips: &[&str]) -> Params {
    base(vec![group(clips)], options((160, 284), 25))
}

fn varied(url: &str, change: impl FnOnce(&mut DedupOptions)) -> Params {
    dedup(&[url], change)
}

#[tokio::test]
async fn equal_segments_are_similar_and_other_footage_is_not() {
    let mut fixture = Fixture::new().await;
    let (city, bunny) =
        (sample(&mut fixture, "city.mp4").await, sample(&mut fixture, "bigbuckbunny.mp4").await);
    let both = seen(&fixture, joined(&[&city, &bunny])).await;
    // 12.88 s; the last .38 s have a middle of their own.
    assert_eq!(both.0.len(), 26);
    let again = fixture.render_one(joined(&[&city, &bunny])).await;
    assert_eq!(again.output.pictures.as_ref(), Some(&both), "it is finished in the cache");
    assert_eq!(alike(&both, &both), 1.0);
    let (only_city, only_bunny) =
        (seen(&fixture, joined(&[&city])).await, seen(&fixture, joined(&[&bunny])).await);
    let actual = alike(&both, &only_city);
    assert!(actual > 0.97, "{actual}: it begins with the same segment");
    let actual = alike(&only_city, &only_bunny);
    assert!(actual < 0.5, "{actual}: nothing in common");
    let turned = seen(&fixture, joined(&[&bunny, &city])).await;
    let actual = alike(&both, &turned);
    assert!((0.6..1.0).contains(&actual), "{actual}: the longer one of both at its shift");
}

#[tokio::test]
async fn a_mirrored_copy_is_detected_and_a_variation_is_in_between() {
    let mut fixture = Fixture::new().await;
    let (city, bunny) =
        (sample(&mut fixture, "city.mp4").await, sample(&mut fixture, "bigbuckbunny.mp4").await);
    let plain = seen(&fixture, varied(&city, |_| {})).await;
    let mirrored = seen(&fixture, varied(&city, |options| options.mirror = true)).await;
    let actual = alike(&plain, &mirrored);
    assert!(actual > 0.95, "{actual}: mirrored");
    let other = seen(&fixture, varied(&bunny, |_| {})).await;
    let turned = |degrees| {
        move |options: &mut DedupOptions| {
            options.rotation = Some(Rotation { clockwise: true, angle: Span { min: degrees, max: degrees } });
        }
    };
    let [slightly, far] =
        [seen(&fixture, varied(&city, turned(2.0))).await, seen(&fixture, varied(&city, turned(15.0))).await]
            .map(|seen| alike(&plain, &seen));
    let unrelated = alike(&plain, &other);
    assert!(1.0 > slightly && slightly > far && far > unrelated, "{slightly} {far} {unrelated}");
}

#[tokio::test]
async fn segments_of_an_earlier_release_have_unknown_similarity() {
    let mut fixture = Fixture::new().await;
    let city = sample(&mut fixture, "city.mp4").await;
    let first = fixture.render_one(joined(&[&city])).await;
    assert!(first.output.pictures.is_some());
    let notes = fixture.renderer.cache.root().join("segments");
    for folder in std::fs::read_dir(notes).unwrap() {
        for note in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = note.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let mut note: serde_json::Value =
                    serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                note.as_object_mut().unwrap().remove("pictures");
                std::fs::write(&path, note.to_string()).unwrap();
            }
        }
    }
    let again = fixture.render_one(joined(&[&city])).await;
    assert_eq!(again.output.pictures, None);
    assert_eq!(again.output.sha256, first.output.sha256);
}
