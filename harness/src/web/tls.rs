//! Connections that nobody on the way can read.
//!
//! In: files of a certificate and its key, a stream. Out: a stream within. Must not: wait for ever for a handshake.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
pub(super) use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::WebError;

const HANDSHAKE_TIME: Duration = Duration::from_secs(15);

/// Two files in PEM.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The certificate, and those that lead to its authority.
    pub chain: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

impl Certificate {
    /// Reads both.
    pub(super) fn acceptor(&self) -> Result<TlsAcceptor, WebError> {
        let refused = |path: &PathBuf, why: String| WebError::Certificate {
            path: path.clone(),
            why,
        };
        let chain = CertificateDer::pem_file_iter(&self.chain)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| refused(&self.chain, error.to_string()))?;
        if chain.is_empty() {
            return Err(refused(&self.chain, "no certificate is in it".to_owned()));
        }
        let key =
            PrivateKeyDer::from_pem_file(&self.key).map_err(|error| refused(&self.key, error.to_string()))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| refused(&self.key, error.to_string()))?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

/// The stream within `stream`; nothing if the other side does not speak so in time.
pub(super) async fn shake_hands<S>(acceptor: &TlsAcceptor, stream: S) -> Option<TlsStream<S>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    timeout(HANDSHAKE_TIME, acceptor.accept(stream)).await.ok()?.ok()
}
