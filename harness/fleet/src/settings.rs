//! The file of a machine: all that it needs to take part in a fleet. A seed is never shown.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use nkeys::{KeyPair, KeyPairType};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use crate::config::{ConfigError, Mistake, Mistakes, read_text};

/// The coordinator's name among those of workers.
pub const COORDINATOR: &str = "coordinator";

const NAME_BYTES_MAX: usize = 32;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoordinatorFile {
    /// `tls://HOST:4222`.
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
    /// `tls://HOST:4222`.
    pub url: String,
    /// The certificate of the server's authority, as PEM; those of the system if absent.
    pub ca: Option<String>,
    pub seed: Seed,
    /// The public key of the coordinator; nobody else's orders are taken.
    #[serde(deserialize_with = "coordinator_key")]
    pub coordinator: String,
    /// A relative path starts from the file's folder.
    pub engines: Option<PathBuf>,
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
pub struct Seed(String);

impl Seed {
    pub(super) fn generate() -> Result<Seed, nkeys::error::Error> {
        KeyPair::new_user().seed().map(Seed)
    }

    pub fn key_pair(&self) -> Result<KeyPair, nkeys::error::Error> {
        KeyPair::from_seed(&self.0)
    }

    /// For a file that nobody else may read, or for the connection.
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
    pub fn open(path: &Path) -> Result<CoordinatorFile, ConfigError> {
        let mut file: CoordinatorFile = read(&read_text(path)?, &path.display().to_string())?;
        file.engines = file.engines.map(|engines| beside(path, &engines));
        Ok(file)
    }

    /// `origin`: what messages call the file.
    pub fn parse(text: &str, origin: &str) -> Result<CoordinatorFile, ConfigError> {
        read(text, origin)
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
        let mut file: WorkerFile = read(&read_text(path)?, &path.display().to_string())?;
        file.engines = file.engines.map(|engines| beside(path, &engines));
        Ok(file)
    }

    pub fn parse(text: &str, origin: &str) -> Result<WorkerFile, ConfigError> {
        read(text, origin)
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

fn beside(path: &Path, engines: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(engines)
}

fn read<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, ConfigError> {
    let mistake = |error| Mistakes::from(Mistake::of_toml(&error, text, origin));
    Ok(toml::from_str(text).map_err(mistake)?)
}

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

    /// A worker's file in which `key` is `value` instead of what it should be.
    fn worker_text(key: &str, value: &str) -> String {
        let (seed, coordinator) = keys();
        let mut keys = vec![
            ("name", "one"),
            ("url", "tls://localhost:4222"),
            ("seed", seed.reveal()),
            ("coordinator", &coordinator),
        ];
        keys.retain(|(name, _)| *name != key);
        keys.push((key, value));
        let lines = keys.iter().map(|(name, value)| format!("{name} = \"{value}\"\n"));
        lines.collect()
    }

    #[test]
    fn what_a_worker_cannot_be_is_told_at_its_line_without_its_seed() {
        let account = KeyPair::new_account().seed().unwrap();
        let half = keys().0.reveal()[..40].to_owned();
        for (key, value, expected) in [
            ("name", "a.b", "name 'a.b' must be 1 to 32"),
            ("name", "", "name '' must be"),
            ("name", "coordinator", "choose another"),
            ("seed", "SUAB", "seed is no seed"),
            ("seed", &account, "begin with SU"),
            ("seed", &half, "seed is no seed"),
            ("coordinator", "UAB", "coordinator: 'UAB' is no public nkey"),
            ("engine", "engines.toml", "did you mean 'engines'"),
        ] {
            let text = worker_text(key, value);
            let said = WorkerFile::parse(&text, "worker.toml").unwrap_err().to_string();
            let is_shown = key == "seed" && said.contains(value);
            assert!(said.starts_with("'worker.toml', line ") && !is_shown, "{said}");
            assert!(said.contains(expected), "no '{expected}' in {said}");
        }
        let seed = keys().0;
        assert!(!format!("{seed:?}").contains(seed.reveal()));
    }

    #[test]
    fn a_coordinator_knows_no_worker_twice() {
        let (seed, public) = keys();
        let read = |workers: &str| {
            let text = format!(
                "url = \"tls://x\"\nseed = \"{}\"\n[workers]\n{workers}",
                seed.reveal()
            );
            CoordinatorFile::parse(&text, "coordinator.toml").map_err(|error| error.to_string())
        };
        let one = format!("one = \"{public}\"\n");
        assert_eq!(read(&one).unwrap().workers["one"], public);
        for (workers, expected) in [
            (
                format!("{one}two = \"{public}\"\n"),
                "two and one have the same key",
            ),
            ("one = \"UX\"\n".to_owned(), "one: 'UX' is no public"),
        ] {
            let said = read(&workers).unwrap_err();
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn engines_are_looked_for_in_the_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("worker.toml");
        std::fs::write(&path, worker_text("engines", "engines.toml")).unwrap();
        let file = WorkerFile::open(&path).unwrap();
        assert_eq!(file.engines, Some(folder.path().join("engines.toml")));
    }
}
