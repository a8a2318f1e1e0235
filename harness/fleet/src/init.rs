//! A new fleet: its keys, its certificates, and a file for every machine. Nothing is replaced, and nobody else may read a secret.

use std::fmt::Write;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::{MAIN_SEPARATOR, Path, PathBuf, absolute};

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan, tz::TimeZone};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

use super::FleetError;
use super::connection::is_loopback;
use super::server::{SERVER_CONF, ServerConf, ServerVersion};
use super::settings::Seed;
use crate::platform::{owner_of, write_secret};

/// Files of `docs/deploy/` that get the fleet's folder and owner.
const TEMPLATES: [(&str, &str); 3] = [
    ("compose.yaml", include_str!("../../../docs/deploy/compose.yaml")),
    (
        "tanren-nats.service",
        include_str!("../../../docs/deploy/tanren-nats.service"),
    ),
    (
        "tanren-worker.service",
        include_str!("../../../docs/deploy/tanren-worker.service"),
    ),
];
const TEMPLATE_FOLDER: &str = "/srv/tanren";
const TEMPLATE_OWNER: &str = "1000:1000";

/// Every certificate is valid for these.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
const CERTIFICATE_YEARS: i32 = 10;
/// Machines whose clocks are behind accept a new certificate.
const DAY: SignedDuration = SignedDuration::from_hours(24);

#[derive(Debug, Clone)]
pub struct FleetSpec {
    pub folder: PathBuf,
    pub workers: u32,
    /// Names and addresses of the server; the first is the one that machines use.
    pub hosts: Vec<String>,
    pub port: u16,
}

#[derive(Debug, Clone)]
pub struct NewFleet {
    /// In the order they were written.
    pub files: Vec<String>,
    /// The nats-server of this machine, for which server.conf was written.
    pub server: Option<ServerVersion>,
}

impl FleetSpec {
    pub fn init(&self) -> Result<NewFleet, FleetError> {
        let folder = folder_text(&self.folder)?;
        self.hosts.iter().try_for_each(|host| check_host(host))?;
        if !is_free(&self.folder) {
            return Err(FleetError::Occupied(self.folder.clone()));
        }
        fs::create_dir_all(&self.folder).map_err(FleetError::unwritable(&self.folder))?;
        let server = ServerVersion::installed();
        let mut files = self.files(&folder, server)?;
        let owner = owner_of(&self.folder).map(|(user, group)| format!("{user}:{group}"));
        files.extend(TEMPLATES.map(|(name, template)| {
            let text = template.replace(TEMPLATE_FOLDER, &folder);
            let text = text.replace(TEMPLATE_OWNER, owner.as_deref().unwrap_or(TEMPLATE_OWNER));
            NewFile::open(name, text)
        }));
        for file in &files {
            file.write(&self.folder)?;
        }
        Ok(NewFleet {
            files: files.into_iter().map(|file| file.name).collect(),
            server,
        })
    }

    fn files(&self, folder: &str, version: Option<ServerVersion>) -> Result<Vec<NewFile>, FleetError> {
        let hosts = self.all_hosts();
        let certificates = Certificates::generate(&hosts)?;
        let coordinator = Machine::generate("coordinator".to_owned())?;
        let workers: Result<Vec<Machine>, FleetError> = (1..=self.workers)
            .map(|number| Machine::generate(format!("worker-{number}")))
            .collect();
        let workers = workers?;
        let names_and_keys: Vec<(String, String)> = workers
            .iter()
            .map(|worker| (worker.name.clone(), worker.public.clone()))
            .collect();
        let conf = ServerConf {
            folder,
            hosts: &hosts,
            port: self.port,
            version,
            coordinator: &coordinator.public,
            workers: &names_and_keys,
        };
        let access = format!("url = \"{}\"\n", self.url());
        let ca = format!("ca = \"\"\"\n{}\"\"\"\n", certificates.authority);
        let mut files = vec![
            NewFile::open(SERVER_CONF, conf.text()),
            NewFile::open("server.pem", certificates.server),
            NewFile::secret("server.key", certificates.server_key),
            NewFile::open("ca.pem", certificates.authority),
            NewFile::secret(
                "coordinator.toml",
                coordinator.coordinator_text(&access, &ca, &names_and_keys),
            ),
        ];
        files.extend(workers.iter().map(|worker| {
            let name = format!("{}.toml", worker.name);
            let text = worker.worker_text(&access, &ca, &coordinator.public);
            NewFile::secret(&name, text)
        }));
        Ok(files)
    }

    fn all_hosts(&self) -> Vec<String> {
        let mut hosts: Vec<String> = Vec::new();
        for host in self.hosts.iter().map(String::as_str).chain(LOOPBACK) {
            if !hosts.iter().any(|other| other == host) {
                hosts.push(host.to_owned());
            }
        }
        hosts
    }

    fn url(&self) -> String {
        let host = self.hosts.first().map_or(LOOPBACK[0], String::as_str);
        if host.contains(':') {
            format!("tls://[{host}]:{}", self.port)
        } else {
            format!("tls://{host}:{}", self.port)
        }
    }

    /// Can only programs of this machine connect?
    pub fn is_local(&self) -> bool {
        self.hosts.iter().all(|host| is_loopback(host))
    }
}

struct Certificates {
    authority: String,
    server: String,
    server_key: String,
}

impl Certificates {
    /// The key of the authority is not kept: who has it could pretend to be the server.
    fn generate(hosts: &[String]) -> Result<Certificates, rcgen::Error> {
        let mut authority = valid(CertificateParams::default(), "Tanren fleet: authority");
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate()?)?;
        let mut server = valid(CertificateParams::new(hosts)?, "Tanren fleet: server");
        server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        server.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        Ok(Certificates {
            authority: authority.pem(),
            server: server.signed_by(&key, &authority)?.pem(),
            server_key: key.serialize_pem(),
        })
    }
}

fn valid(mut params: CertificateParams, name: &str) -> CertificateParams {
    let now = Timestamp::now();
    let first = now.checked_sub(DAY).unwrap_or(now).to_zoned(TimeZone::UTC).date();
    let start_of = |day: Date| {
        let (month, day_of_month) = (day.month().unsigned_abs(), day.day().unsigned_abs());
        date_time_ymd(i32::from(day.year()), month, day_of_month)
    };
    params.not_before = start_of(first);
    params.not_after = start_of(first.saturating_add(CERTIFICATE_YEARS.years()));
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

struct Machine {
    name: String,
    seed: Seed,
    public: String,
}

impl Machine {
    fn generate(name: String) -> Result<Machine, FleetError> {
        let seed = Seed::generate()?;
        let public = seed.key_pair()?.public_key();
        Ok(Machine { name, seed, public })
    }

    fn coordinator_text(&self, access: &str, ca: &str, workers: &[(String, String)]) -> String {
        let seed = self.seed.reveal();
        let mut text = format!(
            "# Who has this file gives the fleet its work: tanren match --cluster coordinator.toml ...\n\
             {access}seed = \"{seed}\"\n{ca}\n# Whose results are taken.\n[workers]\n"
        );
        for (name, key) in workers {
            // Writing into a string does not fail.
            let _ = writeln!(text, "{name} = \"{key}\"");
        }
        text
    }

    fn worker_text(&self, access: &str, ca: &str, coordinator: &str) -> String {
        let (name, seed) = (&self.name, self.seed.reveal());
        format!(
            "# Who has this file plays for the fleet as {name}: tanren worker {name}.toml\n\
             name = \"{name}\"\n{access}seed = \"{seed}\"\n\
             # Whose work is taken.\ncoordinator = \"{coordinator}\"\n\
             # Engines of this machine, if there are others than the built-in one.\n# engines = \"engines.toml\"\n{ca}"
        )
    }
}

struct NewFile {
    name: String,
    text: String,
    is_secret: bool,
}

impl NewFile {
    fn open(name: &str, text: String) -> NewFile {
        NewFile {
            name: name.to_owned(),
            text,
            is_secret: false,
        }
    }

    fn secret(name: &str, text: String) -> NewFile {
        NewFile {
            is_secret: true,
            ..NewFile::open(name, text)
        }
    }

    fn write(&self, folder: &Path) -> Result<(), FleetError> {
        let path = folder.join(&self.name);
        let written = if self.is_secret {
            write_secret(&path, &self.text)
        } else {
            fs::write(&path, &self.text)
        };
        written.map_err(FleetError::unwritable(&path))
    }
}

fn is_free(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// The absolute path as it can stand between quotes in the files of nats-server, systemd and compose alike.
fn folder_text(folder: &Path) -> Result<String, FleetError> {
    let path = absolute(folder).map_err(FleetError::unwritable(folder))?;
    let text = path.to_string_lossy();
    let text = text.replace(MAIN_SEPARATOR, "/");
    let text = text.trim_end_matches('/').to_owned();
    let is_bad = |character: &char| character.is_control() || "\"'\\$%`\u{fffd}".contains(*character);
    match text.chars().find(is_bad) {
        None => Ok(text),
        Some(character) => Err(FleetError::BadFolder {
            folder: path,
            character,
        }),
    }
}

fn check_host(host: &str) -> Result<(), FleetError> {
    let refuse = || Err(FleetError::BadHost(host.to_owned()));
    if let Ok(address) = host.parse::<IpAddr>() {
        return if address.is_unspecified() {
            refuse()
        } else {
            Ok(())
        };
    }
    let is_label = |label: &str| {
        let is_made_of_letters = label
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let is_long = label.is_empty() || label.len() > 63;
        is_made_of_letters && !is_long && !label.starts_with('-') && !label.ends_with('-')
    };
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    let last = host.rsplit('.').next().unwrap_or_default();
    if host.len() > 253 || !host.split('.').all(is_label) || is_number(last) {
        return refuse();
    }
    Ok(())
}
