//! A seat: a player and what bounds its moves.

use tanren_engine::config::Config;
use tanren_engine::game::Game;
use toml::Value;

use super::limit::Owner;
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

/// Where the keys of a seat stand, and what messages call its player.
pub(super) struct SeatPlace<'a> {
    pub(super) player: &'a str,
    pub(super) key: &'a str,
    pub(super) owner: Owner<'a>,
}

/// The seat of the player that `text` describes, and the name that is given to it; `own` keys of it stand elsewhere, and `common` is
/// the limit of all.
pub(super) fn seat(
    game: Game,
    text: &str,
    own: &SeatKeys,
    common: MoveLimit,
    tables: &PlayerTables,
    place: &SeatPlace<'_>,
    wrong: &mut Mistakes,
) -> (Seat, Option<String>) {
    let (text, inner) = split(text, place, wrong);
    let in_text = Owner {
        player: Some(place.player),
        ..Owner::default()
    };
    let mut refused = Mistakes::default();
    let limit_in_text = inner.limit.limit(&in_text, &mut refused);
    for mistake in refused {
        wrong.push(place.key, mistake.message);
    }
    wrong.unless(inner.limit.is_empty() || own.limit.is_empty(), place.key, || {
        let player = place.player;
        format!("player {player} has a limit in its text and another one in a key of its own: leave one out")
    });
    let limit = own.limit.limit(&place.owner, wrong).or(limit_in_text);
    let player = wrong.take_placed(
        place.key,
        PlayerSpec::parse_among(game, place.player, &text, tables),
    );
    let seat = Seat {
        player: player.unwrap_or_else(|| PlayerSpec::of_config(game, "base".to_owned(), Config::base(game))),
        limit: limit.unwrap_or(common),
    };
    (seat, own.label.clone().or(inner.label))
}

/// A player's text without the name and the limit that are keys of it, and those. The name of a program is read with the program.
fn split(text: &str, place: &SeatPlace<'_>, wrong: &mut Mistakes) -> (String, SeatKeys) {
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
            "nodes" => take(&mut keys.limit.nodes, value),
            "depth" => take(&mut keys.limit.depth, value),
            "movetime" => take(&mut keys.limit.movetime, value),
            "tc" => take(&mut keys.limit.tc, value),
            "byoyomi" => take(&mut keys.limit.byoyomi, value),
            _ => continue,
        };
        rest.pop();
        // What stands behind must not become the beginning, which may name a file or a program.
        begins_with_key |= rest.is_empty();
        wrong.unless(is_known, place.key, || {
            let player = place.player;
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
    let read = value.trim().parse().ok();
    let is_new = key.is_none() && read.is_some();
    *key = read.or(key.take());
    is_new
}
