//! What a delivery is to do: from its own payload, or from the campaign it belongs to.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    CampaignId, NotificationId,
    delivery::{Note, Parcel},
    job::{Class, Verdict},
    message::Message,
};
use baton_ports::{Brief, Briefs, briefs::Standing, store::Error};

/// How long a delivery of a stopped campaign waits before it looks again.
const PAUSE: Duration = Duration::from_secs(5);

/// What a delivery is to do.
#[derive(Clone)]
pub struct Errand {
    pub notification: Option<NotificationId>,
    pub campaign: Option<CampaignId>,
    pub brief: Arc<Brief>,
}

/// What a parcel asks for; a verdict if nothing is to be sent, or not now.
pub async fn of(parcel: Parcel, briefs: &dyn Briefs) -> Result<Errand, Verdict> {
    match (parcel.campaign_id, parcel.note) {
        (Some(campaign), _) => by_campaign(campaign, briefs).await,
        (None, Some(note)) => by_note(note),
        (None, None) => {
            let message = "the payload says neither what to send nor for which campaign";
            Err(Verdict::failed(Class::Permanent, "bad_payload", message))
        }
    }
}

async fn by_campaign(campaign: CampaignId, briefs: &dyn Briefs) -> Result<Errand, Verdict> {
    let brief = briefs
        .brief(campaign)
        .await
        .map_err(|error| unavailable(&error))?;
    let Some(brief) = brief else {
        let message = format!("nothing was sent: there is no campaign {campaign} any more");
        return Err(Verdict::failed(Class::Permanent, "no_campaign", message));
    };
    match brief.standing {
        Standing::Active => Ok(Errand {
            notification: None,
            campaign: Some(campaign),
            brief,
        }),
        Standing::Stopped => Err(Verdict::Snoozed { after: PAUSE }),
        Standing::Canceled => Err(Verdict::Canceled),
    }
}

fn by_note(note: Note) -> Result<Errand, Verdict> {
    let message = Message::read(note.message).map_err(|errors| {
        let errors: Vec<_> = errors
            .into_iter()
            .map(|e| format!("{} {}", e.field, e.message))
            .collect();
        let message = format!("the message cannot be sent: {}", errors.join("; "));
        Verdict::failed(Class::Permanent, "bad_payload", message)
    })?;
    let brief = Brief {
        provider: note.provider,
        channel: note.channel,
        topic: note.topic,
        category: note.category,
        message,
        standing: Standing::Active,
    };
    Ok(Errand {
        notification: note.notification_id,
        campaign: None,
        brief: Arc::new(brief),
    })
}

/// The verdict on a delivery that could not look into the store: nothing was sent.
pub fn unavailable(error: &Error) -> Verdict {
    Verdict::failed(Class::Retry, "store", format!("nothing was sent: {error}"))
}
