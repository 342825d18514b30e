//! A handler tested without a server.

use std::time::Duration;

use baton_sdk::{App, Context, JobError, Verdict, testing};

fn app() -> App {
    App::new("http://127.0.0.1:1").unwrap()
}

async fn backfill(count: u64, ctx: Context) -> Result<u64, JobError> {
    let row = app().job::<u64>("row");
    let mut after = ctx.cursor::<u64>()?.unwrap_or(0);
    while after < count {
        let chunk = after..count.min(after + 1000);
        after = chunk.end;
        let rows: Vec<_> = chunk.map(|number| row.args(&number)).collect();
        ctx.checkpoint(&after).done(after).jobs(rows).await?;
    }
    Ok(after)
}

#[tokio::test]
async fn a_handler_is_tried_from_any_cursor_without_a_server() {
    let job = app().job::<u64>("backfill").returns::<u64>();

    let attempt = testing::run(&job, backfill, &3000).cursor(&1000).await;

    let result = Some("3000".to_owned());
    assert_eq!(attempt.verdict, Verdict::Accepted { result });
    assert_eq!(attempt.jobs().len(), 2000);
    let cursors: Vec<_> = attempt.steps.iter().map(|step| &*step.cursor).collect();
    assert_eq!(cursors, ["2000", "3000"]);
}

#[tokio::test]
async fn a_handler_that_is_told_to_stop_at_a_checkpoint_runs_again_soon() {
    let job = app().job::<u64>("backfill").returns::<u64>();

    let attempt = testing::run(&job, backfill, &3000).stopped_after(1).await;

    let after = Duration::from_secs(1);
    assert_eq!(attempt.verdict, Verdict::Snoozed { after });
    assert_eq!(attempt.steps.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_takes_too_long_is_timed_out() {
    let job = app().job::<u64>("sleep");
    let sleep = |_: u64, _: Context| async {
        std::future::pending::<()>().await;
        Ok(())
    };

    let attempt = testing::run(&job, sleep, &1).await;

    assert!(
        matches!(attempt.verdict, Verdict::Failed { failure, .. } if failure.code == "timeout")
    );
}
