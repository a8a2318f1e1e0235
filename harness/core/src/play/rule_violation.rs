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
    use tanren_engine::config::DeclarationRule;

    use super::*;
    use crate::record::{Turn, Variations};
    use crate::toy::{Toy, WAIT};

    fn game(moves: &[u16], turns: usize, winner: Option<PlayerId>, reason: Reason) -> GameRecord {
        let turn = Turn {
            score: None,
            depth: 2,
            nodes: 10,
            time_ms: 0,
        };
        let [of_a, of_b] = [turns.div_ceil(2) as u64, turns as u64 / 2];
        GameRecord {
            first: PlayerId::A,
            winner,
            reason,
            moves: moves.to_vec(),
            turns: vec![turn; turns],
            variations: Variations::default(),
            remarks: [None; 2],
            nodes: [10 * of_a, 10 * of_b],
            time_us: [0; 2],
            depth_sum: [2 * of_a, 2 * of_b],
            seed: 1,
        }
    }

    fn judged(game: &GameRecord) -> Option<RuleViolation> {
        let rules = Rules {
            declaration: DeclarationRule::Off,
            ..Rules::default()
        };
        rule_violation(&Toy::parse("9 a").unwrap(), &mut Path::default(), game, &rules)
    }

    const A: Option<PlayerId> = Some(PlayerId::A);
    const B: Option<PlayerId> = Some(PlayerId::B);

    #[test]
    fn games_that_follow_from_their_moves_are_good() {
        for good in [
            game(&[3, 3, 3], 4, A, Reason::NoLegalMove),
            game(&[3], 2, A, Reason::Resignation),
            game(&[3, 3], 3, B, Reason::TimeLoss),
            game(&[3], 2, A, Reason::Crash),
            game(&[3], 2, A, Reason::IllegalMove),
            game(&[3], 1, B, Reason::AdjudicatedWin),
            game(&[3], 1, None, Reason::AdjudicatedDraw),
        ] {
            assert_eq!(judged(&good), None, "{good:?}");
        }
        let waits = vec![WAIT.0; 40];
        let Some(RuleViolation::GoesOn { ply, reason }) = judged(&game(&waits, 41, A, Reason::Crash)) else {
            unreachable!("positions repeat");
        };
        assert_eq!(
            judged(&game(&waits[..ply], ply, None, reason)),
            None,
            "{reason:?}"
        );
    }

    #[test]
    fn every_contradiction_is_named() {
        let illegal = judged(&game(&[3, 7, 3], 4, A, Reason::NoLegalMove));
        assert_eq!(illegal, Some(RuleViolation::Illegal { ply: 2 }));
        let other_winner = judged(&game(&[3, 3, 3], 4, B, Reason::NoLegalMove)).unwrap();
        assert!(matches!(other_winner, RuleViolation::OtherEnd { .. }));
        assert_eq!(
            other_winner.to_string(),
            "recorded as won by B (no_legal_move), but the moves and rules give won by A (no_legal_move)"
        );
        let resigned = game(&[3, 3, 3], 4, A, Reason::Resignation);
        assert!(matches!(judged(&resigned), Some(RuleViolation::OtherEnd { .. })));
        for unfounded in [
            game(&[3], 1, None, Reason::Repetition),
            game(&[3], 1, A, Reason::PerpetualCheck),
            game(&[3], 1, None, Reason::MaxPlies),
            game(&[3], 1, None, Reason::AdjudicatedWin),
            game(&[3], 1, A, Reason::AdjudicatedDraw),
            game(&[3, 3], 3, A, Reason::TimeLoss),
            game(&[3, 3], 3, None, Reason::Crash),
        ] {
            let recorded = (unfounded.winner, unfounded.reason);
            assert_eq!(judged(&unfounded), Some(RuleViolation::NoEnd { recorded }));
        }
        let turns = judged(&game(&[3], 4, A, Reason::Resignation));
        assert_eq!(turns, Some(RuleViolation::Turns { turns: 4, moves: 1 }));
        let mut sums = game(&[3], 2, A, Reason::Resignation);
        sums.nodes[1] += 1;
        assert_eq!(judged(&sums), Some(RuleViolation::Sums));
    }
}
