//! A private Redis, and hints on it that heal fast.

use std::time::Duration;

use baton_domain::{JobId, Timestamp, WorkerId};
use baton_ports::{
    Hint, Hints,
    hints::{HintError, HintState},
};
use baton_redis::{Options, RedisHints};
use baton_testkit::{Redis, Stopwatch, eventually};
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

pub const QUEUE: &str = "default";
/// How long a Redis of these tests has to be well.
pub const HEAL: Duration = Duration::from_millis(300);
/// What fails without asking takes less, for many calls together and on a busy machine.
pub const AT_ONCE: Duration = Duration::from_millis(250);
/// Longer than anything here takes.
pub const LONG: Duration = Duration::from_secs(20);
/// How long it may take until Redis is given up.
pub const GIVEN_UP: Duration = Duration::from_secs(2);

/// A private Redis, and hints on it.
pub struct Fixture {
    pub redis: Redis,
    pub hints: RedisHints,
    pub installation: Uuid,
    pub worker: WorkerId,
    _stop: DropGuard,
}

impl Fixture {
    /// With the first generation open.
    pub async fn open() -> Self {
        let fixture = Self::over(Redis::start()).await;
        fixture.hints.open(1).await.expect("hints answer");
        fixture
    }

    /// The same, with the deadlines of a server.
    pub async fn strict() -> Self {
        let redis = Redis::start();
        let options = strict(redis.url(), Uuid::new_v4());
        let fixture = Self::with(redis, options).await;
        let opens = async || fixture.hints.open(1).await.is_ok();
        eventually("the first generation opens", LONG, opens).await;
        fixture
    }

    pub async fn over(redis: Redis) -> Self {
        let options = quick(redis.url(), Uuid::new_v4());
        Self::with(redis, options).await
    }

    pub async fn with(redis: Redis, options: Options) -> Self {
        let stop = CancellationToken::new();
        let installation = options.installation;
        Self {
            hints: RedisHints::connect(options, stop.clone())
                .await
                .expect("hints answer"),
            redis,
            installation,
            worker: worker(),
            _stop: stop.drop_guard(),
        }
    }

    /// The name of something of the first generation.
    pub fn key(&self, name: &str) -> String {
        format!("{{baton:{}}}:g1:{name}", self.installation)
    }

    pub fn sentinel(&self) -> String {
        format!("{{baton:{}}}:gen", self.installation)
    }

    pub async fn offer(&self, count: usize) -> Vec<JobId> {
        let hints = some(QUEUE, count);
        self.hints.offer(&hints).await.expect("hints answer");
        hints.iter().map(|hint| hint.job).collect()
    }

    pub async fn take(&self) -> Vec<JobId> {
        let taken = self
            .hints
            .take(self.worker, QUEUE, 10_000, Duration::ZERO)
            .await;
        taken.expect("hints answer")
    }

    pub async fn length(&self) -> u64 {
        self.hints
            .lengths(&[QUEUE.to_owned()])
            .await
            .expect("hints answer")[0]
    }

    pub fn says(&self, word: &str) -> bool {
        matches!(self.hints.state(), HintState::Away(why) if why.contains(word))
    }

    /// It is given up for a reason with this word in it, and then every call fails at once.
    pub async fn is_given_up(&self, word: &str) {
        eventually(&format!("hints are away: {word}"), GIVEN_UP, async || {
            self.says(word)
        })
        .await;
        let start = Stopwatch::start();
        let hints = &self.hints;
        let (heartbeat, queues) = (Duration::from_secs(30), [QUEUE.to_owned()]);
        let errors = [
            hints.offer(&some(QUEUE, 1)).await.err(),
            hints.take(self.worker, QUEUE, 1, LONG).await.err(),
            hints.drop_taken(self.worker, &some(QUEUE, 1)).await.err(),
            hints.give_back(self.worker).await.err(),
            hints.heartbeat(self.worker, heartbeat).await.err(),
            hints.consumers().await.err(),
            hints.lengths(&queues).await.err(),
            hints.build(2, &some(QUEUE, 1)).await.err(),
            hints.open(2).await.err(),
        ];
        assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
        for error in errors {
            assert!(matches!(&error, Some(HintError::Away(_))), "{error:?}");
        }
    }

    /// It comes back without anybody's doing, and does its work.
    pub async fn comes_back(&self) {
        self.is_in(HintState::Open).await;
        let hints = some(QUEUE, 1);
        let offered = async || self.hints.offer(&hints).await.is_ok();
        eventually("a hint is offered", LONG, offered).await;
        let taken = async || {
            let taken = self
                .hints
                .take(self.worker, QUEUE, 10_000, Duration::ZERO)
                .await;
            taken.is_ok_and(|jobs| jobs.contains(&hints[0].job))
        };
        eventually("it is taken", LONG, taken).await;
    }

    pub async fn is_in(&self, state: HintState) {
        let what = format!("hints are {state:?}");
        eventually(&what, LONG, async || self.hints.state() == state).await;
    }
}

/// The deadlines of a server, but a fast recovery.
pub fn strict(url: String, installation: Uuid) -> Options {
    Options {
        heal: HEAL,
        ..Options::new(url, installation)
    }
}

/// A fast recovery, and more patience than a busy machine needs.
pub fn quick(url: String, installation: Uuid) -> Options {
    Options {
        connect: LONG,
        command: LONG,
        ..strict(url, installation)
    }
}

pub fn worker() -> WorkerId {
    WorkerId::new(Timestamp::from_micros(1_700_000_040_000_000))
}

/// Hints at new jobs.
pub fn some(queue: &str, count: usize) -> Vec<Hint> {
    let job = || JobId::new(Timestamp::from_micros(1_700_000_040_000_000));
    let hint = |_| Hint {
        queue: queue.to_owned(),
        job: job(),
        is_urgent: false,
    };
    (0..count).map(hint).collect()
}
