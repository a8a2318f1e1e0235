//! Refuses requests before anything looks at what they ask for.
//!
//! A page of another site can send requests here through the user's browser. It cannot choose the header `Host`, which tells a name of
//! its own that it lets point here (DNS rebinding).

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE, TRANSFER_ENCODING,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::WebError;

#[derive(Debug)]
pub(super) struct RequestGuard {
    hosts: Vec<String>,
    token: Option<AccessToken>,
    /// May whoever has the token change runs?
    pub(super) is_control: bool,
    pub(super) is_tls: bool,
}

pub(super) const BODY_BYTES_MAX: usize = 256 * 1024;
/// A header that a page of another site cannot send.
const SCRIPT_HEADER: &str = "x-tanren";

#[derive(Debug)]
struct AccessToken {
    digest: [u8; 32],
    cookie: String,
}

pub fn new_token() -> Result<String, WebError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| WebError::System(error.into()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl RequestGuard {
    /// `names`: what others call this machine.
    pub(super) fn new(address: SocketAddr, names: &[String], token: Option<&str>) -> RequestGuard {
        let port = address.port();
        let local = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        let names: Vec<String> = local.iter().chain(names).cloned().collect();
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        hosts.push(address.to_string());
        if port == 80 || port == 443 {
            hosts.extend(names);
        }
        let token = token.map(|token| AccessToken {
            digest: Sha256::digest(token).into(),
            // Browsers do not tell the ports of a host apart.
            cookie: format!("tanren_token_{port}"),
        });
        RequestGuard {
            hosts,
            token,
            is_control: false,
            is_tls: false,
        }
    }

    fn refusal(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let text_of = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text_of(HOST);
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
        let hosts_given = headers.get_all(HOST).iter().count();
        if hosts_given != 1 || !host.is_some_and(is_ours) || uri.authority().is_some() {
            let status = StatusCode::MISDIRECTED_REQUEST;
            return Some(refused(
                status,
                "unknown host name in the address: start tanren serve with --name NAME to allow it\n",
            ));
        }
        let length = text_of(CONTENT_LENGTH);
        let is_chunked = headers.contains_key(TRANSFER_ENCODING);
        if *method == Method::GET || *method == Method::HEAD {
            if is_chunked || headers.contains_key(CONTENT_LENGTH) && length != Some("0") {
                return Some(refused(StatusCode::PAYLOAD_TOO_LARGE, "no body is taken\n"));
            }
            let token = self.token.as_ref();
            return token.and_then(|token| token.refusal(uri, headers, self.is_tls));
        }
        let origin = text_of(ORIGIN);
        let origin = origin.and_then(|it| it.strip_prefix("http://").or_else(|| it.strip_prefix("https://")));
        let may_control = |_: &&AccessToken| self.is_control && *method == Method::POST;
        let length = length.and_then(|length| length.parse::<usize>().ok());
        let (status, text) = match self.token.as_ref().filter(may_control) {
            _ if origin.is_none() || origin != host => (StatusCode::FORBIDDEN, "not from another site\n"),
            None => (StatusCode::METHOD_NOT_ALLOWED, "only GET\n"),
            Some(_) if is_chunked || length.is_none_or(|length| length > BODY_BYTES_MAX) => {
                (StatusCode::PAYLOAD_TOO_LARGE, "too much\n")
            }
            Some(token) if !token.is_in_cookie(headers) => (StatusCode::FORBIDDEN, NO_TOKEN),
            Some(_) if !headers.contains_key(SCRIPT_HEADER) => {
                (StatusCode::FORBIDDEN, "the header X-Tanren is missing\n")
            }
            Some(_) => return None,
        };
        Some(refused(status, text))
    }
}

const NO_TOKEN: &str = "open the address that tanren serve printed: it has the token\n";

impl AccessToken {
    fn is(&self, said: &str) -> bool {
        // Digests are compared, so that the time it takes says nothing of the token itself.
        let digest: [u8; 32] = Sha256::digest(said).into();
        digest == self.digest
    }

    fn is_in_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|cookie| cookie.to_str().ok());
        let mut pairs = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie && self.is(value))
    }

    fn refusal(&self, uri: &Uri, headers: &HeaderMap, is_tls: bool) -> Option<Response> {
        if self.is_in_cookie(headers) {
            return None;
        }
        let query = uri.query().unwrap_or("");
        let said = query.split('&').find_map(|pair| pair.strip_prefix("token="));
        match said {
            Some(said) if self.is(said) => {
                // A path of two slashes would be another host.
                let path = if uri.path().starts_with("//") {
                    "/"
                } else {
                    uri.path()
                };
                let secure = if is_tls { "; Secure" } else { "" };
                let cookie = format!(
                    "{}={said}; Path=/; HttpOnly; SameSite=Strict{secure}",
                    self.cookie
                );
                let mut response = StatusCode::SEE_OTHER.into_response();
                for (name, value) in [(LOCATION, path), (SET_COOKIE, &cookie)] {
                    if let Ok(value) = HeaderValue::from_str(value) {
                        response.headers_mut().insert(name, value);
                    }
                }
                Some(response)
            }
            _ => Some(refused(StatusCode::FORBIDDEN, NO_TOKEN)),
        }
    }
}

fn refused(status: StatusCode, text: &'static str) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// Refuses, or lets through and says to the browser what every answer says.
pub(super) async fn guarded(
    State(guard): State<Arc<RequestGuard>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.refusal(request.method(), request.uri(), request.headers()) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry("content-security-policy").or_insert(policy);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(token: Option<&str>, uri: &str, hosts: &[&str]) -> Option<Response> {
        let guard = RequestGuard::new("127.0.0.1:4000".parse().unwrap(), &[], token);
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, host.parse().unwrap());
        }
        guard.refusal(&Method::GET, &uri.parse().unwrap(), &headers)
    }

    #[test]
    fn the_names_of_this_machine_with_the_port_are_the_only_hosts() {
        for hosts in [&["127.0.0.1:4000"], &["LOCALHOST:4000"], &["[::1]:4000"]] {
            assert!(refusal(None, "/", hosts).is_none(), "{hosts:?}");
        }
        let two = ["localhost:4000", "evil.example"];
        for hosts in [
            &["localhost:4001"][..],
            &["127.0.0.1.evil.example:4000"],
            &[""],
            &[],
            &two,
        ] {
            let status = refusal(None, "/", hosts).map(|answer| answer.status());
            assert_eq!(status, Some(StatusCode::MISDIRECTED_REQUEST), "{hosts:?}");
        }
    }

    #[test]
    fn who_has_the_token_is_not_sent_to_another_host() {
        let answer = refusal(
            Some("secret"),
            "//evil.example/?token=secret",
            &["localhost:4000"],
        );
        assert_eq!(answer.unwrap().headers()[LOCATION], "/");
    }
}
