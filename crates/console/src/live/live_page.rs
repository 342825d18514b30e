//! What each room shows live.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{CampaignId, JobId, OperationId, ScheduleId, job::Job};

use super::{Frame, Watched};
use crate::{
    Console,
    errors::PageError,
    overview_cache::{OverviewSnapshot, with_timeout},
    pages::{
        activity,
        after::After,
        campaign, campaign_id, campaign_picture, campaigns, dead_letters, events, fleet, job,
        job_id, job_row, jobs, operation, operations, overview, pictures, probe, queue, queues,
        schedule, schedule_id, schedules,
        search::{ROWS, Search},
    },
    root::Root,
};

/// What a page watches.
pub enum LivePage {
    /// Nothing but the strip that every page has.
    Strip,
    /// The overview.
    Overview(pictures::Drawing),
    /// A list of jobs, and the rows of it that the page shows.
    Jobs(Search, ShownRows),
    /// One job.
    Job(JobId),
    /// The list of campaigns.
    Campaigns(After),
    /// What has happened, and the newest of it that the page has seen.
    Events(events::EventsQuery, Option<i64>),
    /// What was done, and the newest of it that the page has seen.
    Activity(Box<activity::NewEntriesQuery>),
    /// Workers and routines.
    Fleet,
    /// Every queue.
    Queues,
    /// One queue, by its name.
    Queue(String, pictures::Drawing),
    /// One campaign.
    Campaign(CampaignId, campaign_picture::Drawing),
    /// The list of schedules.
    Schedules(After),
    /// One schedule, and a page of its history.
    Schedule(ScheduleId, After),
    /// The list of operations.
    Operations(After),
    /// One operation.
    Operation(OperationId),
    /// A job that is run again as a probe, and the cause it is one of.
    Probe(JobId, String),
    /// The causes and the operations.
    DeadLetters(After),
}

/// The rows that a page shows, and whether each rests: it has left the list and come to an end.
///
/// New jobs join them until the page has grown to twice its size; from then on they are counted, so
/// that neither a page nor its feed grows with what goes on.
pub struct ShownRows {
    rests: BTreeMap<JobId, bool>,
    newest: Option<JobId>,
}

const MOST: usize = 2 * ROWS as usize;

impl LivePage {
    /// Reads what a page watches.
    pub fn open(watched: &Watched) -> Result<Self, PageError> {
        let after = || After {
            after: watched.search.after.clone(),
        };
        match watched.room.as_str() {
            "overview" => Ok(Self::Overview(pictures::Drawing::of(None, &watched.window))),
            "jobs" => {
                watched.search.filter()?;
                Ok(Self::Jobs(
                    watched.search.clone(),
                    ShownRows::read(&watched.held),
                ))
            }
            "job" => Ok(Self::Job(job_id(&watched.id)?)),
            "events" => Ok(Self::Events(
                events::watched(&watched.r#type, &watched.subject, &watched.search.queue),
                watched.seen.parse().ok(),
            )),
            "activity" => Ok(Self::Activity(Box::new(activity::NewEntriesQuery::of(
                &watched.acts,
                &watched.seen,
            )))),
            "fleet" => Ok(Self::Fleet),
            "queues" => Ok(Self::Queues),
            "queue" => Ok(Self::Queue(
                watched.id.clone(),
                pictures::Drawing::of(Some(&watched.id), &watched.window),
            )),
            "campaigns" => Ok(Self::Campaigns(after())),
            "campaign" => Ok(Self::Campaign(
                campaign_id(&watched.id)?,
                campaign_picture::Drawing::default(),
            )),
            "schedules" => Ok(Self::Schedules(after())),
            "schedule" => Ok(Self::Schedule(schedule_id(&watched.id)?, after())),
            "operations" => Ok(Self::Operations(after())),
            "operation" => Ok(Self::Operation(operation::operation_id(&watched.id)?)),
            "probe" => Ok(Self::Probe(job_id(&watched.id)?, watched.search.q.clone())),
            "dead-letters" => Ok(Self::DeadLetters(after())),
            _ => Ok(Self::Strip),
        }
    }

    /// What it shows now.
    pub async fn load(
        &mut self,
        console: &Console,
        glance: &OverviewSnapshot,
        root: &Root,
    ) -> Result<Frame, PageError> {
        let now = console.engine.now();
        let panels = match self {
            Self::Strip => Vec::new(),
            Self::Overview(drawing) => {
                let mut panels = overview::panels(glance, root);
                let pictures = drawing.anew(console, glance, root).await;
                panels.extend(pictures.map(|drawn| ("pictures", drawn)));
                panels
            }
            Self::Jobs(search, held) => return held.load(search, console, glance, root).await,
            Self::Job(id) => job::panels(&job::load(console, *id).await?, glance, root, now),
            Self::Events(wanted, seen) => {
                let fresh = events::fresh(console, glance, wanted, seen).await?;
                return Ok(Frame {
                    fresh,
                    ..Frame::default()
                });
            }
            Self::Activity(watch) => {
                let fresh = watch.fresh(console).await?;
                return Ok(Frame {
                    fresh,
                    ..Frame::default()
                });
            }
            Self::Fleet => fleet::panels(glance, root),
            Self::Queues => queues::panels(glance, root),
            Self::Queue(name, drawing) => {
                let seen = queue::load(console, glance, name).await?;
                let mut panels = queue::panels(&seen, glance, root);
                let pictures = drawing.anew(console, glance, root).await;
                panels.extend(pictures.map(|drawn| ("pictures", drawn)));
                panels
            }
            Self::Campaigns(after) => {
                campaigns::panels(&campaigns::load(console, after).await?, root, now)
            }
            Self::Campaign(id, drawing) => {
                let seen = campaign::load(console, *id).await?;
                let mut panels = campaign::panels(&seen, root, now);
                let picture = drawing.anew(console, &seen.campaign).await;
                panels.extend(picture.map(|drawn| ("picture", drawn)));
                panels
            }
            Self::Schedules(after) => {
                schedules::panels(&schedules::load(console, after).await?, root, now)
            }
            Self::Schedule(id, after) => {
                schedule::panels(&schedule::load(console, *id, after).await?, root, now)
            }
            Self::Operations(after) => {
                operations::panels(&operations::load(console, after).await?, root, now)
            }
            Self::Operation(id) => {
                operation::panels(&operation::load(console, *id).await?, root, now)
            }
            Self::Probe(id, cause) => {
                probe::panels(&probe::load(console, *id, cause).await?, root, now)
            }
            Self::DeadLetters(after) => {
                dead_letters::panels(&dead_letters::load(console, after).await?, root, now)
            }
        };
        Ok(Frame {
            panels,
            ..Frame::default()
        })
    }
}

impl ShownRows {
    fn read(held: &str) -> Self {
        let ids = held.split(',').filter(|id| !id.is_empty());
        let ids: BTreeSet<JobId> = ids
            .filter_map(|id| format!("{}_{id}", JobId::PREFIX).parse().ok())
            .take(MOST)
            .collect();
        Self {
            newest: ids.last().copied(),
            rests: ids.into_iter().map(|id| (id, false)).collect(),
        }
    }

    async fn load(
        &mut self,
        search: &Search,
        console: &Console,
        glance: &OverviewSnapshot,
        root: &Root,
    ) -> Result<Frame, PageError> {
        let listed = with_timeout(
            console
                .engine
                .listed_jobs(&search.filter()?, &search.page()),
        )
        .await?;
        let mut jobs: Vec<_> = listed.items;
        let fresh = self.newer(search, &jobs);
        let fresh = if fresh.len() < ROWS as usize && fresh.len() + self.rests.len() <= MOST {
            self.newest = self.newest.max(fresh.first().copied());
            self.rests.extend(fresh.iter().map(|id| (*id, false)));
            None
        } else {
            count_of(fresh.len())
        };
        jobs.retain(|job| self.rests.contains_key(&job.id));
        let moved = self.look_for_moved(&jobs, console).await;
        self.rests.extend(jobs.iter().map(|job| (job.id, false)));
        self.rests
            .extend(moved.iter().map(|job| (job.id, job.state.is_terminal())));
        jobs.extend(moved);
        let (back, now) = (search.path(), console.engine.now());
        Ok(Frame {
            panels: vec![("tabs", jobs::tabs(search, glance.lines(), root))],
            rows: jobs
                .iter()
                .map(|job| (job.id, job_row::row(job, glance.names(), root, &back, now)))
                .collect(),
            fresh,
            trouble: None,
        })
    }

    /// The jobs that are newer than what the page shows, newest first. Ids are in the order of time.
    fn newer(&self, search: &Search, listed: &[Job]) -> Vec<JobId> {
        if !search.after.is_empty() {
            return Vec::new();
        }
        let ids = listed.iter().map(|job| job.id);
        ids.filter(|id| Some(*id) > self.newest).collect()
    }

    /// Looks for the rows that have left the list, until they rest.
    async fn look_for_moved(&self, found: &[Job], console: &Console) -> Vec<Job> {
        let found: BTreeSet<_> = found.iter().map(|job| job.id).collect();
        let moved = self.rests.iter().filter(|(_, rests)| !**rests);
        let mut jobs = Vec::new();
        for (id, _) in moved.filter(|(id, _)| !found.contains(id)) {
            // A job that was pruned meanwhile keeps the row it had.
            if let Ok(job) = with_timeout(console.engine.listed_job(*id)).await {
                jobs.push(job);
            }
        }
        jobs
    }
}

fn count_of(fresh: usize) -> Option<String> {
    match fresh {
        0 => None,
        all if all >= ROWS as usize => Some(format!("{all}+")),
        some => Some(some.to_string()),
    }
}
