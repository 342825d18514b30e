//! The provider `log`: writes a line into the log and accepts, for trying out.
//!
//! The line names the job and nobody: a log is kept where nobody can be erased from it.

use async_trait::async_trait;
use baton_domain::job::Verdict;
use baton_ports::Call;

use super::{OutboundMessage, Provider};

/// Writes a line into the log and accepts.
pub struct LogProvider {
    name: String,
}

impl LogProvider {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
        }
    }
}

#[async_trait]
impl Provider for LogProvider {
    async fn send(&self, call: &Call, outbound: OutboundMessage<'_>) -> Verdict {
        tracing::info!(
            provider = self.name,
            job = %call.args.id,
            channel = outbound.channel,
            "a message is told to the log"
        );
        Verdict::Accepted { result: None }
    }
}
