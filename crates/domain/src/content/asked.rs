//! The JSON that a digest is made of: members in the order of the alphabet, only those that were given.

use serde_json::{Value, json};

use super::RequestDigest;
use crate::{
    campaign::CampaignSpec,
    duration::Span,
    job::{Backoff, JobSpec},
    message::MessageSpec,
    notification::NotificationSpec,
};

// The specs are taken apart field by field, so that none that is added is forgotten here.

impl JobSpec {
    /// What was asked, the moment of asking left out.
    pub(crate) fn content(&self) -> RequestDigest {
        let Self {
            kind,
            payload,
            key: _,
            queue,
            priority,
            run_at,
            delay,
            max_attempts,
            backoff,
            timeout,
            expires_at,
            delivery,
            tags,
            // Asked again under a new span, it is the same job.
            trace: _,
        } = self;
        let asked = json!({
            "backoff": backoff.as_ref().map(growth),
            "delay": delay.map(Span),
            "delivery": delivery,
            "expires_at": expires_at,
            "kind": kind,
            "max_attempts": max_attempts,
            "priority": priority,
            "queue": queue,
            "run_at": run_at,
            "tags": (!tags.is_empty()).then_some(tags),
            "timeout": timeout.map(Span),
        });
        RequestDigest::of(asked, payload)
    }
}

impl NotificationSpec {
    /// What was asked.
    pub(crate) fn content(&self) -> RequestDigest {
        let Self {
            recipients,
            message,
            action,
            category,
            topic,
            provider,
            channel,
            key: _,
            expires_after,
            delivery,
        } = self;
        let asked = json!({
            "action": action,
            "category": category,
            "channel": channel,
            "delivery": delivery,
            "expires_after": expires_after.map(Span),
            "message": said(message),
            "provider": provider,
            "recipients": recipients,
            "topic": topic,
        });
        RequestDigest::of(asked, "")
    }
}

impl CampaignSpec {
    /// What was asked, the moment of asking left out.
    pub(crate) fn content(&self) -> RequestDigest {
        let Self {
            name,
            category,
            action,
            audience,
            message,
            provider,
            channel,
            topic,
            send_at,
            send_at_local,
            time_zone,
            lead,
            rate,
            lane,
            chunk,
            expires_after,
            delivery,
            max_attempts,
            timeout,
            backoff,
            key: _,
        } = self;
        let asked = json!({
            "action": action,
            "audience": audience,
            "backoff": backoff.as_ref().map(growth),
            "category": category,
            "channel": channel,
            "chunk": chunk,
            "delivery": delivery,
            "expires_after": expires_after.map(Span),
            "lane": lane,
            "lead": lead.map(Span),
            "max_attempts": max_attempts,
            "message": said(message),
            "name": name,
            "provider": provider,
            "rate": rate,
            "send_at": send_at,
            "send_at_local": send_at_local,
            "time_zone": time_zone,
            "timeout": timeout.map(Span),
            "topic": topic,
        });
        RequestDigest::of(asked, "")
    }
}

fn said(message: &MessageSpec) -> Value {
    let MessageSpec {
        title,
        body,
        data,
        translations,
    } = message;
    let translations = Some(translations).filter(|translations| !translations.is_empty());
    // The data is the text of a JSON object, to the letter: `1.10` is not `1.1`.
    given(json!({ "body": body, "data": data, "title": title, "translations": translations }))
}

fn growth(backoff: &Backoff) -> Value {
    let Backoff {
        strategy,
        base,
        cap,
        jitter,
    } = backoff;
    json!({ "base": Span(*base), "cap": Span(*cap), "jitter": jitter, "strategy": strategy })
}

/// The members that are there.
pub(super) fn given(mut asked: Value) -> Value {
    if let Value::Object(members) = &mut asked {
        members.retain(|_, member| !member.is_null());
    }
    asked
}
