//! What the referee remarks of what players say.

use tanren_engine::game::{GameMove, Position};

use crate::record::{PlayerId, Reason, Remark, Score};

/// What is known of both players in this game, by [`PlayerId::index`].
#[derive(Debug, Default)]
pub(super) struct Watch {
    has_announced: [bool; 2],
    late_stops: [u32; 2],
}

impl Watch {
    /// What is to be remarked of the score of a turn. A mate that is announced again is the same one, however far away.
    pub(super) fn score(&mut self, player: PlayerId, score: Option<Score>) -> Option<Remark> {
        let score = score?;
        let announces = matches!(score, Score::Mate(1..));
        let had = std::mem::replace(&mut self.has_announced[player.index()], announces);
        (had && !announces).then_some(Remark::ContradictedMate)
    }

    /// What is to be remarked of a player that was so often late to stop.
    pub(super) fn stops(&mut self, player: PlayerId, late_stops: u32) -> Option<Remark> {
        let before = std::mem::replace(&mut self.late_stops[player.index()], late_stops);
        (late_stops > before).then_some(Remark::LateStop)
    }

    /// What is to be remarked of a player when the game is over.
    pub(super) fn end(&self, player: PlayerId, winner: Option<PlayerId>, reason: Reason) -> Option<Remark> {
        // What ended the game otherwise says nothing of the position.
        let is_played_out = matches!(
            reason,
            Reason::NoLegalMove
                | Reason::Resignation
                | Reason::Declaration
                | Reason::DeclarationDraw
                | Reason::Repetition
                | Reason::PerpetualCheck
                | Reason::Stalemate
                | Reason::DrawnByRule
        );
        let is_contradicted = self.has_announced[player.index()] && is_played_out && winner != Some(player);
        is_contradicted.then_some(Remark::ContradictedMate)
    }
}

/// What is to be remarked of the moves that a player expects from `position` on.
pub(super) fn of_variation<P: Position>(position: &P, variation: &[u16]) -> Option<Remark> {
    if variation.is_empty() {
        return None;
    }
    let mut position = position.clone();
    let is_legal = variation.iter().all(|&bits| {
        let mv = P::Move::from_bits(bits);
        let is_legal = position.is_pseudo_legal(mv) && position.is_legal(mv);
        if is_legal {
            position.make(mv);
        }
        is_legal
    });
    (!is_legal).then_some(Remark::IllegalVariation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_engine::shogi::Board;

    #[test]
    fn a_mate_that_is_taken_back_is_remarked_once_and_one_that_is_kept_never() {
        let mut watch = Watch::default();
        let mut scores = |scores: &[Score]| {
            let said = scores.iter().map(|&score| watch.score(PlayerId::A, Some(score)));
            said.flatten().count()
        };
        assert_eq!(scores(&[Score::Mate(5), Score::Mate(7), Score::Mate(1)]), 0);
        assert_eq!(scores(&[Score::Centipawns(30), Score::Centipawns(900)]), 1);
        assert_eq!(scores(&[Score::Mate(-3), Score::Centipawns(0)]), 0);
        assert_eq!(scores(&[Score::Mate(3), Score::Mate(-2)]), 1);
    }

    #[test]
    fn silence_and_the_other_player_take_no_mate_back() {
        let mut watch = Watch::default();
        assert_eq!(watch.score(PlayerId::A, Some(Score::Mate(3))), None);
        assert_eq!(watch.score(PlayerId::B, Some(Score::Centipawns(9))), None);
        assert_eq!(watch.score(PlayerId::A, None), None);
        let end = |player, winner, reason| watch.end(player, winner, reason).is_some();
        assert!(end(PlayerId::A, None, Reason::Repetition));
        assert!(end(PlayerId::A, Some(PlayerId::B), Reason::NoLegalMove));
        assert!(!end(PlayerId::A, Some(PlayerId::A), Reason::NoLegalMove));
        assert!(!end(PlayerId::A, Some(PlayerId::B), Reason::TimeLoss));
        assert!(!end(PlayerId::B, Some(PlayerId::A), Reason::NoLegalMove));
    }

    #[test]
    fn a_variation_is_legal_to_its_last_move_or_is_remarked() {
        let start = Board::start();
        let bits = |moves: &str| -> Vec<u16> {
            let words = moves.split_whitespace();
            words
                .map(|word| <Board as Position>::Move::parse(word).unwrap().bits())
                .collect()
        };
        let is_legal = |moves: &str| of_variation(&start, &bits(moves)).is_none();
        assert!(is_legal("") && is_legal("7g7f 3c3d 8h2b+"));
        assert!(!is_legal("3c3d") && !is_legal("7g7f 3c3d 8h2b+ 2b3c"));
    }
}
