//! Storms: commands at random, over a connection that fails, while a campaign is walked and sent.
//!
//! The last command that was answered holds, and each recipient is written down once.

mod calm;
mod crew;
mod model;

use std::{collections::BTreeSet, fmt::Debug, sync::Arc};

use baton_domain::{
    CampaignId, JobId, Lifecycle,
    campaign::{Campaign, Trigger},
    queue::QueueChange,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use self::{
    crew::Node,
    model::{CampaignCommand, Model},
};
use super::{
    super::{
        bench::{Bench, SECOND},
        promises,
    },
    fixtures::quiz,
};
use crate::{
    Store,
    faulty::{Faulty, Odds},
    store::{CampaignMove, Chunk, Claimed, Error, Result},
};

/// How many things happen in a storm, and from when on somebody may cancel.
const STEPS: usize = 300;
const LATE: usize = 200;
const CROWD: usize = 50;
/// A call in four has no answer; half of those were done.
const GUSTS: Odds = Odds {
    before: 0.125,
    after: 0.125,
};

/// A campaign in a storm, and what is known of it.
struct Storm {
    seed: u64,
    step: usize,
    chance: StdRng,
    /// The store as its callers have it.
    bench: Bench,
    /// The store as it is.
    sound: Bench,
    line: Arc<Faulty>,
    model: Model,
    id: CampaignId,
    nodes: [Node; 2],
    /// What somebody saw some time ago, and acts on.
    seen: Campaign,
    commands: Vec<CampaignMove>,
    chunks: Vec<Chunk>,
    under_way: Vec<Claimed>,
    succeeded: BTreeSet<JobId>,
}

/// A whole storm, the same one for the same seed; what is wrong names the seed and the step.
async fn storm(bench: Bench, seed: u64) {
    let mut storm = Storm::begin(bench, seed).await;
    for step in 0..STEPS {
        storm.step = step;
        storm.gust().await;
        storm.compare_everything().await;
    }
    storm.end().await;
}

impl Storm {
    async fn begin(sound: Bench, seed: u64) -> Self {
        sound.crowd(CROWD).await;
        let id = sound.create(quiz()).await;
        let line = Faulty::new(Arc::clone(&sound.store), seed, GUSTS);
        let bench = Bench {
            store: Arc::clone(&line) as Arc<dyn Store>,
            ..sound.clone()
        };
        Self {
            seed,
            step: 0,
            chance: StdRng::seed_from_u64(seed),
            seen: sound.campaign(id).await,
            nodes: [Node::new(sound.worker), Node::new(sound.another_worker())],
            bench,
            sound,
            line,
            model: Model::default(),
            id,
            commands: Vec::new(),
            chunks: Vec::new(),
            under_way: Vec::new(),
            succeeded: BTreeSet::new(),
        }
    }

    async fn gust(&mut self) {
        match self.chance.random_range(0..100) {
            0..18 => self.wish().await,
            18..26 => self.repeat().await,
            26..31 => self.change_rate().await,
            31..52 => self.walk().await,
            52..57 => self.write_an_old_chunk().await,
            57..72 => self.claim().await,
            72..88 => self.settle_one().await,
            88..92 => self.conduct().await,
            _ => self.pass().await,
        }
    }

    /// Somebody wants something of the campaign as they saw it: just now, or a while ago.
    async fn wish(&mut self) {
        if self.chance.random_bool(0.7) {
            self.seen = self.sound.campaign(self.id).await;
        }
        let is_late = self.step > LATE;
        let wish = match self.chance.random_range(0..20) {
            0 if is_late => CampaignCommand::Cancel,
            0..10 => CampaignCommand::Stop,
            _ => CampaignCommand::Resume,
        };
        let trigger = match wish {
            CampaignCommand::Stop => Trigger::Stop,
            CampaignCommand::Cancel => Trigger::Cancel,
            CampaignCommand::Resume if self.seen.is_complete() => Trigger::ResumeSending,
            CampaignCommand::Resume => Trigger::Resume,
        };
        let Ok(transition) = self.seen.state.on(trigger) else {
            return;
        };
        let command = CampaignMove {
            campaign: self.id,
            epoch: self.seen.epoch,
            transition,
            why: None,
        };
        self.commands.push(command.clone());
        self.give(&command).await;
    }

    /// Any command comes again in the same words, as from somebody who heard no answer.
    async fn repeat(&mut self) {
        let count = self.commands.len();
        if count > 0 {
            let recent = count.saturating_sub(3);
            let command = self.commands[self.chance.random_range(recent..count)].clone();
            self.give(&command).await;
        }
    }

    async fn give(&mut self, command: &CampaignMove) {
        let answer = self.bench.store.command(command, self.bench.now()).await;
        let heard = self.hear("command", answer, |model| model.command(command));
        match heard {
            Some(true) => self.model.answered(command),
            Some(false) => {}
            // Nobody knows which of the last two holds until one is answered.
            None => self.model.doubt(),
        }
    }

    async fn change_rate(&mut self) {
        let rate = [None, Some(1.0), Some(50.0)][self.chance.random_range(0..3)];
        let change = QueueChange {
            rate: Some(rate),
            ..QueueChange::default()
        };
        let line = self.id.to_string();
        let changed = self
            .bench
            .store
            .change_queue(&line, &change, self.bench.now());
        let changed = changed.await.map(|queue| queue.rate);
        self.hear("rate", changed, |model| {
            model.rate = rate;
            rate
        });
    }

    /// What a call that may have been cut off has brought, if anybody was told. The model does what was done.
    fn hear<T: PartialEq + Debug>(
        &mut self,
        what: &str,
        answer: Result<T>,
        apply: impl FnOnce(&mut Model) -> T,
    ) -> Option<T> {
        match answer {
            Err(Error::Unavailable(_)) => None,
            Err(_) => {
                apply(&mut self.model);
                None
            }
            Ok(answer) => {
                let expected = apply(&mut self.model);
                self.compare(what, &answer, &expected);
                Some(answer)
            }
        }
    }

    /// The campaign is where the model says, the last answer holds, and the books add up.
    async fn compare_everything(&mut self) {
        self.sound.sequence().await;
        let found = self.sound.campaign(self.id).await;
        self.compare("the campaign", &Model::of(&found), &self.model.bare());
        self.compare("the last answer holds", &self.model.holds(), &true);
        let audience = found.counts.total();
        self.compare("the audience", &audience, &found.expanded);
    }

    fn compare<T: PartialEq + Debug>(&self, what: &str, found: &T, wanted: &T) {
        assert!(
            found == wanted,
            "seed {}, step {}: {what}\n the store: {found:?}\n the model: {wanted:?}",
            self.seed,
            self.step
        );
    }

    async fn pass(&mut self) {
        self.sound.pass(SECOND * self.chance.random_range(0..8));
        self.sound.release().await;
    }

    fn may_send(&self) -> bool {
        self.model.state.may_send()
    }
}

promises! {
    async fn in_a_storm_of_commands_the_last_that_was_answered_holds(bench: Bench) {
        storm(bench, 1).await;
    }

    async fn in_another_storm_of_commands_the_last_that_was_answered_holds(bench: Bench) {
        storm(bench, 2).await;
    }

    async fn in_a_third_storm_of_commands_the_last_that_was_answered_holds(bench: Bench) {
        storm(bench, 3).await;
    }
}
