//! An answer that comes late, or a second one, is not taken for the answer to the next question.

use std::path::Path;

use crate::engines::faulty;
use crate::folder::{Ended, Folder, InFolder};

/// Plays a pair of the engine with this fault and returns the rows of `games.csv` and the lines of `games.sfen`.
fn play(folder: &Path, name: &str, fault: &str, limit: &str) -> (Vec<csv::StringRecord>, Vec<String>) {
    let engine = faulty(&format!(
        "{fault},time_margin_ms=400,env.FAULT_ONCE={}",
        folder.join("once").display()
    ));
    let fixed = format!("match --b plain --nodes-b 20 --max-plies 12 --pairs 1 --quiet --out {name} --a");
    folder.run(&format!("{fixed} '{engine}' {limit}")).ok();
    let moves = folder.read(format!("{name}/games.sfen"));
    (
        folder.rows(format!("{name}/games.csv")),
        moves.lines().map(str::to_owned).collect(),
    )
}

fn has(row: &csv::StringRecord, reason: &str) -> bool {
    row.iter().any(|cell| cell == reason)
}

#[test]
fn the_late_answer_of_a_game_lost_on_time_is_none_in_the_next_game() {
    let folder = &Folder::new();
    let time = "--movetime-a 300";
    let (games, moves) = play(folder, "late", "late-by-1-s 3", time);
    assert!(has(&games[0], "time_loss"), "{games:?}");
    let (undisturbed, same_moves) = play(folder, "good", "none", time);
    assert_eq!(moves[1], same_moves[1], "{games:?} {undisturbed:?}");
}

#[test]
fn a_second_answer_that_comes_after_the_next_question_wins_nothing() {
    let folder = &Folder::new();
    let nodes = "--nodes-a 20";
    let (games, moves) = play(folder, "twice", "second-bestmove-later 2", nodes);
    // Until it is noticed it can pass for one answer, of the engine that said it.
    let is_noticed = ["malformed_bestmove", "illegal_move"]
        .iter()
        .any(|reason| has(&games[0], reason));
    assert!(is_noticed, "{games:?}");
    let (_, same_moves) = play(folder, "good", "none", nodes);
    assert_eq!(
        moves[1], same_moves[1],
        "the next game begins with nothing left over"
    );
}
