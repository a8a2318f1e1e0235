//! Declaration of a win when both kings have entered the enemy camp (CSA rules).
//!
//! In: a [`Board`] and the rule in force. Out: what declaring would be worth. Must not: declare by itself.

use super::bitboard::Bitboard;
use super::board::Board;
use super::piece::Kind;
use super::square::Square;
use crate::game::{Declaration, DeclarationRule, Side};

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

    /// What a declaration by the side to move is worth.
    pub(super) fn judge_declaration(&self, rule: DeclarationRule) -> Declaration {
        let us = self.side();
        let king_entered = self.king(us).relative_rank(us) < 3;
        if rule == DeclarationRule::Off || !king_entered || self.checkers().non_empty() {
            return Declaration::Invalid;
        }
        if (self.pieces(us) & camp(us)).count() < 11 {
            return Declaration::Invalid;
        }
        let points = self.declaration_points(us);
        match rule {
            DeclarationRule::Points24 if points >= 31 => Declaration::Win,
            DeclarationRule::Points24 if points >= 24 => Declaration::Draw,
            DeclarationRule::Points27 if points >= 28 - us.index() as u32 => Declaration::Win,
            _ => Declaration::Invalid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(sfen: &str, rule: DeclarationRule) -> Declaration {
        Board::from_sfen(sfen).unwrap().judge_declaration(rule)
    }

    #[test]
    fn the_first_side_needs_28_points() {
        let with = |hand: &str| format!("+R+R1+B+BK3/PPPPPP3/6P2/9/9/9/9/9/4k4 b {hand} 1");
        assert_eq!(judge(&with("-"), DeclarationRule::Points27), Declaration::Invalid);
        assert_eq!(judge(&with("P"), DeclarationRule::Points27), Declaration::Win);
    }

    #[test]
    fn the_second_side_needs_27_points() {
        let sfen = "4K4/9/9/9/9/9/2p6/3pppppp/3k+b+b1+r+r w - 1";
        assert_eq!(
            Board::from_sfen(sfen).unwrap().declaration_points(Side::Second),
            27
        );
        assert_eq!(judge(sfen, DeclarationRule::Points27), Declaration::Win);
    }

    #[test]
    fn ten_other_pieces_must_stand_in_the_camp() {
        let sfen = "+R+R1+B+BK3/PPPPP4/9/9/9/9/9/9/4k4 b 8P 1";
        assert_eq!(
            Board::from_sfen(sfen).unwrap().declaration_points(Side::First),
            33
        );
        assert_eq!(judge(sfen, DeclarationRule::Points27), Declaration::Invalid);
    }

    #[test]
    fn a_king_in_check_or_outside_the_camp_cannot_declare() {
        let check = "+R+R1+B+BK2r/PPPPPP3/6P2/9/9/9/9/9/4k4 b 5P 1";
        assert!(Board::from_sfen(check).is_err(), "three rooks");
        let check = "+R2+B+BK2r/PPPPPP3/6PGG/9/9/9/9/9/4k4 b 8P 1";
        assert_eq!(judge(check, DeclarationRule::Points27), Declaration::Invalid);
        let outside = "+R+R1+B+B4/PPPPPP3/5GPGG/4K4/9/9/9/9/4k4 b 8P 1";
        assert_eq!(judge(outside, DeclarationRule::Points27), Declaration::Invalid);
    }

    #[test]
    fn the_24_point_rule_wins_from_31_and_draws_from_24() {
        let with = |hand: &str| format!("+R+R1+B+BK3/PPPPPP3/6P2/9/9/9/9/9/4k4 b {hand} 1");
        assert_eq!(judge(&with("-"), DeclarationRule::Points24), Declaration::Draw);
        assert_eq!(judge(&with("4P"), DeclarationRule::Points24), Declaration::Win);
        assert_eq!(judge(&with("4P"), DeclarationRule::Off), Declaration::Invalid);
    }
}
