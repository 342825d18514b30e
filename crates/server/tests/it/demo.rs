//! The demonstration is the acceptance test.

use crate::support::run;

#[test]
fn the_demonstration_kills_its_server_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();

    let ran = run(folder.path(), &["demo", "--jobs", "500", "--json"]);

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    let summary = ran.json();
    assert_eq!(summary["accepted"], 500);
    assert_eq!(summary["disagreements"], serde_json::json!([]));
    assert_eq!(summary["lost"], serde_json::json!([]));
    assert!(summary["rescued"].as_u64().unwrap() > 0, "{summary}");
    assert!(ran.err().contains("SIGKILL"), "{}", ran.err());
}
