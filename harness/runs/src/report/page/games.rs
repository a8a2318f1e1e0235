//! The games of a page, for its list and its board.

use serde_json::{Map, Value, json};
use tanren_engine::chess::Board;
use tanren_engine::game::{Game, GameMove, Position};

use crate::session::error::ExperimentError;
use crate::session::game::with_game;
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

use crate::document::ends::end_name;
use crate::openings::is_text_of_chess960;
use crate::record::{GameRecord, PairRecord, PlayerId, Reason, Score};
use crate::report::records::san::san;
use crate::sanitize;

const VARIATION_MAX: usize = 8;

/// Where games begin that are asked for.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "web"), expect(dead_code, reason = "only a server is asked"))]
pub enum FirstGame {
    /// At a place, from 0: the numbers of a shard have gaps, and those of single games.
    At(u64),
    /// With the game of a number, from 1.
    Numbered(u64),
    /// So that they are the last ones.
    OfLast,
}

/// Games as lists and boards take them, in whole pairs; they lie from place `from` to before `to`. `None` if the run holds none.
pub fn games_json(
    outcome: &Outcome,
    run: &Run,
    first: FirstGame,
    count: u64,
) -> Result<Option<Value>, ExperimentError> {
    let Some((game, counted)) = outcome.findings.game().zip(outcome.findings.pairs()) else {
        return Ok(None);
    };
    let (shard, per_pair) = (run.ledger.shard(), run.manifest.identity.games_per_pair());
    let games = per_pair * counted;
    let first = match first {
        FirstGame::At(place) => place,
        FirstGame::Numbered(number) => {
            let pair = number.saturating_sub(1) / 2;
            let place = shard.holds(pair).then(|| per_pair * shard.place(pair));
            place.unwrap_or(games)
        }
        FirstGame::OfLast => games.saturating_sub(count),
    };
    let end = first.saturating_add(count).div_ceil(per_pair).min(counted);
    let begin = (first / per_pair).min(end);
    let mut rows = Vec::new();
    for place in begin..end {
        if let Some(pair) = run.ledger.pair(shard.pair(place))? {
            rows.extend(with_game!(game, rows_of(&pair)));
        }
    }
    let reasons = Reason::ALL.map(|reason| {
        let name = end_name(reason, game);
        (reason.name().to_owned(), json!([name.en, name.ja]))
    });
    Ok(Some(json!({
        "game": game.name(),
        "reasons": Map::from_iter(reasons),
        "labels": run.manifest.labels.iter().map(|label| sanitize::line(label)).collect::<Vec<_>>(),
        "counted": games,
        "from": per_pair * begin,
        "to": per_pair * end,
        "folder": sanitize::line(&outcome.folder.display().to_string()),
        "rows": rows,
    })))
}

fn rows_of<P: Position>(pair: &PairRecord) -> Vec<Value> {
    let rows = pair
        .played()
        .map(|(index, game)| row::<P>(pair, game, 2 * pair.pair + index as u64 + 1));
    rows.collect()
}

/// A game: number, opening's line, who is Sente or White and who is Gote or Black, who won (players by number, -1 for a draw), reason,
/// position, moves, scores from the view of Sente or White (mates beyond 100,000), in chess the moves as players write them, what was
/// expected after some moves, depths, the variant where it has a name.
fn row<P: Position>(pair: &PairRecord, game: &GameRecord, number: u64) -> Value {
    let player = |id: PlayerId| pair.players[id.index()];
    let first = pair.first_side(game.first);
    let moves: Vec<String> = game
        .moves
        .iter()
        .map(|&bits| P::Move::from_bits(bits).to_string())
        .collect();
    let score = |(index, score): (usize, Option<Score>)| {
        let value = match score? {
            Score::Centipawns(value) => value.clamp(-99_999, 99_999),
            Score::Mate(plies) if plies > 0 => 200_000_i32.saturating_sub(plies),
            Score::Mate(plies) => (-200_000_i32).saturating_sub(plies),
        };
        let is_first = (index % 2 == 0) == (game.first == first);
        Some(if is_first { value } else { -value })
    };
    let expected = |index: usize| {
        let moves = game.variations.of(index).iter().skip(1).take(VARIATION_MAX);
        let words: Vec<String> = moves.map(|&bits| P::Move::from_bits(bits).to_string()).collect();
        (!words.is_empty()).then(|| (index.to_string(), Value::from(words.join(" "))))
    };
    let expected: Map<String, Value> = (0..game.moves.len()).filter_map(expected).collect();
    let is_chess960 = P::GAME == Game::Chess && is_text_of_chess960(&pair.opening);
    let scores = game.turns.iter().map(|turn| turn.score).enumerate().map(score);
    json!({
        "n": number,
        "o": pair.opening_line,
        "f": player(first),
        "s": player(first.opponent()),
        "w": game.winner.map_or(-1, |winner| i32::from(player(winner))),
        "r": game.reason.name(),
        "p": pair.opening,
        "m": moves.join(" "),
        "e": scores.collect::<Vec<_>>(),
        "t": chess_words(P::GAME, &pair.opening, &moves),
        "v": expected,
        "d": game.turns.iter().map(|turn| turn.depth).collect::<Vec<_>>(),
        "variant": is_chess960.then_some("Chess960"),
    })
}

fn chess_words(game: Game, opening: &str, moves: &[String]) -> Option<String> {
    if game != Game::Chess {
        return None;
    }
    let mut board = Board::parse(opening).ok()?;
    let mut words = Vec::new();
    for text in moves {
        let mv = board.parse_move(text).ok()?;
        words.push(san(&board, mv)?);
        board.make(mv);
    }
    Some(words.join(" "))
}
