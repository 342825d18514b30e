//! The postman: brings deliveries as the real handler does, to a target that writes them down.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    WorkerId,
    delivery::{DeliveryPayload, KIND},
    job::{Class, FieldError, Verdict},
};
use baton_engine::SnapshotCache;
use baton_ports::{Call, CampaignSnapshots, Handler, campaign_snapshots::CampaignStatus};
use tokio::time::sleep;

use crate::{
    link::Link,
    script::{Answer, Script, Word},
    target::Target,
};

/// By whom every campaign is brought.
pub const PROVIDER: &str = "post";
/// How long a delivery of a stopped campaign waits.
const PAUSE: Duration = Duration::from_secs(5);

/// The postman of one worker.
pub struct Postman {
    pub target: Arc<Target>,
    pub link: Arc<Link>,
    pub worker: WorkerId,
    pub snapshots: SnapshotCache,
}

impl Postman {
    /// Why nothing is to be brought, or not now.
    async fn objection(&self, call: &Call) -> Option<Verdict> {
        let delivery_payload: DeliveryPayload = serde_json::from_str(&call.args.payload).unwrap();
        let snapshot = self
            .snapshots
            .snapshot(delivery_payload.campaign_id.unwrap())
            .await;
        match snapshot {
            Err(error) => Some(Verdict::failed(Class::Retry, "store", error.to_string())),
            Ok(snapshot) => match snapshot.unwrap().standing {
                CampaignStatus::Active => None,
                CampaignStatus::Stopped => Some(Verdict::Snoozed { after: PAUSE }),
                CampaignStatus::Canceled => Some(Verdict::Canceled),
            },
        }
    }
}

#[async_trait]
impl Handler for Postman {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        self.link.moving().await;
        if let Some(objection) = self.objection(&call).await {
            return objection;
        }
        let script = script(&call);
        let (at, answer) = self.target.arrive(&call, &script, self.worker);
        sleep(Duration::from_millis(answer.millis)).await;
        self.link.moving().await;
        self.target.depart(at, answer);
        answer.verdict()
    }
}

/// Mostly all goes well, and sometimes at the second try.
fn script(call: &Call) -> Script {
    // The last bits are the recipient's number.
    let number = u32::from(call.args.id.uuid().as_bytes()[15]);
    let well = Answer::new(Word::Ok, 5 + u64::from(number % 7) * 40);
    match number % 6 {
        0 => Script::of(number, &[Answer::new(Word::Retry, 30), well]),
        1 => Script::of(number, &[Answer::new(Word::Unknown, 30), well]),
        _ => Script::of(number, &[well]),
    }
}
