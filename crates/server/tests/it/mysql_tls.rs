//! TLS to MariaDB and MySQL: who is trusted, by what name, and who has to show a certificate.

use baton_testkit::{Brand, Mysql};

use crate::{authority::Authority, support::run};

/// A server that shows a certificate, and the authority that vouches for it.
struct Guarded {
    server: Mysql,
    authority: Authority,
}

impl Guarded {
    fn start(brand: Brand) -> Self {
        let authority = Authority::new();
        authority.certify_server("server");
        authority.certify_client("client", "baton");
        let file = |name: &str| authority.path().join(name).display().to_string();
        let settings = [
            format!("ssl-cert={}", file("server.pem")),
            format!("ssl-key={}", file("server.key")),
            format!("ssl-ca={}", file("ca.pem")),
        ];
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        Self {
            server: Mysql::start_with(brand, &settings),
            authority,
        }
    }

    /// What `baton migrate` says to a new database by this name of the host, as this user, under these parameters.
    fn migrate(&self, host: &str, user: &str, parameters: &str) -> (i32, String) {
        let url = self.server.database();
        let (_, place) = url.split_once("://").unwrap();
        let (_, place) = place.split_once('@').unwrap();
        let place = place.replace("127.0.0.1", host);
        let folder = self.authority.path();
        let parameters = parameters.replace("DIR", folder.to_str().unwrap());
        let url = format!("mysql://{user}@{place}?{parameters}");
        let ran = run(folder, &["migrate", "--database", &url]);
        (ran.code(), ran.out() + &ran.err())
    }
}

#[test]
fn a_mariadb_is_trusted_for_its_authority_and_its_name() {
    is_trusted_for_its_authority_and_its_name(Brand::Mariadb);
}

#[test]
fn a_server_is_trusted_for_its_authority_and_its_name_on_mysql() {
    is_trusted_for_its_authority_and_its_name(Brand::Mysql);
}

fn is_trusted_for_its_authority_and_its_name(brand: Brand) {
    let guarded = Guarded::start(brand);

    for (host, parameters, expected) in [
        (
            "localhost",
            "sslmode=verify-full&sslrootcert=DIR/ca.pem",
            Ok(()),
        ),
        (
            "127.0.0.1",
            "sslmode=verify-ca&sslrootcert=DIR/ca.pem",
            Ok(()),
        ),
        ("localhost", "sslmode=require", Ok(())),
        (
            "127.0.0.1",
            "sslmode=verify-full&sslrootcert=DIR/ca.pem",
            Err("another name"),
        ),
        (
            "localhost",
            "sslmode=verify-full&sslrootcert=DIR/stranger.pem",
            Err("nobody who is trusted"),
        ),
        (
            "localhost",
            "sslmode=verify-ca&sslrootcert=DIR/stranger.pem",
            Err("nobody who is trusted"),
        ),
        ("localhost", "sslmode=verify-full", Err("sslrootcert")),
        (
            "localhost",
            "sslmode=verify-full&sslrootcert=DIR/none.pem",
            Err("cannot be read"),
        ),
    ] {
        let (code, said) = guarded.migrate(host, "root", parameters);

        match expected {
            Ok(()) => assert_eq!(code, 0, "{brand}, {host} {parameters}: {said}"),
            Err(word) => {
                assert_ne!(code, 0, "{brand}, {host} {parameters}");
                assert!(said.contains(word), "{brand}, {host} {parameters}: {said}");
            }
        }
    }
}

/// MariaDB's server of the tests knows no users.
#[test]
fn a_server_that_asks_for_a_certificate_is_shown_ours_on_mysql() {
    let guarded = Guarded::start(Brand::Mysql);
    guarded
        .server
        .execute("CREATE USER baton@'%' REQUIRE X509; GRANT ALL ON *.* TO baton@'%'");
    let trusted = "sslmode=verify-full&sslrootcert=DIR/ca.pem";

    let (without, said) = guarded.migrate("localhost", "baton", trusted);
    let shown = format!("{trusted}&sslcert=DIR/client.pem&sslkey=DIR/client.key");
    let (with, explained) = guarded.migrate("localhost", "baton", &shown);

    assert_ne!(without, 0);
    assert!(said.contains("denied"), "{said}");
    assert_eq!(with, 0, "{explained}");
}

#[test]
fn a_mariadb_without_a_certificate_is_refused_where_one_is_asked_for() {
    let server = Mysql::shared(Brand::Mariadb);
    let folder = tempfile::tempdir().unwrap();
    let url = server.database();

    let open = run(folder.path(), &["migrate", "--database", &url]);
    let guarded = format!("{}?sslmode=require", server.database());
    let refused = run(folder.path(), &["migrate", "--database", &guarded]);

    assert_eq!(open.code(), 0, "{}", open.err());
    assert_ne!(refused.code(), 0);
    assert!(
        refused.err().contains("does not speak TLS"),
        "{}",
        refused.err()
    );
}
