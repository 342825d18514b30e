//! The provider `http`: sends JSON to a gateway of the operator's own choosing.

use std::{collections::BTreeMap, fmt, path::PathBuf, sync::Arc, time::Instant};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Clock, NotificationId,
    job::{Class, Verdict},
};
use baton_ports::Call;
use bytes::Bytes;
use http::{
    Method,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use serde_with::skip_serializing_none;

use super::{BadProvider, OutboundMessage, Provider, Rule, telemetry};
use crate::{
    Secret,
    http::{
        Address, Authorities, BodyLimit, Caller, HttpConfig, HttpRequest, HttpResponse, MOST_READ,
        headers,
    },
};

/// A gateway as the configuration describes it.
#[derive(Clone, Default)]
pub struct Gateway {
    /// Where it is.
    pub url: String,
    /// What else each request says, credentials above all.
    pub headers: BTreeMap<String, String>,
    /// What requests are signed with, the newest first.
    pub secrets: Vec<Secret>,
    /// A PEM file of authorities that are trusted for it, in place of those for all calls.
    pub ca: Option<PathBuf>,
    /// What its answers mean; the first rule that fits.
    pub verdicts: Vec<Rule>,
}

impl fmt::Debug for Gateway {
    /// Its address and its headers can hold credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway").finish_non_exhaustive()
    }
}

/// Sends JSON to a gateway.
pub struct HttpProvider {
    name: String,
    caller: Caller,
    address: Arc<Address>,
    headers: HeaderMap,
    verdicts: Vec<Rule>,
}

impl HttpProvider {
    /// A provider, or what is wrong with its settings.
    pub fn new(
        name: &str,
        gateway: Gateway,
        http: &HttpConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, BadProvider> {
        let wrong = |setting: &str, message: &str| BadProvider::Setting {
            provider: name.to_owned(),
            setting: setting.to_owned(),
            message: message.to_owned(),
        };
        if gateway.url.is_empty() {
            let message =
                "is missing: say where the gateway is, such as \"https://push.example/send\"";
            return Err(wrong("url", message));
        }
        let address = Address::read(&gateway.url).map_err(|message| wrong("url", &message))?;
        let mut headers = headers::read_all(&gateway.headers)
            .map_err(|(header, message)| wrong(&format!("headers.{header}"), message))?;
        headers
            .entry(CONTENT_TYPE)
            .or_insert(HeaderValue::from_static("application/json"));
        for (i, rule) in gateway.verdicts.iter().enumerate() {
            if let Some((setting, message)) = rule.fault() {
                return Err(wrong(&format!("verdicts[{i}].{setting}"), message));
            }
        }
        let own_ca = |file| {
            let setting = format!("providers.{name}.ca");
            Some(Authorities { setting, file })
        };
        let config = HttpConfig {
            allow_private_targets: true,
            ca: gateway.ca.map_or_else(|| http.ca.clone(), own_ca),
            destinations: BTreeMap::new(),
            ..http.clone()
        };
        Ok(Self {
            name: name.to_owned(),
            caller: Caller::new(config, gateway.secrets, clock)?,
            address: Arc::new(address),
            headers,
            verdicts: gateway.verdicts,
        })
    }

    fn verdict(&self, answer: &HttpResponse) -> Verdict {
        let (url, now) = (&self.address.url, self.caller.now());
        if let Some(rule) = self.rule(answer) {
            let Some(class) = rule.verdict.class() else {
                return answer.accepted();
            };
            let why = format!("which providers.{}.verdicts takes for {class}", self.name);
            return waiting(answer.failed(class, &why, url, now), rule);
        }
        let name = &self.name;
        match answer.status() {
            300..=399 => {
                let advice = format!(
                    "redirects are not followed; put the final address into providers.{name}.url"
                );
                answer.failed(Class::Permanent, &advice, url, now)
            }
            401 | 403 => {
                let advice = format!(
                    "it does not accept our credentials; mend providers.{name} in the configuration"
                );
                answer.failed(Class::Misconfigured, &advice, url, now)
            }
            _ => answer.verdict(url, now),
        }
    }

    fn rule(&self, answer: &HttpResponse) -> Option<&Rule> {
        let has_fields = self.verdicts.iter().any(|rule| rule.field.is_some());
        let body = has_fields.then(|| serde_json::from_slice::<Value>(answer.body()).ok());
        let body = body.flatten();
        let fits = |rule: &&Rule| rule.fits(answer.status(), body.as_ref());
        self.verdicts.iter().find(fits)
    }
}

#[async_trait]
impl Provider for HttpProvider {
    async fn send(&self, call: &Call, outbound: OutboundMessage<'_>) -> Verdict {
        let asked = HttpRequest {
            address: Arc::clone(&self.address),
            method: Method::POST,
            headers: self.headers.clone(),
            body: Some(Bytes::from(written(outbound))),
            wanted: BodyLimit::Excerpt(MOST_READ),
            part: None,
        };
        let began = Instant::now();
        let answered = self.caller.call(call, &asked).await;
        telemetry::answered(&self.name, outbound.channel, &answered, began.elapsed());
        match answered {
            Ok(answer) => self.verdict(&answer),
            Err(verdict) => verdict,
        }
    }
}

/// The wait that a rule asks for goes before that of the answer.
fn waiting(verdict: Verdict, rule: &Rule) -> Verdict {
    match verdict {
        Verdict::Failed {
            failure,
            retry_after,
        } => Verdict::Failed {
            failure,
            retry_after: rule.after.or(retry_after),
        },
        verdict => verdict,
    }
}

/// The body of a request.
fn written(outbound: OutboundMessage<'_>) -> Vec<u8> {
    #[skip_serializing_none]
    #[derive(Serialize)]
    struct RequestBody<'a> {
        to: &'a str,
        channel: &'a str,
        platform: &'a str,
        title: &'a str,
        body: &'a str,
        data: Option<&'a RawValue>,
        recipient_id: &'a str,
        category: &'a str,
        topic: Option<&'a str>,
        notification_id: Option<NotificationId>,
        campaign_id: Option<CampaignId>,
    }

    let written = RequestBody {
        to: outbound.to,
        channel: outbound.channel,
        platform: outbound.platform,
        title: outbound.title,
        body: outbound.body,
        data: outbound
            .data
            .and_then(|text| serde_json::from_str(text).ok()),
        recipient_id: outbound.recipient_id,
        category: outbound.category,
        topic: outbound.topic,
        notification_id: outbound.notification_id,
        campaign_id: outbound.campaign_id,
    };
    // Our own types always serialise.
    serde_json::to_vec(&written).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ProviderConfig,
        provider::{Kind, Limits},
    };

    #[test]
    fn what_a_gateway_needs_to_know_is_not_told() {
        let gateway = Gateway {
            url: "https://me:canary@push.example/canary".to_owned(),
            headers: [("Authorization".to_owned(), "Bearer canary".to_owned())].into(),
            secrets: vec!["whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5".parse().unwrap()],
            ..Gateway::default()
        };

        let config = ProviderConfig {
            kind: Kind::Http(gateway.clone()),
            timeout: std::time::Duration::from_secs(1),
            limits: Limits::default(),
        };

        for told in [format!("{gateway:?} {gateway:#?}"), format!("{config:?}")] {
            assert!(told.contains("Gateway"), "{told}");
            assert!(!told.contains("canary") && !told.contains("Y2Fu"), "{told}");
        }
    }
}
