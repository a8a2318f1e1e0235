//! A seat: a player and what bounds its moves.

use tanren_engine::config::Config;
use tanren_engine::game::Game;
use toml::Value;

use super::keys::count;
use super::player_file::PlayerTables;
use super::{Mistakes, MoveLimit, PlayerSpec, ProcessSpec, SeatKeys};

/// Who sits at one side of a board, and what bounds its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    pub player: PlayerSpec,
    pub limit: MoveLimit,
}

impl Seat {
    /// The keys of a name that its text does not give, and of its limit.
    pub(super) fn entries(&self) -> Vec<(&'static str, Value)> {
        let label = self
            .player
            .own_label()
            .map(|label| ("label", Value::String(label)));
        label.into_iter().chain(self.limit.entries()).collect()
    }
}

/// A seat as it is written.
pub(super) struct WrittenSeat<'a> {
    /// What messages call its player.
    pub(super) player: &'a str,
    /// Where the player's text stands.
    pub(super) key: &'a str,
    pub(super) text: &'a str,
    /// Its keys that stand elsewhere, whose names end in `suffix`.
    pub(super) own: &'a SeatKeys,
    pub(super) suffix: &'a str,
}

impl WrittenSeat<'_> {
    /// The seat, `common` being the limit of all, and the name that is given to it.
    pub(super) fn read(
        &self,
        game: Game,
        common: MoveLimit,
        tables: &PlayerTables,
        wrong: &mut Mistakes,
    ) -> (Seat, Option<String>) {
        let (player, key, own) = (self.player, self.key, self.own);
        let (text, inner) = split(self.text, player, key, wrong);
        let mut refused = Mistakes::default();
        let limit_in_text = inner.limit.limit(Some(player), "", &mut refused);
        for mistake in refused {
            wrong.push(key, mistake.message);
        }
        wrong.unless(inner.limit.is_empty() || own.limit.is_empty(), key, || {
            format!(
                "player {player} has a limit in its text and another one in a key of its own: leave one out"
            )
        });
        let limit = own
            .limit
            .limit(Some(player), self.suffix, wrong)
            .or(limit_in_text);
        let read = wrong.take_placed(key, PlayerSpec::parse_among(game, player, &text, tables));
        let seat = Seat {
            player: read
                .unwrap_or_else(|| PlayerSpec::of_config(game, "base".to_owned(), Config::base(game))),
            limit: limit.unwrap_or(common),
        };
        (seat, own.label.clone().or(inner.label))
    }
}

/// A player's text without the name and the limit that are keys of it, and those. The name of a program is read with the program.
fn split(text: &str, player: &str, key: &str, wrong: &mut Mistakes) -> (String, SeatKeys) {
    let is_program = ProcessSpec::parse(text.trim()).is_some();
    let mut keys = SeatKeys::default();
    let mut rest: Vec<&str> = Vec::new();
    let mut parts = text.split(',');
    let mut begins_with_key = false;
    for part in parts.by_ref() {
        rest.push(part);
        let Some((name, value)) = part.split_once('=') else {
            continue;
        };
        if is_program && name == "name" && (value.starts_with("usi:") || value.starts_with("uci:")) {
            // It is that of a player without a name of its own, to the end.
            break;
        }
        let is_known = match name.trim() {
            "name" if !is_program => take(&mut keys.label, value),
            "nodes" => take_read(&mut keys.limit.nodes, count(value.trim()).ok()),
            "depth" => take(&mut keys.limit.depth, value),
            "movetime" => take(&mut keys.limit.movetime, value),
            "tc" => take(&mut keys.limit.tc, value),
            "byoyomi" => take(&mut keys.limit.byoyomi, value),
            _ => continue,
        };
        rest.pop();
        // What stands behind must not become the beginning, which may name a file or a program.
        begins_with_key |= rest.is_empty();
        wrong.unless(is_known, key, || {
            format!("player {player}: '{part}' is given twice or has no number")
        });
    }
    rest.extend(parts);
    if begins_with_key {
        rest.insert(0, "base");
    }
    (rest.join(","), keys)
}

fn take<T: std::str::FromStr>(key: &mut Option<T>, value: &str) -> bool {
    take_read(key, value.trim().parse().ok())
}

fn take_read<T>(key: &mut Option<T>, read: Option<T>) -> bool {
    let is_new = key.is_none() && read.is_some();
    *key = read.or(key.take());
    is_new
}
