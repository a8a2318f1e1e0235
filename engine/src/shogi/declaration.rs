//! Declaration of a win when both kings have entered the enemy camp (CSA rules).

use super::{Bitboard, Board, Kind, Square};
use crate::game::{Claim, ClaimPoints, Side};
use crate::named::named;

named! {
    /// Which declaration (impasse) rule is in force, the players agreed on.
    #[derive(Default)]
    DeclarationRule {
        Off = "off", "No declaration.";
        #[default]
        Points27 = "27", "27-point rule: the first side needs 28 points, the second 27, to win.";
        Points24 = "24", "24-point rule: 31 points win, 24 to 30 are a draw.";
    }
}

impl DeclarationRule {
    /// The points that decide, `None` if nothing can be declared.
    #[inline]
    pub fn points(self) -> Option<&'static ClaimPoints> {
        match self {
            DeclarationRule::Off => None,
            DeclarationRule::Points27 => Some(&POINTS_27),
            DeclarationRule::Points24 => Some(&POINTS_24),
        }
    }
}

const POINTS_27: ClaimPoints = ClaimPoints {
    win: [28, 27],
    draw: None,
};
const POINTS_24: ClaimPoints = ClaimPoints {
    win: [31, 31],
    draw: Some(24),
};

/// The three ranks of the enemy camp.
fn camp(side: Side) -> Bitboard {
    Square::all()
        .filter(|square| square.relative_rank(side) < 3)
        .collect()
}

impl Board {
    /// Points of `side` for its pieces in the enemy camp and in hand: 5 for rooks and bishops, 1 for others, 0 for the king.
    pub fn declaration_points(&self, side: Side) -> u32 {
        let in_camp = self.pieces(side) & camp(side);
        let majors = [Kind::Bishop, Kind::Rook, Kind::Horse, Kind::Dragon];
        let big: u32 = majors
            .iter()
            .map(|kind| (in_camp & self.kinds[kind.index()]).count())
            .sum();
        let hand = self.hand(side);
        let big_in_hand = hand.count(Kind::Bishop) + hand.count(Kind::Rook);
        let king = (in_camp & self.kinds[Kind::King.index()]).count();
        in_camp.count() - king + 4 * big + hand.total() + 4 * big_in_hand
    }

    /// What a declaration by the side to move is worth when these points decide.
    pub(super) fn judge_declaration(&self, points: &ClaimPoints) -> Claim {
        let us = self.side();
        let king_entered = self.king(us).relative_rank(us) < 3;
        if !king_entered || self.checkers().non_empty() {
            return Claim::Invalid;
        }
        if (self.pieces(us) & camp(us)).count() < 11 {
            return Claim::Invalid;
        }
        let held = self.declaration_points(us);
        if held >= points.win[us.index()] {
            Claim::Win
        } else if points.draw.is_some_and(|draw| held >= draw) {
            Claim::Draw
        } else {
            Claim::Invalid
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[test]
    fn a_declaration_is_judged_by_points_pieces_and_the_king() {
        let entered = |hand: &str| format!("+R+R1+B+BK3/PPPPPP3/6P2/9/9/9/9/9/4k4 b {hand} 1");
        let second = "4K4/9/9/9/9/9/2p6/3pppppp/3k+b+b1+r+r w - 1".to_owned();
        let nine_others = "+R+R1+B+BK3/PPPPP4/9/9/9/9/9/9/4k4 b 8P 1".to_owned();
        let in_check = "+R2+B+BK2r/PPPPPP3/6PGG/9/9/9/9/9/4k4 b 8P 1".to_owned();
        let outside = "+R+R1+B+B4/PPPPPP3/5GPGG/4K4/9/9/9/9/4k4 b 8P 1".to_owned();
        for (sfen, points, rule, expected) in [
            (entered("-"), 27, DeclarationRule::Points27, Claim::Invalid),
            (entered("P"), 28, DeclarationRule::Points27, Claim::Win),
            (second, 27, DeclarationRule::Points27, Claim::Win),
            (nine_others, 33, DeclarationRule::Points27, Claim::Invalid),
            (in_check, 32, DeclarationRule::Points27, Claim::Invalid),
            (outside, 38, DeclarationRule::Points27, Claim::Invalid),
            (entered("-"), 27, DeclarationRule::Points24, Claim::Draw),
            (entered("4P"), 31, DeclarationRule::Points24, Claim::Win),
            (entered("4P"), 31, DeclarationRule::Off, Claim::Invalid),
        ] {
            let board = Board::from_sfen(&sfen).unwrap();
            assert_eq!(board.declaration_points(board.side), points, "{sfen}");
            assert_eq!(board.claim(rule.points()), expected, "{sfen}");
        }
    }
}
