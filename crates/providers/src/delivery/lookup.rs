//! Recipients are read again before each call; calls that are made at the same time share a look.
//!
//! Whatever waits while the last look is under way becomes the next one: a delivery on its own waits
//! for nothing, and fifty at once cost one statement instead of fifty. Those that start together ask together.

use std::{ops::RangeInclusive, sync::Arc};

use baton_domain::recipient::Recipient;
use baton_ports::{
    Store,
    store::{Error, Result, Urgency},
};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

/// With how many recipients a look does not wait for more.
const BATCH: usize = 512;
/// How many looks are under way at once: while one is made, what another has found is read.
const LOOKS: usize = 2;
/// How many recipients are worth a second look while one is under way.
const WORTH_A_SECOND: usize = BATCH / 4;
/// Of how many recipients in a row one has to be wanted for the row to be read whole.
const WORTH_A_ROW: usize = 2;
/// How many can ask before they have to wait for their turn.
const LINE: usize = 2 * BATCH;

type Found = Option<Arc<Recipient>>;

struct LookupRequest {
    ids: Vec<String>,
    /// Between which numbers they are, as far as is known.
    numbers: Option<RangeInclusive<i64>>,
    /// Takes what was found of each, in their order.
    answer: oneshot::Sender<Result<Vec<Found>>>,
}

/// Looks recipients up.
pub struct Lookup {
    requests: mpsc::Sender<LookupRequest>,
}

impl Lookup {
    /// Starts to look; it ends when the lookup is dropped.
    pub fn start(store: Arc<dyn Store>, urgency: Urgency) -> Self {
        let (requests, line) = mpsc::channel(LINE);
        tokio::spawn(look(store, urgency, line));
        Self { requests }
    }

    /// A recipient as it is now, or as it is a moment later.
    pub async fn find(&self, id: &str) -> Result<Found> {
        let mut found = self.find_all(vec![id.to_owned()], None).await?;
        Ok(found.pop().flatten())
    }

    /// Recipients as they are now, or as they are a moment later, in the order of their ids here. Where it is known between which numbers
    /// they stand, and they are most of those who do, they are read in a row, which costs half of looking each up.
    pub async fn find_all(
        &self,
        ids: Vec<String>,
        numbers: Option<RangeInclusive<i64>>,
    ) -> Result<Vec<Found>> {
        let closed = || Error::Unavailable("the server is stopping".to_owned());
        let (answer, answered) = oneshot::channel();
        let request = LookupRequest {
            ids,
            numbers,
            answer,
        };
        let asked = self.requests.send(request).await;
        asked.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }
}

async fn look(store: Arc<dyn Store>, urgency: Urgency, mut line: mpsc::Receiver<LookupRequest>) {
    let mut looks = JoinSet::new();
    while let Some(first) = line.recv().await {
        let mut batch = vec![first];
        loop {
            while wanted(&batch) < BATCH
                && let Ok(next) = line.try_recv()
            {
                batch.push(next);
            }
            if looks.is_empty() || looks.len() < LOOKS && wanted(&batch) >= WORTH_A_SECOND {
                break;
            }
            tokio::select! {
                _ = looks.join_next() => {}
                Some(next) = line.recv(), if wanted(&batch) < BATCH => batch.push(next),
            }
        }
        looks.spawn(answer(Arc::clone(&store), urgency, batch));
    }
    // Who has asked is answered, also when nobody can ask any more.
    while looks.join_next().await.is_some() {}
}

fn wanted(batch: &[LookupRequest]) -> usize {
    batch.iter().map(|asked| asked.ids.len()).sum()
}

async fn answer(store: Arc<dyn Store>, urgency: Urgency, batch: Vec<LookupRequest>) {
    let found = look_once(&*store, urgency, &batch).await;
    for LookupRequest { ids, answer, .. } in batch {
        let of_these = |found: &Vec<Arc<Recipient>>| ids.iter().map(|id| find(found, id)).collect();
        // Whoever has been dropped meanwhile waits for nothing.
        let _ = answer.send(found.as_ref().map(of_these).map_err(Clone::clone));
    }
}

/// Recipients in the order of their ids.
async fn look_once(
    store: &dyn Store,
    urgency: Urgency,
    batch: &[LookupRequest],
) -> Result<Vec<Arc<Recipient>>> {
    let mut ids: Vec<_> = batch.iter().flat_map(|asked| asked.ids.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut found = match row_of(batch, ids.len()) {
        Some(numbers) => sorted(store.recipients_between(numbers).await?),
        None => Vec::new(),
    };
    // Whoever was forgotten and written down again has another number.
    ids.retain(|id| find(&found, id).is_none());
    if !ids.is_empty() {
        found.extend(sorted(store.find_recipients(&ids, urgency).await?));
        found.sort_unstable_by(|one, other| one.profile.id.cmp(&other.profile.id));
    }
    Ok(found)
}

/// Between which numbers all of a batch are, if that is known and most of those between are wanted.
fn row_of(batch: &[LookupRequest], wanted: usize) -> Option<RangeInclusive<i64>> {
    let rows: Option<Vec<_>> = batch.iter().map(|asked| asked.numbers.clone()).collect();
    let row = rows?
        .into_iter()
        .reduce(|one, other| *one.start().min(other.start())..=*one.end().max(other.end()))?;
    let length = usize::try_from(row.end().checked_sub(*row.start())?).ok()? + 1;
    (length <= WORTH_A_ROW * wanted).then_some(row)
}

fn sorted(found: Vec<Recipient>) -> Vec<Arc<Recipient>> {
    let mut found: Vec<_> = found.into_iter().map(Arc::new).collect();
    found.sort_unstable_by(|one, other| one.profile.id.cmp(&other.profile.id));
    found
}

fn find(found: &[Arc<Recipient>], id: &str) -> Found {
    let place = found.binary_search_by(|one| one.profile.id.as_str().cmp(id));
    found.get(place.ok()?).cloned()
}
