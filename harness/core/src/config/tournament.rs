//! The specification of a tournament.
//!
//! In: a [`TournamentFile`]. Out: a [`TournamentSpec`], conditions and a seat for each player.

use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tanren_engine::game::Game;
use toml::{Table, Value};

use super::conditions::{Digests, has_clock};
use super::declare::{Keys, WireValue};
use super::player::check_label;
use super::wire::{Command, KeyedFile, LABEL, is_in, parted, read_keys, write, write_command};
use super::{ConditionKeys, Conditions, ConfigError, Identity, PlayerSpec, Seat, SeatKeys};

/// Pairs of each pairing if nothing is said.
const PAIRS_DEFAULT: u64 = 50;
const PLAYERS_MAX: usize = 1_000;
/// Beyond it a rating tells nothing, and sums with it lose the differences.
const ANCHOR_ELO_MAX: f64 = 100_000.0;

/// One player as the user writes it. A limit of its own replaces the common one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TournamentPlayer {
    /// As for `--a` of a match; `base` if absent.
    pub player: Option<String>,
    /// `nodes` and so on; its label is called `name`.
    pub seat: SeatKeys,
}

/// A tournament as keys; each has the name of its command-line option, with `_` for `-`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TournamentFile {
    /// What to do; nothing else than a tournament, if it is given.
    pub command: Option<Command>,
    /// `round-robin` or `gauntlet`.
    pub format: Option<String>,
    /// How many seeds meet all others.
    pub gauntlet: Option<usize>,
    /// `PLAYER=ELO`: whose rating is given.
    pub anchor: Option<String>,
    /// What holds for all players.
    pub common: SeatKeys,
    /// All that is no player's.
    pub conditions: ConditionKeys,
    /// `[[player]]`.
    pub players: Vec<TournamentPlayer>,
}

impl KeyedFile for TournamentPlayer {
    fn names() -> Vec<String> {
        let limits = SeatKeys::TABLE
            .iter()
            .map(|key| key.name)
            .filter(|name| *name != LABEL);
        ["name", "player"]
            .into_iter()
            .chain(limits)
            .map(str::to_owned)
            .collect()
    }

    fn read_key<'de, D: Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), D::Error> {
        match name {
            "player" => self.player = Some(String::deserialize(value)?),
            "name" => self.seat.read(LABEL, value)?,
            name => self.seat.read(name, value)?,
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for TournamentPlayer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TournamentPlayer, D::Error> {
        read_keys(deserializer)
    }
}

impl TournamentPlayer {
    fn table(&self) -> Table {
        let (name, limit) = parted(self.seat.write(), &[LABEL]);
        let mut table = Table::new();
        write(&mut table, name.into_iter().map(|(_, value)| ("name", value)));
        write(
            &mut table,
            self.player
                .iter()
                .map(|text| ("player", Value::String(text.clone()))),
        );
        write(&mut table, limit);
        table
    }
}

impl KeyedFile for TournamentFile {
    fn names() -> Vec<String> {
        let limits = SeatKeys::TABLE
            .iter()
            .map(|key| key.name)
            .filter(|name| *name != LABEL);
        let own = ["command", "format", "gauntlet", "anchor", "rounds", "player"].into_iter();
        let all = own
            .chain(limits)
            .chain(ConditionKeys::TABLE.iter().map(|key| key.name));
        all.map(str::to_owned).collect()
    }

    fn read_key<'de, D: Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), D::Error> {
        match name {
            "command" => self.command = Some(Command::deserialize(value)?),
            "format" => self.format = Some(String::deserialize(value)?),
            "gauntlet" => self.gauntlet = Some(usize::deserialize(value)?),
            "anchor" => self.anchor = Some(String::deserialize(value)?),
            "player" => self.players = Vec::deserialize(value)?,
            "rounds" => self.conditions.read("pairs", value)?,
            name if is_in::<SeatKeys>(name) => self.common.read(name, value)?,
            name => self.conditions.read(name, value)?,
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for TournamentFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TournamentFile, D::Error> {
        read_keys(deserializer)
    }
}

impl Serialize for TournamentFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (first, rest) = parted(self.conditions.write(), &["name", "game"]);
        let (pairs, rest) = parted(rest, &["pairs"]);
        let mut table = Table::new();
        write_command(&mut table, self.command);
        write(&mut table, first);
        write(
            &mut table,
            self.format
                .iter()
                .map(|format| ("format", Value::String(format.clone()))),
        );
        write(
            &mut table,
            self.gauntlet.iter().map(|seeds| ("gauntlet", seeds.value())),
        );
        let anchor = self.anchor.iter();
        write(
            &mut table,
            anchor.map(|text| ("anchor", Value::String(text.clone()))),
        );
        write(&mut table, pairs);
        write(&mut table, self.common.write());
        write(&mut table, rest);
        let players = self.players.iter().map(|player| Value::Table(player.table()));
        write(&mut table, [("player", Value::Array(players.collect()))]);
        table.serialize(serializer)
    }
}

impl TournamentPlayer {
    /// A player from the command line: a specification, or a TOML table `{ name = "…", player = "…", nodes = … }`.
    ///
    /// # Errors
    /// A table that is none, or has unknown keys.
    pub fn parse(text: &str) -> Result<TournamentPlayer, ConfigError> {
        #[derive(Deserialize)]
        struct Line {
            player: TournamentPlayer,
        }
        if !text.trim_start().starts_with('{') {
            return Ok(TournamentPlayer {
                player: Some(text.to_owned()),
                ..TournamentPlayer::default()
            });
        }
        let line: Result<Line, _> = toml::from_str(&format!("player = {text}"));
        let line = line.map_err(|error| {
            ConfigError::Tournament(format!(
                "player {text} is not a table of a player: {}",
                error.message()
            ))
        })?;
        Ok(line.player)
    }

    fn text(&self) -> &str {
        self.player.as_deref().unwrap_or("base")
    }
}

impl TournamentFile {
    /// `player` with its limit, or the one that all share.
    fn seat(&self, game: Game, number: usize, player: &TournamentPlayer) -> Result<Seat, ConfigError> {
        let name = number.to_string();
        Ok(Seat {
            player: PlayerSpec::parse(game, &name, player.text())?,
            limit: player.seat.limit_or(&self.common, &name)?,
        })
    }
}

/// A tournament that can be played, apart from its openings.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentSpec {
    /// What all play under.
    pub conditions: Conditions,
    /// Who plays, and by which limit.
    pub seats: Vec<Seat>,
    /// What reports call the players.
    pub labels: Vec<String>,
    /// Who meets whom, by number; the first of each sits at A's place.
    pub pairings: Vec<[u16; 2]>,
    /// How many seeds meet all others; `None` is a round robin.
    pub gauntlet: Option<usize>,
    /// A player by its index, and its rating, beside which the others are rated. It decides no result.
    pub anchor: Option<(usize, f64)>,
}

impl TournamentSpec {
    /// Checks `file` and fills in the defaults.
    ///
    /// # Errors
    /// The first key whose value cannot be played.
    pub fn from_file(file: &TournamentFile) -> Result<TournamentSpec, ConfigError> {
        let refuse = |message: String| Err(ConfigError::Tournament(message));
        let players = file.players.len();
        if !(2..=PLAYERS_MAX).contains(&players) {
            return refuse(format!(
                "a tournament has from 2 to {PLAYERS_MAX} players, but there are {players}: give each with --player"
            ));
        }
        let mut conditions = Conditions::from_keys(&file.conditions)?;
        conditions.pairs.get_or_insert(PAIRS_DEFAULT);
        let mut labels: Vec<String> = Vec::with_capacity(players);
        let mut seats = Vec::with_capacity(players);
        for (number, player) in (1..).zip(&file.players) {
            let in_player = |source: ConfigError| ConfigError::TournamentPlayer {
                number,
                text: player.text().to_owned(),
                source: Box::new(source),
            };
            let seat = file.seat(conditions.game, number, player).map_err(in_player)?;
            let label = player
                .seat
                .label
                .clone()
                .unwrap_or_else(|| seat.player.label.clone());
            check_label(&number.to_string(), &label)?;
            if let Some(other) = labels.iter().position(|other| *other == label) {
                return refuse(format!(
                    "players {} and {number} are both called '{label}': give one of them a name of its own, as in \
                     --player '{{ name = \"other\", player = \"{}\" }}'",
                    other + 1,
                    player.text()
                ));
            }
            labels.push(label);
            seats.push(Seat {
                player: seat.player.named_by_text(),
                ..seat
            });
        }
        let numbered: Vec<(usize, &Seat)> = (1..).zip(&seats).collect();
        conditions.check(&file.conditions, &numbered)?;
        let gauntlet = gauntlet_of(file, players)?;
        let anchor = file
            .anchor
            .as_ref()
            .map(|text| anchor_of(text, &labels))
            .transpose()?;
        Ok(TournamentSpec {
            anchor,
            conditions,
            seats,
            labels,
            pairings: pairings(players, gauntlet),
            gauntlet,
        })
    }

    /// The file that gives this specification again from `folder`, every default written out.
    pub fn to_file(&self, folder: &Path) -> TournamentFile {
        let player = |(label, seat): (&String, &Seat)| TournamentPlayer {
            player: Some(seat.player.text()),
            seat: SeatKeys {
                label: Some(label.clone()),
                ..SeatKeys::from(seat.limit)
            },
        };
        TournamentFile {
            command: Some(Command::Tournament),
            format: Some(self.format().to_owned()),
            gauntlet: self.gauntlet,
            anchor: self
                .anchor
                .map(|(player, elo)| format!("{}={elo}", self.labels[player])),
            common: SeatKeys::default(),
            conditions: self.conditions.to_keys(folder, has_clock(&self.seats)),
            players: self.labels.iter().zip(&self.seats).map(player).collect(),
        }
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

fn anchor_of(text: &str, labels: &[String]) -> Result<(usize, f64), ConfigError> {
    let refuse = |message: String| ConfigError::Tournament(format!("anchor '{text}' {message}"));
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

fn gauntlet_of(file: &TournamentFile, players: usize) -> Result<Option<usize>, ConfigError> {
    let refuse = |message: String| Err(ConfigError::Tournament(message));
    let seeds = match (file.format.as_deref(), file.gauntlet) {
        (None | Some("round-robin"), None) => return Ok(None),
        (Some("gauntlet"), None) => 1,
        (None | Some("gauntlet"), Some(seeds)) => seeds,
        (Some("round-robin"), Some(_)) => {
            return refuse(
                "format is round-robin, but gauntlet gives a number of seeds: leave one out".to_owned(),
            );
        }
        (Some(other), _) => {
            return refuse(format!(
                "unknown format '{other}' (formats: round-robin, gauntlet)"
            ));
        }
    };
    if !(1..players).contains(&seeds) {
        return refuse(format!(
            "gauntlet is {seeds}, but must be from 1 to {}, one less than the players",
            players - 1
        ));
    }
    Ok(Some(seeds))
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
    use crate::config::MoveLimit;

    fn spec(text: &str) -> Result<TournamentSpec, ConfigError> {
        TournamentSpec::from_file(&toml::from_str(text).unwrap())
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
            let spec = spec(&format!("{head}{THREE}")).unwrap();
            let written = toml::to_string(&spec.to_file(Path::new("."))).unwrap();
            let again = TournamentSpec::from_file(&toml::from_str(&written).unwrap()).unwrap();
            assert_eq!(again, spec, "{written}");
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
                "player 2 ('strong')",
            ),
            ("pairs = 0\n[[player]]\n[[player]]\nname = \"b\"\n", "pairs is 0"),
        ];
        for (text, expected) in cases {
            let message = spec(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn a_player_of_the_command_line_may_be_a_table() {
        let table = TournamentPlayer::parse("{ name = \"x\", player = \"plain\", nodes = 9 }").unwrap();
        assert_eq!(
            (table.seat.label.as_deref(), table.text(), table.seat.nodes),
            (Some("x"), "plain", Some(9))
        );
        assert_eq!(
            TournamentPlayer::parse("base,lmr=off").unwrap().text(),
            "base,lmr=off"
        );
        let error = TournamentPlayer::parse("{ colour = 1 }").unwrap_err().to_string();
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
