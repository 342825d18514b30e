//! One call: sent, repeated if that is safe, read.

use baton_protocol::Problem;
use reqwest::{Method, RequestBuilder, Response, header};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use url::Url;

use crate::{
    ANSWER_TIMEOUT, Client, Error, Result,
    patience::{Patience, Repeat, asked_pause},
};

/// How much of a strange answer an error shows.
const EXCERPT: usize = 200;

impl Client {
    /// Reads a resource.
    pub(crate) async fn get<T: DeserializeOwned>(&self, url: Url) -> Result<T> {
        self.answer_to(Repeat::Safe, || self.request(Method::GET, &url))
            .await
    }

    /// Sends a body.
    pub(crate) async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        url: Url,
        body: &(impl Serialize + Sync),
        repeat: Repeat,
    ) -> Result<T> {
        let request = || self.request(method.clone(), &url).json(body);
        self.answer_to(repeat, request).await
    }

    async fn answer_to<T: DeserializeOwned>(
        &self,
        repeat: Repeat,
        request: impl Fn() -> RequestBuilder,
    ) -> Result<T> {
        let response = self.respond(repeat, request).await?;
        read(checked(response).await?).await
    }

    /// The first answer that patience does not have to bear with, whatever it says.
    pub(crate) async fn respond(
        &self,
        repeat: Repeat,
        request: impl Fn() -> RequestBuilder,
    ) -> Result<Response> {
        let mut patience = Patience::of(self.patience);
        loop {
            match self.execute(request()).await {
                Ok(response) if repeat.after_answer(response.status()) => {
                    if !patience.wait(asked_pause(&response)).await {
                        return Ok(response);
                    }
                }
                Err(error) if repeat.after_silence(&error) => {
                    if !patience.wait(None).await {
                        return Err(error);
                    }
                }
                answer => return answer,
            }
        }
    }

    async fn execute(&self, request: RequestBuilder) -> Result<Response> {
        let request = request.build().map_err(|error| self.silent(&error))?;
        let sent = self.http.execute(request).await;
        sent.map_err(|error| self.silent(&error))
    }

    fn silent(&self, error: &reqwest::Error) -> Error {
        Error::unreachable(self.address(), error)
    }

    pub(crate) fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        self.http
            .request(method, url.clone())
            .timeout(ANSWER_TIMEOUT)
    }

    /// The address of a path, whose parts are escaped.
    pub(crate) fn url(&self, parts: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        url
    }

    /// The same with a query: the fields of `query` that are there.
    pub(crate) fn url_with(&self, parts: &[&str], query: &impl Serialize) -> Url {
        let mut url = self.url(parts);
        if let Ok(Value::Object(fields)) = serde_json::to_value(query) {
            for (name, value) in fields {
                let text = match value {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                url.query_pairs_mut().append_pair(&name, &text);
            }
        }
        url
    }
}

/// Lets a good answer through; a bad one becomes the problem it tells of.
pub async fn checked(response: Response) -> Result<Response> {
    if response.status().is_success() {
        return Ok(response);
    }
    let (url, status) = (response.url().to_string(), response.status());
    let is_problem = media_type(&response).is_some_and(|media| media.contains("problem+json"));
    let body = response.bytes().await.unwrap_or_default();
    match serde_json::from_slice::<Problem>(&body) {
        Ok(problem) if is_problem => Err(problem.into()),
        _ => Err(Error::Unexpected {
            url,
            what: format!("HTTP {status}, {}", excerpt(&body)),
        }),
    }
}

async fn read<T: DeserializeOwned>(response: Response) -> Result<T> {
    let url = response.url().to_string();
    let body = response
        .bytes()
        .await
        .map_err(|error| Error::unreachable(&url, &error))?;
    serde_json::from_slice(&body).map_err(|error| Error::Unexpected {
        url,
        what: format!("{error}, in {}", excerpt(&body)),
    })
}

fn media_type(response: &Response) -> Option<&str> {
    response.headers().get(header::CONTENT_TYPE)?.to_str().ok()
}

fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let short: String = text.chars().take(EXCERPT).collect();
    format!("{short:?}")
}
