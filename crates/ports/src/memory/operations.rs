//! Operations on the jobs of a state, and the end of any operation before it is through.

use async_trait::async_trait;
use baton_domain::{
    JobId, OperationId, Timestamp,
    operation::{Action, Operation},
};

use super::{MemoryStore, StoredOperation, Tables, facts::Fact};
use crate::store::{JobAct, JobsStep, Operations, Result};

#[async_trait]
impl Operations for MemoryStore {
    async fn begin_on_jobs(&self, operation: &Operation) -> Result<Operation> {
        let mut tables = self.tables();
        let is_new = !tables.operations.contains_key(&operation.id);
        let begun = tables.begin_on_jobs(operation);
        self.put_down(&mut tables, is_new);
        Ok(begun)
    }

    async fn unfinished_on_jobs(&self) -> Result<Option<(Operation, Option<JobId>)>> {
        let tables = self.tables();
        let mut running = tables.operations.values();
        let found = running.find(|running| is_under_way(running) && is_on_jobs(running));
        Ok(found.map(|running| (running.operation.clone(), running.cursor)))
    }

    async fn act_on_job(&self, id: OperationId, act: &JobAct, now: Timestamp) -> Result<bool> {
        Ok(self.tables().act_on_job(id, act, now).is_some())
    }

    async fn advance_on_jobs(&self, step: &JobsStep, now: Timestamp) -> Result<bool> {
        Ok(self.tables().advance_on_jobs(step, now).is_some())
    }

    async fn stop_operation(&self, id: OperationId, now: Timestamp) -> Result<bool> {
        let mut tables = self.tables();
        let has_stopped = tables.stop_operation(id, now).is_some();
        self.put_down(&mut tables, has_stopped);
        Ok(has_stopped)
    }
}

impl Tables {
    fn begin_on_jobs(&mut self, operation: &Operation) -> Operation {
        if let Some(begun) = self.operations.get(&operation.id) {
            return begun.operation.clone();
        }
        let running = StoredOperation {
            operation: operation.clone(),
            cursor: None,
        };
        self.operations.insert(operation.id, running);
        let id = operation.id.to_string();
        let fact = Fact::about("operation.started", id, operation.created_at);
        self.ledger
            .tell(vec![fact.with("action", operation.action.as_str())]);
        operation.clone()
    }

    fn act_on_job(&mut self, id: OperationId, act: &JobAct, now: Timestamp) -> Option<()> {
        self.operations.get(&id).filter(|one| is_under_way(one))?;
        match act {
            JobAct::Move(change) => {
                let reason = change.reason.as_deref();
                let fact = self.transition(change.job, change.transition, reason, now)?;
                self.ledger.tell(vec![fact]);
            }
            JobAct::AskToStop(job, _) if self.cancellations.contains_key(job) => return None,
            JobAct::AskToStop(job, reason) => self
                .request_cancel(*job, reason.as_deref(), now)
                .then_some(())?,
        }
        self.operations.get_mut(&id)?.operation.done += 1;
        Some(())
    }

    fn advance_on_jobs(&mut self, step: &JobsStep, now: Timestamp) -> Option<()> {
        let running = self.operations.get_mut(&step.operation);
        let running = running.filter(|one| is_under_way(one) && one.cursor == step.from)?;
        running.cursor = step.to;
        let operation = &mut running.operation;
        operation.skipped += u64::from(step.skipped);
        operation.total = operation.total.max(operation.done + operation.skipped);
        if step.is_last {
            operation.skipped = operation.total - operation.done;
            operation.is_at_least = false;
            operation.finished_at = Some(now);
            let fact = Fact::about("operation.finished", step.operation.to_string(), now);
            self.ledger.tell(vec![fact]);
        }
        Some(())
    }

    fn stop_operation(&mut self, id: OperationId, now: Timestamp) -> Option<()> {
        let running = self.operations.get_mut(&id);
        let running = running.filter(|one| is_under_way(one) && is_stoppable(one))?;
        running.operation.finished_at = Some(now);
        running.operation.is_stopped = true;
        let fact = Fact::about("operation.finished", id.to_string(), now);
        self.ledger.tell(vec![fact]);
        Some(())
    }
}

const fn is_under_way(running: &StoredOperation) -> bool {
    running.operation.finished_at.is_none()
}

const fn is_on_jobs(running: &StoredOperation) -> bool {
    running.operation.jobs.is_some()
}

/// A person who is half erased is neither there nor gone.
fn is_stoppable(running: &StoredOperation) -> bool {
    running.operation.action != Action::Erase
}
