//! Word to somebody that a run ended.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{Request, StatusCode, Uri, header};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::interrupt::Interrupt;
use crate::platform::run_in_shell;

const COMMAND_TIME: Duration = Duration::from_secs(30);
/// For one try at an address.
const TRY_TIME: Duration = Duration::from_secs(10);
/// Before each further try at an address.
const TRY_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

#[derive(Debug, Clone, Default)]
pub struct Notices {
    /// A line for the shell, which gets the text on its standard input.
    pub command: Option<String>,
    pub url: Option<Webhook>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook(Uri);

impl std::str::FromStr for Webhook {
    type Err = String;

    fn from_str(text: &str) -> Result<Webhook, String> {
        let wrong = "give an address that begins with http:// or https://";
        let uri: Uri = text.parse().map_err(|error| format!("{error}: {wrong}"))?;
        let has_host = uri.host().is_some_and(|host| !host.is_empty());
        match uri.scheme_str() {
            Some("http" | "https") if has_host => Ok(Webhook(uri)),
            _ => Err(wrong.to_owned()),
        }
    }
}

impl Notices {
    pub fn is_empty(&self) -> bool {
        self.command.is_none() && self.url.is_none()
    }

    /// Tells everybody `notice`, and returns what did not work, in words.
    pub fn tell(&self, notice: &Value, interrupt: &Interrupt) -> Vec<String> {
        let text = notice.to_string();
        // Whoever stopped the run is told that it stopped; a signal that comes now is meant for this.
        let was_stopped = interrupt.is_requested();
        let stops = || !was_stopped && interrupt.is_requested();
        let of_command = self.command.as_ref().and_then(|command| {
            let told = run_in_shell(command, text.as_bytes(), COMMAND_TIME, &stops);
            told.err().map(|error| format!("--notify '{command}': {error}"))
        });
        let of_url = self.url.as_ref().and_then(|Webhook(uri)| {
            // What follows the host is a secret at most services.
            let name = format!(
                "{}://{}",
                uri.scheme_str().unwrap_or(""),
                uri.host().unwrap_or("")
            );
            // Who stopped the run waits for one try.
            let told = post(uri, &text, &|pause| {
                !was_stopped && !interrupt.is_requested_within(pause)
            });
            told.err().map(|error| format!("--notify-url {name}: {error}"))
        });
        of_command.into_iter().chain(of_url).collect()
    }
}

/// Posts `text`, and tries again while `may_go_on` after a pause.
fn post(uri: &Uri, text: &str, may_go_on: &dyn Fn(Duration) -> bool) -> Result<(), String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let mut pauses = TRY_PAUSES.iter();
    let posted = loop {
        let sent = runtime.block_on(async { timeout(TRY_TIME, send(uri, text.to_owned())).await });
        let error = match sent {
            Ok(Ok(status)) if status.is_success() => break Ok(()),
            Ok(Ok(status)) => {
                let error = format!("answered {status}");
                // An address that does not want it will not want it later; a server in trouble may.
                if status.is_client_error() && status.as_u16() != 408 && status.as_u16() != 429 {
                    break Err(error);
                }
                error
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer in {} seconds", TRY_TIME.as_secs()),
        };
        match pauses.next() {
            Some(&pause) if may_go_on(pause) => {}
            _ => break Err(error),
        }
    };
    // A look-up of a name may hang for longer than anybody waits.
    runtime.shutdown_background();
    posted
}

type SendError = Box<dyn std::error::Error + Send + Sync>;

async fn send(uri: &Uri, text: String) -> Result<StatusCode, SendError> {
    let host = uri.host().unwrap_or_default();
    let request = Request::post(uri.path_and_query().map_or("/", PathAndQuery::as_str))
        .header(header::HOST, uri.authority().map_or(host, Authority::as_str))
        .header(header::USER_AGENT, concat!("tanren/", env!("CARGO_PKG_VERSION")))
        .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
        .body(Body::from(text))?;
    let is_tls = uri.scheme_str() == Some("https");
    let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
    // An address of IPv6 stands in brackets.
    let host = host.trim_matches(['[', ']']);
    let stream = TcpStream::connect((host, port)).await?;
    if !is_tls {
        return exchange(stream, request).await;
    }
    let name = ServerName::try_from(host.to_owned())?;
    let connector = TlsConnector::from(Arc::new(trusting_authorities()?));
    exchange(connector.connect(name, stream).await?, request).await
}

async fn exchange<S>(stream: S, request: Request<Body>) -> Result<StatusCode, SendError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender.send_request(request).await?.status())
}

fn trusting_authorities() -> Result<ClientConfig, SendError> {
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if authorities.is_empty() {
        return Err("this machine has no certificates of authorities, so nobody can be trusted".into());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_root_certificates(authorities).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_the_web() {
        for good in ["http://localhost:8080/hook?key=1", "https://example.org"] {
            assert!(good.parse::<Webhook>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "example.org",
            "ftp://example.org/",
            "http://",
            "file:///x",
            "http://a b/",
        ] {
            assert!(bad.parse::<Webhook>().is_err(), "{bad}");
        }
    }
}
