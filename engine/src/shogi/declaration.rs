//! Declaration of a win when both kings have entered the enemy camp (CSA rules).

use super::movegen::CAMPS;
use super::{Bitboard, Board, Kind};
use crate::game::{Claim, ClaimRule, Side};
use crate::named::named;

named! {
    /// Which declaration (impasse) rule is in force, the players agreed on.
    #[derive(Default)]
    DeclarationRule {
        Off = "off", "No declaration.";
        #[default]
        Points27 = "27", "27-point rule: the first side needs 28 points, the second 27, to win.";
        Points24 = "24", "24-point rule: 31 points win, 24 to 30 are a draw.";
        Points27Handicap = "27h", "27-point rule of handicap games: Gote counts the missing pieces.";
        Points24Handicap = "24h", "24-point rule of handicap games: Gote counts the missing pieces.";
        Try = "try", "Try rule: a king that reaches the square where the enemy king starts wins.";
    }
}

impl DeclarationRule {
    /// The values of the USI option `EnteringKingRule` that YaneuraOu made common, in the order of [`ALL`](DeclarationRule::ALL).
    pub const USI_NAMES: [&'static str; 6] = [
        "NoEnteringKing",
        "CSARule27",
        "CSARule24",
        "CSARule27H",
        "CSARule24H",
        "TryRule",
    ];

    /// What `EnteringKingRule` calls it.
    pub fn usi_name(self) -> &'static str {
        DeclarationRule::USI_NAMES[self as usize]
    }

    /// When a king in the enemy camp wins, `None` if it never does.
    #[inline]
    pub fn claim(self) -> Option<&'static ClaimRule> {
        match self {
            DeclarationRule::Off => None,
            DeclarationRule::Points27 => Some(&POINTS_27),
            DeclarationRule::Points24 => Some(&POINTS_24),
            DeclarationRule::Points27Handicap => Some(&POINTS_27_HANDICAP),
            DeclarationRule::Points24Handicap => Some(&POINTS_24_HANDICAP),
            DeclarationRule::Try => Some(&ClaimRule::Try),
        }
    }
}

const POINTS_27: ClaimRule = points([28, 27], None, false);
const POINTS_24: ClaimRule = points([31, 31], Some(24), false);
const POINTS_27_HANDICAP: ClaimRule = points([28, 27], None, true);
const POINTS_24_HANDICAP: ClaimRule = points([31, 31], Some(24), true);

/// Of all pieces but the kings.
const POINTS_IN_ALL: u32 = 54;

const fn points(win: [u32; 2], draw: Option<u32>, counts_missing: bool) -> ClaimRule {
    ClaimRule::Points {
        win,
        draw,
        counts_missing,
    }
}

impl Board {
    /// Points of `side` for its pieces in the enemy camp and in hand: 5 for rooks and bishops, 1 for others, 0 for the king.
    pub fn declaration_points(&self, side: Side) -> u32 {
        self.points_on(self.pieces(side) & CAMPS[side.index()]) + self.points_in_hand(side)
    }

    fn points_on(&self, squares: Bitboard) -> u32 {
        let majors = [Kind::Bishop, Kind::Rook, Kind::Horse, Kind::Dragon];
        let count = |kind: Kind| (squares & self.kinds[kind.index()]).count();
        (squares & self.occupied()).count() - count(Kind::King) + 4 * majors.map(count).iter().sum::<u32>()
    }

    fn points_in_hand(&self, side: Side) -> u32 {
        let hand = self.hand(side);
        hand.total() + 4 * (hand.count(Kind::Bishop) + hand.count(Kind::Rook))
    }

    /// Points of the pieces that are not in the game.
    #[cold]
    fn missing_points(&self) -> u32 {
        let in_hands = self.points_in_hand(Side::First) + self.points_in_hand(Side::Second);
        POINTS_IN_ALL.saturating_sub(self.points_on(Bitboard::ALL) + in_hands)
    }

    /// What a declaration by the side to move is worth under `rule`.
    #[inline]
    pub(super) fn judge_declaration(&self, rule: &ClaimRule) -> Claim {
        let has_entered = CAMPS[self.side.index()].has(self.king(self.side));
        if has_entered || matches!(rule, ClaimRule::Try) {
            self.judge_entered(rule)
        } else {
            Claim::Invalid
        }
    }

    /// That of a side whose king is in the enemy camp, or under the try rule.
    fn judge_entered(&self, rule: &ClaimRule) -> Claim {
        let us = self.side();
        let (win, draw, counts_missing) = match rule {
            ClaimRule::Points {
                win,
                draw,
                counts_missing,
            } => (win, draw, *counts_missing),
            ClaimRule::Try => return self.judge_try(),
        };
        if self.checkers().non_empty() {
            return Claim::Invalid;
        }
        if (self.pieces(us) & CAMPS[us.index()]).count() < 11 {
            return Claim::Invalid;
        }
        let mut held = self.declaration_points(us);
        if counts_missing && us == Side::Second {
            held += self.missing_points();
        }
        if held >= win[us.index()] {
            Claim::Win
        } else if draw.is_some_and(|draw| held >= draw) {
            Claim::Draw
        } else {
            Claim::Invalid
        }
    }

    #[cold]
    fn judge_try(&self) -> Claim {
        let us = self.side();
        // 5a for Sente, 5i for Gote.
        let has_reached = |side: Side| {
            let king = self.king(side);
            king.file() == 4 && king.relative_rank(side) == 0
        };
        if has_reached(us.opponent()) {
            Claim::Loss
        } else if has_reached(us) {
            Claim::Win
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
        // Without rooks and bishops 20 points are missing: they are Gote's.
        let upper = "4K4/9/9/9/9/9/9/pp7/ggggkssss w 9P4N4L7p 1".to_owned();
        let lower = "GGGGKSSSS/PP7/9/9/9/9/9/9/4k4 b 7P9p4n4l 1".to_owned();
        let tried = "9/9/4K4/9/9/9/9/9/4k4 b - 1";
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
            (upper.clone(), 17, DeclarationRule::Points27Handicap, Claim::Win),
            (upper.clone(), 17, DeclarationRule::Points24Handicap, Claim::Win),
            (upper, 17, DeclarationRule::Points27, Claim::Invalid),
            (lower, 17, DeclarationRule::Points27Handicap, Claim::Invalid),
            (
                "9/4K4/9/9/9/9/9/9/3k5 b - 1".to_owned(),
                0,
                DeclarationRule::Try,
                Claim::Invalid,
            ),
            (tried.to_owned(), 0, DeclarationRule::Try, Claim::Loss),
            (tried.replace(" b ", " w "), 0, DeclarationRule::Try, Claim::Win),
        ] {
            let board = Board::from_sfen(&sfen).unwrap();
            assert_eq!(board.declaration_points(board.side), points, "{sfen}");
            assert_eq!(board.claim(rule.claim()), expected, "{sfen}");
        }
    }
}
