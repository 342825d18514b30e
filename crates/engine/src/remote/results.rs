//! Results of remote workers: a token and a verdict, each answered by itself.

use std::{collections::HashMap, time::Duration};

use baton_domain::{
    JobId, Timestamp, WorkerId,
    access::Permission,
    chance,
    fingerprint::fingerprint,
    job::{self, Class, Decision, Failure, FieldError, State, Verdict},
};
use baton_ports::{
    Wakeup,
    bisect::bisect,
    store::{AttemptResult, By, SettleOutcome},
};
use serde_json::json;

use super::{AttemptToken, token::Seal};
use crate::{Caller, Error, Result, attempts};

/// How many results one call has.
const MOST: usize = 1_000;
/// How long a result can be, in bytes; of a longer one its length is kept.
const LONGEST_RESULT: usize = 64 * 1024;

/// How an attempt ended, as its worker says.
#[derive(Debug, Clone)]
pub struct ResultReport {
    /// The right to the attempt.
    pub token: String,
    /// What the handler says; nothing if it never started and the job is given back.
    pub verdict: Result<Option<Verdict>, FieldError>,
    /// How long ago the handler started.
    pub started_ago: Option<Duration>,
}

/// What became of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultItem {
    /// The store has answered.
    Settled {
        /// The job.
        job: JobId,
        /// What became of it.
        outcome: SettleOutcome,
        /// Where it leads the job, if it counts.
        state: State,
        /// When it runs again, if it does.
        run_at: Option<Timestamp>,
    },
    /// It is no result of this worker's, or makes no sense.
    Refused(Option<JobId>, FieldError),
}

/// Which attempt of which job.
type AttemptKey = (JobId, u32);
/// The tokens of the attempts that results are for: they name the queue and the kind.
type Lines = HashMap<AttemptKey, AttemptToken>;

impl Caller {
    /// Records how attempts ended, each by itself, in the order in which they were told.
    pub async fn settle_results(
        &self,
        worker: WorkerId,
        told: Vec<ResultReport>,
    ) -> Result<Vec<ResultItem>> {
        self.needs(Permission::Worker)?;
        if told.is_empty() || told.len() > MOST {
            let why = format!("must be 1 to {MOST} of them");
            return Err(Error::Invalid(vec![FieldError::new("results", why)]));
        }
        let now = self.now();
        let seal = self.seal().await?;
        let mut items = Vec::with_capacity(told.len());
        let (mut results, mut lines) = (Vec::new(), Lines::new());
        let moved = self.moved(seal, &told).await?;
        for report in told {
            match self.result(seal, worker, report, &moved, now) {
                Ok((result, token)) => {
                    items.push(None);
                    lines.insert(attempt_of(&result), token);
                    results.push(result);
                }
                Err((job, error)) => items.push(Some(ResultItem::Refused(job, error))),
            }
        }
        let mut settled = self
            .settle_remotely(worker, &results, &lines, now)
            .await?
            .into_iter();
        let items = items
            .into_iter()
            .filter_map(|item| item.or_else(|| settled.next()));
        Ok(items.collect())
    }

    /// The attempts among these failures that have moved their job's cursor.
    async fn moved(&self, seal: &Seal, told: &[ResultReport]) -> Result<HashMap<JobId, u32>> {
        let is_failure =
            |report: &&ResultReport| matches!(report.verdict, Ok(Some(Verdict::Failed { .. })));
        let failed = told.iter().filter(is_failure);
        let ids: Vec<_> = failed
            .filter_map(|report| Some(seal.open(&report.token)?.job()))
            .collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.store().checkpoints(&ids).await?.into_iter();
        Ok(found
            .filter(|one| one.moved)
            .map(|one| (one.job, one.attempt))
            .collect())
    }

    fn result(
        &self,
        seal: &Seal,
        worker: WorkerId,
        report: ResultReport,
        moved: &HashMap<JobId, u32>,
        now: Timestamp,
    ) -> Result<(AttemptResult, AttemptToken), (Option<JobId>, FieldError)> {
        let token = self
            .opened(seal, worker, &report.token)
            .map_err(|error| (None, error))?;
        let job = token.job();
        let verdict = report.verdict.map_err(|error| (Some(job), error))?;
        let verdict = verdict
            .map(checked)
            .transpose()
            .map_err(|error| (Some(job), error))?;
        let has_moved = moved.get(&job) == Some(&token.counters().attempt);
        let decision = decide(&token, verdict, has_moved, now);
        let decision = decision.map_err(|why| (Some(job), FieldError::new("verdict", why)))?;
        let is_dead = decision.transition.to() == State::Failed;
        let failure = decision.failure.as_ref().filter(|_| is_dead);
        let result = AttemptResult {
            lease: token.lease(),
            job,
            counters: token.counters(),
            queued_at: token.queued_at(),
            started_at: report
                .started_ago
                .map(|ago| (now - ago).max(token.queued_at())),
            fingerprint: failure.map(|failure| fingerprint(token.kind(), failure)),
            decision,
            seen: None,
        };
        Ok((result, token))
    }

    async fn settle_remotely(
        &self,
        worker: WorkerId,
        results: &[AttemptResult],
        lines: &Lines,
        now: Timestamp,
    ) -> Result<Vec<ResultItem>> {
        if results.is_empty() {
            return Ok(Vec::new());
        }
        let store = self.store();
        let settle = |piece: Vec<AttemptResult>| async move {
            let outcomes = store.settle(By::Worker(worker), &piece, now).await?;
            Ok(piece.into_iter().zip(outcomes).collect::<Vec<_>>())
        };
        let bisected = bisect(results, false, settle).await?;
        if let Some((_, error)) = bisected.unanswered {
            return Err(error.into());
        }
        let mut found: HashMap<AttemptKey, ResultItem> = HashMap::new();
        measure_attempts(bisected.answers.iter().flatten(), lines, now);
        for (result, error) in &bisected.alone {
            tracing::error!(job = %result.job, %error, "the store does not take the result of {}: {error}", result.job);
            metrics::counter!("baton_rows_refused_total", "what" => "result").increment(1);
            let why = FieldError::new(
                "result",
                "the database does not take it; the job runs again when its lease has ended",
            );
            found.insert(
                attempt_of(result),
                ResultItem::Refused(Some(result.job), why),
            );
        }
        for (result, outcome) in bisected.answers.iter().flatten() {
            count(*outcome);
            found.insert(attempt_of(result), settled(result, *outcome));
        }
        self.wake_after(results);
        let items = results.iter().map(|result| {
            let item = found.get(&attempt_of(result)).cloned();
            item.unwrap_or_else(|| settled(result, SettleOutcome::Stale))
        });
        Ok(items.collect())
    }

    fn wake_after(&self, results: &[AttemptResult]) {
        let leads_to = |states: &[State]| {
            let mut results = results.iter();
            results.any(|result| states.contains(&result.decision.transition.to()))
        };
        let wakeups = &self.inner.wakeups;
        wakeups.send(Wakeup::Facts);
        if leads_to(&[State::Pending, State::RetryWait]) {
            wakeups.send(Wakeup::Due);
        }
        if leads_to(&[State::Queued]) {
            wakeups.send(Wakeup::Ready);
        }
    }
}

fn decide(
    token: &AttemptToken,
    verdict: Option<Verdict>,
    has_moved: bool,
    now: Timestamp,
) -> Result<Decision, String> {
    let counters = token.counters();
    let decision = match verdict {
        None => Decision::give_back(counters, now),
        Some(verdict) => {
            let counters = if has_moved {
                counters.having_moved()
            } else {
                counters
            };
            let backoff = token.backoff();
            chance::draw(|mut chance| {
                job::decide(verdict, counters, token.policy(&backoff), now, &mut chance)
            })
        }
    };
    decision.map_err(|illegal| illegal.to_string())
}

/// A verdict as it can be kept. Work that was done is not undone by its report: of a result that is too long its length
/// is kept.
fn checked(verdict: Verdict) -> Result<Verdict, FieldError> {
    match verdict {
        Verdict::Accepted {
            result: Some(result),
        } if result.len() > LONGEST_RESULT => Ok(Verdict::Accepted {
            result: Some(json!({ "omitted_bytes": result.len() }).to_string()),
        }),
        Verdict::Failed { failure, .. }
            if matches!(failure.class, Class::Lost | Class::Refused) =>
        {
            Err(FieldError::new(
                "class",
                format!(
                    "{} is not for workers to say; it is retry, throttled, gone, permanent, misconfigured or unknown",
                    failure.class
                ),
            ))
        }
        Verdict::Failed { failure, .. }
            if failure.code.is_empty()
                || failure.code.len() > Failure::LONGEST_CODE
                || failure.code.contains(char::is_control) =>
        {
            Err(FieldError::new(
                "code",
                format!(
                    "must be 1 to {} bytes, without control characters",
                    Failure::LONGEST_CODE
                ),
            ))
        }
        verdict => Ok(verdict),
    }
}

const fn attempt_of(result: &AttemptResult) -> AttemptKey {
    (result.job, result.counters.attempt)
}

/// What came too late was counted as lost.
fn measure_attempts<'a>(
    answers: impl Iterator<Item = &'a (AttemptResult, SettleOutcome)>,
    lines: &'a Lines,
    now: Timestamp,
) {
    let counted = answers.filter(|(_, outcome)| *outcome != SettleOutcome::Stale);
    let attempts = counted.filter_map(|(result, _)| {
        let token = lines.get(&attempt_of(result))?;
        let line = (token.queue(), token.kind(), result.decision.outcome);
        Some((line, result))
    });
    attempts::measure(attempts, now);
}

fn settled(result: &AttemptResult, outcome: SettleOutcome) -> ResultItem {
    ResultItem::Settled {
        job: result.job,
        outcome,
        state: result.decision.transition.to(),
        run_at: result.decision.run_at,
    }
}

fn count(outcome: SettleOutcome) {
    let settled = match outcome {
        SettleOutcome::Recorded => "recorded",
        SettleOutcome::Adopted => "adopted",
        SettleOutcome::Stale => "stale",
    };
    metrics::counter!("baton_remote_results_total", "settled" => settled).increment(1);
}
