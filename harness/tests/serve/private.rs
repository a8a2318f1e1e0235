//! A server that others than this machine reach, encrypted.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rcgen::{CertifiedKey, KeyPair};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::common::{run, stderr};
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
    let config = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&[Certificate::from_der(
            made.cert.der(),
        )
        .to_owned()]))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let agent = ureq::Agent::config_builder().tls_config(config);
    agent.http_status_as_error(false).max_redirects(0).build().into()
}

#[test]
fn with_a_certificate_it_speaks_tls_and_keeps_the_token_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let made = certificate(folder.path());
    let tls = [
        "--tls-cert",
        "c.pem",
        "--tls-key",
        "k.pem",
        "--name",
        "localhost",
        "--token",
    ];
    let server = Server::start(folder.path(), &[&["--host", "0.0.0.0", "."][..], &tls].concat());
    assert!(
        server.address.starts_with("https://localhost:"),
        "{}",
        server.address
    );
    let agent = agent(&made);
    let given = agent.get(&server.address).call().unwrap();
    assert_eq!(given.status(), 303);
    let cookie = given.headers()["set-cookie"].to_str().unwrap();
    assert!(
        cookie.contains("Secure") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let bare = server.address.split('?').next().unwrap();
    assert_eq!(agent.get(bare).call().unwrap().status(), 403);
    assert_eq!(
        agent
            .get(bare)
            .header("cookie", cookie.split(';').next().unwrap())
            .call()
            .unwrap()
            .status(),
        200
    );
    let port = server
        .address
        .rsplit(':')
        .next()
        .unwrap()
        .split('/')
        .next()
        .unwrap();
    let plain = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    assert_eq!(
        exchange(plain, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status,
        0,
        "plain text gets nothing"
    );
}

#[test]
fn without_a_name_a_token_or_its_files_it_does_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path());
    for (arguments, said) in [
        (
            &[
                "--host",
                "0.0.0.0",
                "--tls-cert",
                "c.pem",
                "--tls-key",
                "k.pem",
                "--token",
            ][..],
            "--name",
        ),
        (
            &[
                "--host",
                "0.0.0.0",
                "--tls-cert",
                "c.pem",
                "--tls-key",
                "k.pem",
                "--name",
                "x",
            ],
            "--token",
        ),
        (&["--tls-cert", "k.pem", "--tls-key", "k.pem"], "k.pem"),
        (
            &["--tls-cert", "c.pem", "--tls-key", "nowhere.pem"],
            "nowhere.pem",
        ),
        (&["--tls-cert", "c.pem"], "--tls-key"),
    ] {
        let refused = run(folder.path(), &[&["serve", "."][..], arguments].concat());
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&refused).contains(said),
            "{arguments:?}: {}",
            stderr(&refused)
        );
    }
}
