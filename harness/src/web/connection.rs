//! Connections, with TLS where it was asked for, and with bounds on all that the other side may do.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;

use super::WebError;

const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(15);
/// From the first byte of a request, or from the answer before it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// How long the other side may take nothing of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
const HEAD_BYTES_MAX: usize = 16 * 1024;
const HEADERS_MAX: usize = 64;

/// The PEM files of a certificate chain and its private key.
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

/// Answers until the other side has gone or is too slow.
pub(super) async fn answer(stream: TcpStream, tls: Option<TlsAcceptor>, router: Router) {
    match tls {
        None => answer_on(stream, router).await,
        Some(acceptor) => {
            if let Ok(Ok(stream)) = timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await {
                answer_on(stream, router).await;
            }
        }
    }
}

async fn answer_on<S: AsyncRead + AsyncWrite + Unpin>(stream: S, router: Router) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .serve_connection(
            TokioIo::new(WriteDeadline {
                stream,
                deadline: Box::pin(sleep(WRITE_TIMEOUT)),
                is_waiting: false,
            }),
            TowerToHyperService::new(router),
        );
    // Broken connections and malformed requests are not reported.
    drop(connection.await);
}

/// A stream that fails once nothing of what was written is taken for too long.
struct WriteDeadline<S> {
    stream: S,
    deadline: Pin<Box<Sleep>>,
    is_waiting: bool,
}

impl<S> WriteDeadline<S> {
    fn check<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.is_waiting = false;
            return polled;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.deadline.as_mut().reset(Instant::now() + WRITE_TIMEOUT);
        }
        match self.deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteDeadline<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteDeadline<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.check(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_shutdown(context);
        self.check(context, polled)
    }
}
