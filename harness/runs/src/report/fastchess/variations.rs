//! Variations of engines that the rules forbid, in the words of fastchess.

use tanren_engine::chess::{Board, Move};
use tanren_engine::game::{GameMove, Position};

use crate::record::{GameRecord, PlayerId, Score, Turn};

/// A variation of which not every move is legal.
pub(super) struct IllegalVariation {
    /// The first move that is not.
    wrong: String,
    turn: Turn,
    moves: String,
    start: String,
    played: String,
}

impl IllegalVariation {
    pub(super) fn text(&self, name: &str) -> String {
        let Turn {
            depth,
            nodes,
            time_ms,
            ..
        } = self.turn;
        let score = match self.turn.score {
            Some(Score::Centipawns(value)) => format!(" score cp {value}"),
            Some(Score::Mate(plies)) => format!(" score mate {}", plies.signum() * ((plies.abs() + 1) / 2)),
            None => String::new(),
        };
        format!(
            "Warning; Illegal PV move - move {} from {name}\n\
             Info; info depth {depth}{score} nodes {nodes} time {time_ms} pv {}\n\
             Position; {}\nMoves; {}",
            self.wrong, self.moves, self.start, self.played
        )
    }
}

/// Those of a game, each with whose it is; only the last one of a turn is known.
pub(super) fn illegal_variations(opening: &str, record: &GameRecord) -> Vec<(PlayerId, IllegalVariation)> {
    let has_some = record
        .warnings
        .iter()
        .flatten()
        .any(|warnings| warnings.illegal_variations > 0);
    let (true, Ok(mut position)) = (has_some, Board::parse(opening)) else {
        return Vec::new();
    };
    let start = match position.to_string() == Board::start().to_string() {
        true => "startpos".to_owned(),
        false => format!("fen {position}"),
    };
    let text = |moves: &[u16]| {
        let moves = moves.iter();
        let moves: Vec<String> = moves.map(|&bits| Move::from_bits(bits).to_string()).collect();
        moves.join(" ")
    };
    let mut found = Vec::new();
    for (index, turn) in record.turns.iter().enumerate() {
        let variation = record.variations.of(index);
        if let Some(&wrong) = first_illegal(&position, variation) {
            let player = match index % 2 {
                0 => record.first,
                _ => record.first.opponent(),
            };
            let illegal = IllegalVariation {
                wrong: text(&[wrong]),
                turn: *turn,
                moves: text(variation),
                start: start.clone(),
                played: text(&record.moves[..index.min(record.moves.len())]),
            };
            found.push((player, illegal));
        }
        let Some(&bits) = record.moves.get(index) else {
            break;
        };
        position.make(GameMove::from_bits(bits));
    }
    found
}

fn first_illegal<'a>(position: &Board, variation: &'a [u16]) -> Option<&'a u16> {
    let mut position = position.clone();
    variation.iter().find(|&&bits| {
        let mv = GameMove::from_bits(bits);
        let is_legal = position.is_pseudo_legal(mv) && position.is_legal(mv);
        if is_legal {
            position.make(mv);
        }
        !is_legal
    })
}
