//! The nats-server of a fleet: its program on this machine, and its configuration.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::FleetError;
use super::connection::{WORKER_JETSTREAM, inbox_prefix, is_loopback};
use super::settings::COORDINATOR;
use crate::platform;

pub(super) const SERVER_CONF: &str = "server.conf";

/// Packages put the program where not every user's PATH leads.
const PLACES: &[&str] = &[
    "nats-server",
    "/usr/local/sbin/nats-server",
    "/usr/sbin/nats-server",
];

/// Runs the server of the fleet in `folder` in the place of this process. Returns only if it could not be started.
pub fn up(folder: &Path) -> FleetError {
    up_with(folder, PLACES)
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
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

pub(super) struct ServerConf<'a> {
    /// Absolute, with slashes, without quotes.
    pub(super) folder: &'a str,
    pub(super) hosts: &'a [String],
    pub(super) port: u16,
    /// A current one if it is not known.
    pub(super) version: Option<ServerVersion>,
    pub(super) coordinator: &'a str,
    pub(super) workers: &'a [(String, String)],
}

impl ServerConf<'_> {
    pub(super) fn text(&self) -> String {
        let folder = self.folder;
        let (listen, port) = (listen(self.hosts), self.port);
        let written_for = self.version.map_or_else(
            || "a nats-server of 2.10 or later".to_owned(),
            |version| format!("nats-server {version}"),
        );
        let sync = if self
            .version
            .is_some_and(|version| version < ServerVersion::SYNCS_ALWAYS)
        {
            "# This version acknowledges before its disk has a message; what a crash of the machine takes is played again.\n  \
             # With nats-server 2.10 or later write here: sync_interval: always"
        } else {
            "# Acknowledged is what the disk has. Before nats-server 2.10: remove this line.\n  sync_interval: always"
        };
        let mut text = format!(
            "\
# The server of a fleet, written by `tanren cluster init` for {written_for}: nats-server -c \"{folder}/{SERVER_CONF}\"
# Paths are absolute: nats-server would take others from the folder that it is started in.
host: \"{listen}\"
port: {port}
server_name: tanren

# A message is a few games. Who is silent for a minute is gone; a machine that cannot keep up is cut off and comes back.
max_payload: 1MB
max_control_line: 4KB
ping_interval: \"20s\"
ping_max: 2
write_deadline: \"10s\"

tls {{
  cert_file: \"{folder}/server.pem\"
  key_file: \"{folder}/server.key\"
  timeout: 10
}}

jetstream {{
  store_dir: \"{folder}/store\"
  max_memory_store: 256MB
  max_file_store: 8GB
  {sync}
}}

# Each worker has an account of its own, and of the coordinator's only what both name here. In one account a worker could have
# the server answer it into a subject where it may not write. After a change: kill -HUP, or start the server again.
authorization: {{ timeout: 15 }}
accounts: {{
"
        );
        text += &coordinator_account(self.coordinator);
        for (name, key) in self.workers {
            text += &worker_account(name, key);
        }
        text + "}\n"
    }
}

/// The address of this machine alone if the server has no other name.
fn listen(hosts: &[String]) -> &'static str {
    if hosts.iter().all(|host| is_loopback(host)) {
        "127.0.0.1"
    } else if hosts.iter().any(|host| host.contains(':')) {
        "::"
    } else {
        "0.0.0.0"
    }
}

/// Where JetStream answers in every account.
const JETSTREAM: &str = "$JS.API";
/// Subjects of the coordinator's account that workers may write to; `NAME` is the worker's.
const SERVICES: [&str; 5] = [
    "tanren.res.>",
    "tanren.here.NAME",
    "$JS.API.CONSUMER.MSG.NEXT.jobs.>",
    "$JS.API.CONSUMER.INFO.jobs.>",
    "$JS.ACK.jobs.>",
];
/// The one of them that has many answers.
const ANSWERS_OFTEN: &str = "$JS.API.CONSUMER.MSG.NEXT.jobs.>";
/// Subjects of the coordinator's account that workers may read.
const STREAMS: [&str; 2] = ["tanren.run.*", "tanren.order.NAME"];
/// What the coordinator may write to and read in its own account.
const COORDINATOR_WRITES: [&str; 6] = [
    "tanren.job.>",
    "tanren.control.>",
    "tanren.run.*",
    "tanren.order.*",
    "$JS.API.>",
    "$JS.ACK.>",
];
const COORDINATOR_READS: [&str; 2] = ["tanren.here.*", "tanren.run.*"];

fn coordinator_account(key: &str) -> String {
    let services = SERVICES.map(|subject| {
        let response = if subject == ANSWERS_OFTEN {
            ", response: stream"
        } else {
            ""
        };
        format!("  {{ service: \"{}\"{response} }}", subject.replace("NAME", "*"))
    });
    let streams = STREAMS.map(|subject| format!("  {{ stream: \"{}\" }}", subject.replace("NAME", "*")));
    let exports = ["jetstream: enabled".to_owned(), "exports: [".to_owned()];
    let shared = [&exports[..], &services, &streams, &["]".to_owned()]].concat();
    let own = |subjects: &[&str]| subjects.iter().map(|&subject| subject.to_owned()).collect();
    account(
        COORDINATOR,
        key,
        &own(&COORDINATOR_WRITES),
        own(&COORDINATOR_READS),
        &shared,
    )
}

fn worker_account(name: &str, key: &str) -> String {
    let services = SERVICES.map(|subject| subject.replace("NAME", name));
    let publish = services
        .clone()
        .map(|subject| subject.replacen(JETSTREAM, WORKER_JETSTREAM, 1));
    let subscribe = STREAMS.map(|subject| subject.replace("NAME", name));
    let of_coordinator = |subject: &str| format!("{{ account: {COORDINATOR}, subject: \"{subject}\" }}");
    let mut shared = vec!["imports: [".to_owned()];
    for (subject, local) in services.iter().zip(&publish) {
        let to = if subject == local {
            String::new()
        } else {
            format!(", to: \"{local}\"")
        };
        shared.push(format!("  {{ service: {}{to} }}", of_coordinator(subject)));
    }
    for subject in &subscribe {
        shared.push(format!("  {{ stream: {} }}", of_coordinator(subject)));
    }
    shared.push("]".to_owned());
    account(name, key, &publish.into(), subscribe.into(), &shared)
}

fn account(
    name: &str,
    key: &str,
    publish: &Vec<String>,
    subscribe: Vec<String>,
    shared: &[String],
) -> String {
    let inbox = format!("{}.>", inbox_prefix(name));
    let subscribe = [vec![inbox], subscribe].concat();
    // Subjects as quoted strings.
    let (publish, subscribe) = (format!("{publish:?}"), format!("{subscribe:?}"));
    let shared: String = shared.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "  {name}: {{
    users: [{{
      nkey: {key}
      permissions: {{
        publish: {{ allow: {publish} }}
        subscribe: {{ allow: {subscribe} }}
      }}
    }}]
{shared}  }}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(hosts: &[&str], version: Option<ServerVersion>) -> String {
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        let workers = [("worker-1".to_owned(), "UWORKER".to_owned())];
        let conf = ServerConf {
            folder: "/a b/club",
            hosts: &hosts,
            port: 4333,
            version,
            coordinator: "UCOORDINATOR",
            workers: &workers,
        };
        conf.text()
    }

    #[test]
    fn only_a_server_that_has_a_name_of_its_own_listens_to_others() {
        assert!(text(&["localhost", "127.0.0.1", "::1"], None).contains("host: \"127.0.0.1\"\nport: 4333\n"));
        assert!(text(&["localhost", "club.example.org"], None).contains("host: \"0.0.0.0\"\n"));
        assert!(text(&["2001:db8::1"], None).contains("host: \"::\"\n"));
    }

    #[test]
    fn an_old_server_gets_no_line_that_it_does_not_know() {
        for (version, is_set) in [("2.9.10", false), ("2.10.0", true), ("2.11.0-RC.1", true)] {
            let version = ServerVersion::parse(&format!("nats-server: v{version}\n"));
            assert!(version.is_some());
            let text = text(&["localhost"], version);
            let has_line = text.lines().any(|line| line.trim() == "sync_interval: always");
            assert_eq!(has_line, is_set, "{version:?}");
        }
        assert_eq!(ServerVersion::parse("nats-server: v2.x"), None);
    }

    #[test]
    fn a_worker_reads_its_own_replies_and_orders_alone() {
        let text = text(&["localhost"], None);
        let (_, worker) = text.split_once("  worker-1: {").unwrap();
        assert!(worker.contains("[\"_INBOX_worker-1.>\", \"tanren.run.*\", \"tanren.order.worker-1\"]"));
        assert!(!worker.contains("tanren.job") && !worker.contains("\"$JS.API.>\""));
    }

    #[test]
    fn a_server_that_is_not_there_is_told_with_where_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let said = up_with(folder.path(), &["no-such-server"]).to_string();
        assert!(
            said.contains("no server.conf") && said.contains("cluster init"),
            "{said}"
        );
        std::fs::write(folder.path().join(SERVER_CONF), "").unwrap();
        let said = up_with(folder.path(), &["no-such-server", "nor-this-one"]).to_string();
        assert!(said.contains("install the package nats-server"), "{said}");
    }
}
