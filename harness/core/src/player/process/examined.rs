//! Is the build that was examined the build that plays?

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::program::{Digest, file_sha256, locate};
use super::referenced_files::ReferencedFiles;
use crate::config::ProcessSpec;
use crate::platform::FileStamp;
use crate::player::{Change, ProgramChange};

/// More files than this in a folder are no evaluation.
const FOLDER_FILES_MAX: usize = 64;

/// The files of the programs of a run as they were before its first game; clones share it.
#[derive(Debug, Clone, Default)]
pub struct ExaminedFiles {
    known: Arc<Mutex<BTreeMap<PathBuf, Known>>>,
}

#[derive(Debug)]
struct Known {
    sha256: String,
    stamp: FileStamp,
    at: Instant,
}

/// What must not change if a run is to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramDigests {
    /// Of the program and of those of its arguments that are files.
    pub program: String,
    /// Of the files that its options tell it to load, if there are any.
    pub loaded: Option<String>,
}

impl ExaminedFiles {
    pub fn examine(&self, spec: &ProcessSpec) -> io::Result<ProgramDigests> {
        let program = locate(&spec.command)?;
        let own = own_files(spec, &program);
        let mut digest = Digest::default();
        for path in &own {
            self.read(path, Some(&mut digest))?;
        }
        let mut loaded = Digest::default();
        let mut has_loaded = false;
        for path in loaded_files(spec, &program) {
            loaded.update(self.read(&path, None)?.as_bytes());
            has_loaded = true;
        }
        Ok(ProgramDigests {
            program: digest.text(),
            loaded: has_loaded.then(|| loaded.text()),
        })
    }

    fn read(&self, path: &Path, into: Option<&mut Digest>) -> io::Result<String> {
        // What is written while it is read has another stamp at the next start.
        let stamp = FileStamp::of(path)?;
        let sha256 = file_sha256(path, into)?;
        let known = Known {
            sha256: sha256.clone(),
            stamp,
            at: Instant::now(),
        };
        self.lock().insert(path.to_owned(), known);
        Ok(sha256)
    }

    /// Are the files of `spec` those that were examined? One that was not examined is not looked at.
    pub(super) fn check(&self, spec: &ProcessSpec) -> Result<(), ProgramChange> {
        let mut known = self.lock();
        if known.is_empty() {
            return Ok(());
        }
        let program = locate(&spec.command).map_err(|error| ProgramChange {
            path: spec.command.clone(),
            change: Change::Gone(error.to_string()),
        })?;
        let named = ReferencedFiles::of(spec, &program);
        let is_inside = |path: &&PathBuf| named.folders.iter().any(|folder| path.parent() == Some(folder));
        let mut paths: Vec<PathBuf> = known.keys().filter(is_inside).cloned().collect();
        let arguments = spec.arguments.iter().map(PathBuf::from);
        paths.extend(std::iter::once(program).chain(arguments).chain(named.files));
        for path in paths {
            if let Some(known) = known.get_mut(&path) {
                known
                    .check(&path)
                    .map_err(|change| ProgramChange { path, change })?;
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn check(&mut self, path: &Path) -> Result<(), Change> {
        let gone = |error: io::Error| Change::Gone(error.to_string());
        let stamp = FileStamp::of(path).map_err(gone)?;
        if stamp == self.stamp {
            return Ok(());
        }
        let sha256 = file_sha256(path, None).map_err(gone)?;
        if sha256 != self.sha256 {
            return Err(Change::Replaced {
                written: stamp.age(),
                examined: self.at.elapsed(),
                sha256: [self.sha256.clone(), sha256],
            });
        }
        self.stamp = stamp;
        Ok(())
    }
}

/// The files that the options of `spec`, whose program is at `program`, tell it to load.
pub(super) fn loaded_files(spec: &ProcessSpec, program: &Path) -> Vec<PathBuf> {
    let own = own_files(spec, program);
    let named = ReferencedFiles::of(spec, program);
    let inside = named.folders.iter().filter_map(|folder| files_in(folder));
    let files = named.files.into_iter().filter(|path| path.is_file());
    let loaded = files.chain(inside.flatten());
    loaded.filter(|path| !own.contains(path)).collect()
}

fn own_files(spec: &ProcessSpec, program: &Path) -> Vec<PathBuf> {
    let arguments = spec.files().skip(1).map(Path::to_owned);
    std::iter::once(program.to_owned()).chain(arguments).collect()
}

fn files_in(folder: &Path) -> Option<Vec<PathBuf>> {
    let entries = folder.read_dir().ok()?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    (files.len() <= FOLDER_FILES_MAX).then_some(files)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn spec(text: &str) -> ProcessSpec {
        ProcessSpec::parse(text).unwrap().unwrap().1
    }

    struct Case {
        folder: tempfile::TempDir,
        spec: ProcessSpec,
        files: ExaminedFiles,
        digests: ProgramDigests,
    }

    impl Case {
        fn new(keys: &str) -> Case {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            for (name, text) in [("program", "one"), ("script", "two"), ("net", "three")] {
                fs::write(at(name), text).unwrap();
            }
            fs::create_dir(at("eval")).unwrap();
            fs::write(at("eval/nn.bin"), "four").unwrap();
            let (program, script) = (at("program"), at("script"));
            let spec = spec(&format!("usi:{} {}{keys}", program.display(), script.display()));
            let files = ExaminedFiles::default();
            let digests = files.examine(&spec).unwrap();
            Case {
                folder,
                spec,
                files,
                digests,
            }
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.folder.path().join(name), text).unwrap();
        }

        fn digests_now(&self) -> ProgramDigests {
            ExaminedFiles::default().examine(&self.spec).unwrap()
        }
    }

    #[test]
    fn the_digest_follows_the_program_and_the_files_it_is_called_with() {
        let case = Case::new("");
        assert_eq!(case.digests_now(), case.digests);
        assert_eq!(case.digests.loaded, None);
        let alone = spec(&format!("usi:{}", case.spec.command.display()));
        assert_ne!(case.files.examine(&alone).unwrap().program, case.digests.program);
        case.write("script", "other");
        assert_ne!(case.digests_now().program, case.digests.program);
        let nowhere = spec("usi:no-such-program-anywhere");
        assert!(case.files.examine(&nowhere).is_err());
    }

    #[test]
    fn what_options_tell_it_to_load_has_a_digest_of_its_own() {
        for (keys, file) in [
            (",option.EvalFile=net", "net"),
            (",option.EvalDir=eval", "eval/nn.bin"),
        ] {
            let case = Case::new(keys);
            assert_eq!(case.digests.program, Case::new("").digests.program);
            assert!(case.digests.loaded.is_some(), "{keys}");
            assert_eq!(case.files.check(&case.spec), Ok(()));
            case.write(file, "another");
            assert_ne!(case.digests_now().loaded, case.digests.loaded);
            let change = case.files.check(&case.spec).unwrap_err();
            assert!(change.path.ends_with(file), "{change}");
        }
    }

    #[test]
    fn a_file_that_is_written_anew_with_the_same_content_is_the_same() {
        let case = Case::new("");
        case.write("program", "x");
        case.write("program", "one");
        assert_eq!(case.files.check(&case.spec), Ok(()));
        case.write("program", "x");
        let change = case.files.check(&case.spec).unwrap_err();
        assert!(matches!(change.change, Change::Replaced { .. }), "{change}");
    }

    #[test]
    fn a_file_that_is_gone_is_a_change_and_one_that_was_never_examined_is_none() {
        let case = Case::new("");
        fs::remove_file(case.folder.path().join("program")).unwrap();
        let change = case.files.check(&case.spec).unwrap_err();
        assert!(matches!(change.change, Change::Gone(_)), "{change}");
        assert_eq!(ExaminedFiles::default().check(&case.spec), Ok(()));
    }
}
