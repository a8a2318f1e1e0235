//! The engine library: files of players in the user's folder for configurations, each for one `@NAME`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::source::read_text;
use super::{ConfigError, did_you_mean};
use crate::platform::{library_folder, works_for_page};

const SUFFIX: &str = ".toml";
const NAME_CHARS_MAX: usize = 64;

/// The file of the engine that is called so.
pub fn library_file(name: &str) -> Result<PathBuf, ConfigError> {
    let folder = library_folder().ok_or(ConfigError::NoLibrary)?;
    Ok(folder.join(format!("{name}{SUFFIX}")))
}

/// The names in the library, sorted.
pub fn library_names() -> Vec<String> {
    let entries = library_folder().and_then(|folder| folder.read_dir().ok());
    let names = entries.into_iter().flatten().filter_map(|entry| {
        let file = entry.ok()?.file_name().into_string().ok()?;
        let name = file.strip_suffix(SUFFIX)?;
        is_library_name(name).then(|| name.to_owned())
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Letters and digits of any script, and `.`, `_`, `+` and `-` between them; what ends in `.toml` is a file.
pub fn is_library_name(name: &str) -> bool {
    let is_inner = |letter: char| letter.is_alphanumeric() || "._+-".contains(letter);
    name.starts_with(char::is_alphanumeric)
        && name.chars().all(is_inner)
        && name.chars().count() <= NAME_CHARS_MAX
        && !name.to_lowercase().ends_with(SUFFIX)
}

/// NAME and `,key=value…` of `@NAME,key=value…`; `None` if `text` is something else, such as the `@FILE.toml` of a player.
pub fn library_player(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix('@')?;
    let (name, keys) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
    is_library_name(name).then_some((name, keys))
}

/// FILE.toml and `,key=value…` of `@FILE.toml,key=value…`; `None` if `text` does not begin with `@`.
pub(super) fn file_player(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix('@')?;
    let end = rest.to_ascii_lowercase().find(".toml,");
    Some(rest.split_at(end.map_or(rest.len(), |dot| dot + SUFFIX.len())))
}

/// The file that `@NAME,key=value…` or `@FILE.toml,key=value…` names, its text and the keys; `None` if `text` does not begin with `@`.
pub(super) fn named_file(text: &str) -> Option<Result<(PathBuf, String, &str), ConfigError>> {
    if let Some((name, keys)) = library_player(text) {
        return Some(read_library(name).map(|(read, path)| (path, read, keys)));
    }
    let (path, keys) = file_player(text)?;
    Some(read_text(Path::new(path)).map(|read| (path.into(), read, keys)))
}

/// The text of the file of `name`, and where it is.
pub(super) fn read_library(name: &str) -> Result<(String, PathBuf), ConfigError> {
    let path = library_file(name)?;
    match read_text(&path) {
        Err(ConfigError::Unreadable { source, .. }) if source.kind() == ErrorKind::NotFound => {
            let names = library_names();
            Err(ConfigError::NotInLibrary {
                name: name.to_owned(),
                meant: did_you_mean(name, names.iter().map(String::as_str)),
                known: names.join(", "),
            })
        }
        // The page learns no folder of this user.
        Err(ConfigError::Unreadable { source, .. }) if works_for_page() => Err(ConfigError::Unreadable {
            path: format!("@{name}").into(),
            source,
        }),
        text => Ok((text?, path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_from_a_file() {
        for (text, expected) in [
            ("@sf", Some(("sf", ""))),
            (
                " @sf-16.1,option.Threads=2",
                Some(("sf-16.1", ",option.Threads=2")),
            ),
            ("@水匠5", Some(("水匠5", ""))),
            ("@mine.toml", None),
            ("@mine.TOML,nodes=5", None),
            ("@./sf", None),
            ("@a\\b", None),
            ("@.hidden", None),
            ("@two words", None),
            ("@", None),
            ("@a#b", None),
            ("@\u{1b}[2J", None),
            ("sf", None),
            ("usi:@sf", None),
        ] {
            assert_eq!(library_player(text), expected, "{text}");
        }
        assert!(!is_library_name(&"x".repeat(65)));
    }
}
