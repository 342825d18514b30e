//! TLS of the listener: each connection shakes hands first, by the certificate that holds at that moment.

mod certificate;

use std::{io, path::Path, sync::Arc, time::Duration};

use baton_protocol::ProblemKind;
use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
};
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::refusal;
use crate::exit::Failure;
use certificate::{Certificate, Files};

/// How long a client may take to agree on how to speak.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// What each handshake begins with, and no request in plain HTTP does.
const HANDSHAKE: u8 = 0x16;

/// What a listener that speaks TLS shows and agrees to.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
}

impl Tls {
    /// Reads the certificate and its key.
    pub fn open(certificate: &Path, key: &Path) -> Result<Self, Failure> {
        let provider = Arc::new(ring::default_provider());
        let files = Files::new(certificate, key);
        let certificate = Certificate::read(files, provider.clone()).map_err(|why| {
            Failure::usage(why).then("Name both files under [server], as tls_certificate and tls_key; docs/operations/access.md has more.")
        })?;
        let certificate = Arc::new(certificate);
        let config = config(provider, certificate.clone())
            .map_err(|error| Failure::new(format!("no TLS can be spoken: {error}")))?;
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            certificate,
        })
    }

    /// Reads the certificate again whenever its files change, for ever.
    pub async fn follow_certificate(self) {
        self.certificate.follow().await;
    }

    /// Agrees with a client on how to speak; nothing with one that does not, or takes too long.
    pub async fn shake_hands(&self, stream: TcpStream) -> Option<TlsStream<TcpStream>> {
        let agreed = timeout(HANDSHAKE_TIMEOUT, self.agree(stream)).await;
        let failed = match agreed {
            Ok(Ok(agreed)) => return agreed,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it took too long".to_owned(),
        };
        tracing::debug!("a TLS handshake failed: {failed}");
        None
    }

    async fn agree(&self, stream: TcpStream) -> io::Result<Option<TlsStream<TcpStream>>> {
        let mut first = [0];
        match stream.peek(&mut first).await? {
            0 => Ok(None),
            _ if first == [HANDSHAKE] => self.acceptor.accept(stream).await.map(Some),
            _ => {
                let problem = ProblemKind::Malformed
                    .because("This server speaks TLS: use https:// instead of http://.");
                refusal::tell(stream, &problem).await?;
                Ok(None)
            }
        }
    }
}

fn config(
    provider: Arc<CryptoProvider>,
    certificate: Arc<Certificate>,
) -> Result<ServerConfig, rustls::Error> {
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(certificate);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
