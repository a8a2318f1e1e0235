//! The connection of a machine to the server. It reconnects for ever, never in plain text to another machine unless told to.

use std::error::Error;
use std::future::ready;
use std::sync::Arc;

use async_nats::jetstream::{self, Context};
use async_nats::rustls::crypto::ring::default_provider;
use async_nats::rustls::pki_types::CertificateDer;
use async_nats::rustls::pki_types::pem::PemObject;
use async_nats::rustls::{ClientConfig, RootCertStore};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr};

use super::FleetError;
use super::settings::Access;
use super::timeouts::{CONNECT_TIMEOUT, FIRST_CONNECT_TIMEOUT, PING_INTERVAL};

/// The coordinator's JetStream as a worker's account has it; at `$JS.API` its own would answer, which is off.
pub fn worker_jetstream(client: Client) -> Context {
    jetstream::with_prefix(client, "tanren.api")
}

/// Connects, and from then on again whenever the connection is lost.
pub async fn connect(access: &Access<'_>) -> Result<Client, FleetError> {
    connect_and_hear(access, |_| ()).await
}

/// As [`connect`]; `hear` gets the events of the connection.
pub async fn connect_and_hear(
    access: &Access<'_>,
    hear: impl Fn(Event) + Send + Sync + 'static,
) -> Result<Client, FleetError> {
    let (address, is_encrypted) = address(access)?;
    let mut options = ConnectOptions::with_nkey(access.seed.0.clone())
        .name(access.name)
        .custom_inbox_prefix(format!("_INBOX_{}", access.name))
        .connection_timeout(CONNECT_TIMEOUT)
        .ping_interval(PING_INTERVAL)
        .ignore_discovered_servers()
        .max_reconnects(None)
        .event_callback(move |event| {
            tracing::info!("connection: {event}");
            hear(event);
            ready(())
        });
    if is_encrypted {
        options = options.require_tls(true);
    }
    if let Some(ca) = access.ca {
        options = options.tls_client_config(trusting(ca)?);
    }
    match tokio::time::timeout(FIRST_CONNECT_TIMEOUT, options.connect(address)).await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(refused(access, &error)),
        Err(_) => Err(FleetError::NoServer {
            url: access.url.to_owned(),
            message: format!("no answer within {} s", FIRST_CONNECT_TIMEOUT.as_secs()),
        }),
    }
}

/// The address of the server, and whether TLS is asked for: it is unless the server is this machine or the user wants none.
fn address(access: &Access<'_>) -> Result<(ServerAddr, bool), FleetError> {
    let refuse = |url: &str, message: &str| FleetError::BadAddress {
        url: url.to_owned(),
        message: message.to_owned(),
    };
    let address = access.url.parse::<ServerAddr>();
    let address = address.map_err(|_| refuse(access.url, "it is no address of a server"))?;
    if address.has_user_pass() {
        let url = format!("{}://…@{}", address.scheme(), address.host());
        return Err(refuse(
            &url,
            "machines are known by their keys, not by a name and a password",
        ));
    }
    if address.host().is_empty() {
        return Err(refuse(access.url, "it names no host"));
    }
    match address.scheme() {
        "tls" => Ok((address, true)),
        "nats" if access.ca.is_some() => Ok((address, true)),
        "nats" if is_loopback(address.host()) || access.is_insecure => Ok((address, false)),
        "nats" => Err(FleetError::PlainText(access.url.to_owned())),
        _ => Err(refuse(access.url, "its protocol is neither tls nor nats")),
    }
}

/// Is `host` this machine, whatever network it is in?
pub(super) fn is_loopback(host: &str) -> bool {
    let address = host.parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// TLS that takes no word but that of the authority `ca`.
fn trusting(ca: &str) -> Result<ClientConfig, FleetError> {
    let refuse = |why: &dyn Error| FleetError::BadAuthority(why.to_string());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(ca.as_bytes()) {
        let certificate = certificate.map_err(|error| refuse(&error))?;
        roots.add(certificate).map_err(|error| refuse(&error))?;
    }
    if roots.is_empty() {
        return Err(FleetError::BadAuthority(
            "there is no certificate in it".to_owned(),
        ));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| refuse(&error))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// Why the first connection was not made, in words that lead somewhere.
fn refused(access: &Access<'_>, error: &ConnectError) -> FleetError {
    let url = access.url.to_owned();
    let message = causes(error);
    let is_about_trust = error.kind() == ConnectErrorKind::Tls
        || ["certificate", "tls", "corrupt message"]
            .iter()
            .any(|word| message.to_lowercase().contains(word));
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => FleetError::Refused {
            url,
            name: access.name.to_owned(),
        },
        _ if is_about_trust => FleetError::Untrusted { url, message },
        _ => FleetError::NoServer { url, message },
    }
}

/// An error and what it came from; a cause that is told already is not told again.
fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::settings::Seed;
    use super::*;

    /// Is TLS asked for, or what is said instead?
    fn encrypted(url: &str, ca: Option<&str>, is_insecure: bool) -> Result<bool, String> {
        let access = Access {
            url,
            ca,
            seed: &Seed(String::new()),
            name: "one",
            is_insecure,
        };
        let address = address(&access).map_err(|error| error.to_string());
        address.map(|(_, is_encrypted)| is_encrypted)
    }

    #[test]
    fn plain_text_stays_on_this_machine_unless_told_otherwise() {
        for url in ["nats://localhost:4222", "nats://127.0.0.1", "nats://[::1]:4222"] {
            assert_eq!(encrypted(url, None, false), Ok(false), "{url}");
            assert_eq!(encrypted(url, Some("ca"), false), Ok(true), "{url}");
        }
        for host in [
            "club.example.org",
            "192.0.2.7",
            "[2001:db8::1]",
            "localhost.example.org",
        ] {
            let plain = format!("nats://{host}:4222");
            let said = encrypted(&plain, None, false).unwrap_err();
            assert!(said.contains("--insecure") && said.contains("tls://"), "{said}");
            assert_eq!(encrypted(&plain, None, true), Ok(false), "{plain}");
            assert_eq!(encrypted(&plain, Some("ca"), true), Ok(true), "{plain}");
            assert_eq!(encrypted(&format!("tls://{host}"), None, true), Ok(true));
        }
    }

    #[test]
    fn an_address_of_something_else_is_refused_and_no_password_shown() {
        for url in ["", "http://localhost", "ws://localhost", "tls://"] {
            let said = encrypted(url, None, false).unwrap_err();
            assert!(said.contains("write tls://HOST:4222"), "{url}: {said}");
        }
        let said = encrypted("nats://me:secret@localhost", None, false).unwrap_err();
        assert!(
            said.contains("by their keys") && !said.contains("secret"),
            "{said}"
        );
    }

    #[test]
    fn what_is_no_certificate_is_refused() {
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for ca in ["", "hello", broken] {
            let said = trusting(ca).unwrap_err().to_string();
            assert!(said.starts_with("ca: ") && said.contains("ca.pem"), "{said}");
        }
    }
}
