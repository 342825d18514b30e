//! A token that a provider has signed: opened by one of its keys, or not at all. What it says is judged elsewhere.

use std::fmt;

use jsonwebtoken::{DecodingKey, Header, Validation, decode, decode_header};
use serde_json::{Map, Value};

use super::ring_keys::{BELIEVED, is_believed};

/// The longest token that is looked at, in bytes.
const LONGEST: usize = 64 * 1024;

/// Why a token was not opened, to go on after "sent a token".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOpened {
    /// It is none, or signed by no algorithm that is believed.
    Unreadable,
    /// None of the keys has signed it; the key it names, if it does.
    UnknownKey(Option<String>),
    /// Its signature is not that of the key which it names.
    Forged,
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable => {
                "that is none, or is signed in a way that is not believed: it takes RS256, PS256, ES256, their longer kin, or EdDSA"
            }
            Self::UnknownKey(_) => "that none of its keys has signed",
            Self::Forged => "whose signature is wrong",
        })
    }
}

/// The head of a token, if it is signed in a way that is believed and asks for nothing that is not understood.
pub fn head(token: &str) -> Result<Header, NotOpened> {
    if token.len() > LONGEST {
        return Err(NotOpened::Unreadable);
    }
    let head = decode_header(token).map_err(|_| NotOpened::Unreadable)?;
    let is_understood = BELIEVED.contains(&head.alg) && head.crit.is_none();
    is_understood.then_some(head).ok_or(NotOpened::Unreadable)
}

/// What a token says, if this key has signed it.
pub fn open(
    token: &str,
    head: &Header,
    key: &DecodingKey,
) -> Result<Map<String, Value>, NotOpened> {
    if !is_believed(head.alg, key.family()) {
        return Err(NotOpened::Forged);
    }
    let mut signature_alone = Validation::new(head.alg);
    // Whether it is for us, and now, is asked of the clock and the settings of this server.
    signature_alone.validate_exp = false;
    signature_alone.validate_aud = false;
    signature_alone.required_spec_claims.clear();
    let opened = decode::<Map<String, Value>>(token, key, &signature_alone);
    opened
        .map(|opened| opened.claims)
        .map_err(|_| NotOpened::Forged)
}
