//! The files of an engine: which they are, and whether those that were examined are those that play.

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::config::ProcessSpec;
use crate::platform::{FileStamp, lock, open_regular};
use crate::player::process::remote;
use crate::player::{EnvironmentError, ProgramChange, ProgramChangeKind};

const BLOCK_BYTES: usize = 1 << 16;
/// More files than this in a folder are no evaluation.
const FOLDER_FILES_MAX: usize = 64;
/// Files of another machine are not read again before.
const REMOTE_PAUSE: Duration = Duration::from_secs(60);
const FOLDER_OPTION: &str = "EvalDir";
const BOOK_FOLDER: &str = "BookDir";
/// In the name of an option whose file the engine writes.
const WRITTEN: [&str; 5] = ["log", "learn", "experience", "save", "write"];

/// The file of a program: a path as it is or with what the system lets its users leave out, a mere name as the system
/// finds it.
pub fn program_path(spec: &ProcessSpec) -> io::Result<PathBuf> {
    let command = &spec.command;
    if command.components().count() > 1 {
        let is_whole = command.is_file();
        return Ok(if is_whole {
            command.to_owned()
        } else {
            with_suffix(command)
        });
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let named = |folder: PathBuf| {
        let plain = folder.join(command);
        [with_suffix(&plain), plain]
    };
    env::split_paths(&folders)
        .flat_map(named)
        .find(|path| path.is_file())
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, unfound(command)))
}

fn unfound(command: &Path) -> String {
    let text = command.to_string_lossy();
    let hint = match text.split_once(',') {
        Some((_, rest)) if rest.contains('=') => {
            "what follows the comma is no key of a program: options of an engine are option.NAME=value, its limits are those of the \
             command, such as --nodes-a"
        }
        _ => "a program elsewhere needs its path, such as ./engine",
    };
    format!("no folder of PATH holds a file of that name ({hint})")
}

fn with_suffix(path: &Path) -> PathBuf {
    if path.to_string_lossy().ends_with(env::consts::EXE_SUFFIX) {
        return path.to_owned();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(env::consts::EXE_SUFFIX);
    name.into()
}

pub(super) fn hexadecimal(digest: Sha256) -> String {
    let bytes = digest.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn file_sha256(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut block = vec![0; BLOCK_BYTES];
    let mut file = open_regular(path)?;
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hexadecimal(digest)),
            bytes => digest.update(&block[..bytes]),
        }
    }
}

/// Options by name and value, with those that `init=` sets.
pub(super) fn settings(spec: &ProcessSpec) -> impl Iterator<Item = (&str, &str)> {
    let given = spec.options.iter();
    let given = given.map(|(name, value)| (name.as_str(), value.as_str()));
    let told = spec.initial_commands.iter().filter_map(|line| {
        let rest = line.trim().strip_prefix("setoption ")?.trim_start();
        let (name, value) = rest.strip_prefix("name ")?.split_once(" value ")?;
        Some((name.trim(), value.trim()))
    });
    given.chain(told)
}

/// Those of the settings whose value may be a file that the program reads.
pub(super) fn settings_of_files(spec: &ProcessSpec) -> impl Iterator<Item = (&str, &str)> {
    let may_be_file = |value: &str| {
        !value.is_empty() && value.parse::<f64>().is_err() && !["true", "false"].contains(&value)
    };
    settings(spec).filter(move |(name, value)| may_be_file(value) && !is_written(name))
}

pub(super) fn is_written(name: &str) -> bool {
    let name = name.to_lowercase();
    WRITTEN.iter().any(|word| name.contains(word))
}

/// What `spec` tells its program to load: every file and folder that it may mean.
struct Referenced {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Referenced {
    /// By options and initial commands. A relative path is looked for in the folder that the engine runs in and beside
    /// the program.
    fn of(spec: &ProcessSpec, program: &Path) -> Referenced {
        let beside = program.parent().unwrap_or(Path::new(""));
        let own = spec.directory.as_deref().unwrap_or(Path::new(""));
        let set: Vec<(&str, &str)> = settings_of_files(spec).collect();
        let books = set
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(BOOK_FOLDER));
        let books: Vec<&Path> = books.map(|(_, value)| Path::new(value)).collect();
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for (name, value) in &set {
            let places = [own.join(value), beside.join(value)];
            if name.eq_ignore_ascii_case(FOLDER_OPTION) {
                folders.extend(places);
                continue;
            }
            files.extend(places);
            let in_books = books.iter().map(|book| book.join(value));
            files.extend(in_books.flat_map(|path| [own.join(&path), beside.join(path)]));
        }
        for paths in [&mut files, &mut folders] {
            let mut seen = HashSet::new();
            paths.retain(|path| seen.insert(path.clone()));
        }
        Referenced { files, folders }
    }
}

/// The files that the options of `spec` tell its program to load.
pub fn loaded_files(spec: &ProcessSpec) -> Vec<PathBuf> {
    if spec.host.is_some() {
        return Vec::new();
    }
    let Ok(program) = program_path(spec) else {
        return Vec::new();
    };
    let referenced = Referenced::of(spec, &program);
    let inside = referenced.folders.iter().filter_map(|folder| files_in(folder));
    let files = referenced.files.into_iter().filter(|path| path.is_file());
    let loaded = files.chain(inside.flatten());
    loaded.filter(|path| *path != program).collect()
}

fn files_in(folder: &Path) -> Option<Vec<PathBuf>> {
    let entries = folder.read_dir().ok()?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    (files.len() <= FOLDER_FILES_MAX).then_some(files)
}

/// The files of the programs of a run as they were before its first game; clones share it.
#[derive(Debug, Clone, Default)]
pub struct ExaminedFiles {
    files: Arc<Mutex<BTreeMap<PathBuf, ExaminedFile>>>,
    /// The programs of other machines, by the text of their players.
    remote: Arc<Mutex<BTreeMap<String, (ProgramDigests, Instant)>>>,
}

#[derive(Debug, Clone)]
struct ExaminedFile {
    sha256: String,
    stamp: FileStamp,
    at: Instant,
}

/// What must not change if a run is to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramDigests {
    pub program: String,
    /// Of the files that its options tell it to load, if there are any.
    pub loaded: Option<String>,
}

impl ExaminedFiles {
    pub fn examine(&self, spec: &ProcessSpec) -> io::Result<ProgramDigests> {
        if let Some(host) = &spec.host {
            let examined = lock(&self.remote).get(&spec.text()).cloned();
            if let Some((digests, at)) = examined
                && at.elapsed() < REMOTE_PAUSE
            {
                return Ok(digests);
            }
            let digests = remote::digests(spec, host)?;
            let examined = (digests.clone(), Instant::now());
            lock(&self.remote).insert(spec.text(), examined);
            return Ok(digests);
        }
        let program = self.read(program_path(spec)?)?;
        let mut loaded = None;
        for path in loaded_files(spec) {
            let sha256 = self.read(path)?;
            loaded.get_or_insert_with(Sha256::new).update(sha256);
        }
        Ok(ProgramDigests {
            program,
            loaded: loaded.map(hexadecimal),
        })
    }

    /// A copy that does not hear of later examinations.
    #[must_use]
    pub fn snapshot(&self) -> ExaminedFiles {
        ExaminedFiles {
            files: Arc::new(Mutex::new(lock(&self.files).clone())),
            remote: Arc::new(Mutex::new(lock(&self.remote).clone())),
        }
    }

    fn read(&self, path: PathBuf) -> io::Result<String> {
        // What is written while it is read has another stamp at the next start.
        let stamp = FileStamp::of(&path)?;
        let files = lock(&self.files);
        if let Some(known) = files.get(&path).filter(|known| known.stamp == stamp) {
            return Ok(known.sha256.clone());
        }
        drop(files);
        let sha256 = file_sha256(&path)?;
        let examined = ExaminedFile {
            sha256: sha256.clone(),
            stamp,
            at: Instant::now(),
        };
        lock(&self.files).insert(path, examined);
        Ok(sha256)
    }

    /// Are the files of `spec` those that were examined? One that was not examined is not looked at.
    pub(super) fn check(&self, spec: &ProcessSpec) -> Result<(), EnvironmentError> {
        match &spec.host {
            Some(host) => self.check_remote(spec, host),
            None => Ok(self.check_here(spec)?),
        }
    }

    fn check_remote(&self, spec: &ProcessSpec, host: &str) -> Result<(), EnvironmentError> {
        let Some((before, at)) = lock(&self.remote).get(&spec.text()).cloned() else {
            return Ok(());
        };
        let changed = |change: ProgramChangeKind| ProgramChange {
            path: format!("{host}:{}", spec.command.display()).into(),
            change,
        };
        let now = remote::digests(spec, host).map_err(|error| match error.kind() {
            io::ErrorKind::NotConnected => EnvironmentError::Connection {
                detail: error.to_string(),
            },
            _ => changed(ProgramChangeKind::Gone(error.to_string())).into(),
        })?;
        if now == before {
            return Ok(());
        }
        let sha256 = if now.program == before.program {
            [before.loaded, now.loaded].map(Option::unwrap_or_default)
        } else {
            [before.program, now.program]
        };
        Err(changed(ProgramChangeKind::Replaced {
            written: None,
            examined: at.elapsed(),
            sha256,
        })
        .into())
    }

    fn check_here(&self, spec: &ProcessSpec) -> Result<(), ProgramChange> {
        let mut examined = lock(&self.files);
        if examined.is_empty() {
            return Ok(());
        }
        let program = program_path(spec).map_err(|error| ProgramChange {
            path: spec.command.clone(),
            change: ProgramChangeKind::Gone(error.to_string()),
        })?;
        let referenced = Referenced::of(spec, &program);
        for (path, file) in examined.iter_mut() {
            let is_inside = || {
                referenced
                    .folders
                    .iter()
                    .any(|folder| path.parent() == Some(folder))
            };
            let is_own = *path == program || referenced.files.contains(path);
            if is_own || is_inside() {
                let path = path.clone();
                file.check(&path)
                    .map_err(|change| ProgramChange { path, change })?;
            }
        }
        Ok(())
    }
}

impl ExaminedFile {
    fn check(&mut self, path: &Path) -> Result<(), ProgramChangeKind> {
        let gone = |error: io::Error| ProgramChangeKind::Gone(error.to_string());
        let stamp = FileStamp::of(path).map_err(gone)?;
        if stamp == self.stamp {
            return Ok(());
        }
        let sha256 = file_sha256(path).map_err(gone)?;
        if sha256 != self.sha256 {
            return Err(ProgramChangeKind::Replaced {
                written: stamp.age(),
                examined: self.at.elapsed(),
                sha256: [self.sha256.clone(), sha256],
            });
        }
        self.stamp = stamp;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::player::process::fitness::tests::spec;

    #[test]
    #[cfg_attr(windows, ignore = "paths of Unix")]
    fn options_and_initial_commands_name_files_beside_the_engine_and_where_it_runs() {
        for (keys, expected) in [
            (
                "EvalFile=nn.bin,option.Threads=2,option.Ponder=true",
                "/run/nn.bin /opt/nn.bin |",
            ),
            (
                "BookDir=b,option.BookFile=x.db",
                "/run/b /opt/b /run/b/b /opt/b/b /run/x.db /opt/x.db /run/b/x.db /opt/b/x.db |",
            ),
            (
                "EvalDir=eval,option.Debug Log File=/n.log",
                "| /run/eval /opt/eval",
            ),
            ("Threads=1,init=setoption name Net value /n.bin", "/n.bin |"),
        ] {
            let spec = spec(&format!("usi:/opt/engine x,directory=/run,option.{keys}"));
            let Referenced { files, folders } = Referenced::of(&spec, Path::new("/opt/engine"));
            let words = |paths: Vec<PathBuf>| {
                paths
                    .iter()
                    .map(|path| format!("{} ", path.display()))
                    .collect::<String>()
            };
            let found = format!("{}| {}", words(files), words(folders));
            assert_eq!(found.trim(), expected, "{keys}");
        }
    }

    #[test]
    fn the_digests_follow_the_files_and_a_change_of_any_is_named() {
        for (keys, name, is_own) in [
            ("", "program.exe", true),
            (",option.EvalFile=net", "net", false),
            (",option.EvalDir=eval", "eval/nn.bin", false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("eval")).unwrap();
            let names = ["program.exe", "script", "net", "eval/nn.bin"];
            let [program, script, ..] = names.map(|name| {
                let path = folder.path().join(name);
                fs::write(&path, name).unwrap();
                path.display().to_string()
            });
            let spec = spec(&format!("usi:{program} {script}{keys}"));
            let files = ExaminedFiles::default();
            let before = files.examine(&spec).unwrap();
            assert_eq!(
                (before.loaded.is_none(), files.check_here(&spec)),
                (is_own, Ok(()))
            );
            let path = folder.path().join(name);
            fs::write(&path, "another").unwrap();
            let after = ExaminedFiles::default().examine(&spec).unwrap();
            let is_changed = (after.program != before.program, after.loaded != before.loaded);
            assert_eq!(is_changed, (is_own, !is_own), "{name}");
            let change = files.check_here(&spec).unwrap_err();
            assert!(change.path.ends_with(name), "{change}");
            assert!(
                matches!(change.change, ProgramChangeKind::Replaced { .. }),
                "{change}"
            );
            fs::write(&path, name).unwrap();
            assert_eq!(
                files.check_here(&spec),
                Ok(()),
                "written anew with the same content"
            );
            fs::remove_file(&path).unwrap();
            assert!(matches!(
                files.check_here(&spec).unwrap_err().change,
                ProgramChangeKind::Gone(_)
            ));
            assert_eq!(
                ExaminedFiles::default().check_here(&spec),
                Ok(()),
                "never examined"
            );
        }
        let nowhere = spec("usi:no-such-program-anywhere");
        assert!(ExaminedFiles::default().examine(&nowhere).is_err());
    }

    #[test]
    fn a_snapshot_does_not_hear_of_what_is_examined_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program.exe");
        fs::write(&path, "one").unwrap();
        let spec = spec(&format!("usi:{}", path.display()));
        let files = ExaminedFiles::default();
        let one = files.examine(&spec).unwrap();
        let snapshot = files.snapshot();
        fs::write(&path, "another").unwrap();
        assert_ne!(files.examine(&spec).unwrap(), one);
        assert_eq!(files.check_here(&spec), Ok(()));
        assert!(snapshot.check_here(&spec).is_err());
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_every_other_tool() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        fs::write(&path, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(file_sha256(&path).unwrap(), expected);
        for path in [folder.path(), Path::new("/dev/zero"), &folder.path().join("none")] {
            assert!(file_sha256(path).is_err(), "{}", path.display());
        }
    }
}
