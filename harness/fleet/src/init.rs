//! A new fleet: its keys, its certificates, and a file for every machine. Nothing is replaced, and nobody else may read a secret.

use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::{MAIN_SEPARATOR, Path, PathBuf, absolute};
use std::time::{Duration, UNIX_EPOCH};

use async_nats::rustls::pki_types::DnsName;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

use super::FleetError;
use super::connection::is_loopback;
use super::server::{SERVER_CONF, ServerVersion};
use crate::platform::write_secret;

/// Every certificate is valid for these.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// Machines whose clocks are behind accept a new certificate.
const DAY: Duration = Duration::from_secs(24 * 3600);
const CERTIFICATE_DAYS: u32 = 3_652;

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
        let files = self.files(&folder, server)?;
        for (name, text) in &files {
            let path = self.folder.join(name);
            // Every machine's file has its seed.
            let is_secret = name == "server.key" || name.ends_with(".toml");
            let write = if is_secret {
                write_secret
            } else {
                |path: &Path, text: &str| fs::write(path, text)
            };
            write(&path, text).map_err(FleetError::unwritable(&path))?;
        }
        let files = files.into_iter().map(|(name, _)| name).collect();
        Ok(NewFleet { files, server })
    }

    /// Their names and texts.
    fn files(
        &self,
        folder: &str,
        version: Option<ServerVersion>,
    ) -> Result<Vec<(String, String)>, FleetError> {
        let mut hosts = self.hosts.clone();
        hosts.extend(
            LOOPBACK
                .map(str::to_owned)
                .into_iter()
                .filter(|host| !self.hosts.contains(host)),
        );
        let [ca, certificate, server_key] = certificates(&hosts)?;
        let url = match self.hosts.first().map_or(LOOPBACK[0], String::as_str) {
            address if address.contains(':') => format!("tls://[{address}]:{}", self.port),
            host => format!("tls://{host}:{}", self.port),
        };
        let coordinator = nkeys::KeyPair::new_user();
        let (mut accounts, mut keys, mut workers) = (String::new(), String::new(), Vec::new());
        for number in 1..=self.workers {
            let name = format!("worker-{number}");
            let pair = nkeys::KeyPair::new_user();
            let values = [
                ("{name}", &*name),
                ("{key}", &pair.public_key()),
                ("{url}", &url),
                ("{seed}", &pair.seed()?),
                ("{coordinator}", &coordinator.public_key()),
                ("{ca}", &ca),
            ];
            accounts += &filled(include_str!("files/worker.account"), &values);
            keys += &format!("{name} = \"{}\"\n", pair.public_key());
            workers.push((
                format!("{name}.toml"),
                filled(include_str!("files/worker.toml"), &values),
            ));
        }
        let values = [
            (
                "{version}",
                &*version.map_or_else(
                    || "a nats-server of 2.10 or later".to_owned(),
                    |version| format!("nats-server {version}"),
                ),
            ),
            ("{sync}", ServerVersion::sync_line(version)),
            ("{folder}", folder),
            ("{listen}", self.listen()),
            ("{port}", &self.port.to_string()),
            ("{coordinator}", &coordinator.public_key()),
            ("{url}", &url),
            ("{seed}", &coordinator.seed()?),
            ("{ca}", &ca),
        ];
        let conf = filled(include_str!("files/server.conf"), &values);
        let file = filled(include_str!("files/coordinator.toml"), &values);
        let mut files = vec![
            (SERVER_CONF.to_owned(), conf.replace("{workers}", &accounts)),
            ("server.pem".to_owned(), certificate),
            ("server.key".to_owned(), server_key),
            ("ca.pem".to_owned(), ca),
            ("coordinator.toml".to_owned(), file.replace("{workers}", &keys)),
        ];
        files.extend(workers);
        Ok(files)
    }

    /// The address of this machine alone if the server has no other name.
    fn listen(&self) -> &'static str {
        if self.is_local() {
            "127.0.0.1"
        } else if self.hosts.iter().any(|host| host.contains(':')) {
            "::"
        } else {
            "0.0.0.0"
        }
    }

    /// Can only programs of this machine connect?
    pub fn is_local(&self) -> bool {
        self.hosts.iter().all(|host| is_loopback(host))
    }
}

fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let fill = |text: String, (place, value): &(&str, &str)| text.replace(place, value);
    values.iter().fold(template.to_owned(), fill)
}

/// Of the authority and of the server, and the server's key. The key of the authority is not kept: who has it could pretend to be the
/// server.
fn certificates(hosts: &[String]) -> Result<[String; 3], rcgen::Error> {
    let mut authority = valid(CertificateParams::default(), "Tanren fleet: authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate()?)?;
    let mut server = valid(CertificateParams::new(hosts)?, "Tanren fleet: server");
    server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    server.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    let certificate = server.signed_by(&key, &authority)?.pem();
    Ok([authority.pem(), certificate, key.serialize_pem()])
}

fn valid(mut params: CertificateParams, name: &str) -> CertificateParams {
    let now = date_time_ymd(1970, 1, 1) + UNIX_EPOCH.elapsed().unwrap_or_default();
    params.not_before = now - DAY;
    params.not_after = now + CERTIFICATE_DAYS * DAY;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

fn is_free(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// The absolute path as it can stand between quotes in the files of nats-server and of services alike.
fn folder_text(folder: &Path) -> Result<String, FleetError> {
    let path = absolute(folder).map_err(FleetError::unwritable(folder))?;
    let text = path.to_string_lossy().replace(MAIN_SEPARATOR, "/");
    let is_bad = |character: &char| character.is_control() || "\"'\\$%`\u{fffd}".contains(*character);
    match text.chars().find(is_bad) {
        None => Ok(text.trim_end_matches('/').to_owned()),
        Some(character) => Err(FleetError::BadFolder {
            folder: path,
            character,
        }),
    }
}

fn check_host(host: &str) -> Result<(), FleetError> {
    let is_usable = match host.parse::<IpAddr>() {
        Ok(address) => !address.is_unspecified(),
        Err(_) => DnsName::try_from(host).is_ok() && !host.ends_with('.'),
    };
    if is_usable {
        Ok(())
    } else {
        Err(FleetError::BadHost(host.to_owned()))
    }
}
