//! A sign-in that was begun: what the browser keeps while it is at the provider, sealed.
//!
//! Any server opens it that has the secret of the installation, so it matters to nobody which of them the browser comes back to.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use baton_domain::{Timestamp, access::Secret};
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
    rand::{SecureRandom, SystemRandom},
};
use serde::{Deserialize, Serialize};

/// What else could be sealed with the same secret is sealed under another name.
const PURPOSE: &[u8] = b"baton sign-in at a provider";

/// What seals sign-ins that were begun, and opens them.
pub struct SignInSeal(LessSafeKey);

/// What a browser keeps while it is away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PendingSignIn {
    state: String,
    nonce: String,
    verifier: String,
    until: i64,
    /// At which provider.
    pub issuer: String,
    /// Where it was told to come back to.
    pub redirect_url: String,
    /// Where its user wanted to go.
    pub next: String,
}

impl PendingSignIn {
    pub fn new(issuer: &str, redirect_url: &str, next: &str, until: Timestamp) -> Self {
        let drawn = || Secret::draw().reveal();
        Self {
            state: drawn(),
            nonce: drawn(),
            verifier: drawn(),
            until: until.as_micros(),
            issuer: issuer.to_owned(),
            redirect_url: redirect_url.to_owned(),
            next: next.to_owned(),
        }
    }

    pub fn state(&self) -> &str {
        &self.state
    }

    pub fn nonce(&self) -> &str {
        &self.nonce
    }

    pub fn verifier(&self) -> &str {
        &self.verifier
    }

    pub const fn is_over(&self, now: Timestamp) -> bool {
        now.as_micros() >= self.until
    }

    /// Whether this is its state, in a time that does not tell how much of it is.
    pub fn is_state(&self, text: &str) -> bool {
        let (given, kept) = (Secret::read(text), Secret::read(&self.state));
        matches!((given, kept), (Ok(given), Ok(kept)) if given.is_kept_as(&kept.digest()))
    }
}

impl SignInSeal {
    /// A seal by the secret of the installation.
    pub fn new(secret: &[u8; 32]) -> Self {
        let key = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), PURPOSE);
        let key = UnboundKey::new(&CHACHA20_POLY1305, key.as_ref());
        Self(LessSafeKey::new(key.expect("a digest is as long as a key")))
    }

    /// A sign-in as its browser keeps it.
    ///
    /// # Panics
    /// When the system has no randomness to give: nothing may go on then.
    pub fn seal(&self, begun: &PendingSignIn) -> String {
        let mut nonce = [0; NONCE_LEN];
        let random = SystemRandom::new().fill(&mut nonce);
        random.expect("the system's randomness");
        // It is all plain values: there is nothing that could not be written.
        let mut said = postcard::to_allocvec(begun).unwrap_or_default();
        let at = Nonce::assume_unique_for_key(nonce);
        let sealed = self.0.seal_in_place_append_tag(at, Aad::empty(), &mut said);
        sealed.expect("far less than can be sealed");
        URL_SAFE_NO_PAD.encode([&nonce[..], &said].concat())
    }

    /// What a browser has kept, if it was sealed here.
    pub fn open(&self, text: &str) -> Option<PendingSignIn> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut sealed = sealed.to_vec();
        let said = self
            .0
            .open_in_place(nonce, Aad::empty(), &mut sealed)
            .ok()?;
        postcard::from_bytes(said).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn begun() -> PendingSignIn {
        let redirect = "https://jobs.example/admin/sign-in/callback";
        PendingSignIn::new("https://sso.example", redirect, "/jobs", NOW)
    }

    #[test]
    fn a_sign_in_opens_as_it_was_sealed_and_shows_nothing_before() {
        let (seal, begun) = (SignInSeal::new(&[7; 32]), begun());

        let kept = seal.seal(&begun);

        assert_eq!(seal.open(&kept), Some(begun.clone()));
        let bytes = URL_SAFE_NO_PAD.decode(&kept).unwrap();
        let shown = String::from_utf8_lossy(&bytes);
        assert!(!shown.contains(begun.verifier()) && !shown.contains("jobs"));
    }

    #[test]
    fn one_that_was_changed_anywhere_or_sealed_elsewhere_opens_nothing() {
        let seal = SignInSeal::new(&[7; 32]);
        let kept = seal.seal(&begun());

        for place in 0..kept.len() {
            let mut forged = kept.clone().into_bytes();
            forged[place] = if forged[place] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();

            assert_eq!(seal.open(&forged), None, "at {place}");
            assert_eq!(seal.open(&kept[..place]), None, "cut at {place}");
        }
        assert_eq!(SignInSeal::new(&[8; 32]).open(&kept), None);
    }

    #[test]
    fn a_state_is_known_again_and_no_other_is_taken_for_it() {
        let (one, other) = (begun(), begun());

        assert!(one.is_state(one.state()));
        for wrong in [other.state(), "", &one.state()[1..], "x"] {
            assert!(!one.is_state(wrong), "{wrong}");
        }
    }
}
