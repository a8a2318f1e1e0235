//! Declaration of a win when both kings have entered the enemy camp (CSA rules).

use super::{Bitboard, Board, Kind, Square};
use crate::game::{Claim, ClaimPoints, Side};

/// Which declaration (impasse) rule is in force, the players agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeclarationRule {
    /// No declaration.
    Off,
    /// 27-point rule: the first side needs 28 points, the second 27, to win.
    #[default]
    Points27,
    /// 24-point rule: 31 points win, 24 to 30 are a draw.
    Points24,
}

impl DeclarationRule {
    /// The rule called `off`, `24` or `27`.
    pub fn from_name(name: &str) -> Option<Self> {
        let rules = [
            DeclarationRule::Off,
            DeclarationRule::Points24,
            DeclarationRule::Points27,
        ];
        rules.into_iter().find(|rule| rule.name() == name)
    }

    /// `off`, `24` or `27`.
    pub fn name(self) -> &'static str {
        match self {
            DeclarationRule::Off => "off",
            DeclarationRule::Points24 => "24",
            DeclarationRule::Points27 => "27",
        }
    }

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

    fn judge(sfen: &str, rule: DeclarationRule) -> Claim {
        Board::from_sfen(sfen).unwrap().claim(rule.points())
    }

    #[test]
    fn the_first_side_needs_28_points() {
        let with = |hand: &str| format!("+R+R1+B+BK3/PPPPPP3/6P2/9/9/9/9/9/4k4 b {hand} 1");
        assert_eq!(judge(&with("-"), DeclarationRule::Points27), Claim::Invalid);
        assert_eq!(judge(&with("P"), DeclarationRule::Points27), Claim::Win);
    }

    #[test]
    fn the_second_side_needs_27_points() {
        let sfen = "4K4/9/9/9/9/9/2p6/3pppppp/3k+b+b1+r+r w - 1";
        assert_eq!(
            Board::from_sfen(sfen).unwrap().declaration_points(Side::Second),
            27
        );
        assert_eq!(judge(sfen, DeclarationRule::Points27), Claim::Win);
    }

    #[test]
    fn ten_other_pieces_must_stand_in_the_camp() {
        let sfen = "+R+R1+B+BK3/PPPPP4/9/9/9/9/9/9/4k4 b 8P 1";
        assert_eq!(
            Board::from_sfen(sfen).unwrap().declaration_points(Side::First),
            33
        );
        assert_eq!(judge(sfen, DeclarationRule::Points27), Claim::Invalid);
    }

    #[test]
    fn a_king_in_check_or_outside_the_camp_cannot_declare() {
        let check = "+R+R1+B+BK2r/PPPPPP3/6P2/9/9/9/9/9/4k4 b 5P 1";
        assert!(Board::from_sfen(check).is_err(), "three rooks");
        let check = "+R2+B+BK2r/PPPPPP3/6PGG/9/9/9/9/9/4k4 b 8P 1";
        assert_eq!(judge(check, DeclarationRule::Points27), Claim::Invalid);
        let outside = "+R+R1+B+B4/PPPPPP3/5GPGG/4K4/9/9/9/9/4k4 b 8P 1";
        assert_eq!(judge(outside, DeclarationRule::Points27), Claim::Invalid);
    }

    #[test]
    fn the_24_point_rule_wins_from_31_and_draws_from_24() {
        let with = |hand: &str| format!("+R+R1+B+BK3/PPPPPP3/6P2/9/9/9/9/9/4k4 b {hand} 1");
        assert_eq!(judge(&with("-"), DeclarationRule::Points24), Claim::Draw);
        assert_eq!(judge(&with("4P"), DeclarationRule::Points24), Claim::Win);
        assert_eq!(judge(&with("4P"), DeclarationRule::Off), Claim::Invalid);
    }
}
