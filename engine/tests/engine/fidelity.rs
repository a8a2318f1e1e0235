//! What the evaluation of chess counts that Sayuri's counts too, against `fidelity.csv`: ten positions, each term counted by hand.
//!
//! `cargo test -p tanren-engine --test engine fidelity -- --nocapture` prints the counts with their values by the preset `sayuri`.

use std::ops::Range;

use tanren_engine::chess::Board;
use tanren_engine::config::Config;
use tanren_engine::eval::Evaluate;
use tanren_engine::eval::chess::{Evaluator, FEATURES, Feature, PawnTable, SAYURI_FEATURES, counts};
use tanren_engine::game::{Game, Position};

use crate::common::rows;

/// A position, and what White and Black have of the features that the columns of `file` name.
fn table(file: &str) -> Vec<(String, [Vec<i16>; 2])> {
    let numbers = |row: &csv::StringRecord| row.iter().skip(2).map(|text| text.parse().unwrap()).collect();
    let pairs = rows(file);
    let pairs = pairs.chunks(2).map(|pair| {
        assert_eq!((&pair[0][1], &pair[1][1]), ("white", "black"));
        assert_eq!(pair[0][0], pair[1][0]);
        (pair[0][0].to_owned(), [numbers(&pair[0]), numbers(&pair[1])])
    });
    pairs.collect()
}

/// The positions of `file` are counted as it says, and each of `features`, its columns, is there somewhere. Returns the counts as text.
fn assert_counts(file: &str, features: Range<usize>) -> String {
    let mut text = String::new();
    let mut unseen: Vec<&str> = Feature::ALL[features.clone()]
        .iter()
        .map(|feature| feature.name())
        .collect();
    for (fen, expected) in table(file) {
        let found = counts(&Board::parse(&fen).unwrap());
        text += &format!("\n{fen}\n{:24}{:>6}{:>6}\n", "term", "White", "Black");
        for (column, index) in features.clone().enumerate() {
            let (name, white, black) = (Feature::ALL[index].name(), found[0][index], found[1][index]);
            if (white, black) != (0, 0) {
                text += &format!("{name:24}{white:>6}{black:>6}\n");
                unseen.retain(|other| *other != name);
            }
            let expected = (expected[0][column], expected[1][column]);
            assert_eq!((white, black), expected, "{name} in {fen}");
        }
    }
    assert!(unseen.is_empty(), "no position shows {unseen:?}");
    text
}

#[test]
fn ten_positions_are_counted_as_by_hand_term_by_term() {
    assert_eq!(table("fidelity.csv").len(), 10);
    println!("{}", assert_counts("fidelity.csv", 0..SAYURI_FEATURES));
}

/// Counted by a slow program that goes from square to square.
#[test]
fn what_sayuri_does_not_count_is_counted_as_square_by_square() {
    assert_counts("chess_features.csv", SAYURI_FEATURES..FEATURES);
}

#[test]
fn the_value_of_the_counts_is_their_sum_by_the_published_weights() {
    let mut config = Config::preset(Game::Chess, "sayuri").unwrap();
    for piece in ["pawn", "knight", "bishop", "rook", "queen", "king"] {
        config
            .set(Game::Chess, &format!("eval.placement.{piece}"), "0")
            .unwrap();
    }
    let evaluator = Evaluator::new(&config);
    let value = |fen: &str| {
        let board = Board::parse(fen).unwrap();
        evaluator.evaluate(&board, &evaluator.refresh(&board), &mut PawnTable::default())
    };
    // Seven pieces, all ending: a pawn more 100; passed 1 x 45.3; protected 16.0; doubled +2 x 13.5; isolated +1 x 8.0; moves of pawns 3 x 2.4.
    assert_eq!(value("4k3/7p/7p/3P4/2P5/8/P7/4K3 w - - 0 1"), 100 + 103);
    // With 32 pieces all opening: Black's queen is out with four minor pieces at home, 4 x 26.9; moves: pawns -3 x 1.2, knights 2 x 0.8,
    // bishops 0, rooks 1 x 4.8, queens -12 x 2.8, kings 0; one attack near the king by the queen, -8.0.
    // 107.6 - 3.6 + 1.6 + 4.8 - 33.6 - 8.0 = 68.8.
    let early = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    assert_eq!(value(early), 68);
    assert_eq!(value(&early.replace(" w ", " b ")), -68);
}
