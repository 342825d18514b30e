//! A provider of sign-ins: somebody else who knows people, and says who one of them is.

use std::fmt;

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    access::{Identity, Role},
};

/// Knows people, and says who one of them is.
#[async_trait]
pub trait IdentityProvider: Send + Sync {
    /// What the button says that leads there.
    fn label(&self) -> &str;

    /// What it is called by in everything that it says.
    fn issuer(&self) -> &str;

    /// Where it sends browsers back to, if the settings say so.
    fn redirect_url(&self) -> Option<&str>;

    /// Where a browser goes to say there who its user is.
    async fn authorization_url(
        &self,
        question: &AuthorizationRequest<'_>,
    ) -> Result<String, ProviderError>;

    /// Where a browser ends its session there, if it can.
    async fn sign_out_url(&self) -> Result<Option<String>, ProviderError>;

    /// Who they are, by what their browser has brought back.
    async fn identify(
        &self,
        answer: &AuthorizationResponse<'_>,
        now: Timestamp,
    ) -> Result<Identified, ProviderError>;
}

/// What a browser takes along to the provider.
#[derive(Clone, Copy)]
pub struct AuthorizationRequest<'a> {
    /// Comes back with the browser, and nobody else knows it.
    pub state: &'a str,
    /// Comes back in what the provider signs.
    pub nonce: &'a str,
    /// Proves later that whoever asks for the answer has asked the question; of it only a digest is shown now.
    pub verifier: &'a str,
    /// Where the browser is to come back to.
    pub redirect_url: &'a str,
}

/// What a browser has brought back, and what it had taken along.
#[derive(Clone, Copy)]
pub struct AuthorizationResponse<'a> {
    /// What the provider gives its answer for, once.
    pub code: &'a str,
    /// Which provider says so, if it does.
    pub issuer: Option<&'a str>,
    /// What it had taken along.
    pub question: AuthorizationRequest<'a>,
}

/// Somebody whom the provider knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identified {
    /// Who.
    pub identity: Identity,
    /// What they are called there, the best first.
    pub called: Vec<String>,
    /// What they may do here by what it says of them; `None` if they have no business here.
    pub role: Option<Role>,
    /// What decides that, for people: `the claim groups`.
    pub decided_by: String,
}

/// Why nobody knows who somebody is. What it tells holds no code and no token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderError {
    /// It could not be asked, or not understood; later it may be.
    Away(String),
    /// It does not give an answer for this code, any more or to us.
    Refused(String),
    /// Its answer is not to be believed.
    Untrusted(String),
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Away(why) | Self::Refused(why) | Self::Untrusted(why)) = self;
        f.write_str(why)
    }
}

impl std::error::Error for ProviderError {}
