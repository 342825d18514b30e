//! `baton notify`: tell one or a few recipients something at once.

use baton_client::{Client, Message, Notify, Sent};
use baton_protocol::Json;

use crate::{
    cli::NotifyArgs,
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(args: NotifyArgs, client: Client, output: &Output) -> Result<Exit, Failure> {
    let data = args.data.as_deref().map(object).transpose()?;
    let notify = Notify {
        recipients: args.recipients,
        message: Message {
            title: args.title,
            body: args.body,
            data,
            translations: args.translations.unwrap_or_default(),
        },
        action: Some(args.action),
        category: args.category,
        topic: args.topic,
        provider: args.provider,
        channel: args.channel,
        key: args.key,
        expires_after: args.expires_after,
        delivery: None,
    };
    let notification = client.notify(&notify).await?;
    if output.is_json() {
        output.json(&notification);
        return Ok(Exit::Ok);
    }
    for sent in &notification.items {
        output.line(told(sent));
    }
    Ok(Exit::Ok)
}

fn object(text: &str) -> Result<String, Failure> {
    let object = serde_json::from_str(text);
    object
        .map(Json::into_text)
        .map_err(|error| Failure::usage(format!("--data is not JSON: {error}")))
}

/// What became of it for a recipient, in a line.
fn told(sent: &Sent) -> String {
    let who = clean(&sent.recipient_id);
    if let Some(why) = &sent.skipped {
        return format!("{who}: skipped, {why}");
    }
    let item = sent.item_id.map(|id| id.to_string());
    let job = sent.job_id.map(|id| id.to_string());
    let parts: Vec<_> = item.into_iter().chain(job).collect();
    format!("{who}: {}", parts.join(", "))
}
