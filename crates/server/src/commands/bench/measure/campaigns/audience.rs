//! Who is reached, and a campaign for all of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    time::Duration,
};

use baton_domain::{
    CampaignId,
    campaign::{Campaign, CampaignSpec},
    message::MessageSpec,
    recipient::Profile,
};
use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::{
    commands::bench::{rig::Rig, session::Session},
    exit::{Exit, Failure},
    store,
};

/// How many recipients are written at once.
const BATCH: u32 = 5_000;
/// How often a campaign is looked at; its row is all that is read.
const LOOK: Duration = Duration::from_millis(5);
/// How long a campaign may stand still before the measurement is given up.
const STILL: Duration = Duration::from_mins(1);

/// Writes recipients down.
pub async fn fill(
    session: &mut Session<'_>,
    rig: &Rig,
    recipients: Range<u32>,
) -> Result<(), Failure> {
    let count = recipients.end.saturating_sub(recipients.start);
    let bar = session.bar(count, "recipients");
    let mut first = recipients.start;
    while first < recipients.end {
        let last = recipients.end.min(first + BATCH);
        let profiles: Vec<_> = (first..last).map(profile).collect();
        let imported = rig.engine().import_recipients(&profiles).await;
        imported.map_err(|error| refused(&error))?;
        bar.inc((last - first).into());
        first = last;
    }
    bar.finish_and_clear();
    rig.tools
        .vacuum()
        .await
        .map_err(|error| store::lost(&error))
}

fn profile(i: u32) -> Profile {
    Profile {
        id: recipient(i),
        platform: "ios".to_owned(),
        location: None,
        topics: BTreeSet::from(["daily-quiz".to_owned()]),
        enabled: true,
        addresses: BTreeMap::from([("push".to_owned(), format!("token-{i:032}"))]),
        time_zone: Some("Asia/Seoul".to_owned()),
        locale: None,
    }
}

/// The id of one of them.
pub fn recipient(i: u32) -> String {
    format!("user-{i:08}")
}

/// What is said to them.
pub fn message() -> MessageSpec {
    MessageSpec {
        title: "Your quiz is here".to_owned(),
        body: "Good morning, {{id}}! Ten questions wait for you.".to_owned(),
        ..MessageSpec::default()
    }
}

/// Asks for a campaign to all of them.
pub async fn campaign(rig: &Rig, chunk: Option<u32>) -> Result<CampaignId, Failure> {
    let spec = CampaignSpec {
        name: "bench".to_owned(),
        category: "question".to_owned(),
        action: "push".to_owned(),
        audience: json!({ "all": true }),
        message: message(),
        chunk: chunk.map(i64::from),
        ..CampaignSpec::default()
    };
    let created = rig.engine().create_campaign(spec).await;
    Ok(created.map_err(|error| refused(&error))?.id())
}

/// Looks at a campaign until it is as it should be; `seen` hears of each look.
pub async fn until(
    rig: &Rig,
    id: CampaignId,
    mut is_so: impl FnMut(&Campaign) -> bool,
) -> Result<Campaign, Failure> {
    let (mut last, mut last_move) = (None, Instant::now());
    loop {
        let campaign = rig.engine().campaign(id).await;
        let campaign = campaign.map_err(|error| refused(&error))?;
        if is_so(&campaign) {
            return Ok(campaign);
        }
        let seen = Some((campaign.cursor, campaign.counts));
        if seen != last {
            (last, last_move) = (seen, Instant::now());
        }
        if last_move.elapsed() > STILL {
            return Err(Failure::new(format!(
                "the campaign does not move any more: it is {} at {}",
                campaign.state, campaign.cursor
            ))
            .exit(Exit::TimedOut)
            .then("This must not happen; please report it."));
        }
        sleep(LOOK).await;
    }
}

/// What to say when the engine does not take a campaign.
pub fn refused(error: &baton_engine::Error) -> Failure {
    Failure::new(format!("a campaign was not accepted: {error}")).exit(Exit::Unreachable)
}
