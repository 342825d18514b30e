//! TLS to PostgreSQL, for URLs that ask for it (`sslmode=require`).

use std::sync::Arc;

use tokio_postgres_rustls::MakeRustlsConnect;

/// A connector that trusts the usual authorities.
pub fn connector() -> MakeRustlsConnect {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let roots = rustls::RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring speaks the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    MakeRustlsConnect::new(config)
}
