//! A canary: somebody whose data is put everywhere a person's data can go.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{
    CampaignId, Lifecycle, OperationId,
    audience::Audience,
    campaign::{CampaignSpec, Trigger as Order},
    checkpoint::Progress,
    delivery::{self, DeliveryPayload},
    erasure::Stage,
    job::{Class, JobSpec, State, Trigger, Verdict},
    message::MessageSpec,
    operation::Operation,
    recipient::{Profile, RecipientSpec},
    schedule::{JobTemplate, ScheduleDefinition, ScheduleSpec},
};
use serde_json::json;

use super::super::bench::{Bench, HOUR};
use crate::store::{
    AudienceRange, By, CampaignMove, CheckpointOutcome, CheckpointStep, Claimed, Dispatch, Erasing,
    NewItem, Notified,
};

/// The id of the canary.
pub const CANARY: &str = "canary-4711";
/// What stands in everything that is theirs, and in nothing else.
pub const TRACE: &str = "canary";

/// Their address.
const TOKEN: &str = "canary-push-token";
/// As many deliveries as share a row of a line.
const CROWD: usize = 300;

/// A canary whose data is everywhere.
#[derive(Clone)]
pub struct Canary {
    /// A delivery to them that a worker is at.
    pub running: Claimed,
    /// Campaigns that are for others as well.
    pub campaigns: Vec<CampaignId>,
    /// A notification for them under a key, as it would be asked for again.
    pub dispatch: Dispatch,
}

/// Somebody with these addresses.
fn profile(id: &str, addresses: &[(&str, &str)]) -> Profile {
    let addresses = addresses
        .iter()
        .map(|(channel, address)| ((*channel).to_owned(), (*address).to_owned()));
    Profile {
        platform: if id == CANARY { "canary-os" } else { "ios" }.to_owned(),
        topics: BTreeSet::from([if id == CANARY { "canary-news" } else { "news" }.to_owned()]),
        addresses: addresses.collect::<BTreeMap<_, _>>(),
        ..Profile::from_spec(id.to_owned(), RecipientSpec::on("ios")).unwrap()
    }
}

/// What a provider says when it quotes whom it was to reach.
pub fn quoting() -> Verdict {
    let message = format!("no such token: {TOKEN}, of {CANARY}");
    Verdict::failed(Class::Permanent, "http_400", message)
}

/// What a provider answers when it tells whom it has reached.
fn telling() -> Verdict {
    Verdict::Accepted {
        result: Some(json!({ "to": TOKEN }).to_string()),
    }
}

fn campaign(action: &str, audience: serde_json::Value) -> CampaignSpec {
    CampaignSpec {
        name: "Quiz".to_owned(),
        category: "question".to_owned(),
        action: action.to_owned(),
        audience,
        message: MessageSpec {
            title: "For {{id}}".to_owned(),
            body: "At {{addresses.push}}".to_owned(),
            ..MessageSpec::default()
        },
        ..CampaignSpec::default()
    }
}

fn delivery_payload(recipient: &str) -> String {
    let note = delivery::InlineMessage {
        notification_id: None,
        provider: "log".to_owned(),
        channel: "push".to_owned(),
        topic: None,
        category: "activity".to_owned(),
        message: MessageSpec {
            title: "For a canary".to_owned(),
            body: "Dear canary".to_owned(),
            ..MessageSpec::default()
        },
    };
    let delivery_payload = DeliveryPayload {
        recipient_id: recipient.to_owned(),
        campaign_id: None,
        inline: Some(note),
    };
    serde_json::to_string(&delivery_payload).unwrap()
}

fn delivery(queue: &str) -> JobSpec {
    JobSpec {
        kind: delivery::KIND.to_owned(),
        payload: delivery_payload(CANARY),
        queue: Some(queue.to_owned()),
        ..JobSpec::default()
    }
}

impl Bench {
    /// Puts the data of a canary everywhere a person's data can go, among that of others.
    pub async fn plant(&self) -> Canary {
        self.put_crowd().await;
        let mut campaigns = self.plant_campaigns().await;
        self.plant_audiences(&mut campaigns).await;
        self.plant_schedules().await;
        self.sequence().await;
        self.plant_deliveries().await;
        let dispatch = self.plant_notifications().await;
        let bury = self
            .store
            .bury_address(CANARY, "email", "canary@nest.example", self.now());
        assert!(bury.await.unwrap());
        Canary {
            running: self.claimed(delivery("running")).await,
            campaigns,
            dispatch,
        }
    }

    async fn put_crowd(&self) {
        let others = |range: std::ops::Range<usize>| {
            range.map(|n| profile(&format!("other-{n}"), &[("push", &format!("token-{n}"))]))
        };
        let canary = profile(CANARY, &[("push", TOKEN), ("email", "canary@nest.example")]);
        let all: Vec<_> = others(1..100)
            .chain([canary])
            .chain(others(100..CROWD))
            .collect();
        self.store.put_recipients(&all, self.now()).await.unwrap();
    }

    /// One campaign that has reached them while others wait in the same row, one whose provider quoted them,
    /// one that laid an item and whose deliveries wait for their time, and one that had to skip them.
    async fn plant_campaigns(&self) -> Vec<CampaignId> {
        let all = json!({ "all": true });
        let sent = self.create(campaign("push", all.clone())).await;
        self.walk_through(1_000).await;
        let claimed = self.claim_as(self.worker, &sent.to_string(), 200).await;
        let settled: Vec<_> = claimed
            .iter()
            .map(|one| self.result(one, telling_of(one)))
            .collect();
        self.settle_all(By::Worker(self.worker), &settled).await;

        let failed = self.create(campaign("push", all.clone())).await;
        self.walk_through(1_000).await;
        for one in self.claim_as(self.worker, &failed.to_string(), 1_000).await {
            if one.args.payload.contains(CANARY) {
                self.settle(&one, quoting()).await;
            }
        }

        let later = CampaignSpec {
            send_at: Some(self.now() + HOUR),
            lead: Some(2 * HOUR),
            ..campaign("both", all.clone())
        };
        let later = self.create(later).await;
        self.walk_through(1_000).await;

        let mut lacking = campaign("push", all);
        lacking.message.body = "At {{addresses.sms}}".to_owned();
        let skipped = self.create(lacking).await;
        self.walk_through(1_000).await;
        vec![sent, failed, later, skipped]
    }

    async fn plant_audiences(&self, campaigns: &mut Vec<CampaignId>) {
        let mut some = campaign(
            "push",
            json!({ "any_of": [{ "ids": [CANARY, "other-1"] }] }),
        );
        some.key = Some(format!("birthday of {CANARY}"));
        some.send_at = Some(self.now() + 100 * HOUR);
        let some = self.create(some).await;
        let seen = self.campaign(some).await;
        let command = CampaignMove {
            campaign: some,
            epoch: seen.epoch,
            transition: seen.state.on(Order::Stop).unwrap(),
            why: Some(format!("the provider refused {TOKEN}")),
        };
        assert!(self.store.command(&command, self.now()).await.unwrap());
        campaigns.push(some);
        let mut alone = campaign("push", json!({ "ids": [CANARY] }));
        alone.name = format!("For {CANARY}");
        alone.message.title = "Dear canary".to_owned();
        alone.send_at = Some(self.now() + 100 * HOUR);
        campaigns.push(self.create(alone).await);
    }

    async fn plant_schedules(&self) {
        let hourly = |name: &str| ScheduleSpec {
            name: name.to_owned(),
            cron: "0 * * * *".to_owned(),
            time_zone: "Asia/Seoul".to_owned(),
            ..ScheduleSpec::default()
        };
        let job = ScheduleSpec {
            job: Some(JobTemplate {
                kind: delivery::KIND.to_owned(),
                payload: delivery_payload(CANARY),
                tags: vec![CANARY.to_owned()],
                ..JobTemplate::default()
            }),
            ..hourly("job")
        };
        let campaign = ScheduleSpec {
            campaign: Some(json!({
                "name": format!("Dear {CANARY}"), "category": "notice", "action": "push", "audience": { "ids": [CANARY] },
                "message": { "title": "Dear canary", "body": "b" },
            })),
            ..hourly("campaign")
        };
        for spec in [job, campaign] {
            let schedule = self.new_schedule(ScheduleDefinition::from_spec(spec).unwrap());
            let added = self.store.add_schedule(&schedule, self.now()).await;
            added.unwrap();
        }
    }

    /// Deliveries that a client added itself: one whose key, tags and escapes quote them, one that was canceled
    /// in words of theirs, one whose result came late.
    async fn plant_deliveries(&self) {
        let escaped = JobSpec {
            payload: delivery_payload("?").replace("\"?\"", "\"\\u0063anary-4711\""),
            key: Some(format!("welcome/{CANARY}")),
            tags: vec![format!("of:{CANARY}"), "plain".to_owned()],
            delay: Some(HOUR),
            ..delivery("raw")
        };
        self.enqueue(escaped).await;
        let canceled = self.claimed(delivery("raw")).await;
        let reason = Some("canary-4711 has asked for it");
        let asked = self
            .store
            .request_cancel(canceled.args.id, reason, self.now());
        assert!(asked.await.unwrap());
        self.settle(&canceled, Verdict::Canceled).await;
        let late = self.claimed(delivery("late")).await;
        self.plant_checkpoint(&late).await;
        self.lose(&late).await;
        self.settle(&late, telling()).await;
        let retried = self.claimed(delivery("late")).await;
        self.settle(
            &retried,
            Verdict::failed(Class::Retry, "http_500", format!("{TOKEN} is busy")),
        )
        .await;
    }

    /// A cursor that tells whom it is about, and progress that does.
    async fn plant_checkpoint(&self, claimed: &Claimed) {
        let step = CheckpointStep {
            lease: claimed.lease,
            job: claimed.args.id,
            attempt: claimed.counters.attempt,
            seq: 1,
            cursor: json!({ "after": CANARY }).to_string(),
            progress: Some(Progress {
                note: Some(format!("writing to {CANARY}")),
                ..Progress::default()
            }),
            jobs: Vec::new(),
        };
        let taken = self.store.checkpoint(self.worker, &step, self.now()).await;
        assert!(matches!(taken, Ok(CheckpointOutcome::Recorded { .. })));
    }

    /// A notification that is queued, under a key of theirs, and one whose item they have read.
    async fn plant_notifications(&self) -> Dispatch {
        let number = self.number_of_canary().await;
        let item = NewItem {
            body: "Dear canary".to_owned(),
            ..self.new_item(CANARY, number, "For a canary")
        };
        let read = self.dispatch(vec![item.clone()]);
        self.store.notify(&read, self.now()).await.unwrap();
        let reading = self.store.read_item(CANARY, item.id, self.now()).await;
        assert!(reading.unwrap().is_some());

        let item = self.new_item(CANARY, number, "For a canary, too");
        let mut dispatch = self.dispatch(vec![item]);
        dispatch.key = Some(format!("likes of {CANARY}"));
        let job = self.new_job(delivery("notifications"));
        dispatch.sent[0].job_id = Some(job.id);
        dispatch.jobs.push(job);
        let notified = self.store.notify(&dispatch, self.now()).await.unwrap();
        assert_eq!(notified, Notified::Accepted(Vec::new()));
        dispatch
    }

    async fn number_of_canary(&self) -> i64 {
        let audience = Audience::Ids(BTreeSet::from([CANARY.to_owned()]));
        let walk = AudienceRange {
            audience: &audience,
            after: 0,
            until: i64::MAX,
        };
        let members = self.store.members(&walk, 10).await.unwrap();
        members.recipients[0].number
    }

    /// Begins to erase the canary.
    pub async fn begin_to_erase(&self) -> Operation {
        self.pass(std::time::Duration::from_millis(1));
        let id = OperationId::new(self.now());
        let begun = self.store.begin_erasure(id, CANARY, self.now()).await;
        begun.unwrap()
    }

    /// Takes the next step of an erasure.
    pub async fn step_erasure(&self, limit: u32) -> Option<Erasing> {
        let step = self.store.step_erasure(limit, self.now()).await;
        step.unwrap()
    }

    /// Takes steps until the erasure waits for a delivery that runs, or has ended.
    pub async fn erase(&self, limit: u32) -> Option<Erasing> {
        loop {
            let step = self.step_erasure(limit).await?;
            if step.running > 0 || step.operation.finished_at.is_some() {
                return Some(step);
            }
        }
    }

    /// Erases the canary to the end; the delivery that runs fails in words that quote them.
    pub async fn erase_canary(&self, canary: &Canary, limit: u32) -> Operation {
        self.begin_to_erase().await;
        let waits = self.erase(limit).await.unwrap();
        assert_eq!(
            (waits.running, waits.operation.stage),
            (1, Some(Stage::Deliveries))
        );
        self.settle(&canary.running, quoting()).await;
        let ended = self.erase(limit).await.unwrap().operation;
        self.sequence().await;
        ended
    }

    /// Has the delivery that runs fail in words that quote them.
    pub async fn end_what_runs(&self, canary: &Canary) {
        self.settle(&canary.running, quoting()).await;
    }

    /// A new notification to them, with a job that brings it.
    #[must_use]
    pub fn dispatch_with_job(&self, item: NewItem) -> Dispatch {
        let id = baton_domain::InboxItemId::new(self.now());
        let mut dispatch = self.dispatch(vec![NewItem { id, ..item }]);
        let job = self.new_job(delivery("notifications"));
        dispatch.sent[0].job_id = Some(job.id);
        dispatch.jobs.push(job);
        dispatch
    }

    /// Numbers every fact there is.
    pub async fn sequence_all(&self) {
        self.sequence().await;
    }

    /// Runs a failed delivery of the canary again, as an operator would.
    pub(super) async fn run_again(&self, campaign: CampaignId) -> State {
        let failed = self.deliveries_that(campaign, State::Failed).await;
        assert!(
            self.transition(failed, State::Failed, Trigger::Redrive)
                .await
        );
        self.state(failed).await
    }

    async fn deliveries_that(&self, campaign: CampaignId, state: State) -> baton_domain::JobId {
        let deliveries = self.deliveries(campaign).await;
        let found = deliveries.iter().find(|job| job.state == state);
        found.unwrap().id
    }
}

/// What a provider answers of a delivery: of the canary's it tells too much.
fn telling_of(claimed: &Claimed) -> Verdict {
    match claimed.args.payload.contains(CANARY) {
        true => telling(),
        false => Verdict::Accepted {
            result: Some(r#"{"id":1}"#.to_owned()),
        },
    }
}
