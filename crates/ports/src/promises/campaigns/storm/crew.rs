//! Who works in a storm: nodes that walk the audience, and a worker that sends.

use baton_domain::{
    WorkerId,
    campaign::Campaign,
    job::{Class, State},
};
use rand::RngExt;

use super::{
    super::{
        super::bench::{accepted, failing},
        fixtures::HOLD,
    },
    Storm,
};
use crate::store::{Chunk, Claimed};

/// A node, and the campaign it believes to walk.
pub(super) struct Node {
    id: WorkerId,
    hand: Option<Campaign>,
}

impl Node {
    pub(super) const fn new(id: WorkerId) -> Self {
        Self { id, hand: None }
    }
}

impl Storm {
    /// A node takes the walk, or writes the next chunk of the one it believes to have.
    pub(super) async fn walk(&mut self) {
        let place = self.chance.random_range(0..self.nodes.len());
        match self.nodes[place].hand.clone() {
            Some(campaign) if self.chance.random_bool(0.8) => {
                self.write_next(place, campaign).await;
            }
            _ => self.take(place).await,
        }
    }

    async fn take(&mut self, place: usize) {
        let (node, now) = (self.nodes[place].id, self.bench.now());
        let until = now + HOLD;
        let taken = self.bench.store.take_expansion(node, until, now).await;
        let mut campaign = None;
        let answer = taken.map(|taken| {
            campaign.clone_from(&taken);
            taken.map(|taken| (taken.cursor, taken.epoch))
        });
        self.hear("take", answer, |model| model.take(node, until, now));
        if campaign.is_some() {
            self.nodes[place].hand = campaign;
        }
    }

    async fn write_next(&mut self, place: usize, campaign: Campaign) {
        let limit = self.chance.random_range(1..6);
        let node = self.nodes[place].id;
        let chunk = self.sound.chunk_as(node, &campaign, limit).await;
        let is_written = self.write(&chunk).await;
        self.nodes[place].hand = match is_written {
            Some(true) if !chunk.is_last => Some(Campaign {
                cursor: chunk.cursor,
                ..campaign
            }),
            Some(_) => None,
            // It may try the same again.
            None => Some(campaign),
        };
        self.chunks.push(chunk);
    }

    /// A chunk comes late, or once more.
    pub(super) async fn write_an_old_chunk(&mut self) {
        let count = self.chunks.len();
        if count > 0 {
            let chunk = self.chunks[self.chance.random_range(0..count)].clone();
            self.write(&chunk).await;
        }
    }

    async fn write(&mut self, chunk: &Chunk) -> Option<bool> {
        let answer = self.bench.store.expand(chunk, self.bench.now()).await;
        self.hear("expand", answer, |model| model.expand(chunk))
    }

    /// Claims some deliveries: none while the campaign is stopped, and none that has succeeded.
    pub(super) async fn claim(&mut self) {
        let (line, limit) = (self.id.to_string(), self.chance.random_range(1..5));
        let claimed = self.sound.claim_as(self.sound.worker, &line, limit).await;
        let is_allowed = claimed.is_empty() || self.may_send();
        self.compare("claims only what may be sent", &is_allowed, &true);
        for one in &claimed {
            let is_new = !self.succeeded.contains(&one.args.id);
            self.compare("nothing is sent twice", &is_new, &true);
        }
        self.under_way.extend(claimed);
    }

    /// Some delivery that was claimed comes to its end, or to its next try.
    pub(super) async fn settle_one(&mut self) {
        let count = self.under_way.len();
        if count > 0 {
            let place = self.chance.random_range(0..count);
            let claimed = self.under_way.swap_remove(place);
            let verdict = match self.chance.random_range(0..10) {
                0..6 => accepted(),
                6..8 => failing(Class::Retry),
                _ => failing(Class::Permanent),
            };
            self.sound.settle(&claimed, verdict).await;
            self.remember(&claimed).await;
        }
    }

    pub(super) async fn remember(&mut self, claimed: &Claimed) {
        if self.sound.state(claimed.args.id).await == State::Succeeded {
            self.succeeded.insert(claimed.args.id);
        }
    }

    /// The conductor looks whether it is done.
    pub(super) async fn conduct(&mut self) {
        self.sound.sequence().await;
        let found = self.sound.campaign(self.id).await;
        let is_all_over = found.is_complete() && found.counts.live() == 0;
        let answer = self.bench.store.settle_campaigns(self.bench.now()).await;
        let answer = answer.map(|moved| moved > 0);
        self.hear("conduct", answer, |model| model.conduct(is_all_over));
    }
}
