//! `baton recipients`: write down, import and look at those who are reached.

mod import;

use baton_client::{Client, PreviewAudience, PutRecipient, Recipient};
use baton_protocol::PageQuery;

use crate::{
    cli::{CountArgs, PutArgs, RecipientsCommand},
    commands::{operations, paged::paged},
    exit::{Exit, Failure},
    output::{Output, clean},
};

/// The head of a table of recipients.
const HEAD: [&str; 5] = ["recipient", "platform", "enabled", "updated", "topics"];

pub async fn run(
    command: RecipientsCommand,
    client: Client,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        RecipientsCommand::Import(args) => import::run(&args, &client, output).await,
        RecipientsCommand::Put(args) => put(*args, &client, output).await,
        RecipientsCommand::Show { id } => {
            show(&client.recipient(&id).await?, output);
            Ok(Exit::Ok)
        }
        RecipientsCommand::Delete {
            ids,
            erase: true,
            no_wait,
        } => erase(&ids, no_wait, &client, output).await,
        RecipientsCommand::Delete { ids, .. } => delete(ids, &client, output).await,
        RecipientsCommand::List { limit, all } => {
            let most = if all { usize::MAX } else { limit };
            list(most, &client, output).await
        }
        RecipientsCommand::Inbox { id, limit } => inbox(&id, limit, &client, output).await,
        RecipientsCommand::Count(args) => count(args, &client, output).await,
    }
}

async fn put(args: PutArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let described = PutRecipient {
        platform: args.platform,
        lat: args.lat,
        lon: args.lon,
        topics: args.topics,
        enabled: !args.disabled,
        addresses: args.addresses.into_iter().collect(),
        time_zone: args.time_zone,
        locale: args.locale,
    };
    show(&client.put_recipient(&args.id, &described).await?, output);
    Ok(Exit::Ok)
}

fn show(recipient: &Recipient, output: &Output) {
    if output.is_json() {
        return output.json(recipient);
    }
    let location = recipient.lat.zip(recipient.lon);
    let addresses = recipient.addresses.iter().map(|(channel, address)| {
        let is_dead = recipient.dead_addresses.contains(channel);
        format!(
            "{channel}={address}{}",
            if is_dead { " (dead)" } else { "" }
        )
    });
    let lines = [
        ("recipient", recipient.id.clone()),
        ("platform", recipient.platform.clone()),
        (
            "location",
            location.map_or_else(String::new, |(lat, lon)| format!("{lat}, {lon}")),
        ),
        ("topics", recipient.topics.join(", ")),
        ("enabled", recipient.enabled.to_string()),
        ("addresses", addresses.collect::<Vec<_>>().join(", ")),
        ("time zone", recipient.time_zone.clone().unwrap_or_default()),
        ("locale", recipient.locale.clone().unwrap_or_default()),
        ("created", recipient.created_at.to_string()),
        ("updated", recipient.updated_at.to_string()),
    ];
    output.fields(lines);
}

/// Forgets each; what fails is said, and the first failure is the command's.
async fn delete(ids: Vec<String>, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let mut first = None;
    for id in ids {
        match client.delete_recipient(&id).await {
            Ok(()) if output.is_json() => output.json(&serde_json::json!({"deleted": id})),
            Ok(()) => output.line(format!("{} is forgotten", clean(&id))),
            Err(error) => {
                if let Some(earlier) = first.replace(Failure::from(error)) {
                    output.failure(&earlier);
                }
            }
        }
    }
    first.map_or(Ok(Exit::Ok), Err)
}

/// Erases each, one after the other.
async fn erase(
    ids: &[String],
    no_wait: bool,
    client: &Client,
    output: &Output,
) -> Result<Exit, Failure> {
    for id in ids {
        let operation = client.erase_recipient(id).await?;
        operations::begun(operation, no_wait, client, output).await?;
    }
    Ok(Exit::Ok)
}

async fn list(most: usize, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let page = async |query: PageQuery| client.recipients_page(&query).await;
    paged(most, page, &HEAD, |one| row(one, output), output).await?;
    Ok(Exit::Ok)
}

async fn inbox(id: &str, limit: u32, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let page = PageQuery::first(limit);
    let items = client.inbox(id, &page).await?.items;
    if output.is_json() {
        items.iter().for_each(|item| output.json(item));
        return Ok(Exit::Ok);
    }
    for item in items {
        let mark = if item.read_at.is_some() { ' ' } else { '*' };
        let (title, body) = (clean(&item.title), clean(&item.body));
        output.line(format!(
            "{mark} {}  {}  {title}: {body}",
            item.created_at, item.id
        ));
    }
    output.line(format!("{} unread", client.unread(id).await?.count));
    Ok(Exit::Ok)
}

async fn count(args: CountArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let audience = serde_json::from_str(&args.audience).map_err(|error| {
        Failure::usage(format!("--audience is not JSON: {error}"))
            .then("An audience looks like {\"topic\": \"daily-quiz\"}; in a shell, put it in single quotes.")
    })?;
    let asked = PreviewAudience {
        audience,
        samples: Some(args.samples),
    };
    let preview = client.preview_audience(&asked).await?;
    if output.is_json() {
        output.json(&preview);
        return Ok(Exit::Ok);
    }
    output.line(preview.count);
    if preview.disabled > 0 {
        output.say(format!(
            "{} of them are disabled, and would be skipped.",
            preview.disabled
        ));
    }
    if !preview.samples.is_empty() {
        output.list(&preview.samples, &HEAD, |sample| row(sample, output));
    }
    Ok(Exit::Ok)
}

fn row(recipient: &Recipient, output: &Output) -> Vec<String> {
    vec![
        clean(&recipient.id),
        recipient.platform.clone(),
        recipient.enabled.to_string(),
        output.moment(recipient.updated_at),
        output.excerpt(&recipient.topics.join(" ")),
    ]
}
