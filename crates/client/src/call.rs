//! One call: sent, repeated if that is safe, read.

use baton_protocol::{List, Problem, reason::REASON};
use bytes::Bytes;
use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use url::Url;

use crate::{
    ANSWER_TIMEOUT, Client, Error, Result,
    repeat::{Repeat, RetryDelay, asked_pause},
    transport,
};

/// How much of a strange answer an error shows.
const EXCERPT: usize = 200;

impl Client {
    /// Reads a resource.
    pub(crate) async fn get<T: DeserializeOwned>(&self, parts: &[&str]) -> Result<T> {
        self.read(self.url(parts)).await
    }

    /// Reads a resource, and says more of it in a query.
    pub(crate) async fn get_with<T: DeserializeOwned>(
        &self,
        parts: &[&str],
        query: &(impl Serialize + Sync),
    ) -> Result<T> {
        self.read(self.url_with(parts, query)).await
    }

    pub(crate) async fn read<T: DeserializeOwned>(&self, url: Url) -> Result<T> {
        self.answer_to(Repeat::Safe, || self.request(Method::GET, &url))
            .await
    }

    /// Asks for all of a list, page by page.
    pub(crate) async fn all_pages<T: DeserializeOwned>(&self, url: Url) -> Result<Vec<T>> {
        let mut page: List<T> = self.read(url.clone()).await?;
        let mut items = page.items;
        while let Some(after) = page.next {
            let mut url = url.clone();
            url.query_pairs_mut().append_pair("after", &after);
            page = self.read(url).await?;
            items.append(&mut page.items);
        }
        Ok(items)
    }

    /// Asks for what is as good twice as once.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        parts: &[&str],
        body: &(impl Serialize + Sync),
    ) -> Result<T> {
        self.send(Method::POST, parts, body, Repeat::Safe).await
    }

    /// Asks for what is to be done once.
    pub(crate) async fn post_once<T: DeserializeOwned>(
        &self,
        parts: &[&str],
        body: &(impl Serialize + Sync),
    ) -> Result<T> {
        self.send(Method::POST, parts, body, Repeat::IfUnsent).await
    }

    /// Makes a change, which twice leaves the resource as it is after once.
    pub(crate) async fn patch<T: DeserializeOwned>(
        &self,
        parts: &[&str],
        change: &(impl Serialize + Sync),
    ) -> Result<T> {
        self.send(Method::PATCH, parts, change, Repeat::Safe).await
    }

    /// Sends a body.
    pub(crate) async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        parts: &[&str],
        body: &(impl Serialize + Sync),
        repeat: Repeat,
    ) -> Result<T> {
        let url = self.url(parts);
        let request = || self.request(method.clone(), &url).json(body);
        self.answer_to(repeat, request).await
    }

    /// Deletes a resource.
    pub(crate) async fn delete(&self, parts: &[&str]) -> Result<()> {
        let url = self.url(parts);
        let request = || self.request(Method::DELETE, &url);
        let answer = self.answer(Repeat::IfUnsent, request).await?;
        answer.checked().map(drop)
    }

    /// What a response says, if it is a good one.
    pub(crate) async fn read_answer<T: DeserializeOwned>(&self, response: Response) -> Result<T> {
        FullResponse::read(response).await?.checked()?.json()
    }

    async fn answer_to<T: DeserializeOwned>(
        &self,
        repeat: Repeat,
        request: impl Fn() -> RequestBuilder,
    ) -> Result<T> {
        self.answer(repeat, request).await?.checked()?.json()
    }

    /// The first whole answer that is not worth a retry, whatever it says. One that was
    /// cut off in the middle is none.
    pub(crate) async fn answer(
        &self,
        repeat: Repeat,
        request: impl Fn() -> RequestBuilder,
    ) -> Result<FullResponse> {
        let mut retries = RetryDelay::of(self.retry_for);
        loop {
            let response = self.respond(&mut retries, repeat, &request).await?;
            match FullResponse::read(response).await {
                Err(error) if repeat.after_silence(&error) && retries.wait(None).await => {}
                answer => return answer,
            }
        }
    }

    /// The answer to a request that is made once, whatever it says.
    pub(crate) async fn answer_once(&self, request: RequestBuilder) -> Result<FullResponse> {
        FullResponse::read(self.execute(request).await?).await
    }

    /// A stream that has begun well.
    pub(crate) async fn stream(&self, request: impl Fn() -> RequestBuilder) -> Result<Response> {
        let mut retries = RetryDelay::of(self.retry_for);
        let response = self.respond(&mut retries, Repeat::Safe, &request).await?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(FullResponse::read(response).await?.refusal())
    }

    async fn respond(
        &self,
        retries: &mut RetryDelay,
        repeat: Repeat,
        request: &impl Fn() -> RequestBuilder,
    ) -> Result<Response> {
        loop {
            match self.execute(request()).await {
                Ok(response) if repeat.after_answer(response.status()) => {
                    if !retries.wait(asked_pause(&response)).await {
                        return Ok(response);
                    }
                }
                Err(error) if repeat.after_silence(&error) => {
                    if !retries.wait(None).await {
                        return Err(error);
                    }
                }
                answer => return answer,
            }
        }
    }

    async fn execute(&self, request: RequestBuilder) -> Result<Response> {
        let request = request.build().map_err(|error| self.silent(&error))?;
        if let Some(transport) = &self.transport {
            return transport::carry(&**transport, request).await;
        }
        let sent = self.http.execute(request).await;
        sent.map_err(|error| self.silent(&error))
    }

    fn silent(&self, error: &reqwest::Error) -> Error {
        Error::unreachable(self.address(), error)
    }

    pub(crate) fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        self.endless_request(method, url).timeout(ANSWER_TIMEOUT)
    }

    /// A request that may take as long as it goes on: a stream, in either direction.
    pub(crate) fn endless_request(&self, method: Method, url: &Url) -> RequestBuilder {
        let mut request = self.http.request(method, url.clone());
        if let Some(shown) = &self.authorization {
            request = request.header(header::AUTHORIZATION, shown.clone());
        }
        if let Some(reason) = &self.reason {
            request = request.header(REASON, reason.clone());
        }
        request
    }

    /// The address of a path below `v1`, whose parts are escaped.
    pub(crate) fn url(&self, parts: &[&str]) -> Url {
        let mut url = self.url_beside(&["v1"]);
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend(parts);
        }
        url
    }

    /// The address of a path beside `v1`.
    pub(crate) fn url_beside(&self, parts: &[&str]) -> Url {
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
                    Value::Null => continue,
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                url.query_pairs_mut().append_pair(&name, &text);
            }
        }
        url
    }
}

/// What an answer names the queue by that nobody serves.
const UNSERVED: &str = "baton-unserved";

/// An answer that was read whole.
pub struct FullResponse {
    url: String,
    pub status: StatusCode,
    is_problem: bool,
    /// The queue in which a job was put, if nobody serves it.
    pub unserved: Option<String>,
    body: Bytes,
}

impl FullResponse {
    async fn read(response: Response) -> Result<Self> {
        let url = response.url().to_string();
        let status = response.status();
        let unserved = response.headers().get(UNSERVED);
        let unserved = unserved
            .and_then(|queue| queue.to_str().ok())
            .map(str::to_owned);
        let is_problem = media_type(&response).is_some_and(|media| media.contains("problem+json"));
        let body = response.bytes().await;
        let body = body.map_err(|error| Error::unreachable(&url, &error))?;
        Ok(Self {
            url,
            status,
            is_problem,
            unserved,
            body,
        })
    }

    /// Lets a good answer through; a bad one becomes the problem it tells of.
    pub fn checked(self) -> Result<Self> {
        if self.status.is_success() {
            Ok(self)
        } else {
            Err(self.refusal())
        }
    }

    /// What it says.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body)
            .map_err(|error| self.strange(format!("{error}, in {}", excerpt(&self.body))))
    }

    /// What it says where that is no JSON.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn refusal(&self) -> Error {
        match serde_json::from_slice::<Problem>(&self.body) {
            Ok(problem) if self.is_problem => problem.into(),
            _ => self.strange(format!("HTTP {}, {}", self.status, excerpt(&self.body))),
        }
    }

    fn strange(&self, what: String) -> Error {
        Error::Unexpected {
            url: self.url.clone(),
            what,
        }
    }
}

fn media_type(response: &Response) -> Option<&str> {
    response.headers().get(header::CONTENT_TYPE)?.to_str().ok()
}

fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let short: String = text.chars().take(EXCERPT).collect();
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use baton_protocol::job::EnqueueJob;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;
    use crate::Json;

    const READY: &str = r#"{"status": "alive", "version": "1"}"#;

    /// A server whose first `cuts` answers end in the middle.
    async fn server(cuts: u32) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = Client::new(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        tokio::spawn(async move {
            for nth in 1.. {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 8192]).await.unwrap();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                    READY.len()
                );
                let body = if nth <= cuts { &READY[..9] } else { READY };
                let text = format!("{head}{body}");
                stream.write_all(text.as_bytes()).await.unwrap();
            }
        });
        client
    }

    #[tokio::test]
    async fn an_answer_that_is_cut_off_is_none() {
        let client = server(u32::MAX).await;

        let read = client.alive().await.unwrap_err();
        let job = EnqueueJob::new("http", Json::from_text("{}"));
        let enqueued = client.enqueue(&job).await.unwrap_err();

        for error in [read, enqueued] {
            assert!(
                matches!(error, Error::Unreachable { unsent: false, .. }),
                "{error}"
            );
        }
    }

    #[tokio::test]
    async fn an_answer_that_is_cut_off_is_asked_for_again() {
        let client = server(2).await.retrying_for(Duration::from_secs(20));

        let alive = client.alive().await.unwrap();

        assert_eq!(alive.status, "alive");
    }
}
