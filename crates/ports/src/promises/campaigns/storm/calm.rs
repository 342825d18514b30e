//! After a storm: everything comes to its end, and the books are balanced.

use std::collections::BTreeSet;

use baton_domain::{
    campaign::{State, Trigger},
    queue::QueueChange,
};

use super::{
    super::{
        super::bench::{ALL, MINUTE, SECOND, accepted},
        fixtures::{HOLD, ids_of},
    },
    CROWD, Odds, Storm,
};

const CALM: Odds = Odds {
    before: 0.0,
    after: 0.0,
};

impl Storm {
    /// Lets the campaign come to its end, and sees that each recipient was written down once.
    pub(super) async fn end(&mut self) {
        self.line.set(CALM);
        self.sound.pass(HOLD + SECOND);
        if self.model.state == State::Stopped {
            self.resume().await;
        }
        while let Some(campaign) = self.sound.take().await {
            let chunk = self.sound.chunk(&campaign, ALL).await;
            self.sound.expand(&chunk).await;
        }
        self.send_the_rest().await;
        while self.sound.sweep(ALL).await > 0 {}
        self.sound.sequence().await;
        self.sound.settle_campaigns().await;
        self.balance().await;
    }

    async fn resume(&mut self) {
        let seen = self.sound.campaign(self.id).await;
        let trigger = match seen.is_complete() {
            true => Trigger::ResumeSending,
            false => Trigger::Resume,
        };
        assert!(self.sound.order_seen(&seen, trigger, None).await);
    }

    async fn send_the_rest(&mut self) {
        let line = self.id.to_string();
        let no_limit = QueueChange {
            rate: Some(None),
            ..QueueChange::default()
        };
        self.sound.change_queue(&line, no_limit).await;
        loop {
            for claimed in std::mem::take(&mut self.under_way) {
                self.sound.settle(&claimed, accepted()).await;
            }
            self.sound.pass(MINUTE);
            self.sound.release().await;
            let worker = self.sound.worker;
            self.under_way = self.sound.claim_as(worker, &line, ALL).await;
            if self.under_way.is_empty() {
                return;
            }
        }
    }

    async fn balance(&self) {
        let deliveries = self.sound.deliveries(self.id).await;
        let reached: BTreeSet<_> = ids_of(&deliveries).into_iter().collect();
        let found = self.sound.campaign(self.id).await;
        self.compare("each once", &reached.len(), &deliveries.len());
        self.compare("books", &found.counts.total(), &(deliveries.len() as u64));
        self.compare("nothing is left", &found.counts.live(), &0);
        if found.state == State::Canceled {
            self.compare("cleared up", &found.finished_at.is_some(), &true);
        } else {
            self.compare("done", &found.state, &State::Done);
            self.compare("everybody", &reached.len(), &CROWD);
        }
    }
}
