//! What a score is worth: how many of a thousand games end won, drawn and lost.
//!
//! In: a score and how full the board is. Out: three numbers. Must not: speak for another evaluation or another game than it was fitted to,
//! the standard engine's in chess.

use std::fmt;

use crate::search::MATE_IN_MAX;

/// The bent score at which half of the games are won: with an empty board, and what a full one adds.
const HALF: [f64; 2] = [271.0, -218.7];
/// By how much it has to grow for the odds to grow by e: as above.
const SPREAD: [f64; 2] = [80.5, 37.6];
/// The score in centipawns from which on more of it says less and less.
const BEND: f64 = 162.5;
/// Of a full board.
const PIECES: f64 = 32.0;

/// Of a thousand games, for whoever is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chances {
    win: u32,
    draw: u32,
    loss: u32,
}

impl Chances {
    /// Those of a `score` in centipawns with so many `pieces` on the board, kings and pawns too.
    ///
    /// Two logistic curves in the inverse hyperbolic sine of the score, their half and spread lines in the number of pieces;
    /// `scripts/fit_wdl.py` fits them.
    pub(super) fn of(score: i32, pieces: usize) -> Chances {
        if score.abs() >= MATE_IN_MAX {
            let (win, loss) = if score > 0 { (1000, 0) } else { (0, 1000) };
            return Chances { win, draw: 0, loss };
        }
        let share = pieces as f64 / PIECES;
        let [half, spread] = [HALF, SPREAD].map(|[empty, full]| empty + full * share);
        let bent = BEND * (f64::from(score) / BEND).asinh();
        let curve = |score: f64| (1000.0 / (1.0 + ((half - score) / spread).exp())).round() as u32;
        let (win, loss) = (curve(bent), curve(-bent));
        Chances {
            win,
            draw: 1000_u32.saturating_sub(win + loss),
            loss,
        }
    }
}

impl fmt::Display for Chances {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "wdl {} {} {}", self.win, self.draw, self.loss)
    }
}

/// The pieces of a FEN.
pub(super) fn pieces_of(fen: &str) -> usize {
    let board = fen.split(' ').next().unwrap_or_default();
    board.bytes().filter(u8::is_ascii_alphabetic).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_mate_is_certain_and_the_start_has_32_pieces() {
        assert_eq!(
            Chances::of(crate::search::MATE - 3, 20).to_string(),
            "wdl 1000 0 0"
        );
        assert_eq!(
            Chances::of(3 - crate::search::MATE, 20).to_string(),
            "wdl 0 0 1000"
        );
        assert_eq!(
            pieces_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            32
        );
    }

    proptest! {
        #[test]
        fn they_are_a_thousand_mirrored_and_grow_with_the_score(score in -3_000..3_000, pieces in 2_usize..=32) {
            let (one, other) = (Chances::of(score, pieces), Chances::of(-score, pieces));
            prop_assert_eq!(one.win + one.draw + one.loss, 1000);
            prop_assert_eq!((one.win, one.loss), (other.loss, other.win));
            let more = Chances::of(score + 50, pieces);
            prop_assert!(more.win >= one.win && more.loss <= one.loss);
        }
    }
}
