//! Files that a specification names, wherever it is read.

use std::path::{Component, Path, PathBuf};

use super::library::file_player;
use super::library_player;

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
