//! The few words of transcripts besides `tanren`.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;

use crate::common::{columns_but_times, measures_time};
use crate::folder::InFolder;

/// What the words print; `input` is what a pipe or the lines of the transcript hold.
pub(crate) fn tool(folder: &Path, words: &[&str], input: &str) -> String {
    show(folder, words, input).unwrap_or_else(|| {
        change(folder, words);
        String::new()
    })
}

/// The words that show something.
fn show(folder: &Path, words: &[&str], input: &str) -> Option<String> {
    let lines = |lines: Vec<String>| lines.iter().map(|line| format!("{line}\n")).collect();
    Some(match *words {
        ["cat"] => input.to_owned(),
        ["cat", ref files @ ..] => files.iter().map(|file| folder.read(file)).collect(),
        ["count", text] => format!("{}\n", input.matches(text).count()),
        ["cut", columns, file] => {
            let columns: Vec<Vec<String>> =
                columns.split(',').map(|name| folder.column(file, name)).collect();
            let row = |row: usize| {
                columns
                    .iter()
                    .map(|column| column[row].as_str())
                    .collect::<Vec<_>>()
                    .join(",")
            };
            lines((0..columns[0].len()).map(row).collect())
        }
        // Values of a JSON document by their paths, `rows/0/name`.
        ["get", ref paths @ ..] => {
            let value: serde_json::Value =
                serde_json::from_str(input).unwrap_or_else(|error| panic!("{error}: {input}"));
            let named = |path: &&str| match value.pointer(&format!("/{path}")) {
                Some(value) => format!("{path}: {value}"),
                None => format!("{path} is not there"),
            };
            lines(paths.iter().map(named).collect())
        }
        ["grep", text] => lines(
            input
                .lines()
                .filter(|line| line.contains(text))
                .map(str::to_owned)
                .collect(),
        ),
        ["head", count] => lines(
            input
                .lines()
                .take(count.parse().unwrap())
                .map(str::to_owned)
                .collect(),
        ),
        ["ls"] => lines(folder.names()),
        ["ls", inner] => lines(folder.join(inner).names()),
        // All files below, and the columns of tables.
        ["tree", inner] => tree(&folder.join(inner), &folder.join(inner)),
        // Are two files, or these files of two folders, the same but for times?
        ["diff", one, two, ref files @ ..] => {
            let names = if files.is_empty() { &[""] } else { files };
            let read = |path: &str, file: &str| {
                let name = format!("{path}/{file}");
                untimed(
                    name.trim_end_matches('/'),
                    folder.read(name.trim_end_matches('/')),
                )
            };
            let other = names.iter().filter(|file| read(one, file) != read(two, file));
            lines(
                other
                    .map(|file| format!("{one} and {two} differ {file}"))
                    .collect(),
            )
        }
        _ => return None,
    })
}

/// The words that change files.
fn change(folder: &Path, words: &[&str]) {
    match *words {
        ["append", text, file] => {
            let file = fs::OpenOptions::new().append(true).open(folder.join(file));
            file.unwrap().write_all(text.as_bytes()).unwrap();
        }
        ["cp", from, to] => drop(fs::copy(folder.join(from), folder.join(to)).unwrap()),
        ["mkdir", inner] => fs::create_dir_all(folder.join(inner)).unwrap(),
        ["mv", from, to] => fs::rename(folder.join(from), folder.join(to)).unwrap(),
        ["rm", ref names @ ..] => names.iter().map(|name| folder.join(name)).for_each(|path| {
            if path.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            }
            .unwrap();
        }),
        ["gzip", file] => {
            let text = folder.read(file);
            let mut packed = Vec::new();
            flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::best())
                .read_to_end(&mut packed)
                .unwrap();
            folder.write(format!("{file}.gz"), packed);
        }
        #[cfg(unix)]
        ["ln", to, name] => std::os::unix::fs::symlink(to, folder.join(name)).unwrap(),
        ["mkfifo", name] => assert!(
            Command::new("mkfifo")
                .arg(folder.join(name))
                .status()
                .unwrap()
                .success()
        ),
        ["truncate", bytes, file] => {
            let text = folder.read(file);
            folder.write(file, &text[..text.len() - bytes.parse::<usize>().unwrap()]);
        }
        ["replace", from, to, file] => folder.write(file, folder.read(file).replace(from, to)),
        ["sql", file, statement] => {
            let connection = rusqlite::Connection::open(folder.join(file)).unwrap();
            connection.execute_batch(statement).unwrap();
        }
        _ => panic!("no such command in a transcript: {words:?}"),
    }
}

/// A file without the columns that measure time.
pub(crate) fn untimed(name: &str, text: String) -> String {
    let mut header = text.lines().next().unwrap_or_default().split(',');
    let is_timed = name.ends_with(".csv") && header.any(measures_time);
    if is_timed { columns_but_times(&text) } else { text }
}

fn tree(root: &Path, folder: &Path) -> String {
    let of = |name: String| {
        let path = folder.join(&name);
        let shown = path.strip_prefix(root).unwrap().display();
        if path.is_dir() {
            return tree(root, &path);
        }
        match name.ends_with(".csv") {
            true => format!(
                "{shown}: {}\n",
                folder.read(name).lines().next().unwrap_or_default()
            ),
            false => format!("{shown}\n"),
        }
    };
    folder.names().into_iter().map(of).collect()
}
