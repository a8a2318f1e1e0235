//! What is asked of git, which is a program of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::shared::CliError;
use crate::config::check_repository;
use crate::session::error::ExperimentError;
#[cfg(feature = "cluster")]
use {super::build::refused, crate::interrupt::Interrupt, crate::platform::run_until, std::time::Duration};

/// So many characters of a hash name a commit.
const HASH_CHARS: usize = 8;
/// Where a clone says which branch is the default, and the usual names.
const REMOTE_HEAD: &str = "refs/remotes/origin/HEAD";
const DEFAULT_BRANCHES: [&str; 2] = ["main", "master"];

#[cfg(feature = "cluster")]
const FETCH_TIME: Duration = Duration::from_secs(1800);

pub(super) struct Repository {
    pub(super) root: PathBuf,
    /// The folder of its builds in the cache.
    pub(super) name: String,
}

#[derive(Debug, Clone)]
pub(super) struct Commit {
    /// As it was asked for.
    pub(super) name: String,
    pub(super) hash: String,
}

impl Commit {
    pub(super) fn short(&self) -> &str {
        self.hash.get(..HASH_CHARS).unwrap_or(&self.hash)
    }

    #[cfg(feature = "cluster")]
    pub(super) fn of_hash(hash: &str) -> Commit {
        let hash = hash.to_owned();
        Commit {
            name: hash.clone(),
            hash,
        }
    }

    /// What reports call it.
    pub(super) fn label(&self) -> String {
        if self.hash.starts_with(&self.name) {
            self.short().to_owned()
        } else {
            format!("{}-{}", self.name, self.short())
        }
    }
}

/// A git that looks for its repository in `folder` alone, also where a hook of git started this process.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(["-c", "core.hooksPath=/dev/null"]);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

/// What it prints; or what it says is wrong.
fn output(mut command: Command) -> Result<Result<String, String>, CliError> {
    let ended = command.output().map_err(ExperimentError::system("start git"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    Ok(if ended.status.success() {
        Ok(text(&ended.stdout))
    } else {
        Err(text(&ended.stderr))
    })
}

impl Repository {
    /// That of the working directory.
    pub(super) fn here() -> Result<Option<Repository>, CliError> {
        let mut command = git(Path::new("."));
        command.args(["rev-parse", "--show-toplevel"]);
        let root = output(command)?.ok().filter(|root| !root.is_empty());
        Ok(root.map(|root| {
            let root = PathBuf::from(root);
            let name = root
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            Repository { root, name }
        }))
    }

    /// Where others find it, if git knows, without a password; else where it is.
    pub(super) fn address(&self) -> Result<String, CliError> {
        let origin = self.run(&["remote", "get-url", "origin"])?.ok();
        let origin = origin
            .map(|origin| without_user(&origin))
            .filter(|origin| check_repository(origin).is_ok());
        Ok(origin.unwrap_or_else(|| self.root.to_string_lossy().into_owned()))
    }

    /// A copy of what is at `address`, kept in `folder`; empty if it is new.
    #[cfg(feature = "cluster")]
    pub(super) fn copy_of(address: &str, folder: &Path) -> Result<Repository, CliError> {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let root = folder.join("repository");
        let copy = Repository { root, name };
        std::fs::create_dir_all(&copy.root).map_err(ExperimentError::system("keep a repository"))?;
        let failed = |message| CliError::input(format!("cannot keep a copy of {address}: {message}"));
        copy.run(&["init", "--quiet"])?.map_err(failed)?;
        copy.run(&["config", "remote.origin.url", address])?
            .map_err(failed)?;
        Ok(copy)
    }

    /// Fetches branches and tags of the repository that this one is a copy of, and nothing else: hosts show commits of anybody's fork at
    /// the address of the original, but no branch has them.
    #[cfg(feature = "cluster")]
    pub(super) fn fetch(&self, log: &Path, interrupt: &Interrupt) -> Result<(), CliError> {
        let system = ExperimentError::system("write the log of git");
        let output = std::fs::File::create(log).map_err(system)?;
        let mut command = git(&self.root);
        command
            .args(["fetch", "--quiet", "--prune", "--no-recurse-submodules", "origin"])
            .args(["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"])
            .env("GIT_ALLOW_PROTOCOL", "https:ssh:file")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdout(Stdio::null())
            .stderr(output);
        let ended = run_until(&mut command, FETCH_TIME, &|| interrupt.is_requested());
        ended.map_err(|error| refused("fetch the repository".to_owned(), format!("git {error}"), log))
    }

    /// Is it part of a branch or a tag?
    #[cfg(feature = "cluster")]
    pub(super) fn has_in_branch(&self, commit: &Commit) -> Result<bool, CliError> {
        let words = [
            "for-each-ref",
            "--count=1",
            "--contains",
            &commit.hash,
            "refs/remotes",
            "refs/tags",
        ];
        Ok(self.run(&words)?.is_ok_and(|found| !found.is_empty()))
    }

    /// A file as it is in a commit.
    #[cfg(feature = "cluster")]
    pub(super) fn read(&self, commit: &Commit, path: &str) -> Result<Option<String>, CliError> {
        Ok(self.run(&["show", &format!("{}:{path}", commit.hash)])?.ok())
    }

    fn run(&self, words: &[&str]) -> Result<Result<String, String>, CliError> {
        let mut command = git(&self.root);
        command.args(words);
        output(command)
    }

    pub(super) fn find(&self, name: &str) -> Result<Option<Commit>, CliError> {
        if name.is_empty() || name.starts_with('-') {
            return Ok(None);
        }
        let commit = format!("{name}^{{commit}}");
        let found = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
        let Ok(hash) = found else { return Ok(None) };
        let name = match name {
            "HEAD" => self.branch(name)?.unwrap_or_else(|| name.to_owned()),
            _ => name.to_owned(),
        };
        Ok(Some(Commit { name, hash }))
    }

    pub(super) fn commit(&self, name: &str) -> Result<Commit, CliError> {
        self.find(name)?.ok_or_else(|| {
            let root = self.root.display();
            CliError::input(format!(
                "'{name}' is neither a commit of '{root}' nor a program: git branch -a lists its branches"
            ))
        })
    }

    /// The branch that `name` stands for, if it does.
    fn branch(&self, name: &str) -> Result<Option<String>, CliError> {
        Ok(self.run(&["symbolic-ref", "--quiet", "--short", name])?.ok())
    }

    /// What `branch` is tested against: where it left `base`, or the default branch.
    pub(super) fn base_of(&self, branch: &Commit, base: Option<&str>) -> Result<Commit, CliError> {
        let names: Vec<String> = match base {
            Some(base) => vec![base.to_owned()],
            None => {
                let remote = self.branch(REMOTE_HEAD)?.into_iter();
                remote.chain(DEFAULT_BRANCHES.map(str::to_owned)).collect()
            }
        };
        for name in &names {
            let Some(base) = self.find(name)? else { continue };
            let base = self.merge_base(&base, branch)?;
            if base.hash == branch.hash {
                let (name, branch) = (&base.name, &branch.name);
                return Err(CliError::input(format!(
                    "{branch} has no commit that is not in {name}: name what it is tested against, as in {name}~1..{branch}"
                )));
            }
            return Ok(base);
        }
        let names = names.join(", ");
        Err(CliError::input(format!(
            "there is no branch {names} to test {0} against: name one, as in BASE..{0}, or as base in tanren.toml",
            branch.name
        )))
    }

    /// The commit in which both have their beginning, by the name of `base`.
    pub(super) fn merge_base(&self, base: &Commit, branch: &Commit) -> Result<Commit, CliError> {
        let found = self.run(&["merge-base", &base.hash, &branch.hash])?;
        let hash = found.map_err(|_| {
            let (base, branch) = (&base.name, &branch.name);
            CliError::input(format!(
                "{base} and {branch} have no commit in common: write {base}..{branch} to test them as they are \
                 (a shallow clone lacks commits: git fetch --unshallow)"
            ))
        })?;
        Ok(Commit {
            name: base.name.trim_start_matches("origin/").to_owned(),
            hash,
        })
    }

    /// Is `commit` checked out with changes that are in no commit?
    pub(super) fn has_changes_over(&self, commit: &Commit) -> Result<bool, CliError> {
        let is_here = self.run(&["rev-parse", "HEAD"])? == Ok(commit.hash.clone());
        let changes = self.run(&["status", "--porcelain", "--untracked-files=no"])?;
        Ok(is_here && changes.is_ok_and(|changes| !changes.is_empty()))
    }

    /// The node count that the message of `commit` promises: `Bench: 1234567`.
    pub(super) fn promised(&self, commit: &Commit) -> Result<Option<u64>, CliError> {
        let message = self.run(&["show", "--no-patch", "--format=%B", &commit.hash])?;
        Ok(message.ok().as_deref().and_then(promised))
    }

    /// Checks `commit` out in `folder`, with its submodules, as a worktree.
    pub(super) fn check_out(&self, commit: &Commit, folder: &Path) -> Result<(), CliError> {
        let failed = |message: String| {
            let (name, folder) = (&commit.name, folder.display());
            CliError::input(format!("cannot check {name} out in '{folder}': {message}"))
        };
        let mut command = git(&self.root);
        command.args(["worktree", "add", "--quiet", "--force", "--detach"]);
        command.arg(folder).arg(&commit.hash);
        output(command)?.map_err(failed)?;
        if folder.join(".gitmodules").is_file() {
            let mut command = git(folder);
            command.args(["submodule", "update", "--quiet", "--init", "--recursive"]);
            output(command)?.map_err(failed)?;
        }
        Ok(())
    }

    /// Takes away what [`check_out`](Repository::check_out) made, and what a killed process left of it.
    pub(super) fn remove(&self, folder: &Path) -> Result<(), CliError> {
        if folder.exists() {
            std::fs::remove_dir_all(folder).map_err(ExperimentError::system("remove a worktree"))?;
        }
        self.run(&["worktree", "prune"]).map(drop)
    }
}

/// `https://user:password@host/path` without what opens it.
fn without_user(address: &str) -> String {
    let rest = address.strip_prefix("https://");
    match rest.and_then(|rest| rest.split_once('@')) {
        Some((user, rest)) if !user.contains('/') => format!("https://{rest}"),
        _ => address.to_owned(),
    }
}

/// The number behind the last `bench` of a message.
fn promised(message: &str) -> Option<u64> {
    let message = message.to_ascii_lowercase();
    message.rmatch_indices("bench").find_map(|(at, word)| {
        let rest = &message[at + word.len()..];
        let number = rest.trim_start_matches([' ', ':', '=']);
        let digits = number.split(|c: char| !c.is_ascii_digit() && c != ',').next()?;
        let is_apart = number.len() < rest.len();
        digits.replace(',', "").parse().ok().filter(|_| is_apart)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bench_of_a_message_is_the_number_behind_the_word() {
        for (message, expected) in [
            ("Faster\n\nBench: 1234567", Some(1_234_567)),
            ("bench 12,345\n", Some(12_345)),
            ("BENCH = 7", Some(7)),
            ("Bench: 1\n\nbench: 2 (was 1)", Some(2)),
            ("workbench2 is no promise", None),
            ("bench", None),
            ("a new bench: none", None),
        ] {
            assert_eq!(promised(message), expected, "{message}");
        }
    }

    #[test]
    fn an_address_is_known_without_its_password() {
        for (address, expected) in [
            ("https://me:secret@example.org/e", "https://example.org/e"),
            ("https://token@example.org/e", "https://example.org/e"),
            ("https://example.org/a@b", "https://example.org/a@b"),
            ("git@example.org:e", "git@example.org:e"),
        ] {
            assert_eq!(without_user(address), expected);
        }
    }

    #[test]
    fn a_commit_is_called_by_its_name_and_hash() {
        let commit = |name: &str| Commit {
            name: name.to_owned(),
            hash: "0123456789abcdef".to_owned(),
        };
        assert_eq!(commit("feature/x").label(), "feature/x-01234567");
        assert_eq!(commit("0123456").label(), "01234567");
    }
}
