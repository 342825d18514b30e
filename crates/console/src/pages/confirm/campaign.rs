//! What is asked before something is done to a whole campaign.

use axum::{extract::Path, response::Response};
use baton_domain::{campaign::Campaign, job::State as JobState};
use baton_engine::{CampaignCommand, Rest};

use super::{super::campaign_id, Confirm};
use crate::{
    Console,
    errors::PageError,
    overview_cache::patiently,
    shell::Shell,
    view::{count, jobs},
};

/// Asks before a campaign is stopped, resumed or canceled.
pub async fn command(
    console: Console,
    shell: Shell,
    Path((id, asked)): Path<(String, String)>,
) -> Response {
    let found = async {
        let (id, asked) = (campaign_id(&id)?, self::command_of(&asked)?);
        Ok((asked, patiently(console.engine.campaign(id)).await?))
    };
    match found.await {
        Ok((asked, campaign)) => shell.page(&about_campaign(&shell, asked, &campaign)),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Reads from an address what is wanted of a campaign.
pub fn command_of(word: &str) -> Result<CampaignCommand, PageError> {
    match word {
        "stop" => Ok(CampaignCommand::Stop),
        "resume" => Ok(CampaignCommand::Resume),
        "cancel" => Ok(CampaignCommand::Cancel),
        _ => Err(PageError::refused(
            format!("Nothing called {word:?} can be done to a campaign."),
            "It can be stopped, resumed or canceled.",
        )),
    }
}

fn about_campaign<'a>(
    shell: &'a Shell,
    asked: CampaignCommand,
    campaign: &Campaign,
) -> Confirm<'a> {
    let counts = &campaign.counts;
    let unsent = count(counts.live());
    let running = count(counts.of(JobState::Running));
    let (action, verb, effects) = match asked {
        CampaignCommand::Stop => (
            "stop",
            "Stop",
            vec![
                "No chunk is written and no call starts later than two seconds from now."
                    .to_owned(),
                format!("{running} calls are under way and come to their end."),
                format!("{unsent} deliveries keep their place; resume goes on exactly there."),
            ],
        ),
        CampaignCommand::Resume => (
            "resume",
            "Resume",
            vec![
                format!("{unsent} deliveries that were not sent are sent."),
                "The walk over its audience goes on after its cursor.".to_owned(),
            ],
        ),
        CampaignCommand::Cancel => (
            "cancel",
            "Cancel",
            vec![
                format!("{unsent} deliveries that were not sent are canceled."),
                format!("{running} calls are under way and asked to stop."),
                "This cannot be undone.".to_owned(),
            ],
        ),
    };
    let back = format!("/campaigns/{}", campaign.id);
    Confirm {
        shell,
        title: format!("{verb} {}", campaign.plan.name),
        effects,
        post: shell.root.href(&format!("{back}/{action}")),
        away: shell.root.href(&back),
        back,
        typed: None,
        asks_reason: asked != CampaignCommand::Resume,
        leads_on: false,
        action,
        button: format!("{verb} the campaign"),
        is_grave: asked == CampaignCommand::Cancel,
    }
}

/// Asks before the failed deliveries of a campaign run again that failed for one cause.
pub async fn retry_failed(
    console: Console,
    shell: Shell,
    Path((id, fingerprint)): Path<(String, String)>,
) -> Response {
    let found = async {
        let id = campaign_id(&id)?;
        let campaign = patiently(console.engine.campaign(id)).await?;
        let groups = patiently(console.engine.campaign_failures(id)).await?;
        let group = groups
            .into_iter()
            .find(|one| one.fingerprint == fingerprint);
        let group = group.ok_or_else(|| {
            PageError::from(baton_engine::Error::NotFound {
                what: "group of dead letters",
                id: fingerprint.clone(),
            })
        })?;
        Ok((campaign, group))
    };
    let (campaign, group) = match found.await {
        Ok(found) => found,
        Err(trouble) => return shell.trouble(&trouble),
    };
    let back = format!("/campaigns/{}", campaign.id);
    let what = jobs(group.count);
    shell.page(&Confirm {
        title: format!("Retry {what} of {}", campaign.plan.name),
        effects: vec![
            format!("{}: {}", group.sample.code, group.sample.message),
            "Each is queued as its next run, its tries counted from the start.".to_owned(),
            "Deliveries that fail after this moment are not included.".to_owned(),
        ],
        post: shell
            .root
            .href(&format!("{back}/retry-failed/{}", group.fingerprint)),
        away: shell.root.href(&back),
        back,
        typed: None,
        asks_reason: false,
        leads_on: false,
        action: "retry-failed",
        button: format!("Retry {what}"),
        is_grave: false,
        shell: &shell,
    })
}

/// Asks before the same is said to those whom a campaign has not reached.
pub async fn send_to_rest(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let found = async {
        let id = campaign_id(&id)?;
        let campaign = patiently(console.engine.campaign(id)).await?;
        Ok((
            campaign,
            patiently(console.engine.rest_of_campaign(id)).await?,
        ))
    };
    match found.await {
        Ok((campaign, rest)) => shell.page(&about_rest(&shell, &campaign, &rest)),
        Err(trouble) => shell.trouble(&trouble),
    }
}

fn about_rest<'a>(shell: &'a Shell, campaign: &Campaign, rest: &Rest) -> Confirm<'a> {
    let total = count(rest.total());
    let why = [
        (rest.never, "were never written down"),
        (rest.written.canceled, "had their deliveries canceled"),
        (rest.written.failed, "had deliveries that failed for good"),
        (
            rest.written.skipped,
            "were skipped, and are again if nothing has changed",
        ),
    ];
    let why = why.into_iter().filter(|(count, _)| *count > 0);
    let mut effects = vec![format!(
        "A new campaign says the same, at once, to the {total} recipients who have not got it."
    )];
    effects.extend(why.map(|(number, why)| format!("{} {why}.", count(number))));
    if rest.written.uncertain > 0 {
        effects.push(format!(
            "{} more may have got it: resolve them first, or they are left out.",
            count(rest.written.uncertain)
        ));
    }
    let back = format!("/campaigns/{}", campaign.id);
    Confirm {
        shell,
        title: format!("Send {} to the rest", campaign.plan.name),
        effects,
        post: shell.root.href(&format!("{back}/send-to-rest")),
        away: shell.root.href(&back),
        back,
        typed: None,
        asks_reason: false,
        leads_on: false,
        action: "send-to-rest",
        button: format!("Send to {total} recipients"),
        is_grave: false,
    }
}
