//! Somebody who tells a few recipients something at once, again and again, each thing until that was answered.

use std::{sync::Arc, time::Duration};

use baton_client::Client;
use baton_domain::notification::Action;
use baton_lab::checker::{ActAnswer, Notified, Posted};
use baton_protocol::notification::{Message, Notify};
use rand::{RngExt, rngs::StdRng};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{Failure, now_us};

use super::{Shared, audience, refusal};

/// The longest they think between two notifications, in milliseconds.
const THINK: u64 = 150;
/// How many recipients are told anything.
const TOLD: usize = 6;
/// How many of them at once, at the most.
const AT_ONCE: usize = 3;

pub struct Teller {
    shared: Arc<Shared>,
    chance: StdRng,
    told: u32,
}

impl Teller {
    pub const fn new(shared: Arc<Shared>, chance: StdRng) -> Self {
        Self {
            shared,
            chance,
            told: 0,
        }
    }

    /// Tells things until told to stop.
    pub async fn work(mut self, stop: CancellationToken) -> Result<(), Failure> {
        while !stop.is_cancelled() {
            let think = self.chance.random_range(0..THINK);
            sleep(Duration::from_millis(think)).await;
            let notify = self.draw();
            self.post_until_answered(&notify).await?;
            // Who tells again what was answered is told the same.
            if self.chance.random_ratio(1, 8) {
                self.post_until_answered(&notify).await?;
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> Notify {
        self.told += 1;
        let key = format!("told-{}", self.told);
        let audience = recipients(self.shared.recipients);
        let count = self.chance.random_range(1..=AT_ONCE.min(audience.len()));
        let first = self.chance.random_range(0..audience.len());
        let recipients = audience.into_iter().cycle().skip(first).take(count);
        Notify {
            recipients: recipients.collect(),
            message: Message {
                title: key.clone(),
                body: "Something has happened.".to_owned(),
                ..Message::default()
            },
            // What is brought to somebody is a job, and those are looked at as deliveries of campaigns.
            action: Some(Action::Inbox),
            category: None,
            topic: None,
            provider: None,
            channel: None,
            key: Some(key),
            expires_after: None,
            delivery: None,
        }
    }

    async fn post_until_answered(&mut self, notify: &Notify) -> Result<(), Failure> {
        let mut asking = self.shared.asking("takes a notification", &mut self.chance);
        while !post(&self.shared, asking.endpoint().await?, notify).await? {}
        Ok(())
    }
}

/// Who is told things: some of those that want to be.
pub fn recipients(imported: u32) -> Vec<String> {
    let wanting = (0..imported).filter(|number| audience::is_enabled(*number));
    wanting.take(TOLD).map(audience::id).collect()
}

/// Posts once and notes what came of it; whether it was accepted.
async fn post(shared: &Shared, endpoint: &Client, notify: &Notify) -> Result<bool, Failure> {
    let start_us = now_us();
    let answer = match endpoint.notify(notify).await {
        Ok(told) => Posted::Ok {
            id: told.id.to_string(),
            created: told.created,
        },
        Err(error) => match refusal(error)? {
            ActAnswer::Refused { status, problem } => Posted::Refused { status, problem },
            _ => Posted::Unknown,
        },
    };
    let is_accepted = matches!(answer, Posted::Ok { .. });
    shared.notified.lock().push(Notified {
        start_us,
        end_us: now_us(),
        key: notify.key.clone().unwrap_or_default(),
        recipients: notify.recipients.clone(),
        answer,
    });
    Ok(is_accepted)
}
