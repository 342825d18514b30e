//! TLS to PostgreSQL: who is trusted, by what name, and who has to show a certificate.

use std::fs;

use baton_testkit::Postgres;

use crate::{authority::Authority, support::run};

/// A PostgreSQL that speaks only encrypted on loopback, and the authority that vouches for it.
struct Guarded {
    postgres: Postgres,
    authority: Authority,
}

/// A database of it that asks for the client's certificate.
const BY_CERTIFICATE: &str = "by_certificate";

impl Guarded {
    fn start() -> Self {
        let authority = Authority::new();
        let mut guarded = Self {
            postgres: Postgres::start(),
            authority,
        };
        guarded.authority.certify_server("server");
        let user = guarded.user();
        guarded.authority.certify_client("client", &user);
        guarded.present("server");
        guarded.demand_certificates();
        // A reload would be done some time after it was asked for.
        guarded.postgres.restart();
        guarded
    }

    /// Gives the server a certificate. It writes its key down itself: nobody else may be able to read it.
    fn present(&self, file: &str) {
        for (from, to) in [
            (format!("{file}.pem"), "server.pem"),
            (format!("{file}.key"), "server.key"),
            ("ca.pem".to_owned(), "ca.pem"),
        ] {
            let text = fs::read_to_string(self.authority.path().join(from)).unwrap();
            self.as_the_server(&format!("umask 077; printf %s \"{text}\" > {to}"));
        }
        for setting in [
            "ssl_cert_file = 'server.pem'",
            "ssl_key_file = 'server.key'",
            "ssl_ca_file = 'ca.pem'",
            "ssl = on",
        ] {
            self.postgres
                .execute(&format!("ALTER SYSTEM SET {setting}"));
        }
    }

    fn demand_certificates(&self) {
        self.postgres
            .execute(&format!("CREATE DATABASE {BY_CERTIFICATE}"));
        self.as_the_server(&format!(
            "(echo hostssl {BY_CERTIFICATE} all all cert; cat pg_hba.conf) > new; mv new pg_hba.conf"
        ));
    }

    fn as_the_server(&self, script: &str) {
        // It is fed a row, and must not end before it has read it.
        let script = format!("cat > /dev/null; {script}");
        let script = script.replace('\'', "''");
        self.postgres
            .execute(&format!("COPY (SELECT 1) TO PROGRAM '{script}'"));
    }

    fn user(&self) -> String {
        let url = self.postgres.url();
        let user = url.split("://").nth(1).unwrap().split(['@', ':']).next();
        user.unwrap().to_owned()
    }

    fn url(&self, place: &str, parameters: &str) -> String {
        let (user, port) = (self.user(), self.postgres.port());
        let (host, database) = place.split_once('/').unwrap();
        let parameters = parameters.replace("DIR", self.authority.path().to_str().unwrap());
        format!("postgres://{user}@{host}:{port}/{database}?{parameters}")
    }

    /// What `baton migrate` says to a host and a database under these parameters, and how it ended.
    fn migrate(&self, place: &str, parameters: &str) -> (i32, String) {
        let url = self.url(place, parameters);
        let ran = run(self.authority.path(), &["migrate", "--database", &url]);
        (ran.code(), ran.out() + &ran.err())
    }
}

#[test]
fn a_server_is_trusted_for_its_authority_and_its_name() {
    let guarded = Guarded::start();

    for (place, parameters, expected) in [
        (
            "localhost/postgres",
            "sslmode=verify-full&sslrootcert=DIR/ca.pem",
            Ok(()),
        ),
        (
            "127.0.0.1/postgres",
            "sslmode=verify-ca&sslrootcert=DIR/ca.pem",
            Ok(()),
        ),
        ("localhost/postgres", "sslmode=require", Ok(())),
        (
            "127.0.0.1/postgres",
            "sslmode=verify-full&sslrootcert=DIR/ca.pem",
            Err("another name"),
        ),
        (
            "localhost/postgres",
            "sslmode=verify-full&sslrootcert=DIR/stranger.pem",
            Err("nobody who is trusted"),
        ),
        (
            "localhost/postgres",
            "sslmode=verify-ca&sslrootcert=DIR/stranger.pem",
            Err("nobody who is trusted"),
        ),
        (
            "localhost/postgres",
            "sslmode=verify-full",
            Err("sslrootcert"),
        ),
        (
            "localhost/postgres",
            "sslmode=verify-full&sslrootcert=DIR/none.pem",
            Err("cannot be read"),
        ),
    ] {
        let (code, said) = guarded.migrate(place, parameters);

        match expected {
            Ok(()) => assert_eq!(code, 0, "{place} {parameters}: {said}"),
            Err(word) => {
                assert_ne!(code, 0, "{place} {parameters}");
                assert!(said.contains(word), "{place} {parameters}: {said}");
            }
        }
    }
}

#[test]
fn a_server_that_asks_for_a_certificate_is_shown_ours() {
    let guarded = Guarded::start();
    let place = format!("localhost/{BY_CERTIFICATE}");
    let trusted = "sslmode=verify-full&sslrootcert=DIR/ca.pem";

    let (without, asked) = guarded.migrate(&place, trusted);
    let shown = format!("{trusted}&sslcert=DIR/client.pem&sslkey=DIR/client.key");
    let (with, said) = guarded.migrate(&place, &shown);
    let other = format!("{trusted}&sslcert=DIR/client.pem&sslkey=DIR/ca.key");
    let (mixed_up, explained) = guarded.migrate(&place, &other);

    assert_ne!(without, 0);
    assert!(asked.contains("certificate"), "{asked}");
    assert_eq!(with, 0, "{said}");
    assert_ne!(mixed_up, 0);
    assert!(explained.contains("do not go together"), "{explained}");
}

#[test]
fn a_backup_and_a_restore_show_the_same_certificates() {
    let guarded = Guarded::start();
    let place = format!("localhost/{BY_CERTIFICATE}");
    let shown =
        "sslmode=verify-full&sslrootcert=DIR/ca.pem&sslcert=DIR/client.pem&sslkey=DIR/client.key";
    let (migrated, said) = guarded.migrate(&place, shown);
    assert_eq!(migrated, 0, "{said}");
    let url = guarded.url(&place, shown);
    let stranger = guarded.url(&place, &shown.replace("DIR/ca.pem", "DIR/stranger.pem"));
    let folder = guarded.authority.path();
    let copy = |url: &str, file: &str| run(folder, &["backup", file, "--database", url]);

    let copied = copy(&url, "copy.dump");
    let strange = copy(&stranger, "other.dump");
    let words = ["restore", "copy.dump", "--replace", "--database", &url];
    let restored = run(folder, &words);

    assert_eq!(copied.code(), 0, "{}", copied.err());
    assert_eq!(strange.code(), 7, "{}", strange.err());
    assert_eq!(restored.code(), 0, "{}", restored.err());
}

#[test]
#[cfg(target_os = "linux")]
fn a_connection_that_others_could_listen_to_is_told_by_doctor_though_it_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let database = Postgres::shared().database();
    // It leads to this machine, but not by a name of it.
    let url = database.url().replace("127.0.0.1", "0.0.0.0");
    assert!(url.contains("0.0.0.0"), "{url}");
    let accepted = ["--database", &url, "--allow-unverified-database"];
    let doctor = |flags: &[&str]| {
        let words = ["doctor", "--allow-unsafe-durability", "--listen"];
        let words = [&words[..], &["127.0.0.1:0"], flags].concat();
        let ran = run(folder.path(), &words);
        (ran.code(), ran.out())
    };
    let migrated = run(folder.path(), &[&["migrate"][..], &accepted].concat());

    let (refused, why) = doctor(&accepted[..2]);
    let (code, told) = doctor(&accepted);

    assert_eq!((migrated.code(), code), (0, 0), "{}{told}", migrated.err());
    let finding = told.lines().find(|line| line.contains(" connection: "));
    let finding = finding.unwrap();
    assert!(finding.starts_with("odd "), "{finding}");
    for words in [
        "open to whoever is on the way",
        "the settings accept that",
        "sslmode=verify-full",
    ] {
        assert!(finding.contains(words), "{finding}");
    }
    assert_eq!(refused, 1, "{why}");
    assert!(why.contains("--allow-unverified-database"), "{why}");
}
