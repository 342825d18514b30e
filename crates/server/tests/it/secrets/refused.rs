//! Settings that are refused, or lead nowhere, and have secrets in them.

use std::fs;

use super::{canary, path_of_the_build};
use crate::support::run;

/// What is in a file that should hold a key, and does not.
const NO_KEY: &str = "-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n";

#[test]
fn addresses_that_are_refused_or_lead_nowhere_tell_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("key"), NO_KEY).unwrap();
    fs::write(at("mysql"), "mysql://me:canary@h/x").unwrap();
    fs::write(at("http"), "http://:canary@h").unwrap();

    for words in [
        ["--database", "postgres://me:canary@127.0.0.1:1/x"],
        ["--database", "postgres://me@127.0.0.1:1/x?password=canary"],
        [
            "--database",
            "postgres://me@127.0.0.1:1/x?sslpassword=canary",
        ],
        ["--database", "postgres://me:canary@127.0.0.1:x/x"],
        ["--database", "postgres://me:canary@db.example/x"],
        ["--database", "mysql://me:canary@h/x"],
        ["--database", "postgres//me:canary@h/x"],
        [
            "--database",
            "postgres://me:canary@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=key&sslcert=key&sslkey=key",
        ],
        [
            "--database",
            "postgres://me@127.0.0.1:1/x?sslmode=verify-full&sslcert=key&sslkey=key",
        ],
        ["--database-file", "mysql"],
        ["--redis", "redis://:canary@127.0.0.1:1/0"],
        ["--redis", "rediss://me:canary@127.0.0.1:1/0"],
        ["--redis", "redis://:canary@127.0.0.1:x/0"],
        ["--redis", "redis://:canary@127.0.0.1:1/x"],
        ["--redis", "http://:canary@h"],
        ["--redis", "redis+sentinel://:canary@127.0.0.1:1/jobs"],
        ["--redis", "redis+sentinel://:canary@127.0.0.1:1"],
        ["--redis", "redis+sentinel://me:canary@/jobs"],
        ["--redis-file", "http"],
    ] {
        for command in [&["doctor"][..], &["doctor", "--json"], &["migrate"]] {
            let ran = run(folder.path(), &[command, &words].concat());

            let told = ran.out() + &ran.err();
            assert!(!told.is_empty(), "{command:?} {words:?}");
            assert_eq!(canary(&told), None, "{command:?} {words:?}");
            assert_eq!(path_of_the_build(&told), None, "{command:?} {words:?}");
        }
    }
}

#[test]
fn settings_that_are_refused_tell_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = "[destinations.shop]\nurl = \"http://127.0.0.1:9/\"\n";

    for file in [
        "[database]\npassword = \"canary\"\n",
        "[database]\nurl = \"postgres://me:canary@127.0.0.1:1/x\"\npassword = \"canary\"\n",
        "[database]\npassword = [\"canary\"]\n",
        "[database]\nurl = { text = \"canary\" }\n",
        "[redis]\npassword = \"canary\"\n",
        "[redis]\nurl = \"redis://:canary@127.0.0.1:1\"\npassword = \"canary\"\n",
        "[redis]\nurl = \"canary\n",
        "[redis]\npasword = \"canary\"\n",
        &format!("{receiver}secret = \"canary\"\n"),
        &format!("{receiver}secret = [\"whsec_canary\", 7]\n"),
        &format!("{receiver}headers = {{ \"A b\" = \"canary\" }}\n"),
        &format!("{receiver}headers = {{ A = \"canary\\n\" }}\n"),
        "[destinations.shop]\nurl = \"ftp://canary@h/canary\"\n",
        "[providers.push]\nkind = \"http\"\nurl = \"http://me:canary@h:x/canary\"\n",
    ] {
        fs::write(folder.path().join("baton.toml"), file).unwrap();

        let ran = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);

        let told = ran.out() + &ran.err();
        assert_eq!(ran.code(), 2, "{file}: {told}");
        assert_eq!(canary(&told), None, "{file}");
    }
}
