//! `baton campaigns send-to-rest`: the same to those who have not got it.

use baton_client::{CampaignRest, Client, SendToRest};
use baton_domain::campaign::State;

use super::{show, watch::goes_on_by};
use crate::{
    cli::RestArgs,
    exit::{Exit, Failure},
    output::Output,
};

/// Counts whom a campaign has not reached, and has the same said to them unless it is only to be counted.
pub async fn run(args: RestArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let rest = client.rest_of_campaign(args.id).await?;
    if args.preview {
        tell(&rest, output);
        return Ok(Exit::Ok);
    }
    let wanted = SendToRest {
        name: args.name,
        rate: args.rate,
    };
    let campaign = client.send_to_rest(args.id, &wanted).await?;
    show(&campaign, output);
    if campaign.state == State::Stopped {
        output.say(goes_on_by(&campaign));
    }
    output.say(format!(
        "It is for {} recipients. Watch it: baton campaigns watch {}",
        rest.recipients, campaign.id
    ));
    Ok(Exit::Ok)
}

fn tell(rest: &CampaignRest, output: &Output) {
    if output.is_json() {
        return output.json(rest);
    }
    output.line(format!("{} recipients have not got it", rest.recipients));
    for (count, why) in [
        (rest.never_written, "were never written down"),
        (rest.canceled, "had their deliveries canceled"),
        (rest.failed, "had deliveries that failed for good"),
        (
            rest.skipped,
            "were skipped, and are again if nothing has changed",
        ),
    ] {
        if count > 0 {
            output.line(format!("{count} {why}"));
        }
    }
    if rest.uncertain > 0 {
        output.line(format!(
            "{} more may have got it: resolve them first, or they are left out",
            rest.uncertain
        ));
    }
}
