//! The configuration of the server of a fleet.
//!
//! In: where the server listens, its files, the public keys of all machines. Out: the text of server.conf. Must not: allow a
//! worker more than asking for work and handing in results.

use super::link::{WORKER_JETSTREAM, inbox_prefix, is_loopback};
use super::program::ServerVersion;
use super::settings::COORDINATOR;

/// What the file is called.
pub(super) const SERVER_CONF: &str = "server.conf";

/// The first version that can write to its disk before it acknowledges.
const SYNCS_ALWAYS: ServerVersion = ServerVersion {
    major: 2,
    minor: 10,
    patch: 0,
};

/// What the configuration is made of.
pub(super) struct ServerConf<'a> {
    /// The folder of the fleet: absolute, with slashes, without quotes.
    pub(super) folder: &'a str,
    pub(super) hosts: &'a [String],
    pub(super) port: u16,
    /// The version it is written for; the current one if none is known.
    pub(super) version: Option<ServerVersion>,
    /// The public key of the coordinator.
    pub(super) coordinator: &'a str,
    /// Names and public keys.
    pub(super) workers: &'a [(String, String)],
}

impl ServerConf<'_> {
    /// The text of the file.
    pub(super) fn text(&self) -> String {
        let folder = self.folder;
        let (listen, port) = (listen(self.hosts), self.port);
        let written_for = self.version.map_or_else(
            || "a nats-server of 2.10 or later".to_owned(),
            |version| format!("nats-server {version}"),
        );
        let sync = self.sync();
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
        text += &account(COORDINATOR, self.coordinator, &Rights::of_coordinator());
        for (name, key) in self.workers {
            text += &account(name, key, &Rights::of_worker(name));
        }
        text + "}\n"
    }

    fn sync(&self) -> &'static str {
        match self.version {
            Some(version) if version < SYNCS_ALWAYS => {
                "# This version acknowledges before its disk has a message; what a crash of the machine takes is played again.\n  \
                 # With nats-server 2.10 or later write here: sync_interval: always"
            }
            _ => {
                "# Acknowledged is what the disk has. Before nats-server 2.10: remove this line.\n  sync_interval: always"
            }
        }
    }
}

/// The address to listen on: that of this machine alone if no other name is known.
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

/// What a machine may do; all else is refused.
struct Rights {
    publish: Vec<String>,
    subscribe: Vec<String>,
    /// Lines of its account about those of others.
    shared: Vec<String>,
}

impl Rights {
    fn of_coordinator() -> Rights {
        let service = |subject: &str| {
            let response = if subject == ANSWERS_OFTEN {
                ", response: stream"
            } else {
                ""
            };
            format!("{{ service: \"{subject}\"{response} }}")
        };
        let services = SERVICES.map(|subject| service(&subject.replace("NAME", "*")));
        let streams = STREAMS.map(|subject| format!("{{ stream: \"{}\" }}", subject.replace("NAME", "*")));
        let mut shared = vec!["jetstream: enabled".to_owned(), "exports: [".to_owned()];
        shared.extend(
            services
                .into_iter()
                .chain(streams)
                .map(|line| format!("  {line}")),
        );
        shared.push("]".to_owned());
        Rights {
            publish: COORDINATOR_WRITES.map(str::to_owned).into(),
            subscribe: COORDINATOR_READS.map(str::to_owned).into(),
            shared,
        }
    }

    fn of_worker(name: &str) -> Rights {
        let own = |subject: &str| subject.replace("NAME", name);
        let services = SERVICES.map(own);
        let publish = services
            .clone()
            .map(|subject| subject.replacen(JETSTREAM, WORKER_JETSTREAM, 1));
        let subscribe = STREAMS.map(own);
        let of_coordinator = |subject: &str| format!("{{ account: {COORDINATOR}, subject: \"{subject}\" }}");
        let mut shared = vec!["imports: [".to_owned()];
        shared.extend(services.iter().zip(&publish).map(|(subject, local)| {
            let service = of_coordinator(subject);
            let to = if subject == local {
                String::new()
            } else {
                format!(", to: \"{local}\"")
            };
            format!("  {{ service: {service}{to} }}")
        }));
        shared.extend(
            subscribe
                .iter()
                .map(|subject| format!("  {{ stream: {} }}", of_coordinator(subject))),
        );
        shared.push("]".to_owned());
        Rights {
            publish: publish.into(),
            subscribe: subscribe.into(),
            shared,
        }
    }
}

/// The account of the machine called `name`.
fn account(name: &str, key: &str, rights: &Rights) -> String {
    let listed = |subjects: &[String]| {
        let quoted: Vec<String> = subjects.iter().map(|subject| format!("\"{subject}\"")).collect();
        quoted.join(", ")
    };
    let inbox = format!("{}.>", inbox_prefix(name));
    let subscribe = [std::slice::from_ref(&inbox), &rights.subscribe].concat();
    let shared: String = rights.shared.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "  {name}: {{
    users: [{{
      nkey: {key}
      permissions: {{
        publish: {{ allow: [{}] }}
        subscribe: {{ allow: [{}] }}
      }}
    }}]
{shared}  }}
",
        listed(&rights.publish),
        listed(&subscribe),
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
        let of = |minor| {
            text(
                &["localhost"],
                Some(ServerVersion {
                    major: 2,
                    minor,
                    patch: 10,
                }),
            )
        };
        let is_set = |text: &str| text.lines().any(|line| line.trim() == "sync_interval: always");
        assert!(!is_set(&of(9)) && of(9).contains("write here: sync_interval: always"));
        assert!(is_set(&of(10)) && is_set(&text(&["localhost"], None)));
    }

    #[test]
    fn a_worker_reads_its_own_replies_and_orders_alone() {
        let text = text(&["localhost"], None);
        let (_, worker) = text.split_once("  worker-1: {").unwrap();
        assert!(worker.contains("[\"_INBOX_worker-1.>\", \"tanren.run.*\", \"tanren.order.worker-1\"]"));
        assert!(!worker.contains("tanren.job") && !worker.contains("\"$JS.API.>\""));
    }
}
