//! The rules of a game as an umpire sees them: from an action to "goes on" or an ending.

use tanren_engine::game::{Claim, Path, Position, Repetition, Side};

use crate::config::{RepetitionRule, Rules};
use crate::player::Action;
use crate::record::Reason;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    pub winner: Option<Side>,
    pub reason: Reason,
}

impl Ending {
    fn won_by(side: Side, reason: Reason) -> Option<Ending> {
        Some(Ending {
            winner: Some(side),
            reason,
        })
    }

    fn drawn(reason: Reason) -> Option<Ending> {
        Some(Ending { winner: None, reason })
    }
}

/// Judges `action` of the side to move; a legal move is played on `position` and `path`.
///
/// The position counts towards repetition as often as it stands on `path`, the opening included. A game that reaches
/// its greatest length by a move that leaves the opponent without one is lost, not drawn.
pub fn judge<P: Position>(
    position: &mut P,
    path: &mut Path,
    action: Action<P::Move>,
    rules: &Rules,
) -> Option<Ending> {
    let side = position.side_to_move();
    let opponent = side.opponent();
    match action {
        Action::Fault(reason) => Ending::won_by(opponent, reason),
        Action::Resign if position.count_legal_all() == 0 => without_move(position),
        Action::Resign => Ending::won_by(opponent, Reason::Resignation),
        Action::Declare => match position.claim(rules.declaration.points()) {
            Claim::Win => Ending::won_by(side, Reason::Declaration),
            Claim::Draw => Ending::drawn(Reason::DeclarationDraw),
            Claim::Invalid => Ending::won_by(opponent, Reason::WrongDeclaration),
        },
        Action::Move(mv) if !(position.is_pseudo_legal(mv) && position.is_legal(mv)) => {
            Ending::won_by(opponent, Reason::IllegalMove)
        }
        Action::Move(mv) => {
            position.make(mv);
            path.push(position);
            after_move(position, path, rules)
        }
    }
}

fn after_move<P: Position>(position: &P, path: &Path, rules: &Rules) -> Option<Ending> {
    let side = position.side_to_move();
    let repetition = match rules.repetition {
        RepetitionRule::On => path.referee_repetition::<P>(),
        RepetitionRule::Off => None,
    };
    match repetition {
        Some(Repetition::Draw) => return Ending::drawn(Reason::Repetition),
        Some(Repetition::Win) => return Ending::won_by(side, Reason::PerpetualCheck),
        Some(Repetition::Loss) => return Ending::won_by(side.opponent(), Reason::PerpetualCheck),
        None => {}
    }
    let is_drawn = position.is_draw_by_rule();
    let is_longest = rules.plies_max != 0 && path.len() > rules.plies_max as usize;
    if !is_drawn && !is_longest {
        return None;
    }
    if position.count_legal_all() == 0 {
        return without_move(position);
    }
    Ending::drawn(if is_drawn {
        Reason::DrawnByRule
    } else {
        Reason::MaxPlies
    })
}

fn without_move<P: Position>(position: &P) -> Option<Ending> {
    if P::STALEMATE_LOSES || position.in_check() {
        Ending::won_by(position.side_to_move().opponent(), Reason::NoLegalMove)
    } else {
        Ending::drawn(Reason::Stalemate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_engine::chess::Board;

    /// What ends a game of chess from `fen` at the last of `moves`, if anything does.
    fn ending(fen: &str, moves: &str) -> Option<(Option<Side>, Reason)> {
        let mut position = Board::parse(fen).unwrap();
        let mut path = Path::new(&position);
        let rules = Rules {
            repetition: RepetitionRule::On,
            ..Rules::default()
        };
        let mut found = None;
        for text in moves.split_whitespace() {
            assert_eq!(found, None, "{fen} was over before {text}");
            let action = Action::Move(position.parse_move(text).unwrap());
            found = judge(&mut position, &mut path, action, &rules);
        }
        found.map(|ending| (ending.winner, ending.reason))
    }

    #[test]
    fn a_capture_that_leaves_bishops_of_one_colour_draws_and_one_that_leaves_two_knights_does_not() {
        let drawn = Some((None, Reason::DrawnByRule));
        assert_eq!(ending("7k/8/8/3n4/6b1/8/6B1/N3K3 w - - 0 1", "g2d5"), None);
        assert_eq!(ending("7k/8/8/3n4/6b1/8/6B1/4K3 w - - 0 1", "g2d5"), drawn);
        assert_eq!(ending("7k/8/8/3b4/8/2N5/8/N3K3 w - - 0 1", "c3d5"), None);
    }

    #[test]
    fn a_mate_on_the_hundredth_ply_wins_and_any_other_move_draws() {
        let fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 90";
        assert_eq!(
            ending(fen, "a1a8"),
            Some((Some(Side::First), Reason::NoLegalMove))
        );
        assert_eq!(ending(fen, "a1a7"), Some((None, Reason::DrawnByRule)));
    }

    #[test]
    fn the_third_occurrence_counts_from_a_double_step_that_no_pawn_can_answer_en_passant() {
        let moves = "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";
        assert_eq!(ending("startpos", moves), Some((None, Reason::Repetition)));
    }
}
