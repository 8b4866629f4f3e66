//! Signed links to result files: valid without a key, for one file, until a given time.

use std::str::FromStr;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clipmill_blobs::{Bucket, key};
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_store::ItemResult;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::units::{BaseUrl, Span};

/// Makes and checks links.
pub struct Links {
    base: BaseUrl,
    mac: Hmac<Sha256>,
    lifetime_s: i64,
    /// Storage that can sign links itself.
    bucket: Option<Bucket>,
}

/// What a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    Video,
    Cover,
}

impl Linked {
    pub const ALL: [Self; 2] = [Self::Video, Self::Cover];

    pub fn extension(self) -> &'static str {
        match self {
            Self::Video => "mp4",
            Self::Cover => "jpg",
        }
    }

    /// The storage key of the result's file or cover.
    pub fn key(self, result: &ItemResult) -> Option<&str> {
        match self {
            Self::Video => Some(&result.key),
            Self::Cover => result.cover.as_ref().map(|cover| cover.key.as_str()),
        }
    }

    /// The word in the signed text, so that a link to a cover does not open the video.
    fn word(self) -> &'static str {
        match self {
            Self::Video => "file",
            Self::Cover => "cover",
        }
    }
}

/// A link and the time (in ms) at which it expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub url: String,
    pub expires_at: i64,
}

impl Links {
    pub fn new(base: BaseUrl, secret: [u8; 32], lifetime: Span) -> Self {
        // HMAC would pad a short key with zeros to a whole block; doing it here cannot fail.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&secret);
        let mac = Hmac::<Sha256>::new(&block.into());
        Self { base, mac, lifetime_s: lifetime.as_millis() / 1000, bucket: None }
    }

    /// Makes links lead to this storage if it can sign them.
    pub fn leading_to(self, bucket: Option<Bucket>) -> Self {
        Self { bucket, ..self }
    }

    /// A link that is valid from now for its lifetime, but not longer than the file. `None` if the file is gone or has less than
    /// a second left. It leads straight to storage whose links last long enough, otherwise to the service, which redirects.
    pub fn sign(
        &self,
        what: Linked,
        task_no: &TaskNo,
        item_no: u32,
        now_ms: i64,
        result: &ItemResult,
    ) -> Option<Link> {
        let expires_s = (now_ms / 1000).saturating_add(self.lifetime_s).min(result.expires_at / 1000);
        let left_s = u64::try_from(expires_s.saturating_mul(1000).saturating_sub(now_ms)).ok()? / 1000;
        if expires_s.saturating_mul(1000) <= now_ms {
            return None;
        }
        if let Some(url) = self.direct(what.key(result)?, Duration::from_secs(left_s), now_ms) {
            return Some(Link { url, expires_at: expires_s * 1000 });
        }
        let signature =
            URL_SAFE_NO_PAD.encode(self.signed(what, task_no, item_no, expires_s).finalize().into_bytes());
        let url = format!(
            "{}/files/{task_no}/{item_no}.{}?expires={expires_s}&signature={signature}",
            self.base.as_str(),
            what.extension()
        );
        Some(Link { url, expires_at: expires_s * 1000 })
    }

    /// The storage's own link.
    fn direct(&self, key: &str, lifetime: Duration, now_ms: i64) -> Option<String> {
        let bucket = self.bucket.as_ref().filter(|_| !lifetime.is_zero())?;
        // The time of signing is in whole seconds, so one more second reaches to the end.
        let lifetime = lifetime + Duration::from_secs(1);
        bucket.lasting_link(&key::result(key), lifetime, now_ms).unwrap_or_else(|error| {
            tracing::error!(%error, key, "the storage's link cannot be made; the service's own is given out");
            None
        })
    }

    /// A link to an archive of all files of a task, on the same terms as [`Links::sign`].
    pub fn sign_archive(&self, task_no: &TaskNo, now_ms: i64, files_expire_at: i64) -> Option<Link> {
        let expires_s = (now_ms / 1000).saturating_add(self.lifetime_s).min(files_expire_at / 1000);
        if expires_s.saturating_mul(1000) <= now_ms {
            return None;
        }
        let signature = URL_SAFE_NO_PAD.encode(self.archive(task_no, expires_s).finalize().into_bytes());
        let path = format!("/open-api/v1/download/{task_no}?expires={expires_s}&signature={signature}");
        Some(Link { url: self.open(&path), expires_at: expires_s * 1000 })
    }

    /// Whether a link was made by [`Links::sign_archive`] and has not expired.
    pub fn check_archive(&self, task_no: &TaskNo, expires_s: i64, signature: &str, now_ms: i64) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        let genuine = self.archive(task_no, expires_s).verify_slice(&signature).is_ok();
        genuine && now_ms < expires_s.saturating_mul(1000)
    }

    fn archive(&self, task_no: &TaskNo, expires_s: i64) -> Hmac<Sha256> {
        self.mac.clone().chain_update(format!("archive\n{task_no}\n{expires_s}"))
    }

    /// A link to an upload of a user's, for its lifetime or as long as the upload is kept.
    pub fn sign_upload(&self, user: UserId, id: &str, now_ms: i64) -> Link {
        let expires_s = (now_ms / 1000).saturating_add(self.lifetime_s);
        let signature = URL_SAFE_NO_PAD.encode(self.upload(user, id, expires_s).finalize().into_bytes());
        let path = format!("/files/uploads/{user}/{id}?expires={expires_s}&signature={signature}");
        Link { url: self.open(&path), expires_at: expires_s * 1000 }
    }

    /// Whether a link was made by [`Links::sign_upload`] and has not expired.
    pub fn check_upload(&self, user: UserId, id: &str, expires_s: i64, signature: &str, now_ms: i64) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        let genuine = self.upload(user, id, expires_s).verify_slice(&signature).is_ok();
        genuine && now_ms < expires_s.saturating_mul(1000)
    }

    fn upload(&self, user: UserId, id: &str, expires_s: i64) -> Hmac<Sha256> {
        self.mac.clone().chain_update(format!("upload\n{user}\n{expires_s}\n{id}"))
    }

    /// A link to all files of a batch as one archive. Whether there are any is looked at when it is followed.
    pub fn sign_batch(&self, batch_no: &BatchNo, now_ms: i64) -> Link {
        let expires_s = (now_ms / 1000).saturating_add(self.lifetime_s);
        let signature = URL_SAFE_NO_PAD.encode(self.batch(batch_no, expires_s).finalize().into_bytes());
        let path =
            format!("/open-api/v1/batches/{batch_no}/download?expires={expires_s}&signature={signature}");
        Link { url: self.open(&path), expires_at: expires_s * 1000 }
    }

    /// Whether a link was made by [`Links::sign_batch`] and has not expired.
    pub fn check_batch(&self, batch_no: &BatchNo, expires_s: i64, signature: &str, now_ms: i64) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        let genuine = self.batch(batch_no, expires_s).verify_slice(&signature).is_ok();
        genuine && now_ms < expires_s.saturating_mul(1000)
    }

    fn batch(&self, batch_no: &BatchNo, expires_s: i64) -> Hmac<Sha256> {
        self.mac.clone().chain_update(format!("batch\n{batch_no}\n{expires_s}"))
    }

    /// The page of a share. It is checked each time whether that is still open: the link itself never ends.
    pub fn share(&self, id: i64) -> String {
        let signature = URL_SAFE_NO_PAD.encode(self.shared(id).finalize().into_bytes());
        self.open(&format!("/s/{id}/{signature}"))
    }

    /// Whether a link was made by [`Links::share`].
    pub fn check_share(&self, id: i64, signature: &str) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        self.shared(id).verify_slice(&signature).is_ok()
    }

    fn shared(&self, id: i64) -> Hmac<Sha256> {
        self.mac.clone().chain_update(format!("share\n{id}"))
    }

    /// The service's own origin, as `scheme://host:port`.
    pub fn own_origin(&self) -> Option<String> {
        url::Url::parse(self.base.as_str()).ok().map(|url| url.origin().ascii_serialization())
    }

    /// All origins that links lead to, as `scheme://host:port`.
    pub fn origins(&self) -> Vec<String> {
        self.own_origin().into_iter().chain(self.bucket.as_ref().and_then(Bucket::origin)).collect()
    }

    /// A link that needs no signature; `path` begins with `/`.
    pub fn open(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str())
    }

    /// Whether a link was made by [`Links::sign`] and has not expired. The time taken does not depend on what is wrong with the
    /// signature.
    pub fn check(
        &self,
        what: Linked,
        task_no: &TaskNo,
        item_no: u32,
        expires_s: i64,
        signature: &str,
        now_ms: i64,
    ) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        let genuine = self.signed(what, task_no, item_no, expires_s).verify_slice(&signature).is_ok();
        genuine && now_ms < expires_s.saturating_mul(1000)
    }

    fn signed(&self, what: Linked, task_no: &TaskNo, item_no: u32, expires_s: i64) -> Hmac<Sha256> {
        self.mac.clone().chain_update(format!("{}\n{task_no}\n{item_no}\n{expires_s}", what.word()))
    }
}

/// A number in exactly the form that links have: no sign, no leading zeros.
pub fn canonical<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_500;

    fn links(secret: u8) -> Links {
        Links::new("https://x.example".parse().unwrap(), [secret; 32], Span::seconds(60))
    }

    fn task(random: u8) -> TaskNo {
        TaskNo::new(NOW, [random; 10])
    }

    fn result(expires_at: i64) -> ItemResult {
        ItemResult {
            key: "VP/1-1.mp4".into(),
            duration_ms: 1,
            width: 2,
            height: 2,
            fps: 30,
            size_bytes: 1,
            sha256: String::new(),
            video_codec: "h264".into(),
            audio_codec: None,
            quality: serde_json::Value::Null,
            cover: None,
            pictures: None,
            warnings: Vec::new(),
            expires_at,
        }
    }

    fn signature(link: &Link) -> String {
        link.url.split_once("signature=").unwrap().1.to_owned()
    }

    #[test]
    fn a_link_works_for_its_file_until_it_expires() {
        let link = links(1).sign(Linked::Video, &task(1), 2, NOW, &result(i64::MAX)).unwrap();
        assert!(link.url.starts_with("https://x.example/files/VP"), "{}", link.url);
        assert_eq!(link.expires_at, 1_700_000_060_000);
        let check = |links: Links, task_no, item_no, expires_s, now| {
            links.check(Linked::Video, &task_no, item_no, expires_s, &signature(&link), now)
        };
        assert!(check(links(1), task(1), 2, 1_700_000_060, NOW));
        assert!(!check(links(1), task(1), 2, 1_700_000_060, 1_700_000_060_000), "expired");
        assert!(!check(links(1), task(1), 2, 1_700_000_061, NOW), "another expiry");
        assert!(!check(links(1), task(1), 3, 1_700_000_060, NOW), "another item");
        assert!(!check(links(1), task(2), 2, 1_700_000_060, NOW), "another task");
        assert!(!check(links(2), task(1), 2, 1_700_000_060, NOW), "another installation");
        let cover = links(1).check(Linked::Cover, &task(1), 2, 1_700_000_060, &signature(&link), NOW);
        assert!(!cover, "the cover");
        for wrong in ["", "AAAA", "ä", "===="] {
            assert!(!links(1).check(Linked::Video, &task(1), 2, 1_700_000_060, wrong, NOW), "{wrong}");
        }
    }

    #[test]
    fn a_link_to_an_upload_works_for_it_alone_until_it_expires() {
        let (ann, bob) = (UserId(1), UserId(2));
        let link = links(1).sign_upload(ann, "ab12", NOW);
        assert!(link.url.starts_with("https://x.example/files/uploads/1/ab12?"), "{}", link.url);
        let check = |secret, user, id, expires_s, now| {
            links(secret).check_upload(user, id, expires_s, &signature(&link), now)
        };
        assert!(check(1, ann, "ab12", 1_700_000_060, NOW));
        assert!(!check(1, ann, "ab12", 1_700_000_060, 1_700_000_060_000), "expired");
        assert!(!check(1, ann, "ab12", 1_700_000_061, NOW), "another expiry");
        assert!(!check(1, ann, "ab13", 1_700_000_060, NOW), "another upload");
        assert!(!check(1, bob, "ab12", 1_700_000_060, NOW), "another user");
        assert!(!check(2, ann, "ab12", 1_700_000_060, NOW), "another installation");
    }

    #[test]
    fn a_link_to_a_batch_opens_no_other_and_ends() {
        let batch = |random: u8| BatchNo::new(NOW, [random; 10]);
        let link = links(1).sign_batch(&batch(1), NOW);
        let check = |links: Links, number, expires_s, now| {
            links.check_batch(&number, expires_s, &signature(&link), now)
        };
        assert!(check(links(1), batch(1), 1_700_000_060, NOW));
        assert!(!check(links(1), batch(1), 1_700_000_060, 1_700_000_060_000), "expired");
        assert!(!check(links(1), batch(1), 1_700_000_061, NOW), "another expiry");
        assert!(!check(links(1), batch(2), 1_700_000_060, NOW), "another batch");
        assert!(!check(links(2), batch(1), 1_700_000_060, NOW), "another installation");
    }

    #[test]
    fn a_link_does_not_outlive_its_file() {
        let link = links(1).sign(Linked::Video, &task(1), 1, NOW, &result(NOW + 5_000)).unwrap();
        assert_eq!(link.expires_at, 1_700_000_005_000);
        assert_eq!(links(1).sign(Linked::Video, &task(1), 1, NOW, &result(NOW)), None);
        assert_eq!(links(1).sign(Linked::Video, &task(1), 1, NOW, &result(NOW - 1)), None);
    }
}
