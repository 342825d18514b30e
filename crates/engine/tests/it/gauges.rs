//! What the metrics say of lines and workers, of which one node tells.

use baton_domain::{Clock, JobId, job::JobSpec};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};

use crate::{
    campaigns::quiz,
    fixture::{Fixture, LONG, spec},
};

#[tokio::test]
async fn who_led_before_tells_of_no_job_and_no_worker_any_more() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    fixture.accept(spec()).await;
    fixture.heartbeat().await;
    fixture.turn("sequencer").await;
    fixture.turn("gauges").await;
    let told = recorder.handle().render();

    fixture.lose_the_lead().await;
    fixture.turn("gauges").await;

    let told_after = recorder.handle().render();
    for gauge in [
        r#"baton_queue_jobs{queue="default",state="queued"}"#,
        r#"baton_workers{where="server",state="live"}"#,
    ] {
        assert!(told.contains(&format!("{gauge} 1\n")), "{told}");
        assert!(told_after.contains(&format!("{gauge} 0\n")), "{told_after}");
    }
}

#[tokio::test]
async fn jobs_of_a_queue_that_no_live_worker_claims_from_are_told() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    fixture.accept(spec()).await;
    fixture.turn("sequencer").await;
    let gauge = r#"baton_queue_unserved_jobs{queue="default"}"#;

    fixture.turn("gauges").await;
    let alone = recorder.handle().render();
    fixture.heartbeat().await;
    tokio::time::pause();
    tokio::time::advance(LONG).await;
    fixture.turn("gauges").await;
    let served = recorder.handle().render();

    assert!(alone.contains(&format!("{gauge} 1\n")), "{alone}");
    assert!(served.contains(&format!("{gauge} 0\n")), "{served}");
}

#[tokio::test]
async fn jobs_that_are_due_for_longer_than_their_queues_target_are_told_as_late() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    for queue in ["prompt", "patient", "patient"] {
        let queue = Some(queue.to_owned());
        fixture.accept(JobSpec { queue, ..spec() }).await;
    }
    fixture.turn("sequencer").await;

    fixture.turn("gauges").await;
    let early = recorder.handle().render();
    fixture.clock.advance(LONG);
    fixture.turn("gauges").await;
    let late = recorder.handle().render();

    for line in [
        "baton_queue_late_jobs{queue=\"prompt\"} 0\n",
        "baton_queue_late_jobs{queue=\"patient\"} 0\n",
        "baton_queue_wait_target_seconds{queue=\"prompt\"} 30\n",
        "baton_queue_wait_target_seconds{queue=\"patient\"} 300\n",
    ] {
        assert!(early.contains(line), "{early}");
    }
    for line in [
        "baton_queue_late_jobs{queue=\"prompt\"} 1\n",
        "baton_queue_late_jobs{queue=\"patient\"} 0\n",
    ] {
        assert!(late.contains(line), "{late}");
    }
}

#[tokio::test]
async fn each_of_many_late_queues_tells_of_one_late_job_at_least() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    for number in 0..120 {
        let queue = Some(format!("many-{number}"));
        fixture.accept(JobSpec { queue, ..spec() }).await;
    }
    fixture.clock.advance(LONG);
    fixture.turn("sequencer").await;

    fixture.turn("gauges").await;

    let told = recorder.handle().render();
    let late = told
        .lines()
        .filter(|line| line.starts_with("baton_queue_late_jobs{"))
        .filter_map(|line| line.rsplit_once(' ')?.1.parse::<u32>().ok());
    assert_eq!(late.sum::<u32>(), 120, "{told}");
}

#[tokio::test]
async fn facts_that_wait_for_their_numbers_are_told_and_for_how_long() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    fixture.turn("sequencer").await;
    fixture.accept(spec()).await;
    fixture.clock.advance(LONG);

    fixture.turn("gauges").await;
    let waiting = recorder.handle().render();
    fixture.turn("sequencer").await;
    fixture.turn("poller").await;
    fixture.turn("gauges").await;
    let numbered = recorder.handle().render();

    for line in [
        "baton_outbox_pending 1\n",
        "baton_outbox_oldest_seconds 60\n",
    ] {
        assert!(waiting.contains(line), "{waiting}");
    }
    for line in [
        "baton_outbox_pending 0\n",
        "baton_outbox_oldest_seconds 0\n",
    ] {
        assert!(numbered.contains(line), "{numbered}");
    }
}

#[tokio::test]
async fn campaigns_that_have_not_ended_are_told_by_state_from_the_beginning() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    let gauge = |state: &str, count: u32| format!("baton_campaigns{{state=\"{state}\"}} {count}\n");

    fixture.turn("gauges").await;
    let none = recorder.handle().render();
    fixture.engine.create_campaign(quiz()).await.unwrap();
    fixture.turn("sequencer").await;
    fixture.turn("gauges").await;
    let one = recorder.handle().render();

    for state in ["scheduled", "expanding", "sending", "stopped", "canceled"] {
        assert!(none.contains(&gauge(state, 0)), "{none}");
    }
    assert!(one.contains(&gauge("scheduled", 1)), "{one}");
}

#[tokio::test]
async fn who_has_not_led_yet_tells_of_nothing_and_not_of_what_it_does_not_know() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    fixture.lose_the_lead().await;

    fixture.turn("gauges").await;

    let told = recorder.handle().render();
    assert!(told.contains("baton_outbox_pending 0\n"), "{told}");
    assert!(!told.contains("baton_queue_jobs{"), "{told}");
}

#[tokio::test]
async fn a_group_of_dead_letters_that_begins_is_counted_once_and_again_when_it_comes_back() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    fixture.turn("gauges").await;
    let mut told = Vec::new();

    let first = expired(&mut fixture).await;
    told.push(groups(&recorder));
    let second = expired(&mut fixture).await;
    told.push(groups(&recorder));
    for job in [first, second] {
        fixture.engine.retry(job, true).await.unwrap();
    }
    look(&mut fixture).await;
    told.push(groups(&recorder));
    expired(&mut fixture).await;
    told.push(groups(&recorder));

    let now_and_opened = [("1", "1"), ("1", "1"), ("0", "1"), ("1", "2")];
    let now_and_opened = now_and_opened.map(|(now, opened)| [now.to_owned(), opened.to_owned()]);
    assert_eq!(told, now_and_opened);
}

/// A job that has become a dead letter, as its time had passed, and a look at what there is then.
async fn expired(fixture: &mut Fixture) -> JobId {
    let expires_at = Some(fixture.clock.now() + LONG);
    let job = fixture
        .accept(JobSpec {
            expires_at,
            ..spec()
        })
        .await;
    fixture.clock.advance(LONG);
    fixture.turn("expirer").await;
    look(fixture).await;
    job
}

async fn look(fixture: &mut Fixture) {
    fixture.turn("sequencer").await;
    fixture.turn("gauges").await;
}

/// How many groups of dead letters there are, and how many have begun.
fn groups(recorder: &PrometheusRecorder) -> [String; 2] {
    let told = recorder.handle().render();
    let value = |name: &str| {
        let mut lines = told.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_default().to_owned()
    };
    ["baton_failure_groups", "baton_failure_groups_opened_total"].map(value)
}
