//! A stored game against the rules and against itself.

use tanren_engine::game::{GameMove, Path, Position, Side};

use super::judge;
use crate::config::Rules;
use crate::player::Action;
use crate::record::{GameRecord, PlayerId, Reason};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleViolation {
    #[error("its opening is no position: {0}")]
    Opening(String),
    #[error("its opening is not the one in line {0} of its suite")]
    OtherOpening(u32),
    #[error("its players or seeds are not those of its place in the schedule")]
    Schedule,
    #[error("the move at ply {ply} is not legal")]
    Illegal { ply: usize },
    #[error("it was over at ply {ply} by {}, but goes on", reason.name())]
    GoesOn { ply: usize, reason: Reason },
    #[error("recorded as {}, but the moves and rules give {}", end_in_words(*recorded), end_in_words(*found))]
    OtherEnd {
        recorded: (Option<PlayerId>, Reason),
        found: (Option<PlayerId>, Reason),
    },
    #[error("recorded as {}, but the moves and rules do not end it so", end_in_words(*recorded))]
    NoEnd { recorded: (Option<PlayerId>, Reason) },
    #[error("{turns} turns were noted for {moves} moves")]
    Turns { turns: usize, moves: usize },
    #[error("its nodes or depths are not the sums of those of its turns")]
    Sums,
}

fn end_in_words((winner, reason): (Option<PlayerId>, Reason)) -> String {
    match winner {
        Some(winner) => format!("won by {} ({})", winner.letter().to_uppercase(), reason.name()),
        None => format!("a draw ({})", reason.name()),
    }
}

pub fn rule_violation<P: Position>(
    start: &P,
    path: &mut Path,
    game: &GameRecord,
    rules: &Rules,
) -> Option<RuleViolation> {
    let mut position = start.clone();
    path.restart(&position);
    let first_side = start.side_to_move();
    let player_of = |side: Side| {
        if side == first_side {
            game.first
        } else {
            game.first.opponent()
        }
    };
    let recorded = (game.winner, game.reason);
    let mut found = None;
    for (ply, &bits) in (1..).zip(&game.moves) {
        if let Some((_, reason)) = found {
            return Some(RuleViolation::GoesOn { ply: ply - 1, reason });
        }
        let action = Action::Move(P::Move::from_bits(bits));
        let ending = judge(&mut position, path, action, rules);
        found = ending.map(|ending| (ending.winner.map(player_of), ending.reason));
        if matches!(found, Some((_, Reason::IllegalMove))) {
            return Some(RuleViolation::Illegal { ply });
        }
    }
    let mover = player_of(position.side_to_move());
    if found.is_none() {
        let action = match game.reason {
            Reason::Resignation | Reason::NoLegalMove | Reason::Stalemate => Some(Action::Resign),
            Reason::Declaration | Reason::DeclarationDraw | Reason::WrongDeclaration => Some(Action::Declare),
            _ => None,
        };
        let ending = action.and_then(|action| judge(&mut position, path, action, rules));
        found = ending.map(|ending| (ending.winner.map(player_of), ending.reason));
    }
    match found {
        Some(found) if found != recorded => Some(RuleViolation::OtherEnd { recorded, found }),
        None if !is_possible(recorded, mover) => Some(RuleViolation::NoEnd { recorded }),
        _ => breach_of_sums(game),
    }
}

/// May a game that no rule ended have ended so, with this player to move?
fn is_possible((winner, reason): (Option<PlayerId>, Reason), mover: PlayerId) -> bool {
    match reason {
        Reason::NoLegalMove
        | Reason::Resignation
        | Reason::Declaration
        | Reason::DeclarationDraw
        | Reason::WrongDeclaration
        | Reason::Repetition
        | Reason::PerpetualCheck
        | Reason::Stalemate
        | Reason::DrawnByRule
        | Reason::MaxPlies => false,
        Reason::Syzygy => true,
        Reason::AdjudicatedWin => winner.is_some(),
        Reason::AdjudicatedDraw => winner.is_none(),
        // A fault or a late move loses.
        _ => winner == Some(mover.opponent()),
    }
}

fn breach_of_sums(game: &GameRecord) -> Option<RuleViolation> {
    let (turns, moves) = (game.turns.len(), game.moves.len());
    if turns != moves && turns != moves + 1 {
        return Some(RuleViolation::Turns { turns, moves });
    }
    let (mut nodes, mut depth_sum) = ([0_u64; 2], [0_u64; 2]);
    for (index, turn) in game.turns.iter().enumerate() {
        let player = if index % 2 == 0 {
            game.first
        } else {
            game.first.opponent()
        };
        let sum = &mut nodes[player.index()];
        *sum = sum.wrapping_add(turn.nodes);
        let sum = &mut depth_sum[player.index()];
        *sum = sum.wrapping_add(u64::from(turn.depth));
    }
    ((nodes, depth_sum) != (game.nodes, game.depth_sum)).then_some(RuleViolation::Sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Turn, Variations};
    use tanren_engine::chess::Board;

    /// A game of chess that A began, with so many turns.
    fn game(moves: &str, turns: usize, winner: &str, reason: &str) -> GameRecord {
        let moves = moves.split_whitespace();
        let moves = moves.map(|word| <Board as Position>::Move::parse(word).unwrap().bits());
        let turn = Turn {
            score: None,
            depth: 2,
            nodes: 10,
            time_ms: 0,
        };
        let [of_a, of_b] = [turns.div_ceil(2) as u64, turns as u64 / 2];
        GameRecord {
            first: PlayerId::A,
            winner: [PlayerId::A, PlayerId::B]
                .into_iter()
                .find(|id| id.letter() == winner),
            reason: Reason::from_name(reason).unwrap(),
            moves: moves.collect(),
            turns: vec![turn; turns],
            variations: Variations::default(),
            warnings: [None; 2],
            nodes: [10 * of_a, 10 * of_b],
            time_us: [0; 2],
            depth_sum: [2 * of_a, 2 * of_b],
            seed: 1,
        }
    }

    fn judged(game: &GameRecord) -> String {
        let found = rule_violation(&Board::start(), &mut Path::default(), game, &Rules::default());
        found.map_or_else(String::new, |violation| violation.to_string())
    }

    #[test]
    fn games_that_follow_from_their_moves_are_good_and_every_contradiction_is_named() {
        let mate = "f2f3 e7e5 g2g4 d8h4";
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let unfounded = "but the moves and rules do not end it so";
        for (moves, turns, winner, reason, expected) in [
            (mate, 5, "b", "no_legal_move", ""),
            ("e2e4", 2, "a", "resignation", ""),
            ("e2e4 e7e5", 3, "b", "time_loss", ""),
            ("e2e4", 2, "a", "crash", ""),
            ("e2e4", 2, "a", "illegal_move", ""),
            ("e2e4", 1, "b", "adjudicated_win", ""),
            ("e2e4", 1, "-", "adjudicated_draw", ""),
            (shuffle, 8, "-", "repetition", ""),
            (
                &format!("{shuffle} e2e4"),
                9,
                "a",
                "crash",
                "it was over at ply 8 by repetition, but goes on",
            ),
            ("e2e4 e2e4", 3, "a", "crash", "the move at ply 2 is not legal"),
            (
                mate,
                5,
                "a",
                "no_legal_move",
                "recorded as won by A (no_legal_move), but the moves and rules give won by B (no_legal_move)",
            ),
            (
                mate,
                5,
                "b",
                "resignation",
                "recorded as won by B (resignation), but the moves and rules give won by B (no_legal_move)",
            ),
            ("e2e4", 1, "-", "repetition", unfounded),
            ("e2e4", 1, "a", "perpetual_check", unfounded),
            ("e2e4", 1, "-", "max_plies", unfounded),
            ("e2e4", 1, "-", "adjudicated_win", unfounded),
            ("e2e4", 1, "a", "adjudicated_draw", unfounded),
            ("e2e4 e7e5", 3, "a", "time_loss", unfounded),
            ("e2e4 e7e5", 3, "-", "crash", unfounded),
            ("e2e4", 4, "a", "resignation", "4 turns were noted for 1 moves"),
        ] {
            let found = judged(&game(moves, turns, winner, reason));
            assert!(
                found.ends_with(expected) && found.is_empty() == expected.is_empty(),
                "{moves} {reason}: {found}"
            );
        }
        let mut sums = game("e2e4", 2, "a", "resignation");
        sums.nodes[1] += 1;
        assert_eq!(judged(&sums), RuleViolation::Sums.to_string());
    }
}
