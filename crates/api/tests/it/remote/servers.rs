//! Which server a remote worker speaks to: another one, or one that stops.

use axum::http::Method;
use baton_domain::LeaseId;
use serde_json::json;

use super::{Far, claim, job, jobs_of, resize};
use crate::fixture::Fixture;

#[tokio::test]
async fn what_one_server_handed_out_goes_on_and_ends_at_another() {
    let (fixture, lease) = (Fixture::new(), LeaseId::random());
    let far = Far::registered(&fixture).await;
    resize(&fixture).await;
    let claimed = far.claim(lease, "0s").await;
    let other = fixture.another_node();
    let elsewhere = Far {
        fixture: &other,
        id: far.id,
    };
    let mut again = claim(lease, "0s");
    again["repeat"] = json!(1);

    let repeated = jobs_of(&elsewhere.say("claim", again).await);
    let news = elsewhere.say("beat", json!({"heard": [lease]})).await;
    let saved = elsewhere
        .checkpoint(&claimed[0]["token"], 1, json!({}))
        .await;
    let settled = elsewhere
        .result(&claimed[0]["token"], json!({"verdict": "accepted"}))
        .await;

    assert_eq!(
        (&repeated[0]["id"], repeated.len()),
        (&claimed[0]["id"], claimed.len())
    );
    assert_eq!(news["held"], json!([lease]));
    assert_eq!(saved["saved"], "recorded");
    assert_eq!(settled["settled"], "recorded");
    assert_eq!(job(&fixture, &claimed[0]["id"]).await["state"], "succeeded");
}

#[tokio::test]
async fn a_server_that_stops_hears_what_workers_have_and_hands_out_nothing() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let (lease, other_lease) = (LeaseId::random(), LeaseId::random());
    resize(&fixture).await;
    let claimed = far.claim(lease, "0s").await.remove(0);
    resize(&fixture).await;
    let unheard = far.claim(other_lease, "0s").await.remove(0);
    fixture.engine.health_board().drain();

    let news = far.say("beat", json!({"heard": [lease]})).await;
    let saved = far.checkpoint(&claimed["token"], 1, json!({})).await;
    let settled = far
        .result(&claimed["token"], json!({"verdict": "accepted"}))
        .await;
    let released = far.say("release", json!({"leases": [other_lease]})).await;
    let path = format!("/v1/workers/{}", far.id);
    let refused = fixture
        .post(&format!("{path}/claim"), claim(LeaseId::random(), "0s"))
        .await;
    let left = fixture.call(Method::DELETE, &path, None).await;

    assert_eq!(news["held"], json!([lease]));
    assert_eq!(saved["saved"], "recorded");
    assert_eq!(settled["settled"], "recorded");
    assert_eq!(released, json!({"given_back": 1}));
    refused.problem("draining");
    assert!(left.status.is_success(), "{}", left.status);
    assert_eq!(job(&fixture, &unheard["id"]).await["state"], "queued");
}
