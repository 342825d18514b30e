//! People who send campaigns and notifications while the fleet is hurt.
//!
//! They send to recipients they have imported; what they sent is stopped, resumed, made faster and slower, now and then
//! canceled, and looked at all the time.

mod audience;
mod person;
mod plan;
mod progress;
mod teller;

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

use super::{options::Options, stage::LabInstallation};

use self::{person::Person, teller::Teller};
pub use self::{plan::providers, progress::Progress};

/// The part of the stage's chance that belongs to the first of them, and that of whoever tells things at once.
const PART: u64 = 100;
const TELLER: u64 = 99;

/// People at work.
pub struct Campaigns {
    shared: Arc<Shared>,
    pub clients: Clients,
}

/// What they share.
struct Shared {
    endpoints: Vec<Client>,
    log: Mutex<checker::Campaigns>,
    notified: Mutex<Vec<checker::Notified>>,
    way: Progress,
    /// How many recipients there were at first.
    recipients: u32,
    /// The number of the next one to come.
    next: AtomicU32,
}

impl Campaigns {
    /// Imports the recipients, and lets people send campaigns to them, one after another each.
    pub async fn start(stage: &LabInstallation, args: &Options) -> Result<Self, Failure> {
        let shared = Arc::new(Shared {
            endpoints: stage.endpoints.clone(),
            log: Mutex::default(),
            notified: Mutex::default(),
            way: stage.way.clone(),
            recipients: args.recipients,
            next: AtomicU32::new(args.recipients),
        });
        let mut clients = Clients::default();
        if args.campaigns > 0 {
            let mut chance = stage.chance(PART);
            audience::import(&shared, 0..args.recipients, &mut chance).await?;
        }
        if args.campaigns > 0 && !teller::recipients(args.recipients).is_empty() {
            let teller = Teller::new(Arc::clone(&shared), stage.chance(TELLER));
            clients.add(teller.work(clients.stop.clone()));
        }
        for number in 1..=args.campaigns {
            let chance = stage.chance(PART + u64::from(number));
            let person = Person::new(Arc::clone(&shared), number, chance);
            clients.add(person.work(clients.stop.clone()));
        }
        Ok(Self { shared, clients })
    }

    /// Lets every campaign that was begun come to its end, and nobody begin another; what was told them, and which
    /// notifications were asked for.
    pub async fn end(self) -> Result<(checker::Campaigns, Vec<checker::Notified>), Failure> {
        self.clients.end().await?;
        let campaigns = std::mem::take(&mut *self.shared.log.lock());
        let notified = std::mem::take(&mut *self.shared.notified.lock());
        Ok((campaigns, notified))
    }
}

impl Shared {
    /// The number of the first of so many newcomers.
    fn newcomers(&self, count: u32) -> u32 {
        self.next.fetch_add(count, Ordering::Relaxed)
    }

    /// Begins to ask for something that somebody has to answer.
    fn asking(&self, what: &'static str, chance: &mut StdRng) -> Asking<'_> {
        Asking::begin(what, &self.endpoints, chance)
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
