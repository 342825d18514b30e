//! The expansion: first the bare one, then that of a campaign, over the same recipients.

use std::{process, time::Duration};

use baton_domain::{CampaignId, campaign::State};
use tokio::time::Instant;

use crate::{
    commands::bench::{figure::Figure, machine::peak_memory, rig::Rig, session::Session},
    exit::Failure,
    store,
};

use super::audience;

/// How many recipients a bare chunk has: as many as the largest of a campaign.
const CHUNK: u32 = 5_000;

pub async fn run(
    session: &mut Session<'_>,
    rig: &Rig,
    recipients: u32,
) -> Result<CampaignId, Failure> {
    session.checkpoint(rig).await?;
    let bar = session.bar(recipients, "bare");
    let bare = rig.tools.expand_bare(recipients.into(), CHUNK.into()).await;
    let bare = bare.map_err(|error| store::lost(&error))?;
    bar.finish_and_clear();
    session.checkpoint(rig).await?;
    let before = peak_memory(process::id());
    let (campaign, walked) = walk(session, rig, recipients).await?;
    let peak = peak_memory(process::id());

    let bare: Duration = bare.iter().sum();
    session.found(Figure::rate("expand_bare", recipients.into(), 1, bare).note(format!(
        "INSERT ... SELECT of {CHUNK} deliveries and a cursor for each commit: one row and three keys a recipient, no fact"
    )));
    session.found(
        Figure::rate("expand", recipients.into(), 1, walked.took)
            .against(
                "expand_bare",
                bare.as_secs_f64() / walked.took.as_secs_f64(),
            )
            .note("job, place, facts, cursor and counters of a chunk in one transaction"),
    );
    let tenth = u64::from(recipients / 10);
    session.found(
        Figure::rate("expand_first_tenth", tenth, 1, walked.first).note("from the start on"),
    );
    session.found(
        Figure::rate("expand_last_tenth", tenth, 1, walked.last).against(
            "expand_first_tenth",
            walked.first.as_secs_f64() / walked.last.as_secs_f64(),
        ),
    );
    if let (Some(before), Some(peak)) = (before, peak) {
        session.found(
            Figure::amount("expand_memory", recipients.into(), megabytes(peak), "MB").note(
                format!(
                    "peak resident set of the whole process; before the walk it was {:.1} MB",
                    megabytes(before)
                ),
            ),
        );
    }
    Ok(campaign)
}

/// A walk that has ended.
struct Walked {
    took: Duration,
    /// The first tenth of the audience, and the last one.
    first: Duration,
    last: Duration,
}

async fn walk(
    session: &Session<'_>,
    rig: &Rig,
    recipients: u32,
) -> Result<(CampaignId, Walked), Failure> {
    let bar = session.bar(recipients, "expand");
    let begun = Instant::now();
    let id = audience::campaign(rig, None).await?;
    let tenth = u64::from(recipients / 10);
    let (mut first, mut nine) = (None, None);
    audience::until(rig, id, |campaign| {
        bar.set_position(campaign.expanded);
        let seen = (campaign.expanded, begun.elapsed());
        if campaign.expanded >= tenth {
            first.get_or_insert(seen);
        }
        if campaign.expanded >= 9 * tenth {
            nine.get_or_insert(seen);
        }
        campaign.state == State::Sending
    })
    .await?;
    let took = begun.elapsed();
    bar.finish_and_clear();
    // A look comes when it comes: what it saw is scaled to a tenth.
    let scaled = |took: Duration, count: u64| {
        took.mul_f64(f64::from(recipients / 10) / as_float(count.max(1)))
    };
    let (first_count, first_took) = first.unwrap_or((recipients.into(), took));
    let (nine_count, nine_took) = nine.unwrap_or((0, Duration::ZERO));
    let left = u64::from(recipients).saturating_sub(nine_count);
    let last = match left {
        0 => scaled(took, recipients.into()),
        left => scaled(took.saturating_sub(nine_took), left),
    };
    Ok((
        id,
        Walked {
            took,
            first: scaled(first_took, first_count),
            last,
        },
    ))
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
const fn as_float(count: u64) -> f64 {
    count as f64
}

fn megabytes(bytes: u64) -> f64 {
    as_float(bytes) / 1e6
}
