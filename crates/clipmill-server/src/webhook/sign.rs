//! The signature of the Standard Webhooks scheme.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`; `None` for a secret that is not one.
pub fn sign(secret: &str, id: &str, timestamp_s: i64, body: &[u8]) -> Option<String> {
    let key = STANDARD.decode(secret.strip_prefix("whsec_")?).ok().filter(|key| !key.is_empty())?;
    let mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    let mac = mac.chain_update(format!("{id}.{timestamp_s}.")).chain_update(body);
    Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the example in the scheme's documentation.
    #[test]
    fn the_known_example_is_signed_as_known() {
        let signature = sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(signature.as_deref(), Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
        for secret in ["", "whsec_", "whsec_%", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert_eq!(sign(secret, "a", 1, b""), None, "{secret}");
        }
    }
}
