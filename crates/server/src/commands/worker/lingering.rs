//! Commands that still end after their time: what became of their jobs was told, and they have their slots until they are gone.

use std::{collections::HashMap, sync::Arc};

use baton_domain::JobId;
use parking_lot::Mutex;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Which attempt of which job.
pub type Attempt = (JobId, u32);

/// The attempts whose commands still end.
#[derive(Default)]
pub struct Lingering(Mutex<HashMap<Attempt, CancellationToken>>);

/// One of them, until this is dropped.
pub struct Linger {
    all: Arc<Lingering>,
    attempt: Attempt,
    _gone: DropGuard,
}

impl Lingering {
    /// Takes note that the command of an attempt is yet to end.
    pub fn begin(self: &Arc<Self>, attempt: Attempt) -> Linger {
        let gone = CancellationToken::new();
        self.0.lock().insert(attempt, gone.clone());
        Linger {
            all: Arc::clone(self),
            attempt,
            _gone: gone.drop_guard(),
        }
    }

    /// Waits until the command of an attempt has ended.
    pub async fn gone(&self, attempt: Attempt) {
        let gone = self.0.lock().get(&attempt).cloned();
        if let Some(gone) = gone {
            gone.cancelled().await;
        }
    }
}

impl Drop for Linger {
    fn drop(&mut self) {
        self.all.0.lock().remove(&self.attempt);
    }
}
