//! Threats against the side to move: its pieces that the enemy attacks and may win, and the squares next to its king.

use super::learned::{ring_weight, several_weight, threat_weight};
use crate::shogi::{AttackMap, Bitboard, Board, Kind, Steps, king_attacks};

/// Why a piece may be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threat {
    /// It is attacked and not defended.
    Undefended,
    /// It is defended, and attacked by something cheaper.
    Cheaper,
    /// It is defended once and attacked twice.
    Outnumbered,
}

/// What is counted of the squares next to the king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ring {
    /// The enemy attacks them.
    Attacked,
    /// Two enemy pieces or more attack them.
    AttackedTwice,
    /// The king can go there.
    Free,
}

/// Calls `each` with the place of every weight that holds, some several times.
pub fn threats(board: &Board, each: impl FnMut(usize)) {
    let side = board.side();
    let [own, enemy] =
        [side, side.opponent()].map(|side| board.attack_map(side, &Steps::of(board, side), |_, _| {}));
    threats_between(board, &own, &enemy, each);
}

/// The same, by what the side to move and its opponent attack.
#[inline]
pub(super) fn threats_between(
    board: &Board,
    own_map: &AttackMap,
    enemy_map: &AttackMap,
    mut each: impl FnMut(usize),
) {
    let side = board.side();
    let (own, king) = (board.pieces(side), board.king(side));
    let attacked = (own & enemy_map.all).without(Bitboard::of(king));
    let defended = attacked & own_map.all;
    let cheaper = defended & board.attacked_by_cheaper(enemy_map);
    let doubtful = (defended & enemy_map.twice).without(cheaper);
    let mut found = 0;
    let mut add = |threat, square| {
        let kind = board.piece_on(square).kind();
        each(threat_weight(threat, kind));
        if kind != Kind::Pawn {
            found += 1;
            if found > 1 {
                each(several_weight());
            }
        }
    };
    attacked
        .without(own_map.all)
        .for_each(|square| add(Threat::Undefended, square));
    cheaper.for_each(|square| add(Threat::Cheaper, square));
    doubtful.for_each(|square| {
        // `own_map.twice` is not read, so that the compiler drops it: finding the defenders of few squares costs less.
        if !board.attackers(square, side, board.occupied()).is_several() {
            add(Threat::Outnumbered, square);
        }
    });
    let ring = king_attacks(king);
    each(ring_weight(
        Ring::Attacked,
        (ring & enemy_map.all).count() as usize,
    ));
    each(ring_weight(
        Ring::AttackedTwice,
        (ring & enemy_map.twice).count() as usize,
    ));
    each(ring_weight(
        Ring::Free,
        ring.without(own | enemy_map.all).count() as usize,
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[test]
    fn threats_counted_by_hand() {
        let ring = |attacked, twice, free| {
            vec![
                ring_weight(Ring::Attacked, attacked),
                ring_weight(Ring::AttackedTwice, twice),
                ring_weight(Ring::Free, free),
            ]
        };
        let cases = [
            // The rook attacks the silver, which nothing defends.
            (
                "4k4/9/9/9/4r4/9/4S4/9/4K4 b - 1",
                vec![threat_weight(Threat::Undefended, Kind::Silver)],
                ring(0, 0, 5),
            ),
            // Now the king does.
            ("4k4/9/9/9/4r4/9/4S4/4K4/9 b - 1", vec![], ring(1, 0, 7)),
            // A second attacker, a bishop, is one too many.
            (
                "4k4/9/9/1b7/4r4/9/4S4/4K4/9 b - 1",
                vec![threat_weight(Threat::Outnumbered, Kind::Silver)],
                ring(1, 1, 7),
            ),
            // A pawn attacks a rook that the king defends; the tokin beyond it is free to take, and the second threat.
            (
                "4k4/9/9/4p4/4R4/4K4/9/9/r7+P b - 1",
                vec![
                    threat_weight(Threat::Undefended, Kind::ProPawn),
                    threat_weight(Threat::Cheaper, Kind::Rook),
                    several_weight(),
                ],
                ring(1, 0, 7),
            ),
        ];
        for (sfen, mut expected, ring) in cases {
            expected.extend(ring);
            let mut found = Vec::new();
            threats(&Board::parse(sfen).unwrap(), |place| found.push(place));
            assert_eq!(found, expected, "{sfen}");
        }
    }
}
