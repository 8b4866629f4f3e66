use clipmill_core::request::{Policy, parse};

use super::*;
use crate::ffmpeg::sandbox::Sandbox;
use crate::ingest::fetch::FetchPolicy;

fn request() -> TaskRequest {
    let clips =
        ["city.mp4", "speech.wav"].map(|name| serde_json::json!({ "url": format!("https://a.b/{name}") }));
    let scene = serde_json::json!({ "sceneKey": "a", "sceneName": "a", "duration": 1, "resources": clips });
    let params = serde_json::json!({ "audioMode": "split", "generateCount": 1, "scenes": [scene],
        "options": { "clipStart": "shots" } });
    let body = serde_json::json!({ "taskType": "proVideoMix", "params": params });
    parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request
}

async fn sample(url: String) -> Result<SourceLocation, TaskError> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    Ok(SourceLocation::Local(samples.join(url.strip_prefix("https://a.b/").unwrap())))
}

#[tokio::test]
async fn a_voice_is_searched_once_and_its_pauses_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let fetcher = Fetcher::new(FetchPolicy::default()).unwrap();
    let sources = Sources::open(folder.path(), Ffmpeg::confined(Sandbox::Off), fetcher).await.unwrap();
    let clips = serde_json::json!([{ "videos": [{ "url": "https://a.b/city.mp4" }] }]);
    let options = serde_json::json!({
        "audio": { "url": "https://a.b/speech.wav" }, "subtitle": { "text": "Had he married." }
    });
    let params = serde_json::json!({ "videoList": clips, "options": options });
    let body = serde_json::json!({ "taskType": "baseVideoMix", "params": params });
    let request = parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request;
    let gather = async || sources.gather(&request, 1, Facts::default(), sample).await;
    let facts = gather().await;
    let (url, pauses) = facts.pauses.first_key_value().unwrap();
    assert_eq!((facts.pauses.len(), url.as_str()), (1, "https://a.b/speech.wav"));
    assert_eq!(pauses.as_ref().unwrap().end_ms, 6050);
    let content = facts.media[url].as_ref().unwrap().content.clone();
    let noted = Pauses { pauses: vec![(1, 2)], end_ms: 3 };
    std::fs::write(sources.sidecar(&content, Sidecar::PAUSES), serde_json::to_vec(&noted).unwrap()).unwrap();
    assert_eq!(gather().await.pauses[url].as_ref().unwrap(), &noted);
    let facts_of_notes = sources.known(&BTreeMap::from([(url.clone(), content)])).await;
    assert_eq!(facts_of_notes.pauses[url].as_ref().unwrap(), &noted);
    let partial = std::fs::read_dir(sources.partial.path()).unwrap();
    assert_eq!(partial.count(), 0, "the decoded audio is removed");
}

#[tokio::test]
async fn a_file_is_scanned_once_and_its_cuts_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let fetcher = Fetcher::new(FetchPolicy::default()).unwrap();
    let sources = Sources::open(folder.path(), Ffmpeg::confined(Sandbox::Off), fetcher).await.unwrap();
    let gather = async || sources.gather(&request(), 1, Facts::default(), sample).await;
    let facts = gather().await;
    let (url, cuts) = facts.cuts.first_key_value().unwrap();
    assert_eq!((facts.cuts.len(), url.as_str()), (1, "https://a.b/city.mp4"), "sound has none");
    let takes = &cuts.as_ref().unwrap().takes;
    assert!(takes.len() == 2 && (takes[1].0 - 4.64).abs() < 0.001, "{takes:?}");
    let content = facts.media[url].as_ref().unwrap().content.clone();
    let noted = Cuts { takes: vec![(1.0, 2.0)], dull: vec![] };
    std::fs::write(sources.sidecar(&content, Sidecar::CUTS), serde_json::to_vec(&noted).unwrap()).unwrap();
    assert_eq!(gather().await.cuts[url].as_ref().unwrap(), &noted);
    let facts = sources.known(&BTreeMap::from([(url.clone(), content.clone())])).await;
    assert_eq!(facts.cuts[url].as_ref().unwrap(), &noted);
    // A sidecar torn by a crash is ignored.
    std::fs::write(sources.sidecar(&content, Sidecar::CUTS), b"{\"takes").unwrap();
    assert_eq!(gather().await.cuts[url].as_ref().unwrap().takes.len(), 2);
}

/// An animated WebP that cannot be converted is named, with the reason.
#[tokio::test]
async fn broken_animated_images_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let fetcher = Fetcher::new(FetchPolicy::default()).unwrap();
    let sources = Sources::open(folder.path(), Ffmpeg::confined(Sandbox::Off), fetcher).await.unwrap();
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/webp/clear.webp");
    let data = std::fs::read(seed).unwrap();
    let mut damaged = data.clone();
    let half = damaged.len() / 2;
    damaged[half..].fill(0x55);
    let mut large = data.clone();
    large[24..30].copy_from_slice(&[0xff, 0x3f, 0, 0xff, 0x3f, 0]);
    for (bytes, code, reason) in [
        (data[..half].to_vec(), ErrorCode::MediaDamaged, "is damaged or cut off"),
        (damaged, ErrorCode::MediaDamaged, "is damaged or cut off"),
        (large, ErrorCode::FormatNotAllowed, "is too large; it may have at most 1000 frames"),
    ] {
        let file = folder.path().join("broken.webp");
        std::fs::write(&file, bytes).unwrap();
        let url = "https://a.b/broken.webp";
        let overlay = serde_json::json!({ "type": "video", "url": url });
        let clips = serde_json::json!([{ "videos": [{ "url": "https://a.b/city.mp4" }] }]);
        let params = serde_json::json!({ "videoList": clips, "options": { "overlays": [overlay] } });
        let body = serde_json::json!({ "taskType": "baseVideoMix", "params": params });
        let request = parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request;
        let locate = async |location: String| match location == url {
            true => Ok(SourceLocation::Local(file.clone())),
            false => sample(location).await,
        };
        let facts = sources.gather(&request, 1, Facts::default(), locate).await;
        let error = facts.media[url].as_ref().unwrap_err();
        assert_eq!((error.code, error.input.as_deref()), (code, Some(url)), "{error}");
        assert!(error.message.contains(reason), "{error}");
    }
}
