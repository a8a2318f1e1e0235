//! Move counts of every position in `data/shogi_perft.csv`, which up to six other programs agree on, and of the start positions of
//! Chess960. Those of `data/chess_perft.csv` are counted in `chess_rules`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use tanren_engine::chess;
use tanren_engine::game::Position;
use tanren_engine::perft::{divide, perft, perft_played};
use tanren_engine::shogi::Board;

fn rows() -> Vec<(String, u32, u64)> {
    let mut reader =
        csv::Reader::from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/shogi_perft.csv")).unwrap();
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            (
                record[0].to_owned(),
                record[1].parse().unwrap(),
                record[2].parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn move_counts_agree_with_other_programs() {
    let rows = rows();
    assert!(rows.len() >= 70);
    for (sfen, depth, nodes) in rows {
        let mut board = Board::parse(&sfen).unwrap();
        let before = board.clone();
        assert_eq!(perft(&mut board, depth), nodes, "{sfen} depth {depth}");
        assert_eq!(board, before, "{sfen} is not restored");
    }
}

#[test]
fn counting_and_playing_the_last_ply_give_the_same() {
    for (sfen, depth, nodes) in rows().into_iter().filter(|row| row.2 <= 200_000) {
        let mut board = Board::parse(&sfen).unwrap();
        assert_eq!(perft_played(&mut board, depth), nodes, "{sfen} depth {depth}");
    }
}

#[test]
fn divide_sums_to_perft() {
    let mut board = Board::start();
    let split = divide(&mut board, 3);
    assert_eq!(split.len(), 30);
    assert_eq!(split.iter().map(|(_, nodes)| nodes).sum::<u64>(), 25_470);
}

#[test]
fn three_plies_from_every_start_of_chess960_and_from_some_of_double_fischer_random_agree_with_other_programs()
{
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/chess960_perft.csv");
    let mut rows = 0;
    for record in csv::Reader::from_path(path).unwrap().records() {
        let record = record.unwrap();
        let (depth, nodes): (u32, u64) = (record[1].parse().unwrap(), record[2].parse().unwrap());
        let mut board = chess::Board::parse(&record[0]).unwrap();
        assert_eq!(perft(&mut board, depth), nodes, "{}", &record[0]);
        rows += 1;
    }
    assert_eq!(rows, 960 + 40);
}
