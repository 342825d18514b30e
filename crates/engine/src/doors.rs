//! Doors for tests of users: time that passes at once, leases that are lost, the moment when nothing is left to do.
//!
//! They are use cases like any other, and nobody calls them but the routes of `serve --dev`
//! (docs/decisions/doors-for-tests.md).

mod leases;
mod quiet;

use std::time::Duration;

use baton_domain::{
    Timestamp, WorkerId,
    access::Permission,
    duration::LONGEST,
    fleet::{Heartbeat, Presence, Worker},
    job::FieldError,
    time::{Machine, StoreClock},
};
use baton_ports::Wakeup;

use crate::{
    Caller, Error, Result,
    routines::{TERM, WAITING},
};

/// Who is here as the clock is put ahead.
struct Here {
    workers: Vec<Worker>,
    leader: Option<WorkerId>,
}

impl Caller {
    /// Puts this engine's clock ahead by `span`, and says what it shows then.
    ///
    /// Whoever is here stays here: workers that were heard of a moment ago were heard of a moment ago, and the leader
    /// leads. Leases are compared with no clock. Whoever waits for a moment looks again.
    pub async fn advance<M: Machine>(
        &self,
        clock: &StoreClock<M>,
        span: Duration,
    ) -> Result<Timestamp> {
        self.needs(Permission::Operate)?;
        if clock.ahead().saturating_add(span) > LONGEST {
            let why = "would put the clock more than ten years ahead; start the server anew";
            return Err(Error::Invalid(vec![FieldError::new("advance", why)]));
        }
        let here = self.here().await?;
        let now = clock.advance(span);
        tracing::warn!(%now, "the clock was put ahead by {span:?}, as a test has asked");
        let kept = self.keep(here, span, now).await;
        for wakeup in WAITING.into_iter().chain([Wakeup::Ready]) {
            self.inner.wakeups.send_here(wakeup);
        }
        kept.map(|()| now)
    }

    async fn here(&self) -> Result<Here> {
        let (now, lease) = (self.now(), self.inner.settings.lease);
        let since = now - self.inner.settings.remember_workers;
        let workers = self.store().workers(since).await?.into_iter();
        let here = workers.filter(|worker| {
            !matches!(
                worker.presence(now, lease),
                Presence::Silent | Presence::Left
            )
        });
        Ok(Here {
            workers: here.collect(),
            leader: self.store().leader(now).await?,
        })
    }

    /// Says of each that it is here now.
    async fn keep(&self, here: Here, span: Duration, now: Timestamp) -> Result<()> {
        self.inner.health_board.clock_moved(span);
        self.remote().clock_moved(span);
        for Worker { mut heartbeat, .. } in here.workers {
            move_along(&mut heartbeat, span);
            self.store().heartbeat(&heartbeat, now).await?;
        }
        if let Some(leader) = here.leader {
            self.store().lead(leader, TERM, now).await?;
        }
        Ok(())
    }
}

/// A remote worker that asked for jobs, or started, a moment ago still did.
pub fn move_along(heartbeat: &mut Heartbeat, span: Duration) {
    if let Some(remote) = &mut heartbeat.remote {
        let asked_at = remote.asked_at.unwrap_or(heartbeat.started_at);
        remote.asked_at = Some(asked_at + span);
    }
}
