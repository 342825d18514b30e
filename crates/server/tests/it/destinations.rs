//! Receivers that the configuration names.

use std::{fs, time::Duration};

use baton_lab::target::{Options, Target};
use baton_testkit::eventually;

use crate::support::{Served, baton, run};

const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_job_calls_a_destination_whose_credentials_stand_in_a_file() {
    let shop = Target::start(Options::default()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "Bearer canary-of-the-file\n").unwrap();
    let file = format!(
        "[destinations.shop]\nurl = \"{}\"\nallow_private = true\nheaders = {{ Authorization = {{ file = {token:?} }} }}\n",
        shop.url("/")
    );
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let served = Served::start_in(folder, &[]);

    let payload = r#"{"destination": "shop", "path": "/ok", "body": {}}"#;
    let words = ["jobs", "enqueue", "http", "--payload", payload, "--json"];
    let job = served.run(&words).json()["id"].as_str().unwrap().to_owned();

    eventually("the job has succeeded", TIMEOUT, async || {
        served.run(&["jobs", "show", &job, "--json"]).json()["job"]["state"] == "succeeded"
    })
    .await;
    let arrivals = shop.arrivals();
    assert!(arrivals.iter().any(|arrival| arrival.job_id == job));
    let doctor = run(served.folder.path(), &["doctor", "--json"]);
    let told = doctor.out() + &doctor.err();
    assert!(told.contains("destinations.shop"), "{told}");
    assert!(!told.contains("canary"), "{told}");
}

#[test]
fn the_secret_that_all_receivers_shared_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[http]\nsecrets = [\"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\"]\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();

    let ran = run(folder.path(), &["serve"]);

    assert_eq!(ran.code(), 2);
    assert!(ran.err().contains("[destinations.NAME]"), "{}", ran.err());
    assert!(!ran.err().contains("MDEyMzQ1"), "{}", ran.err());
}

#[test]
fn a_secret_comes_from_a_file_or_is_missed_by_the_name_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("url"), "postgres://me:canary@127.0.0.1:1/x\n").unwrap();
    fs::write(here.join("empty"), "\n").unwrap();
    let doctor = |file: &str, variable: Option<&str>| {
        fs::write(here.join("baton.toml"), file).unwrap();
        let mut doctor = baton(here);
        doctor.args(["doctor", "--json", "--listen", "127.0.0.1:0"]);
        if let Some(path) = variable {
            doctor.env("BATON_DATABASE_FILE", path);
        }
        let ran = doctor.output().unwrap();
        String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap()
    };

    let by_variable = doctor("", Some("url"));
    let by_setting = doctor("[database]\nurl = { file = \"url\" }\n", None);
    let apart = "[database]\nurl = \"postgres://me@127.0.0.1:1/x\"\npassword = \"canary\"\n";
    let apart = doctor(apart, None);
    let missing = doctor("[redis]\nurl = { file = \"nowhere\" }\n", None);
    let empty = doctor("[redis]\nurl = { file = \"empty\" }\n", None);

    for told in [&by_variable, &by_setting, &apart] {
        assert!(told.contains("postgres://me@127.0.0.1:1/x"), "{told}");
    }
    assert!(by_variable.contains("BATON_DATABASE_FILE"), "{by_variable}");
    assert!(
        missing.contains("the file nowhere cannot be read"),
        "{missing}"
    );
    assert!(empty.contains("the file empty is empty"), "{empty}");
    for told in [by_variable, by_setting, apart, missing, empty] {
        assert!(!told.contains("canary"), "{told}");
    }
}
