//! Targets whose certificate comes from an authority that only we know.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use baton_domain::{Clock, ManualClock, job::Class};
use baton_ports::Handler;
use baton_providers::{
    Authorities, DestinationConfig, HttpConfig, HttpHandler,
    provider::{Gateway, Kind, Limits},
};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use serde_json::json;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

use crate::{
    bench::{NOW, accepted, call, failed, handler_with},
    delivery::fixture::{Fixture, note},
};

/// A folder with an authority, `ca.pem`, and what it vouches for: `localhost`.
fn authority() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let make = "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 \
                -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign -subj /CN=ours";
    openssl(folder.path(), make);
    openssl(
        folder.path(),
        "req -newkey rsa:2048 -nodes -keyout it.key -out it.csr -subj /CN=localhost",
    );
    fs::write(
        folder.path().join("extension"),
        "subjectAltName=DNS:localhost",
    )
    .unwrap();
    let sign = "x509 -req -in it.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out it.pem -days 30 -extfile extension";
    openssl(folder.path(), sign);
    folder
}

fn openssl(folder: &Path, words: &str) {
    let mut openssl = Command::new("openssl");
    let made = openssl
        .current_dir(folder)
        .args(words.split_whitespace())
        .output();
    let made = made.expect("openssl; `cargo xtask setup` installs it");
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "openssl {words}: {said}");
}

/// A target that answers every connection once; its URL.
async fn target(folder: &Path) -> String {
    let certificate = CertificateDer::from_pem_file(folder.join("it.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.join("it.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            // Whoever does not trust it hangs up.
            if let Ok(mut stream) = acceptor.accept(socket).await {
                let _ = stream.read(&mut [0; 4_096]).await;
                let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                let _ = stream.write_all(answer).await;
            }
        }
    });
    format!("https://localhost:{port}/")
}

fn trusting(folder: Option<&Path>) -> HttpConfig {
    HttpConfig {
        allow_private_targets: true,
        ca: folder.map(|folder| Authorities {
            setting: "http.ca".to_owned(),
            file: folder.join("ca.pem"),
        }),
        ..HttpConfig::default()
    }
}

#[tokio::test]
async fn a_target_is_trusted_once_its_authority_is_and_not_before() {
    let folder = authority();
    let url = target(folder.path()).await;
    let payload = json!({"url": url});

    let before = handler_with(trusting(None)).run(call(&payload)).await;
    let trusted = handler_with(trusting(Some(folder.path())))
        .run(call(&payload))
        .await;

    failed(&before, Class::Retry, "tls");
    accepted(&trusted);
}

#[tokio::test]
async fn an_authority_of_one_destination_vouches_for_no_other_target() {
    let folder = authority();
    let url = target(folder.path()).await;
    let shop = DestinationConfig {
        url: url.clone(),
        ca: Some(folder.path().join("ca.pem")),
        ..DestinationConfig::default()
    };
    let handler = handler_with(HttpConfig {
        destinations: [("shop".to_owned(), shop)].into(),
        ..trusting(None)
    });

    let by_name = handler
        .run(call(&json!({"destination": "shop", "path": "/"})))
        .await;
    let by_url = handler.run(call(&json!({"url": url}))).await;

    accepted(&by_name);
    failed(&by_url, Class::Retry, "tls");
}

#[tokio::test]
async fn an_authority_of_one_provider_is_trusted_by_it() {
    let folder = authority();
    let url = target(folder.path()).await;
    let gateway = |ca: Option<PathBuf>| {
        Kind::Http(Gateway {
            url: url.clone(),
            ca,
            ..Gateway::default()
        })
    };

    let trusting = gateway(Some(folder.path().join("ca.pem")));
    let trusting = Fixture::with(trusting, Limits::default(), None).await;
    let doubting = Fixture::with(gateway(None), Limits::default(), None).await;

    failed(&doubting.deliver(&note()).await, Class::Retry, "tls");
    accepted(&trusting.deliver(&note()).await);
}

#[test]
fn a_file_of_authorities_that_cannot_be_used_is_named_with_its_setting_and_what_is_wrong() {
    let folder = authority();
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    write("empty.pem", b" \n");
    write("words.pem", b"not a certificate");
    let cut = b"-----BEGIN CERTIFICATE-----\nMIIB";
    write("cut.pem", cut);
    let none = b"-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n";
    write("none.pem", none);
    let why = |file: &str| {
        let file = folder.path().join(file);
        let config = HttpConfig {
            ca: Some(Authorities {
                setting: "http.ca".to_owned(),
                file: file.clone(),
            }),
            ..HttpConfig::default()
        };
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(NOW));
        let error = HttpHandler::new(config, clock).err().unwrap().to_string();
        let named = format!("http.ca names {}, which ", file.display());
        error.strip_prefix(&named).map(str::to_owned).ok_or(error)
    };

    for (file, words) in [
        ("absent.pem", "cannot be read"),
        (".", "cannot be read"),
        ("empty.pem", "is empty"),
        ("words.pem", "has no certificate in it"),
        ("cut.pem", "is not PEM"),
        ("none.pem", "holds a certificate that is none"),
        ("ca.key", "holds a private key and no certificate"),
    ] {
        let why = why(file).unwrap();
        assert!(why.starts_with(words), "{file}: {why}");
    }
}
