//! Refuses requests before anything looks at what they ask for.
//!
//! A page of another site can send requests here through the user's browser. It cannot choose the header `Host`, which tells a name of
//! its own that it lets point here (DNS rebinding).

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::WebError;

#[derive(Debug)]
pub(super) struct Guard {
    /// What `Host` may be.
    hosts: Vec<String>,
    token: Option<Token>,
    /// May whoever has the token change runs?
    pub(super) is_control: bool,
    pub(super) is_tls: bool,
}

pub(super) const BODY_BYTES_MAX: usize = 256 * 1024;
/// A header that a page of another site cannot send.
const SCRIPT_HEADER: &str = "x-tanren";

#[derive(Debug)]
struct Token {
    digest: [u8; 32],
    cookie: String,
}

/// 128 random bits.
pub fn new_token() -> Result<String, WebError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| WebError::System(error.into()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Guard {
    /// `names`: what others call this machine.
    pub(super) fn new(address: SocketAddr, names: &[String], token: Option<&str>) -> Guard {
        let port = address.port();
        let local = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        let names: Vec<String> = local.iter().chain(names).cloned().collect();
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        hosts.push(address.to_string());
        if port == 80 || port == 443 {
            hosts.extend(names);
        }
        let token = token.map(|token| Token {
            digest: Sha256::digest(token).into(),
            // Browsers do not tell the ports of a host apart.
            cookie: format!("tanren_token_{port}"),
        });
        Guard {
            hosts,
            token,
            is_control: false,
            is_tls: false,
        }
    }

    /// Why a request is refused, or where it is sent to.
    fn refusal(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
        let hosts_given = headers.get_all(HOST).iter().count();
        if hosts_given != 1 || !host.is_some_and(is_ours) || uri.authority().is_some() {
            return Some(refused(
                StatusCode::MISDIRECTED_REQUEST,
                "this server is not the host asked for\n",
            ));
        }
        if *method != Method::GET && *method != Method::HEAD {
            let own = |origin: &str| {
                let origin = origin
                    .strip_prefix("http://")
                    .or_else(|| origin.strip_prefix("https://"));
                origin.is_some() && origin == host
            };
            let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok());
            if !origin.is_some_and(own) {
                return Some(refused(StatusCode::FORBIDDEN, "not from another site\n"));
            }
            return self.refusal_of_change(method, headers);
        }
        let length = headers.get(CONTENT_LENGTH);
        if length.is_some_and(|length| length != "0") || headers.contains_key(TRANSFER_ENCODING) {
            return Some(refused(StatusCode::PAYLOAD_TOO_LARGE, "no body is taken\n"));
        }
        let token = self.token.as_ref();
        token.and_then(|token| token.refusal(uri, headers, self.is_tls))
    }

    fn refusal_of_change(&self, method: &Method, headers: &HeaderMap) -> Option<Response> {
        let Some(token) = self
            .token
            .as_ref()
            .filter(|_| self.is_control && *method == Method::POST)
        else {
            return Some(refused(StatusCode::METHOD_NOT_ALLOWED, "only GET\n"));
        };
        let length = headers
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok());
        let length = length.and_then(|length| length.parse::<usize>().ok());
        if headers.contains_key(TRANSFER_ENCODING) || length.is_none_or(|length| length > BODY_BYTES_MAX) {
            return Some(refused(StatusCode::PAYLOAD_TOO_LARGE, "too much\n"));
        }
        if !token.is_in_cookie(headers) {
            return Some(refused(StatusCode::FORBIDDEN, NO_TOKEN));
        }
        if !headers.contains_key(SCRIPT_HEADER) {
            return Some(refused(StatusCode::FORBIDDEN, "the header X-Tanren is missing\n"));
        }
        None
    }
}

const NO_TOKEN: &str = "open the address that tanren serve printed: it has the token\n";

impl Token {
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
pub(super) async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.method(), request.uri(), request.headers()) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let always = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cache-control"), "no-store"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (HeaderName::from_static("x-frame-options"), "DENY"),
    ];
    for (name, value) in always {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = HeaderName::from_static("content-security-policy");
    if !headers.contains_key(&policy) {
        headers.insert(
            policy,
            HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
        );
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST_HEADER: (&str, &str) = ("host", "localhost:4000");

    fn guard(token: Option<&str>) -> Guard {
        Guard::new("127.0.0.1:4000".parse().unwrap(), &[], token)
    }

    fn refusal(
        guard: &Guard,
        method: &Method,
        uri: &str,
        headers: &[(&'static str, &str)],
    ) -> Option<Response> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        guard.refusal(method, &uri.parse().unwrap(), &map)
    }

    fn status(guard: &Guard, method: &Method, uri: &str, headers: &[(&'static str, &str)]) -> u16 {
        refusal(guard, method, uri, headers).map_or(200, |response| response.status().as_u16())
    }

    #[test]
    fn the_names_of_this_machine_with_the_port_are_the_only_hosts() {
        let of = |headers: &[(&'static str, &str)]| status(&guard(None), &Method::GET, "/", headers);
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"] {
            assert_eq!(of(&[("host", host)]), 200, "{host}");
        }
        for host in [
            "evil.example:4000",
            "localhost",
            "localhost:4001",
            "127.0.0.1.evil.example:4000",
            "",
        ] {
            assert_eq!(of(&[("host", host)]), 421, "{host}");
        }
        assert_eq!(of(&[]), 421);
        assert_eq!(of(&[HOST_HEADER, ("host", "evil.example")]), 421);
    }

    #[test]
    fn a_token_is_taken_once_from_the_address_and_then_from_the_cookie() {
        for (uri, cookie, expected) in [
            ("/", "", 403),
            ("/?token=wrong", "", 403),
            ("/?token=secret", "", 303),
            ("/", "other=1; tanren_token_4000=secret", 200),
            ("/", "tanren_token_4000=secre", 403),
        ] {
            let got = status(
                &guard(Some("secret")),
                &Method::GET,
                uri,
                &[HOST_HEADER, ("cookie", cookie)],
            );
            assert_eq!(got, expected, "{uri} {cookie}");
        }
    }

    #[test]
    fn who_has_the_token_is_not_sent_to_another_host() {
        let uri = "//evil.example/?token=secret";
        let response = refusal(&guard(Some("secret")), &Method::GET, uri, &[HOST_HEADER]).unwrap();
        assert_eq!(response.headers()[LOCATION], "/");
    }

    #[test]
    fn other_methods_are_refused_and_other_origins_first() {
        for (origin, expected) in [
            ("http://evil.example", 403),
            ("null", 403),
            ("", 403),
            ("http://localhost:4000", 405),
        ] {
            let headers = [HOST_HEADER, ("origin", origin)];
            assert_eq!(
                status(&guard(None), &Method::POST, "/", &headers),
                expected,
                "{origin}"
            );
        }
        assert_eq!(status(&guard(None), &Method::POST, "/", &[HOST_HEADER]), 403);
    }
}
