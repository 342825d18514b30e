//! The attempts of a handler, seen from outside: whatever it does, it does as without a witness.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::job::{FieldError, Verdict};
use baton_ports::{Call, Handler, Prepared, store::JobArgs};

/// Sees attempts begin and end.
pub trait Witness: Send + Sync + 'static {
    /// What it bears in mind until an attempt ends.
    type Mark: Send;

    /// An attempt begins.
    fn begins(&self, args: &JobArgs) -> Self::Mark;

    /// It has ended.
    fn ended(&self, mark: Self::Mark);
}

/// A handler with a witness.
pub struct Witnessed<W>(pub Arc<dyn Handler>, pub W);

#[async_trait]
impl<W: Witness> Handler for Witnessed<W> {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        self.0.check(payload)
    }

    fn most_together(&self) -> usize {
        self.0.most_together()
    }

    async fn prepare(&self, jobs: &[&JobArgs]) -> Option<Prepared> {
        self.0.prepare(jobs).await
    }

    async fn run(&self, call: Call) -> Verdict {
        let mark = self.1.begins(&call.args);
        let verdict = self.0.run(call).await;
        self.1.ended(mark);
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prepares three at once, and learns a word.
    struct Prepares;

    #[async_trait]
    impl Handler for Prepares {
        fn kind(&self) -> &'static str {
            "prepares"
        }

        fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
            Err(vec![FieldError::new("payload", payload)])
        }

        fn most_together(&self) -> usize {
            3
        }

        async fn prepare(&self, _orders: &[&JobArgs]) -> Option<Prepared> {
            Some(Prepared::new("learned"))
        }

        async fn run(&self, _call: Call) -> Verdict {
            Verdict::Canceled
        }
    }

    struct Blind;

    impl Witness for Blind {
        type Mark = ();

        fn begins(&self, _order: &JobArgs) {}

        fn ended(&self, (): ()) {}
    }

    // Campaigns were once measured without what makes them fast: a wrapper had kept it to itself.
    #[tokio::test]
    async fn with_a_witness_attempts_that_start_together_are_prepared_as_without() {
        let witnessed = Witnessed(Arc::new(Prepares), Blind);

        let prepared = witnessed.prepare(&[]).await;

        assert_eq!(prepared.unwrap().read(), Some(&"learned"));
        assert_eq!(witnessed.most_together(), 3);
        assert!(witnessed.check("?").is_err());
        assert_eq!(witnessed.kind(), "prepares");
    }
}
