//! The rules of a game as an umpire sees them: from an action to "goes on" or an ending.

use tanren_engine::game::{Claim, Path, Position, Repetition, Side};

use crate::config::Rules;
use crate::player::Action;
use crate::record::Reason;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEnding {
    pub winner: Option<Side>,
    pub reason: Reason,
}

impl GameEnding {
    fn won_by(side: Side, reason: Reason) -> Option<GameEnding> {
        Some(GameEnding {
            winner: Some(side),
            reason,
        })
    }

    fn drawn(reason: Reason) -> Option<GameEnding> {
        Some(GameEnding { winner: None, reason })
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
) -> Option<GameEnding> {
    let side = position.side_to_move();
    let opponent = side.opponent();
    match action {
        Action::Fault(Reason::TimeLoss) if rules.timeout_draw && !position.can_mate(opponent) => {
            GameEnding::drawn(Reason::TimeoutDraw)
        }
        Action::Fault(reason) => GameEnding::won_by(opponent, reason),
        Action::Resign if position.count_legal_all() == 0 => without_move(position),
        Action::Resign => GameEnding::won_by(opponent, Reason::Resignation),
        Action::Declare => match position.claim(rules.declaration.claim()) {
            Claim::Win => GameEnding::won_by(side, Reason::Declaration),
            Claim::Draw => GameEnding::drawn(Reason::DeclarationDraw),
            Claim::Invalid | Claim::Loss => GameEnding::won_by(opponent, Reason::WrongDeclaration),
        },
        Action::Move(mv) if !(position.is_pseudo_legal(mv) && position.is_legal(mv)) => {
            GameEnding::won_by(opponent, Reason::IllegalMove)
        }
        Action::Move(mv) => {
            position.make(mv);
            path.push(position);
            after_move(position, path, rules)
        }
    }
}

fn after_move<P: Position>(position: &P, path: &Path, rules: &Rules) -> Option<GameEnding> {
    let side = position.side_to_move();
    let repetition = if rules.ignores_repetition {
        None
    } else {
        path.referee_repetition::<P>()
    };
    match repetition {
        Some(Repetition::Draw) => return GameEnding::drawn(Reason::Repetition),
        Some(Repetition::Win) => return GameEnding::won_by(side, Reason::PerpetualCheck),
        Some(Repetition::Loss) => return GameEnding::won_by(side.opponent(), Reason::PerpetualCheck),
        None => {}
    }
    if position.claim(rules.declaration.claim()) == Claim::Loss {
        return GameEnding::won_by(side.opponent(), Reason::Declaration);
    }
    let is_drawn = position.is_draw_by_rule();
    let is_longest = rules.plies_max != 0 && path.len() > rules.plies_max as usize;
    if !is_drawn && !is_longest {
        return None;
    }
    if position.count_legal_all() == 0 {
        return without_move(position);
    }
    GameEnding::drawn(if is_drawn {
        Reason::DrawnByRule
    } else {
        Reason::MaxPlies
    })
}

fn without_move<P: Position>(position: &P) -> Option<GameEnding> {
    if P::STALEMATE_LOSES || position.in_check() {
        GameEnding::won_by(position.side_to_move().opponent(), Reason::NoLegalMove)
    } else {
        GameEnding::drawn(Reason::Stalemate)
    }
}
