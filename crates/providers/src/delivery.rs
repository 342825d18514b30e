//! The kind `delivery`: brings one message to one recipient.
//!
//! Whatever was so when the job was made, the recipient is read again before the call: who has opted
//! out since, has gone or has no address any more is not reached.

mod lookup;
mod resolved;
mod together;

use std::{collections::HashSet, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Clock,
    delivery::{DeliveryPayload, KIND},
    duration,
    job::{Class, Failure, FieldError, Verdict},
    message::Message,
    reach::{self, Skip},
    recipient::{ID_RULE, Recipient, is_id},
    strict,
};
use baton_ports::{
    Call, CampaignSnapshots, Handler, Prepared, Store,
    store::{JobArgs, Urgency},
};

use parking_lot::Mutex;

use crate::provider::{OutboundMessage, Providers};

use self::{
    lookup::Lookup,
    resolved::ResolvedDelivery,
    together::{DeliveryContext, Together},
};

/// How long a delivery is left to other nodes before this one looks at it again.
const FOR_OTHERS: Duration = Duration::from_secs(10);

/// Does the work of kind `delivery`.
pub struct DeliveryHandler {
    store: Arc<dyn Store>,
    /// For deliveries of notifications, which somebody waits for.
    prompt: Lookup,
    /// For those of campaigns, and for all that start together.
    patient: Lookup,
    snapshots: Arc<dyn CampaignSnapshots>,
    providers: Providers,
    /// Those that deliveries ask for and that this node does not have; each is told once.
    missing: Mutex<HashSet<String>>,
    clock: Arc<dyn Clock>,
}

impl DeliveryHandler {
    /// A handler: `snapshots` know what campaigns say, `providers` bring it. It has to be made where tasks
    /// can be spawned.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        snapshots: Arc<dyn CampaignSnapshots>,
        providers: Providers,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            prompt: Lookup::start(Arc::clone(&store), Urgency::Interactive),
            patient: Lookup::start(Arc::clone(&store), Urgency::Bulk),
            store,
            snapshots,
            providers,
            missing: Mutex::default(),
            clock,
        }
    }

    /// Delivers; either way it ends in a verdict, and an early one means that nothing was sent.
    async fn deliver(&self, call: Call) -> Result<Verdict, Verdict> {
        let DeliveryContext {
            recipient,
            resolved,
        } = self.known(&call).await?;
        let recipient = recipient.ok_or_else(|| skipped(Skip::RecipientGone))?;
        let resolved = resolved?;
        let snapshot = &resolved.snapshot;
        reach::may_be_told(&recipient, snapshot.topic.as_deref()).map_err(skipped)?;
        let to = reach::address(&recipient, &snapshot.channel).map_err(skipped)?;
        let filled = resolved
            .snapshot
            .message
            .fill(&recipient.profile)
            .map_err(|why| skipped(why.into()))?;
        let outbound = OutboundMessage {
            to,
            channel: &resolved.snapshot.channel,
            platform: &recipient.profile.platform,
            title: &filled.title,
            body: &filled.body,
            data: resolved.snapshot.message.data(),
            recipient_id: &recipient.profile.id,
            category: &resolved.snapshot.category,
            topic: resolved.snapshot.topic.as_deref(),
            notification_id: resolved.notification,
            campaign_id: resolved.campaign,
        };
        let verdict = self
            .providers
            .send(&resolved.snapshot.provider, call, outbound)
            .await;
        let verdict = verdict.unwrap_or_else(|| self.leave_to_others(&resolved.snapshot.provider));
        self.learn(&verdict, &resolved, &recipient, to).await;
        Ok(verdict)
    }

    /// What is to be brought, and the recipient as it is now.
    async fn known(&self, call: &Call) -> Result<DeliveryContext, Verdict> {
        let together = call.prepared.as_ref().and_then(Prepared::read::<Together>);
        if let Some(known) = together.and_then(|together| together.of(call.args.id)) {
            return Ok(known.clone());
        }
        let delivery_payload: DeliveryPayload =
            serde_json::from_str(&call.args.payload).map_err(|error| {
                let message = format!("the payload cannot be read: {error}");
                Verdict::failed(Class::Permanent, "bad_payload", message)
            })?;
        let lookup = match delivery_payload.campaign_id {
            Some(_) => &self.patient,
            None => &self.prompt,
        };
        let found = lookup.find(&delivery_payload.recipient_id).await;
        let recipient = found.map_err(|error| resolved::unavailable(&error))?;
        // Last, so that nothing that can take long stands between this look and the call.
        let resolved = resolved::of(delivery_payload, &*self.snapshots).await;
        Ok(DeliveryContext {
            recipient,
            resolved,
        })
    }

    /// Nodes need not have the same providers: whoever has this one brings it.
    fn leave_to_others(&self, name: &str) -> Verdict {
        if self.missing.lock().insert(name.to_owned()) {
            tracing::warn!(
                provider = name,
                "no provider {name} is configured here: its deliveries are put off for {} at a time, for a node that has it",
                duration::format(FOR_OTHERS)
            );
        }
        let known: Vec<_> = self.providers.names().collect();
        let known = match known.as_slice() {
            [] => "there is none".to_owned(),
            known => format!("there is: {}", known.join(", ")),
        };
        let message = format!(
            "nothing was sent: no provider {name} is configured where this ran, and it waits for a node that has it; {known}"
        );
        Verdict::Failed {
            failure: Failure::new(Class::Throttled, "no_provider", message),
            retry_after: Some(FOR_OTHERS),
        }
    }

    /// Takes to heart what the verdict says of the address, of the recipient, or of ourselves. The
    /// verdict stands all the same: what cannot be noted now is learned again by the next delivery.
    async fn learn(
        &self,
        verdict: &Verdict,
        resolved: &ResolvedDelivery,
        recipient: &Recipient,
        to: &str,
    ) {
        let Verdict::Failed { failure, .. } = verdict else {
            return;
        };
        let (id, now) = (&recipient.profile.id, self.clock.now());
        let noted = match (failure.class, &resolved.snapshot.topic, resolved.campaign) {
            (Class::Gone, _, _) => {
                let buried = self
                    .store
                    .bury_address(id, &resolved.snapshot.channel, to, now);
                buried.await.map(drop)
            }
            (Class::Refused, Some(topic), _) => self
                .store
                .switch_topic(id, topic, false, now)
                .await
                .map(drop),
            (Class::Misconfigured, _, Some(campaign)) => {
                self.snapshots.misconfigured(campaign, failure).await
            }
            _ => Ok(()),
        };
        if let Err(error) = noted {
            tracing::warn!(%error, class = %failure.class, "what a provider said could not be noted");
        }
    }
}

fn skipped(why: Skip) -> Verdict {
    Verdict::Skipped {
        why: why.as_str().to_owned(),
    }
}

#[async_trait]
impl Handler for DeliveryHandler {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        let wrong = |field: &str, message: &str| {
            Err(vec![FieldError::new(&format!("payload{field}"), message)])
        };
        let delivery_payload: DeliveryPayload = match strict::from_str(payload) {
            Ok(delivery_payload) => delivery_payload,
            Err(error) => return wrong("", &format!("is no delivery: {error}")),
        };
        if !is_id(&delivery_payload.recipient_id) {
            return wrong(".recipient_id", ID_RULE);
        }
        if delivery_payload.campaign_id.is_some() {
            return wrong(
                ".campaign_id",
                "is set by the campaign itself; give a note instead",
            );
        }
        let Some(note) = delivery_payload.inline else {
            return wrong(
                ".note",
                "is missing: say what is to be said, and by which provider",
            );
        };
        if !self.providers.knows(&note.provider) {
            let known: Vec<_> = self.providers.names().collect();
            let message = format!(
                "no such provider is configured here; there is: {}",
                known.join(", ")
            );
            return wrong(".note.provider", &message);
        }
        let message = Message::from_spec(note.message);
        let within = |error: FieldError| error.within("payload.note.message");
        message
            .map(drop)
            .map_err(|errors| errors.into_iter().map(within).collect())
    }

    fn most_together(&self) -> usize {
        together::MOST
    }

    async fn prepare(&self, jobs: &[&JobArgs]) -> Option<Prepared> {
        let learned = Together::learn(jobs, &self.patient, &*self.snapshots).await;
        learned.map(Prepared::new)
    }

    async fn run(&self, call: Call) -> Verdict {
        match self.deliver(call).await {
            Ok(verdict) | Err(verdict) => verdict,
        }
    }
}
