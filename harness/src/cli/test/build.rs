//! Builds of commits, kept by commit and recipe.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};
use std::{env, io};

use super::bench::{Bench, bench};
use super::git::{Commit, Repository};
use super::recipe::Recipe;
use crate::cli::shared::CliError;
use crate::config::BuildIdentity;
use crate::document::file::write_text;
use crate::interrupt::Interrupt;
use crate::platform::{run_until, shell};
use crate::report::note;
use crate::session::error::ExperimentError;

/// A link-time optimisation of a big engine takes minutes.
const BUILD_TIME: Duration = Duration::from_secs(3600);
const LOOK_PAUSE: Duration = Duration::from_millis(100);
/// So many lines of a log that says why a build failed.
const LOG_LINES: usize = 20;
/// What compilers read besides the recipe.
const VARIABLES: [&str; 6] = ["CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "RUSTFLAGS"];
const BENCH: &str = "bench";
/// So many builds of a repository are kept, those used last.
const BUILDS_KEPT: usize = 50;

/// One side of a test.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) label: String,
    pub(super) program: PathBuf,
    /// How it came to be: built, or from the cache.
    pub(super) how: String,
    pub(super) bench: Option<Bench>,
    /// What it is known by, if it was built from a commit.
    pub(super) identity: Option<BuildIdentity>,
}

#[derive(Clone, Copy)]
pub(super) struct Builder<'a> {
    pub(super) cache: &'a Path,
    pub(super) recipe: &'a Recipe,
    pub(super) interrupt: &'a Interrupt,
    /// Is the speed asked for, though the nodes may be known?
    pub(super) needs_speed: bool,
    /// What is used from then on is not removed.
    pub(super) begun: SystemTime,
}

/// Where builds are kept: `tanren/builds` in the user's folder for caches.
pub(in crate::cli) fn default_cache() -> Result<PathBuf, CliError> {
    let folder = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".cache")));
    let cache =
        cache.ok_or_else(|| CliError::input("neither XDG_CACHE_HOME nor HOME is set: give --cache DIR"))?;
    Ok(cache.join("tanren").join("builds"))
}

pub(super) fn failed<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> CliError {
    ExperimentError::system("keep the build")(error).into()
}

impl Builder<'_> {
    /// A program as it is.
    pub(super) fn program(&self, path: &Path) -> Result<Built, CliError> {
        let label = path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned();
        let program = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        make_cache(self.cache)?;
        let log = self.cache.join(format!("bench-{}.log", std::process::id()));
        let bench = self.bench(&label, &program, None, &log);
        if !matches!(bench, Err(CliError::Build { .. })) {
            drop(fs::remove_file(&log));
        }
        Ok(Built {
            label,
            program,
            how: "as it is".to_owned(),
            bench: bench?,
            identity: None,
        })
    }

    /// The build of `commit`, from the cache if it is there.
    pub(super) fn commit(&self, repository: &Repository, commit: &Commit) -> Result<Built, CliError> {
        let builds = self.cache.join(&repository.name);
        make_cache(&builds)?;
        let builds = fs::canonicalize(&builds).map_err(failed)?;
        let _lock = lock(&builds.join("lock"), self.interrupt)?;
        remove_unfinished(repository, &builds)?;
        let variables = VARIABLES.map(|name| env::var(name).unwrap_or_default());
        let digest = self.recipe.digest(&variables);
        let folder = builds.join(format!("{}-{}", commit.short(), &digest[..8]));
        let program = folder.join(&self.recipe.engine);
        let how = if folder.is_dir() {
            "from the cache".to_owned()
        } else {
            note(&format!("building {}: {}", commit.label(), self.recipe.build));
            let start = Instant::now();
            self.build(repository, commit, &folder)?;
            self.prune(&builds)?;
            format!("built in {:.1} s", start.elapsed().as_secs_f64())
        };
        // Where a folder has no such time, the builds made first go first.
        drop(File::open(&folder).and_then(|folder| folder.set_modified(SystemTime::now())));
        let words = self.recipe.bench.as_ref().map(|words| words.join(" "));
        let stored = fs::read_to_string(folder.join(BENCH)).ok();
        let known = stored.as_deref().and_then(|text| {
            let (nodes, of) = text.trim_end().split_once(' ')?;
            nodes.parse().ok().filter(|_| Some(of) == words.as_deref())
        });
        let bench = match known {
            Some(nodes) if !self.needs_speed => Some(Bench { nodes, nps: None }),
            _ => self.bench(&commit.label(), &program, known, &folder.join("bench.log"))?,
        };
        if let (Some(bench), None, Some(words)) = (bench, known, words) {
            write_text(&folder.join(BENCH), &format!("{} {words}\n", bench.nodes))?;
        }
        Ok(Built {
            label: commit.label(),
            program,
            how,
            bench,
            identity: Some(BuildIdentity {
                commit: commit.hash.clone(),
                recipe: self.recipe.identity(),
                bench: bench.map(|bench| bench.nodes),
            }),
        })
    }

    /// Removes all but the builds used last.
    fn prune(&self, builds: &Path) -> Result<(), CliError> {
        let mut all: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in fs::read_dir(builds).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let used = entry
                .metadata()
                .and_then(|about| Ok((about.modified()?, about.is_dir())));
            if let Ok((used, true)) = used {
                all.push((used, entry.path()));
            }
        }
        all.sort_unstable();
        all.reverse();
        let old = all
            .iter()
            .skip(BUILDS_KEPT)
            .filter(|(used, _)| *used < self.begun);
        for (_, folder) in old {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
        Ok(())
    }

    /// Two benches of a program that search differently say that nothing it plays can be reproduced.
    fn bench(
        &self,
        label: &str,
        program: &Path,
        known: Option<u64>,
        log: &Path,
    ) -> Result<Option<Bench>, CliError> {
        let Some(words) = &self.recipe.bench else {
            return Ok(None);
        };
        let run = || {
            let ran = bench(program, words, log, self.interrupt)?;
            ran.map_err(|why| refused(format!("run bench of {label}"), why, log))
        };
        let Some(mut found) = run()? else {
            if self.recipe.says_bench {
                return Err(CliError::input(format!(
                    "'{} {}' printed no number of nodes: correct bench in {}, or write bench = \"\" if there is none",
                    program.display(),
                    words.join(" "),
                    self.recipe.origin
                )));
            }
            note(&format!(
                "{label} has no bench: play is not compared before the match"
            ));
            return Ok(None);
        };
        let first = match known {
            Some(nodes) => nodes,
            None => match run()? {
                Some(again) => {
                    found.nps = found.nps.max(again.nps);
                    again.nodes
                }
                None => found.nodes,
            },
        };
        if first != found.nodes {
            return Err(CliError::Unstable {
                label: label.to_owned(),
                nodes: [first, found.nodes],
            });
        }
        Ok(Some(found))
    }

    /// Builds `commit` in a worktree of its own and moves what is kept of it to `folder`, all at once.
    fn build(&self, repository: &Repository, commit: &Commit, folder: &Path) -> Result<(), CliError> {
        let (source, kept) = (folder.with_extension("source"), folder.with_extension("new"));
        let log = folder.with_extension("log");
        repository.remove(&source)?;
        if kept.exists() {
            fs::remove_dir_all(&kept).map_err(failed)?;
        }
        let made = repository
            .check_out(commit, &source)
            .and_then(|()| self.make(commit, &source, &log))
            .and_then(|()| self.keep(&source, &kept));
        repository.remove(&source)?;
        made?;
        fs::rename(&log, kept.join("build.log")).map_err(failed)?;
        fs::rename(&kept, folder).map_err(failed)
    }

    fn make(&self, commit: &Commit, source: &Path, log: &Path) -> Result<(), CliError> {
        let output = File::create(log).map_err(failed)?;
        let mut command = shell(&self.recipe.build);
        command.current_dir(source).stdin(std::process::Stdio::null());
        command.stdout(output.try_clone().map_err(failed)?).stderr(output);
        let ended = run_until(&mut command, BUILD_TIME, &|| self.interrupt.is_requested());
        if self.interrupt.is_requested() {
            drop(fs::remove_file(log));
        }
        check_signal(self.interrupt)?;
        let why = match ended {
            Err(error) => format!("`{}` {error}", self.recipe.build),
            Ok(()) if !source.join(&self.recipe.engine).is_file() => format!(
                "`{}` made no '{}': correct engine in {}",
                self.recipe.build, self.recipe.engine, self.recipe.origin
            ),
            Ok(()) => return Ok(()),
        };
        Err(refused(format!("build {}", commit.label()), why, log))
    }

    /// Copies the program and the files that it needs.
    fn keep(&self, source: &Path, kept: &Path) -> Result<(), CliError> {
        for name in std::iter::once(&self.recipe.engine).chain(&self.recipe.keep) {
            let from = source.join(name);
            if !from.exists() {
                let origin = &self.recipe.origin;
                return Err(CliError::input(format!(
                    "keep: there is no '{name}' after the build: correct it in {origin}"
                )));
            }
            copy(&from, &kept.join(name)).map_err(failed)?;
        }
        Ok(())
    }
}

/// Waits for others that build the same engine.
pub(super) fn lock(path: &Path, interrupt: &Interrupt) -> Result<File, CliError> {
    let file = File::create(path).map_err(failed)?;
    let mut is_told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {
                if !is_told {
                    note("another tanren test builds this engine: waiting for it");
                    is_told = true;
                }
                check_signal(interrupt)?;
                sleep(LOOK_PAUSE);
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
}

fn check_signal(interrupt: &Interrupt) -> Result<(), CliError> {
    match interrupt.signal() {
        Some(signal) => Err(ExperimentError::Stopped(signal).into()),
        None => Ok(()),
    }
}

/// Says how the log ends.
pub(super) fn refused(what: String, why: String, log: &Path) -> CliError {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines[lines.len().saturating_sub(LOG_LINES)..] {
        note(&format!("  {line}"));
    }
    let log = log.to_owned();
    CliError::Build { what, why, log }
}

/// What a killed process left of its build.
fn remove_unfinished(repository: &Repository, builds: &Path) -> Result<(), CliError> {
    for entry in fs::read_dir(builds).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|ending| ending == "source") {
            repository.remove(&path)?;
        }
    }
    Ok(())
}

fn make_cache(folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(|error| {
        let folder = folder.display();
        CliError::input(format!(
            "cannot keep builds in '{folder}': {error}; give another --cache"
        ))
    })
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        // A link to a folder may lead to one that it is in.
        if from.is_symlink() {
            return Ok(());
        }
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map(drop)
}
