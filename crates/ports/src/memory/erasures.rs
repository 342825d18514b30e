//! Erasing a person: the model looks through everything in one step.

use async_trait::async_trait;
use baton_domain::{
    JobId, Lifecycle, OperationId, Timestamp,
    campaign::CampaignDefinition,
    erasure::{PAYLOAD, Person, Stage, WORD},
    job::{State, Trigger},
    operation::{Action, Operation},
    schedule::Schedule,
};
use serde_json::{Map, Value};

use super::{MemoryStore, StoredOperation, Tables, facts::Fact};
use crate::store::{Erasing, Erasures, Result};

/// Somebody who is being erased.
pub(super) struct Erasure {
    person: Person,
}

#[async_trait]
impl Erasures for MemoryStore {
    async fn begin_erasure(
        &self,
        id: OperationId,
        recipient: &str,
        now: Timestamp,
    ) -> Result<Operation> {
        let mut tables = self.tables();
        let begun = tables.operations.len();
        let operation = tables.begin_erasure(id, recipient, now);
        let is_new = tables.operations.len() > begun;
        self.put_down(&mut tables, is_new);
        Ok(operation)
    }

    async fn step_erasure(&self, _: u32, now: Timestamp) -> Result<Option<Erasing>> {
        Ok(self.tables().step_erasure(now))
    }
}

impl Tables {
    pub(super) fn is_erasing(&self, recipient: &str) -> bool {
        let mut erasures = self.erasures.values();
        erasures.any(|erasure| erasure.person.id == recipient)
    }

    /// Whether a campaign names somebody who is being erased.
    pub(super) fn names_erased(&self, plan: &CampaignDefinition) -> bool {
        let mut erasures = self.erasures.values();
        erasures.any(|erasure| erasure.person.leave_plan(&mut plan.clone()))
    }

    /// Whether a schedule makes something for somebody who is being erased.
    pub(super) fn makes_for_erased(&self, schedule: &Schedule) -> bool {
        let mut erasures = self.erasures.values();
        erasures.any(|erasure| {
            let mut template = schedule.plan.template.clone();
            erasure.person.leave_template(&mut template)
        })
    }

    fn begin_erasure(&mut self, id: OperationId, recipient: &str, now: Timestamp) -> Operation {
        let mut begun = self.erasures.iter();
        let begun = begun.find(|(_, erasure)| erasure.person.id == recipient);
        let known = begun.map_or(id, |(id, _)| *id);
        if let Some(running) = self.operations.get(&known) {
            return running.operation.clone();
        }
        let forgotten = self.forget_recipient(recipient);
        self.erased.extend(forgotten.as_ref().map(|one| one.number));
        let addresses = forgotten.into_iter().flat_map(|one| {
            let addresses = one.profile.addresses.into_values();
            addresses.chain(one.dead.into_values())
        });
        let person = Person::new(recipient.to_owned(), addresses.collect(), id);
        self.erasures.insert(id, Erasure { person });
        let fact = Fact::about("operation.started", id.to_string(), now);
        self.ledger
            .tell(vec![fact.with("action", Action::Erase.as_str())]);
        self.note_erasure(id, |_| {}, now)
    }

    /// Writes down how far an erasure is.
    fn note_erasure(
        &mut self,
        id: OperationId,
        change: impl FnOnce(&mut Operation),
        now: Timestamp,
    ) -> Operation {
        let begun = Operation {
            stage: Some(Stage::Schedules),
            ..Operation::begun(id, Action::Erase, now)
        };
        let running = self.operations.entry(id).or_insert(StoredOperation {
            operation: begun,
            cursor: None,
        });
        change(&mut running.operation);
        running.operation.clone()
    }

    fn step_erasure(&mut self, now: Timestamp) -> Option<Erasing> {
        let (id, erasure) = self.erasures.first_key_value()?;
        let (id, person) = (*id, erasure.person.clone());
        let mut done = self.leave_schedules(&person);
        let deliveries = self.deliveries_to(&person);
        let running = self.stop(&deliveries, now);
        if running > 0 {
            let waits = |operation: &mut Operation| operation.stage = Some(Stage::Deliveries);
            let operation = self.note_erasure(id, waits, now);
            return Some(Erasing { operation, running });
        }
        deliveries.iter().for_each(|job| self.blank(*job, &person));
        done += deliveries.len() as u64;
        done += self.leave_campaigns(&person);
        done += self.leave_notices(&person);
        done += self.leave_history(&person, &deliveries);
        self.erasures.remove(&id);
        let fact = Fact::about("operation.finished", id.to_string(), now);
        self.ledger.tell(vec![fact]);
        let ends = |operation: &mut Operation| {
            (operation.done, operation.total) = (done, done);
            (operation.stage, operation.finished_at) = (None, Some(now));
        };
        Some(Erasing {
            operation: self.note_erasure(id, ends, now),
            running: 0,
        })
    }

    fn leave_schedules(&mut self, person: &Person) -> u64 {
        let mut left = 0;
        for schedule in self.timetable.schedules.values_mut() {
            if person.leave_template(&mut schedule.plan.template) {
                schedule.revision += 1;
                left += 1;
            }
        }
        left
    }

    fn deliveries_to(&self, person: &Person) -> Vec<JobId> {
        let theirs =
            |job: &&baton_domain::job::NewJob| person.is_reached_by(&job.kind, &job.payload);
        self.jobs
            .values()
            .filter(theirs)
            .map(|job| job.id)
            .collect()
    }

    /// Cancels what is not done, and says how much of it still runs.
    fn stop(&mut self, deliveries: &[JobId], now: Timestamp) -> u32 {
        let mut running = 0;
        for job in deliveries {
            match self.state(*job) {
                Some(State::Running) => {
                    running += 1;
                    self.request_cancel(*job, None, now);
                }
                Some(state) => {
                    let transition = state.on(Trigger::Cancel).ok();
                    let fact = transition.and_then(|move_| self.transition(*job, move_, None, now));
                    self.ledger.tell(fact.into_iter().collect());
                }
                None => {}
            }
        }
        running
    }

    /// Takes everything out of a delivery that has ended but what its counters need.
    fn blank(&mut self, id: JobId, person: &Person) {
        if let Some(job) = self.jobs.get_mut(&id) {
            PAYLOAD.clone_into(&mut job.payload);
            job.options.tags.retain(|tag| !person.is_quoted_by(tag));
            if let Some(key) = job.key.take_if(|key| person.is_quoted_by(key)) {
                self.keys.remove(&key);
            }
        }
        self.blank_checkpoint(id);
        if let Some(row) = self.finished.get_mut(&id) {
            row.result = None;
            row.reason.take_if(|_| row.state == State::Canceled);
            if let Some(letter) = &mut row.letter {
                WORD.clone_into(&mut letter.failure.message);
            }
        }
        for (_, attempt) in self.attempts.range_mut((id, 0)..=(id, u32::MAX)) {
            if let Some(failure) = &mut attempt.error {
                WORD.clone_into(&mut failure.message);
            }
        }
    }

    fn leave_campaigns(&mut self, person: &Person) -> u64 {
        let mut left = 0;
        for campaign in self.campaigns.by_id.values_mut() {
            let is_named = person.leave_plan(&mut campaign.plan);
            let key = campaign.key.take_if(|key| person.is_quoted_by(key));
            if let Some(key) = &key {
                self.campaigns.keys.remove(key);
            }
            let why = campaign.why.as_mut().filter(|why| person.is_quoted_by(why));
            let is_quoted = why.map(|why| WORD.clone_into(why)).is_some();
            left += u64::from(is_named || is_quoted || key.is_some());
        }
        left
    }

    fn leave_notices(&mut self, person: &Person) -> u64 {
        let mut left = 0;
        for row in self.post.notifications.values_mut() {
            if person.leave_notice(&mut row.sent) {
                row.key.take_if(|key| person.is_quoted_by(key));
                left += 1;
            }
        }
        left
    }

    fn leave_history(&mut self, person: &Person, deliveries: &[JobId]) -> u64 {
        let theirs: Vec<_> = deliveries.iter().map(ToString::to_string).collect();
        let mut left = 0;
        let mut leave = |kind: &str, subject: &String, data: &mut Map<String, Value>| {
            let is_theirs = theirs.contains(subject) && hush(kind, data);
            let mut value = Value::Object(std::mem::take(data));
            left += u64::from(person.redact(&mut value) || is_theirs);
            if let Value::Object(fields) = value {
                *data = fields;
            }
        };
        for fact in self.ledger.unnumbered.iter_mut().flatten() {
            leave(&fact.kind, &fact.subject, &mut fact.data);
        }
        for event in self.ledger.events.values_mut() {
            if let Value::Object(data) = &mut event.data {
                leave(&event.kind, &event.subject, data);
            }
        }
        left
    }
}

/// Takes the words of others out of an event about a delivery.
fn hush(kind: &str, data: &mut Map<String, Value>) -> bool {
    let message = data
        .get_mut("message")
        .map(|message| *message = WORD.into());
    let is_wish = ["job.canceled", "job.cancel_asked"].contains(&kind);
    let reason = if is_wish { data.remove("reason") } else { None };
    message.is_some() || reason.is_some()
}
