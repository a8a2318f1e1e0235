//! Files that a user wrote: their keys, where each stands, and all that is wrong with them.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, Args, Command};
use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table};

use super::ConfigError;
use super::mistake::{Mistake, Mistakes, Place, SourceText};
use crate::platform::read_named;

/// No specification is longer; what is may have no end.
const BYTES_MAX: u64 = 1 << 24;
/// Those after the first ones mostly follow from them.
const SYNTAX_ERRORS_MAX: usize = 5;

/// A table of a file, with the place of every key in it, by its path: `nodes`, `nodes_a`, `player.1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub table: Table,
    start: Place,
    places: BTreeMap<String, KeyPlace>,
}

#[derive(Debug, Clone, PartialEq)]
struct KeyPlace {
    key: Place,
    value: Place,
}

impl Source {
    pub fn open(path: &Path) -> Result<Source, ConfigError> {
        Ok(Source::parse(&read_text(path)?, &path.display().to_string())?)
    }

    /// Takes the text of a file that messages call `origin`.
    pub fn parse(text: &str, origin: &str) -> Result<Source, Mistakes> {
        let source = Arc::new(SourceText {
            origin: origin.to_owned(),
            text: text.to_owned(),
        });
        let (spanned, errors) = DeTable::parse_recoverable(text);
        let of = |error: &toml::de::Error| of_toml(error, &source);
        if !errors.is_empty() {
            return Err(errors.iter().take(SYNTAX_ERRORS_MAX).map(of).collect());
        }
        let table = toml::from_str(text).map_err(|error| of(&error))?;
        let mut reader = Reader {
            source: &source,
            places: BTreeMap::new(),
        };
        reader.add_table("", spanned.get_ref());
        Ok(Source {
            table,
            start: reader.place(0..0),
            places: reader.places,
        })
    }

    /// Reads a file at once whose keys are all among `known`, and which nobody may see: its lines are never shown.
    pub fn read_secret<T: DeserializeOwned>(
        text: &str,
        origin: &str,
        known: &[&str],
    ) -> Result<T, ConfigError> {
        let read = || {
            let source = Source::parse(text, origin)?;
            let unknown = source.table.keys().filter(|key| !known.contains(&key.as_str()));
            let mut wrong = Mistakes::default();
            unknown.for_each(|key| wrong.unknown(key, known.iter().copied()));
            if !wrong.is_empty() {
                return Err(source.placed(wrong));
            }
            toml::from_str(text).map_err(|error| of_toml(&error, &source.start.source).into())
        };
        let unseen = |mistakes: Mistakes| {
            let messages = mistakes.iter().map(ToString::to_string);
            messages
                .map(|message| Mistake::new("", message))
                .collect::<Mistakes>()
        };
        Ok(read().map_err(unseen)?)
    }

    /// The table at `path`, such as `job.2` or `preset.stc`.
    pub fn part(&self, path: &str) -> Option<Source> {
        let (name, number) = path.split_once('.')?;
        let tables = self.table.get(name)?;
        let table = match number.parse::<usize>() {
            Ok(number) if tables.is_array() => tables.get(number)?,
            _ => tables.get(number)?,
        };
        let table = table.as_table()?;
        let places = self.places.iter().filter_map(|(key, place)| {
            let key = key.strip_prefix(path)?.strip_prefix('.')?;
            Some((key.to_owned(), place.clone()))
        });
        Some(Source {
            table: table.clone(),
            start: self.place(path, false).clone(),
            places: places.collect(),
        })
    }

    /// These keys, and before them those of `other` that are not among them.
    #[must_use]
    pub fn over(self, mut other: Source) -> Source {
        other.table.retain(|key, _| !self.table.contains_key(key));
        let is_own = |path: &String| {
            let name = path.split('.').next().unwrap_or_default();
            self.table.contains_key(name)
        };
        other.places.retain(|path, _| !is_own(path));
        other.table.extend(self.table);
        other.places.extend(self.places);
        Source {
            table: other.table,
            start: self.start,
            places: other.places,
        }
    }

    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// The place of the value at this path or of its key, of the nearest that it is in, or of the table.
    fn place(&self, path: &str, is_key: bool) -> &Place {
        let mut path = path;
        loop {
            if let Some(place) = self.places.get(path) {
                return if is_key { &place.key } else { &place.value };
            }
            let Some((outer, _)) = path.rsplit_once('.') else {
                return &self.start;
            };
            path = outer;
        }
    }

    /// At the value, or at the part of it that the message quotes, or at the option of its player's table that the message names.
    pub fn mistake(&self, path: &str, message: impl Into<String>) -> Mistake {
        let message = message.into();
        let place = self.place(path, false);
        let value = place.source.text.get(place.span.clone()).unwrap_or_default();
        let mut quoted = message
            .split('\'')
            .skip(1)
            .step_by(2)
            .filter(|part| !part.is_empty());
        let part = quoted.find_map(|part| {
            let start = place.span.start + value.find(part).filter(|_| part.len() + 2 < value.len())?;
            Some(start..start + part.len())
        });
        let is_player =
            ["a", "b", "base", "player", "config"].contains(&path.split('.').next().unwrap_or_default());
        if let Some(span) = part.filter(|_| is_player && self.places.contains_key(path)) {
            let source = place.source.clone();
            return Mistake {
                place: Some(Place { source, span }),
                ..Mistake::new(path, message)
            };
        }
        let table = format!("player.{}.options.", value.trim_matches(['"', '\'']));
        let named = message
            .split([' ', '\''])
            .find_map(|word| self.places.get(&format!("{table}{word}")));
        match named {
            Some(KeyPlace { value, .. }) => Mistake {
                place: Some(value.clone()),
                ..Mistake::new(path, message)
            },
            None => self.mistake_behind(path, 0, message),
        }
    }

    /// As [`mistake`](Source::mistake), so many bytes behind where the value begins.
    pub fn mistake_behind(&self, path: &str, offset: usize, message: impl Into<String>) -> Mistake {
        let mut place = self.place(path, false).clone();
        place.span.start = (place.span.start + offset).min(place.span.end);
        Mistake {
            place: Some(place),
            ..Mistake::new(path, message)
        }
    }

    /// What is `wrong`, each part at its key.
    pub fn placed(&self, wrong: Mistakes) -> Mistakes {
        let placed = wrong.into_iter().map(|mistake| {
            let own = || self.place(&mistake.key, mistake.is_key).clone();
            let place = mistake.place.clone().unwrap_or_else(own);
            Mistake {
                place: Some(place),
                ..mistake
            }
        });
        placed.collect()
    }

    /// The keys, each read alone, so that every one that cannot be is refused; keys that are no options are in `more`.
    pub fn read<K: Args + DeserializeOwned + Default>(&self, more: &[&str], wrong: &mut Mistakes) -> K {
        read_keys(&self.table, more, wrong)
    }
}

/// Does for any table what [`Source::read`] does for a file's.
pub(super) fn read_keys<K: Args + DeserializeOwned + Default>(
    table: &Table,
    more: &[&str],
    wrong: &mut Mistakes,
) -> K {
    let options = K::augment_args(Command::new(""));
    let mut good = Table::new();
    for (key, value) in table {
        let option = options.get_arguments().find(|option| is_called(option, key));
        if option.is_none() && !more.contains(&key.as_str()) {
            let names = options.get_arguments().map(|option| option.get_id().as_str());
            wrong.unknown(key, names.chain(more.iter().copied()));
            continue;
        }
        let alone = Table::from_iter([(key.clone(), value.clone())]);
        match (alone.try_into::<K>(), option) {
            (Ok(_), _) => drop(good.insert(key.clone(), value.clone())),
            (Err(_), Some(option)) => {
                let expected = expected(option);
                wrong.push(key, format!("{key} is {value}, but must be {expected}"));
            }
            (Err(error), None) => wrong.push(key, format!("{key}: {}", error.message())),
        }
    }
    good.try_into().unwrap_or_default()
}

fn of_toml(error: &toml::de::Error, source: &Arc<SourceText>) -> Mistake {
    Mistake {
        place: Some(Place {
            source: source.clone(),
            span: error.span().unwrap_or(0..0),
        }),
        ..Mistake::new(
            "",
            format!("this is not valid TOML: {}", error.message().trim_end()),
        )
    }
}

fn is_called(option: &Arg, key: &str) -> bool {
    let aliases = option.get_all_aliases().unwrap_or_default();
    option.get_id() == key || aliases.contains(&key.replace('_', "-").as_str())
}

/// What an option takes, as TOML.
fn expected(option: &Arg) -> String {
    let parser = option.get_value_parser().type_id();
    let is = |types: &[TypeId]| types.iter().any(|of| parser == *of);
    if !option.get_action().takes_values() || is(&[TypeId::of::<bool>()]) {
        return "true or false".to_owned();
    }
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
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8");
    let read = read_named(path, BYTES_MAX).and_then(|bytes| String::from_utf8(bytes).map_err(no_text));
    read.map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

struct Reader<'a> {
    source: &'a Arc<SourceText>,
    places: BTreeMap<String, KeyPlace>,
}

impl Reader<'_> {
    fn place(&self, span: Range<usize>) -> Place {
        Place {
            source: self.source.clone(),
            span,
        }
    }

    fn add_table(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            self.add(format!("{prefix}{}", key.get_ref()), key.span(), value);
        }
    }

    fn add(&mut self, path: String, key: Range<usize>, value: &Spanned<DeValue<'_>>) {
        let place = KeyPlace {
            key: self.place(key),
            value: self.place(value.span()),
        };
        match value.get_ref() {
            DeValue::Table(table) => self.add_table(&format!("{path}."), table),
            DeValue::Array(array) => {
                for (number, element) in array.iter().enumerate() {
                    self.add(format!("{path}.{number}"), element.span(), element);
                }
            }
            _ => {}
        }
        self.places.insert(path, place);
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
        let mut wrong = Mistakes::default();
        let keys: MatchKeys = source.read(&["player"], &mut wrong);
        assert_eq!(keys.of_b.keys.limit.nodes, Some(7));
        let told = source.placed(wrong).to_string();
        assert_eq!(
            told.lines().collect::<Vec<_>>(),
            [
                "4 mistakes",
                "'x.toml', line 1, column 8: seed is -1, but must be a whole number of at least 0",
                "'x.toml', line 2, column 1: unknown key 'nodez' (did you mean 'nodes'?)",
                "'x.toml', line 3, column 10: repeat is 1, but must be true or false",
                "'x.toml', line 4, column 5: a is [\"x\"], but must be a text in quotes",
            ]
        );
    }

    #[test]
    fn tables_and_elements_have_places_and_what_has_none_is_where_its_table_is() {
        let text = "list = [1,\n 2]\n[[player]]\nc = 1\n[[player]]\n\"日\" = 5\n";
        let source = Source::parse(text, "x.toml").unwrap();
        let place = |path: &str| source.mistake(path, "").to_string();
        assert_eq!(place("list.1"), "'x.toml', line 2, column 2: ");
        assert_eq!(place("player.1.日"), "'x.toml', line 6, column 7: ");
        assert_eq!(place("player.1.none"), "'x.toml', line 5, column 1: ");
        let part = source.part("player.1").unwrap();
        assert_eq!(part.mistake("日", "").to_string(), "'x.toml', line 6, column 7: ");
        let more = Source::parse("c = 2\nlist = 7\n", "y.toml").unwrap();
        let both = part.over(more);
        let told = [
            both.mistake("z", ""),
            both.mistake("c", ""),
            both.mistake("z", ""),
        ];
        let told = Mistakes::from_iter(told).sorted();
        assert_eq!(
            told.to_string(),
            "2 mistakes\n'x.toml', line 5, column 1: \n'y.toml', line 1, column 5: "
        );
    }

    #[test]
    fn a_part_of_a_value_and_an_option_of_a_player_have_places() {
        let text = "a = \"usi:x,option.Hash=big\"\nb = \"mine\"\n[player.mine.options]\nThread = 1\n";
        let source = Source::parse(text, "x.toml").unwrap();
        for (path, message, expected) in [
            (
                "a",
                "option Hash is 'big', but the engine takes a number",
                "line 1, column 24",
            ),
            ("b", "the engine has no option 'Thread'", "line 4, column 10"),
            ("b", "it is 'mine'", "line 2, column 5"),
        ] {
            let place = source.mistake(path, message).to_string();
            assert!(place.contains(expected), "{place}");
        }
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
        let many = Source::parse(&"a = \n".repeat(500), "x.toml").unwrap_err();
        assert_eq!(many.into_iter().count(), SYNTAX_ERRORS_MAX);
    }
}
