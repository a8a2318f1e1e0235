//! A temporary folder in which the program runs, and what it comes to.

use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::Output;

use crate::common::{json, run, stderr};

/// The words of a command line; quotes group them as in a shell.
pub(crate) fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| panic!("an open quote in {line}"))
}

#[track_caller]
pub(crate) fn holds<const N: usize>(text: &str, parts: [&str; N]) {
    for part in parts {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
}

/// One word of a command line, whatever is in it.
pub(crate) fn quoted(word: &str) -> String {
    shlex::try_quote(word).unwrap().into_owned()
}

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

pub(crate) trait InFolder {
    /// Runs the program with the words of `line`.
    fn run(&self, line: &str) -> Output;
    fn read(&self, file: impl AsRef<Path>) -> String;
    fn write(&self, file: impl AsRef<Path>, text: impl AsRef<[u8]>);
    /// Names of files and folders in it, sorted.
    fn names(&self) -> Vec<String>;
    /// The rows of a CSV file below its header.
    fn rows(&self, file: impl AsRef<Path>) -> Vec<csv::StringRecord>;
    fn column(&self, file: impl AsRef<Path>, name: &str) -> Vec<String>;
}

impl InFolder for Path {
    fn run(&self, line: &str) -> Output {
        let words = words(line);
        run(self, &words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[track_caller]
    fn read(&self, file: impl AsRef<Path>) -> String {
        let path = self.join(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn write(&self, file: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        fs::write(self.join(file), text).unwrap();
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[track_caller]
    fn rows(&self, file: impl AsRef<Path>) -> Vec<csv::StringRecord> {
        let text = self.read(file);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.records().map(|row| row.unwrap()).collect()
    }

    #[track_caller]
    fn column(&self, file: impl AsRef<Path>, name: &str) -> Vec<String> {
        let text = self.read(&file);
        let header = text.lines().next().unwrap_or_default();
        let at = header.split(',').position(|column| column == name);
        let at = at.unwrap_or_else(|| panic!("no column {name}: {header}"));
        self.rows(file).iter().map(|row| row[at].to_owned()).collect()
    }
}

pub(crate) trait Ended: Sized {
    fn ended(self, code: i32) -> Self;
    fn ok(self) -> Self;
    /// Parts of what is on stderr.
    fn says<const N: usize>(&self, parts: [&str; N]);
    /// Parts of what is on stdout.
    fn prints<const N: usize>(&self, parts: [&str; N]);
    /// It ended with exit code 2 and a message that holds `expected`, which is returned.
    fn refused(self, expected: &str) -> String;
    fn text(&self) -> String;
    fn message(&self) -> String;
    /// The one JSON value on stdout.
    fn json(&self) -> serde_json::Value;
}

impl Ended for Output {
    #[track_caller]
    fn ended(self, code: i32) -> Output {
        assert_eq!(self.status.code(), Some(code), "{}", self.message());
        self
    }

    #[track_caller]
    fn ok(self) -> Output {
        self.ended(0)
    }

    #[track_caller]
    fn says<const N: usize>(&self, parts: [&str; N]) {
        holds(&self.message(), parts);
    }

    #[track_caller]
    fn prints<const N: usize>(&self, parts: [&str; N]) {
        holds(&self.text(), parts);
    }

    #[track_caller]
    fn refused(self, expected: &str) -> String {
        let output = self.ended(2);
        output.says([expected]);
        output.message()
    }

    #[track_caller]
    fn text(&self) -> String {
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    #[track_caller]
    fn message(&self) -> String {
        stderr(self)
    }

    #[track_caller]
    fn json(&self) -> serde_json::Value {
        json(self)
    }
}
