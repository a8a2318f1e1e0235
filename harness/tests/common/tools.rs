//! The few words of transcripts besides `tanren`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

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
#[expect(clippy::too_many_lines, reason = "a table: a few lines for each word")]
fn show(folder: &Path, words: &[&str], input: &str) -> Option<String> {
    let lines = |lines: Vec<String>| lines.iter().map(|line| format!("{line}\n")).collect();
    Some(match *words {
        ["cat"] => input.to_owned(),
        ["cat", ref files @ ..] => {
            let read = |file: &&str| {
                fs::read_to_string(folder.join(file)).unwrap_or_else(|error| format!("{file}: {error}\n"))
            };
            files.iter().map(read).collect()
        }
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
        ["grep", "-v", text] => lines(
            input
                .lines()
                .filter(|line| !line.contains(text))
                .map(str::to_owned)
                .collect(),
        ),
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
        ["word", number] => lines(
            input
                .lines()
                .filter_map(|line| line.split_whitespace().nth(number.parse::<usize>().unwrap() - 1))
                .map(|word| word.trim_end_matches([':', ',']).to_owned())
                .collect(),
        ),
        ["sum", column, file] => {
            let numbers = folder.column(file, column);
            format!(
                "{}\n",
                numbers
                    .iter()
                    .map(|number| number.parse::<i64>().unwrap())
                    .sum::<i64>()
            )
        }
        // How many processes hold this in their command lines, on Linux.
        ["processes", mark] => match processes_with(mark).len() {
            0 => "none\n".to_owned(),
            count => format!("{count}\n"),
        },
        // The number that a statement finds in the ledger of a run; -1 where there is none.
        ["query", run, statement] => format!("{}\n", in_ledger(&folder.join(run), statement)),
        // Which tables of two runs differ otherwise than by times and machines?
        ["same", one, two] => {
            let [one_tables, two_tables] = [one, two].map(|run| tables(&folder.join(run)));
            assert!(!one_tables.is_empty(), "{one} has no tables");
            let names: BTreeSet<&PathBuf> = one_tables.keys().chain(two_tables.keys()).collect();
            let other = names
                .into_iter()
                .filter(|&name| one_tables.get(name) != two_tables.get(name));
            lines(
                other
                    .map(|name| format!("{one} and {two} differ: {}", name.display()))
                    .collect(),
            )
        }
        ["tail", count] => {
            let all: Vec<String> = input.lines().map(str::to_owned).collect();
            lines(all[all.len().saturating_sub(count.parse().unwrap())..].to_vec())
        }
        // A JSON document as one line.
        ["json"] => format!("{}\n", serde_json::from_str::<serde_json::Value>(input).unwrap()),
        ["ls"] => lines(folder.names()),
        ["ls", inner] => lines(folder.join(inner).names()),
        // All files below, and the columns of tables.
        ["tree", inner] => tree(&folder.join(inner), &folder.join(inner)),
        // Are two files, or these files of two folders, the same but for times?
        ["diff", one, two, ref files @ ..] => {
            let names = if files.is_empty() { &[""] } else { files };
            let read = |path: &str, file: &str| {
                let name = format!("{path}/{file}");
                let name = name.trim_end_matches('/');
                let bytes = fs::read(folder.join(name)).unwrap();
                untimed(name, String::from_utf8_lossy(&bytes).into_owned())
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
        // Overwrites all behind so many bytes.
        ["damage", kept, file] => {
            let mut bytes = fs::read(folder.join(file)).unwrap();
            bytes[kept.parse().unwrap()..].fill(0x5a);
            folder.write(file, bytes);
        }
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
            let connection = Connection::open(folder.join(file)).unwrap();
            connection.execute_batch(statement).unwrap();
        }
        _ => panic!("no such command in a transcript: {words:?}"),
    }
}

/// The number that `statement` gives in the ledger of a run; -1 if there is none.
pub(crate) fn in_ledger(run: &Path, statement: &str) -> i64 {
    let opened = Connection::open_with_flags(run.join("ledger.sqlite"), OpenFlags::SQLITE_OPEN_READ_ONLY);
    let asked = opened.and_then(|ledger| {
        ledger.busy_timeout(Duration::from_secs(5))?;
        ledger.query_row(statement, [], |row| row.get(0))
    });
    asked.unwrap_or(-1)
}

/// The command lines of running processes that hold `mark`, on Linux.
pub(crate) fn processes_with(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark)).collect()
}

/// Every table below `folder` but for what machines and their clocks decide.
pub(crate) fn tables(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for name in folder.names() {
        let path = folder.join(&name);
        if path.is_dir() {
            let below = tables(&path).into_iter();
            found.extend(below.map(|(below, rows)| (Path::new(&name).join(below), rows)));
        } else if name.ends_with(".csv") && !["hosts.csv", "engines.csv", "replayed.csv"].contains(&&*name) {
            let text = untimed(&name, folder.read(&name));
            found.insert(name.into(), text);
        }
    }
    found
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
