//! A change of play shows as a change of `signatures.csv`.

use tanren_engine::config::Config;
use tanren_engine::search::Searchable;
use tanren_engine::{bench, chess, shogi};

const FILE: &str = include_str!("../../signatures.csv");

fn assert_plays_as_written<P: Searchable>() {
    let of_game = FILE
        .lines()
        .filter(|line| line.split(',').next() == Some(P::GAME.name()));
    let is_built = |line: &&str| Config::HAS_THREE_PIECE || !line.contains("three_piece");
    let written: Vec<&str> = of_game.filter(is_built).collect();
    let found = bench::signatures::<P>();
    let is_new = |line: &&String| !written.contains(&line.as_str());
    let changed: Vec<&String> = found.iter().filter(is_new).collect();
    assert!(
        found == written,
        "the engine plays otherwise than engine/signatures.csv says ({} of {} lines): {changed:#?}\nif it is meant to, run: \
         cargo run --release -p tanren-engine --features three-piece -- signatures > engine/signatures.csv",
        changed.len(),
        found.len(),
    );
}

#[test]
fn every_preset_and_technique_of_shogi_searches_the_nodes_that_are_written_down() {
    assert_plays_as_written::<shogi::Board>();
}

#[test]
fn every_preset_and_technique_of_chess_searches_the_nodes_that_are_written_down() {
    assert_plays_as_written::<chess::Board>();
}
