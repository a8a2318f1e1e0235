//! Word to somebody that a run ended.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::interrupt::Interrupt;
use crate::platform::run_in_shell;

const COMMAND_TIME: Duration = Duration::from_secs(30);
/// For one try at an address.
const TRY_TIME: Duration = Duration::from_secs(10);
/// Before each further try at an address.
const TRY_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// Who is told when a run ends.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    /// A line for the shell, which gets the text on its standard input.
    pub command: Option<String>,
    /// An address that the text is posted to.
    pub url: Option<Webhook>,
}

/// An address of `http` or `https`.
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
    /// Is nobody to be told?
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
    let agent = agent(uri)?;
    let mut pauses = TRY_PAUSES.iter();
    loop {
        let sent = agent
            .post(uri)
            .header("content-type", "application/json; charset=utf-8")
            .send(text);
        let error = match sent {
            Ok(answer) if answer.status().is_success() => return Ok(()),
            Ok(answer) => {
                let status = answer.status();
                // An address that does not want it will not want it later; a server in trouble may.
                if status.is_client_error() && status.as_u16() != 408 && status.as_u16() != 429 {
                    return Err(format!("answered {status}"));
                }
                format!("answered {status}")
            }
            Err(error) => error.to_string(),
        };
        match pauses.next() {
            Some(&pause) if may_go_on(pause) => {}
            _ => return Err(error),
        }
    }
}

fn agent(uri: &Uri) -> Result<Agent, String> {
    let mut config = Config::builder()
        .timeout_global(Some(TRY_TIME))
        .http_status_as_error(false)
        .max_redirects(0)
        .user_agent(concat!("tanren/", env!("CARGO_PKG_VERSION")));
    if uri.scheme_str() == Some("https") {
        let found = rustls_native_certs::load_native_certs().certs;
        if found.is_empty() {
            return Err(
                "this machine has no certificates of authorities, so nobody can be trusted".to_owned(),
            );
        }
        let authorities: Vec<_> = found
            .iter()
            .map(|found| Certificate::from_der(found).to_owned())
            .collect();
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::Specific(Arc::new(authorities)))
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()));
        config = config.tls_config(tls.build());
    }
    Ok(config.build().into())
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
            "file:///etc/passwd",
            "http://a b/",
        ] {
            assert!(bad.parse::<Webhook>().is_err(), "{bad}");
        }
    }
}
