//! What a provider says of somebody, and whether it is said to us, for this sign-in, and now.

use baton_domain::{
    Timestamp,
    access::{ClaimedRole, Identity},
};
use baton_ports::identity_provider::{Identified, ProviderError};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::OidcConfig;

/// By how many seconds the provider's clock may be off.
const LEEWAY: f64 = 60.0;
/// The longest subject, in bytes.
const LONGEST_SUBJECT: usize = 255;
/// What somebody is called by, the best first.
const CALLED: [&str; 4] = ["preferred_username", "email", "upn", "name"];

/// What is said of somebody, and believed.
#[derive(Debug)]
pub struct Claims {
    identity: Identity,
    said: Map<String, Value>,
}

/// What a token says of itself.
#[derive(Deserialize)]
struct OfToken {
    iss: String,
    sub: String,
    aud: Audience,
    exp: f64,
    iat: Option<f64>,
    nbf: Option<f64>,
    nonce: Option<String>,
    azp: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Some(Vec<String>),
}

impl Claims {
    /// What a token says that the provider has signed, if it is to be believed.
    pub fn believed(
        said: Map<String, Value>,
        config: &OidcConfig,
        nonce: &str,
        now: Timestamp,
    ) -> Result<Self, ProviderError> {
        let issuer = &config.issuer;
        let wrong = |why: &str| ProviderError::Untrusted(format!("{issuer} sent a token {why}"));
        let token: OfToken = serde_json::from_value(Value::Object(said.clone()))
            .map_err(|_| wrong("that lacks what a token must say: iss, sub, aud, exp"))?;
        match fault(&token, config, nonce, now) {
            Some(why) => Err(wrong(why)),
            None => Ok(Self {
                identity: Identity {
                    issuer: token.iss,
                    subject: token.sub,
                },
                said,
            }),
        }
    }

    /// Whether anything is said of what decides the role.
    pub fn says(&self, role: &ClaimedRole) -> bool {
        role.is_said(&self.said)
    }

    /// The same with what else the provider says of them; what the token says stays.
    pub fn and(self, more: Map<String, Value>, issuer: &str) -> Result<Self, ProviderError> {
        if more.get("sub").and_then(Value::as_str) != Some(&self.identity.subject) {
            let why = format!("{issuer} was asked about one person and answered about another");
            return Err(ProviderError::Untrusted(why));
        }
        let mut said = more;
        said.extend(self.said);
        Ok(Self { said, ..self })
    }

    /// Who they are here.
    pub fn identified(self, config: &OidcConfig) -> Identified {
        let called = CALLED
            .iter()
            .filter_map(|claim| self.said.get(*claim)?.as_str());
        Identified {
            called: called.map(str::to_owned).collect(),
            role: config.role.of(&self.said),
            decided_by: format!("the claim {}", config.role.claim),
            identity: self.identity,
        }
    }
}

/// Why a token is not to be believed, to go on after "sent a token".
fn fault(
    token: &OfToken,
    config: &OidcConfig,
    nonce: &str,
    now: Timestamp,
) -> Option<&'static str> {
    let now = now.as_micros() as f64 / 1e6;
    let audience = match &token.aud {
        Audience::One(one) => std::slice::from_ref(one),
        Audience::Some(all) => all.as_slice(),
    };
    let is_for = |client: &String| *client == config.client_id;
    let party = token.azp.as_ref();
    if token.iss != config.issuer {
        Some("that is of another issuer")
    } else if !audience.iter().any(is_for) {
        Some("that is for another application than access.oidc.client_id")
    } else if party.is_some_and(|party| !is_for(party)) || (audience.len() > 1 && party.is_none()) {
        Some("that was given to another application than access.oidc.client_id")
    } else if token.nonce.as_deref() != Some(nonce) {
        Some("that belongs to another sign-in: its nonce is another")
    } else if token.exp + LEEWAY <= now {
        Some("that is no longer good; do the clocks agree?")
    } else if [token.iat, token.nbf]
        .into_iter()
        .flatten()
        .any(|at| at > now + LEEWAY)
    {
        Some("that is not good yet; do the clocks agree?")
    } else if token.sub.is_empty() || token.sub.len() > LONGEST_SUBJECT {
        Some("of nobody: its sub has to have 1 to 255 bytes")
    } else {
        None
    }
}
