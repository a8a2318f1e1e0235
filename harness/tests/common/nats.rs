//! The nats-server of tests, and a port for it.
//!
//! `TANREN_NATS_SERVER=PATH` chooses the program.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;

/// The program; `None` if there is none here.
pub(crate) fn nats_server() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TANREN_NATS_SERVER") {
        return Some(fs::canonicalize(path).expect("TANREN_NATS_SERVER names no file"));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders
        .map(|folder| folder.join("nats-server"))
        .find(|path| path.is_file())
}

/// A port on which nobody listens.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
