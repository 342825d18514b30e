//! What is asked before something is done to a whole campaign.

use axum::{extract::Path, response::Response};
use baton_domain::{campaign::Campaign, job::State as JobState};
use baton_engine::{CampaignCommand, Rest};

use super::{
    super::{campaign_id, compose::crowd},
    Confirm,
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
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
        Ok((asked, with_timeout(console.engine.campaign(id)).await?))
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
            tr!(
                "Nothing called {word} can be done to a campaign.",
                word = format!("{word:?}")
            ),
            tr!("It can be stopped, resumed or canceled."),
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
    let name = &campaign.plan.name;
    let (action, title, button, effects) = match asked {
        CampaignCommand::Stop => (
            "stop",
            tr!("Stop {name}", name = name),
            tr!("Stop the campaign"),
            vec![
                tr!("No chunk is written and no call starts later than two seconds from now.")
                    .to_owned(),
                tr!(
                    "{n} calls are under way and come to their end.",
                    n = running
                ),
                tr!(
                    "{n} deliveries keep their place; resume goes on exactly there.",
                    n = unsent
                ),
            ],
        ),
        CampaignCommand::Resume => (
            "resume",
            tr!("Resume {name}", name = name),
            tr!("Resume the campaign"),
            vec![
                tr!("{n} deliveries that were not sent are sent.", n = unsent),
                tr!("The walk over its audience goes on after its cursor.").to_owned(),
            ],
        ),
        CampaignCommand::Cancel => (
            "cancel",
            tr!("Cancel {name}", name = name),
            tr!("Cancel the campaign"),
            vec![
                tr!(
                    "{n} deliveries that were not sent are canceled.",
                    n = unsent
                ),
                tr!("{n} calls are under way and asked to stop.", n = running),
                tr!("This cannot be undone.").to_owned(),
            ],
        ),
    };
    let back = format!("/campaigns/{}", campaign.id);
    Confirm {
        shell,
        title,
        effects,
        post: shell.root.href(&format!("{back}/{action}")),
        away: shell.root.href(&back),
        back,
        typed: None,
        leads_on: false,
        action,
        button: button.to_owned(),
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
        let campaign = with_timeout(console.engine.campaign(id)).await?;
        let groups = with_timeout(console.engine.campaign_failures(id)).await?;
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
        title: tr!(
            "Retry {jobs} of {campaign}",
            jobs = what,
            campaign = campaign.plan.name
        ),
        effects: vec![
            format!("{}: {}", group.sample.code, group.sample.message),
            tr!("Each is queued as its next run, its tries counted from the start.").to_owned(),
            tr!("Deliveries that fail after this moment are not included.").to_owned(),
        ],
        post: shell
            .root
            .href(&format!("{back}/retry-failed/{}", group.fingerprint)),
        away: shell.root.href(&back),
        back,
        typed: None,
        leads_on: false,
        action: "retry-failed",
        button: tr!("Retry {jobs}", jobs = what),
        is_grave: false,
        shell: &shell,
    })
}

/// Asks before the same is said to those whom a campaign has not reached.
pub async fn send_to_rest(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let found = async {
        let id = campaign_id(&id)?;
        let campaign = with_timeout(console.engine.campaign(id)).await?;
        Ok((
            campaign,
            with_timeout(console.engine.rest_of_campaign(id)).await?,
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
        tr!("{n} were never written down.", n = count(rest.never)),
        tr!(
            "{n} had their deliveries canceled.",
            n = count(rest.written.canceled)
        ),
        tr!(
            "{n} had deliveries that failed for good.",
            n = count(rest.written.failed)
        ),
        tr!(
            "{n} were skipped, and are again if nothing has changed.",
            n = count(rest.written.skipped)
        ),
    ];
    let written = &rest.written;
    let many = [
        rest.never,
        written.canceled,
        written.failed,
        written.skipped,
    ];
    let why = many.into_iter().zip(why).filter(|(many, _)| *many > 0);
    let mut effects = vec![tr!(
        "A new campaign says the same, at once, to the {n} recipients who have not got it.",
        n = total
    )];
    effects.extend(why.map(|(_, why)| why));
    if rest.written.uncertain > 0 {
        effects.push(tr!(
            "{n} more may have got it: resolve them first, or they are left out.",
            n = count(rest.written.uncertain)
        ));
    }
    let back = format!("/campaigns/{}", campaign.id);
    Confirm {
        shell,
        title: tr!("Send {name} to the rest", name = campaign.plan.name),
        effects,
        post: shell.root.href(&format!("{back}/send-to-rest")),
        away: shell.root.href(&back),
        back,
        typed: crowd::typed(rest.total()),
        leads_on: false,
        action: "send-to-rest",
        button: tr!("Send to {n} recipients", n = total),
        is_grave: false,
    }
}
