//! A server that others than this machine reach, encrypted.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rcgen::{CertifiedKey, KeyPair};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::folder::{Ended, Folder, InFolder};
use crate::server::{Server, exchange};

/// Writes `c.pem` and `k.pem`.
fn certificate(folder: &Path) -> CertifiedKey<KeyPair> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(folder.join("c.pem"), made.cert.pem()).unwrap();
    fs::write(folder.join("k.pem"), made.signing_key.serialize_pem()).unwrap();
    made
}

/// A browser that trusts this certificate alone.
fn agent(made: &CertifiedKey<KeyPair>) -> ureq::Agent {
    let authority = Certificate::from_der(made.cert.der()).to_owned();
    let config = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&[authority]))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let agent = ureq::Agent::config_builder().tls_config(config);
    agent.http_status_as_error(false).max_redirects(0).build().into()
}

#[test]
fn with_a_certificate_it_speaks_tls_and_keeps_the_token_for_it() {
    let folder = Folder::new();
    let agent = agent(&certificate(&folder));
    let line = "--host 0.0.0.0 . --tls-cert c.pem --tls-key k.pem --name localhost --token";
    let server = Server::start(&folder, line);
    assert!(
        server.address.starts_with("https://localhost:"),
        "{}",
        server.address
    );
    let given = agent.get(&server.address).call().unwrap();
    assert_eq!(given.status(), 303);
    let cookie = given.headers()["set-cookie"].to_str().unwrap();
    for part in ["Secure", "HttpOnly", "SameSite=Strict"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let bare = server.address.split('?').next().unwrap();
    assert_eq!(agent.get(bare).call().unwrap().status(), 403);
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(
        agent.get(bare).header("cookie", cookie).call().unwrap().status(),
        200
    );
    let port = server.host.split(':').nth(1).unwrap();
    let plain = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let answer = exchange(plain, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(answer.status, 0, "plain text gets nothing");
}

#[test]
fn without_a_name_a_token_or_its_files_it_does_not_begin() {
    let folder = Folder::new();
    certificate(&folder);
    let named = "--host 0.0.0.0 --tls-cert c.pem --tls-key k.pem";
    for (line, expected) in [
        (format!("{named} --token"), "--name"),
        (format!("{named} --name x"), "--token"),
        ("--tls-cert k.pem --tls-key k.pem".to_owned(), "k.pem"),
        ("--tls-cert c.pem --tls-key nowhere.pem".to_owned(), "nowhere.pem"),
        ("--tls-cert c.pem".to_owned(), "--tls-key"),
    ] {
        folder.run(&format!("serve . {line}")).refused(expected);
    }
}
