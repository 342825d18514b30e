//! What the provider is asked over HTTP: short, bounded, without redirects, as all outgoing calls are.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use baton_domain::Clock;
use baton_ports::identity_provider::{AuthorizationResponse, ProviderError};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Method,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

use super::{OidcConfig, metadata::Metadata};
use crate::http::{
    Address, Authorities, BodyLimit, Caller, Extent, HttpConfig, HttpRequest, HttpResponse,
    StartError,
};

/// How long one answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest answer, in bytes.
const MOST: usize = 256 * 1024;

/// Asks a provider.
pub struct Fetch {
    caller: Caller,
}

/// What a code is worth.
#[derive(Deserialize)]
pub struct Tokens {
    pub id_token: String,
    #[serde(default)]
    pub access_token: Option<String>,
}

impl Fetch {
    pub fn new(
        config: &OidcConfig,
        http: &HttpConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, StartError> {
        let own = config.ca.clone().map(|file| Authorities {
            setting: "access.oidc.ca".to_owned(),
            file,
        });
        let http = HttpConfig {
            // It is of the operator's choosing, not of a payload's.
            allow_private_targets: true,
            ca: own.or_else(|| http.ca.clone()),
            destinations: BTreeMap::new(),
            ..http.clone()
        };
        let caller = Caller::new(http, Vec::new(), clock)?;
        Ok(Self { caller })
    }

    /// What stands at an address.
    pub async fn json<T: DeserializeOwned>(&self, url: &str) -> Result<T, ProviderError> {
        read(
            url,
            &self.ok(url, Method::GET, HeaderMap::new(), None).await?,
        )
    }

    /// What the provider says of whoever has this token.
    pub async fn with_token(
        &self,
        url: &Url,
        token: &str,
    ) -> Result<Map<String, Value>, ProviderError> {
        let bearer = secret(&format!("Bearer {token}")).ok_or_else(|| unreadable(url.as_str()))?;
        let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer)]);
        let answer = self.ok(url.as_str(), Method::GET, headers, None).await?;
        read(url.as_str(), &answer)
    }

    /// What a code is worth, once.
    pub async fn tokens(
        &self,
        metadata: &Metadata,
        config: &OidcConfig,
        answer: &AuthorizationResponse<'_>,
    ) -> Result<Tokens, ProviderError> {
        let url = metadata.token_endpoint.as_str();
        let (headers, body) =
            for_tokens(metadata, config, answer).ok_or_else(|| unreadable(url))?;
        let answered = self.ask(url, Method::POST, headers, Some(body)).await?;
        match answered.status() {
            200 => read(url, &whole(url, answered)?),
            400 | 401 | 403 => Err(refused(url, &answered)),
            status => Err(unexpected(url, status)),
        }
    }

    async fn ok(
        &self,
        url: &str,
        method: Method,
        headers: HeaderMap,
        body: Option<Bytes>,
    ) -> Result<HttpResponse, ProviderError> {
        let answer = self.ask(url, method, headers, body).await?;
        match answer.status() {
            200 => whole(url, answer),
            status => Err(unexpected(url, status)),
        }
    }

    async fn ask(
        &self,
        url: &str,
        method: Method,
        mut headers: HeaderMap,
        body: Option<Bytes>,
    ) -> Result<HttpResponse, ProviderError> {
        let address = Address::read(url).map_err(|why| {
            ProviderError::Away(format!("the address {url} of the provider {why}"))
        })?;
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let asked = HttpRequest {
            address: Arc::new(address),
            method,
            headers,
            body,
            wanted: BodyLimit::Whole(MOST),
            part: None,
        };
        let answered = self.caller.ask(&asked, TIMEOUT).await;
        answered.map_err(ProviderError::Away)
    }
}

/// The request for what a code is worth, and what proves that it is us; `None` if our secret cannot be written in a header.
fn for_tokens(
    metadata: &Metadata,
    config: &OidcConfig,
    answer: &AuthorizationResponse<'_>,
) -> Option<(HeaderMap, Bytes)> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", answer.code)
        .append_pair("redirect_uri", answer.question.redirect_url)
        .append_pair("code_verifier", answer.question.verifier);
    let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
    let mut headers = HeaderMap::from_iter([(CONTENT_TYPE, form_type)]);
    match &config.client_secret {
        Some(own) if !metadata.wants_secret_in_body() => {
            headers.insert(AUTHORIZATION, basic(&config.client_id, own)?);
        }
        Some(own) => {
            form.append_pair("client_id", &config.client_id)
                .append_pair("client_secret", own);
        }
        None => {
            form.append_pair("client_id", &config.client_id);
        }
    }
    Some((headers, Bytes::from(form.finish())))
}

fn whole(url: &str, answer: HttpResponse) -> Result<HttpResponse, ProviderError> {
    let why = match answer.extent() {
        Extent::Whole => return Ok(answer),
        Extent::TooLong => format!("{url} answered more than {} KiB", MOST / 1024),
        Extent::Part => format!(
            "{url} did not come to the end of its answer within {} seconds",
            TIMEOUT.as_secs()
        ),
    };
    Err(ProviderError::Away(why))
}

/// The error of JSON is not told: it can repeat what it has read.
fn read<T: DeserializeOwned>(url: &str, answer: &HttpResponse) -> Result<T, ProviderError> {
    serde_json::from_slice(answer.body()).map_err(|_| unreadable(url))
}

fn unreadable(url: &str) -> ProviderError {
    ProviderError::Away(format!("{url} did not answer as OpenID Connect says"))
}

fn unexpected(url: &str, status: u16) -> ProviderError {
    let advice = match status {
        300..=399 => {
            "; redirects are not followed, so access.oidc.issuer has to be its own address"
        }
        404 => "; is access.oidc.issuer right?",
        _ => "",
    };
    ProviderError::Away(format!("{url} answered {status}{advice}"))
}

/// Why a code is worth nothing, in the word of the provider.
fn refused(url: &str, answer: &HttpResponse) -> ProviderError {
    #[derive(Deserialize)]
    struct ErrorBody {
        error: String,
    }

    let told = serde_json::from_slice::<ErrorBody>(answer.body());
    let word: String = told.map_or_else(|_| String::new(), |told| told.error);
    let word: String = word
        .chars()
        .filter(|c| c.is_ascii_lowercase() || *c == '_')
        .take(64)
        .collect();
    let advice = match word.as_str() {
        "invalid_client" | "unauthorized_client" => {
            "; look at access.oidc.client_id and access.oidc.client_secret"
        }
        "invalid_grant" => {
            "; the sign-in took too long or was used already, or the redirect URL is another one there"
        }
        _ => "",
    };
    let status = answer.status();
    ProviderError::Refused(format!("{url} answered {status} {word}{advice}"))
}

/// Our name and our secret, as the standard wants them in a header: each written as in a form first.
fn basic(id: &str, own: &str) -> Option<HeaderValue> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let both = format!("{}:{}", encoded(id), encoded(own));
    secret(&format!("Basic {}", STANDARD.encode(both)))
}

fn secret(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
