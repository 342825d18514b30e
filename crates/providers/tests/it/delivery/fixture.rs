//! What each test of deliveries is given: a store with somebody in it, a gateway, and a handler.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Clock, ManualClock,
    job::{Failure, Verdict},
    message::{Message, MessageSpec},
    recipient::{Profile, Recipient, RecipientSpec},
};
use baton_ports::{
    Call, CampaignSnapshot, CampaignSnapshots, Handler, MemoryStore,
    campaign_snapshots::CampaignStatus,
    store::{JobArgs, Recipients, Result, Urgency},
};
use baton_providers::{
    DeliveryHandler, HttpConfig, ProviderConfig, Providers,
    provider::{Gateway, Kind, Limits},
};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::bench::{NOW, call};

/// Campaigns that all say the same.
pub struct OneSnapshot {
    pub standing: Option<CampaignStatus>,
    pub misconfigured: Mutex<Vec<String>>,
}

#[async_trait]
impl CampaignSnapshots for OneSnapshot {
    async fn snapshot(&self, _: CampaignId) -> Result<Option<Arc<CampaignSnapshot>>> {
        let message = MessageSpec {
            title: "News".to_owned(),
            body: "for {{id}}".to_owned(),
            ..MessageSpec::default()
        };
        Ok(self.standing.map(|standing| {
            Arc::new(CampaignSnapshot {
                provider: "gateway".to_owned(),
                channel: "push".to_owned(),
                topic: Some("likes".to_owned()),
                category: "popular".to_owned(),
                message: Message::from_spec(message).unwrap(),
                standing,
            })
        }))
    }

    async fn misconfigured(&self, _: CampaignId, failure: &Failure) -> Result<()> {
        self.misconfigured.lock().push(failure.code.clone());
        Ok(())
    }
}

/// A store with somebody in it, and who delivers to them.
pub struct Fixture {
    pub store: Arc<MemoryStore>,
    pub snapshots: Arc<OneSnapshot>,
    pub handler: Arc<DeliveryHandler>,
}

impl Fixture {
    /// A fixture whose provider `gateway` is as described.
    pub async fn with(kind: Kind, limits: Limits, standing: Option<CampaignStatus>) -> Self {
        Self::calling(&HttpConfig::default(), kind, limits, standing).await
    }

    /// The same with calls that are made as told.
    pub async fn calling(
        http: &HttpConfig,
        kind: Kind,
        limits: Limits,
        standing: Option<CampaignStatus>,
    ) -> Self {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(NOW));
        let config = ProviderConfig {
            kind,
            timeout: Duration::from_secs(5),
            limits,
        };
        let configs = BTreeMap::from([("gateway".to_owned(), config)]);
        let providers = Providers::new(configs, http, &clock).unwrap();
        let store = Arc::new(MemoryStore::with_clock(Arc::clone(&clock)));
        let snapshots = Arc::new(OneSnapshot {
            standing,
            misconfigured: Mutex::default(),
        });
        let handler = DeliveryHandler::new(store.clone(), snapshots.clone(), providers, clock);
        let fixture = Self {
            store,
            snapshots,
            handler: Arc::new(handler),
        };
        fixture.put(|_| {}).await;
        fixture
    }

    /// A fixture whose gateway is at this URL.
    pub async fn at(url: &str) -> Self {
        Self::with(
            gateway(url),
            Limits::default(),
            Some(CampaignStatus::Active),
        )
        .await
    }

    /// Writes user-1 down, changed.
    pub async fn put(&self, change: impl FnOnce(&mut Profile)) {
        let mut profile = Profile {
            topics: BTreeSet::from(["likes".to_owned()]),
            addresses: BTreeMap::from([("push".to_owned(), "token-1".to_owned())]),
            ..Profile::from_spec("user-1".to_owned(), RecipientSpec::on("ios")).unwrap()
        };
        change(&mut profile);
        self.store.put_recipients(&[profile], NOW).await.unwrap();
    }

    /// Writes recipients down, and says how a campaign would deliver to them.
    pub async fn deliveries(&self, ids: &[String]) -> Vec<Call> {
        for id in ids {
            self.put(|profile| profile.id.clone_from(id)).await;
        }
        let campaign = CampaignId::start(NOW);
        let mut found = self
            .store
            .find_recipients(ids, Urgency::Bulk)
            .await
            .unwrap();
        found.sort_by_key(|one| one.number);
        let delivery = |one: Recipient| {
            let payload = json!({"recipient_id": one.profile.id, "campaign_id": campaign});
            let call = call(&payload);
            let args = JobArgs {
                id: campaign.delivery(one.number),
                ..JobArgs::clone(&call.args)
            };
            Call {
                args: Arc::new(args),
                ..call
            }
        };
        found.into_iter().map(delivery).collect()
    }

    /// user-1 as it is now.
    pub async fn recipient(&self) -> Recipient {
        let found = self
            .store
            .find_recipients(&["user-1".to_owned()], Urgency::Bulk)
            .await;
        found.unwrap().pop().unwrap()
    }

    pub async fn deliver(&self, payload: &Value) -> Verdict {
        self.handler.run(call(payload)).await
    }
}

/// A gateway at this URL, with nothing special about it.
pub fn gateway(url: &str) -> Kind {
    Kind::Http(Gateway {
        url: url.to_owned(),
        ..Gateway::default()
    })
}

/// A delivery to user-1, with its own message.
pub fn note() -> Value {
    json!({
        "recipient_id": "user-1",
        "note": {
            "notification_id": "ntf_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "provider": "gateway",
            "topic": "likes", "message": {"title": "Hi {{id}}", "body": "on {{platform}}", "data": {"n": 1.10}},
        },
    })
}

/// A delivery to user-1 of a campaign.
pub fn of_campaign() -> Value {
    json!({"recipient_id": "user-1", "campaign_id": "cmp_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"})
}
