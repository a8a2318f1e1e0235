//! The file of a machine: all that it needs to take part in a fleet. A seed is never shown.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use nkeys::{KeyPair, KeyPairType};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use super::wire::is_name;
use crate::config::{ConfigError, Source, check_repository, read_text};

/// The coordinator's name among those of workers.
pub const COORDINATOR: &str = "coordinator";

const NAME_BYTES_MAX: usize = 32;
/// The keys of files of machines, whichever.
const KEYS: [&str; 8] = [
    "name",
    "url",
    "ca",
    "seed",
    "coordinator",
    "engines",
    "trusted_repositories",
    "workers",
];

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoordinatorFile {
    /// The server's address, `tls://HOST:4222`.
    pub url: String,
    /// The certificate of the server's authority, as PEM; those of the system if absent.
    pub ca: Option<String>,
    pub seed: Seed,
    /// A relative path starts from the file's folder.
    pub engines: Option<PathBuf>,
    /// The public keys of the workers, by name; nothing of anybody else is believed.
    #[serde(deserialize_with = "workers")]
    pub workers: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerFile {
    #[serde(deserialize_with = "worker_name")]
    pub name: String,
    /// The server's address, `tls://HOST:4222`.
    pub url: String,
    /// The certificate of the server's authority, as PEM; those of the system if absent.
    pub ca: Option<String>,
    pub seed: Seed,
    /// The public key of the coordinator; nobody else's orders are taken.
    #[serde(deserialize_with = "coordinator_key")]
    pub coordinator: String,
    /// A relative path starts from the file's folder.
    pub engines: Option<PathBuf>,
    /// Repositories whose commits are built here. Who can push to one runs programs on this machine.
    #[serde(default, deserialize_with = "repositories")]
    pub trusted_repositories: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    pub url: &'a str,
    pub ca: Option<&'a str>,
    pub seed: &'a Seed,
    /// Replies come to `_INBOX_NAME.>`, which no other may read.
    pub name: &'a str,
    /// May plain text go to another machine?
    pub is_insecure: bool,
}

/// The secret half of a machine's key. Neither `Debug` nor an error shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(pub(super) String);

impl Seed {
    pub fn key_pair(&self) -> Result<KeyPair, nkeys::error::Error> {
        KeyPair::from_seed(&self.0)
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(not shown)")
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_user = KeyPair::from_seed(&text).is_ok_and(|pair| pair.key_pair_type() == KeyPairType::User);
        if is_user {
            return Ok(Seed(text));
        }
        Err(D::Error::custom(
            "seed is no seed of a user's nkey (58 letters and digits that begin with SU); copy it whole from the file that \
             `tanren cluster init` wrote",
        ))
    }
}

impl CoordinatorFile {
    pub fn open(path: &Path) -> Result<CoordinatorFile, ConfigError> {
        let mut file: CoordinatorFile = read_file(path)?;
        file.engines = beside(path, file.engines);
        Ok(file)
    }

    pub fn access(&self, is_insecure: bool) -> Access<'_> {
        Access {
            url: &self.url,
            ca: self.ca.as_deref(),
            seed: &self.seed,
            name: COORDINATOR,
            is_insecure,
        }
    }
}

impl WorkerFile {
    pub fn open(path: &Path) -> Result<WorkerFile, ConfigError> {
        let mut file: WorkerFile = read_file(path)?;
        file.engines = beside(path, file.engines);
        Ok(file)
    }

    pub fn access(&self, is_insecure: bool) -> Access<'_> {
        Access {
            url: &self.url,
            ca: self.ca.as_deref(),
            seed: &self.seed,
            name: &self.name,
            is_insecure,
        }
    }
}

fn beside(path: &Path, engines: Option<PathBuf>) -> Option<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    engines.map(|engines| folder.join(engines))
}

fn read_file<T: DeserializeOwned>(path: &Path) -> Result<T, ConfigError> {
    let read = parse_file(&read_text(path)?, &path.display().to_string());
    read.map_err(|error| error.of_named(path))
}

/// The file of a coordinator or a worker; `origin` is what messages call it.
pub fn parse_file<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, ConfigError> {
    Source::read_secret(text, origin, &KEYS)
}

fn name_refused(name: &str) -> Option<String> {
    if !is_name(name) || name.len() > NAME_BYTES_MAX {
        return Some(format!(
            "name '{name}' must be 1 to {NAME_BYTES_MAX} of the letters a to z, A to Z, digits, '-' and '_'"
        ));
    }
    (name == COORDINATOR).then(|| format!("name '{name}' is the coordinator's; choose another"))
}

fn key_refused(key: &str) -> Option<String> {
    let is_user = KeyPair::from_public_key(key).is_ok_and(|pair| pair.key_pair_type() == KeyPairType::User);
    (!is_user)
        .then(|| format!("'{key}' is no public nkey of a user (56 letters and digits that begin with U)"))
}

fn worker_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    name_refused(&name).map_or(Ok(name), |why| Err(D::Error::custom(why)))
}

fn coordinator_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let key = String::deserialize(deserializer)?;
    key_refused(&key).map_or(Ok(key), |why| {
        Err(D::Error::custom(format!("coordinator: {why}")))
    })
}

fn repositories<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let repositories: Vec<String> = Vec::deserialize(deserializer)?;
    let refused = repositories
        .iter()
        .find_map(|repository| check_repository(repository).err());
    refused.map_or(Ok(repositories), |why| {
        Err(D::Error::custom(format!("trusted_repositories: {why}")))
    })
}

fn workers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let workers: BTreeMap<String, String> = BTreeMap::deserialize(deserializer)?;
    let mut names = BTreeMap::new();
    for (name, key) in &workers {
        let refused = name_refused(name).or_else(|| key_refused(key).map(|why| format!("{name}: {why}")));
        if let Some(message) = refused {
            return Err(D::Error::custom(message));
        }
        if let Some(other) = names.insert(key, name) {
            return Err(D::Error::custom(format!("{name} and {other} have the same key")));
        }
    }
    Ok(workers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_of_somebody_else_is_refused_and_no_seed_is_shown() {
        let [user, account] = [KeyPair::new_user(), KeyPair::new_account()].map(|pair| pair.seed().unwrap());
        for bad in ["SUAB", &account, &user[..40]] {
            let text = format!("url = \"tls://x\"\nseed = \"{bad}\"\n[workers]\n");
            let said = parse_file::<CoordinatorFile>(&text, "file")
                .unwrap_err()
                .to_string();
            assert!(said.contains("begin with SU") && !said.contains(bad), "{said}");
        }
        assert!(!format!("{:?}", Seed(user.clone())).contains(&user));
    }

    #[test]
    fn a_coordinator_knows_no_worker_twice() {
        let (user, public) = (KeyPair::new_user(), KeyPair::new_user().public_key());
        let read = |workers: &str| {
            let seed = user.seed().unwrap();
            let text = format!("url = \"tls://x\"\nseed = \"{seed}\"\n[workers]\n{workers}");
            parse_file::<CoordinatorFile>(&text, "file").map_err(|error| error.to_string())
        };
        let one = format!("one = \"{public}\"\n");
        assert_eq!(read(&one).unwrap().workers["one"], public);
        let said = read(&format!("{one}two = \"{public}\"\n")).unwrap_err();
        assert!(said.contains("two and one have the same key"), "{said}");
        assert!(
            read("one = \"UX\"\n")
                .unwrap_err()
                .contains("one: 'UX' is no public")
        );
    }
}
