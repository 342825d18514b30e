//! TLS to PostgreSQL, in the words of libpq: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`.

mod verifier;

use std::{ffi::OsString, path::Path, sync::Arc};

use rustls::{
    CertificateError, ClientConfig, RootCertStore,
    client::danger::ServerCertVerifier,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;
use url::form_urlencoded;

use self::verifier::Lenient;
use crate::address::parameters;

/// How a connection is guarded.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Guard {
    mode: Mode,
    /// Whom to trust; nothing for the public authorities.
    root: Option<String>,
    /// Who we are: our certificate, and its key.
    identity: Option<(String, String)>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Disable,
    /// As libpq does where nothing is said.
    #[default]
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Guard {
    /// Takes what concerns it out of a URL: the driver refuses what it does not know.
    ///
    /// # Errors
    /// With what contradicts itself, and what to write instead.
    pub fn take_from(url: &str) -> Result<(String, Self), String> {
        let (place, all) = parameters(url);
        let mut taken = [const { None }; 4];
        let mut rest = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &all {
            match NAMES.iter().position(|known| known == name) {
                Some(i) => taken[i] = Some(value.clone()).filter(|value| !value.is_empty()),
                None => drop(rest.append_pair(name, value)),
            }
        }
        let [mode, root, cert, key] = taken;
        let guard = Self::of(mode.as_deref(), root, cert, key)?;
        // The driver decodes no plus.
        let rest = rest.finish().replace('+', "%20");
        let url = if rest.is_empty() {
            place.to_owned()
        } else {
            format!("{place}?{rest}")
        };
        Ok((url, guard))
    }

    fn of(
        mode: Option<&str>,
        root: Option<String>,
        cert: Option<String>,
        key: Option<String>,
    ) -> Result<Self, String> {
        let mode = match mode {
            None => Mode::default(),
            Some("disable") => Mode::Disable,
            Some("prefer") => Mode::Prefer,
            Some("require") => Mode::Require,
            Some("verify-ca") => Mode::VerifyCa,
            Some("verify-full") => Mode::VerifyFull,
            Some(other) => {
                return Err(format!(
                    "sslmode={other} is none of disable, prefer, require, verify-ca, verify-full"
                ));
            }
        };
        let is_certain = matches!(mode, Mode::Require | Mode::VerifyCa | Mode::VerifyFull);
        let identity = match (cert, key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            (Some(_), None) => {
                return Err("sslcert needs sslkey, the key of that certificate".to_owned());
            }
            (None, Some(_)) => {
                return Err("sslkey needs sslcert, the certificate of that key".to_owned());
            }
        };
        if !is_certain && (root.is_some() || identity.is_some()) {
            return Err(format!(
                "sslrootcert and sslcert promise nothing with sslmode={}, which also goes on without TLS: write \
                 sslmode=verify-full",
                if mode == Mode::Disable {
                    "disable"
                } else {
                    "prefer"
                }
            ));
        }
        let mode = match root.as_deref() {
            Some("system") if mode != Mode::VerifyFull => {
                return Err(
                    "sslrootcert=system trusts every public authority, which says nothing without the name: write \
                     sslmode=verify-full"
                        .to_owned(),
                );
            }
            // As libpq does: whoever names an authority wants it asked.
            Some(_) if mode == Mode::Require => Mode::VerifyCa,
            _ => mode,
        };
        let root = root.filter(|root| root != "system");
        Ok(Self {
            mode,
            root,
            identity,
        })
    }

    /// How strict it is.
    pub const fn tls_mode(&self) -> Mode {
        self.mode
    }

    /// The file of whom to trust; nothing for the public authorities.
    pub fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// The files of our certificate and its key.
    pub const fn identity(&self) -> Option<&(String, String)> {
        self.identity.as_ref()
    }

    /// What of it the driver has to know.
    pub const fn mode(&self) -> SslMode {
        match self.mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            _ => SslMode::Require,
        }
    }

    /// The same for programs that speak through libpq.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mode = match self.mode {
            Mode::Disable => "disable",
            Mode::Prefer => "prefer",
            Mode::Require => "require",
            Mode::VerifyCa => "verify-ca",
            Mode::VerifyFull => "verify-full",
        };
        let verifies = matches!(self.mode, Mode::VerifyCa | Mode::VerifyFull);
        let root = self.root.clone();
        let root = root.or_else(|| verifies.then(public_authorities));
        let (cert, key) = self.identity.clone().unzip();
        let files = [
            ("PGSSLROOTCERT", root),
            ("PGSSLCERT", cert),
            ("PGSSLKEY", key),
        ];
        let files = files
            .into_iter()
            .filter_map(|(name, file)| Some((name, file?.into())));
        std::iter::once(("PGSSLMODE", mode.into()))
            .chain(files)
            .collect()
    }

    /// Why somebody on the way could read or change what is said, if so.
    pub fn exposure(&self) -> Option<String> {
        let why = match self.mode {
            Mode::Disable => "sslmode=disable encrypts nothing",
            Mode::Prefer => "without an sslmode, or with sslmode=prefer, it need not be encrypted",
            Mode::Require => "sslmode=require encrypts, but asks nobody who is at the other end",
            Mode::VerifyCa if self.root.is_none() => {
                "sslmode=verify-ca without an sslrootcert is content with anybody's certificate of a public authority"
            }
            Mode::VerifyCa | Mode::VerifyFull => return None,
        };
        Some(why.to_owned())
    }
}

/// The public authorities as libpq takes them: a file of this system's, or its own word, which it knows since 16.
fn public_authorities() -> String {
    let files = [
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem",
    ];
    let file = files.into_iter().find(|file| Path::new(file).exists());
    file.unwrap_or("system").to_owned()
}

const NAMES: [&str; 4] = ["sslmode", "sslrootcert", "sslcert", "sslkey"];

/// What makes connections as guarded as that.
pub fn connector(guard: &Guard) -> Result<MakeRustlsConnect, String> {
    let provider = Arc::new(ring::default_provider());
    let roots = roots(guard.root.as_deref())?;
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = match verifier(guard.mode, provider, &roots) {
        Some(lenient) => builder
            .dangerous()
            .with_custom_certificate_verifier(lenient),
        None => builder.with_root_certificates(roots),
    };
    let Some((cert, key)) = &guard.identity else {
        return Ok(MakeRustlsConnect::new(builder.with_no_client_auth()));
    };
    let config = builder
        .with_client_auth_cert(certificates("sslcert", cert)?, private_key(key)?)
        .map_err(|error| format!("sslcert={cert} and sslkey={key} do not go together: {error}"))?;
    Ok(MakeRustlsConnect::new(config))
}

/// What asks for less than everything, if so.
fn verifier(
    mode: Mode,
    provider: Arc<CryptoProvider>,
    roots: &RootCertStore,
) -> Option<Arc<dyn ServerCertVerifier>> {
    let roots = match mode {
        Mode::VerifyFull => return None,
        Mode::VerifyCa => Some(roots.clone()),
        Mode::Disable | Mode::Prefer | Mode::Require => None,
    };
    Some(Arc::new(Lenient::new(provider, roots)))
}

fn roots(file: Option<&str>) -> Result<RootCertStore, String> {
    let Some(file) = file else {
        return Ok(RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        });
    };
    let mut roots = RootCertStore::empty();
    for certificate in certificates("sslrootcert", file)? {
        roots.add(certificate).map_err(|error| {
            format!("sslrootcert={file} holds a certificate that is none: {error}")
        })?;
    }
    Ok(roots)
}

fn certificates(name: &str, file: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let all = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let all = all.map_err(|error| format!("{name}={file} cannot be read: {error}"))?;
    if all.is_empty() {
        return Err(format!(
            "{name}={file} holds no certificate; it has to be in PEM"
        ));
    }
    Ok(all)
}

fn private_key(file: &str) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_file(file).map_err(|error| {
        format!("sslkey={file} cannot be read: {error}. It has to be in PEM, and not encrypted")
    })
}

/// What a failed greeting means, where it failed for a certificate.
pub fn explain(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let mut error = Some(error);
    while let Some(one) = error {
        let inner = one
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        let said = inner
            .and_then(|inner| inner.downcast_ref())
            .or(one.downcast_ref());
        if let Some(rustls::Error::InvalidCertificate(why)) = said {
            return Some(sentence(why));
        }
        error = one.source();
    }
    None
}

fn sentence(why: &CertificateError) -> String {
    match why {
        CertificateError::UnknownIssuer => {
            "its certificate was issued by nobody who is trusted; sslrootcert names the file of the authority that did"
                .to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => format!(
            "its certificate is made for another name ({why}); connect to the name in it, or have one made with this \
             name as a subjectAltName"
        ),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            format!("its certificate has expired ({why}); have it renewed")
        }
        _ => format!("its certificate is not accepted: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_combinations_are_explained() {
        let why = |query: &str| Guard::take_from(&format!("postgres://db/x?{query}")).unwrap_err();

        assert!(why("sslmode=allow").contains("disable, prefer, require"));
        assert!(why("sslmode=verify-full&sslcert=a").contains("sslkey"));
        assert!(why("sslmode=verify-full&sslkey=a").contains("sslcert"));
        assert!(why("sslrootcert=a").contains("sslmode=verify-full"));
        assert!(why("sslmode=disable&sslcert=a&sslkey=b").contains("sslmode=verify-full"));
        assert!(why("sslmode=require&sslrootcert=system").contains("sslmode=verify-full"));
    }

    #[test]
    fn whoever_names_an_authority_has_it_asked() {
        let (_, guard) =
            Guard::take_from("postgres://db/x?sslmode=require&sslrootcert=ca").unwrap();

        assert_eq!(guard.mode, Mode::VerifyCa);
        assert_eq!(guard.exposure(), None);
    }

    #[test]
    fn what_concerns_the_driver_is_left_to_it_as_it_was() {
        let url = "postgres://u:p@a:1,b:2/x?sslmode=verify-full&options=-c%20work_mem%3D1MB&application_name=a+b";

        let (rest, guard) = Guard::take_from(url).unwrap();

        assert_eq!(
            rest,
            "postgres://u:p@a:1,b:2/x?options=-c%20work_mem%3D1MB&application_name=a%2Bb"
        );
        assert_eq!(guard.mode, Mode::VerifyFull);
    }
}
