//! Whose certificates are believed.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use super::StartError;

/// A file of authorities, and the setting that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorities {
    /// The setting, such as `http.ca`.
    pub setting: String,
    /// A PEM file.
    pub file: PathBuf,
}

/// The file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{setting} names {file}, which {why}", file = file.display())]
pub struct BadAuthorities {
    setting: String,
    file: PathBuf,
    why: String,
}

/// The settings of TLS: the public authorities are trusted, and those of a PEM file.
pub fn tls(ca: Option<&Authorities>) -> Result<ClientConfig, StartError> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(Authorities { setting, file }) = ca {
        add(&mut roots, file).map_err(|why| BadAuthorities {
            setting: setting.clone(),
            file: file.clone(),
            why,
        })?;
    }
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}

fn add(roots: &mut RootCertStore, file: &Path) -> Result<(), String> {
    let pem = fs::read(file).map_err(|error| format!("cannot be read: {error}"))?;
    let all = CertificateDer::pem_slice_iter(&pem).collect::<Result<Vec<_>, _>>();
    let all = all.map_err(|error| format!("is not PEM as it should be: {error}"))?;
    if all.is_empty() {
        return Err(lacks(&pem).to_owned());
    }
    for certificate in all {
        let added = roots.add(certificate);
        added.map_err(|error| format!("holds a certificate that is none: {error}"))?;
    }
    Ok(())
}

/// What a file is that has no certificate in it.
fn lacks(pem: &[u8]) -> &'static str {
    if pem.trim_ascii().is_empty() {
        "is empty"
    } else if PrivateKeyDer::from_pem_slice(pem).is_ok() {
        "holds a private key and no certificate: name the file of the authority's certificate, and keep the key apart"
    } else {
        "has no certificate in it: it has to be PEM, with -----BEGIN CERTIFICATE-----"
    }
}
