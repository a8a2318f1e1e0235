//! What the evaluation of chess counts that Sayuri's counts too, against `fidelity.csv`: ten positions, each term counted by hand.
//!
//! `cargo test -p tanren-engine --test engine fidelity -- --nocapture` prints the counts with their values by the preset `sayuri`.

use tanren_engine::chess::Board;
use tanren_engine::config::Config;
use tanren_engine::eval::Evaluate;
use tanren_engine::eval::chess::{Evaluator, Feature, PawnTable, SAYURI_FEATURES, counts};
use tanren_engine::game::{Game, Position};

type Sayuri = [i16; SAYURI_FEATURES];

/// A position, and what White and Black have of each feature.
fn table() -> Vec<(String, [Sayuri; 2])> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fidelity.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let headers: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let names: Vec<String> = headers[2..].iter().map(|name| format!("eval.{name}")).collect();
    assert_eq!(names, &Feature::ALL.map(Feature::name)[..SAYURI_FEATURES]);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let numbers = |row: &csv::StringRecord| -> Sayuri {
        let numbers: Vec<i16> = row.iter().skip(2).map(|text| text.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    rows.chunks(2)
        .map(|pair| {
            assert_eq!((&pair[0][1], &pair[1][1]), ("white", "black"));
            assert_eq!(pair[0][0], pair[1][0]);
            (pair[0][0].to_owned(), [numbers(&pair[0]), numbers(&pair[1])])
        })
        .collect()
}

#[test]
fn ten_positions_are_counted_as_by_hand_term_by_term() {
    let table = table();
    assert_eq!(table.len(), 10);
    for (fen, by_hand) in &table {
        let found = counts(&Board::parse(fen).unwrap());
        println!("\n{fen}\n{:24}{:>6}{:>6}", "term", "White", "Black");
        for (index, feature) in Feature::ALL.into_iter().take(SAYURI_FEATURES).enumerate() {
            let (name, white, black) = (feature.name(), found[0][index], found[1][index]);
            if (white, black) != (0, 0) {
                println!("{name:24}{white:>6}{black:>6}");
            }
            let expected = (by_hand[0][index], by_hand[1][index]);
            assert_eq!((white, black), expected, "{name} in {fen}");
        }
    }
    let is_seen = |index: &usize| {
        table
            .iter()
            .any(|(_, counts)| counts.iter().any(|side| side[*index] != 0))
    };
    let unseen: Vec<&str> = (0..SAYURI_FEATURES)
        .filter(|index| !is_seen(index))
        .map(|index| Feature::ALL[index].name())
        .collect();
    assert!(unseen.is_empty(), "no position shows {unseen:?}");
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
        evaluator.evaluate(&board, &evaluator.refresh(&board), &mut PawnTable::new())
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
