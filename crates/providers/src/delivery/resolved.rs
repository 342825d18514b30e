//! What a delivery is to do: from its own payload, or from the campaign it belongs to.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    CampaignId, NotificationId,
    delivery::{DeliveryPayload, InlineMessage},
    job::{Class, Verdict},
    message::Message,
};
use baton_ports::{
    CampaignSnapshot, CampaignSnapshots, campaign_snapshots::CampaignStatus, store::Error,
};

/// How long a delivery of a stopped campaign waits before it looks again.
const PAUSE: Duration = Duration::from_secs(5);

/// What a delivery is to do.
#[derive(Clone)]
pub struct ResolvedDelivery {
    pub notification: Option<NotificationId>,
    pub campaign: Option<CampaignId>,
    pub snapshot: Arc<CampaignSnapshot>,
}

/// What a `delivery_payload` asks for; a verdict if nothing is to be sent, or not now.
pub async fn of(
    delivery_payload: DeliveryPayload,
    snapshots: &dyn CampaignSnapshots,
) -> Result<ResolvedDelivery, Verdict> {
    match (delivery_payload.campaign_id, delivery_payload.inline) {
        (Some(campaign), _) => by_campaign(campaign, snapshots).await,
        (None, Some(note)) => by_note(note),
        (None, None) => {
            let message = "the payload says neither what to send nor for which campaign";
            Err(Verdict::failed(Class::Permanent, "bad_payload", message))
        }
    }
}

async fn by_campaign(
    campaign: CampaignId,
    snapshots: &dyn CampaignSnapshots,
) -> Result<ResolvedDelivery, Verdict> {
    let snapshot = snapshots
        .snapshot(campaign)
        .await
        .map_err(|error| unavailable(&error))?;
    let Some(snapshot) = snapshot else {
        let message = format!("nothing was sent: there is no campaign {campaign} any more");
        return Err(Verdict::failed(Class::Permanent, "no_campaign", message));
    };
    match snapshot.standing {
        CampaignStatus::Active => Ok(ResolvedDelivery {
            notification: None,
            campaign: Some(campaign),
            snapshot,
        }),
        CampaignStatus::Stopped => Err(Verdict::Snoozed { after: PAUSE }),
        CampaignStatus::Canceled => Err(Verdict::Canceled),
    }
}

fn by_note(note: InlineMessage) -> Result<ResolvedDelivery, Verdict> {
    let message = Message::read(note.message).map_err(|errors| {
        let errors: Vec<_> = errors
            .into_iter()
            .map(|e| format!("{} {}", e.field, e.message))
            .collect();
        let message = format!("the message cannot be sent: {}", errors.join("; "));
        Verdict::failed(Class::Permanent, "bad_payload", message)
    })?;
    let snapshot = CampaignSnapshot {
        provider: note.provider,
        channel: note.channel,
        topic: note.topic,
        category: note.category,
        message,
        standing: CampaignStatus::Active,
    };
    Ok(ResolvedDelivery {
        notification: note.notification_id,
        campaign: None,
        snapshot: Arc::new(snapshot),
    })
}

/// The verdict on a delivery that could not look into the store: nothing was sent.
pub fn unavailable(error: &Error) -> Verdict {
    Verdict::failed(Class::Retry, "store", format!("nothing was sent: {error}"))
}
