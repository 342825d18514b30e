//! Buttons that rule a whole campaign.

use axum::{extract::Path, response::Response};
use baton_domain::{campaign::RestSpec, job::State as JobState};
use baton_engine::{CampaignCommand, Created};

use super::{
    Button,
    queues::{pace, read_limit},
};
use crate::{
    pages::{campaign_id, compose::crowd, confirm},
    receipt::Receipt,
    view::{campaign_word, count, jobs, short},
};

/// Stops, resumes or cancels a campaign.
pub async fn command(Path((id, asked)): Path<(String, String)>, button: Button) -> Response {
    let done = async {
        let (id, asked) = (campaign_id(&id)?, confirm::campaign::command_of(&asked)?);
        let reason = button.pressed.reason();
        let engine = &button.console.engine;
        let campaign = engine
            .command_campaign(id, asked, reason.as_deref())
            .await?;
        let message = match asked {
            CampaignCommand::Stop => tr!(
                "Stopped {campaign}: no call starts any more; {n} under way come to their end.",
                campaign = campaign.plan.name,
                n = count(campaign.counts.of(JobState::Running))
            ),
            CampaignCommand::Resume => {
                tr!(
                    "Resumed {campaign} exactly where it was.",
                    campaign = campaign.plan.name
                )
            }
            CampaignCommand::Cancel => tr!(
                "Canceled {campaign}: what was not sent is canceled now.",
                campaign = campaign.plan.name
            ),
        };
        Ok(Receipt::new(message))
    };
    button.answer(done.await).await
}

/// Changes how many deliveries of a campaign start each second.
pub async fn set_rate(Path(id): Path<String>, button: Button) -> Response {
    let done = async {
        let (id, engine) = (campaign_id(&id)?, &button.console.engine);
        let wanted = read_limit(&button.pressed.rate)?;
        let before = engine.campaign(id).await?.rate;
        let campaign = engine.change_campaign_rate(id, wanted).await?;
        Ok(Receipt::new(tr!(
            "{campaign} was limited to {before}, and is now to {after}.",
            campaign = campaign.plan.name,
            before = pace(before),
            after = pace(campaign.rate)
        )))
    };
    button.answer(done.await).await
}

/// Approves a campaign that somebody else has asked for, once the number of its recipients was typed.
pub async fn approve(Path(id): Path<String>, button: Button) -> Response {
    let done = async {
        let (id, engine) = (campaign_id(&id)?, &button.console.engine);
        let seen = engine.campaign(id).await?;
        let recipients = seen.approval.map_or(0, |approval| approval.recipients);
        confirm::approval::check_typed(recipients, &button.pressed.confirm)?;
        let campaign = engine.approve_campaign(id).await?;
        let name = campaign.plan.name;
        Ok(Receipt::new(tr!(
            "Approved {campaign}; it is {state} now.",
            campaign = name,
            state = campaign_word(campaign.state)
        )))
    };
    button.answer(done.await).await
}

/// Runs the failed deliveries of a campaign again that failed for one cause.
pub async fn retry_failed(
    Path((id, fingerprint)): Path<(String, String)>,
    button: Button,
) -> Response {
    let done = async {
        let id = campaign_id(&id)?;
        let operation = button
            .console
            .engine
            .retry_failed(id, Some(fingerprint))
            .await?;
        Ok(Receipt::new(tr!(
            "Retrying {jobs} ({id}); the progress is among the operations on dead letters.",
            jobs = jobs(operation.total),
            id = short(operation.id)
        )))
    };
    button.answer(done.await).await
}

/// Says the same to those whom a campaign has not reached.
pub async fn send_to_rest(Path(id): Path<String>, button: Button) -> Response {
    let done = async {
        let (id, engine) = (campaign_id(&id)?, &button.console.engine);
        let members = engine.rest_of_campaign(id).await?.total();
        crowd::check_typed(members, &button.pressed.confirm)?;
        let created = engine.send_to_rest(id, RestSpec::default()).await?;
        Ok(Receipt::new(match created {
            Created::New(rest) => tr!("Created {id} for the rest.", id = rest),
            Created::Known(rest) => {
                tr!(
                    "Nothing was created: {id} was for the rest already.",
                    id = rest
                )
            }
        }))
    };
    button.answer(done.await).await
}
