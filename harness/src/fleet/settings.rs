//! The file of a machine: all that it needs to take part in a fleet.
//!
//! In: TOML. Out: an address, an authority, keys that were looked at, names that may stand in subjects. Must not: show a seed.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use nkeys::{KeyPair, KeyPairType};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use crate::config::{ConfigError, Mistake, Mistakes, read_text};

/// What the coordinator is called where workers have names.
pub const COORDINATOR: &str = "coordinator";

/// Longer names would make long subjects.
const NAME_BYTES_MAX: usize = 32;

/// The file of a coordinator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoordinatorFile {
    /// Where the server is: `tls://HOST:4222`.
    pub url: String,
    /// The certificate of the authority that speaks for the server, as PEM; those of the system if absent.
    pub ca: Option<String>,
    /// The key of this machine.
    pub seed: Seed,
    /// The engines of this machine; a relative path in the file starts from the file's folder.
    pub engines: Option<PathBuf>,
    /// The public keys of the workers, by name; nothing of anybody else is believed.
    #[serde(deserialize_with = "workers")]
    pub workers: BTreeMap<String, String>,
}

/// The file of a worker.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerFile {
    /// What it is called in subjects and reports.
    #[serde(deserialize_with = "worker_name")]
    pub name: String,
    /// Where the server is: `tls://HOST:4222`.
    pub url: String,
    /// The certificate of the authority that speaks for the server, as PEM; those of the system if absent.
    pub ca: Option<String>,
    /// The key of this machine.
    pub seed: Seed,
    /// The public key of the coordinator; nobody else's orders are taken.
    #[serde(deserialize_with = "coordinator_key")]
    pub coordinator: String,
    /// The engines of this machine; a relative path in the file starts from the file's folder.
    pub engines: Option<PathBuf>,
}

/// What a machine connects with.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    /// Where the server is.
    pub url: &'a str,
    /// The certificate of the authority that speaks for it, as PEM; those of the system if absent.
    pub ca: Option<&'a str>,
    /// The key of this machine.
    pub seed: &'a Seed,
    /// What this machine is called. Replies come to `_INBOX_NAME.>`, which no other may read.
    pub name: &'a str,
    /// May plain text go to another machine?
    pub is_insecure: bool,
}

/// The secret half of a machine's key. Neither `Debug` nor an error shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(String);

impl Seed {
    /// A new one.
    ///
    /// # Errors
    /// The library cannot write it down.
    pub(super) fn generate() -> Result<Seed, nkeys::error::Error> {
        KeyPair::new_user().seed().map(Seed)
    }

    /// To sign with.
    ///
    /// # Errors
    /// Never for a seed that was read from a file or made here.
    pub fn key_pair(&self) -> Result<KeyPair, nkeys::error::Error> {
        KeyPair::from_seed(&self.0)
    }

    /// The text, to be written into a file that nobody else may read, or given to the connection.
    pub(super) fn reveal(&self) -> &str {
        &self.0
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
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Unreadable, or every mistake with its line.
    pub fn open(path: &Path) -> Result<CoordinatorFile, ConfigError> {
        let mut file: CoordinatorFile = read(&read_text(path)?, &path.display().to_string())?;
        file.engines = file.engines.map(|engines| beside(path, &engines));
        Ok(file)
    }

    /// Takes the text of a file that messages call `origin`.
    ///
    /// # Errors
    /// Every mistake with its line.
    pub fn parse(text: &str, origin: &str) -> Result<CoordinatorFile, ConfigError> {
        read(text, origin)
    }

    /// What connects this machine; `is_insecure` allows plain text to another one.
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
    /// Reads the file at `path`; the engines are taken from its folder.
    ///
    /// # Errors
    /// Unreadable, or every mistake with its line.
    pub fn open(path: &Path) -> Result<WorkerFile, ConfigError> {
        let mut file: WorkerFile = read(&read_text(path)?, &path.display().to_string())?;
        file.engines = file.engines.map(|engines| beside(path, &engines));
        Ok(file)
    }

    /// Takes the text of a file that messages call `origin`; the path of the engines stays as it is written.
    ///
    /// # Errors
    /// Every mistake with its line.
    pub fn parse(text: &str, origin: &str) -> Result<WorkerFile, ConfigError> {
        read(text, origin)
    }

    /// What connects this machine; `is_insecure` allows plain text to another one.
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

/// `engines` as seen from the folder of the file at `path`.
fn beside(path: &Path, engines: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(engines)
}

fn read<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, ConfigError> {
    let mistake = |error| Mistakes::from(Mistake::of_toml(&error, text, origin));
    Ok(toml::from_str(text).map_err(mistake)?)
}

/// Why `name` cannot be a part of a subject, if so.
fn name_refused(name: &str) -> Option<String> {
    let is_made_of_letters = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if name.is_empty() || name.len() > NAME_BYTES_MAX || !is_made_of_letters {
        return Some(format!(
            "name '{name}' must be 1 to {NAME_BYTES_MAX} of the letters a to z, A to Z, digits, '-' and '_'"
        ));
    }
    (name == COORDINATOR).then(|| format!("name '{name}' is the coordinator's; choose another"))
}

/// Why `key` is no public key of a machine, if so.
fn key_refused(key: &str) -> Option<String> {
    let is_user = KeyPair::from_public_key(key).is_ok_and(|pair| pair.key_pair_type() == KeyPairType::User);
    (!is_user)
        .then(|| format!("'{key}' is no public nkey of a user (56 letters and digits that begin with U)"))
}

fn worker_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    name_refused(&name).map_or(Ok(name), |message| Err(D::Error::custom(message)))
}

fn coordinator_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let key = String::deserialize(deserializer)?;
    match key_refused(&key) {
        None => Ok(key),
        Some(why) => Err(D::Error::custom(format!("coordinator: {why}"))),
    }
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

    fn keys() -> (Seed, String) {
        let seed = Seed::generate().unwrap();
        let public = seed.key_pair().unwrap().public_key();
        (seed, public)
    }

    /// What is said about a worker's file in which `key` is `value` instead of what it should be.
    fn refused(key: &str, value: &str) -> String {
        let (seed, coordinator) = keys();
        let mut lines = vec![
            ("name", "one".to_owned()),
            ("url", "tls://localhost:4222".to_owned()),
            ("seed", seed.reveal().to_owned()),
            ("coordinator", coordinator),
        ];
        lines.retain(|(name, _)| *name != key);
        lines.push((key, value.to_owned()));
        let text: String = lines
            .iter()
            .map(|(name, value)| format!("{name} = \"{value}\"\n"))
            .collect();
        WorkerFile::parse(&text, "worker.toml").unwrap_err().to_string()
    }

    #[test]
    fn what_a_worker_cannot_be_is_told_at_its_line() {
        for (key, value, words) in [
            ("name", "a.b", "name 'a.b' must be 1 to 32"),
            ("name", "", "name '' must be"),
            ("name", "coordinator", "choose another"),
            ("seed", "SUAB", "seed is no seed"),
            ("coordinator", "UAB", "coordinator: 'UAB' is no public nkey"),
        ] {
            let said = refused(key, value);
            assert!(
                said.starts_with("'worker.toml', line 4, column ") && said.contains(words),
                "{said}"
            );
        }
        let said = refused("engine", "engines.toml");
        assert!(
            said.contains("line 5") && said.contains("did you mean 'engines'"),
            "{said}"
        );
    }

    #[test]
    fn a_seed_of_another_kind_of_key_is_refused_and_none_is_shown() {
        let account = KeyPair::new_account().seed().unwrap();
        let said = refused("seed", &account);
        assert!(
            said.contains("begin with SU") && !said.contains(&account),
            "{said}"
        );
        let (seed, _) = keys();
        let secret = seed.reveal().to_owned();
        let access = Access {
            url: "tls://localhost",
            ca: None,
            seed: &seed,
            name: "one",
            is_insecure: false,
        };
        assert!(!format!("{access:?} {seed:?}").contains(&secret));
        let half = &secret[..40];
        assert!(!refused("seed", half).contains(half));
    }

    #[test]
    fn all_that_is_missing_is_named() {
        let said = WorkerFile::parse("url = \"tls://x\"", "worker.toml")
            .unwrap_err()
            .to_string();
        assert!(said.contains("missing field `name`"), "{said}");
    }

    #[test]
    fn a_coordinator_knows_no_worker_twice() {
        let (seed, public) = keys();
        let text = |workers: &str| {
            let seed = seed.reveal();
            format!("url = \"tls://x\"\nseed = \"{seed}\"\n[workers]\n{workers}")
        };
        let read = |workers: &str| {
            CoordinatorFile::parse(&text(workers), "coordinator.toml").map_err(|error| error.to_string())
        };
        let one = format!("one = \"{public}\"\n");
        assert_eq!(read(&one).unwrap().workers["one"], public);
        let said = read(&format!("{one}two = \"{public}\"\n")).unwrap_err();
        assert!(said.contains("two and one have the same key"), "{said}");
        let said = read("one = \"UX\"\n").unwrap_err();
        assert!(said.contains("one: 'UX' is no public"), "{said}");
    }

    #[test]
    fn engines_are_looked_for_beside_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("worker.toml");
        let (seed, coordinator) = keys();
        let text = format!(
            "name = \"one\"\nurl = \"tls://x\"\nseed = \"{}\"\ncoordinator = \"{coordinator}\"\nengines = \"engines.toml\"\n",
            seed.reveal()
        );
        std::fs::write(&path, text).unwrap();
        let file = WorkerFile::open(&path).unwrap();
        assert_eq!(file.engines, Some(folder.path().join("engines.toml")));
    }
}
