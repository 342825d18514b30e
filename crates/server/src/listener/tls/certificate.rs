//! The certificate of a listener: read from files, and again when they change.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use parking_lot::RwLock;
use rustls::{
    crypto::CryptoProvider,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use tokio::{
    task::spawn_blocking,
    time::{MissedTickBehavior, interval},
};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(2);

/// Where a certificate and its key are.
#[derive(Debug, Clone)]
pub struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

/// What tells a file that was written anew or replaced from the one before.
type Stamp = (Option<SystemTime>, u64, u64);

impl Files {
    pub fn new(certificate: &Path, key: &Path) -> Self {
        Self {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        }
    }

    fn stamps(&self) -> io::Result<[Stamp; 2]> {
        Ok([stamp(&self.certificate)?, stamp(&self.key)?])
    }

    fn read(&self, provider: &CryptoProvider) -> Result<CertifiedKey, String> {
        let (certificate, key) = (self.certificate.display(), self.key.display());
        let chain = CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| format!("the certificate {certificate} cannot be read: {error}"))?;
        if chain.is_empty() {
            return Err(format!(
                "{certificate} holds no certificate; it has to be in PEM"
            ));
        }
        // What is wrong with a key is told without a word of it.
        let secret = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| {
            format!("the key {key} cannot be read: {error}. It has to be in PEM, and not encrypted")
        })?;
        CertifiedKey::from_der(chain, secret, provider)
            .map_err(|error| format!("{certificate} and {key} cannot be used together: {error}"))
    }
}

fn stamp(file: &Path) -> io::Result<Stamp> {
    let found = fs::metadata(file)?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let number = 0;
    Ok((found.modified().ok(), found.len(), number))
}

/// The certificate that is shown to whoever connects now.
pub struct Certificate {
    files: Files,
    provider: Arc<CryptoProvider>,
    shown: RwLock<Arc<CertifiedKey>>,
}

impl Certificate {
    /// Reads it for the first time.
    pub fn read(files: Files, provider: Arc<CryptoProvider>) -> Result<Self, String> {
        let first = files.read(&provider)?;
        Ok(Self {
            files,
            provider,
            shown: RwLock::new(Arc::new(first)),
        })
    }

    /// Reads it again whenever its files change, for ever. One that cannot be used leaves the one before in its place.
    pub async fn follow(self: Arc<Self>) {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // What was shown first was read before the first look, and may be older than what that finds.
        let mut seen = None;
        loop {
            look.tick().await;
            let certificate = Arc::clone(&self);
            // A disk may hang; what answers requests does not wait for it.
            let looked = spawn_blocking(move || certificate.look(seen)).await;
            seen = looked.unwrap_or(seen);
        }
    }

    /// Takes up what has changed since the files looked like this, and says how they look now.
    fn look(&self, seen: Option<[Stamp; 2]>) -> Option<[Stamp; 2]> {
        // Before they are read: what is written meanwhile looks different at the next look.
        let Ok(stamps) = self.files.stamps() else {
            // In the middle of being replaced, or gone: what is shown stays.
            return seen;
        };
        if seen == Some(stamps) {
            return seen;
        }
        match self.files.read(&self.provider) {
            Ok(next) => self.show(next),
            Err(why) => tracing::warn!(
                "the certificate that was shown so far stays: {why}; it is tried again when the files change"
            ),
        }
        Some(stamps)
    }

    fn show(&self, next: CertifiedKey) {
        let before = std::mem::replace(&mut *self.shown.write(), Arc::new(next));
        if before.cert != self.shown.read().cert {
            tracing::info!(
                "a new certificate is shown, from {}",
                self.files.certificate.display()
            );
        }
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.shown.read().clone())
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Certificate({})", self.files.certificate.display())
    }
}
