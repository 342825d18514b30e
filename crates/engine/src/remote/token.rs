//! Tokens: the right to one attempt with all that settling it takes, under a seal of the installation.
//!
//! A result is a token and a verdict, so no worker can send counters that make no sense, and no server need look anything
//! up. The lease in it is the fence; the seal only says that the token came from here.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    job::{AttemptCounters, Backoff, DeliveryGuarantee, Policy},
};
use baton_ports::store::Claimed;
use ring::hmac;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What the first byte of a token is: how the rest is to be read.
const VERSION: u8 = 1;
/// How many bytes a seal has.
const SEAL: usize = 32;
/// What else could be sealed with the same secret is sealed under another name.
const PURPOSE: &[u8] = b"baton attempt token";

/// What seals tokens, and opens them.
pub struct Seal(hmac::Key);

impl Seal {
    /// A seal by the secret of the installation.
    pub fn new(secret: &[u8; 32]) -> Self {
        let secret = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), PURPOSE);
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret.as_ref()))
    }

    /// The token of an attempt.
    pub fn token(&self, token: &AttemptToken) -> String {
        let mut bytes = vec![VERSION];
        // It is all plain values: there is nothing that could not be written.
        bytes.extend(postcard::to_allocvec(token).unwrap_or_default());
        let tag = hmac::sign(&self.0, &bytes);
        bytes.extend(tag.as_ref());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// What a token says, if it was sealed here.
    pub fn open(&self, text: &str) -> Option<AttemptToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (said, seal) = bytes.split_at_checked(bytes.len().checked_sub(SEAL)?)?;
        hmac::verify(&self.0, said, seal).ok()?;
        let (version, said) = said.split_first()?;
        (*version == VERSION).then_some(())?;
        postcard::from_bytes(said).ok()
    }
}

/// What a token says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptToken {
    worker: [u8; 16],
    lease: [u8; 16],
    job: [u8; 16],
    attempt: u32,
    tries: u32,
    losses: u32,
    run: u32,
    queued_at: i64,
    max_attempts: u32,
    /// JSON text; nothing for the usual one.
    backoff: Option<String>,
    is_at_most_once: bool,
    kind: String,
    queue: String,
}

impl AttemptToken {
    /// The right of a worker to an attempt that it has claimed.
    pub fn of(worker: WorkerId, claimed: &Claimed) -> Self {
        let (args, counters) = (&claimed.args, claimed.counters);
        let is_usual = args.options.backoff == Backoff::default();
        Self {
            worker: worker.uuid().into_bytes(),
            lease: claimed.lease.uuid().into_bytes(),
            job: args.id.uuid().into_bytes(),
            attempt: counters.attempt,
            tries: counters.tries,
            losses: counters.losses,
            run: counters.run,
            queued_at: claimed.queued_at.as_micros(),
            max_attempts: args.options.max_attempts,
            backoff: (!is_usual)
                .then(|| serde_json::to_string(&args.options.backoff).unwrap_or_default()),
            is_at_most_once: args.options.delivery == DeliveryGuarantee::AtMostOnce,
            kind: args.kind.clone(),
            queue: args.queue.clone(),
        }
    }

    pub const fn worker(&self) -> WorkerId {
        WorkerId::from_uuid(Uuid::from_bytes(self.worker))
    }

    pub const fn lease(&self) -> LeaseId {
        LeaseId::from_uuid(Uuid::from_bytes(self.lease))
    }

    pub const fn job(&self) -> JobId {
        JobId::from_uuid(Uuid::from_bytes(self.job))
    }

    pub const fn counters(&self) -> AttemptCounters {
        AttemptCounters {
            attempt: self.attempt,
            tries: self.tries,
            losses: self.losses,
            run: self.run,
        }
    }

    pub const fn queued_at(&self) -> Timestamp {
        Timestamp::from_micros(self.queued_at)
    }

    pub fn kind(&self) -> &str {
        &self.kind
    }

    pub fn queue(&self) -> &str {
        &self.queue
    }

    pub fn backoff(&self) -> Backoff {
        let told = self.backoff.as_deref();
        told.and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    /// What the job allows.
    pub const fn policy<'a>(&self, backoff: &'a Backoff) -> Policy<'a> {
        Policy {
            max_attempts: self.max_attempts,
            backoff,
            delivery: if self.is_at_most_once {
                DeliveryGuarantee::AtMostOnce
            } else {
                DeliveryGuarantee::AtLeastOnce
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::job::{JobSpec, Limits, NewJob};

    use std::time::Duration;

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn token(backoff: Backoff) -> AttemptToken {
        let spec = JobSpec {
            kind: "resize".to_owned(),
            queue: Some("images".to_owned()),
            payload: "{}".to_owned(),
            backoff: Some(backoff),
            ..JobSpec::default()
        };
        let job = NewJob::from_spec(spec, &Limits::default(), NOW).unwrap();
        let claimed = Claimed::first(&job, LeaseId::new(NOW), NOW);
        AttemptToken::of(WorkerId::new(NOW), &claimed)
    }

    #[test]
    fn a_token_opens_as_it_was_sealed() {
        let seal = Seal::new(&[7; 32]);
        let odd = Backoff {
            base: Duration::from_secs(77),
            ..Backoff::default()
        };

        for backoff in [Backoff::default(), odd] {
            let told = token(backoff.clone());
            let opened = seal.open(&seal.token(&told)).unwrap();

            assert_eq!(opened, told);
            assert_eq!(opened.backoff(), backoff);
        }
    }

    #[test]
    fn a_token_that_was_changed_anywhere_or_cut_opens_nothing() {
        let seal = Seal::new(&[7; 32]);
        let text = seal.token(&token(Backoff::default()));

        for place in 0..text.len() {
            let mut forged = text.clone().into_bytes();
            forged[place] = if forged[place] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();

            assert_eq!(seal.open(&forged), None, "at {place}");
            assert_eq!(seal.open(&text[..place]), None, "cut at {place}");
        }
    }

    #[test]
    fn the_seal_of_another_installation_opens_nothing() {
        let text = Seal::new(&[7; 32]).token(&token(Backoff::default()));

        assert_eq!(Seal::new(&[8; 32]).open(&text), None);
    }

    #[test]
    fn a_usual_token_is_short() {
        let text = Seal::new(&[7; 32]).token(&token(Backoff::default()));

        assert!(text.len() <= 220, "{}", text.len());
    }
}
