//! Inbox tokens: what opens the inbox of one recipient for a short while, `bit_<key>_<end>_<recipient>_<signature>`.
//!
//! A backend makes one for its own user and hands it to the user's app. It is signed by the API key that made it, of which the
//! server keeps the digest: nothing else is kept, and it is worth nothing any more when that key is.

use ring::hmac;
use uuid::Uuid;

use super::Digest;
use crate::{KeyId, Timestamp, hex};

/// What every inbox token begins with.
const PREFIX: &str = "bit";

/// What an inbox token says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxToken {
    /// The key that signed it.
    pub key: KeyId,
    /// Whose inbox it opens.
    pub recipient: String,
    /// From when on it opens nothing.
    pub expires_at: Timestamp,
    signature: Vec<u8>,
}

/// A text that is no inbox token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an inbox token looks like bit_<key>_<end>_<recipient>_<signature>")]
pub struct ParseInboxTokenError;

impl InboxToken {
    /// Signs a token for the inbox of a recipient, with the digest of a key's secret.
    #[must_use]
    pub fn sign(key: KeyId, digest: &Digest, recipient: &str, expires_at: Timestamp) -> Self {
        let said = said(key, recipient, expires_at);
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, digest), said.as_bytes());
        Self {
            key,
            recipient: recipient.to_owned(),
            expires_at,
            signature: signature.as_ref().to_vec(),
        }
    }

    /// Whether the key with this digest has signed it.
    #[must_use]
    pub fn is_signed_by(&self, digest: &Digest) -> bool {
        let said = said(self.key, &self.recipient, self.expires_at);
        let key = hmac::Key::new(hmac::HMAC_SHA256, digest);
        hmac::verify(&key, said.as_bytes(), &self.signature).is_ok()
    }

    /// The token in full, for the one who is to have it.
    #[must_use]
    pub fn reveal(&self) -> String {
        let said = said(self.key, &self.recipient, self.expires_at);
        format!("{said}_{}", hex(&self.signature))
    }

    /// What it is remembered by.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut told = [0; 32];
        let digest = ring::digest::digest(&ring::digest::SHA256, self.reveal().as_bytes());
        told.copy_from_slice(digest.as_ref());
        told
    }

    /// Whether a text is meant to be one.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        text.strip_prefix(PREFIX)
            .is_some_and(|rest| rest.starts_with('_'))
    }

    /// Reads a token.
    pub fn read(text: &str) -> Result<Self, ParseInboxTokenError> {
        let parts: Vec<_> = text.split('_').collect();
        let [PREFIX, key, end, recipient, signature] = parts[..] else {
            return Err(ParseInboxTokenError);
        };
        let bytes = |text| bytes(text).ok_or(ParseInboxTokenError);
        let key = Uuid::try_parse(key).map_err(|_| ParseInboxTokenError)?;
        let end = i64::from_str_radix(end, 16).map_err(|_| ParseInboxTokenError)?;
        let recipient = String::from_utf8(bytes(recipient)?).map_err(|_| ParseInboxTokenError)?;
        Ok(Self {
            key: KeyId::from_uuid(key),
            recipient,
            expires_at: Timestamp::from_micros(end),
            signature: bytes(signature)?,
        })
    }
}

/// What is signed.
fn said(key: KeyId, recipient: &str, expires_at: Timestamp) -> String {
    let key = key.uuid().simple();
    let (end, recipient) = (expires_at.as_micros(), hex(recipient.as_bytes()));
    format!("{PREFIX}_{key}_{end:x}_{recipient}")
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let is_hex = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
    if !hex.len().is_multiple_of(2) || !hex.bytes().all(is_hex) {
        return None;
    }
    let pairs = (0..hex.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    fn token(recipient: &str) -> InboxToken {
        let key = KeyId::new(Timestamp::from_micros(1));
        InboxToken::sign(key, &[7; 32], recipient, END)
    }

    #[test]
    fn a_token_reads_back_and_knows_its_key() {
        for recipient in ["user-1", "사용자_7", "a_b"] {
            let token = token(recipient);

            assert_eq!(InboxToken::read(&token.reveal()), Ok(token.clone()));
            assert!(token.is_signed_by(&[7; 32]) && !token.is_signed_by(&[8; 32]));
        }
    }

    #[test]
    fn nobody_makes_a_token_another_ones_or_longer() {
        let own = token("user-1");

        let anothers = InboxToken {
            recipient: "user-2".to_owned(),
            ..own.clone()
        };
        let longer = InboxToken {
            expires_at: Timestamp::from_micros(END.as_micros() + 1),
            ..own
        };

        for forged in [anothers, longer] {
            let forged = InboxToken::read(&forged.reveal()).unwrap();
            assert!(!forged.is_signed_by(&[7; 32]), "{forged:?}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for text in ["", "bit", "bit_x_1_61_00", "bat_1_2_3_4", "bit_1_1_6_00"] {
            assert_eq!(InboxToken::read(text), Err(ParseInboxTokenError), "{text}");
        }
    }
}
