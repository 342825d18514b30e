//! Whose certificates are believed.

use std::{path::Path, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};

use super::StartError;

/// The settings of TLS: the public authorities are trusted, and those of a PEM file.
pub fn tls(ca: Option<&Path>) -> Result<ClientConfig, StartError> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(file) = ca {
        add(&mut roots, file).map_err(|why| StartError::Authorities(file.to_owned(), why))?;
    }
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}

fn add(roots: &mut RootCertStore, file: &Path) -> Result<(), String> {
    let all = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let all = all.map_err(|error| error.to_string())?;
    if all.is_empty() {
        return Err("there is no certificate in it".to_owned());
    }
    for certificate in all {
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    Ok(())
}
