//! The nats-server of a fleet: its program on this machine.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::FleetError;
use crate::platform;

pub(super) const SERVER_CONF: &str = "server.conf";

/// Packages put the program where not every user's PATH leads.
const PLACES: [&str; 3] = [
    "nats-server",
    "/usr/local/sbin/nats-server",
    "/usr/sbin/nats-server",
];

/// Runs the server of the fleet in `folder` in the place of this process. Returns only if it could not be started.
pub fn up(folder: &Path) -> FleetError {
    up_with(folder, &PLACES)
}

fn up_with(folder: &Path, places: &[&str]) -> FleetError {
    let conf = folder.join(SERVER_CONF);
    if !conf.is_file() {
        return FleetError::NoFleet(folder.to_owned());
    }
    for place in places {
        let error = platform::hand_over(Command::new(place).arg("-c").arg(&conf));
        if error.kind() != io::ErrorKind::NotFound {
            return FleetError::ServerProgram(error);
        }
    }
    FleetError::NoServerProgram
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerVersion(u32, u32, u32);

impl ServerVersion {
    /// The first that can write to its disk before it acknowledges.
    const SYNCS_ALWAYS: ServerVersion = ServerVersion(2, 10, 0);

    /// Of what the program says: `nats-server: v2.9.10`.
    fn parse(text: &str) -> Option<ServerVersion> {
        let (_, version) = text.split_once(": v")?;
        // A version may have an end of its own: 2.11.0-RC.1.
        let numbers = version.trim().split(['-', '+']).next()?;
        let mut numbers = numbers.split('.').map(|number| number.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(ServerVersion(next()?, next()?, next()?))
    }

    pub(super) fn installed() -> Option<ServerVersion> {
        PLACES.iter().find_map(|place| {
            let mut command = Command::new(place);
            let answer = command.arg("--version").stdin(Stdio::null()).output().ok()?;
            ServerVersion::parse(&String::from_utf8_lossy(&answer.stdout))
        })
    }

    /// What stands in server.conf; an old server does not start with a line that it does not know.
    pub(super) fn sync_line(version: Option<ServerVersion>) -> &'static str {
        if version.is_some_and(|version| version < ServerVersion::SYNCS_ALWAYS) {
            "# This version acknowledges before its disk has a message; what a crash of the machine takes is played again.\n  \
             # With nats-server 2.10 or later write here: sync_interval: always"
        } else {
            "# Acknowledged is what the disk has. Before nats-server 2.10: remove this line.\n  sync_interval: always"
        }
    }
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_server_gets_no_line_that_it_does_not_know() {
        for (version, is_set) in [("2.9.10", false), ("2.10.0", true), ("2.11.0-RC.1", true)] {
            let version = ServerVersion::parse(&format!("nats-server: v{version}\n"));
            assert!(version.is_some());
            let line = ServerVersion::sync_line(version).lines().last().unwrap().trim();
            assert_eq!(line == "sync_interval: always", is_set, "{version:?}");
        }
        assert_eq!(ServerVersion::parse("nats-server: v2.x"), None);
    }

    #[test]
    fn a_server_that_is_not_there_is_told_with_where_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(SERVER_CONF), "").unwrap();
        let said = up_with(folder.path(), &["no-such-server", "nor-this-one"]).to_string();
        assert!(said.contains("install the package nats-server"), "{said}");
    }
}
