//! The cache of pictures: what they are drawn from, read once for all who watch the same.
//!
//! However many watch, the store is asked for what one picture shows once in [`PACE`] at most, and only if something
//! has happened since or time has moved on by a bar.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError},
    time::Duration,
};

use baton_domain::{Timestamp, access::Actor, rollup::Marker, rollup::Rollup, waits::WaitRollup};
use baton_engine::{Caller, Engine};
use baton_ports::store::RollupRequest;
use tokio::{sync::Mutex, time::Instant};

use crate::{errors::PageError, overview_cache::with_timeout};

/// How old what a watched picture shows can be. Its newest bar is that of the minute that is not over yet.
const PACE: Duration = Duration::from_secs(15);
/// How many pictures are kept; whose nobody has asked for longest goes first.
const KEPT: usize = 64;

/// What a picture shows.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Which rollups.
    pub request: RollupRequest,
    /// Since when.
    pub since: Timestamp,
    /// Whether it tells how long jobs waited, too.
    pub waits: bool,
    /// How many minutes are told as one of what happened meanwhile, if it tells of that.
    pub markers: Option<u32>,
    /// What is another one as soon as the picture may be: the number of its newest bar, and of what has happened.
    pub mark: (i64, i64),
}

/// What was read of it.
#[derive(Debug)]
pub struct Past {
    /// How many jobs came to each state.
    pub rollups: Vec<Rollup>,
    /// How long they waited.
    pub waits: Vec<WaitRollup>,
    /// What happened meanwhile.
    pub markers: Vec<Marker>,
    /// When it was read.
    pub read: Instant,
}

/// What pictures are drawn from.
pub struct PictureCache {
    engine: Caller,
    kept: std::sync::Mutex<BTreeMap<String, CachedPicture>>,
}

#[derive(Clone)]
struct CachedPicture {
    asked: Instant,
    look: Arc<Mutex<CachedRollups>>,
}

#[derive(Default)]
struct CachedRollups {
    past: Option<Arc<Past>>,
    mark: (i64, i64),
    /// The store may have refused.
    tried: Option<Instant>,
}

impl PictureCache {
    /// One that has read nothing yet.
    pub fn new(engine: &Engine) -> Self {
        Self {
            engine: engine.caller(Actor::system("pictures")),
            kept: std::sync::Mutex::default(),
        }
    }

    /// What a picture shows now, for a page that is made.
    pub async fn look(&self, shown: &Shown) -> Result<Arc<Past>, PageError> {
        let look = self.kept(shown);
        let mut look = look.lock().await;
        self.read(shown, &mut look).await
    }

    /// What it showed lately, for a page that watches; nothing if that could not be read.
    pub async fn lately(&self, shown: &Shown) -> Option<Arc<Past>> {
        let look = self.kept(shown);
        let mut look = look.lock().await;
        let is_due = look.tried.is_none_or(|tried| tried.elapsed() >= PACE);
        if is_due && (look.past.is_none() || look.mark != shown.mark) {
            // What was read before stands until the store answers again.
            let _ = self.read(shown, &mut look).await;
        }
        look.past.clone()
    }

    async fn read(&self, shown: &Shown, look: &mut CachedRollups) -> Result<Arc<Past>, PageError> {
        look.tried = Some(Instant::now());
        let (request, since) = (&shown.request, shown.since);
        let past = Arc::new(Past {
            rollups: with_timeout(self.engine.rollups(request, since)).await?,
            waits: match shown.waits {
                true => with_timeout(self.engine.waits(request, since)).await?,
                false => Vec::new(),
            },
            markers: match shown.markers {
                Some(minutes) => with_timeout(self.engine.markers(minutes, since)).await?,
                None => Vec::new(),
            },
            read: Instant::now(),
        });
        look.mark = shown.mark;
        look.past = Some(Arc::clone(&past));
        Ok(past)
    }

    fn kept(&self, shown: &Shown) -> Arc<Mutex<CachedRollups>> {
        let name = format!("{:?} {}", shown.request, shown.waits);
        let asked = Instant::now();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT && !kept.contains_key(&name) {
            let oldest = kept.iter().min_by_key(|(_, one)| one.asked);
            let oldest = oldest.map(|(name, _)| name.clone());
            oldest.and_then(|name| kept.remove(&name));
        }
        let one = kept.entry(name).or_insert_with(|| CachedPicture {
            asked,
            look: Arc::default(),
        });
        one.asked = asked;
        Arc::clone(&one.look)
    }
}
