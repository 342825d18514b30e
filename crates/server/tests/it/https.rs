//! TLS of the server itself: which certificate it shows, when that changes, and what it does with who does not speak it.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    time::Duration,
};

use baton_testkit::eventually;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
};
use tempfile::TempDir;

use crate::support::{Ran, Served, run};

const TIMEOUT: Duration = Duration::from_secs(30);
const FLAGS: [&str; 4] = ["--tls-certificate", "tls.crt", "--tls-key", "tls.key"];

/// Makes an authority, leaves its certificate in the folder, and has it certify loopback.
fn certify(folder: &Path, authority: &str) {
    let mut params = CertificateParams::new([]).unwrap();
    params
        .distinguished_name
        .push(DnType::CommonName, authority);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
    let params = CertificateParams::new(names).unwrap();
    let certificate = params.signed_by(&key, &issuer).unwrap();
    fs::write(folder.join(format!("{authority}.pem")), issuer.pem()).unwrap();
    replace(folder, "tls.key", &key.serialize_pem());
    replace(folder, "tls.crt", &certificate.pem());
}

/// Puts a file in the place of another one, as whoever renews a certificate does.
fn replace(folder: &Path, file: &str, text: &str) {
    let beside = folder.join(format!("{file}.new"));
    fs::write(&beside, text).unwrap();
    fs::rename(beside, folder.join(file)).unwrap();
}

fn certified(authority: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    certify(folder.path(), authority);
    folder
}

/// Lists queues over TLS, and trusts this authority.
fn trusting(served: &Served, authority: &str) -> Ran {
    let file = format!("{authority}.pem");
    served.run(&["queues", "list", "--ca", &file])
}

fn connect(served: &Served) -> TcpStream {
    let address = served.url.strip_prefix("https://").unwrap();
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    socket
}

#[test]
fn a_server_with_a_certificate_speaks_tls_with_those_who_trust_it() {
    let served = Served::start_in(certified("authority"), &FLAGS);

    let trusted = trusting(&served, "authority");
    let public = served.run(&["queues", "list"]);

    assert!(
        served.url.starts_with("https://127.0.0.1:"),
        "{}",
        served.url
    );
    assert_eq!(trusted.code(), 0, "{}", trusted.err());
    assert_eq!(public.code(), 7, "{}", public.err());
}

#[test]
fn a_request_in_plain_http_is_told_to_use_https() {
    let served = Served::start_in(certified("authority"), &FLAGS);

    let mut socket = connect(&served);
    socket
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();

    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(answer.contains("https://"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_was_replaced_is_shown_to_whoever_connects_next() {
    let served = Served::start_in(certified("before"), &FLAGS);
    assert_eq!(trusting(&served, "before").code(), 0);

    certify(served.folder.path(), "after");

    eventually("the new certificate is shown", TIMEOUT, async || {
        trusting(&served, "after").code() == 0
    })
    .await;
    assert_eq!(trusting(&served, "before").code(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_cannot_be_used_leaves_the_one_before_in_its_place() {
    let served = Served::start_in(certified("authority"), &FLAGS);

    replace(served.folder.path(), "tls.crt", "no certificate");
    eventually("it is told", TIMEOUT, async || {
        served.log().contains("holds no certificate")
    })
    .await;

    assert_eq!(trusting(&served, "authority").code(), 0);
}

#[test]
fn a_certificate_that_cannot_be_used_at_start_is_told_with_the_settings_that_name_it() {
    let folder = certified("authority");
    fs::copy(
        folder.path().join("authority.pem"),
        folder.path().join("tls.crt"),
    )
    .unwrap();

    let words = ["serve", "--dev", "--listen", "127.0.0.1:0"];
    let mixed_up = run(folder.path(), &[&words[..], &FLAGS].concat());
    fs::remove_file(folder.path().join("tls.key")).unwrap();
    let missing = run(folder.path(), &[&words[..], &FLAGS].concat());

    assert_eq!((mixed_up.code(), missing.code()), (2, 2));
    assert!(
        mixed_up.err().contains("used together"),
        "{}",
        mixed_up.err()
    );
    for word in ["tls.key", "tls_certificate"] {
        assert!(missing.err().contains(word), "{}", missing.err());
    }
}

#[test]
fn whoever_does_not_shake_hands_counts_as_a_connection_until_the_time_is_over() {
    let folder = certified("authority");
    let settings = "[server]\nconnections_per_address = 1\n";
    fs::write(folder.path().join("baton.toml"), settings).unwrap();
    let served = Served::start_in(folder, &FLAGS);

    let mut silent = connect(&served);
    let refused = trusting(&served, "authority");
    let ended = silent.read(&mut [0]);
    let admitted = trusting(&served, "authority");

    assert_eq!(refused.code(), 7, "{}", refused.err());
    assert_eq!(ended.unwrap(), 0);
    assert_eq!(admitted.code(), 0, "{}", admitted.err());
}
