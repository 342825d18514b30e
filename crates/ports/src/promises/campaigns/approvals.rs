//! Approvals: what one person asks for and another one has to start.

use baton_domain::{
    CampaignId, Lifecycle, UserId,
    access::Principal,
    campaign::{Approval, Campaign, CampaignSpec, NewCampaign, Signature, State, Trigger},
};

use super::{
    super::{bench::Bench, promises},
    fixtures::quiz,
};
use crate::store::{Approving, CampaignMove, Created};

promises! {
    async fn a_campaign_that_waits_for_approval_is_started_by_nothing_else(bench: Bench) {
        bench.crowd(2).await;
        let id = bench.create_held("ann").await;

        let held = bench.campaign(id).await;

        assert_eq!((held.state, held.is_held()), (State::Stopped, true));
        assert!(bench.take().await.is_none());
        assert!(!bench.order(id, Trigger::Resume).await);
        assert_eq!(bench.settle_campaigns().await, 0);
        assert_eq!(bench.campaign(id).await, held);
    }

    async fn an_approval_starts_a_campaign_and_says_who_asked_and_who_approved(bench: Bench) {
        bench.crowd(2).await;
        let id = bench.create_held("ann").await;
        let asked = bench.campaign(id).await.approval.unwrap();

        assert!(bench.approve(&bench.campaign(id).await, "ben", Some("ben")).await);

        let approved = bench.campaign(id).await;
        let expected = Approval { approved: Some(bench.signature("ben")), ..asked };
        assert_eq!((approved.state, approved.approval), (State::Scheduled, Some(expected)));
        bench.walk_through(10).await;
        assert_eq!(bench.send(id, 10).await, 2);
    }

    async fn nobody_approves_what_they_have_asked_for(bench: Bench) {
        let id = bench.create_held("ann").await;
        let held = bench.campaign(id).await;

        assert!(!bench.approve(&held, "ann", Some("ann")).await);

        assert_eq!(bench.campaign(id).await, held);
    }

    async fn where_one_person_is_enough_whoever_asked_may_approve(bench: Bench) {
        let id = bench.create_held("ann").await;

        assert!(bench.approve(&bench.campaign(id).await, "ann", None).await);

        assert_eq!(bench.campaign(id).await.state, State::Scheduled);
    }

    async fn of_two_approvals_seen_at_once_one_is_written_down(bench: Bench) {
        let id = bench.create_held("ann").await;
        let seen = bench.campaign(id).await;

        let first = bench.approve(&seen, "ben", Some("ben")).await;
        let second = bench.approve(&seen, "cem", Some("cem")).await;

        assert_eq!((first, second), (true, false));
        let approval = bench.campaign(id).await.approval.unwrap();
        assert_eq!(approval.approved.unwrap().name, "ben");
    }

    async fn an_approval_that_a_cancellation_overtook_starts_nothing(bench: Bench) {
        let id = bench.create_held("ann").await;
        let seen = bench.campaign(id).await;
        bench.order(id, Trigger::Cancel).await;

        assert!(!bench.approve(&seen, "ben", Some("ben")).await);

        let canceled = bench.campaign(id).await;
        assert_eq!((canceled.state, canceled.awaits_approval()), (State::Canceled, true));
    }

    async fn a_key_that_is_known_adds_no_second_approval(bench: Bench) {
        let mut spec = quiz();
        spec.key = Some("once".to_owned());
        let first = bench.held(spec.clone(), "ann");
        let again = bench.held(spec, "ben");
        bench.store.create_campaign(&first).await.unwrap();

        let created = bench.store.create_campaign(&again).await.unwrap();

        assert_eq!(created, Created::Known(first.id));
        let approval = bench.campaign(first.id).await.approval.unwrap();
        assert_eq!(approval.asked.name, "ann");
    }

    async fn an_approved_campaign_is_stopped_and_resumed_as_any_other(bench: Bench) {
        let id = bench.create_held("ann").await;
        bench.approve(&bench.campaign(id).await, "ben", Some("ben")).await;

        let stopped = bench.order(id, Trigger::Stop).await;
        let resumed = bench.order(id, Trigger::Resume).await;

        assert_eq!((stopped, resumed), (true, true));
        assert_eq!(bench.campaign(id).await.state, State::Scheduled);
    }
}

impl Bench {
    fn signature(&self, name: &str) -> Signature {
        Signature {
            by: person(name),
            name: name.to_owned(),
            at: self.now(),
        }
    }

    fn held(&self, spec: CampaignSpec, name: &str) -> NewCampaign {
        let mut new = self.new_campaign(spec);
        new.approval = Some(Approval {
            recipients: 2,
            asked: self.signature(name),
            person: person(name),
            approved: None,
        });
        new
    }

    pub(in super::super) async fn create_held(&self, name: &str) -> CampaignId {
        let new = self.held(quiz(), name);
        self.store.create_campaign(&new).await.expect("create");
        new.id
    }

    async fn approve(&self, seen: &Campaign, name: &str, other_than: Option<&str>) -> bool {
        let approving = self.approving(seen, name, other_than);
        let approved = self.store.approve(&approving).await;
        approved.expect("approve")
    }

    pub(in super::super) fn approving(
        &self,
        seen: &Campaign,
        name: &str,
        other_than: Option<&str>,
    ) -> Approving {
        Approving {
            command: CampaignMove {
                campaign: seen.id,
                epoch: seen.epoch,
                transition: seen.state.on(Trigger::Resume).expect("a legal move"),
                why: None,
            },
            signature: self.signature(name),
            other_than: other_than.map(person),
        }
    }
}

/// The user of this name on the bench.
fn person(name: &str) -> Principal {
    let number = name
        .bytes()
        .fold(0_u128, |sum, byte| sum * 256 + u128::from(byte));
    Principal::User(UserId::from_uuid(uuid::Uuid::from_u128(number)))
}
