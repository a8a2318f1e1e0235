//! The words of a browser: `http SERVER METHOD PATH HEADER…` asks a server in the background and prints the body, `http -I` the head.
//! `raw SERVER TEXT` sends what it is told, `hold SERVER COUNT TEXT` so often without reading an answer, `listen SERVER PATH FILE` writes
//! what comes to a file, `at-once COUNT SERVER …` asks on so many connections. A status other than 200 stands above, like an exit code.

use std::cell::RefCell;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::{Arc, Barrier};
use std::thread;

use rustls::pki_types::{CertificateDer, ServerName, pem::PemObject};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::shell::{BOUND, Shell, Words};

/// Where a server listens, and what to send it before all else.
struct Server {
    address: String,
    host: String,
    port: String,
}

impl Server {
    fn of(shell: &mut Shell, name: &str) -> Server {
        shell.until_it_is(BOUND, "an address of the server", |shell| {
            shell.said(name).contains('\n')
        });
        let address = shell.said(name).lines().next().unwrap().to_owned();
        let host = address.split('/').nth(2).unwrap_or_default().to_owned();
        let port = host.rsplit(':').next().unwrap_or_default().to_owned();
        Server { address, host, port }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(format!("127.0.0.1:{}", self.port)).unwrap()
    }

    /// `text` for this server.
    fn fill(&self, text: &str, cookie: &str) -> String {
        let many = "X-One: 1\r\n".repeat(200);
        let token = self.address.split("?token=").nth(1).unwrap_or_default();
        let names = [
            ("\\n", "\r\n"),
            ("[HOST]", &self.host),
            ("[PORT]", &self.port),
            ("[COOKIE]", cookie),
            ("[TOKEN]", token),
            ("[LONG]", &"a".repeat(100_000)),
            ("[MANY]", &many),
        ];
        names
            .iter()
            .fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// What is answered to `request` until the other side closes: status (0 if nothing), head in lower case, body.
fn exchange(mut stream: impl Read + Write, request: &str) -> (u16, String, String) {
    // A server that refuses in the middle may not read to the end.
    drop(stream.write_all(request.as_bytes()));
    let mut bytes = Vec::new();
    drop(stream.read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or(0), head.to_ascii_lowercase(), body.to_owned())
}

/// Trusts the certificate in `c.pem` alone.
fn encrypted(shell: &Shell, stream: TcpStream) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(shell.folder.join("c.pem")).unwrap())
        .unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), stream)
}

/// `? 404` above what is printed.
fn told(status: u16, text: &str) -> String {
    match status {
        200 => text.to_owned(),
        _ => format!("? {status}\n{text}"),
    }
}

#[expect(clippy::too_many_lines, reason = "a table: a few lines for each word")]
pub(crate) fn browser() -> Words {
    let (cookie, held) = (RefCell::new(String::new()), RefCell::new(Vec::new()));
    Rc::new(move |shell, words, input| {
        let (server, rest) = match *words {
            ["http", "-I", name, ref rest @ ..] | [_, name, ref rest @ ..] => (name, rest),
            _ => return None,
        };
        if words[0] == "copies" {
            for number in 0..rest[0].parse().unwrap() {
                let copy = shell
                    .folder
                    .join(format!("results/group-{}/run-{number}", number % 7));
                fs::create_dir_all(&copy).unwrap();
                fs::copy(
                    shell.folder.join(server).join("ledger.sqlite"),
                    copy.join("ledger.sqlite"),
                )
                .unwrap();
            }
            return Some(String::new());
        }
        if words[0] == "certificate" {
            let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
            fs::write(shell.folder.join(server), made.cert.pem()).unwrap();
            fs::write(shell.folder.join(rest[0]), made.signing_key.serialize_pem()).unwrap();
            return Some(String::new());
        }
        if !["at-once", "hold", "http", "listen", "raw"].contains(&words[0]) {
            return None;
        }
        let name = if words[0] == "at-once" { rest[0] } else { server };
        let server = Server::of(shell, name);
        let asked = |rest: &[&str]| {
            let [method, path, headers @ ..] = rest else {
                panic!("{rest:?}")
            };
            let mut head = format!("{method} {path} HTTP/1.1\\nConnection: close\\n");
            let has = |name: &str| headers.iter().any(|header| header.starts_with(name));
            if !has("Host:") {
                head += "Host: [HOST]\\n";
            }
            if *method == "POST" && !has("Content-Length:") {
                head += &format!("Content-Length: {}\\n", input.len());
            }
            // As a script of an own page asks.
            if has("own") {
                head += "Origin: http://[HOST]\\nCookie: [COOKIE]\\nX-Tanren: 1\\n";
            }
            let others = headers.iter().filter(|header| **header != "own");
            others.for_each(|header| head += &format!("{header}\\n"));
            server.fill(&format!("{head}\\n"), &cookie.borrow()) + input
        };
        Some(match words[0] {
            "raw" => {
                let request = server.fill(
                    &format!("{}\\nConnection: close\\n\\n", rest[0]),
                    &cookie.borrow(),
                );
                told(exchange(server.connect(), &request).0, "")
            }
            "hold" => {
                let request = server.fill(rest[1], &cookie.borrow());
                for _ in 0..rest[0].parse().unwrap() {
                    let mut stream = server.connect();
                    stream.write_all(request.as_bytes()).unwrap();
                    held.borrow_mut().push(stream);
                }
                String::new()
            }
            "listen" => {
                let mut file = fs::File::options()
                    .create(true)
                    .append(true)
                    .open(shell.folder.join(rest[1]))
                    .unwrap();
                let (mut stream, request) = (server.connect(), asked(&["GET", rest[0]]));
                thread::spawn(move || {
                    drop(stream.write_all(request.as_bytes()));
                    // Until the server ends.
                    drop(std::io::copy(&mut stream, &mut file));
                });
                String::new()
            }
            "at-once" => {
                let count = words[1].parse().unwrap();
                let (begin, request) = (Barrier::new(count), asked(&rest[1..]));
                let ask = || {
                    begin.wait();
                    exchange(server.connect(), &request).0
                };
                let mut codes: Vec<u16> = thread::scope(|scope| {
                    let asked: Vec<_> = (0..count).map(|_| scope.spawn(ask)).collect();
                    asked.into_iter().map(|asked| asked.join().unwrap()).collect()
                });
                codes.sort_unstable();
                format!("{codes:?}\n")
            }
            _ => {
                let request = asked(rest);
                let (status, head, body) = match server.address.starts_with("https:") {
                    true => exchange(encrypted(shell, server.connect()), &request),
                    false => exchange(server.connect(), &request),
                };
                if let Some((_, given)) = head.split_once("set-cookie: ") {
                    given
                        .split(';')
                        .next()
                        .unwrap()
                        .clone_into(&mut cookie.borrow_mut());
                }
                let is_head = words[1] == "-I";
                told(status, if is_head { &head } else { &body })
            }
        })
    })
}
