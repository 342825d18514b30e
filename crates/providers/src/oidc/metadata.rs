//! What a provider says of itself.

use baton_ports::identity_provider::ProviderError;
use serde::Deserialize;
use url::Url;

use super::{config::is_guarded, fetch::Fetch};

/// Where it says so, below its issuer.
const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// What a provider says of itself, as far as that matters here.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    issuer: String,
    pub authorization_endpoint: Url,
    pub token_endpoint: Url,
    pub jwks_uri: Url,
    #[serde(default)]
    pub userinfo_endpoint: Option<Url>,
    #[serde(default)]
    pub end_session_endpoint: Option<Url>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl Metadata {
    /// Asks the provider of this issuer.
    pub async fn fetch(fetch: &Fetch, issuer: &str) -> Result<Self, ProviderError> {
        let url = format!("{}{WELL_KNOWN}", issuer.trim_end_matches('/'));
        let metadata: Self = fetch.json(&url).await?;
        metadata.check(issuer, &url)?;
        Ok(metadata)
    }

    fn check(&self, issuer: &str, url: &str) -> Result<(), ProviderError> {
        let wrong = |why: String| Err(ProviderError::Untrusted(why));
        if self.issuer != issuer {
            return wrong(format!(
                "{url} says that it is {:?}, and access.oidc.issuer says {issuer:?}: the two must be the same letter by letter",
                self.issuer.chars().take(200).collect::<String>()
            ));
        }
        let endpoints = [
            ("authorization_endpoint", Some(&self.authorization_endpoint)),
            ("token_endpoint", Some(&self.token_endpoint)),
            ("jwks_uri", Some(&self.jwks_uri)),
            ("userinfo_endpoint", self.userinfo_endpoint.as_ref()),
        ];
        let open = endpoints
            .into_iter()
            .find(|(_, at)| at.is_some_and(|at| !is_guarded(at)));
        match open {
            Some((name, _)) => wrong(format!(
                "{url} names a {name} that is not https: codes and tokens could be read on their way"
            )),
            None => Ok(()),
        }
    }

    /// Refuses what a browser has brought from another provider than this one.
    pub fn check_issuer(&self, told: Option<&str>, issuer: &str) -> Result<(), ProviderError> {
        let wrong = |why: &str| Err(ProviderError::Untrusted(why.to_owned()));
        match told {
            Some(told) if told != issuer => {
                wrong("the browser has come back from another provider than it was sent to")
            }
            None if self.authorization_response_iss_parameter_supported => wrong(
                "the browser has come back without a word of which provider it comes from, and this one always says so",
            ),
            _ => Ok(()),
        }
    }

    /// Whether it wants our secret in the body, for it does not take it in the head.
    pub fn wants_secret_in_body(&self) -> bool {
        let methods = self.token_endpoint_auth_methods_supported.as_deref();
        methods.is_some_and(|methods| {
            let takes = |method: &str| methods.iter().any(|one| one == method);
            takes("client_secret_post") && !takes("client_secret_basic")
        })
    }
}
