//! The validated specification of a match.

use std::path::Path;

use toml::{Table, Value};

use super::conditions::{Digests, has_clock};
use super::limit::{LIMITS, NODES_DEFAULT};
use super::player::check_label;
use super::player_file::{PlayerFile, PlayerTables};
use super::seat::WrittenSeat;
use super::source::Source;
use super::{
    Conditions, ConfigError, Identity, LimitKeys, MatchKeys, Mistakes, MoveLimit, Seat, SeatKeys, parse_sprt,
};

/// Pairs of a match without `pairs` and `sprt`.
const PAIRS_DEFAULT: u64 = 200;
/// The demonstration: a technique whose worth a test shows in some seconds.
const DEMO_B: &str = "base,quiescence_see=off";
const DEMO_NODES: u64 = 400;
const DEMO_SPRT: &str = "elo0=0,elo1=40,alpha=0.05,beta=0.05,model=normalized";
const DEMO_PAIRS: u64 = 800;
/// A and B, as keys, messages and identities call them.
const IDS: [&str; 2] = ["a", "b"];

/// A match that can be played, apart from its openings.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchSpec {
    pub conditions: Conditions,
    pub seats: [Seat; 2],
}

impl MatchKeys {
    /// Takes the text of a file that messages call `origin`.
    pub fn parse(text: &str, origin: &str) -> Result<MatchKeys, ConfigError> {
        let source = Source::parse(text, origin)?;
        let mut wrong = Mistakes::default();
        let keys = source.read(&["command", "player"], &mut wrong);
        source.placed(wrong).check()?;
        Ok(keys)
    }

    /// The games of a player, `base` if none is given, against itself.
    pub fn mirror(player: Option<&str>, label: Option<&String>, limit: &LimitKeys) -> MatchKeys {
        let player = player.unwrap_or("base").to_owned();
        let seat = SeatKeys {
            label: label.cloned(),
            ..SeatKeys::default()
        };
        MatchKeys {
            a: Some(player.clone()),
            b: Some(player),
            limit: limit.clone(),
            of_a: seat.clone().into(),
            of_b: seat.into(),
            ..MatchKeys::default()
        }
    }

    fn tables(&self, wrong: &mut Mistakes) -> PlayerTables {
        let read = |(name, value): (&String, &Value)| {
            let mut inner = Mistakes::default();
            let file = match value {
                Value::Table(table) => PlayerFile::read(table, &mut inner),
                other => {
                    inner.push("", format!("player.{name} is {other}, but must be a table"));
                    PlayerFile::default()
                }
            };
            wrong.extend_at(&format!("player.{name}."), inner);
            (name.clone(), file)
        };
        self.player.iter().map(read).collect()
    }
}

impl MatchSpec {
    pub fn from_keys(keys: &MatchKeys) -> Result<MatchSpec, ConfigError> {
        let mut wrong = Mistakes::default();
        let mut spec = MatchSpec::checked(keys, &mut wrong);
        wrong.check()?;
        spec.name_by_limits(keys);
        Ok(spec)
    }

    /// One engine under two limits has two names.
    fn name_by_limits(&mut self, keys: &MatchKeys) {
        let common = keys.limit.limit(None, "", &mut Mistakes::default());
        let [a, b] = &mut self.seats;
        if a.player != b.player || a.limit == b.limit {
            return;
        }
        for (seat, own) in [(a, &keys.of_a.keys), (b, &keys.of_b.keys)] {
            if own.label.is_none() && Some(seat.limit) != common {
                seat.player.label += &format!(",{}", seat.limit.text());
            }
        }
    }

    /// As [`from_keys`](MatchSpec::from_keys); what was refused is the default.
    pub fn checked(keys: &MatchKeys, wrong: &mut Mistakes) -> MatchSpec {
        let players: Vec<&String> = keys.a.iter().chain(&keys.b).collect();
        let mut conditions =
            Conditions::from_keys(&keys.games, &keys.length, &keys.timeouts, &players, wrong);
        conditions.rules.single_games = keys.single_games;
        let names_no_player = keys.a.is_none() && keys.b.is_none();
        if names_no_player && keys.length.pairs.is_none() && keys.length.sprt.is_none() {
            conditions.sprt = parse_sprt(DEMO_SPRT).ok();
            conditions.pairs = Some(DEMO_PAIRS);
        }
        if conditions.sprt.is_none() {
            conditions.pairs.get_or_insert(PAIRS_DEFAULT);
        }
        let tables = keys.tables(wrong);
        let default = MoveLimit::Nodes(if names_no_player {
            DEMO_NODES
        } else {
            NODES_DEFAULT
        });
        let common = keys.limit.limit(None, "", wrong).unwrap_or(default);
        let mut seat = |index: usize, text: Option<&String>, default: &str, own: &SeatKeys| {
            let (player, suffix) = (IDS[index], ["_a", "_b"][index]);
            let written = WrittenSeat {
                player,
                key: player,
                text: text.map_or(default, String::as_str),
                own,
                suffix,
            };
            let (mut seat, label) = written.read(conditions.game, common, &tables, wrong);
            if let Some(label) = label {
                let of_key = format!("label{suffix}");
                let key = if own.label.is_some() { &of_key } else { player };
                wrong.take(key, check_label(player, &label));
                seat.player.label = label;
            }
            seat
        };
        let default_b = if names_no_player { DEMO_B } else { "base" };
        let seats = [
            seat(0, keys.a.as_ref(), "base", &keys.of_a.keys),
            seat(1, keys.b.as_ref(), default_b, &keys.of_b.keys),
        ];
        let named = [0, 1].map(|index| (IDS[index].to_owned(), IDS[index], &seats[index]));
        conditions.check_seats(&keys.games.clock, &named, wrong);
        MatchSpec { conditions, seats }
    }

    pub fn has_clock(&self) -> bool {
        has_clock(&self.seats)
    }

    /// The keys that give this specification again from `folder`, every default written out.
    pub fn table(&self, folder: &Path) -> Table {
        let conditions = self.conditions.table(folder, self.has_clock());
        let (first, rest): (Vec<_>, Vec<_>) = conditions
            .into_iter()
            .partition(|(key, _)| ["name", "game"].contains(&key.as_str()));
        let mut table = Table::new();
        table.insert("command".to_owned(), "match".into());
        table.extend(first);
        for (id, seat) in IDS.into_iter().zip(&self.seats) {
            table.insert(id.to_owned(), seat.player.text().into());
        }
        let keys = self.seats.each_ref().map(Seat::entries);
        for name in ["label", "nodes", "depth", "movetime", "tc", "byoyomi"] {
            for (id, keys) in IDS.into_iter().zip(&keys) {
                let of_name = keys.iter().filter(|(key, _)| *key == name);
                table.extend(of_name.map(|(_, value)| (format!("{name}_{id}"), value.clone())));
            }
        }
        table.extend(rest);
        table
    }

    /// As [`table`](MatchSpec::table), for a file in which A's limit is that of both; and who plays is the one player of `of_one`, if
    /// that is given.
    pub fn table_of_both(&self, command: &str, of_one: Option<&str>, folder: &Path) -> Table {
        let mut table = self.table(folder);
        table.insert("command".to_owned(), command.into());
        if let Some(player) = of_one {
            table.remove("b");
            let text = table.remove("a");
            table.extend(text.map(|text| (player.to_owned(), text)));
        }
        for name in of_one.map(|_| "label").into_iter().chain(LIMITS) {
            table.remove(&format!("{name}_b"));
            if let Some(value) = table.remove(&format!("{name}_a")) {
                table.insert(name.to_owned(), value);
            }
        }
        table
    }

    /// Everything that decides the results, given the openings' hash, the number of pairs and the engine's signature.
    pub fn identity(&self, openings_sha256: &str, pairs: u64, engine: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("game", self.conditions.game.name());
        for (id, seat) in IDS.into_iter().zip(&self.seats) {
            identity.push(id, seat.player.canonical());
        }
        for (id, seat) in IDS.into_iter().zip(&self.seats) {
            identity.push(&format!("limit {id}"), seat.limit);
        }
        let digests = Digests {
            openings_sha256,
            pairs,
            engine,
        };
        self.conditions
            .identify(&mut identity, &digests, self.has_clock());
        identity
    }

    /// Can A and B, given the same position, do nothing but the same?
    pub fn is_mirror(&self) -> bool {
        self.conditions.are_mirror(self.seats.each_ref())
    }
}
