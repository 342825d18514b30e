//! The health monitor tells when hints are not to be had on this node, and when they are again.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::WorkerId;
use baton_ports::{
    Hints, Wakeup,
    hints::HintState,
    store::{self, NewEvent},
};
use serde_json::json;

use super::Tools;
use crate::{Next, Routine, routine::about};

/// How often it looks; a look asks nobody.
const PAUSE: Duration = Duration::from_millis(250);

/// Tells when hints are not to be had, and when they are again.
pub struct HealthMonitor {
    tools: Tools,
    hints: Arc<dyn Hints>,
    node: WorkerId,
    /// Why hints are not to be had, as it was told last.
    told: Option<String>,
}

impl HealthMonitor {
    /// A health monitor of this node.
    #[must_use]
    pub fn new(tools: Tools, hints: Arc<dyn Hints>, node: WorkerId) -> Self {
        Self {
            tools,
            hints,
            node,
            told: None,
        }
    }

    async fn tell(&self, kind: &str, reason: Option<&str>) -> store::Result<()> {
        let note = NewEvent {
            kind: kind.to_owned(),
            subject: "hints".to_owned(),
            data: json!({"node": self.node.to_string(), "reason": reason}),
        };
        self.tools.store.note(&note, self.tools.clock.now()).await?;
        self.tools.wakeups.send(Wakeup::Facts);
        Ok(())
    }
}

#[async_trait]
impl Routine for HealthMonitor {
    about!("health-monitor": "tells when hints are not to be had on this node");

    async fn turn(&mut self) -> store::Result<Next> {
        let state = self.hints.state();
        let is_open = state == HintState::Open;
        metrics::gauge!("baton_hints_open").set(if is_open { 1.0 } else { 0.0 });
        match (state, &self.told) {
            (HintState::Away(why), None) => {
                tracing::warn!("{why}; until that is over, jobs are claimed from the database");
                self.tell("hints.away", Some(&why)).await?;
                self.told = Some(why);
            }
            (HintState::Open, Some(_)) => {
                tracing::info!("hints are to be had again");
                self.tell("hints.back", None).await?;
                self.told = None;
            }
            _ => {}
        }
        Ok(Next::After(PAUSE))
    }
}
