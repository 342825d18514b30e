//! Tokens as the provider signs them, and as it must not.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    hmac,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value, json};

use super::{CLIENT, Twist};

/// What the provider signs with.
pub struct Key {
    id: String,
    pair: EcdsaKeyPair,
}

impl Key {
    pub fn draw(id: &str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
        let document = document.expect("a key");
        let pair =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        Self {
            id: id.to_owned(),
            pair: pair.expect("the same key"),
        }
    }

    /// What everybody may know of it.
    pub fn published(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let (x, y) = point[1..].split_at(32);
        let text = |bytes| URL_SAFE_NO_PAD.encode(bytes);
        json!({
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": text(x), "y": text(y),
        })
    }

    fn sign(&self, message: &str) -> Vec<u8> {
        let signature = self.pair.sign(&SystemRandom::new(), message.as_bytes());
        signature.expect("a signature").as_ref().to_vec()
    }
}

/// The token for somebody of whom this is said.
pub fn id_token(issuer: &str, key: &Key, twist: Twist, nonce: &str, said: &Value) -> String {
    let now = seconds();
    let mut claims = json!({
        "iss": issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce,
    });
    let is_elsewhere = matches!(twist, Twist::ClaimsElsewhere | Twist::ClaimsOfAnother);
    let said = said.as_object().expect("claims are an object").clone();
    let all = claims.as_object_mut().expect("an object");
    all.extend(
        said.into_iter()
            .filter(|(name, _)| !is_elsewhere || name == "sub"),
    );
    match twist {
        Twist::WrongNonce => claims["nonce"] = json!("of another sign-in"),
        Twist::WrongAudience => claims["aud"] = json!(["shop"]),
        Twist::OtherParty => {
            claims["aud"] = json!(["shop", CLIENT]);
            claims["azp"] = json!("shop");
        }
        Twist::WrongIssuer => claims["iss"] = json!("https://evil.example"),
        Twist::Expired => claims["exp"] = json!(now - 120),
        Twist::NotYet => claims["nbf"] = json!(now + 120),
        Twist::Endless => drop(claims.as_object_mut().map(|all| all.remove("exp"))),
        Twist::EndsAtText => claims["exp"] = json!((now + 300).to_string()),
        Twist::Nobody => claims["sub"] = json!(""),
        _ => {}
    }
    signed(key, twist, &claims)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a provider has a clock of its own"
)]
fn seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.expect("after 1970").as_secs()
}

fn signed(key: &Key, twist: Twist, claims: &Value) -> String {
    let other = Key::draw("unpublished");
    let (algorithm, id) = match twist {
        Twist::NoSignature => ("none", &key.id),
        Twist::PublicKeyAsSecret => ("HS256", &key.id),
        Twist::UnknownKey => ("ES256", &other.id),
        _ => ("ES256", &key.id),
    };
    let head = json!({ "alg": algorithm, "kid": id, "typ": "JWT" });
    let text = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", text(&head), text(claims));
    let signature = match twist {
        Twist::NoSignature => Vec::new(),
        Twist::PublicKeyAsSecret => {
            let public = hmac::Key::new(hmac::HMAC_SHA256, key.pair.public_key().as_ref());
            hmac::sign(&public, message.as_bytes()).as_ref().to_vec()
        }
        Twist::Forged => key.sign("something else"),
        Twist::UnknownKey => other.sign(&message),
        _ => key.sign(&message),
    };
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}
