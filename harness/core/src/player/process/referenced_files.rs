//! Which files a specification names.

use std::path::{Path, PathBuf};

use crate::config::ProcessSpec;

const FOLDER_OPTION: &str = "EvalDir";
const BOOK_FOLDER: &str = "BookDir";
/// In the name of an option whose file the engine writes.
const WRITTEN: [&str; 5] = ["log", "learn", "experience", "save", "write"];
/// How `init=` sets an option.
const SET_OPTION: &str = "setoption name ";

/// What an engine is told to load, as far as its specification says: every place that it may mean.
pub(super) struct ReferencedFiles {
    pub(super) files: Vec<PathBuf>,
    pub(super) folders: Vec<PathBuf>,
}

impl ReferencedFiles {
    /// By the options, initial commands and arguments of `spec`, whose program is at `program`. A relative path is looked
    /// for in the folder that the engine runs in and beside the program.
    pub(super) fn of(spec: &ProcessSpec, program: &Path) -> ReferencedFiles {
        let beside = program.parent().unwrap_or(Path::new(""));
        let own = spec.directory.as_deref().unwrap_or(Path::new(""));
        let mut named = ReferencedFiles {
            files: Vec::new(),
            folders: Vec::new(),
        };
        let set: Vec<(&str, &str)> = all_options(spec).collect();
        let is = |name: &str, known: &str| name.eq_ignore_ascii_case(known);
        let books = set.iter().filter(|(name, _)| is(name, BOOK_FOLDER));
        let books: Vec<&str> = books.map(|&(_, value)| value).collect();
        for (name, value) in &set {
            let places = [own.join(value), beside.join(value)];
            if is(name, FOLDER_OPTION) {
                named.folders.extend(places);
                continue;
            }
            named.files.extend(places);
            for book in &books {
                named
                    .files
                    .extend([own, beside].map(|folder| folder.join(book).join(value)));
            }
        }
        if spec.directory.is_some() {
            named
                .files
                .extend(spec.arguments.iter().map(|word| own.join(word)));
        }
        named.files = without_repeats(named.files);
        named.folders = without_repeats(named.folders);
        named
    }
}

/// Options whose values may be files, with those that `init=` sets.
fn all_options(spec: &ProcessSpec) -> impl Iterator<Item = (&str, &str)> {
    let set = spec
        .options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let told = spec.initial_commands.iter().filter_map(|line| {
        let (name, value) = line.trim().strip_prefix(SET_OPTION)?.split_once(" value ")?;
        Some((name.trim(), value.trim()))
    });
    set.chain(told)
        .filter(|(name, value)| may_be_file(value) && !is_written(name))
}

fn may_be_file(value: &str) -> bool {
    !value.is_empty() && value.parse::<f64>().is_err() && !["true", "false"].contains(&value)
}

pub(super) fn is_written(name: &str) -> bool {
    let name = name.to_lowercase();
    WRITTEN.iter().any(|word| name.contains(word))
}

fn without_repeats(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !kept.contains(&path) {
            kept.push(path);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> ReferencedFiles {
        let spec = ProcessSpec::parse(text).unwrap().unwrap().1;
        ReferencedFiles::of(&spec, Path::new("/opt/engine/bin"))
    }

    #[test]
    fn options_name_files_in_the_folder_of_the_engine_and_beside_it() {
        let named = named("usi:/opt/engine/bin x,directory=/run,option.EvalFile=nn.bin,option.Threads=2");
        let expected = ["/run/nn.bin", "/opt/engine/nn.bin", "/run/x"];
        assert_eq!(named.files, expected.map(PathBuf::from));
        assert!(named.folders.is_empty());
    }

    #[test]
    fn books_and_folders_of_evaluations_are_named_too_and_what_is_written_is_not() {
        let named = named(
            "usi:/opt/engine/bin,directory=/run,option.BookDir=b,option.BookFile=x.db,option.EvalDir=eval,\
             option.Debug Log File=/n.log,init=setoption name Net value /n.bin",
        );
        let has = |path: &str| named.files.contains(&PathBuf::from(path));
        assert!(has("/run/b/x.db") && has("/opt/engine/b/x.db") && has("/n.bin"));
        assert!(!has("/n.log"));
        assert_eq!(
            named.folders,
            ["/run/eval", "/opt/engine/eval"].map(PathBuf::from)
        );
    }
}
