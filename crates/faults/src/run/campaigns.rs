//! People who send campaigns: to recipients they have imported, stopped, resumed, made faster and slower,
//! now and then canceled, and looked at all the time.

mod audience;
mod person;
mod plan;
mod way;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use baton_client::{Client, Error};
use baton_lab::checker;
use parking_lot::Mutex;
use rand::{RngExt, rngs::StdRng};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::Failure;

use super::{options::Options, stage::Stage};

use self::person::Person;
pub use self::{plan::providers, way::Way};

/// How long somebody waits before they ask again.
const PAUSE: Duration = Duration::from_millis(60);
/// How long somebody goes on asking.
const PATIENCE: Duration = Duration::from_secs(60);
/// The part of the stage's chance that belongs to the first of them.
const PART: u64 = 100;

/// People at work.
pub struct Campaigns {
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: JoinSet<Result<(), Failure>>,
}

/// What they share.
struct Shared {
    doors: Vec<Client>,
    log: Mutex<checker::Campaigns>,
    way: Way,
    /// How many recipients there were at first.
    recipients: u32,
    /// The number of the next one to come.
    next: AtomicU32,
}

impl Campaigns {
    /// Imports the recipients, and lets people send campaigns to them, one after another each.
    pub async fn start(stage: &Stage, args: &Options) -> Result<Self, Failure> {
        let shared = Arc::new(Shared {
            doors: stage.doors.clone(),
            log: Mutex::default(),
            way: stage.way.clone(),
            recipients: args.recipients,
            next: AtomicU32::new(args.recipients),
        });
        let mut tasks = JoinSet::new();
        let stop = CancellationToken::new();
        if args.campaigns > 0 {
            let mut chance = stage.chance(PART);
            audience::import(&shared, 0..args.recipients, &mut chance).await?;
        }
        for number in 1..=args.campaigns {
            let chance = stage.chance(PART + u64::from(number));
            let person = Person::new(Arc::clone(&shared), number, chance);
            tasks.spawn(person.work(stop.clone()));
        }
        Ok(Self {
            shared,
            stop,
            tasks,
        })
    }

    /// Waits for what must not happen: somebody gives up.
    pub async fn failed(&mut self) -> Failure {
        loop {
            match self.tasks.join_next().await {
                Some(Ok(Ok(()))) => {}
                Some(Ok(Err(failure))) => return failure,
                Some(Err(error)) => return Failure::new(format!("a sender has ended: {error}")),
                None => std::future::pending().await,
            }
        }
    }

    /// Lets every campaign that was begun come to its end, and nobody begin another.
    pub async fn end(mut self) -> Result<checker::Campaigns, Failure> {
        self.stop.cancel();
        while let Some(ended) = self.tasks.join_next().await {
            ended.map_err(|error| Failure::new(format!("a sender has ended: {error}")))??;
        }
        Ok(std::mem::take(&mut *self.shared.log.lock()))
    }
}

impl Shared {
    /// The number of the first of so many newcomers.
    fn newcomers(&self, count: u32) -> u32 {
        self.next.fetch_add(count, Ordering::Relaxed)
    }

    /// Begins to ask for something that somebody has to answer.
    fn asking(&self, what: &'static str, chance: &mut StdRng) -> Asking<'_> {
        Asking {
            what,
            doors: &self.doors,
            next: chance.random_range(0..self.doors.len()),
            began: None,
        }
    }
}

/// Somebody who asks at one door and then at the next.
struct Asking<'d> {
    what: &'static str,
    doors: &'d [Client],
    next: usize,
    began: Option<Instant>,
}

impl<'d> Asking<'d> {
    /// Where to ask next; nobody asks for ever.
    async fn door(&mut self) -> Result<&'d Client, Failure> {
        match self.began {
            None => self.began = Some(Instant::now()),
            Some(began) if began.elapsed() > PATIENCE => {
                return Err(Failure::new(format!(
                    "somebody asked for {PATIENCE:?} in vain: no server {} any more",
                    self.what
                )));
            }
            Some(_) => sleep(PAUSE).await,
        }
        let door = &self.doors[self.next];
        self.next = (self.next + 1) % self.doors.len();
        Ok(door)
    }
}

/// What an error means to somebody who may ask again. A refusal of what is well formed is a mistake of the
/// server.
fn refusal(error: Error) -> Result<checker::ActAnswer, Failure> {
    match error {
        Error::Problem(problem) if matches!(problem.status, 429 | 503) => {
            Ok(checker::ActAnswer::Refused {
                status: problem.status,
                problem: Some(problem.code.clone()),
            })
        }
        Error::Unreachable { .. } => Ok(checker::ActAnswer::Unknown),
        error => Err(Failure::from(error).then("That was the answer to a good request.")),
    }
}
