//! Whether a position can be played on.

use super::legality::is_dead;
use super::sfen::total;
use super::{Bitboard, Board, Kind};
use crate::game::{ParseError, Side};

impl Board {
    /// Fills in what the parser cannot know and refuses positions that break the rules.
    pub(super) fn finish(&mut self) -> Result<(), ParseError> {
        for (side, name) in [(Side::First, "first (black)"), (Side::Second, "second (white)")] {
            let kings = self.pieces_of(side, Kind::King);
            if kings.count() != 1 {
                return Err(ParseError(format!(
                    "the {name} side has {} kings (expected 1)",
                    kings.count()
                )));
            }
            self.kings[side.index()] = kings.first();
            self.check_pawns(side, name)?;
        }
        for kind in Kind::HAND {
            let forms = Kind::ALL.into_iter().filter(|form| form.demoted() == kind);
            let on_board: u32 = forms.map(|form| self.kinds[form.index()].count()).sum();
            let count = on_board + self.hands.iter().map(|hand| hand.count(kind)).sum::<u32>();
            if count > total(kind) {
                let (letter, most) = (kind.letter(), total(kind));
                return Err(ParseError(format!(
                    "there are {count} pieces of kind {letter} (a set has {most})"
                )));
            }
        }
        let (us, them) = (self.side, self.side.opponent());
        let occupied = self.occupied();
        if self.is_attacked(self.king(them), us, occupied) {
            return Err(ParseError("the side that is not to move is in check".to_owned()));
        }
        self.checkers = self.attackers(self.king(us), them, occupied);
        if self.checkers.count() > 2 {
            return Err(ParseError(format!(
                "{} pieces give check at once (2 at most)",
                self.checkers.count()
            )));
        }
        self.find_keys();
        Ok(())
    }

    fn check_pawns(&self, side: Side, name: &str) -> Result<(), ParseError> {
        for kind in [Kind::Pawn, Kind::Lance, Kind::Knight] {
            let mut own = self.pieces_of(side, kind);
            if let Some(square) = own.find(|&square| is_dead(kind, side, square)) {
                let letter = kind.letter();
                return Err(ParseError(format!(
                    "the {letter} of the {name} side on {square} can never move"
                )));
            }
        }
        for file in 0..9 {
            let pawns = (self.pieces_of(side, Kind::Pawn) & Bitboard::file(file)).count();
            if pawns > 1 {
                let file = file + 1;
                return Err(ParseError(format!(
                    "the {name} side has {pawns} unpromoted pawns on file {file} (nifu)"
                )));
            }
        }
        Ok(())
    }
}
