//! A notification from the command to the gateway and back to the inbox, and providers that cannot be.

use std::{fs, time::Duration};

use baton_client::Client;
use baton_lab::target::{Options, Target};
use baton_testkit::eventually;

use crate::support::{Served, run};

const TIMEOUT: Duration = Duration::from_secs(30);

#[test]
fn a_line_of_a_handler_says_of_which_attempt_it_is_where_the_log_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("baton.toml"),
        "[providers.log]\nkind = \"log\"\n",
    )
    .unwrap();
    let flags = ["--log", "info,baton_worker=debug", "--log-format", "json"];
    let served = Served::start_in(folder, &flags);
    served.run(&[
        "recipients",
        "put",
        "user-1",
        "--platform",
        "ios",
        "--address",
        "push=token",
    ]);

    let told = served.run(&[
        "notify", "user-1", "--title", "Hi", "--body", "news", "--json",
    ]);
    let job = told.json()["items"][0]["job_id"]
        .as_str()
        .unwrap()
        .to_owned();
    served.run(&["jobs", "watch", &job, "--timeout", "30s"]);

    let log = served.log();
    let line = log
        .lines()
        .find(|line| line.contains("a message is told to the log"));
    let line: serde_json::Value = serde_json::from_str(line.unwrap()).unwrap();
    let span = &line["span"];
    assert_eq!(span["name"], "attempt", "{line}");
    assert_eq!((&span["job"], &span["attempt"]), (&job.into(), &1.into()));
    assert_eq!(
        (&span["kind"], &span["queue"]),
        (&"delivery".into(), &"notifications".into())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_reaches_the_gateway_and_lies_in_the_inbox_until_it_is_read() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "[providers.push]\nkind = \"http\"\nurl = \"{}\"\nconcurrency = 10\n",
        gateway.url("/ok")
    );
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let served = Served::start_in(folder, &[]);
    let put = [
        "recipients",
        "put",
        "user-1",
        "--platform",
        "ios",
        "--address",
        "push=token",
    ];
    assert_eq!(served.run(&put).code(), 0);

    let words = [
        "notify",
        "user-1",
        "--title",
        "Hi {{id}}",
        "--body",
        "news",
        "--json",
    ];
    let told = served.run(&words).json();

    let job = told["items"][0]["job_id"].as_str().unwrap();
    eventually("the gateway was called", TIMEOUT, async || {
        gateway
            .arrivals()
            .iter()
            .any(|arrival| arrival.job_id == job)
    })
    .await;
    eventually("the job has succeeded", TIMEOUT, async || {
        served.run(&["jobs", "show", job, "--json"]).json()["job"]["state"] == "succeeded"
    })
    .await;
    let shown = served.run(&["recipients", "inbox", "user-1"]).out();
    assert!(
        shown.contains("* ") && shown.contains("Hi user-1: news"),
        "{shown}"
    );
    assert!(shown.ends_with("1 unread\n"), "{shown}");
    let item = told["items"][0]["item_id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let read = Client::new(&served.url)
        .unwrap()
        .read_item("user-1", item)
        .await
        .unwrap();
    assert_eq!((read.count, gateway.total()), (0, 1));
    assert!(
        served
            .run(&["recipients", "inbox", "user-1"])
            .out()
            .ends_with("0 unread\n")
    );
}

#[tokio::test]
async fn a_node_without_the_provider_puts_every_delivery_off_and_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[providers.push]\nkind = \"log\"\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let takes = Served::start_in(folder, &["--roles", "api"]);
    let mut jobs = Vec::new();
    for n in 0..20 {
        let user = format!("user-{n}");
        let put = ["recipients", "put", &user, "--platform", "ios"];
        takes.run(&[&put[..], &["--address", "push=token"]].concat());
        let told = ["notify", &user, "--title", "Hi", "--body", "news", "--json"];
        let told = takes.run(&told).json();
        jobs.push(told["items"][0]["job_id"].as_str().unwrap().to_owned());
    }
    takes.signal("TERM");
    let (_, _, folder) = takes.ended();
    fs::remove_file(folder.path().join("baton.toml")).unwrap();

    let without = Served::start_in(folder, &[]);

    eventually("each was tried here", TIMEOUT, async || {
        jobs.iter().all(|job| {
            let shown = without.run(&["jobs", "show", job, "--json"]).out();
            shown.contains("no_provider")
        })
    })
    .await;
    without.signal("TERM");
    let (_, log) = without.last_words();
    let told = log.matches("no provider push is configured here: its deliveries are put off");
    assert_eq!(told.count(), 1, "{log}");
}

#[test]
fn a_provider_that_cannot_be_used_is_named_with_its_setting_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    for (file, said) in [
        (
            "[providers.push]\nkind = \"http\"\n",
            "providers.push.url is missing",
        ),
        ("[providers.push]\nkind = \"pigeon\"\n", "pigeon"),
        ("[providers.push]\nkind = \"log\"\nspeed = 1\n", "speed"),
        (
            "[providers.push]\nkind = \"http\"\nurl = \"http://a/\"\n[[providers.push.verdicts]]\nstatus = \"many\"\nverdict = \"gone\"\n",
            "no status",
        ),
    ] {
        fs::write(folder.path().join("baton.toml"), file).unwrap();

        let ran = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);

        assert_eq!(ran.code(), 2, "{}", ran.err());
        assert!(ran.err().contains(said), "{}", ran.err());
    }
}

#[test]
fn credentials_of_a_provider_are_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[providers.push]\nkind = \"http\"\nurl = \"http://a/\"\nheaders = { Authorization = \"Bearer tiger\" }\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();

    let ran = run(
        folder.path(),
        &["doctor", "--json", "--listen", "127.0.0.1:0"],
    );

    assert!(ran.out().contains("(hidden)"), "{}", ran.out());
    assert!(!ran.out().contains("tiger") && !ran.err().contains("tiger"));
}
