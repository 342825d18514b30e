//! Rows that cannot be read: who asks for one is told so, and whoever looks at the fixture, how many there are.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::{CampaignId, Clock, JobId, OperationId, ScheduleId};
use baton_ports::{
    Store,
    layer::{Hook, Layer, StoreCall},
    store::{Error, Result, Unreadable},
};
use serde_json::json;

use crate::fixture::Fixture;

/// Each thing by itself is damaged, and three rows were met.
struct Damaged;

/// Of each job the history is damaged, and nothing else.
struct DamagedHistory;

#[async_trait]
impl Hook for DamagedHistory {
    async fn before(&self, call: StoreCall) -> Result<()> {
        match call.name {
            "attempts_of" | "job_events" => Err(corrupt()),
            _ => Ok(()),
        }
    }
}

fn corrupt() -> Error {
    Error::Corrupt {
        table: "things",
        column: "plan",
        message: "a secret of a row".to_owned(),
    }
}

#[async_trait]
impl Hook for Damaged {
    async fn before(&self, call: StoreCall) -> Result<()> {
        if ["job", "campaign", "find_schedule", "operation"].contains(&call.name) {
            return Err(corrupt());
        }
        Ok(())
    }

    async fn unreadable(&self, _below: &dyn Store) -> Result<Vec<Unreadable>> {
        let row = |table, row: &str| Unreadable {
            table,
            row: row.to_owned(),
            column: "plan",
        };
        Ok(vec![
            row("campaigns", "c"),
            row("jobs", "a"),
            row("jobs", "b"),
        ])
    }
}

fn damaged() -> Fixture {
    let fixture = Fixture::new();
    let store = Layer::over(Arc::clone(&fixture.store) as Arc<dyn Store>, Damaged);
    fixture.over(store)
}

#[tokio::test]
async fn who_asks_for_a_history_that_cannot_be_read_is_told_so_and_the_job_can_be_read() {
    let fixture = Fixture::new();
    let job = fixture.job(json!({})).await;
    let store = Layer::over(Arc::clone(&fixture.store) as Arc<dyn Store>, DamagedHistory);
    let fixture = fixture.over(store);

    let read = fixture.get(&format!("/v1/jobs/{job}")).await.ok();
    let histories = [
        format!("/v1/jobs/{job}/attempts"),
        format!("/v1/attempts?jobs={job}"),
        format!("/v1/jobs/{job}/events"),
    ];

    assert_eq!(read["id"], job.to_string());
    for path in histories {
        let problem = fixture.get(&path).await.problem("unreadable");
        assert!(!problem.to_string().contains("secret"), "{problem:#}");
    }
}

#[tokio::test]
async fn who_asks_for_one_that_cannot_be_read_is_told_so_without_what_is_in_it() {
    let fixture = damaged();
    let now = fixture.clock.now();
    let paths = [
        format!("/v1/jobs/{}", JobId::new(now)),
        format!("/v1/campaigns/{}", CampaignId::new(now)),
        format!("/v1/schedules/{}", ScheduleId::new(now)),
        format!("/v1/operations/{}", OperationId::new(now)),
    ];

    for path in paths {
        let problem = fixture.get(&path).await.problem("unreadable");

        let said = problem["detail"].as_str().unwrap();
        assert!(
            said.starts_with("A row of things cannot be read: its plan"),
            "{path}: {said}"
        );
        assert!(!problem.to_string().contains("secret"), "{problem:#}");
    }
}

#[tokio::test]
async fn rows_that_cannot_be_read_are_counted_by_table_and_the_server_is_ready() {
    let fixture = damaged();

    let readiness = fixture.get("/readyz").await.ok();

    let rows = readiness["components"].as_array().unwrap();
    let rows = rows.iter().find(|one| one["name"] == "rows").unwrap();
    assert_eq!(
        (&readiness["ready"], &rows["ready"]),
        (&json!(true), &json!(true))
    );
    let detail = rows["detail"].as_str().unwrap();
    assert!(detail.contains("3 cannot be read"), "{detail}");
    assert!(detail.contains("1 of campaigns, 2 of jobs"), "{detail}");
}
