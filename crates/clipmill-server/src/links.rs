//! Signed links to result files: valid without a key, for one file, until a given time.

use std::str::FromStr;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clipmill_blobs::{Bucket, key};
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_store::{ItemResult, LinkSecret, Millis};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::units::{BaseUrl, Span};

/// Creates and verifies links.
pub struct Links {
    base: BaseUrl,
    keys: RwLock<Keys>,
    lifetime_s: i64,
    /// Storage that can sign links itself.
    bucket: Option<Bucket>,
}

/// How often a process checks for a new secret.
pub const RELOAD: Duration = Duration::from_secs(15);
/// How long after its creation a new secret begins to sign links: by then every process accepts them.
pub const KNOWN_BEFORE: Duration = Duration::from_secs(60);

/// The secrets that sign and verify links.
#[derive(Clone)]
struct Keys {
    newest: Hmac<Sha256>,
    /// Until then, the previous secret signs.
    since: Millis,
    /// With the time from which it is no longer valid.
    previous: Option<(Hmac<Sha256>, Millis)>,
}

impl Keys {
    fn of(secret: &LinkSecret) -> Self {
        let previous = secret.earlier.map(|(previous, until)| (keyed(&previous), until));
        Self { newest: keyed(&secret.newest), since: secret.since, previous }
    }

    fn signing(&self, now_ms: Millis) -> &Hmac<Sha256> {
        match &self.previous {
            Some((previous, until)) if now_ms < self.since && now_ms < *until => previous,
            _ => &self.newest,
        }
    }

    fn accept(&self, text: &str, signature: &[u8], now_ms: Millis) -> bool {
        let is_of = |key: &Hmac<Sha256>| key.clone().chain_update(text).verify_slice(signature).is_ok();
        let previous = self.previous.as_ref().filter(|(_, until)| now_ms < *until);
        is_of(&self.newest) || previous.is_some_and(|(previous, _)| is_of(previous))
    }
}

fn keyed(secret: &[u8; 32]) -> Hmac<Sha256> {
    // HMAC would pad a short key with zeros to a whole block; doing it here cannot fail.
    let mut block = [0; 64];
    block[..32].copy_from_slice(secret);
    Hmac::<Sha256>::new(&block.into())
}

/// The target of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkTarget {
    Video,
    Cover,
}

impl LinkTarget {
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
    pub fn new(base: BaseUrl, secret: &LinkSecret, lifetime: Span) -> Self {
        let keys = RwLock::new(Keys::of(secret));
        Self { base, keys, lifetime_s: lifetime.as_millis() / 1000, bucket: None }
    }

    /// Loads the secrets from the store.
    pub fn use_secret(&self, secret: &LinkSecret) {
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Keys::of(secret);
    }

    fn keys(&self) -> RwLockReadGuard<'_, Keys> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn signature(&self, text: &str, now_ms: Millis) -> String {
        let signed = self.keys().signing(now_ms).clone().chain_update(text);
        URL_SAFE_NO_PAD.encode(signed.finalize().into_bytes())
    }

    /// Runs in constant time, regardless of the signature.
    fn is_genuine(&self, text: &str, signature: &str, now_ms: Millis) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        self.keys().accept(text, &signature, now_ms)
    }

    /// Makes links point to this storage if it can sign them.
    pub fn leading_to(self, bucket: Option<Bucket>) -> Self {
        Self { bucket, ..self }
    }

    /// A link that is valid from now for its lifetime, but not longer than the file. `None` if the file is gone or
    /// has less than a second left. It points directly to storage whose links last long enough, otherwise to the
    /// service, which redirects.
    pub fn sign(
        &self,
        what: LinkTarget,
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
        let signature = self.signature(&signed(what, task_no, item_no, expires_s), now_ms);
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
            tracing::error!(%error, key, "the storage cannot sign a link; a link to the service is used instead");
            None
        })
    }

    /// A link to an archive of all files of a task, on the same terms as [`Links::sign`].
    pub fn sign_archive(&self, task_no: &TaskNo, now_ms: i64, files_expire_at: i64) -> Option<Link> {
        let expires_s = (now_ms / 1000).saturating_add(self.lifetime_s).min(files_expire_at / 1000);
        if expires_s.saturating_mul(1000) <= now_ms {
            return None;
        }
        let signature = self.signature(&archive(task_no, expires_s), now_ms);
        let path = format!("/open-api/v1/download/{task_no}?expires={expires_s}&signature={signature}");
        Some(Link { url: self.open(&path), expires_at: expires_s * 1000 })
    }

    /// Whether a link was created by [`Links::sign_archive`] and has not expired.
    pub fn check_archive(&self, task_no: &TaskNo, expires_s: i64, signature: &str, now_ms: i64) -> bool {
        let genuine = self.is_genuine(&archive(task_no, expires_s), signature, now_ms);
        genuine && now_ms < expires_s.saturating_mul(1000)
    }

    /// A link to a user's upload, valid for its lifetime or as long as the upload is kept.
    pub fn sign_upload(&self, user: UserId, id: &str, now_ms: i64) -> Link {
        let expires_s = (now_ms / 1000).saturating_add(self.lifetime_s);
        let signature = self.signature(&upload(user, id, expires_s), now_ms);
        let path = format!("/files/uploads/{user}/{id}?expires={expires_s}&signature={signature}");
        Link { url: self.open(&path), expires_at: expires_s * 1000 }
    }

    /// Whether a link was created by [`Links::sign_upload`] and has not expired.
    pub fn check_upload(&self, user: UserId, id: &str, expires_s: i64, signature: &str, now_ms: i64) -> bool {
        let genuine = self.is_genuine(&upload(user, id, expires_s), signature, now_ms);
        genuine && now_ms < expires_s.saturating_mul(1000)
    }

    /// A link to all files of a batch as one archive. Whether there are any is checked when it is used.
    pub fn sign_batch(&self, batch_no: &BatchNo, now_ms: i64) -> Link {
        let expires_s = (now_ms / 1000).saturating_add(self.lifetime_s);
        let signature = self.signature(&batch(batch_no, expires_s), now_ms);
        let path =
            format!("/open-api/v1/batches/{batch_no}/download?expires={expires_s}&signature={signature}");
        Link { url: self.open(&path), expires_at: expires_s * 1000 }
    }

    /// Whether a link was created by [`Links::sign_batch`] and has not expired.
    pub fn check_batch(&self, batch_no: &BatchNo, expires_s: i64, signature: &str, now_ms: i64) -> bool {
        let genuine = self.is_genuine(&batch(batch_no, expires_s), signature, now_ms);
        genuine && now_ms < expires_s.saturating_mul(1000)
    }

    /// The page of a share. Each request checks whether the share is still open: the link itself is valid as long as
    /// its secret.
    pub fn share(&self, id: i64, now_ms: Millis) -> String {
        let signature = self.signature(&shared(id), now_ms);
        self.open(&format!("/s/{id}/{signature}"))
    }

    /// Whether a link was created by [`Links::share`].
    pub fn check_share(&self, id: i64, signature: &str, now_ms: Millis) -> bool {
        self.is_genuine(&shared(id), signature, now_ms)
    }

    /// The service's own origin, as `scheme://host:port`.
    pub fn own_origin(&self) -> Option<String> {
        url::Url::parse(self.base.as_str()).ok().map(|url| url.origin().ascii_serialization())
    }

    /// All origins of links, as `scheme://host:port`.
    pub fn origins(&self) -> Vec<String> {
        self.own_origin().into_iter().chain(self.bucket.as_ref().and_then(Bucket::origin)).collect()
    }

    /// A link that needs no signature; `path` begins with `/`.
    pub fn open(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str())
    }

    /// Whether a link was created by [`Links::sign`] and has not expired.
    pub fn check(
        &self,
        what: LinkTarget,
        task_no: &TaskNo,
        item_no: u32,
        expires_s: i64,
        signature: &str,
        now_ms: i64,
    ) -> bool {
        let genuine = self.is_genuine(&signed(what, task_no, item_no, expires_s), signature, now_ms);
        genuine && now_ms < expires_s.saturating_mul(1000)
    }
}

// The signed text.

fn signed(what: LinkTarget, task_no: &TaskNo, item_no: u32, expires_s: i64) -> String {
    format!("{}\n{task_no}\n{item_no}\n{expires_s}", what.word())
}

fn archive(task_no: &TaskNo, expires_s: i64) -> String {
    format!("archive\n{task_no}\n{expires_s}")
}

fn upload(user: UserId, id: &str, expires_s: i64) -> String {
    format!("upload\n{user}\n{expires_s}\n{id}")
}

fn batch(batch_no: &BatchNo, expires_s: i64) -> String {
    format!("batch\n{batch_no}\n{expires_s}")
}

fn shared(id: i64) -> String {
    format!("share\n{id}")
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
        let secret = LinkSecret { newest: [secret; 32], since: 0, earlier: None };
        Links::new("https://x.example".parse().unwrap(), &secret, Span::seconds(60))
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
        let link = links(1).sign(LinkTarget::Video, &task(1), 2, NOW, &result(i64::MAX)).unwrap();
        assert!(link.url.starts_with("https://x.example/files/VP"), "{}", link.url);
        assert_eq!(link.expires_at, 1_700_000_060_000);
        let check = |links: Links, task_no, item_no, expires_s, now| {
            links.check(LinkTarget::Video, &task_no, item_no, expires_s, &signature(&link), now)
        };
        assert!(check(links(1), task(1), 2, 1_700_000_060, NOW));
        assert!(!check(links(1), task(1), 2, 1_700_000_060, 1_700_000_060_000), "expired");
        assert!(!check(links(1), task(1), 2, 1_700_000_061, NOW), "another expiry");
        assert!(!check(links(1), task(1), 3, 1_700_000_060, NOW), "another item");
        assert!(!check(links(1), task(2), 2, 1_700_000_060, NOW), "another task");
        assert!(!check(links(2), task(1), 2, 1_700_000_060, NOW), "another installation");
        let cover = links(1).check(LinkTarget::Cover, &task(1), 2, 1_700_000_060, &signature(&link), NOW);
        assert!(!cover, "the cover");
        for wrong in ["", "AAAA", "ä", "===="] {
            assert!(!links(1).check(LinkTarget::Video, &task(1), 2, 1_700_000_060, wrong, NOW), "{wrong}");
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
        let link = links(1).sign(LinkTarget::Video, &task(1), 1, NOW, &result(NOW + 5_000)).unwrap();
        assert_eq!(link.expires_at, 1_700_000_005_000);
        assert_eq!(links(1).sign(LinkTarget::Video, &task(1), 1, NOW, &result(NOW)), None);
        assert_eq!(links(1).sign(LinkTarget::Video, &task(1), 1, NOW, &result(NOW - 1)), None);
    }

    #[test]
    fn after_a_rotation_the_earlier_secret_is_valid_for_its_time() {
        let (since, until) = (NOW + 30_000, NOW + 3_600_000);
        let rotated = links(1);
        rotated.use_secret(&LinkSecret { newest: [2; 32], since, earlier: Some(([1; 32], until)) });
        let batch = BatchNo::new(NOW, [1; 10]);
        let check = |links: &Links, link: &Link, now| {
            links.check_batch(&batch, link.expires_at / 1000, &signature(link), now)
        };
        // Processes that have not loaded the new secret yet create and receive links with the previous one.
        let before = rotated.sign_batch(&batch, NOW);
        assert!(check(&links(1), &before, NOW) && check(&rotated, &before, NOW));
        let after = rotated.sign_batch(&batch, since);
        assert!(!check(&links(1), &after, since) && check(&rotated, &after, since));
        assert!(check(&rotated, &rotated.sign_batch(&batch, NOW), since), "until it expires");

        let share = |links: &Links, now| links.share(7, now).rsplit_once('/').unwrap().1.to_owned();
        let shared = share(&links(1), NOW);
        assert!(rotated.check_share(7, &shared, until - 1));
        assert!(!rotated.check_share(7, &shared, until));
        assert!(rotated.check_share(7, &share(&rotated, since), until));

        // A secret that expires at once signs nothing more.
        rotated.use_secret(&LinkSecret { newest: [2; 32], since, earlier: Some(([1; 32], NOW)) });
        assert!(!rotated.check_share(7, &shared, NOW));
        assert!(check(&links(2), &rotated.sign_batch(&batch, NOW), NOW));
    }
}
