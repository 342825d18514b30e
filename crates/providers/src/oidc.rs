//! Sign-ins at a provider that speaks OpenID Connect: the authorization code flow with PKCE.
//!
//! [`Oidc`] says where a browser goes, and makes of the code that it brings back who its user is. What the provider says of itself is
//! kept for an hour, its keys as well; what it says of people is believed only under one of its keys, for us, for this sign-in, and now.

mod claims;
mod config;
mod fetch;
mod fresh;
mod keys;
mod metadata;
mod ring_keys;
mod token;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use baton_domain::{Clock, Timestamp};
use baton_ports::{
    IdentityProvider,
    identity_provider::{AuthorizationRequest, AuthorizationResponse, Identified, ProviderError},
};
use ring::digest;
use serde_json::{Map, Value};

use crate::http::HttpConfig;

pub use self::config::{BadOidc, OidcConfig};
use self::{claims::Claims, fetch::Fetch, fresh::Fresh, keys::Keys, metadata::Metadata};

/// How long what a provider says of itself is kept.
const FRESH: Duration = Duration::from_hours(1);
/// How long nobody asks again who has had no answer, or has asked for a key that it does not have.
const PAUSE: Duration = Duration::from_secs(5);

/// A provider that speaks OpenID Connect.
pub struct Oidc {
    config: OidcConfig,
    fetch: Fetch,
    metadata: Fresh<Metadata>,
    keys: Fresh<Keys>,
}

impl Oidc {
    /// A provider as it is configured. It is asked nothing yet.
    pub fn new(
        config: OidcConfig,
        http: &HttpConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, BadOidc> {
        config.check()?;
        ring_keys::install();
        let fetch = Fetch::new(&config, http, clock)?;
        Ok(Self {
            config,
            fetch,
            metadata: Fresh::new(FRESH, PAUSE),
            keys: Fresh::new(FRESH, PAUSE),
        })
    }

    /// Asks the provider for what it says of itself, and for its keys; how many of them can be used.
    pub async fn meet(&self) -> Result<usize, ProviderError> {
        self.metadata().await?;
        Ok(self.keys().await?.len())
    }

    async fn metadata(&self) -> Result<Arc<Metadata>, ProviderError> {
        let ask = Metadata::fetch(&self.fetch, &self.config.issuer);
        self.metadata.get(ask).await
    }

    async fn keys(&self) -> Result<Arc<Keys>, ProviderError> {
        self.keys.get(self.fetch_keys()).await
    }

    async fn fetch_keys(&self) -> Result<Keys, ProviderError> {
        let metadata = self.metadata().await?;
        Keys::fetch(&self.fetch, &metadata.jwks_uri).await
    }

    /// What a token says that one of the provider's keys has signed. A key that is not known is asked for once, in a while.
    async fn verified(&self, id_token: &str) -> Result<Map<String, Value>, ProviderError> {
        let keys = self.keys().await?;
        match keys.open(id_token) {
            Err(token::NotOpened::UnknownKey(_)) => {
                let fetched = self.keys.renew(&keys, self.fetch_keys());
                fetched.await?.open(id_token)
            }
            opened => opened,
        }
        .map_err(|why| {
            ProviderError::Untrusted(format!("{} sent a token {why}", self.config.issuer))
        })
    }

    /// What the provider says of somebody beside the token, where that does not say what decides the role.
    async fn completed(
        &self,
        claims: Claims,
        access_token: Option<&str>,
    ) -> Result<Claims, ProviderError> {
        let metadata = self.metadata().await?;
        match (&metadata.userinfo_endpoint, access_token) {
            (Some(endpoint), Some(token)) if !claims.says(&self.config.role) => {
                let more = self.fetch.with_token(endpoint, token).await?;
                claims.and(more, &self.config.issuer)
            }
            _ => Ok(claims),
        }
    }
}

#[async_trait]
impl IdentityProvider for Oidc {
    fn label(&self) -> &str {
        &self.config.label
    }

    fn issuer(&self) -> &str {
        &self.config.issuer
    }

    fn redirect_url(&self) -> Option<&str> {
        self.config.redirect_url.as_deref()
    }

    async fn authorization_url(
        &self,
        question: &AuthorizationRequest<'_>,
    ) -> Result<String, ProviderError> {
        let metadata = self.metadata().await?;
        let mut url = metadata.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.config.client_id)
            .append_pair("redirect_uri", question.redirect_url)
            .append_pair("scope", &self.config.scopes.join(" "))
            .append_pair("state", question.state)
            .append_pair("nonce", question.nonce)
            .append_pair("code_challenge", &challenge(question.verifier))
            .append_pair("code_challenge_method", "S256");
        Ok(url.into())
    }

    async fn sign_out_url(&self) -> Result<Option<String>, ProviderError> {
        let metadata = self.metadata().await?;
        let endpoint = metadata.end_session_endpoint.clone();
        Ok(endpoint.filter(config::is_guarded).map(|mut url| {
            url.query_pairs_mut()
                .append_pair("client_id", &self.config.client_id);
            url.into()
        }))
    }

    async fn identify(
        &self,
        answer: &AuthorizationResponse<'_>,
        now: Timestamp,
    ) -> Result<Identified, ProviderError> {
        let metadata = self.metadata().await?;
        metadata.check_issuer(answer.issuer, &self.config.issuer)?;
        let tokens = self.fetch.tokens(&metadata, &self.config, answer).await?;
        let said = self.verified(&tokens.id_token).await?;
        let claims = Claims::believed(said, &self.config, answer.question.nonce, now)?;
        let claims = self
            .completed(claims, tokens.access_token.as_deref())
            .await?;
        Ok(claims.identified(&self.config))
    }
}

/// What is shown of a verifier before it is told.
fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_the_one_of_the_standard_s_own_example() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

        assert_eq!(
            challenge(verifier),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }
}
