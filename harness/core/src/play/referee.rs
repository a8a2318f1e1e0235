//! The rules of a game as an umpire sees them: from an action to "goes on" or an ending.

use tanren_engine::game::{Claim, Path, Position, Repetition, Side};

use crate::config::Rules;
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
    let repetition = if rules.ignores_repetition {
        None
    } else {
        path.referee_repetition::<P>()
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
