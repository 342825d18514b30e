//! From a template to what is made for a nominal time: the one place that knows what schedules make.

use baton_domain::{
    Timestamp,
    campaign::{CampaignSpec, NewCampaign},
    job::FieldError,
    schedule::Template,
    strict,
};
use baton_ports::{Hint, Wakeup, store::ScheduledWork};
use serde_json::Value;

use crate::{Settings, routines::Tools};

/// What a template makes for a nominal time.
pub fn make(
    template: &Template,
    at: Timestamp,
    settings: &Settings,
    now: Timestamp,
) -> Result<ScheduledWork, Vec<FieldError>> {
    match template {
        Template::Job(job) => job
            .job_at(at, &settings.limits, now)
            .map(|job| ScheduledWork::Job(Box::new(job)))
            .map_err(|errors| errors.into_iter().map(|e| e.within("job")).collect()),
        Template::Campaign(template) => campaign_at(template, at, settings, now)
            .map(|campaign| ScheduledWork::Campaign(Box::new(campaign)))
            .map_err(|errors| errors.into_iter().map(|e| e.within("campaign")).collect()),
    }
}

/// A field of a template that nobody knows: refused when the schedule is written, passed over when it
/// fires, for then a later version may have written it.
pub fn unknown_field(template: &Template) -> Option<FieldError> {
    let Template::Campaign(campaign) = template else {
        return None;
    };
    serde_json::from_value::<CampaignSpec>(campaign.clone()).ok()?;
    let error = strict::from_value::<CampaignSpec>(campaign).err()?;
    let message = format!("is no campaign: {error}");
    Some(FieldError::new("template", message).within("campaign"))
}

/// The campaign for a nominal time. It begins at once, so that the schedule's lead is all there is.
fn campaign_at(
    template: &Value,
    at: Timestamp,
    settings: &Settings,
    now: Timestamp,
) -> Result<NewCampaign, Vec<FieldError>> {
    let unreadable = |error: serde_json::Error| {
        vec![FieldError::new(
            "template",
            format!("is no campaign: {error}"),
        )]
    };
    let spec: CampaignSpec = serde_json::from_value(template.clone()).map_err(unreadable)?;
    let given = [
        ("send_at", spec.send_at.is_some()),
        ("send_at_local", spec.send_at_local.is_some()),
        ("lead", spec.lead.is_some()),
        ("key", spec.key.is_some()),
    ];
    let wrong = given.into_iter().filter(|(_, is_given)| *is_given);
    let wrong: Vec<_> = wrong
        .map(|(field, _)| FieldError::new(field, "is given by the schedule, each time another"))
        .collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let provider = spec.provider.clone();
    let spec = CampaignSpec {
        send_at: Some(at),
        lead: Some(at.since(now)),
        ..spec
    };
    let mut campaign = NewCampaign::from_spec(spec, now)?;
    let provider = settings.provider_of(campaign.plan.action, provider.as_deref());
    campaign.plan.provider = provider.map_err(|wrong| vec![wrong])?;
    Ok(campaign)
}

/// Tells whoever has something to do with what was made.
pub fn announce(tools: &Tools, made: &ScheduledWork) {
    match made {
        ScheduledWork::Job(job) if job.run_at <= job.created_at => {
            let hint = Hint::of(&job.queue, job.id, job.priority);
            tools.offers.claimable([hint]);
        }
        ScheduledWork::Job(_) => tools.wakeups.send(Wakeup::Due),
        ScheduledWork::Campaign(_) => tools.wakeups.send(Wakeup::Campaigns),
    }
    tools.wakeups.send(Wakeup::Facts);
}
