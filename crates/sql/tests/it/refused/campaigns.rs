//! Campaigns that end or are canceled, of which something is refused.

use baton_domain::{CampaignId, JobId, campaign::State as Course, job::State};
use baton_ports::store::Campaigns;

use super::{FEW, Fixture, without};
use crate::{
    campaigns::quiz,
    hands::{DAWN, jobs},
};

impl Fixture {
    /// A campaign with these deliveries, in a state that it has not come to by itself.
    async fn campaign(
        &self,
        lane: &str,
        state: Course,
        deliveries: usize,
    ) -> (CampaignId, Vec<JobId>) {
        let campaign = quiz(lane, DAWN);
        self.store().create_campaign(&campaign).await.unwrap();
        let mut jobs = jobs(deliveries, DAWN);
        for (job, number) in jobs.iter_mut().zip(1..) {
            job.id = campaign.id.delivery(number);
            job.queue = campaign.id.to_string();
        }
        let deliveries = self.enqueue(jobs).await;
        let (id, word) = (campaign.id, state.as_str());
        let at = DAWN.as_micros();
        let set = format!(
            "UPDATE campaigns SET state = '{word}', completed_at = {at}, until = campaigns.cursor WHERE id = '{}'",
            id.uuid()
        );
        self.run(&set).await;
        (id, deliveries)
    }

    async fn course(&self, id: CampaignId) -> (Course, bool) {
        let campaign = self.store().campaign(id, DAWN).await.unwrap().unwrap();
        (campaign.state, campaign.finished_at.is_some())
    }
}

#[tokio::test]
async fn a_delivery_that_cannot_be_canceled_holds_up_no_other_and_no_other_campaign() {
    for fixture in Fixture::of_each_dialect().await {
        let (first, deliveries) = fixture.campaign("one", Course::Canceled, 9).await;
        let (second, others) = fixture.campaign("two", Course::Canceled, 3).await;
        let bad = deliveries[0];
        fixture.refuse("finished", "job_id", bad.uuid()).await;

        for _ in 0..10 {
            drop(fixture.store().cancel_deliveries(FEW, DAWN).await);
        }
        let canceled = fixture.those_in(State::Canceled, &deliveries).await;
        let unswept = fixture.course(first).await;
        let elsewhere = fixture.those_in(State::Canceled, &others).await;
        let swept = fixture.course(second).await;
        fixture.mend("finished").await;
        for _ in 0..3 {
            fixture.store().cancel_deliveries(FEW, DAWN).await.unwrap();
        }

        assert_eq!(canceled, without(deliveries, bad));
        assert_eq!(elsewhere, others);
        assert_eq!(
            (unswept, swept),
            ((Course::Canceled, false), (Course::Canceled, true))
        );
        assert_eq!(fixture.course(first).await, (Course::Canceled, true));
    }
}

#[tokio::test]
async fn a_campaign_that_cannot_end_holds_up_no_other_and_ends_when_it_is_mended() {
    for fixture in Fixture::of_each_dialect().await {
        let mut campaigns = Vec::new();
        for lane in ["one", "two", "three"] {
            campaigns.push(fixture.campaign(lane, Course::Sending, 0).await.0);
        }
        fixture.refuse("campaigns", "id", campaigns[0].uuid()).await;

        let moved = fixture.store().settle_campaigns(DAWN).await.unwrap();
        let again = fixture.store().settle_campaigns(DAWN).await.unwrap();
        let refused = fixture.course(campaigns[0]).await;
        fixture.mend("campaigns").await;
        let mended = fixture.store().settle_campaigns(DAWN).await.unwrap();

        assert_eq!((moved, again, mended), (2, 0, 1));
        assert_eq!(refused, (Course::Sending, false));
        for campaign in campaigns {
            assert_eq!(fixture.course(campaign).await, (Course::Done, true));
        }
    }
}
