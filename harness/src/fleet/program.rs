//! The program nats-server of this machine.
//!
//! In: nothing. Out: where it may be, and what version it is. Must not: leave it running.

use std::fmt;
use std::process::{Command, Stdio};

/// Where the program is looked for: on the PATH, and where packages put it that is not on every user's.
pub(super) const PLACES: &[&str] = &[
    "nats-server",
    "/usr/local/sbin/nats-server",
    "/usr/sbin/nats-server",
];

/// A version of nats-server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerVersion {
    /// The first number.
    pub major: u32,
    /// The second.
    pub minor: u32,
    /// The third.
    pub patch: u32,
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl ServerVersion {
    /// Of what the program says: `nats-server: v2.9.10`.
    fn parse(text: &str) -> Option<ServerVersion> {
        let (_, version) = text.split_once('v')?;
        // A version may have an end of its own: 2.11.0-RC.1.
        let numbers = version.trim().split(['-', '+']).next()?;
        let mut numbers = numbers.split('.').map(|number| number.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(ServerVersion {
            major: next()?,
            minor: next()?,
            patch: next()?,
        })
    }
}

/// The version of this machine's nats-server, if there is one.
pub(super) fn server_version() -> Option<ServerVersion> {
    let answers = PLACES.iter().filter_map(|place| {
        let mut command = Command::new(place);
        command.arg("--version").stdin(Stdio::null()).output().ok()
    });
    answers
        .map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned())
        .find_map(|text| ServerVersion::parse(&text.replace("nats-server", "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_and_compared() {
        let parse = |text: &str| ServerVersion::parse(text).map(|version| version.to_string());
        assert_eq!(parse(": v2.9.10\n").as_deref(), Some("2.9.10"));
        assert_eq!(parse(": v2.11.0-RC.1\n").as_deref(), Some("2.11.0"));
        assert_eq!(parse("hello"), None);
        assert_eq!(parse("v2.x"), None);
        assert!(ServerVersion::parse("v2.9.25") < ServerVersion::parse("v2.10.0"));
    }
}
