//! Where results go if the user does not say.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use crate::config::Identity;
use crate::document::file::check_writable;
use crate::ledger::{Ledger, is_being_written};
use crate::session::error::{ExperimentError, Result};
use crate::shard::Shard;

pub(crate) fn place(folder: &Path) -> String {
    format!("results in {}", folder.display())
}

const NAME_CHARS_MAX: usize = 60;

pub(crate) fn of_run(base: &str, identity: &Identity, shard: Shard) -> PathBuf {
    first_usable(base, |path| Ledger::is_resumable(path, identity, shard))
}

/// The name of the folder of a share of the run that has this name.
pub(crate) fn of_shard(name: &str, shard: Shard) -> String {
    match shard.is_whole() {
        true => name.to_owned(),
        false => format!("{name}-shard-{}", plain_name(&shard.to_string())),
    }
}

/// `<date>-<name>`.
pub(crate) fn dated(name: &str) -> String {
    format!("{}-{name}", day_of(SystemTime::now()))
}

/// The first of `results/<base>`, `…-2`, `…-3`, … that does not exist or can be resumed.
pub(crate) fn first_usable(base: &str, mut is_resumable: impl FnMut(&Path) -> bool) -> PathBuf {
    let folder = Path::new("results");
    let candidates = std::iter::once(base.to_owned()).chain((2..).map(|number| format!("{base}-{number}")));
    candidates
        .map(|name| folder.join(name))
        .find(|path| !path.exists() || is_resumable(path))
        .unwrap_or_else(|| folder.join(base))
}

/// The last of the folders of this name that holds a run which nobody plays on.
pub fn last_stopped(name: &str) -> Option<PathBuf> {
    let mut last = None;
    first_usable(&dated(&plain_name(name)), |path| {
        if Ledger::exists(path) && !is_being_written(path) {
            last = Some(path.to_owned());
        }
        false
    });
    last
}

/// Makes the first of these that does not exist, so that of two runs at the same time each has one of its own.
pub fn claim(name: &str) -> io::Result<PathBuf> {
    loop {
        let folder = first_usable(&dated(&plain_name(name)), |_| false);
        fs::create_dir_all("results")?;
        match fs::create_dir(&folder) {
            // Another process may take an empty 'results' away.
            Err(error) if [io::ErrorKind::AlreadyExists, io::ErrorKind::NotFound].contains(&error.kind()) => {
            }
            made => return made.map(|()| folder),
        }
    }
}

pub(crate) fn plain_name(text: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '.' || c == '_' {
            c
        } else {
            '-'
        }
    };
    text.chars().map(plain).take(NAME_CHARS_MAX).collect()
}

/// A clock that shows no year of four digits names the last day of one.
fn day_of(time: SystemTime) -> String {
    let time = jiff::Timestamp::try_from(time).unwrap_or(jiff::Timestamp::MAX);
    time.strftime("%Y-%m-%d").to_string()
}

pub fn check_out(path: &Path, replaces: bool) -> Result<()> {
    if path.exists() && !replaces {
        let out = path.display();
        let message = format!("'{out}' exists; give another --out, or --force to replace it");
        return Err(ExperimentError::Input(message));
    }
    check_writable(path).map_err(ExperimentError::unwritable(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_clock_has_a_day() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (253_402_300_799, "9999-12-30"),
            (1 << 60, "9999-12-30"),
        ] {
            assert_eq!(day_of(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), day);
        }
    }

    #[test]
    fn a_name_is_made_of_what_every_file_system_takes() {
        assert_eq!(plain_name("base,null_move=off"), "base-null_move-off");
        assert_eq!(plain_name(&"x".repeat(100)).len(), NAME_CHARS_MAX);
    }

    #[test]
    fn a_default_folder_is_new_or_can_be_taken_up() {
        let name = "no-such-run";
        let first = first_usable(&dated(name), |_| false);
        assert!(first.starts_with("results") && first.to_string_lossy().ends_with(name));
        let day = first.file_name().unwrap().to_string_lossy()[..10].to_owned();
        assert!(day.parse::<jiff::civil::Date>().is_ok(), "{day}");
    }
}
