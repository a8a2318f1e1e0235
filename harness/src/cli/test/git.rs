//! What is asked of git, which is a program of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::shared::CliError;
use crate::session::error::ExperimentError;

/// So many characters of a hash name a commit.
const HASH_CHARS: usize = 8;
/// Where a clone says which branch is the default, and the usual names.
const REMOTE_HEAD: &str = "refs/remotes/origin/HEAD";
const DEFAULT_BRANCHES: [&str; 2] = ["main", "master"];

pub(super) struct Repository {
    pub(super) root: PathBuf,
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
        Ok(root.map(|root| Repository { root: root.into() }))
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
    fn a_commit_is_called_by_its_name_and_hash() {
        let commit = |name: &str| Commit {
            name: name.to_owned(),
            hash: "0123456789abcdef".to_owned(),
        };
        assert_eq!(commit("feature/x").label(), "feature/x-01234567");
        assert_eq!(commit("0123456").label(), "01234567");
    }
}
