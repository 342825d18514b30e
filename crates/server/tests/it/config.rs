//! Files, variables and flags, and what is said when they are wrong.

use std::fs;

use crate::support::{Served, baton, run};

#[test]
fn an_unknown_setting_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[worker]\nslots = 5\nslot = 5\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();

    let ran = run(folder.path(), &["serve"]);

    assert_eq!(ran.code(), 2);
    assert!(ran.err().contains("line 3"), "{}", ran.err());
    assert!(ran.err().contains("`slot`"), "{}", ran.err());
    assert!(!ran.err().contains("panicked"), "{}", ran.err());
}

#[test]
fn a_bound_that_would_lock_everybody_out_is_refused_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "connections",
        "connections_per_address",
        "streams",
        "batches",
        "imports",
    ] {
        let file = format!("[server]\n{name} = 0\n");
        fs::write(folder.path().join("baton.toml"), file).unwrap();

        let ran = run(folder.path(), &["serve"]);

        assert_eq!(ran.code(), 2);
        let setting = format!("server.{name} = 0");
        assert!(ran.err().contains(&setting), "{}", ran.err());
    }
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_its_secret_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        "[database]\nconnections = \"hush-hush\"\n",
        "[redis]\nheal = \"hush-hush\"\n",
        "[http]\nsecrets = \"hush-hush\"\n",
        "[http]\nsecrets = [\"hush-hush]\n",
        "[server]\nlisten = \"hush-hush\"\n",
    ] {
        fs::write(folder.path().join("baton.toml"), file).unwrap();

        let ran = run(folder.path(), &["serve"]);

        assert_eq!(ran.code(), 2);
        assert!(ran.err().contains("line 2"), "{}", ran.err());
        assert!(!ran.err().contains("hush"), "{file}: {}", ran.err());
    }
}

#[cfg(unix)]
#[test]
fn what_the_server_keeps_is_nobody_elses_to_read_and_a_file_of_secrets_that_is_warns() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baton.toml");
    fs::write(
        &path,
        "[providers.push]\nkind = \"http\"\nurl = \"https://gateway.example/hush\"\n",
    )
    .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();

    let open = run(folder.path(), &["doctor", "--listen", "127.0.0.1:0"]);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let closed = run(folder.path(), &["doctor", "--listen", "127.0.0.1:0"]);
    let served = Served::start_in(folder, &[]);

    assert!(
        open.out().contains("chmod 600"),
        "{}{}",
        open.out(),
        open.err()
    );
    assert!(
        !open.out().contains("hush") && !closed.out().contains("chmod 600"),
        "{}",
        open.out()
    );
    let data = served.folder.path().join("baton-data");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    for file in fs::read_dir(&data).unwrap() {
        let file = file.unwrap().path();
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn a_variable_goes_before_the_file_and_a_flag_before_both() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[worker]\nslots = 5\nlease = \"5s\"\ngrace = \"5s\"\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();

    let ran = baton(folder.path())
        .args([
            "doctor",
            "--json",
            "--listen",
            "127.0.0.1:0",
            "--lease",
            "7s",
        ])
        .env("BATON_LEASE", "6s")
        .env("BATON_GRACE", "6s")
        .output()
        .unwrap();

    let out = String::from_utf8(ran.stdout).unwrap();
    let effective = |setting: &str| {
        let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut found = lines.filter(|line: &serde_json::Value| line["setting"] == setting);
        let line = found.next().unwrap();
        (line["value"].clone(), line["from"].clone())
    };
    assert_eq!(effective("worker.slots"), (5.into(), "baton.toml".into()));
    assert_eq!(
        effective("worker.grace"),
        ("6s".into(), "BATON_GRACE".into())
    );
    assert_eq!(effective("worker.lease"), ("7s".into(), "--lease".into()));
    assert_eq!(effective("worker.queues").1, "default");
}

#[test]
fn a_variable_can_turn_a_switch_off_that_the_file_turns_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[http]\nallow_private_targets = true\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();

    let ran = baton(folder.path())
        .args(["doctor", "--listen", "127.0.0.1:0"])
        .env("BATON_ALLOW_PRIVATE_TARGETS", "false")
        .output()
        .unwrap();

    let out = String::from_utf8(ran.stdout).unwrap();
    let line = "http.allow_private_targets\tfalse\tBATON_ALLOW_PRIVATE_TARGETS";
    assert!(out.contains(line), "{out}");
}

#[test]
fn the_documented_defaults_can_be_used_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let defaults = run(folder.path(), &["doctor", "--defaults"]).out();
    fs::write(folder.path().join("baton.toml"), defaults).unwrap();

    let ran = run(folder.path(), &["doctor", "--listen", "127.0.0.1:0"]);

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
}

#[test]
fn secrets_are_not_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[destinations.shop]\nurl = \"https://a.example/hush\"\nsecret = [\"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\"]\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();

    let words = [
        "doctor",
        "--json",
        "--database",
        "postgres://me:hush@127.0.0.1:1/x",
    ];
    let ran = run(folder.path(), &words);

    let all = ran.out() + &ran.err();
    assert!(!all.contains("hush") && !all.contains("MDEyMzQ1"), "{all}");
    assert!(all.contains("(hidden)"), "{all}");
}

#[test]
fn what_others_can_reach_is_refused_while_nobody_has_to_say_who_they_are() {
    let folder = tempfile::tempdir().unwrap();

    let ran = run(folder.path(), &["serve", "--listen", "0.0.0.0:0"]);

    assert_eq!(ran.code(), 2);
    assert!(ran.err().contains("--insecure-no-auth"), "{}", ran.err());
}
