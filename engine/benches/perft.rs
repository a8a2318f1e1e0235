//! Move generation beside the crate `haitaka`, in one run: `cargo bench -p tanren-engine --bench perft`.
//!
//! Both count the leaves of the same trees, with bulk counting (the last ply is counted, not played) and without.
//! The two alternate and the best of several rounds counts, since cores may be shared.
#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use std::hint::black_box;
use std::time::Instant;

use haitaka::Board as Rival;
use tanren_engine::game::Position;
use tanren_engine::perft::{perft, perft_played};
use tanren_engine::shogi::Board;

const ROUNDS: usize = 5;
const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

fn rival_bulk(board: &Rival, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_board_moves(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        board.generate_drops(|moves| {
            nodes += moves.into_iter().len() as u64;
            false
        });
        return nodes;
    }
    let mut visit = |moves: haitaka::PieceMoves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += rival_bulk(&child, depth - 1);
        }
        false
    };
    board.generate_board_moves(&mut visit);
    board.generate_drops(&mut visit);
    nodes
}

fn rival_played(board: &Rival, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    let mut visit = |moves: haitaka::PieceMoves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += rival_played(&child, depth - 1);
        }
        false
    };
    board.generate_board_moves(&mut visit);
    board.generate_drops(&mut visit);
    nodes
}

fn seconds(mut count: impl FnMut() -> u64, expected: u64) -> f64 {
    let start = Instant::now();
    assert_eq!(black_box(count()), expected, "wrong count");
    start.elapsed().as_secs_f64()
}

fn compare(name: &str, sfen: &str, depth: u32, expected: u64, bulk: bool) {
    let mut ours = Board::parse(sfen).expect("valid sfen");
    let rival: Rival = sfen.parse().expect("valid sfen");
    let (mut best, mut rival_best) = (f64::INFINITY, f64::INFINITY);
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let (mine, theirs) = if bulk {
            (
                seconds(|| perft(&mut ours, depth), expected),
                seconds(|| rival_bulk(&rival, depth), expected),
            )
        } else {
            (
                seconds(|| perft_played(&mut ours, depth), expected),
                seconds(|| rival_played(&rival, depth), expected),
            )
        };
        best = best.min(mine);
        rival_best = rival_best.min(theirs);
        ratios.push(theirs / mine);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "{name:<28} {:>7.1} M/s   haitaka {:>7.1} M/s   ratio {:.2} (median of {ROUNDS}: {:.2}, from {:.2} to {:.2})",
        expected as f64 / best / 1e6,
        expected as f64 / rival_best / 1e6,
        rival_best / best,
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1],
    );
}

fn main() {
    compare("start depth 5, bulk", START, 5, 19_861_490, true);
    compare("matsuri depth 4, bulk", MATSURI, 4, 516_925_165, true);
    compare("start depth 5, played", START, 5, 19_861_490, false);
    compare("matsuri depth 3, played", MATSURI, 3, 4_809_015, false);
}
