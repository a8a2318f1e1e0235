//! Files that a specification names, wherever it is read.

use std::path::{Component, Path, PathBuf};

use super::library::file_player;
use super::process_text::{quote_word, split_keys, split_words};
use super::{EngineProtocol, SSH, library_player};

/// A key of a program in the text of a player.
const DIRECTORY: &str = "directory=";

/// `text`, a path that stands in a file of `folder`, as the working directory sees it: from `folder` if it exists there,
/// else as written.
pub fn resolve(text: &str, folder: &Path) -> String {
    let below = folder.join(text);
    if below.exists() {
        below.to_string_lossy().into_owned()
    } else {
        text.to_owned()
    }
}

/// As [`resolve`], for a program: a mere name is looked for where the system looks for programs.
fn resolve_command(command: &str, folder: &Path) -> String {
    if command.contains(std::path::is_separator) {
        resolve(command, folder)
    } else {
        command.to_owned()
    }
}

/// Looks in `folder` first for the files that a specification there names.
pub fn resolve_files(specification: &mut toml::Table, folder: &Path) {
    for (key, value) in specification.iter_mut() {
        match (key.as_str(), value) {
            ("openings" | "positions" | "syzygy" | "space" | "file", toml::Value::String(text)) => {
                *text = resolve(text, folder);
            }
            ("a" | "b" | "base" | "player" | "config", toml::Value::String(text)) => {
                resolve_player(text, folder);
            }
            ("player", toml::Value::Table(players)) => {
                players
                    .iter_mut()
                    .filter_map(|(_, player)| player.as_table_mut())
                    .for_each(|player| resolve_program_keys(player, folder));
            }
            ("player" | "config", toml::Value::Array(players)) => {
                for player in players {
                    match player {
                        toml::Value::String(text) => resolve_player(text, folder),
                        toml::Value::Table(player) => resolve_files(player, folder),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn resolve_player(text: &mut String, folder: &Path) {
    let file = file_player(text).filter(|_| library_player(text).is_none());
    if let Some((path, keys)) = file {
        *text = format!("@{}{keys}", resolve(path, folder));
    } else if let Some(resolved) = resolve_program(text, folder) {
        *text = resolved;
    }
}

/// `text`, such as `usi:COMMAND…`, with its paths; `None` if they stay as they are, since without a name a player is called by its text.
fn resolve_program(text: &str, folder: &Path) -> Option<String> {
    let (protocol, rest) = text.trim().split_once(':')?;
    EngineProtocol::from_name(protocol)?;
    let mut parts = split_keys(rest).into_iter();
    let mut words = split_words(parts.next()?).ok()?;
    let command = words.first_mut().filter(|command| !command.starts_with(SSH))?;
    let mut is_changed = false;
    let mut change = |before: &str, after: String| {
        is_changed |= before != after;
        after
    };
    *command = change(command, resolve_command(command, folder));
    let keys = parts.map(|part| match part.strip_prefix(DIRECTORY) {
        Some(path) => format!(",{DIRECTORY}{}", change(path, resolve(path, folder))),
        None => format!(",{part}"),
    });
    let keys: String = keys.collect();
    let words: Vec<String> = words.iter().map(|word| quote_word(word)).collect();
    is_changed.then(|| format!("{protocol}:{}{keys}", words.join(" ")))
}

/// Does the same for a player whose keys stand in a table.
pub(super) fn resolve_program_keys(player: &mut toml::Table, folder: &Path) {
    let command = player.get("command").and_then(toml::Value::as_str);
    if command.is_some_and(|command| command.starts_with(SSH)) {
        return;
    }
    for (key, resolve) in [
        ("command", resolve_command as fn(&str, &Path) -> String),
        ("directory", resolve),
    ] {
        if let Some(toml::Value::String(path)) = player.get_mut(key) {
            *path = resolve(path, folder);
        }
    }
}

/// `path` as seen from `folder`, so that a file in `folder` may name it for readers in any directory. Both are taken from
/// the working directory; a path on another drive stays absolute.
pub fn relative(path: &Path, folder: &Path) -> PathBuf {
    let (Ok(path_absolute), Ok(folder)) = (std::path::absolute(path), std::path::absolute(folder)) else {
        return path.to_owned();
    };
    // Steps up from a folder that a link leads to start from where it leads.
    let (path_real, folder) = (real(&path_absolute), real(&folder));
    let (path_parts, folder_parts) = (parts(&path_real), parts(&folder));
    let shared = path_parts
        .iter()
        .zip(&folder_parts)
        .take_while(|(a, b)| a == b)
        .count();
    if shared == 0 {
        return path_absolute;
    }
    let up = std::iter::repeat_n(Component::ParentDir, folder_parts.len() - shared);
    up.chain(path_parts[shared..].iter().copied()).collect()
}

/// `path` without links in the part of it that is there; the last name stays, which may be a link that is meant.
fn real(path: &Path) -> PathBuf {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return path.to_owned();
    };
    let folder = if path.is_dir() { path } else { folder };
    let there = folder.ancestors().find_map(|ancestor| {
        let rest = folder.strip_prefix(ancestor).ok()?;
        Some(ancestor.canonicalize().ok()?.join(rest))
    });
    match there {
        Some(folder) if path.is_dir() => folder,
        Some(folder) => folder.join(name),
        None => path.to_owned(),
    }
}

/// The parts of an absolute path, with `..` undone.
fn parts(path: &Path) -> Vec<Component<'_>> {
    let mut parts = Vec::new();
    for part in path.components() {
        if part == Component::ParentDir {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_seen_from_a_folder() {
        let cases = [
            ("openings/x.sfen", "results/run", "../../openings/x.sfen"),
            ("results/run/x.sfen", "results/run", "x.sfen"),
            ("results/../x.sfen", "results", "../x.sfen"),
            ("../x.sfen", "run", "../../x.sfen"),
        ];
        for (path, folder, expected) in cases {
            let seen = relative(Path::new(path), Path::new(folder));
            assert_eq!(seen, Path::new(expected), "{path} from {folder}");
        }
    }

    #[test]
    fn a_name_of_the_engine_library_is_no_file_beside() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["sf", "sf.toml"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let beside = format!("@{}", folder.path().join("sf.toml").display());
        let amended = format!("{beside},lmr=off");
        let cases = [
            ("@sf", "@sf"),
            ("@sf.toml", &*beside),
            ("@sf.toml,lmr=off", &*amended),
        ];
        for (text, expected) in cases {
            let players = toml::Value::Array(vec![text.into(), "base".into()]);
            let mut specification =
                toml::Table::from_iter([("a".to_owned(), text.into()), ("config".to_owned(), players)]);
            resolve_files(&mut specification, folder.path());
            assert_eq!(specification["a"].as_str(), Some(expected));
            assert_eq!(specification["config"][0].as_str(), Some(expected));
            assert_eq!(specification["config"][1].as_str(), Some("base"));
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "paths of Unix")]
    fn a_program_beside_the_file_is_meant_and_another_text_stays() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["engine", "two words", "run"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let at = |name: &str| folder.path().join(name).display().to_string();
        let cases = [
            ("usi:./engine", format!("usi:{}", at("./engine"))),
            (
                "uci:'./two words' 'a b',option.X=1,directory=run,name=n",
                format!(
                    "uci:\"{}\" \"a b\",option.X=1,directory={},name=n",
                    at("./two words"),
                    at("run")
                ),
            ),
            ("usi:engine", "usi:engine".to_owned()),
            ("usi:'./missing' x", "usi:'./missing' x".to_owned()),
            ("usi:@engine", "usi:@engine".to_owned()),
            (
                "usi:ssh:box:./engine,directory=run",
                "usi:ssh:box:./engine,directory=run".to_owned(),
            ),
            ("base,lmr=off", "base,lmr=off".to_owned()),
        ];
        for (text, expected) in cases {
            let mut specification = toml::Table::from_iter([("a".to_owned(), text.into())]);
            resolve_files(&mut specification, folder.path());
            assert_eq!(specification["a"].as_str(), Some(&*expected));
        }
        let text = "[player.x]\ncommand = './engine'\ndirectory = 'run'\n[player.y]\ncommand = 'engine'\n";
        let mut specification: toml::Table = text.parse().unwrap();
        resolve_files(&mut specification, folder.path());
        let players = &specification["player"];
        assert_eq!(players["x"]["command"].as_str(), Some(&*at("./engine")));
        assert_eq!(players["x"]["directory"].as_str(), Some(&*at("run")));
        assert_eq!(players["y"]["command"].as_str(), Some("engine"));
    }

    #[test]
    fn what_exists_beside_the_file_is_meant() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.sfen"), "").unwrap();
        let found = folder.path().join("x.sfen");
        assert_eq!(resolve("x.sfen", folder.path()), found.to_string_lossy());
        let absolute = found.to_string_lossy();
        assert_eq!(resolve(&absolute, Path::new("elsewhere")), absolute);
        assert_eq!(resolve("missing.sfen", folder.path()), "missing.sfen");
    }
}
