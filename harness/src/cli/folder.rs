//! Where results go when the user does not say.
//!
//! In: a specification and its identity. Out: a folder's path. Must not: make the folder.
//!
//! The default is `results/<date>-<name>`. If that folder holds a run that this specification continues (or has
//! finished), it is taken; if it holds another, `-2`, `-3`, … is tried in turn. So a command given twice resumes or
//! shows its result, and two different commands never meet.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::config::{Identity, MatchSpec};
use crate::ledger::Ledger;

const NAME_CHARS_MAX: usize = 60;
const SECONDS_PER_DAY: u64 = 86_400;

/// `out`, or the default folder for `spec`.
pub(super) fn choose(out: Option<&Path>, spec: &MatchSpec, identity: &Identity) -> PathBuf {
    if let Some(out) = out {
        return out.to_owned();
    }
    let name = spec.name.clone().unwrap_or_else(|| default_name(spec));
    first_usable(&name, |path| Ledger::is_resumable(path, identity))
}

/// The first of `results/<date>-<name>`, `…-2`, `…-3`, … that does not exist or can be taken up.
pub(super) fn first_usable(name: &str, is_resumable: impl Fn(&Path) -> bool) -> PathBuf {
    let base = format!("{}-{name}", today());
    let folder = Path::new("results");
    let candidates = std::iter::once(base.clone()).chain((2..).map(|number| format!("{base}-{number}")));
    candidates
        .map(|name| folder.join(name))
        .find(|path| !path.exists() || is_resumable(path))
        .unwrap_or_else(|| folder.join(base))
}

/// Set while a queue runs: to go on with a job is to go on with its queue.
static QUEUE_FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// From now on the folder of this process is that of a queue, whichever job runs.
pub(super) fn set_queue_folder(folder: &Path) {
    // A process runs one queue.
    let _ = QUEUE_FOLDER.set(folder.to_owned());
}

/// The command line of this process, with the folder added if it was not given.
pub(super) fn resume_command(folder: &Path) -> String {
    let mut words: Vec<String> = env::args().collect();
    let folder = QUEUE_FOLDER.get().map_or(folder, PathBuf::as_path);
    let is_out = |word: &String| word == "--out" || word.starts_with("--out=");
    // A list of files finds its folders by itself.
    let is_list = words.iter().filter(|word| word.ends_with(".toml")).count() > 1;
    if !is_list && !words.iter().any(is_out) {
        words.push("--out".to_owned());
        words.push(folder.to_string_lossy().into_owned());
    }
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// `word` as a shell reads it as one word.
pub(super) fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=,./:@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // Only a NUL, which no argument has, cannot be quoted.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

fn default_name(spec: &MatchSpec) -> String {
    let [a, b] = spec.players.each_ref().map(|player| player.label.as_str());
    plain_name(&format!("{a}-vs-{b}"))
}

/// `text` as part of a folder's name.
pub(super) fn plain_name(text: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '.' || c == '_' {
            c
        } else {
            '-'
        }
    };
    text.chars().map(plain).take(NAME_CHARS_MAX).collect()
}

/// The date in UTC, `YYYY-MM-DD`.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil(since.as_secs() / SECONDS_PER_DAY);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms":
/// years begin in March, so that a leap day is the last of its year).
fn civil(days_since_1970: u64) -> (u64, u64, u64) {
    let days = days_since_1970 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_454), (2026, 1, 1));
        assert_eq!(civil(20_453), (2025, 12, 31));
    }

    #[test]
    fn a_word_with_special_characters_is_quoted_for_a_shell() {
        assert_eq!(quote("base,null_move=off"), "base,null_move=off");
        assert_eq!(quote("my dir"), "'my dir'");
        assert_eq!(quote("it's"), "\"it's\"");
    }
}
