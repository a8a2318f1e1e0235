//! Files that a user wrote: their keys, where each stands, and all that is wrong with them.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, Args, Command};
use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::mistake::{Mistake, Mistakes, Place};
use super::nearest::{nearest, with_suggestion};
use super::{ConfigError, Refusals};

/// No specification is longer; what is may have no end.
const BYTES_MAX: u64 = 1 << 24;

/// A table of a file, with the place of every key in it, by its path: `nodes`, `games.nodes_a`, `player.1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub table: Table,
    start: Location,
    locations: BTreeMap<String, Location>,
}

#[derive(Debug, Clone, PartialEq)]
struct Location {
    origin: Arc<str>,
    key: Place,
    value: Place,
}

impl Source {
    pub fn open(path: &Path) -> Result<Source, ConfigError> {
        Ok(Source::parse(&read_text(path)?, &path.display().to_string())?)
    }

    /// Takes the text of a file that messages call `origin`.
    pub fn parse(text: &str, origin: &str) -> Result<Source, Mistakes> {
        let (spanned, errors) = DeTable::parse_recoverable(text);
        let of = |error: &toml::de::Error| Mistake::of_toml(error, text, origin);
        Mistakes::check(errors.iter().map(of).collect())?;
        let table = toml::from_str(text).map_err(|error| Mistakes::from(of(&error)))?;
        let mut reader = Reader {
            text,
            origin: origin.into(),
            locations: BTreeMap::new(),
        };
        reader.add_table("", spanned.get_ref());
        Ok(Source {
            table,
            start: reader.location(0, 0),
            locations: reader.locations,
        })
    }

    /// The table at `path`, such as `games` or `job.2`.
    pub fn part(&self, path: &str) -> Option<Source> {
        let (first, rest) = path
            .split_once('.')
            .map_or((path, None), |(first, rest)| (first, Some(rest)));
        let value = self.table.get(first)?;
        let table = match rest {
            None => value.as_table()?,
            Some(number) => value.get(number.parse::<usize>().ok()?)?.as_table()?,
        };
        let locations = self.locations.iter().filter_map(|(key, location)| {
            let key = key.strip_prefix(path)?.strip_prefix('.')?;
            Some((key.to_owned(), location.clone()))
        });
        Some(Source {
            table: table.clone(),
            start: self.location(path).clone(),
            locations: locations.collect(),
        })
    }

    /// These keys, and before them those of `other` that are not among them.
    #[must_use]
    pub fn over(self, mut other: Source) -> Source {
        other.table.retain(|key, _| !self.table.contains_key(key));
        let is_own = |path: &String| {
            self.table
                .contains_key(path.split('.').next().unwrap_or_default())
        };
        other.locations.retain(|path, _| !is_own(path));
        other.table.extend(self.table);
        other.locations.extend(self.locations);
        Source {
            table: other.table,
            start: self.start,
            locations: other.locations,
        }
    }

    pub fn has(&self, path: &str) -> bool {
        self.locations.contains_key(path)
    }

    /// The place of the key of this path, of the nearest that it is in, or of the table.
    fn location(&self, path: &str) -> &Location {
        let mut path = path;
        loop {
            if let Some(location) = self.locations.get(path) {
                return location;
            }
            let Some((outer, _)) = path.rsplit_once('.') else {
                return &self.start;
            };
            path = outer;
        }
    }

    pub fn mistake(&self, path: &str, message: impl Into<String>) -> Mistake {
        let location = self.location(path);
        Mistake {
            origin: location.origin.to_string(),
            place: location.key,
            message: message.into(),
        }
    }

    /// As [`mistake`](Source::mistake), so many bytes behind where the value begins.
    pub fn mistake_in_value(&self, path: &str, offset: usize, message: impl Into<String>) -> Mistake {
        let mut mistake = self.mistake(path, message);
        mistake.place = self.location(path).value;
        mistake.place.column += offset;
        mistake
    }

    /// What `error` says, each part at its key.
    pub fn mistakes(&self, error: ConfigError) -> Vec<Mistake> {
        match error {
            ConfigError::Refused(refusals) => {
                let refusals = refusals.into_iter();
                refusals
                    .map(|refusal| self.mistake(&refusal.key, refusal.message))
                    .collect()
            }
            ConfigError::File(mistakes) => mistakes.into_vec(),
            other => vec![self.mistake("", other.to_string())],
        }
    }

    pub fn placed(&self, error: ConfigError) -> ConfigError {
        ConfigError::File(Mistakes::from(self.mistakes(error)))
    }

    /// The keys, each read alone, so that every one that cannot be is refused; keys that are no options are in `more`.
    pub fn read<K: Args + DeserializeOwned + Default>(&self, more: &[&str], wrong: &mut Refusals) -> K {
        let options = K::augment_args(Command::new(""));
        let mut known = Table::new();
        for (key, value) in &self.table {
            if more.contains(&key.as_str()) || options.get_arguments().any(|option| is_called(option, key)) {
                known.insert(key.clone(), value.clone());
            } else {
                wrong.push(key, unknown_key(key, &options, more));
            }
        }
        read_alone(&known, wrong, |key, value, error| {
            let mut options = options.get_arguments();
            match options.find(|option| is_called(option, key)) {
                Some(option) => format!("{key} is {value}, but must be {}", expected(option)),
                None => format!("{key}: {}", error.message()),
            }
        })
    }
}

/// The keys of `table`, each read alone; `explain` says what is wrong with one.
fn read_alone<K: DeserializeOwned + Default>(
    table: &Table,
    wrong: &mut Refusals,
    explain: impl Fn(&str, &Value, &toml::de::Error) -> String,
) -> K {
    let mut good = Table::new();
    for (key, value) in table {
        let alone = Table::from_iter([(key.clone(), value.clone())]);
        match alone.try_into::<K>() {
            Ok(_) => drop(good.insert(key.clone(), value.clone())),
            Err(error) => wrong.push(key, explain(key, value, &error)),
        }
    }
    good.try_into().unwrap_or_default()
}

/// A table of keys that refuses unknown ones itself.
pub fn read_table<K: DeserializeOwned + Default>(table: &Table, wrong: &mut Refusals) -> K {
    read_alone(table, wrong, |_, _, error| with_suggestion(error.message()))
}

fn is_called(option: &Arg, key: &str) -> bool {
    let aliases = option.get_all_aliases().unwrap_or_default();
    option.get_id() == key || aliases.contains(&key.replace('_', "-").as_str())
}

fn unknown_key(key: &str, options: &Command, more: &[&str]) -> String {
    let shown = options.get_arguments().map(|option| option.get_id().as_str());
    let mut names: Vec<&str> = shown.chain(more.iter().copied()).collect();
    names.sort_unstable();
    match nearest(key, names.iter().copied()) {
        Some(near) => format!("unknown key '{key}' (did you mean '{near}'?)"),
        None => format!("unknown key '{key}'; there are: {}", names.join(", ")),
    }
}

/// What an option takes, as TOML.
fn expected(option: &Arg) -> String {
    if !option.get_action().takes_values() {
        return "true or false".to_owned();
    }
    let parser = option.get_value_parser().type_id();
    let is = |types: &[TypeId]| types.iter().any(|of| parser == *of);
    let one = if is(&[TypeId::of::<String>(), TypeId::of::<PathBuf>()]) {
        "a text in quotes"
    } else if is(&[TypeId::of::<f64>()]) {
        "a number"
    } else if is(&[TypeId::of::<NonZero<u64>>(), TypeId::of::<NonZero<usize>>()]) {
        "a whole number of at least 1"
    } else {
        "a whole number of at least 0"
    };
    match option.get_action() {
        clap::ArgAction::Append => format!("{one}, or a list of them"),
        _ => one.to_owned(),
    }
}

pub fn read_text(path: &Path) -> Result<String, ConfigError> {
    let read = || {
        let mut text = String::new();
        let bytes = File::open(path)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
        if bytes as u64 > BYTES_MAX {
            let message = format!("it is longer than {BYTES_MAX} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(text)
    };
    read().map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

struct Reader<'a> {
    text: &'a str,
    origin: Arc<str>,
    locations: BTreeMap<String, Location>,
}

impl Reader<'_> {
    fn location(&self, key: usize, value: usize) -> Location {
        Location {
            origin: self.origin.clone(),
            key: Place::of(self.text, key),
            value: Place::of(self.text, value),
        }
    }

    fn add_table(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            self.add(format!("{prefix}{}", key.get_ref()), key.span().start, value);
        }
    }

    fn add(&mut self, path: String, key: usize, value: &Spanned<DeValue<'_>>) {
        let location = self.location(key, value.span().start);
        match value.get_ref() {
            DeValue::Table(table) => self.add_table(&format!("{path}."), table),
            DeValue::Array(array) => {
                for (number, element) in array.iter().enumerate() {
                    self.add(format!("{path}.{number}"), element.span().start, element);
                }
            }
            _ => {}
        }
        self.locations.insert(path, location);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::MatchKeys;

    #[test]
    fn every_key_that_cannot_be_read_is_told_at_its_place_and_the_others_are_read() {
        let text = "seed = -1\nnodez = 3\nrepeat = 1\na = [\"x\"]\nnodes_b = 7\n[player.x]\nname = 3\n";
        let source = Source::parse(text, "x.toml").unwrap();
        let mut wrong = Refusals::default();
        let keys: MatchKeys = source.read(&["player"], &mut wrong);
        assert_eq!(keys.of_b.keys.limit.nodes, Some(7));
        let told = Mistakes::from(source.mistakes(wrong.into())).to_string();
        assert_eq!(
            told.lines().collect::<Vec<_>>(),
            [
                "4 mistakes",
                "'x.toml', line 1, column 1: seed is -1, but must be a whole number of at least 0",
                "'x.toml', line 2, column 1: unknown key 'nodez' (did you mean 'nodes'?)",
                "'x.toml', line 3, column 1: repeat is 1, but must be true or false",
                "'x.toml', line 4, column 1: a is [\"x\"], but must be a text in quotes",
            ]
        );
    }

    #[test]
    fn tables_and_elements_have_places_and_what_has_none_is_where_its_table_is() {
        let text = "list = [1,\n 2]\n[[player]]\nc = 1\n[[player]]\n\"日\" = 5\n";
        let source = Source::parse(text, "x.toml").unwrap();
        let place = |path: &str| source.mistake(path, "").place;
        assert_eq!(place("list.1"), Place { line: 2, column: 2 });
        assert_eq!(place("player.1.日"), Place { line: 6, column: 1 });
        assert_eq!(place("player.1.none"), Place { line: 5, column: 1 });
        let part = source.part("player.1").unwrap();
        assert_eq!(part.mistake("日", "").place, Place { line: 6, column: 1 });
        let more = Source::parse("c = 2\nlist = 7\n", "y.toml").unwrap();
        let both = part.over(more);
        assert_eq!(both.mistake("c", "").to_string(), "'y.toml', line 1, column 1: ");
        assert_eq!(both.mistake("z", "").place, Place { line: 5, column: 1 });
    }

    #[test]
    fn a_file_that_is_no_toml_is_refused_with_every_place() {
        let refused = Source::parse("a = \nb = 1\nc = 'open\nd = 2\n", "x.toml")
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("line 1, column") && refused.contains("line 3, column"),
            "{refused}"
        );
    }
}
