//! The specification of a tournament: conditions, and a seat for each player.

use std::path::Path;

use clap::Args;
use serde::Deserialize;
use toml::{Table, Value};

use super::conditions::{Digests, has_clock};
use super::limit::{NODES_DEFAULT, Owner};
use super::player::check_label;
use super::player_file::PlayerTables;
use super::seat::{SeatPlace, seat};
use super::source::read_keys;
use super::{
    Conditions, ConfigError, Identity, LimitKeys, MoveLimit, Mistakes, Seat, SeatKeys, TournamentKeys,
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
    /// A player by its index, and its rating, relative to which the others are rated. It decides no result.
    pub anchor: Option<(usize, f64)>,
}

impl TournamentSpec {
    pub fn from_keys(keys: &TournamentKeys) -> Result<TournamentSpec, ConfigError> {
        let mut wrong = Mistakes::default();
        let players = keys.player.len();
        wrong.unless((2..=PLAYERS_MAX).contains(&players), "player", || {
            format!("a tournament has from 2 to {PLAYERS_MAX} players, but there are {players}: give each with --player")
        });
        let mut conditions = Conditions::from_keys(&keys.games, &keys.length, &keys.timeouts, &mut wrong);
        conditions.pairs.get_or_insert(PAIRS_DEFAULT);
        let common = keys.limit.limit(&Owner::default(), &mut wrong);
        let common = common.unwrap_or(MoveLimit::Nodes(NODES_DEFAULT));
        let mut labels: Vec<String> = Vec::with_capacity(players);
        let mut seats = Vec::with_capacity(players);
        for (index, text) in keys.player.iter().enumerate() {
            let mut inner = Mistakes::default();
            let table = PlayerTable::parse(text, &mut inner);
            let number = (index + 1).to_string();
            let place = SeatPlace {
                player: &number,
                key: "player",
                owner: Owner {
                    player: Some(&number),
                    ..Owner::default()
                },
            };
            let spec = table.player.as_deref().unwrap_or("base");
            let (seat, label) = seat(
                conditions.game,
                spec,
                &SeatKeys {
                    label: table.name.clone(),
                    limit: table.limit.clone(),
                },
                common,
                &PlayerTables::new(),
                &place,
                &mut inner,
            );
            let label = label.unwrap_or_else(|| seat.player.label.clone());
            inner.take("name", check_label(&number, &label));
            // What is wrong with the player may be its name.
            let other = labels.iter().position(|other| *other == label);
            if let Some(other) = other.filter(|_| inner.is_empty()) {
                inner.push("name", format!(
                    "players {} and {number} are both called '{label}': give one of them a name of its own, as in --player \
                     '{spec},name=other'",
                    other + 1,
                ));
            }
            wrong.extend_at(&format!("player.{index}."), inner);
            labels.push(label);
            seats.push(Seat {
                player: seat.player.named_by_text(),
                ..seat
            });
        }
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
        wrong.check()?;
        Ok(TournamentSpec {
            anchor,
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
        if let Some((player, elo)) = self.anchor {
            table.insert(
                "anchor".to_owned(),
                format!("{}={elo}", self.labels[player]).into(),
            );
        }
        table.extend(of(&["pairs"]));
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
        for (number, (label, seat)) in (1..).zip(self.labels.iter().zip(&self.seats)) {
            identity.push(
                &format!("player {number}"),
                format_args!("{label}: {}", seat.player.canonical()),
            );
            identity.push(&format!("limit {number}"), seat.limit);
        }
        identity
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{MoveLimit, Source};

    fn spec(text: &str) -> Result<TournamentSpec, ConfigError> {
        let source = Source::parse(text, "test").unwrap();
        let mut wrong = Mistakes::default();
        let keys: TournamentKeys = source.read(&["command"], &mut wrong);
        wrong.check()?;
        TournamentSpec::from_keys(&keys)
    }

    const THREE: &str =
        "[[player]]\n[[player]]\nplayer = \"plain\"\n[[player]]\nname = \"deep\"\ndepth = 3\n";

    #[test]
    fn everyone_meets_everyone_or_the_seeds_meet_the_rest() {
        assert_eq!(spec(THREE).unwrap().pairings, [[0, 1], [0, 2], [1, 2]]);
        let gauntlet = spec(&format!("gauntlet = 2\n{THREE}")).unwrap();
        assert_eq!(gauntlet.pairings, [[0, 2], [1, 2]]);
        let one = spec(&format!("format = \"gauntlet\"\n{THREE}")).unwrap();
        assert_eq!(one.pairings, [[0, 1], [0, 2]]);
    }

    #[test]
    fn a_limit_of_one_player_replaces_the_common_one() {
        let spec = spec(&format!("nodes = 70\n{THREE}")).unwrap();
        let limits: Vec<MoveLimit> = spec.seats.iter().map(|seat| seat.limit).collect();
        assert_eq!(
            limits,
            [MoveLimit::Nodes(70), MoveLimit::Nodes(70), MoveLimit::Depth(3)]
        );
        assert_eq!(spec.labels, ["base", "plain", "deep"]);
    }

    #[test]
    fn the_written_file_gives_the_same_specification_again() {
        for head in [
            "",
            "gauntlet = 2\nsprt = \"elo1=9\"\nseed = 4\nmax_plies = 99\n",
            "rounds = 7\nrepeat = true\ntc = \"1+0.1\"\ntime_margin = 7\n",
        ] {
            let one = spec(&format!("{head}{THREE}")).unwrap();
            let written = one.table(Path::new(".")).to_string();
            assert_eq!(spec(&written).unwrap(), one, "{written}");
        }
    }

    #[test]
    fn a_tournament_that_makes_no_sense_is_refused_in_words() {
        let cases = [
            ("[[player]]\n", "from 2 to 1000 players, but there are 1"),
            (
                "[[player]]\n[[player]]\n",
                "players 1 and 2 are both called 'base'",
            ),
            (
                "gauntlet = 2\n[[player]]\n[[player]]\nname = \"b\"\n",
                "gauntlet is 2, but must be from 1 to 1",
            ),
            (
                "format = \"cup\"\n[[player]]\n[[player]]\nname = \"b\"\n",
                "unknown format 'cup'",
            ),
            (
                "[[player]]\n[[player]]\nplayer = \"strong\"\n",
                "player 2: unknown preset 'strong'",
            ),
            ("pairs = 0\n[[player]]\n[[player]]\nname = \"b\"\n", "pairs is 0"),
        ];
        for (text, expected) in cases {
            let message = spec(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn a_player_may_be_a_table_or_carry_its_name_and_limit() {
        let keys = TournamentKeys {
            player: [
                "{ name = \"x\", player = \"plain\", nodes = 9 }",
                "base,name=y,depth=2",
            ]
            .map(str::to_owned)
            .to_vec(),
            ..TournamentKeys::default()
        };
        let spec = TournamentSpec::from_keys(&keys).unwrap();
        assert_eq!(spec.labels, ["x", "y"]);
        assert_eq!(spec.seats[0].limit, MoveLimit::Nodes(9));
        assert_eq!(spec.seats[1].limit, MoveLimit::Depth(2));
        let keys = TournamentKeys {
            player: ["{ colour = 1 }", "base"].map(str::to_owned).to_vec(),
            ..TournamentKeys::default()
        };
        let error = TournamentSpec::from_keys(&keys).unwrap_err().to_string();
        assert!(error.contains("colour"), "{error}");
    }

    #[test]
    fn equal_players_are_noticed_unless_jitter_tells_them_apart() {
        let two = "[[player]]\n[[player]]\nname = \"again\"\n";
        assert_eq!(spec(two).unwrap().mirror(), Some(["base", "again"]));
        assert_eq!(spec(&format!("node_jitter = 9\n{two}")).unwrap().mirror(), None);
        assert_eq!(spec(THREE).unwrap().mirror(), None);
    }
}
