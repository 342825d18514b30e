//! `baton campaigns`: create, watch, stop and resume bulk sends.

mod unreached;
mod watch;

use std::{fs, io, path::Path};

use baton_client::{
    Campaign, ChangeCampaign, Client, CommandCampaign, CreateCampaign, DeadLetters, RetryFailed,
};
use baton_domain::{CampaignId, campaign, job::State, message::MessageSpec};
use baton_protocol::PageQuery;

use super::operations;
use crate::{
    cli::{CampaignArgs, CampaignsCommand, CommandArgs},
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(
    command: CampaignsCommand,
    client: Client,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        CampaignsCommand::Create(args) => create(*args, &client, output).await,
        CampaignsCommand::Preview(args) => preview(*args, &client, output).await,
        CampaignsCommand::List { limit } => list(limit, &client, output).await,
        CampaignsCommand::Show { id } => show_all(id, &client, output).await,
        CampaignsCommand::Watch { id } => watch::run(id, &client, output).await,
        CampaignsCommand::Stop(args) => {
            let stopped = client.stop_campaign(args.id, &why(args)).await?;
            tell_stop(&stopped, output);
            Ok(Exit::Ok)
        }
        CampaignsCommand::Resume(args) => {
            show(&client.resume_campaign(args.id, &why(args)).await?, output);
            Ok(Exit::Ok)
        }
        CampaignsCommand::Approve { id } => {
            show(&client.approve_campaign(id).await?, output);
            Ok(Exit::Ok)
        }
        CampaignsCommand::Cancel(args) => {
            show(&client.cancel_campaign(args.id, &why(args)).await?, output);
            Ok(Exit::Ok)
        }
        CampaignsCommand::Rate { id, rate } => change_rate(id, &rate, &client, output).await,
        CampaignsCommand::SendToRest(args) => unreached::run(args, &client, output).await,
        CampaignsCommand::RetryFailed { id, cause } => {
            let retry = RetryFailed { fingerprint: cause };
            let operation = client.retry_failed(id, &retry).await?;
            operations::finish(operation, &client, output).await
        }
    }
}

fn why(args: CommandArgs) -> CommandCampaign {
    CommandCampaign {
        reason: args.reason,
    }
}

async fn create(args: CampaignArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let campaign = client.create_campaign(&asked(args)?).await?;
    show(&campaign, output);
    if campaign.state == campaign::State::Stopped {
        output.say(watch::goes_on_by(&campaign));
    }
    output.say(format!("Watch it: baton campaigns watch {}", campaign.id));
    Ok(Exit::Ok)
}

fn asked(args: CampaignArgs) -> Result<CreateCampaign, Failure> {
    if let Some(file) = &args.file {
        let text = read(file).map_err(|error| {
            Failure::usage(format!("{} cannot be read: {error}", file.display()))
        })?;
        return serde_json::from_str(&text).map_err(|error| {
            Failure::usage(format!("{} is no campaign: {error}", file.display()))
                .then("It is the JSON body of POST /v1/campaigns; see /docs of a running server.")
        });
    }
    let audience = serde_json::from_str(&args.audience).map_err(|error| {
        Failure::usage(format!("--audience is not JSON: {error}"))
            .then("An audience looks like {\"topic\": \"daily-quiz\"}; in a shell, put it in single quotes.")
    })?;
    Ok(CreateCampaign {
        name: args.name.unwrap_or_default(),
        category: args.category,
        action: args.action,
        audience,
        message: MessageSpec {
            title: args.title.unwrap_or_default(),
            body: args.body.unwrap_or_default(),
            translations: args.translations.unwrap_or_default(),
            ..MessageSpec::default()
        },
        provider: args.provider,
        send_at: args.send_at,
        send_at_local: args.send_at_local,
        lead: args.lead,
        rate: args.rate,
        lane: args.lane,
        key: args.key,
        ..CreateCampaign::default()
    })
}

fn read(file: &Path) -> io::Result<String> {
    if file == Path::new("-") {
        return io::read_to_string(io::stdin());
    }
    fs::read_to_string(file)
}

async fn preview(args: CampaignArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let preview = client.preview_campaign(&asked(args)?).await?;
    if output.is_json() {
        output.json(&preview);
        return Ok(Exit::Ok);
    }
    output.line(format!("{} recipients", preview.members));
    if preview.members == 0 {
        output.say("Nobody belongs to this audience now: the campaign would be done at once.");
    }
    for (reason, count) in &preview.skipped {
        output.line(format!(
            "{count} of the first {} would be skipped: {reason}",
            preview.looked_at
        ));
    }
    for (locale, count) in &preview.translations {
        output.line(format!(
            "{count} of the first {} would read the translation {locale}",
            preview.looked_at
        ));
    }
    for missing in &preview.missing {
        output.line(clean(missing));
    }
    let rows = preview.samples.iter().map(|sample| {
        vec![
            clean(&sample.recipient.id),
            sample.translation.clone().unwrap_or_default(),
            output.excerpt(&sample.title),
            output.excerpt(&sample.body),
        ]
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        output.table(&["recipient", "translation", "title", "body"], rows);
    }
    Ok(if preview.missing.is_empty() {
        Exit::Ok
    } else {
        Exit::Invalid
    })
}

async fn list(limit: u32, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let page = PageQuery::first(limit);
    let campaigns = client.campaigns(&page).await?.items;
    let none = "There are no campaigns. Create one: baton campaigns create --help";
    let head = ["campaign", "name", "state", "ended", "failed", "updated"];
    output.list_or_say(none, &campaigns, &head, |campaign| {
        let progress = &campaign.progress;
        vec![
            campaign.id.to_string(),
            output.excerpt(&campaign.name),
            campaign.state.to_string(),
            format!("{}/{}", progress.ended, progress.audience),
            progress.count(State::Failed).to_string(),
            output.moment(campaign.updated_at),
        ]
    });
    Ok(Exit::Ok)
}

async fn show_all(id: CampaignId, client: &Client, output: &Output) -> Result<Exit, Failure> {
    show(&client.campaign(id).await?, output);
    if !output.is_json() {
        let failures = client.campaign_failures(id).await?;
        let rows: Vec<_> = failures.iter().map(|cause| row(cause, output)).collect();
        if !rows.is_empty() {
            output.table(&["cause", "count", "last", "what went wrong"], rows);
        }
    }
    Ok(Exit::Ok)
}

fn row(cause: &DeadLetters, output: &Output) -> Vec<String> {
    vec![
        cause.fingerprint.clone(),
        cause.count.to_string(),
        output.moment(cause.last),
        output.excerpt(&format!("{}: {}", cause.sample.code, cause.sample.message)),
    ]
}

fn show(campaign: &Campaign, output: &Output) {
    if output.is_json() {
        return output.json(campaign);
    }
    let progress = &campaign.progress;
    let counts = State::ALL.into_iter().filter_map(|state| {
        let count = progress.count(state);
        (count > 0).then(|| format!("{count} {state}"))
    });
    let items = Some(progress.items).filter(|items| *items > 0);
    let counts = counts.chain(items.map(|items| format!("{items} in inboxes")));
    let rate = campaign.rate.map(|rate| format!("{rate} a second"));
    let rest_of = campaign.rest_of.map(|id| id.to_string());
    let lines = [
        ("campaign", campaign.id.to_string()),
        ("name", campaign.name.clone()),
        ("rest of", rest_of.unwrap_or_default()),
        ("state", campaign.state.to_string()),
        ("why", campaign.why.clone().unwrap_or_default()),
        ("audience", audience(campaign)),
        ("counts", counts.collect::<Vec<_>>().join(", ")),
        ("rate", rate.unwrap_or_default()),
        ("limited by", progress.limited_by.clone()),
        ("created", campaign.created_at.to_string()),
        (
            "finished",
            campaign
                .finished_at
                .map_or_else(String::new, |at| at.to_string()),
        ),
    ];
    output.fields(lines);
}

fn audience(campaign: &Campaign) -> String {
    let progress = &campaign.progress;
    let walked = format!(
        "{} written down, {:.0} % walked",
        progress.audience,
        progress.walked * 100.0
    );
    match progress.expected {
        Some(expected) => format!("{expected} members: {walked}"),
        None => walked,
    }
}

fn tell_stop(campaign: &Campaign, output: &Output) {
    if output.is_json() {
        return output.json(campaign);
    }
    output.line(format!(
        "{} is stopped. {} calls are under way and come to their end; no other starts.",
        campaign.id, campaign.progress.in_flight
    ));
}

async fn change_rate(
    id: CampaignId,
    rate: &str,
    client: &Client,
    output: &Output,
) -> Result<Exit, Failure> {
    let rate = match rate {
        "none" => None,
        rate => Some(rate.parse().map_err(|_| {
            Failure::usage(format!(
                "expected deliveries a second or `none`, got {rate:?}"
            ))
        })?),
    };
    let change = ChangeCampaign { rate };
    show(&client.change_campaign(id, &change).await?, output);
    Ok(Exit::Ok)
}
