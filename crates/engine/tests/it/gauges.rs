//! What the metrics say of lines and workers, of which one node tells.

use metrics_exporter_prometheus::PrometheusBuilder;

use crate::fixture::{Fixture, LONG, spec};

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
