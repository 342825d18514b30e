//! A collector of traces, which is sent spans by OTLP: protobuf over HTTP.
//!
//! [`Collector`] sends a batch, [`SpanExporter`] gathers them. Nothing waits for it: what a collector does not take is dropped and counted.

mod encode;
mod exporter;

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use baton_domain::Clock;
use baton_ports::spans::EndedSpan;
use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{ACCEPT, CONTENT_TYPE},
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceResponse, resource::v1::Resource,
};
use prost::Message;
use url::Url;

use crate::http::{
    Address, BodyLimit, Caller, Extent, HttpConfig, HttpRequest, HttpResponse, StartError,
};

pub use self::exporter::SpanExporter;

/// Where a collector takes traces, below its address.
const PATH: &str = "/v1/traces";
/// How both sides write.
const PROTOBUF: HeaderValue = HeaderValue::from_static("application/x-protobuf");
/// How long one batch may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest answer, in bytes.
const MOST: usize = 64 * 1024;

/// How a collector is reached, and who sends.
#[derive(Clone, Default)]
pub struct CollectorConfig {
    /// Its address, with or without `/v1/traces`.
    pub endpoint: String,
    /// What each request says beside, such as a token.
    pub headers: BTreeMap<String, String>,
    /// What this service is called.
    pub service_name: String,
    /// Which version of it this is.
    pub version: String,
    /// Which process of it.
    pub instance: String,
}

impl fmt::Debug for CollectorConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollectorConfig")
            .field("endpoint", &self.endpoint)
            .field("headers", &self.headers.keys())
            .field("service_name", &self.service_name)
            .finish_non_exhaustive()
    }
}

/// Why there can be no such collector.
#[derive(Debug, thiserror::Error)]
pub enum BadCollector {
    /// Its address cannot be.
    #[error("traces.endpoint {0}")]
    Endpoint(String),
    /// A header cannot be sent.
    #[error("traces.headers: {0} is no name of a header, or its value cannot be sent")]
    Header(String),
    /// No calls can be made.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl CollectorConfig {
    /// Says what cannot be.
    pub fn check(&self) -> Result<(), BadCollector> {
        self.address()?;
        self.all_headers().map(drop)
    }

    fn address(&self) -> Result<Address, BadCollector> {
        let bad = BadCollector::Endpoint;
        let mut url = Url::parse(&self.endpoint).map_err(|error| {
            bad(format!(
                "is no address such as http://127.0.0.1:4318: {error}"
            ))
        })?;
        if url.query().is_some() {
            return Err(bad(
                "must have no query; put what it says into traces.headers".to_owned(),
            ));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        match path.ends_with(PATH) {
            true => url.set_path(&path),
            false => url.set_path(&format!("{path}{PATH}")),
        }
        Address::read(url.as_str()).map_err(bad)
    }

    fn all_headers(&self) -> Result<HeaderMap, BadCollector> {
        let mut all = HeaderMap::from_iter([(CONTENT_TYPE, PROTOBUF), (ACCEPT, PROTOBUF)]);
        for (name, value) in &self.headers {
            let bad = || BadCollector::Header(name.clone());
            let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
            value.set_sensitive(true);
            all.insert(HeaderName::try_from(name).map_err(|_| bad())?, value);
        }
        Ok(all)
    }
}

/// A collector of traces.
pub struct Collector {
    caller: Caller,
    address: Arc<Address>,
    headers: HeaderMap,
    resource: Resource,
}

impl Collector {
    /// A collector as it is configured. It is sent nothing yet.
    pub fn new(
        config: &CollectorConfig,
        http: &HttpConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, BadCollector> {
        let http = HttpConfig {
            // It is of the operator's choosing, not of a payload's.
            allow_private_targets: true,
            destinations: BTreeMap::new(),
            ..http.clone()
        };
        Ok(Self {
            address: Arc::new(config.address()?),
            headers: config.all_headers()?,
            caller: Caller::new(http, Vec::new(), clock)?,
            resource: encode::resource(config),
        })
    }

    /// Asks whether it takes traces, by sending none.
    pub async fn meet(&self) -> Result<(), String> {
        self.send(&[]).await.map(drop)
    }

    /// Sends some spans; how many of them it did not want.
    async fn send(&self, spans: &[EndedSpan]) -> Result<u64, String> {
        let asked = HttpRequest {
            address: Arc::clone(&self.address),
            method: Method::POST,
            headers: self.headers.clone(),
            body: Some(Bytes::from(encode::request(&self.resource, spans))),
            wanted: BodyLimit::Whole(MOST),
            part: None,
        };
        let answer = self.caller.ask(&asked, TIMEOUT).await?;
        match answer.status() {
            200..=299 => Ok(refused(&answer).min(spans.len() as u64)),
            status => Err(format!("{} answered {status}", self.address.origin())),
        }
    }
}

/// How many spans a collector says that it has left out.
fn refused(answer: &HttpResponse) -> u64 {
    if answer.extent() != Extent::Whole {
        return 0;
    }
    let told = ExportTraceServiceResponse::decode(answer.body()).unwrap_or_default();
    let refused = told.partial_success.map_or(0, |part| part.rejected_spans);
    u64::try_from(refused).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(endpoint: &str) -> Result<String, String> {
        let config = CollectorConfig {
            endpoint: endpoint.to_owned(),
            ..CollectorConfig::default()
        };
        let address = config.address().map_err(|error| error.to_string())?;
        Ok(address.url.to_string())
    }

    #[test]
    fn traces_are_taken_below_the_address_of_a_collector() {
        let whole = "http://tempo:4318/v1/traces".to_owned();

        assert_eq!(at("http://tempo:4318"), Ok(whole.clone()));
        assert_eq!(at("http://tempo:4318/v1/traces/"), Ok(whole));
        assert_eq!(
            at("https://otlp.example/otlp/"),
            Ok("https://otlp.example/otlp/v1/traces".to_owned())
        );
    }

    #[test]
    fn an_address_or_a_header_that_cannot_be_is_named_without_its_value() {
        for endpoint in ["tempo:4318", "grpc://tempo", "http://a/?t=1", "http://u@a"] {
            let told = at(endpoint).unwrap_err();
            assert!(told.starts_with("traces.endpoint "), "{told}");
        }
        let config = CollectorConfig {
            endpoint: "http://tempo:4318".to_owned(),
            headers: BTreeMap::from([("a b".to_owned(), "canary".to_owned())]),
            ..CollectorConfig::default()
        };

        let told = config.check().unwrap_err().to_string();

        assert!(told.contains("traces.headers: a b"), "{told}");
        assert!(!format!("{told}{config:?}").contains("canary"), "{told}");
    }
}
