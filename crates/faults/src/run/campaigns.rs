//! People who send campaigns: to recipients they have imported, stopped, resumed, made faster and slower,
//! now and then canceled, and looked at all the time.

mod audience;
mod person;
mod plan;
mod progress;

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use baton_client::{Client, Error};
use baton_lab::checker;
use parking_lot::Mutex;
use rand::rngs::StdRng;

use crate::{
    Failure,
    clients::{Asking, Clients},
};

use super::{options::Options, stage::Stage};

use self::person::Person;
pub use self::{plan::providers, progress::Progress};

/// The part of the stage's chance that belongs to the first of them.
const PART: u64 = 100;

/// People at work.
pub struct Campaigns {
    shared: Arc<Shared>,
    pub clients: Clients,
}

/// What they share.
struct Shared {
    doors: Vec<Client>,
    log: Mutex<checker::Campaigns>,
    way: Progress,
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
        let mut clients = Clients::default();
        if args.campaigns > 0 {
            let mut chance = stage.chance(PART);
            audience::import(&shared, 0..args.recipients, &mut chance).await?;
        }
        for number in 1..=args.campaigns {
            let chance = stage.chance(PART + u64::from(number));
            let person = Person::new(Arc::clone(&shared), number, chance);
            clients.add(person.work(clients.stop.clone()));
        }
        Ok(Self { shared, clients })
    }

    /// Lets every campaign that was begun come to its end, and nobody begin another.
    pub async fn end(self) -> Result<checker::Campaigns, Failure> {
        self.clients.end().await?;
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
        Asking::begin(what, &self.doors, chance)
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
