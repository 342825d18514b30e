//! How long something takes on a machine that others share.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const TICK: Duration = Duration::from_millis(5);
/// A tick that comes this late was late because of a scheduler, not because the machine stood still.
const LATE: Duration = Duration::from_millis(5);

/// Measures how long something takes. Moments in which the machine ran nobody are not counted: what
/// has to happen within two seconds has to happen within two seconds of a machine that runs.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    began: Instant,
    lost_before: Duration,
}

impl Stopwatch {
    #[must_use]
    pub fn start() -> Self {
        Self {
            began: Instant::now(),
            lost_before: lost(),
        }
    }

    /// How long the machine ran.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.lost())
    }

    /// How long it stood still.
    #[must_use]
    pub fn lost(&self) -> Duration {
        lost().saturating_sub(self.lost_before)
    }
}

/// How long this machine stood still since somebody asked for the first time.
fn lost() -> Duration {
    static LOST: OnceLock<&AtomicU64> = OnceLock::new();
    let lost = LOST.get_or_init(|| {
        let lost: &'static AtomicU64 = Box::leak(Box::default());
        thread::spawn(move || watch(lost));
        lost
    });
    Duration::from_micros(lost.load(Ordering::Relaxed))
}

fn watch(lost: &AtomicU64) {
    loop {
        let began = Instant::now();
        thread::sleep(TICK);
        let late = began.elapsed().saturating_sub(TICK + LATE);
        let micros = u64::try_from(late.as_micros()).expect("less than a lifetime");
        lost.fetch_add(micros, Ordering::Relaxed);
    }
}
