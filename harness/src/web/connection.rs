//! Connections, with TLS where it was asked for, and with bounds on all that the other side may do.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::Response;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;

use super::WebError;
use super::places::Place;
use crate::platform::read_regular;

const PEM_BYTES_MAX: u64 = 1 << 20;
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(15);
/// From the first byte of a request, or from the answer before it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// How long the other side may take nothing of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
const HEAD_BYTES_MAX: usize = 16 * 1024;
const HEADERS_MAX: usize = 64;

#[derive(Debug, Clone)]
pub struct Certificate {
    pub chain: PathBuf,
    pub key: PathBuf,
}

impl Certificate {
    pub(super) fn acceptor(&self) -> Result<TlsAcceptor, WebError> {
        let refused = |path: &PathBuf, why: String| WebError::Certificate {
            path: path.clone(),
            why,
        };
        let read = |path: &PathBuf| {
            read_regular(path, PEM_BYTES_MAX).map_err(|error| refused(path, error.to_string()))
        };
        let chain = CertificateDer::pem_slice_iter(&read(&self.chain)?)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| refused(&self.chain, error.to_string()))?;
        if chain.is_empty() {
            return Err(refused(&self.chain, "no certificate is in it".to_owned()));
        }
        let key = PrivateKeyDer::from_pem_slice(&read(&self.key)?)
            .map_err(|error| refused(&self.key, error.to_string()))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| refused(&self.key, error.to_string()))?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

/// Answers until the other side has gone or is too slow.
pub(super) async fn answer(stream: TcpStream, tls: Option<TlsAcceptor>, router: Router, place: Place) {
    match tls {
        None => answer_on(stream, router, place).await,
        Some(acceptor) => {
            if let Ok(Ok(stream)) = timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await {
                answer_on(stream, router, place).await;
            }
        }
    }
}

async fn answer_on<S: AsyncRead + AsyncWrite>(stream: S, router: Router, place: Place) {
    let router = TowerToHyperService::new(router);
    let place = &place;
    let service = service_fn(move |request| {
        place.asked();
        let answered = router.call(request);
        async move {
            let response: Response = answered.await?;
            if !response.status().is_client_error() {
                place.served();
            }
            Ok::<_, Infallible>(response)
        }
    });
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    // Broken connections and malformed requests are not reported.
    drop(connection.await);
}
