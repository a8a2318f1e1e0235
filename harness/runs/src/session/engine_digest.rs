//! By what two machines know that an engine is the same on both: its files, and how their engines files start and set it up. Paths are not
//! compared, as they differ from machine to machine.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest, Sha256};

use crate::config::{EngineProtocol, Engines, ProcessSpec};
use crate::player::ExaminedFiles;

/// In the place of a digest: the run says it, whatever the engines file does.
const OF_RUN: &str = "*";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineDigest {
    /// Of its program and what it loads, or of the commit that it is built from.
    files: String,
    /// Digests of what its engines file says of it, by key.
    settings: BTreeMap<String, String>,
}

impl EngineDigest {
    /// Of the engine that these, all of one name, name.
    pub(crate) fn of(
        files: &ExaminedFiles,
        engines: &Engines,
        specs: &[&ProcessSpec],
    ) -> Option<EngineDigest> {
        let spec = specs.last()?;
        let program = engines.resolve(spec).ok()?;
        let digests = files.examine(&program).ok()?;
        if let Some(build) = engines.build_identity(spec) {
            return Some(EngineDigest {
                files: build.to_string(),
                settings: BTreeMap::new(),
            });
        }
        let own = engines.resolve(&named(spec.engine_name()?)?).ok()?;
        let mut settings = settings(&own);
        for (name, _) in &spec.options {
            let says = |spec: &&ProcessSpec| {
                let mut options = spec.options.iter();
                options.any(|(other, _)| other.eq_ignore_ascii_case(name))
            };
            if specs.iter().all(says) {
                settings.insert(option_key(name), OF_RUN.to_owned());
            }
        }
        Some(EngineDigest {
            files: format!("{} {}", digests.program, digests.loaded.unwrap_or_default()),
            settings,
        })
    }
}

#[cfg(any(test, feature = "cluster"))]
impl EngineDigest {
    /// Of the engine of this name.
    pub(crate) fn of_name(files: &ExaminedFiles, engines: &Engines, name: &str) -> Option<EngineDigest> {
        EngineDigest::of(files, engines, &[&named(name)?])
    }

    pub(crate) fn parse(text: &str) -> EngineDigest {
        let (files, settings) = match text.find(" {") {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        EngineDigest {
            files: files.to_owned(),
            settings: serde_json::from_str(settings).unwrap_or_default(),
        }
    }

    /// Are the files those of the other one?
    pub(crate) fn has_files_of(&self, other: &EngineDigest) -> bool {
        self.files == other.files
    }

    /// The keys of an engines file that say something else for the other one, unless the run says it.
    pub(crate) fn other_keys<'a>(&'a self, other: &'a EngineDigest) -> Vec<&'a str> {
        let keys = self.settings.keys().chain(other.settings.keys());
        let is_other = |key: &&String| {
            let both = [&self.settings, &other.settings].map(|settings| settings.get(*key));
            both[0] != both[1] && !both.iter().flatten().any(|digest| *digest == OF_RUN)
        };
        let mut keys: Vec<&str> = keys.filter(is_other).map(String::as_str).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

impl fmt::Display for EngineDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.files)?;
        if self.settings.is_empty() {
            return Ok(());
        }
        write!(
            f,
            " {}",
            serde_json::to_string(&self.settings).map_err(|_| fmt::Error)?
        )
    }
}

fn named(name: &str) -> Option<ProcessSpec> {
    ProcessSpec::new(EngineProtocol::Usi, &format!("@{name}")).ok()
}

fn option_key(name: &str) -> String {
    format!("options.{}", name.to_lowercase())
}

fn settings(own: &ProcessSpec) -> BTreeMap<String, String> {
    let options = own.options.iter().map(|(name, value)| (option_key(name), value));
    let environment = own
        .environment
        .iter()
        .map(|(name, value)| (format!("environment.{name}"), value));
    let one_each = options.chain(environment).filter(|(_, value)| !is_path(value));
    let mut settings: BTreeMap<String, String> = one_each
        .map(|(key, value)| (key, digest([value.as_str()])))
        .collect();
    let told = own.initial_commands.iter();
    let lists = [
        ("arguments", own.arguments.iter().map(String::as_str).collect()),
        (
            "commands",
            told.flat_map(|line| line.split(' ')).collect::<Vec<_>>(),
        ),
    ];
    for (key, words) in lists.into_iter().filter(|(_, words)| !words.is_empty()) {
        let words = words
            .into_iter()
            .map(|word| if is_path(word) { "" } else { word });
        settings.insert(key.to_owned(), digest(words));
    }
    settings
}

fn is_path(value: &str) -> bool {
    value.contains(['/', '\\'])
}

/// 16 hexadecimal digits: values may be secret.
fn digest<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut digest = Sha256::new();
    for word in words {
        digest.update(word);
        digest.update([0]);
    }
    let digest = digest.finalize();
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn digest_of(lines: &str, specs: &[&str]) -> EngineDigest {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("program"), "x").unwrap();
        let path = folder.path().join("engines.toml");
        fs::write(&path, format!("[x]\ncommand = \"./program\"\n{lines}")).unwrap();
        let engines = Engines::open(&path).unwrap();
        let specs: Vec<ProcessSpec> = specs
            .iter()
            .map(|text| ProcessSpec::parse(text).unwrap().unwrap().1)
            .collect();
        let specs: Vec<&ProcessSpec> = specs.iter().collect();
        EngineDigest::of(&ExaminedFiles::default(), &engines, &specs).unwrap()
    }

    #[test]
    #[cfg_attr(windows, ignore = "a program without .exe")]
    fn what_one_engines_file_says_otherwise_is_named() {
        let some =
            "arguments = [\"--net\", \"/a/net\"]\n[x.options]\nThreads = 1\nEvalFile = \"/a/nn.bin\"\n";
        let same =
            "arguments = [\"--net\", \"/b/net\"]\n[x.options]\nthreads = 1\nEvalFile = \"/b/nn.bin\"\n";
        for (one, other, specs, keys) in [
            (some, same, vec!["usi:@x"], vec![]),
            (some, "", vec!["usi:@x"], vec!["arguments", "options.threads"]),
            (
                "[x.options]\nThreads = 1\n",
                "[x.options]\nThreads = 4\n",
                vec!["usi:@x"],
                vec!["options.threads"],
            ),
            (
                "[x.options]\nThreads = 1\n",
                "",
                vec!["usi:@x,option.Threads=2"],
                vec![],
            ),
            (
                "",
                "[x.options]\nThreads = 1\n",
                vec!["usi:@x,option.Threads=2"],
                vec![],
            ),
            (
                "[x.options]\nThreads = 1\n",
                "",
                vec!["usi:@x,option.Threads=2", "usi:@x"],
                vec!["options.threads"],
            ),
            (
                "environment = { A = \"1\" }\n",
                "",
                vec!["usi:@x"],
                vec!["environment.A"],
            ),
        ] {
            let (run, worker) = (digest_of(one, &specs), digest_of(other, &["usi:@x"]));
            assert!(run.has_files_of(&worker));
            assert_eq!(worker.other_keys(&run), keys, "{one:?} {other:?} {specs:?}");
            assert_eq!(EngineDigest::parse(&run.to_string()), run);
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "a program without .exe")]
    fn without_settings_the_digest_is_that_of_the_files() {
        assert!(!digest_of("", &["usi:@x"]).to_string().contains('{'));
    }
}
