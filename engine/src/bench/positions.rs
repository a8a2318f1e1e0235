//! The fixed positions that the engine is measured by.
//!
//! In: a game. Out: texts in its notation.

use crate::game::Game;

/// Opening, middle game, attack, endgame, entering kings.
const SHOGI: &[&str] = &[
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "ln1g5/1r4k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b b BG2SLPnp 61",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "4k4/9/4+P4/3G1G3/9/9/9/4r4/3K5 b BSNPr 1",
];

/// Opening, middle game, tactics, pawn ending, rook ending.
const CHESS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/7p/3P1P1P/4K1P1/8/8 w - - 0 1",
];

/// Those of `game`.
pub(super) fn of(game: Game) -> &'static [&'static str] {
    match game {
        Game::Shogi => SHOGI,
        Game::Chess => CHESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[test]
    fn every_fixed_position_parses() {
        for text in SHOGI {
            assert!(crate::shogi::Board::parse(text).is_ok(), "{text}");
        }
        for text in CHESS {
            assert!(crate::chess::Board::parse(text).is_ok(), "{text}");
        }
    }
}
