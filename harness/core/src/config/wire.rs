//! Files as the user writes them, before anything is checked but their shape.
//!
//! In: TOML text. Out: structs of optional keys, unknown keys refused. Must not: give a key a meaning.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::{Table, Value};

use super::declare::Keys;
use super::player_file::PlayerTables;
use super::{ConditionKeys, SeatKeys};

/// The commands that a file can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// `tanren match`.
    Match,
    /// `tanren tournament`.
    Tournament,
    /// `tanren tune`.
    Tune,
    /// `tanren odds`.
    Odds,
    /// `tanren ablate`.
    Ablate,
}

impl Command {
    fn name(self) -> &'static str {
        match self {
            Command::Match => "match",
            Command::Tournament => "tournament",
            Command::Tune => "tune",
            Command::Odds => "odds",
            Command::Ablate => "ablate",
        }
    }

    /// What a file of this text asks for; `None` if it does not say.
    ///
    /// # Errors
    /// Not TOML, or an unknown command.
    pub fn of(text: &str) -> Result<Option<Command>, toml::de::Error> {
        /// Other keys belong to the command.
        #[derive(Deserialize)]
        struct Head {
            command: Option<Command>,
        }
        Ok(toml::from_str::<Head>(text)?.command)
    }
}

/// A match as keys; each has the name of its command-line option, with `_` for `-`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MatchFile {
    /// What to do; nothing else than a match, if it is given.
    pub command: Option<Command>,
    /// `a` and `b`.
    pub players: [Option<String>; 2],
    /// What holds for both players.
    pub common: SeatKeys,
    /// `label_a`, `nodes_b` and so on.
    pub seats: [SeatKeys; 2],
    /// All that is no player's.
    pub conditions: ConditionKeys,
    /// `[player.NAME]`. Never written: the players are, in full.
    pub tables: PlayerTables,
}

const IDS: [&str; 2] = ["a", "b"];

impl KeyedFile for MatchFile {
    fn names() -> Vec<String> {
        let mut names: Vec<String> = ["command", "a", "b", "player"].map(str::to_owned).to_vec();
        for key in SeatKeys::TABLE {
            let of_player = IDS.map(|id| format!("{}_{id}", key.name));
            names.extend(
                (key.name != LABEL)
                    .then(|| key.name.to_owned())
                    .into_iter()
                    .chain(of_player),
            );
        }
        names.extend(ConditionKeys::TABLE.iter().map(|key| key.name.to_owned()));
        names
    }

    fn read_key<'de, D: Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), D::Error> {
        let of_player = name.rsplit_once('_').and_then(|(key, id)| {
            let index = IDS.iter().position(|known| *known == id)?;
            Some((key, index))
        });
        match (name, of_player) {
            ("command", _) => self.command = Some(Command::deserialize(value)?),
            ("a", _) => self.players[0] = Some(String::deserialize(value)?),
            ("b", _) => self.players[1] = Some(String::deserialize(value)?),
            ("player", _) => self.tables = PlayerTables::deserialize(value)?,
            (_, Some((key, index))) => self.seats[index].read(key, value)?,
            _ if is_in::<SeatKeys>(name) => self.common.read(name, value)?,
            _ => self.conditions.read(name, value)?,
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for MatchFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MatchFile, D::Error> {
        read_keys(deserializer)
    }
}

impl Serialize for MatchFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (first, rest) = parted(self.conditions.write(), &["name", "game"]);
        let mut table = Table::new();
        write_command(&mut table, self.command);
        write(&mut table, first);
        for (id, player) in IDS.into_iter().zip(&self.players) {
            write(
                &mut table,
                player.iter().map(|text| (id, Value::String(text.clone()))),
            );
        }
        let [a, b] = self.seats.each_ref().map(SeatKeys::write);
        for key in SeatKeys::TABLE {
            let all = [("", self.common.write()), ("_a", a.clone()), ("_b", b.clone())];
            for (of_player, given) in all {
                let given = given.into_iter().filter(|(name, _)| *name == key.name);
                write(
                    &mut table,
                    given.map(|(name, value)| (format!("{name}{of_player}"), value)),
                );
            }
        }
        write(&mut table, rest);
        table.serialize(serializer)
    }
}

/// What the keys of a seat call its name, where it is not a key of its own.
pub(super) const LABEL: &str = "label";

/// A file of known keys.
pub(super) trait KeyedFile: Default {
    /// All of them.
    fn names() -> Vec<String>;
    /// Takes the value of a key that is one of them.
    fn read_key<'de, D: Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), D::Error>;
}

/// Is there a key of this name?
pub(super) fn is_in<K: Keys>(name: &str) -> bool {
    K::TABLE.iter().any(|key| key.name == name)
}

/// Reads a table of which every key must be known.
pub(super) fn read_keys<'de, F: KeyedFile, D: Deserializer<'de>>(deserializer: D) -> Result<F, D::Error> {
    deserializer.deserialize_map(KeysVisitor(PhantomData))
}

struct KeysVisitor<F>(PhantomData<F>);

impl<'de, F: KeyedFile> Visitor<'de> for KeysVisitor<F> {
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<F, A::Error> {
        let (names, mut file) = (F::names(), F::default());
        while let Some(name) = map.next_key_seed(Name(&names))? {
            map.next_value_seed(OfKey(&mut file, &name))?;
        }
        Ok(file)
    }
}

/// A key, refused where it stands if it is unknown.
struct Name<'a>(&'a [String]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        let name = String::deserialize(deserializer)?;
        if self.0.contains(&name) {
            return Ok(name);
        }
        let known: Vec<String> = self.0.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("unknown field `{name}`, expected one of {}", known.join(", "));
        Err(D::Error::custom(message))
    }
}

struct OfKey<'a, F>(&'a mut F, &'a str);

impl<'de, F: KeyedFile> DeserializeSeed<'de> for OfKey<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.read_key(self.1, deserializer)
    }
}

/// Keys of a file with their values.
type Entries = Vec<(&'static str, Value)>;

/// Those of these names, in their order, and the others.
pub(super) fn parted(keys: Entries, first: &[&str]) -> (Entries, Entries) {
    let place = |name: &str| first.iter().position(|one| *one == name);
    let (mut head, rest): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(name, _)| place(name).is_some());
    head.sort_by_key(|(name, _)| place(name));
    (head, rest)
}

pub(super) fn write<N: Into<String>>(table: &mut Table, keys: impl IntoIterator<Item = (N, Value)>) {
    table.extend(keys.into_iter().map(|(name, value)| (name.into(), value)));
}

pub(super) fn write_command(table: &mut Table, command: Option<Command>) {
    write(
        table,
        command.map(|command| ("command", Value::String(command.name().to_owned()))),
    );
}
