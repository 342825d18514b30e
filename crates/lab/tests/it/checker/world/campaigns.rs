//! A campaign that is stopped and resumed on its way, and people who join too late for it.

use std::collections::BTreeMap;

use baton_lab::checker::{
    ActAnswer, At, Campaign, CampaignReading, CampaignState, Command, CommandKind, Posted,
    PostedCampaign, Progress, Recipient, State,
};

use super::{Life, MS, Mishap, SECOND, START, World};

/// Its id, and its key.
const CAMPAIGN: (&str, &str) = ("cmp_1", "quiz");
/// When it was asked for.
const ASKED: i64 = START + 400 * SECOND;
/// When it was stopped, and when it was resumed.
const STOPPED: i64 = ASKED + 2 * SECOND;
const RESUMED: i64 = STOPPED + 8 * SECOND;
/// When people looked at it: while it is written down, is sent, stands still, and goes on.
const LOOKS: [i64; 6] = [
    ASKED + 15 * MS,
    ASKED + SECOND,
    STOPPED + 10 * MS,
    STOPPED + 4 * SECOND,
    RESUMED + 10 * MS,
    RESUMED + 30 * MS,
];
/// How many recipients there are.
const RECIPIENTS: i64 = 24;

impl World {
    /// A campaign to a topic: a third is not in it, and one member wants nothing sent.
    pub(super) fn campaign(&mut self) {
        let mut deliveries = BTreeMap::<State, u64>::new();
        for number in 0..RECIPIENTS {
            let is_member = number % 3 != 0;
            let is_enabled = number != 4;
            self.joined(number, is_member, is_enabled, ASKED - 60 * SECOND);
            if is_member {
                let state = self.delivery(number, is_enabled);
                *deliveries.entry(state).or_default() += 1;
            }
        }
        self.joined(RECIPIENTS, true, true, RESUMED);
        self.told(CommandKind::Stop, STOPPED);
        self.told(CommandKind::Resume, RESUMED);
        let campaigns = &mut self.history.campaigns;
        campaigns.asked.push(PostedCampaign {
            start_us: ASKED - MS,
            end_us: ASKED,
            key: CAMPAIGN.1.to_owned(),
            topic: Some("quiz".to_owned()),
            answer: Posted::Ok {
                id: CAMPAIGN.0.to_owned(),
                created: true,
            },
        });
        campaigns.ends.push(Campaign {
            id: CAMPAIGN.0.to_owned(),
            key: Some(CAMPAIGN.1.to_owned()),
            state: CampaignState::Done,
            began_at: Some(At(ASKED)),
            completed_at: Some(At(ASKED + SECOND)),
            progress: Progress {
                audience: deliveries.values().sum(),
                counts: deliveries,
            },
        });
    }

    fn joined(&mut self, number: i64, is_member: bool, enabled: bool, at: i64) {
        let topic = if is_member { "quiz" } else { "other" };
        self.history.campaigns.recipients.push(Recipient {
            id: format!("user-{number}"),
            topics: vec![topic.to_owned()],
            enabled,
            start_us: at,
            end_us: Some(at + 10 * MS),
        });
    }

    /// Half of the deliveries are called before the stop, half after the resume.
    fn delivery(&mut self, number: i64, is_enabled: bool) -> State {
        let path = match number % 5 {
            0 => "/flaky/1",
            1 => "/reset/1",
            _ => "/ok",
        };
        let created_at = ASKED + number * MS;
        let mut life = Life {
            id: format!("job_delivery_{number}"),
            key: None,
            path: path.to_owned(),
            at: created_at,
            state: State::Queued,
            reason: None,
            run: 1,
            attempt: 0,
            tries: 0,
            losses: 0,
            arrivals: 0,
            max_attempts: 4,
            at_most_once: false,
            created_at,
            run_at: created_at,
        };
        if is_enabled {
            let moved = (life.at, life.id.clone(), None, State::Queued);
            self.moves.push(moved);
            if number % 2 == 0 {
                life.at = RESUMED;
            }
            let mishap = self.mishap();
            // What was lost is called again when the lease is over, and the stop is then as well.
            self.attempt(&mut life, mishap);
            while !life.state.is_terminal() {
                life.at = life.at.max(life.run_at);
                self.moves(&mut life, State::Queued);
                self.attempt(&mut life, Mishap::None);
            }
        } else {
            life.state = State::Skipped;
            let moved = (life.at, life.id.clone(), None, State::Skipped);
            self.moves.push(moved);
        }
        self.keep(&life);
        if let Some(job) = self.history.jobs.last_mut() {
            job.campaign_id = Some(CAMPAIGN.0.to_owned());
            job.recipient_id = Some(format!("user-{number}"));
        }
        life.state
    }

    fn told(&mut self, kind: CommandKind, at: i64) {
        self.history.campaigns.commands.push(Command {
            kind,
            campaign: CAMPAIGN.0.to_owned(),
            start_us: at - MS,
            end_us: at,
            answer: ActAnswer::Done,
        });
    }

    /// What those who looked saw: the moves are in order by now.
    pub(super) fn look(&mut self) {
        for at in LOOKS {
            let mut states = BTreeMap::new();
            let moves = self.moves.iter().take_while(|(moved, ..)| *moved <= at);
            for (_, job, _, to) in moves.filter(|(_, job, ..)| job.contains("delivery")) {
                states.insert(job, *to);
            }
            let mut counts = BTreeMap::<State, u64>::new();
            for state in states.values() {
                *counts.entry(*state).or_default() += 1;
            }
            let progress = Progress {
                audience: counts.values().sum(),
                counts,
            };
            let end = &self.history.campaigns.ends[0];
            let campaign = Campaign {
                progress,
                ..end.clone()
            };
            self.history.campaigns.looks.push(CampaignReading {
                start_us: at,
                end_us: at,
                campaign,
            });
        }
    }
}
