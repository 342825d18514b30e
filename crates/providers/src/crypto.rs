//! The one source of cryptography in the process.

use std::sync::Once;

static INSTALLED: Once = Once::new();

/// Makes ring the process's TLS provider; safe to call from everywhere, as often as you like.
///
/// Clients of databases and of HTTP panic without a provider, so `main` calls this first.
pub fn init_crypto() {
    INSTALLED.call_once(|| {
        // An error means that a provider is installed already, and any is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
