//! A server for a test, and what it answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::common::tanren;
use crate::folder::words;
use crate::running::{signal, wait_until};

/// A server that ends with its test.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) host: String,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The head of the answer in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn cookie(&self) -> String {
        let given = self.head.split("set-cookie: ").nth(1).unwrap();
        given.split(';').next().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Server {
    pub(crate) fn start(folder: &Path, line: &str) -> Server {
        let mut command = tanren();
        command.arg("serve").args(words(line)).current_dir(folder);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut address)
            .unwrap();
        let address = address.trim().to_owned();
        let host = address.split('/').nth(2).unwrap_or_default().to_owned();
        Server { child, address, host }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.say(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.host))
    }

    /// Sends a head whose end and `Connection` are added.
    pub(crate) fn say(&self, head: &str) -> Answer {
        self.send(&format!("{head}Connection: close\r\n\r\n"))
    }

    pub(crate) fn send(&self, request: &str) -> Answer {
        exchange(TcpStream::connect(&self.host).unwrap(), request)
    }

    /// Lets it end as Ctrl-C does.
    pub(crate) fn end(&mut self) {
        signal(self.child.id(), "INT");
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    /// The runs, once each that can be read is counted.
    pub(crate) fn runs(&self) -> Vec<Value> {
        let mut runs = Value::Null;
        wait_until("the runs are not counted", || {
            runs = self.json("/api/v1/runs?count=1000")["runs"].take();
            runs.as_array().unwrap().iter().all(|run| !run["state"].is_null())
        });
        runs.as_array().unwrap().clone()
    }
}

/// What is answered to `request` until the other side closes; status 0 if nothing.
pub(crate) fn exchange(mut stream: TcpStream, request: &str) -> Answer {
    // A server that refuses in the middle may not read to the end.
    drop(stream.write_all(request.as_bytes()));
    let mut bytes = Vec::new();
    drop(stream.read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    }
}
