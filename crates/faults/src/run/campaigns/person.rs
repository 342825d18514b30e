//! Somebody who sends one campaign after another, and has second thoughts about each.

use std::{sync::Arc, time::Duration};

use baton_client::{Campaign, ChangeCampaign, Client, CommandCampaign, CreateCampaign, Error};
use baton_domain::{CampaignId, campaign::State};
use baton_lab::checker::{
    ActAnswer, CampaignReading, Command, CommandKind, Posted, PostedCampaign,
};
use rand::{RngExt, rngs::StdRng};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::{Failure, evidence::as_lab, now_us};

use super::{Shared, audience, plan, refusal};

/// How long they look away, in milliseconds.
const GLANCE: std::ops::Range<u64> = 10..250;
/// How long a campaign that was stopped stands still, in milliseconds.
const STAND: std::ops::Range<u64> = 500..5_000;
/// How long a campaign may stand still by itself once the faults are over; then it is for the judge.
const STUCK: Duration = Duration::from_secs(30);
/// How a campaign answers that has come to its end in the meantime.
const OVER: u16 = 409;
/// How many recipients come too late for a campaign.
const LATE: u32 = 5;

pub struct Person {
    shared: Arc<Shared>,
    number: u32,
    chance: StdRng,
    sent: u32,
}

/// A campaign on its way.
struct Journey {
    id: CampaignId,
    /// How many steps it had come at the last look, and when that was more than before.
    steps: u64,
    moved: Instant,
    /// Since when, and how long, it is to stand still.
    stands: Option<(Instant, Duration)>,
    is_joined: bool,
}

impl Person {
    pub fn new(shared: Arc<Shared>, number: u32, chance: StdRng) -> Self {
        Self {
            shared,
            number,
            chance,
            sent: 0,
        }
    }

    /// Sends campaigns until told to stop, each to its end.
    pub async fn work(mut self, stop: CancellationToken) -> Result<(), Failure> {
        while !stop.is_cancelled() {
            let id = self.create().await?;
            self.accompany(id, &stop).await?;
            self.shared.way.came_to_an_end();
        }
        Ok(())
    }

    /// The first of all campaigns is to everybody and is seen through, whatever is drawn: a run can ask for
    /// so many kills within one.
    const fn is_first(&self) -> bool {
        self.number == 1 && self.sent == 1
    }

    async fn create(&mut self) -> Result<CampaignId, Failure> {
        self.sent += 1;
        let key = format!("campaign-{}-{}", self.number, self.sent);
        let recipients = self.shared.recipients;
        self.shared.way.is_to_be(2 * u64::from(recipients));
        let planned = match self.is_first() {
            true => plan::to_all(&key),
            false => plan::draw(&mut self.chance, &key, recipients),
        };
        let mut asking = self.shared.asking("accepts a campaign", &mut self.chance);
        loop {
            if let Some(id) = post(&self.shared, asking.endpoint().await?, &planned).await? {
                return Ok(id);
            }
        }
    }

    async fn accompany(&mut self, id: CampaignId, stop: &CancellationToken) -> Result<(), Failure> {
        let mut journey = Journey {
            id,
            steps: 0,
            moved: Instant::now(),
            stands: None,
            is_joined: false,
        };
        loop {
            let glance = self.chance.random_range(GLANCE);
            sleep(Duration::from_millis(glance)).await;
            let Some(campaign) = self.look(&mut journey).await? else {
                continue;
            };
            let is_over = match campaign.state {
                State::Done => true,
                State::Canceled => campaign.finished_at.is_some(),
                _ => stop.is_cancelled() && journey.moved.elapsed() > STUCK,
            };
            if is_over {
                return Ok(());
            }
            if stop.is_cancelled() {
                self.let_go(&campaign, &mut journey).await?;
            } else {
                self.meddle(&campaign, &mut journey).await?;
            }
        }
    }

    /// Looks at a campaign, and notes what it says.
    async fn look(&mut self, journey: &mut Journey) -> Result<Option<Campaign>, Failure> {
        let endpoint = self.chance.random_range(0..self.shared.endpoints.len());
        let start_us = now_us();
        let campaign = match self.shared.endpoints[endpoint].campaign(journey.id).await {
            Ok(campaign) => campaign,
            Err(error) => return refusal(error).map(|_| None),
        };
        let look = CampaignReading {
            start_us,
            end_us: now_us(),
            campaign: as_lab(&campaign)?,
        };
        self.shared.log.lock().looks.push(look);
        let steps = campaign.progress.audience + campaign.progress.ended;
        if steps > journey.steps {
            self.shared.way.went_on(steps - journey.steps);
            (journey.steps, journey.moved) = (steps, Instant::now());
        }
        Ok(Some(campaign))
    }

    /// Has second thoughts, now and then.
    async fn meddle(&mut self, campaign: &Campaign, journey: &mut Journey) -> Result<(), Failure> {
        if campaign.state == State::Expanding && !journey.is_joined {
            journey.is_joined = true;
            return self.join_late().await;
        }
        if let Some((since, span)) = journey.stands {
            if since.elapsed() >= span {
                self.tell(CommandKind::Resume, journey, None).await?;
                journey.stands = None;
            }
            return Ok(());
        }
        match self.chance.random_range(0..60) {
            0..2 => {
                self.tell(CommandKind::Stop, journey, None).await?;
                let span = Duration::from_millis(self.chance.random_range(STAND));
                journey.stands = Some((Instant::now(), span));
            }
            2..4 => {
                let rate = plan::rate(&mut self.chance, self.shared.recipients);
                self.tell(CommandKind::Rate, journey, rate).await?;
            }
            4 if !self.is_first() && self.chance.random_ratio(1, 4) => {
                self.tell(CommandKind::Cancel, journey, None).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// People join who are too late for a campaign whose walk has begun.
    async fn join_late(&mut self) -> Result<(), Failure> {
        let first = self.shared.newcomers(LATE);
        audience::import(&self.shared, first..first + LATE, &mut self.chance).await
    }

    /// Lets a campaign go on to its end, as fast as it can.
    async fn let_go(&mut self, campaign: &Campaign, journey: &mut Journey) -> Result<(), Failure> {
        if campaign.rate.is_some() {
            self.tell(CommandKind::Rate, journey, None).await?;
        }
        if campaign.state == State::Stopped {
            self.tell(CommandKind::Resume, journey, None).await?;
        }
        journey.stands = None;
        Ok(())
    }

    /// Tells a campaign something until that was answered, and notes each time it was said.
    async fn tell(
        &mut self,
        kind: CommandKind,
        journey: &mut Journey,
        rate: Option<f64>,
    ) -> Result<(), Failure> {
        journey.moved = Instant::now();
        let mut asking = self.shared.asking("obeys", &mut self.chance);
        loop {
            let endpoint = asking.endpoint().await?;
            let start_us = now_us();
            let answer = answer_to(say(endpoint, kind, journey.id, rate).await)?;
            let is_answered = match answer {
                ActAnswer::Done => true,
                ActAnswer::Refused { status, .. } => status == OVER,
                ActAnswer::Unknown => false,
            };
            self.shared.log.lock().commands.push(Command {
                kind,
                campaign: journey.id.to_string(),
                start_us,
                end_us: now_us(),
                answer,
            });
            if is_answered {
                return Ok(());
            }
        }
    }
}

fn answer_to(said: Result<Campaign, Error>) -> Result<ActAnswer, Failure> {
    match said {
        Ok(_) => Ok(ActAnswer::Done),
        Err(Error::Problem(problem)) if problem.status == OVER => Ok(ActAnswer::Refused {
            status: OVER,
            problem: Some(problem.code.clone()),
        }),
        Err(error) => refusal(error),
    }
}

async fn say(
    endpoint: &Client,
    kind: CommandKind,
    id: CampaignId,
    rate: Option<f64>,
) -> Result<Campaign, Error> {
    let why = CommandCampaign::default();
    match kind {
        CommandKind::Stop => endpoint.stop_campaign(id, &why).await,
        CommandKind::Resume => endpoint.resume_campaign(id, &why).await,
        CommandKind::Cancel => endpoint.cancel_campaign(id, &why).await,
        CommandKind::Rate => endpoint.change_campaign(id, &ChangeCampaign { rate }).await,
    }
}

/// Posts a campaign once and notes what came of it.
async fn post(
    shared: &Shared,
    endpoint: &Client,
    planned: &CreateCampaign,
) -> Result<Option<CampaignId>, Failure> {
    let start_us = now_us();
    let posted = endpoint.create_campaign(planned).await;
    let (id, answer) = match posted {
        Ok(campaign) => (
            Some(campaign.id),
            Posted::Ok {
                id: campaign.id.to_string(),
                created: true,
            },
        ),
        Err(error) => match refusal(error)? {
            ActAnswer::Refused { status, problem } => (None, Posted::Refused { status, problem }),
            _ => (None, Posted::Unknown),
        },
    };
    shared.log.lock().asked.push(PostedCampaign {
        start_us,
        end_us: now_us(),
        key: planned.key.clone().unwrap_or_default(),
        topic: planned.audience["topic"].as_str().map(str::to_owned),
        answer,
    });
    Ok(id)
}
