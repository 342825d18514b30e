//! The keys that a provider signs with.

use baton_ports::identity_provider::ProviderError;
use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey,
    jwk::{Jwk, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use super::{
    fetch::Fetch,
    token::{self, NotOpened},
};

/// How many keys are kept at most.
const MOST: usize = 100;

/// The keys of a provider that can be used.
pub struct Keys(Vec<Key>);

struct Key {
    id: Option<String>,
    /// The one algorithm that it is for, if the provider says so.
    algorithm: Option<String>,
    key: DecodingKey,
}

#[derive(Deserialize)]
struct Set {
    keys: Vec<Value>,
}

impl Keys {
    /// Asks the provider for them.
    pub async fn fetch(fetch: &Fetch, url: &Url) -> Result<Self, ProviderError> {
        let set: Set = fetch.json(url.as_str()).await?;
        let keys = Self::of(set.keys);
        match keys.0.is_empty() {
            true => Err(ProviderError::Away(format!(
                "{url} has no key that can be used"
            ))),
            false => Ok(keys),
        }
    }

    /// Those among them that can be used: what is not known here is left out, as are secrets, which nobody may publish.
    pub fn of(keys: Vec<Value>) -> Self {
        let keys = keys.into_iter().filter_map(Key::read);
        Self(keys.take(MOST).collect())
    }

    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// What a token says that one of them has signed.
    pub fn open(&self, token: &str) -> Result<Map<String, Value>, NotOpened> {
        let head = token::head(token)?;
        let unknown = || NotOpened::UnknownKey(head.kid.clone());
        let mut fitting = self
            .0
            .iter()
            .filter(|key| key.fits(head.kid.as_deref(), head.alg));
        if head.kid.is_some() {
            let key = fitting.next().ok_or_else(unknown)?;
            return token::open(token, &head, &key.key);
        }
        let opened = fitting.find_map(|key| token::open(token, &head, &key.key).ok());
        opened.ok_or_else(unknown)
    }
}

impl Key {
    fn read(value: Value) -> Option<Self> {
        let algorithm = value.get("alg").and_then(Value::as_str).map(str::to_owned);
        let jwk: Jwk = serde_json::from_value(value).ok()?;
        let is_for_signatures = matches!(
            jwk.common.public_key_use,
            None | Some(PublicKeyUse::Signature)
        );
        let key = DecodingKey::from_jwk(&jwk).ok()?;
        let is_public = key.family() != AlgorithmFamily::Hmac;
        (is_for_signatures && is_public).then(|| Self {
            id: jwk.common.key_id.clone(),
            algorithm,
            key,
        })
    }

    fn fits(&self, id: Option<&str>, algorithm: Algorithm) -> bool {
        let is_named = id.is_none_or(|id| self.id.as_deref() == Some(id));
        let named = self.algorithm.as_deref();
        let is_for_it = named.is_none_or(|named| named.parse() == Ok(algorithm));
        is_named && is_for_it && self.key.family() == algorithm.family()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // Drawn, used and thrown away.
    const MODULUS: &str = "lMQhGPCvf3Z9PNDzwXBMalfOPWQnH_aXn8i6PFPb8EBZm7SFRikGriAlXV9zhLqsT8lE8P9v_0MYYpnMywiXzWrQ_rqdDETMJl-AQZCvbTrLta\
        DnjhO1zcmzcfDpbjLg29naFjBmE15-HmvIVeixG2f7LJz4NN9ZMdiaCSDG8PQmDQN_F9I5Hp8fSy5IGX1qQUavcTirXn1M8t-AaP4fjyaWsbsl\
        giCZ_h5xPMXNQUayz8EDonZL3bgCInnxRWKhV_DoUYVBty_xkJYwMPwcEy7OQp4oSypmAIHFdSybh-zwC39jR_acq_bEKA3aK11YFLTc_KnFti\
        iv5K-vaNLL5Q";
    const BY_RS256: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0xIn0.eyJzdWIiOiJraW0ifQ.J_DX8R1ETBzG4ygjkpmpFstG0Bef8-PsATb3tPSPOZeNzbTgXnw\
        ziBdFXtDOjbKc3g86VOlt_C4luabS3bdWzQiaG73T7Bb0KoK3hJa35s3FeptANBxL3ck4qJ-0HNq1g-hnUXfdsms9v5QyzqXseTntnR6_c3HPK\
        pISo80L9DmA6cc28VdB3AGMdU3g7aXrCrPY2OmDdAFXX32zgk-2cwmeSx32V4e3KKnl6sfUxStB0Nbra6-D4m6_FreVINEaijWIBMRNfu-u-vJ\
        69Os-UyLYeCTRnZIQzte9Aou7IBDT4K9Upt8xfLR1CSsnew9iqP2Hh3fq7owGrVMmLaL5Mw";
    const BY_PS256: &str = "eyJhbGciOiJQUzI1NiIsImtpZCI6InJzYS0xIn0.eyJzdWIiOiJraW0ifQ.DHCdpGuKvYlBIfokA0H_u-O1LAbN5iUewlWb0L2j_4Ae1dEpQkW\
        SYVwtTojWjx1zRnbrlyhoKek7P1T37T5Lw2prIWRP4wJb2ldxHd_6NVXzXDEDS_xGe44kdUyQrd_ET0utOwum0R38dptvD-dHWdbOfrufNcJ8I\
        ek0gR9NtWMzgENDznP6l8j0_bEjTvjVtqfKeWqxzCXlgAtU_nYjIE6mLF5d7TG2vlC04G0iG9pOiLAUz1RsUcda2o43ApsNNr53Yf9ppcrttqc\
        8J6zWcpFkLLa40UK4ulURCUUZGrrajFSaQGxjgqj6SIARq50KfsA2aGJ4Pr3RUXsVgOk67A";

    fn keys(more: &Value) -> Keys {
        let mut key =
            json!({ "kty": "RSA", "kid": "rsa-1", "use": "sig", "n": MODULUS, "e": "AQAB" });
        let fields = key.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        super::super::ring_keys::install();
        Keys::of(vec![key])
    }

    #[test]
    fn what_an_rsa_key_has_signed_is_opened_by_it_and_nothing_that_was_changed() {
        let keys = keys(&json!({}));

        for token in [BY_RS256, BY_PS256] {
            assert_eq!(keys.open(token).unwrap()["sub"], "kim");
            let (said, signature) = token.rsplit_once('.').unwrap();
            let (head, _) = said.split_once('.').unwrap();
            // {"sub":"eve"}
            let forged = format!("{head}.eyJzdWIiOiJldmUifQ.{signature}");
            assert_eq!(keys.open(&forged), Err(NotOpened::Forged));
        }
    }

    #[test]
    fn a_key_is_used_for_what_it_is_published_for_alone() {
        let for_one = keys(&json!({ "alg": "RS256" }));
        let for_secrets = keys(&json!({ "use": "enc" }));
        let other = keys(&json!({ "kid": "rsa-2" }));

        assert!(for_one.open(BY_RS256).is_ok() && for_one.open(BY_PS256).is_err());
        assert_eq!(for_secrets.len(), 0);
        let unknown = NotOpened::UnknownKey(Some("rsa-1".to_owned()));
        assert_eq!(other.open(BY_RS256), Err(unknown));
    }

    #[test]
    fn what_is_no_token_or_asks_for_what_is_not_understood_is_not_looked_at_further() {
        let keys = keys(&json!({}));
        let (_, rest) = BY_RS256.split_once('.').unwrap();
        // {"alg":"RS256","crit":["x"]}
        let critical = format!("eyJhbGciOiJSUzI1NiIsImNyaXQiOlsieCJdfQ.{rest}");
        let long = format!("{BY_RS256}{}", "A".repeat(70_000));

        for text in ["", "a", "a.b.c", "..", &critical, &long] {
            assert_eq!(keys.open(text), Err(NotOpened::Unreadable), "{text:.40}");
        }
    }
}
