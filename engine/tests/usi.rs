//! The real program, spoken to as a GUI would.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conversation;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use conversation::nodes_of_last;

/// Everything the engine says to these lines; its input ends when every search has been answered.
fn talk(lines: &[&str]) -> Vec<String> {
    let searches = lines
        .iter()
        .filter(|line| line.starts_with("go ") && !line.starts_with("go mate"));
    talk_until(lines, searches.count())
}

/// Everything the engine says to these lines, which end its input as soon as it has answered so many searches.
fn talk_until(lines: &[&str], answers: usize) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tanren-engine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said: Vec<String> = Vec::new();
    let answered = |said: &[String]| said.iter().filter(|line| line.starts_with("bestmove")).count();
    while answered(&said) < answers {
        said.push(output.next().unwrap().unwrap());
    }
    drop(input);
    said.extend(output.map(Result::unwrap));
    assert!(child.wait().unwrap().success());
    said
}

fn bestmoves(lines: &[&str]) -> Vec<String> {
    talk(lines)
        .into_iter()
        .filter(|line| line.starts_with("bestmove"))
        .collect()
}

#[test]
fn the_handshake_names_the_engine_and_every_setting() {
    let lines = talk(&["usi", "isready", "quit"]);
    assert!(lines[0].starts_with("id name Tanren"));
    assert!(
        lines.iter().any(
            |line| line == "option name null_move type combo default reduce var off var prune var reduce"
        )
    );
    assert!(
        lines
            .iter()
            .any(|line| line == "option name USI_Hash type spin default 64 min 1 max 65536")
    );
    assert_eq!(lines[lines.len() - 2..], ["usiok", "readyok"]);
}

#[test]
fn a_search_by_nodes_stays_within_them_and_is_the_same_in_every_new_game() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tanren-engine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut game = || {
        input
            .write_all(b"usinewgame\nposition startpos moves 7g7f 3c3d\ngo nodes 3000\n")
            .unwrap();
        let mut said = Vec::new();
        while !said
            .last()
            .is_some_and(|line: &String| line.starts_with("bestmove"))
        {
            let line = output.next().unwrap().unwrap();
            // Speed and times differ from run to run.
            let what = line.split(" nps").next().unwrap().split(" time").next().unwrap();
            said.push(what.to_owned());
        }
        said
    };
    let (first, second) = (game(), game());
    assert!(first.len() > 2);
    assert_eq!(first, second);
    for line in &first[..first.len() - 1] {
        let nodes: u64 = line.split(" nodes ").nth(1).unwrap().parse().unwrap();
        assert!(nodes <= 3000, "{line}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_was_learnt_is_kept_from_move_to_move_and_only_a_new_game_forgets_it() {
    let first = ["isready", "position startpos", "go depth 9"];
    let second = ["position startpos moves 7g7f 3c3d", "go depth 9"];
    let with = |between: &[&str]| nodes_of_last(&[&first[..], &["isready"], between, &second].concat());
    let kept = with(&[]);
    // An option set to what it is changes nothing, nor does one that is the conversation's own.
    for idle in [
        "position startpos moves 7g7f",
        "setoption name USI_Hash value 64",
        "setoption name Overhead_ms value 10",
        "setoption name lmr value on",
        "setoption name lmr value maybe",
        "stop",
    ] {
        assert_eq!(with(&[idle, "isready"]), kept, "{idle}");
        assert_eq!(with(&[idle]), kept, "{idle}");
    }
    let fresh = nodes_of_last(&second);
    assert_ne!(kept, fresh);
    assert_eq!(with(&["usinewgame"]), fresh);
    assert_eq!(with(&["usinewgame", "isready"]), fresh);
    assert_eq!(
        with(&[
            "setoption name USI_Hash value 16",
            "setoption name USI_Hash value 64"
        ]),
        fresh
    );
}

#[test]
fn a_changed_option_counts_whether_or_not_isready_follows() {
    let second = ["position startpos moves 7g7f 3c3d", "go depth 7"];
    let first = ["isready", "position startpos", "go depth 5", "usinewgame"];
    let off = "setoption name lmr value off";
    let expected = nodes_of_last(&[&[off], &second[..]].concat());
    assert_ne!(expected, nodes_of_last(&second));
    assert_eq!(nodes_of_last(&[&first[..], &[off], &second].concat()), expected);
    assert_eq!(
        nodes_of_last(&[&first[..], &[off, "isready"], &second].concat()),
        expected
    );
}

#[test]
fn an_infinite_search_answers_at_stop_and_a_ponder_search_at_ponderhit() {
    assert_eq!(bestmoves(&["position startpos", "go infinite", "stop"]).len(), 1);
    let ponder = [
        "position startpos",
        "go ponder btime 0 wtime 0 byoyomi 50",
        "ponderhit",
    ];
    assert_eq!(bestmoves(&ponder).len(), 1);
    assert_eq!(
        bestmoves(&["position startpos", "go ponder depth 1", "stop"]).len(),
        1
    );
}

#[test]
fn the_end_of_input_ends_every_search_and_the_engine() {
    for go in [
        "go infinite",
        "go ponder",
        "go ponder btime 600000 wtime 600000",
        "go nodes 1000000000000",
        "go depth 100",
        "go movetime 86400000",
        "go btime 86400000 wtime 86400000",
    ] {
        let lines = talk_until(&["position startpos", go], 0);
        assert!(lines.last().unwrap().starts_with("bestmove"), "{go}: {lines:?}");
    }
}

#[test]
fn more_memory_than_there_is_is_refused_and_the_engine_goes_on() {
    let lines = talk(&["setoption name USI_Hash value 65536", "isready"]);
    // A machine that has so much, or promises it, gives it only when it is used.
    let is_refused = lines[0].contains("USI_Hash stays 64: the system does not give 65536 MiB");
    assert!(is_refused || lines == ["readyok"], "{lines:?}");
}

#[test]
fn a_line_without_an_end_takes_no_memory_and_the_next_one_is_heard() {
    let endless = "x".repeat(5 << 20);
    let lines = talk(&[&endless, "isready"]);
    assert_eq!(
        lines,
        ["info string a line that is too long was ignored", "readyok"]
    );
}

#[test]
fn a_mated_side_resigns_and_a_side_that_can_declare_wins() {
    let mated = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    assert_eq!(bestmoves(&[mated, "go nodes 100"]), ["bestmove resign"]);
    let entered = "position sfen +R+R1+B+BK3/PPPPPP3/6P2/9/9/9/9/9/4k4 b P 1";
    assert_eq!(bestmoves(&[entered, "go nodes 100"]), ["bestmove win"]);
    let moves = bestmoves(&["setoption name declaration value off", entered, "go nodes 100"]);
    assert_ne!(moves, ["bestmove win"]);
}

#[test]
fn mate_in_one_is_found_and_reported_in_plies() {
    let lines = talk(&["position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go nodes 5000"]);
    assert!(
        lines.iter().any(|line| line.contains("score mate 1 ")),
        "{lines:?}"
    );
    assert!(lines.last().unwrap().starts_with("bestmove G*5b"));
}

#[test]
fn nonsense_is_answered_and_survived() {
    let lines = talk(&[
        "xyzzy",
        "setoption name null_move value maybe",
        "setoption name Threads value 4",
        "position startpos moves 7g7f 7g7f",
        "position sfen nonsense",
        "\u{ff}\u{0}",
        "go mate infinite",
        "go depth 1",
    ]);
    assert!(lines[0].contains("unknown command: xyzzy"));
    assert!(lines[1].contains("'maybe' is not a value of 'null_move'"));
    assert!(lines[2].contains("unknown setting 'Threads'"));
    assert!(lines[3].contains("move '7g7f' is illegal"));
    assert!(lines[4].contains("position ignored"));
    assert!(lines.contains(&"checkmate notimplemented".to_owned()));
    assert!(lines.last().unwrap().starts_with("bestmove"));
}

#[test]
fn absurd_clocks_and_move_numbers_are_survived() {
    let clock = "go btime 9223372036854775807 wtime 9223372036854775807 binc 9223372036854775807 depth 2";
    assert_eq!(bestmoves(&["position startpos", clock]).len(), 1);
    let late = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b G 65535 moves G*5h 5a5b";
    assert_eq!(bestmoves(&[late, "go depth 2"]).len(), 1);
}

#[test]
fn a_clock_is_respected() {
    let started = std::time::Instant::now();
    let moves = bestmoves(&[
        "position startpos",
        "go btime 0 wtime 0 byoyomi 200",
        "position startpos moves 7g7f",
    ]);
    assert_eq!(moves.len(), 1);
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn a_ponder_hit_after_enough_iterations_is_answered_at_once() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tanren-engine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |start: &str| {
        let mut lines = output.by_ref().map(Result::unwrap);
        lines.find(|line| line.starts_with(start)).unwrap()
    };
    let own = "setoption name ponder_iterations value on\nposition startpos\ngo byoyomi 60000 depth 3\n";
    input.write_all(own.as_bytes()).unwrap();
    until("bestmove");
    let ponder = "position startpos moves 7g7f 3c3d\ngo ponder btime 0 wtime 0 byoyomi 600000\n";
    input.write_all(ponder.as_bytes()).unwrap();
    until("info depth 5 ");
    let hit = std::time::Instant::now();
    input.write_all(b"ponderhit\n").unwrap();
    until("bestmove");
    assert!(hit.elapsed().as_secs() < 60);
    drop(input);
    assert!(child.wait().unwrap().success());
}
