//! Recipients are read again before each call; calls that are made at the same time share a look.
//!
//! Whatever waits while the last look is under way becomes the next one: a delivery on its own waits
//! for nothing, and fifty at once cost one statement instead of fifty.

use std::{collections::HashMap, sync::Arc};

use baton_domain::recipient::Recipient;
use baton_ports::{
    Store,
    store::{Error, Result},
};
use tokio::sync::{mpsc, oneshot};

/// How many recipients one look takes.
const BATCH: usize = 256;

type Asked = (String, oneshot::Sender<Result<Option<Arc<Recipient>>>>);

/// Looks recipients up.
pub struct Lookup {
    door: mpsc::Sender<Asked>,
}

impl Lookup {
    /// Starts to look; it ends when the lookup is dropped.
    pub fn start(store: Arc<dyn Store>) -> Self {
        let (door, line) = mpsc::channel(4 * BATCH);
        tokio::spawn(look(store, line));
        Self { door }
    }

    /// A recipient as it is now, or as it is a moment later.
    pub async fn find(&self, id: &str) -> Result<Option<Arc<Recipient>>> {
        let closed = || Error::Unavailable("the server is stopping".to_owned());
        let (answer, answered) = oneshot::channel();
        let asked = self.door.send((id.to_owned(), answer)).await;
        asked.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }
}

async fn look(store: Arc<dyn Store>, mut line: mpsc::Receiver<Asked>) {
    let mut batch = Vec::with_capacity(BATCH);
    while line.recv_many(&mut batch, BATCH).await > 0 {
        let mut ids: Vec<_> = batch.iter().map(|(id, _)| id.clone()).collect();
        ids.sort_unstable();
        ids.dedup();
        let found = store.find_recipients(&ids).await;
        let found = found.map(|found| {
            let by_id = found
                .into_iter()
                .map(|one| (one.profile.id.clone(), Arc::new(one)));
            by_id.collect::<HashMap<_, _>>()
        });
        for (id, answer) in batch.drain(..) {
            let one = found.as_ref().map(|found| found.get(&id).cloned());
            // Whoever has been dropped meanwhile waits for nothing.
            let _ = answer.send(one.map_err(Clone::clone));
        }
    }
}
