//! A secret that was drawn at random: shown once, kept as its digest alone.

use std::fmt;

use ring::{
    digest,
    rand::{SecureRandom, SystemRandom},
};

use super::Digest;
use crate::hex;

/// How many random bytes it has.
const BYTES: usize = 32;

/// 256 random bits. Neither `Debug` nor `Display` tells them.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; BYTES]);

/// A text that is no such secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits")]
pub struct ParseSecretError;

impl Secret {
    /// Draws one from the system's randomness; a simulation's seed has no part in it.
    ///
    /// # Panics
    /// When the system has no randomness to give: nothing may go on then.
    #[must_use]
    pub fn draw() -> Self {
        let mut bytes = [0; BYTES];
        SystemRandom::new()
            .fill(&mut bytes)
            .expect("the system's randomness");
        Self(bytes)
    }

    /// Reads one as [`reveal`](Self::reveal) wrote it.
    pub fn read(text: &str) -> Result<Self, ParseSecretError> {
        let mut bytes = [0; BYTES];
        let is_hex = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
        if text.len() != 2 * BYTES || !text.bytes().all(is_hex) {
            return Err(ParseSecretError);
        }
        for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| ParseSecretError)?;
        }
        Ok(Self(bytes))
    }

    /// The secret in hexadecimal digits, for the one who is to have it.
    #[must_use]
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// What is kept of it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut told = [0; 32];
        told.copy_from_slice(digest::digest(&digest::SHA256, &self.0).as_ref());
        told
    }

    /// Whether this is the digest of it, in a time that does not tell how much of it is.
    #[must_use]
    pub fn is_kept_as(&self, digest: &Digest) -> bool {
        let differing = self
            .digest()
            .iter()
            .zip(digest)
            .fold(0, |differing, (a, b)| {
                std::hint::black_box(differing | (a ^ b))
            });
        differing == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_reads_back_and_no_two_are_the_same() {
        let (one, other) = (Secret::draw(), Secret::draw());

        assert_eq!(Secret::read(&one.reveal()), Ok(one.clone()));
        assert_ne!(one, other);
        assert!(one.is_kept_as(&one.digest()) && !one.is_kept_as(&other.digest()));
    }

    #[test]
    fn a_secret_is_not_told_by_accident() {
        let secret = Secret::draw();

        assert_eq!(format!("{secret:?}"), "Secret(..)");
    }

    #[test]
    fn what_is_no_secret_is_refused() {
        for text in ["", "ab", &"g".repeat(64), &"A".repeat(64), &"é".repeat(32)] {
            assert_eq!(Secret::read(text), Err(ParseSecretError), "{text}");
        }
    }
}
