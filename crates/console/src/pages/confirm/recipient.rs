//! What is asked before a person is erased.

use axum::{extract::Path, response::Response};

use super::{super::recipients::page_of, Confirm};
use crate::{Console, errors::PageError, overview_cache::with_timeout, shell::Shell};

/// Asks before a recipient is erased.
pub async fn erase(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let recipient = match with_timeout(console.engine.recipient(&id)).await {
        Ok(recipient) => recipient,
        Err(trouble) => return shell.trouble(&trouble),
    };
    let back = page_of(&recipient.profile.id);
    shell.page(&Confirm {
        title: tr!("Erase {name}", name = recipient.profile.id),
        effects: vec![
            tr!("Everything that names or quotes this person is forgotten: addresses, topics, inbox, payloads of deliveries.")
                .to_owned(),
            tr!("Counts of campaigns stay as they are, and the audit log keeps that it was done, without saying of whom.")
                .to_owned(),
            tr!("It goes step by step as an operation. This cannot be undone.").to_owned(),
        ],
        post: shell.root.href(&format!("{back}/erase")),
        away: shell.root.href(&back),
        back,
        typed: Some(recipient.profile.id),
        leads_on: false,
        action: "erase",
        button: tr!("Erase this person").to_owned(),
        is_grave: true,
        shell: &shell,
    })
}

/// Whether the id was typed.
pub fn check_typed(id: &str, typed: &str) -> Result<(), PageError> {
    if typed.trim() == id {
        return Ok(());
    }
    Err(PageError::refused(
        tr!("What was typed is not the id of the recipient.").to_owned(),
        tr!("Nothing was changed. Type the id as it is shown, so that the right person is erased."),
    ))
}
