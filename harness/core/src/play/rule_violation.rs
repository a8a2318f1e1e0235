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
    #[error("it was over at ply {ply} by {}, but continues", reason.name())]
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
        None if !is_possible(recorded, mover, &position) => Some(RuleViolation::NoEnd { recorded }),
        _ => violation_of_sums(game),
    }
}

/// May a game that no rule ended have ended so, with this player to move?
fn is_possible<P: Position>(
    (winner, reason): (Option<PlayerId>, Reason),
    mover: PlayerId,
    position: &P,
) -> bool {
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
        Reason::TimeoutDraw => winner.is_none() && !position.can_mate(position.side_to_move().opponent()),
        // Under --strict whoever moved last lost, by a protocol violation.
        Reason::Nonsense => winner == Some(mover),
        // A fault or a late move loses.
        _ => winner == Some(mover.opponent()),
    }
}

fn violation_of_sums(game: &GameRecord) -> Option<RuleViolation> {
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
    use crate::fixtures::pair;
    use tanren_engine::chess::Board;

    fn judged(game: &GameRecord) -> String {
        let found = rule_violation(&Board::start(), &mut Path::default(), game, &Rules::default());
        found.map_or_else(String::new, |violation| violation.to_string())
    }

    #[test]
    fn games_that_follow_from_their_moves_are_good_and_every_contradiction_is_named() {
        let [mut game, _] = pair(0, [2, 2], 0).games;
        let turn = game.turns[0];
        for line in include_str!("violations.txt").lines().skip(1) {
            let [moves, turns, end, expected] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let (winner, reason) = end.split_once(' ').unwrap();
            let moves = moves.split_whitespace();
            let moves = moves.map(|word| <Board as Position>::Move::parse(word).unwrap().bits());
            game.moves = moves.collect();
            game.winner = [PlayerId::A, PlayerId::B]
                .into_iter()
                .find(|id| id.letter() == winner);
            game.reason = reason.parse().unwrap();
            game.turns = vec![turn; turns.parse().unwrap()];
            let of_each = [game.turns.len().div_ceil(2) as u64, game.turns.len() as u64 / 2];
            game.nodes = of_each.map(|turns| turns * turn.nodes);
            game.depth_sum = of_each.map(|turns| turns * u64::from(turn.depth));
            assert_eq!(judged(&game), expected, "{line}");
        }
        game.turns.truncate(2);
        assert_eq!(judged(&game), RuleViolation::Sums.to_string());
    }
}
