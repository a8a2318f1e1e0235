//! Mate in one ply against a search of every move.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::game::{MoveList, Position};
use tanren_engine::shogi::{Board, Move};

/// Does the legal move mate?
fn mates(board: &Board, mv: Move) -> bool {
    let mut after = board.clone();
    after.make(mv);
    after.in_check() && after.count_legal_all() == 0
}

/// Positions of random games from an attack, all of them with the side to move not in check.
fn positions(games: u64) -> Vec<Board> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut all = Vec::new();
    let starts = [
        "startpos",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    ];
    for game in 0..games {
        let mut board = Board::parse(starts[game as usize % starts.len()]).unwrap();
        for _ in 0..150 {
            let mut list = MoveList::new();
            board.legal_all(&mut list);
            if list.is_empty() {
                break;
            }
            if !board.in_check() {
                all.push(board.clone());
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            board.make(list[(random % list.len() as u64) as usize]);
        }
    }
    all
}

#[test]
fn whatever_is_returned_is_legal_and_mates_and_most_mates_are_found() {
    let (mut existing, mut found) = (0, 0);
    for board in positions(120) {
        let mut list = MoveList::new();
        board.legal_all(&mut list);
        let exists = list.iter().any(|&mv| mates(&board, mv));
        existing += u32::from(exists);
        if let Some(mv) = board.mate_in_one() {
            assert!(list.contains(&mv), "{mv} in {board}");
            assert!(mates(&board, mv), "{mv} in {board}");
            found += 1;
        }
    }
    assert!(existing > 300, "{existing}");
    assert!(found * 100 >= existing * 90, "{found} of {existing}");
}

#[test]
fn each_kind_of_mate_is_found() {
    for (sfen, expected) in [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"),
        ("4k4/9/4PG3/9/9/9/9/9/4K4 b - 1", "4c5b"),
        ("7nk/7gl/9/8N/9/9/9/9/4K4 b - 1", "none"),
        ("7lk/7np/9/9/9/9/9/9/4K4 b N 1", "N*2c"),
        ("7lk/7np/9/9/3N5/9/9/9/4K4 b - 1", "none"),
        ("7lk/7np/9/9/6N2/9/9/9/4K4 b - 1", "3e2c"),
    ] {
        let found = Board::parse(sfen).unwrap().mate_in_one();
        let text = found.map_or("none".to_owned(), |mv| mv.to_string());
        assert_eq!(text, expected, "{sfen}");
    }
}

#[test]
fn a_pawn_drop_is_never_the_mate() {
    let board = Board::parse("4k4/9/3GPG3/9/9/9/9/9/4K4 b P 1").unwrap();
    assert!(board.mate_in_one().is_none_or(|mv| !mv.is_drop()));
}
