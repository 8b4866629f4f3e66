//! API keys and webhook secrets: their form, and the stored hash.
//!
//! A key is `cm_live_`, 30 random base62 characters, and 6 more that are the CRC-32 of all before. The
//! checksum lets a mistyped or invented key be refused before the database is asked. Only the SHA-256 of a
//! key is kept; with 178 random bits a plain hash needs neither salt nor stretching.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

const KEY_START: &str = "cm_live_";
const CODE_START: &str = "cm_inv_";
const SECRET_START: &str = "whsec_";
const RANDOM_LEN: usize = 30;
const CHECKSUM_LEN: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A newly issued key: the only time its text is available.
#[derive(Clone)]
pub struct IssuedKey {
    pub text: String,
    pub sha256: [u8; 32],
    /// The first characters, to distinguish keys in lists.
    pub prefix: String,
}

/// Creates a key from 32 random bytes.
pub fn new_key(random: [u8; 32]) -> IssuedKey {
    let text = with_checksum(KEY_START, random);
    let prefix = text.chars().take(KEY_START.len() + 4).collect();
    IssuedKey { sha256: sha256(&text), prefix, text }
}

/// The stored hash of a presented key; `None` if it is not a clipmill key.
pub fn check_key(text: &str) -> Option<[u8; 32]> {
    check(KEY_START, text)
}

/// The code of an invitation, which has the form of a key with another beginning, and its hash.
pub fn new_code(random: [u8; 32]) -> (String, [u8; 32]) {
    let text = with_checksum(CODE_START, random);
    let hash = sha256(&text);
    (text, hash)
}

/// The stored hash of the code of an invitation; `None` if it does not have the form of one.
pub fn check_code(text: &str) -> Option<[u8; 32]> {
    check(CODE_START, text)
}

fn with_checksum(start: &str, random: [u8; 32]) -> String {
    let body = format!("{start}{}", base62(random, RANDOM_LEN));
    format!("{body}{}", checksum(&body))
}

fn check(start: &str, text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix(start)?;
    let well_formed =
        digits.len() == RANDOM_LEN + CHECKSUM_LEN && digits.bytes().all(|b| b.is_ascii_alphanumeric());
    if !well_formed {
        return None;
    }
    let (body, sum) = text.split_at_checked(start.len() + RANDOM_LEN)?;
    (checksum(body) == sum).then(|| sha256(text))
}

/// The secret that signs a user's callbacks, in the form of the Standard Webhooks scheme.
pub fn new_webhook_secret(random: [u8; 32]) -> String {
    format!("{SECRET_START}{}", STANDARD.encode(random))
}

fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn checksum(body: &str) -> String {
    let mut number = [0; 32];
    if let Some(low) = number.last_chunk_mut::<4>() {
        *low = crc32fast::hash(body.as_bytes()).to_be_bytes();
    }
    base62(number, CHECKSUM_LEN)
}

/// The lowest `len` base-62 digits of a big-endian number, the highest first.
fn base62(mut number: [u8; 32], len: usize) -> String {
    let mut digits: Vec<char> = (0..len).map(|_| digit(divide_by_62(&mut number))).collect();
    digits.reverse();
    digits.into_iter().collect()
}

fn digit(value: u16) -> char {
    BASE62.get(usize::from(value)).map_or('0', |byte| char::from(*byte))
}

/// Divides in place and returns the remainder.
fn divide_by_62(number: &mut [u8; 32]) -> u16 {
    let mut rest = 0u16;
    for byte in number {
        let value = rest << 8 | u16::from(*byte);
        *byte = (value / 62) as u8;
        rest = value % 62;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issued_key_checks_and_has_its_form() {
        let key = new_key([7; 32]);
        assert_eq!(key.text.len(), 44);
        assert!(key.text.starts_with("cm_live_"));
        assert_eq!(key.prefix.len(), 12);
        assert_eq!(check_key(&key.text), Some(key.sha256));
        assert_ne!(new_key([8; 32]).text, key.text);
    }

    #[test]
    fn any_changed_character_is_noticed() {
        let text = new_key([200; 32]).text;
        for (i, old) in text.char_indices() {
            let new = if old == 'x' { 'y' } else { 'x' };
            let changed: String = text.char_indices().map(|(j, c)| if i == j { new } else { c }).collect();
            assert_eq!(check_key(&changed), None, "{changed}");
        }
    }

    #[test]
    fn malformed_keys_are_refused() {
        for text in ["", "cm_live_", "cm_live_short", "cm_test_000000000000000000000000000000000000", "é"] {
            assert_eq!(check_key(text), None, "{text}");
        }
        let wide = format!("cm_live_{}é", "0".repeat(34));
        assert_eq!(check_key(&wide), None);
    }

    #[test]
    fn a_code_is_not_a_key() {
        let (code, hash) = new_code([7; 32]);
        assert!(code.starts_with("cm_inv_") && code.len() == 43, "{code}");
        assert_eq!((check_code(&code), check_key(&code)), (Some(hash), None));
        assert_eq!(check_code(&new_key([7; 32]).text), None);
        assert_eq!(check_code(&format!("{code}0")), None);
    }

    #[test]
    fn webhook_secrets_carry_32_bytes() {
        let secret = new_webhook_secret([1; 32]);
        let bytes = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        assert_eq!(bytes, [1; 32]);
    }
}
