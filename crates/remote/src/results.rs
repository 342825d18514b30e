//! Results as they travel: what the handler said, under the right to its attempt.

use std::sync::Arc;

use baton_client::Client;
use baton_domain::{
    Json, Timestamp,
    job::{Decision, Failure, Outcome},
};
use baton_ports::{
    store::{AttemptResult, Error, Result, SettleOutcome},
    work_source::Settled,
};
use baton_protocol::remote::{
    self, SettledResult, SettledResults, TellResult, TellResults, VerdictWord,
};

use crate::source::RemoteSource;

/// How many bytes of results one call brings, unless it is a single one.
const BYTES: usize = 4 * 1024 * 1024;
/// What a result takes beside its words.
const FRAME: usize = 400;

impl RemoteSource {
    /// Tells results, as many at once as fit into a call. What was answered before is answered so again.
    pub(crate) async fn tell_results(
        &self,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        let mut settled = Vec::with_capacity(results.len());
        let mut rest = results;
        while !rest.is_empty() {
            let (call, after) = rest.split_at(fitting(rest, self.limits.results as usize));
            settled.extend(self.tell_some(call, now).await?);
            rest = after;
        }
        for result in results {
            self.held.settled(result.lease, result.job);
        }
        self.run_limit.settled(!self.held.is_empty());
        Ok(settled)
    }

    async fn tell_some(&self, results: &[AttemptResult], now: Timestamp) -> Result<Vec<Settled>> {
        let tokens = results
            .iter()
            .map(|result| self.held.token(result.lease, result.job));
        let tokens: Vec<Option<Arc<str>>> = tokens.collect();
        let known = results.iter().zip(&tokens);
        let told = known.filter_map(|(result, token)| Some(told(result, token.as_deref()?, now)));
        let body = TellResults {
            results: told.collect(),
        };
        let mut answers = self.answers_to(body).await?.into_iter();
        let mut settled = Vec::with_capacity(results.len());
        for (result, token) in results.iter().zip(&tokens) {
            // Whose token is forgotten has lost its lease long ago.
            let answer = token.as_ref().and_then(|_| answers.next());
            settled.push(answer.map_or(Ok(STALE), |answer| read(result, &answer))?);
        }
        Ok(settled)
    }

    async fn answers_to(&self, body: TellResults) -> Result<Vec<SettledResult>> {
        if body.results.is_empty() {
            return Ok(Vec::new());
        }
        let body = Arc::new(body);
        let told = self.session.told(|client: Client, worker| {
            let body = Arc::clone(&body);
            async move { client.tell_results(worker, &body).await }
        });
        let SettledResults { items } = told.await?;
        if items.len() == body.results.len() {
            return Ok(items);
        }
        Err(Error::Refused(format!(
            "{} results were told and {} answered for",
            body.results.len(),
            items.len()
        )))
    }
}

const STALE: Settled = Settled {
    outcome: SettleOutcome::Stale,
    run_at: None,
};

/// How many of these one call brings.
fn fitting(results: &[AttemptResult], most: usize) -> usize {
    let mut bytes = 0;
    let fits = |result: &&AttemptResult| {
        bytes += FRAME + result.decision.result.as_ref().map_or(0, String::len);
        bytes <= BYTES
    };
    results
        .iter()
        .take(most)
        .take_while(fits)
        .count()
        .clamp(1, results.len())
}

/// The verdict that the worker has decided by.
fn told(result: &AttemptResult, token: &str, now: Timestamp) -> TellResult {
    let decision = &result.decision;
    let failure = decision.failure.as_ref();
    let word = word(decision);
    TellResult {
        token: token.to_owned(),
        verdict: word,
        result: decision.result.as_deref().map(Json::from_text),
        class: failure.map(|failure| failure.class),
        code: failure.map(|failure| code(&failure.code)),
        message: failure.map(|failure| failure.message.clone()),
        retry_after: decision.asked.filter(|_| word == VerdictWord::Failed),
        after: decision.asked.filter(|_| word == VerdictWord::Snoozed),
        why: match word {
            VerdictWord::Skipped => decision.reason.clone(),
            _ => None,
        },
        started_ago: result.started_at.map(|at| now.since(at)),
        ran: None,
    }
}

/// A code as servers take it: for one that is longer, or empty, the whole result would be refused.
fn code(said: &str) -> String {
    let plain = said.replace(char::is_control, " ");
    match &plain[..plain.floor_char_boundary(Failure::LONGEST_CODE)] {
        "" => "error".to_owned(),
        code => code.to_owned(),
    }
}

fn word(decision: &Decision) -> VerdictWord {
    match decision.outcome {
        _ if decision.failure.is_some() => VerdictWord::Failed,
        Outcome::Succeeded => VerdictWord::Accepted,
        Outcome::Skipped => VerdictWord::Skipped,
        Outcome::Snoozed => VerdictWord::Snoozed,
        Outcome::Canceled => VerdictWord::Canceled,
        Outcome::GivenBack => VerdictWord::GivenBack,
        _ => VerdictWord::Failed,
    }
}

fn read(result: &AttemptResult, answer: &SettledResult) -> Result<Settled> {
    let outcome = match answer.settled {
        remote::Settled::Recorded => SettleOutcome::Recorded,
        remote::Settled::Adopted => SettleOutcome::Adopted,
        remote::Settled::Stale => SettleOutcome::Stale,
        remote::Settled::Refused => {
            let errors = answer.errors.iter().map(ToString::to_string);
            let errors = errors.collect::<Vec<_>>().join("; ");
            let is_token = |error: &baton_protocol::FieldError| error.field.ends_with("token");
            if !answer.errors.iter().any(is_token) {
                return Err(Error::Refused(errors));
            }
            tracing::error!(job = %result.job, "the right to {} is refused: {errors}; its lease will end", result.job);
            SettleOutcome::Stale
        }
    };
    Ok(Settled {
        outcome,
        run_at: answer.run_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_told_as_servers_take_it() {
        assert_eq!(code("no_such_file"), "no_such_file");
        assert_eq!(code(&"가".repeat(60)), "가".repeat(33));
        assert_eq!(code("two\nlines"), "two lines");
        assert_eq!(code(""), "error");
    }
}
