//! What a score is worth in wins, draws and losses of a thousand games, fitted to `base` in chess.

use std::fmt;

use crate::search::MATE_IN_MAX;

/// The bent score at which half of the games are won, on an empty board and added by a full one.
const HALF: [f64; 2] = [271.0, -218.7];
/// By how much it has to grow for the odds to grow by e, likewise.
const SPREAD: [f64; 2] = [80.5, 37.6];
/// The score in centipawns from which on more of it says less and less.
const BEND: f64 = 162.5;
const PIECES_MAX: f64 = 32.0;

/// Games of a thousand, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wdl {
    win: u32,
    draw: u32,
    loss: u32,
}

impl Wdl {
    /// Two logistic curves in the inverse hyperbolic sine of `score` (centipawns), their half and spread lines in the number of `pieces`
    /// on the board; `scripts/fit_wdl.py` fits them.
    pub(super) fn of(score: i32, pieces: usize) -> Wdl {
        if score.abs() >= MATE_IN_MAX {
            let (win, loss) = if score > 0 { (1000, 0) } else { (0, 1000) };
            return Wdl { win, draw: 0, loss };
        }
        let share = pieces as f64 / PIECES_MAX;
        let [half, spread] = [HALF, SPREAD].map(|[empty, full]| empty + full * share);
        let bent = BEND * (f64::from(score) / BEND).asinh();
        let curve = |score: f64| (1000.0 / (1.0 + ((half - score) / spread).exp())).round() as u32;
        let (win, loss) = (curve(bent), curve(-bent));
        Wdl {
            win,
            draw: 1000_u32.saturating_sub(win + loss),
            loss,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "wdl {} {} {}", self.win, self.draw, self.loss)
    }
}

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
        assert_eq!(Wdl::of(crate::search::MATE - 3, 20).to_string(), "wdl 1000 0 0");
        assert_eq!(Wdl::of(3 - crate::search::MATE, 20).to_string(), "wdl 0 0 1000");
        assert_eq!(
            pieces_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            32
        );
    }

    proptest! {
        #[test]
        fn they_are_a_thousand_mirrored_and_grow_with_the_score(score in -3_000..3_000, pieces in 2_usize..=32) {
            let (one, other) = (Wdl::of(score, pieces), Wdl::of(-score, pieces));
            prop_assert_eq!(one.win + one.draw + one.loss, 1000);
            prop_assert_eq!((one.win, one.loss), (other.loss, other.win));
            let more = Wdl::of(score + 50, pieces);
            prop_assert!(more.win >= one.win && more.loss <= one.loss);
        }
    }
}
