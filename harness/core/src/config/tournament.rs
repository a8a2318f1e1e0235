//! The specification of a tournament: conditions, and a seat for each player.

use std::path::Path;

use clap::Args;
use serde::Deserialize;
use tanren_engine::game::Game;
use toml::{Table, Value};

use super::conditions::{Digests, has_clock};
use super::limit::NODES_DEFAULT;
use super::player::check_label;
use super::player_file::PlayerTables;
use super::seat::WrittenSeat;
use super::source::read_keys;
use super::{
    Conditions, ConfigError, Growth, Identity, LimitKeys, Mistakes, MoveLimit, Seat, SeatKeys, TournamentKeys,
};

const PAIRS_DEFAULT: u64 = 50;
const PLAYERS_MAX: usize = 1_000;
/// Beyond it a rating tells nothing, and sums with it lose the differences.
const ANCHOR_ELO_MAX: f64 = 100_000.0;

/// One player as a table. A limit of its own replaces the common one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[serde(default)]
struct PlayerTable {
    #[arg(long)]
    name: Option<String>,
    #[arg(long)]
    player: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    limit: LimitKeys,
}

impl PlayerTable {
    /// A specification, or a table `{ name = "…", player = "…", nodes = … }`.
    fn parse(text: &str, wrong: &mut Mistakes) -> PlayerTable {
        if !text.trim_start().starts_with('{') {
            return PlayerTable {
                player: Some(text.to_owned()),
                ..PlayerTable::default()
            };
        }
        let table = format!("player = {text}").parse::<Table>().ok();
        match table.as_ref().and_then(|table| table["player"].as_table()) {
            Some(table) => read_keys(table, &[], wrong),
            None => {
                let message = format!("player {text} is no table such as {{ name = \"half\", nodes = 500 }}");
                wrong.push("", message);
                PlayerTable::default()
            }
        }
    }
}

/// A tournament that can be played, apart from its openings.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentSpec {
    pub conditions: Conditions,
    pub seats: Vec<Seat>,
    pub labels: Vec<String>,
    /// Who meets whom, by number; the first of each sits at A's place.
    pub pairings: Vec<[u16; 2]>,
    /// How many seeds meet all others; `None` is a round robin.
    pub gauntlet: Option<usize>,
    /// Does a pairing stop when its order is known?
    pub is_adaptive: bool,
    /// A player by its index, and its rating, relative to which the others are rated. It decides no result.
    pub anchor: Option<(usize, f64)>,
    /// When players were added.
    pub grown: Vec<Growth>,
}

impl TournamentSpec {
    pub fn from_keys(keys: &TournamentKeys) -> Result<TournamentSpec, ConfigError> {
        let mut wrong = Mistakes::default();
        let players = keys.player.len();
        wrong.unless((2..=PLAYERS_MAX).contains(&players), "player", || {
            format!("a tournament has from 2 to {PLAYERS_MAX} players, but there are {players}: give each with --player")
        });
        let mut conditions = {
            let tables = keys.player.iter();
            let tables = tables.map(|text| PlayerTable::parse(text, &mut Mistakes::default()));
            let players: Vec<String> = tables.filter_map(|table| table.player).collect();
            let players: Vec<&String> = players.iter().collect();
            Conditions::from_keys(&keys.games, &keys.length, &keys.timeouts, &players, &mut wrong)
        };
        conditions.pairs.get_or_insert(PAIRS_DEFAULT);
        let common = keys.limit.limit(None, "", &mut wrong);
        let common = common.unwrap_or(MoveLimit::Nodes(NODES_DEFAULT));
        let (seats, labels) = seats_of(keys, conditions.game, common, &mut wrong);
        let numbers: Vec<String> = (1..=players).map(|number| number.to_string()).collect();
        let named = numbers.iter().zip(&seats).enumerate();
        let named: Vec<(String, &str, &Seat)> = named
            .map(|(index, (number, seat))| (format!("player.{index}"), number.as_str(), seat))
            .collect();
        conditions.check_seats(&keys.games.clock, &named, &mut wrong);
        let gauntlet = gauntlet_of(keys, &mut wrong);
        let anchor = keys
            .anchor
            .as_ref()
            .and_then(|text| wrong.take("anchor", anchor_of(text, &labels)));
        let grown = grown_of(keys, gauntlet, conditions.pairs, &mut wrong);
        wrong.unless(!keys.adaptive || conditions.sprt.is_none(), "sprt", || {
            "an adaptive tournament stops pairings by itself: leave out sprt, or adaptive".to_owned()
        });
        wrong.unless(!keys.adaptive || grown.is_empty(), "adaptive", || {
            "players cannot be added to an adaptive tournament: leave out adaptive, or grown".to_owned()
        });
        wrong.check()?;
        Ok(TournamentSpec {
            is_adaptive: keys.adaptive,
            anchor,
            grown,
            conditions,
            seats,
            labels,
            pairings: pairings(players, gauntlet),
            gauntlet,
        })
    }

    /// The keys that give this specification again from `folder`, every default written out.
    pub fn table(&self, folder: &Path) -> Table {
        let conditions = self.conditions.table(folder, has_clock(&self.seats));
        let of = |names: &[&str]| {
            let named = conditions.iter().filter(|(key, _)| names.contains(&key.as_str()));
            named
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect::<Vec<_>>()
        };
        let mut table = Table::new();
        table.insert("command".to_owned(), "tournament".into());
        table.extend(of(&["name", "game"]));
        table.insert("format".to_owned(), self.format().into());
        if let Some(seeds) = self.gauntlet {
            table.insert("gauntlet".to_owned(), Value::Integer(seeds as i64));
        }
        if self.is_adaptive {
            table.insert("adaptive".to_owned(), true.into());
        }
        if let Some((player, elo)) = self.anchor {
            table.insert(
                "anchor".to_owned(),
                format!("{}={elo}", self.labels[player]).into(),
            );
        }
        table.extend(of(&["pairs"]));
        if !self.grown.is_empty() {
            let growth = |growth: &Growth| {
                let numbers = [i64::from(growth.players), growth.pair as i64];
                Value::Array(numbers.map(Value::Integer).to_vec())
            };
            let grown = self.grown.iter().map(growth).collect();
            table.insert("grown".to_owned(), Value::Array(grown));
        }
        for (key, value) in conditions {
            table.entry(key).or_insert(value);
        }
        let players = self.labels.iter().zip(&self.seats).map(|(label, seat)| {
            let mut player = Table::new();
            player.insert("name".to_owned(), label.clone().into());
            player.insert("player".to_owned(), seat.player.text().into());
            player.extend(seat.limit.entries().map(|(key, value)| (key.to_owned(), value)));
            Value::Table(player)
        });
        table.insert("player".to_owned(), Value::Array(players.collect()));
        table
    }

    /// Everything that decides the results, given the openings' hash, the pairs of each pairing and the engine's
    /// signature.
    pub fn identity(&self, openings_sha256: &str, pairs: u64, engine: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("game", self.conditions.game.name());
        let digests = Digests {
            openings_sha256,
            pairs,
            engine,
        };
        self.conditions
            .identify(&mut identity, &digests, has_clock(&self.seats));
        identity.push("format", self.format());
        identity.push("gauntlet", self.gauntlet.unwrap_or(0));
        for Growth { players, pair } in &self.grown {
            identity.push(&format!("players before pair {}", pair + 1), players);
        }
        if self.is_adaptive {
            identity.push("adaptive", true);
        }
        for (number, (label, seat)) in (1..).zip(self.labels.iter().zip(&self.seats)) {
            identity.push(
                &format!("player {number}"),
                format_args!("{label}: {}", seat.player.canonical()),
            );
            identity.push(&format!("limit {number}"), seat.limit);
        }
        identity
    }

    /// The same of its first players, as it was before the others were added.
    #[must_use]
    pub fn first(&self, players: usize) -> TournamentSpec {
        let mut first = self.clone();
        first.seats.truncate(players);
        first.labels.truncate(players);
        first.anchor = None;
        first.pairings = pairings(players, self.gauntlet);
        first
    }

    /// The first two players that can do nothing but the same, given the same position.
    pub fn mirror(&self) -> Option<[&str; 2]> {
        let seat = |player: &u16| &self.seats[usize::from(*player)];
        let is_mirror = |[a, b]: &&[u16; 2]| self.conditions.are_mirror([seat(a), seat(b)]);
        let found = self.pairings.iter().find(is_mirror)?;
        Some(found.map(|player| self.labels[usize::from(player)].as_str()))
    }

    fn format(&self) -> &'static str {
        if self.gauntlet.is_some() {
            "gauntlet"
        } else {
            "round-robin"
        }
    }
}

fn anchor_of(text: &str, labels: &[String]) -> Result<(usize, f64), String> {
    let refuse = |message: String| format!("anchor '{text}' {message}");
    let of_form = || refuse("is not of the form PLAYER=ELO".to_owned());
    let (label, elo) = text.rsplit_once('=').ok_or_else(of_form)?;
    let elo: f64 = elo.trim().parse().map_err(|_| of_form())?;
    if !elo.is_finite() {
        return Err(of_form());
    }
    if elo.abs() > ANCHOR_ELO_MAX {
        return Err(refuse(format!("must be within ±{ANCHOR_ELO_MAX} Elo")));
    }
    let player = labels.iter().position(|known| known == label.trim());
    let player =
        player.ok_or_else(|| refuse(format!("names no player; there are: {}", labels.join("; "))))?;
    Ok((player, elo))
}

fn grown_of(
    keys: &TournamentKeys,
    gauntlet: Option<usize>,
    rounds: Option<u64>,
    wrong: &mut Mistakes,
) -> Vec<Growth> {
    let grown: Vec<Growth> = keys
        .grown
        .iter()
        .map(|&[players, pair]| Growth {
            players: u16::try_from(players).unwrap_or(u16::MAX),
            pair,
        })
        .collect();
    let is_growing = |two: &[Growth]| two[0].players < two[1].players && two[0].pair <= two[1].pair;
    let is_before = |growth: &Growth| usize::from(growth.players) < keys.player.len() && growth.players > 1;
    let is_right = grown.iter().all(is_before) && grown.windows(2).all(is_growing);
    wrong.unless(is_right, "grown", || {
        "grown says how the tournament grew, [PLAYERS, PAIRS] before each step: both grow, up to fewer than all players".to_owned()
    });
    let Some(rounds) = rounds.filter(|_| is_right) else {
        return grown;
    };
    for &Growth { players, pair } in &grown {
        let pairs = rounds.saturating_mul(pairings(usize::from(players), gauntlet).len() as u64);
        wrong.unless(pair <= pairs, "grown", || {
            format!("grown says that players came after {pair} pairs, but the {players} before them play {pairs} pairs at most")
        });
    }
    grown
}

/// The players in order, and their names.
fn seats_of(
    keys: &TournamentKeys,
    game: Game,
    common: MoveLimit,
    wrong: &mut Mistakes,
) -> (Vec<Seat>, Vec<String>) {
    let (mut seats, mut labels): (Vec<Seat>, Vec<String>) = Default::default();
    for (index, text) in keys.player.iter().enumerate() {
        let mut inner = Mistakes::default();
        let table = PlayerTable::parse(text, &mut inner);
        let number = (index + 1).to_string();
        let own = SeatKeys {
            label: table.name,
            limit: table.limit,
        };
        let written = WrittenSeat {
            player: &number,
            key: "player",
            text: table.player.as_deref().unwrap_or("base"),
            own: &own,
            suffix: "",
        };
        let (seat, label) = written.read(game, common, &PlayerTables::new(), &mut inner);
        let label = label.unwrap_or_else(|| seat.player.label.clone());
        inner.take("name", check_label(&number, &label));
        // What is wrong with the player may be its name.
        let other = labels.iter().position(|other| *other == label);
        if let Some(other) = other.filter(|_| inner.is_empty()) {
            inner.push("name", format!(
                "players {} and {number} are both called '{label}': give one of them another name, as in name=other",
                other + 1
            ));
        }
        wrong.extend_at(&format!("player.{index}."), inner);
        labels.push(label);
        seats.push(Seat {
            player: seat.player.named_by_text(),
            ..seat
        });
    }
    (seats, labels)
}

fn gauntlet_of(keys: &TournamentKeys, wrong: &mut Mistakes) -> Option<usize> {
    let seeds = match (keys.format.as_deref(), keys.gauntlet) {
        (None | Some("round-robin"), None) => return None,
        (Some("gauntlet"), None) => 1,
        (None | Some("gauntlet"), Some(seeds)) => seeds,
        (Some("round-robin"), Some(_)) => {
            let message = "format is round-robin, but gauntlet gives a number of seeds: leave one out";
            wrong.push("gauntlet", message);
            return None;
        }
        (Some(other), _) => {
            wrong.push(
                "format",
                format!("unknown format '{other}' (formats: round-robin, gauntlet)"),
            );
            return None;
        }
    };
    let most = keys.player.len().saturating_sub(1);
    wrong.unless((1..=most).contains(&seeds), "gauntlet", || {
        format!("gauntlet is {seeds}, but must be from 1 to {most}, one less than the players")
    });
    Some(seeds)
}

/// Everyone against everyone, or each seed against everyone who is none.
fn pairings(players: usize, gauntlet: Option<usize>) -> Vec<[u16; 2]> {
    let seeds = gauntlet.unwrap_or(players);
    let opponents = |seed: usize| gauntlet.unwrap_or(seed + 1)..players;
    (0..seeds)
        .flat_map(|seed| opponents(seed).map(move |other| [seed as u16, other as u16]))
        .collect()
}
