//! What is asked before a large campaign is approved.

use axum::{extract::Path, response::Response};
use baton_domain::campaign::{Approval, Campaign};
use baton_engine::Error;

use super::{super::campaign_id, Confirm};
use crate::{Console, errors::PageError, overview_cache::with_timeout, shell::Shell, view::count};

/// Asks before a campaign is approved, and has the number of its recipients typed.
pub async fn ask(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let found = async {
        let campaign = with_timeout(console.engine.campaign(campaign_id(&id)?)).await?;
        let Some(approval) = campaign.approval.clone() else {
            return Err(PageError::from(Error::NeedsNoApproval(campaign.id)));
        };
        Ok((campaign, approval))
    };
    match found.await {
        Ok((campaign, approval)) => shell.page(&about(&shell, &campaign, &approval)),
        Err(trouble) => shell.trouble(&trouble),
    }
}

fn about<'a>(shell: &'a Shell, campaign: &Campaign, approval: &Approval) -> Confirm<'a> {
    let back = format!("/campaigns/{}", campaign.id);
    Confirm {
        shell,
        title: tr!("Approve {name}", name = campaign.plan.name),
        effects: vec![
            tr!(
                "{n} recipients belonged to its audience when {who} asked for it.",
                n = count(approval.recipients),
                who = approval.asked.name
            ),
            tr!("It starts at once, or when its time has come.").to_owned(),
        ],
        post: shell.root.href(&format!("{back}/approve")),
        away: shell.root.href(&back),
        back,
        typed: Some(approval.recipients.to_string()),
        leads_on: false,
        action: "approve",
        button: tr!("Approve the campaign").to_owned(),
        is_grave: false,
    }
}

/// Whether the number of recipients was typed.
pub fn check_typed(recipients: u64, typed: &str) -> Result<(), PageError> {
    if typed.trim().parse() == Ok(recipients) {
        return Ok(());
    }
    Err(PageError::refused(
        tr!("What was typed is not how many recipients it has.").to_owned(),
        tr!("Nothing was changed. Type the number shown, so that the right campaign is approved."),
    ))
}
