//! Signs a call as the Standard Webhooks specification says, so that its receiver can trust it.

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::hmac;

/// A secret shared with the receivers of calls: `whsec_` and at least 24 bytes in base64.
#[derive(Clone)]
pub struct Secret(hmac::Key);

/// Why a text is not a signing secret; it never repeats the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// It does not begin as it should.
    #[error("a signing secret begins with whsec_; make one with: openssl rand -base64 32")]
    Prefix,
    /// What follows is not base64.
    #[error("what follows whsec_ in a signing secret must be base64")]
    Base64,
    /// It is too easily guessed, or too long to be one.
    #[error("a signing secret must be 24 to 64 bytes long before base64, and this one is {0}")]
    Length(usize),
}

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix("whsec_").ok_or(SecretError::Prefix)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SecretError::Base64)?;
        if !(24..=64).contains(&bytes.len()) {
            return Err(SecretError::Length(bytes.len()));
        }
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The value of `webhook-signature`: one signature for each secret, so that secrets can be rotated.
///
/// `id` must not contain a dot, as dots part what is signed.
pub fn sign(secrets: &[Secret], id: &str, seconds: i64, body: &[u8]) -> String {
    let mut signatures = String::with_capacity(secrets.len() * 48);
    for Secret(key) in secrets {
        let mut signed = hmac::Context::with_key(key);
        signed.update(format!("{id}.{seconds}.").as_bytes());
        signed.update(body);
        if !signatures.is_empty() {
            signatures.push(' ');
        }
        signatures.push_str("v1,");
        STANDARD.encode_string(signed.sign(), &mut signatures);
    }
    signatures
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn the_published_example_is_signed_as_published() {
        let secret: Secret = PUBLISHED.parse().unwrap();

        let signature = sign(
            &[secret],
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            br#"{"test": 2432232314}"#,
        );

        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn each_secret_gives_a_signature_of_its_own() {
        let new: Secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".parse().unwrap();
        let old: Secret = PUBLISHED.parse().unwrap();

        let both = sign(&[new.clone(), old.clone()], "job_1", 1, b"{}");

        let each = [
            sign(&[new], "job_1", 1, b"{}"),
            sign(&[old], "job_1", 1, b"{}"),
        ];
        assert_eq!(both, each.join(" "));
        assert_ne!(each[0], each[1]);
    }

    #[test]
    fn a_bad_secret_is_refused_without_being_repeated() {
        for (text, expected) in [
            ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", SecretError::Prefix),
            ("whsec_not base64!", SecretError::Base64),
            ("whsec_c2hvcnQ=", SecretError::Length(5)),
        ] {
            let error = text.parse::<Secret>().unwrap_err();

            assert_eq!(error, expected);
            assert!(!error.to_string().contains(text));
        }
        let secret: Secret = PUBLISHED.parse().unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(..)");
    }
}
