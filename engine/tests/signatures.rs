//! A change of play shows as a change of `signatures.csv`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use tanren_engine::bench;
use tanren_engine::chess;
use tanren_engine::config::Config;
use tanren_engine::search::Searchable;
use tanren_engine::shogi;

const FILE: &str = include_str!("../signatures.csv");

fn assert_plays_as_written<P: Searchable>() {
    let name = P::GAME.name();
    let written: Vec<&str> = FILE
        .lines()
        .filter(|line| line.split(',').next() == Some(name))
        .collect();
    let found: Vec<String> = bench::configurations(P::GAME)
        .into_iter()
        .map(|text| {
            let config = Config::parse(P::GAME, &text).unwrap();
            let quote = if text.contains(',') { "\"" } else { "" };
            format!("{name},{quote}{text}{quote},{}", bench::brief::<P>(&config))
        })
        .collect();
    let changed: Vec<&String> = found
        .iter()
        .filter(|line| !written.contains(&line.as_str()))
        .collect();
    assert!(
        found == written,
        "the engine plays otherwise than engine/signatures.csv says ({} of {} lines): {changed:#?}\n\
         if it is meant to, run: cargo run --release -p tanren-engine -- signatures > engine/signatures.csv",
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
