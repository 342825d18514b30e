//! What everybody says of the demonstration: the clients, the server, its feed, the target.

use baton_client::{Client, DeadLetters};
use baton_faults::evidence;
use baton_lab::{
    checker::{self, Fault, History, Request, Subscriber},
    target::Target,
};
use baton_protocol::PageQuery;

use crate::exit::Failure;

use super::{LEASE, SLOTS};

/// The longest page.
const PAGE: u32 = 500;

/// What everybody says, and the groups of dead letters as an operator would see them.
pub struct Evidence {
    pub history: History,
    pub groups: Vec<DeadLetters>,
}

impl Evidence {
    /// The same with what a subscriber saw.
    pub fn with(mut self, subscriber: Subscriber) -> Self {
        self.history.subscribers.push(subscriber);
        self
    }
}

/// Asks everybody.
pub async fn gather(
    client: &Client,
    target: &Target,
    requests: Vec<Request>,
    faults: Vec<Fault>,
) -> Result<Evidence, Failure> {
    let history = History {
        requests,
        arrivals: target.arrivals(),
        faults,
        rules: evidence::rules(LEASE, SLOTS as usize * 3),
        ..evidence::of(client).await?
    };
    let page = PageQuery::first(PAGE);
    let groups = client.dead_letters(&page).await?.items;
    Ok(Evidence { history, groups })
}

/// Everything that does not agree.
pub fn violations(evidence: &Evidence) -> Vec<String> {
    let violations = checker::check(&evidence.history);
    violations.iter().map(ToString::to_string).collect()
}
