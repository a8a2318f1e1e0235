//! Builds for a fleet: of repositories that this machine was told to trust, and by the recipes of their commits alone.

use std::fs;
use std::path::PathBuf;

use super::build::{Builder, failed, lock};
use super::git::{Commit, Repository};
use super::recipe::{FILE, Recipe};
use crate::cli::shared::CliError;
use crate::config::{Build, BuildIdentity};
use crate::fleet::digest_of;
use crate::interrupt::Interrupt;
use crate::tools::jobs::BuildEngines;

pub(in crate::cli) struct TrustedRepositories {
    pub(in crate::cli) addresses: Vec<String>,
    pub(in crate::cli) cache: PathBuf,
}

impl BuildEngines for TrustedRepositories {
    fn refusal(&self, repository: &str) -> Option<String> {
        let is_trusted = self.addresses.iter().any(|address| address == repository);
        (!is_trusted).then(|| {
            format!("it does not trust {repository}: trusted_repositories of its file does not list it")
        })
    }

    fn build(&self, build: &Build, wanted: &BuildIdentity, interrupt: &Interrupt) -> Result<PathBuf, String> {
        match self.refusal(&build.repository) {
            Some(why) => Err(why),
            None => self
                .built(build, wanted, interrupt)
                .map_err(|error| error.to_string()),
        }
    }
}

impl TrustedRepositories {
    fn built(
        &self,
        build: &Build,
        wanted: &BuildIdentity,
        interrupt: &Interrupt,
    ) -> Result<PathBuf, CliError> {
        let folder = self.cache.join(folder_name(&build.repository));
        fs::create_dir_all(&folder).map_err(failed)?;
        let commit = Commit::of_hash(&build.commit);
        let refuse = |why: &str| CliError::input(format!("{}: {why}", commit.short()));
        let _lock = lock(&folder.join("fetch.lock"), interrupt)?;
        let repository = Repository::copy_of(&build.repository, &folder)?;
        if !repository.has_in_branch(&commit)? {
            repository.fetch(&folder.join("fetch.log"), interrupt)?;
        }
        if !repository.has_in_branch(&commit)? {
            return Err(refuse(&format!(
                "no branch or tag of {} has this commit: push it",
                build.repository
            )));
        }
        let recipe = Recipe::at(&repository, &commit)?;
        let recipe = recipe.ok_or_else(|| refuse(&format!("the commit has no {FILE}")))?;
        if recipe.identity() != wanted.recipe {
            return Err(refuse(&format!("the coordinator built it by another {FILE}")));
        }
        let builder = Builder {
            cache: &self.cache,
            recipe: &recipe,
            interrupt,
            needs_speed: false,
            begun: std::time::SystemTime::now(),
        };
        let built = builder.commit(&repository, &commit)?;
        let bench = built.bench.map(|bench| bench.nodes);
        if bench != wanted.bench {
            let text =
                |bench: Option<u64>| bench.map_or_else(|| "none".to_owned(), |nodes| nodes.to_string());
            return Err(refuse(&format!(
                "bench is {} here, but {} at the coordinator",
                text(bench),
                text(wanted.bench)
            )));
        }
        Ok(built.program)
    }
}

/// Two repositories may have one name.
fn folder_name(address: &str) -> String {
    let last = address
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\', ':'])
        .next();
    let last = last.unwrap_or_default().trim_end_matches(".git");
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || "-_".contains(*letter);
    let last: String = last.chars().filter(is_plain).collect();
    format!("{last}-{}", digest_of(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_that_is_listed_letter_by_letter_is_asked_for() {
        let trusted = TrustedRepositories {
            addresses: vec!["https://example.org/e".to_owned()],
            cache: PathBuf::new(),
        };
        assert_eq!(trusted.refusal("https://example.org/e"), None);
        for other in [
            "https://example.org/e/",
            "https://example.org/e.git",
            "https://example.org/E",
            "https://example.org/e#x",
            "ext::sh -c x",
            "--upload-pack=x",
            "/",
            "",
        ] {
            let build = Build {
                repository: other.to_owned(),
                commit: "0".repeat(40),
            };
            let wanted = BuildIdentity {
                commit: "0".repeat(40),
                recipe: String::new(),
                bench: None,
            };
            let said = trusted.build(&build, &wanted, &Interrupt::default()).unwrap_err();
            assert!(said.contains("does not trust"), "{other}: {said}");
        }
    }

    #[test]
    fn builds_of_a_repository_have_a_folder_of_their_own_below_the_cache() {
        for (address, expected) in [
            ("https://example.org/my/engine.git", "engine-"),
            ("git@example.org:engine", "engine-"),
            ("/srv/../..", "-"),
        ] {
            let name = folder_name(address);
            assert_eq!(name.strip_prefix(expected).map(str::len), Some(16), "{name}");
        }
    }
}
