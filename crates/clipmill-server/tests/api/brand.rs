//! Brands: saved, replaced, and the uploads that they keep.

use serde_json::{Value, json};

use crate::harness::{Service, User};

const BRAND: &str = "/open-api/v1/brand";

#[tokio::test]
async fn a_brand_is_saved_and_keeps_its_uploads() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 0).await, service.user("bob", 0).await);
    let url = async |user: &User, content: &'static str| {
        let upload = service.upload(user, "/open-api/v1/uploads", content).await.data();
        upload["url"].as_str().unwrap().to_owned()
    };
    let delete = async |user: &User, url: &str| {
        let path = format!("/open-api/v1/uploads/{}", url.trim_start_matches("upload://"));
        service.send("DELETE", user, &path, &Value::Null).await
    };
    let empty = json!({
        "logo": null, "fonts": [], "colors": [], "intro": null, "outro": null, "captionPreset": null,
        "updateTime": null,
    });
    assert_eq!(service.get(&ann, BRAND).await.data(), empty);
    let (logo, font, of_bob) = (url(&ann, "logo").await, url(&ann, "font").await, url(&bob, "other").await);
    let brand = json!({ "logo": logo, "fonts": [font], "colors": ["#1B1B2F"], "captionPreset": "clean" });
    let saved = service.send("PUT", &ann, BRAND, &brand).await.data();
    assert!(saved["updateTime"].is_string());
    for (name, value) in brand.as_object().unwrap() {
        assert_eq!(saved[name], *value, "{name}");
    }
    assert_eq!(service.get(&ann, BRAND).await.data(), saved);
    assert_eq!(service.get(&bob, BRAND).await.data(), empty, "others have their own");
    assert_eq!(delete(&ann, &logo).await.error(40904), json!({ "neededBy": "brand" }));

    // Uploads of others and missing ones are refused alike, and nothing is saved.
    let foreign = json!({ "intro": of_bob, "fonts": [font, "upload://gone"] });
    let errors = service.send("PUT", &ann, BRAND, &foreign).await.error(40001)["errors"].take();
    assert_eq!((&errors[0]["path"], &errors[1]["path"]), (&json!("/intro"), &json!("/fonts/1")));
    assert_eq!(errors[0]["message"], errors[1]["message"]);
    assert_eq!(service.get(&ann, BRAND).await.data(), saved);
    let wrong = json!({ "logo": "https://media.example/logo.png", "captionPreset": "comic" });
    let errors = service.send("PUT", &ann, BRAND, &wrong).await.error(40001)["errors"].take();
    assert_eq!((&errors[0]["path"], &errors[1]["path"]), (&json!("/logo"), &json!("/captionPreset")));

    // What was read can be sent back; absent fields are cleared, and their uploads are free.
    let mut change = saved.clone();
    change["logo"] = Value::Null;
    let changed = service.send("PUT", &ann, BRAND, &change).await.data();
    assert_eq!((&changed["logo"], &changed["fonts"]), (&Value::Null, &json!([font])));
    delete(&ann, &logo).await.data();
    delete(&ann, &font).await.error(40904);
    service.send("PUT", &ann, BRAND, &json!({})).await.data();
    delete(&ann, &font).await.data();
}
