//! USI and UCI: options, positions and what is refused.

use std::process::Command;

use crate::program::{Engine, MATED, bestmove, converse, has, last_value, nodes_of_last, run, uci};

const ENTERED: &str = "position sfen +R+R1+B+BK3/PPPPPP3/6P2/9/9/9/9/9/4k4 b P 1";
const CHESS960: &str = "setoption name UCI_Chess960 value true";

#[test]
fn a_gui_gets_the_usual_options_and_every_setting_only_where_asked_for() {
    let usi = converse(&["usi", "isready"]);
    assert!(usi[0].starts_with("id name Tanren"));
    assert!(usi.contains(&"option name USI_Hash type spin default 64 min 1 max 65536".to_owned()));
    assert!(usi.len() < 12 && !has(&usi, "name lmr "));
    assert_eq!(usi[usi.len() - 2..], ["usiok", "readyok"]);
    let all = run(&["--tunables"], &["usi"]);
    assert!(all.len() > 100);
    assert!(
        all.contains(
            &"option name null_move type combo default prune var off var prune var reduce".to_owned()
        )
    );
    let all = run(&["--tunables"], &["uci"]);
    for option in [
        "option name Hash type spin default 64 min 1 max 65536",
        "option name Threads type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name SyzygyPath type string default <empty>",
        "option name lmr type check default true",
        "option name hash_table type check default true",
    ] {
        assert!(all.iter().any(|line| line == option), "{option}");
    }
    assert!(!has(&all, "USI"));
}

#[test]
fn the_first_command_chooses_the_protocol_and_case_means_nothing_in_the_name_of_an_option() {
    for (lines, last) in [
        (&["", "  \r", " uci \r"][..], "uciok"),
        (&["usi"], "usiok"),
        (
            &["setoption name UCI_Chess960 value true", "debug off", "uci"],
            "uciok",
        ),
        (&["\u{feff}uci"], "uciok"),
        (&["isready", "uci"], "usiok"),
        (&["uci", "setoption name HASH value 0"], "expected 1 to 65536"),
        (&["setoption name usi_hash value 0"], "expected 1 to 65536"),
        (
            &["setoption name Hash value 0"],
            "is not a value of 'hash': expected on or off",
        ),
        (
            &["setoption name UCI_Chess960 value true"],
            "unknown setting 'UCI_Chess960'",
        ),
        (
            &["uci", "setoption name uci_chess960 value 1"],
            "expected true or false",
        ),
    ] {
        let mut engine = Engine::start(&[]);
        lines.iter().for_each(|line| engine.say(line));
        let said = engine.end();
        assert!(said.last().unwrap().contains(last), "{lines:?}: {said:?}");
    }
    assert_eq!(converse(&[]), [""; 0]);
    let early = [
        "setoption name MultiPV value 2",
        "uci",
        "position startpos",
        "go depth 1",
    ];
    assert!(has(&converse(&early), "multipv 2"));
}

#[test]
fn every_option_can_be_set_to_its_default_without_a_word() {
    let announced = run(&["--tunables"], &["uci"]);
    let options = announced
        .iter()
        .filter_map(|line| line.strip_prefix("option name "));
    let set: Vec<String> = options
        .map(|option| {
            let (name, rest) = option.split_once(" type ").unwrap();
            let value = last_value(std::slice::from_ref(&rest.to_owned()), "default").to_owned();
            format!("setoption name {} value {value}", name.to_uppercase())
        })
        .collect();
    assert!(set.len() > 100);
    let lines: Vec<&str> = set.iter().map(String::as_str).collect();
    assert_eq!(uci(&[&lines[..], &["isready"]].concat()), ["readyok"]);
}

#[test]
fn the_command_line_explains_itself() {
    let program = || Command::new(env!("CARGO_BIN_EXE_tanren-engine"));
    let help = program().arg("--help").output().unwrap();
    assert!(help.status.success() && String::from_utf8(help.stdout).unwrap().contains("--tunables"));
    let wrong = program().args(["bench", "go"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn positions_without_a_game_to_play_are_answered_as_the_protocol_has_it() {
    assert_eq!(bestmove(&converse(&[MATED, "go nodes 100"])), "resign");
    let declared = converse(&[ENTERED, "go nodes 100"]);
    assert!(has(&declared, "score mate 1 "), "{declared:?}");
    assert_eq!(bestmove(&declared), "win");
    let undeclared = ["setoption name declaration value off", ENTERED, "go nodes 100"];
    assert_ne!(bestmove(&converse(&undeclared)), "win");
    let mated = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    for (position, score) in [(mated, "mate 0"), (stalemate, "cp 0")] {
        for lines in [1, 3] {
            let several = format!("setoption name MultiPV value {lines}");
            let said = uci(&[&several, position, "go nodes 100"]);
            assert!(has(&said, &format!("score {score} ")), "{said:?}");
            assert_eq!(bestmove(&said), "(none)");
        }
    }
}

#[test]
fn every_score_has_a_wdl_of_a_thousand_if_that_is_wanted_and_only_then() {
    let position = ["position startpos moves e2e4 d7d5", "go depth 5"];
    let silent = uci(&position);
    assert!(!has(&silent, " wdl "));
    let said = uci(&[&["setoption name UCI_ShowWDL value true"], &position[..]].concat());
    let scores = said.iter().filter(|line| line.contains(" score "));
    for line in scores.clone() {
        let (_, wdl) = line.split_once(" wdl ").unwrap();
        let numbers = wdl.split(' ').take(3).map(|word| word.parse::<u32>().unwrap());
        assert_eq!(numbers.sum::<u32>(), 1000, "{line}");
    }
    assert!(scores.count() > 5);
    assert_eq!(bestmove(&said), bestmove(&silent));
}

#[test]
fn castling_is_the_kings_move_of_two_squares_and_in_chess960_its_move_onto_its_rook() {
    let castles = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    let moves = "position startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7";
    // The inner rook has the right: the outermost one is told by its file only.
    let inner = "position fen 4k3/8/8/8/8/8/8/RR2K3 w B - 0 1";
    for (is_chess960, position, mv) in [
        (false, castles, "e1g1"),
        (true, castles, "e1h1"),
        (false, moves, "e1g1"),
        (true, moves, "e1h1"),
        (true, &format!("{moves} e1h1 e8h8"), "d2d3"),
        (true, "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1a1"),
        (true, "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1"),
        (false, inner, "e1b1"),
        (
            false,
            "position fen 6k1/8/8/8/8/8/PPPPPPPP/RNBQNBKR w KQ - 0 1 moves e1f3 g8h8 e2e3 h8g8 f1e2 g8h8",
            "g1h1",
        ),
    ] {
        let option = if is_chess960 { CHESS960 } else { "isready" };
        let said = uci(&[option, position, &format!("go depth 2 searchmoves {mv}")]);
        assert_eq!(
            (bestmove(&said), has(&said, "info string")),
            (mv, false),
            "{position}"
        );
    }
}

#[test]
fn a_changed_option_counts_whether_or_not_isready_follows() {
    let second = ["position startpos moves 7g7f 3c3d", "go depth 7"];
    let first = ["isready", "position startpos", "go depth 5", "usinewgame"];
    let off = "setoption name lmr value off";
    let expected = nodes_of_last(&[&[off], &second[..]].concat());
    assert_ne!(expected, nodes_of_last(&second));
    for ready in [&[][..], &["isready"]] {
        let lines = [&first[..], &[off], ready, &second].concat();
        assert_eq!(nodes_of_last(&lines), expected);
    }
}

#[test]
fn more_memory_than_there_is_is_refused_and_the_engine_goes_on() {
    let lines = converse(&["setoption name USI_Hash value 65536", "isready"]);
    // A machine that has so much, or promises it, gives it only when it is used.
    let is_refused = lines[0].contains("USI_Hash stays 64: the system does not give 65536 MiB");
    assert!(is_refused || lines == ["readyok"], "{lines:?}");
}

#[test]
fn nonsense_is_answered_and_survived() {
    let endless = "x".repeat(5 << 20);
    let said = converse(&[
        "xyzzy",
        "setoption name null_move value maybe",
        "setoption name Threads value 257",
        "position startpos moves 7g7f 7g7f",
        "position sfen nonsense",
        "\u{ff}\u{0}",
        &endless,
        "go mate x",
        "go depth 1",
        "setoption name eval.learned value three_piece",
    ]);
    for text in [
        "unknown command: xyzzy",
        "'maybe' is not a value of 'null_move'",
        "'257' is not a value of 'Threads': expected 1 to 256",
        "move '7g7f' is illegal",
        "position ignored",
        "a line that is too long was ignored",
        "info string go: mate 'x' is not a number",
        "checkmate timeout",
        "bestmove resign",
    ] {
        assert!(has(&said, text), "{text}");
    }
    assert_eq!(
        has(&said, "--features three-piece"),
        !tanren_engine::config::Config::HAS_THREE_PIECE
    );
    let said = uci(&[
        "debug on",
        "setoption name UCI_Chess960 value maybe",
        "setoption name Threads value 0",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ",
        "go depth 1",
        "perft 2",
        "position startpos",
        "perft 2",
        "stop",
        "ponderhit",
        "isready",
    ]);
    for text in [
        "'maybe' is not a value of 'UCI_Chess960': expected true or false",
        "'0' is not a value of 'Threads': expected 1 to 256",
        "position ignored",
        "bestmove (none)",
        "perft: the last position was ignored",
        "info string perft 2 400 nodes",
    ] {
        assert!(has(&said, text), "{text}");
    }
    assert_eq!(said.last().unwrap(), "readyok");
}

#[test]
fn counters_beyond_the_rules_are_taken_for_the_nearest() {
    for counters in ["101 130", "150 0", "4294967295 1"] {
        let position = format!("position fen 8/8/4k3/8/8/3K4/8/R7 w - - {counters}");
        let said = uci(&[&position, "go depth 2"]);
        assert!(
            !has(&said, "ignored") && ["a1", "d3"].contains(&&bestmove(&said)[..2]),
            "{said:?}"
        );
    }
}

#[test]
fn perft_counts_in_both_games_and_hears_that_it_is_to_stop() {
    for (lines, count) in [
        (&["uci", "position startpos", "perft 3"][..], "perft 3 8902 nodes"),
        (&["uci", "go perft 2"], "perft 2 400 nodes"),
        (&["usi", "perft 2"], "perft 2 900 nodes"),
        (
            &["usi", "perft 5000"],
            "perft: depth 5000 is too deep to be counted",
        ),
    ] {
        assert!(has(&converse(lines), count), "{count}");
    }
    let mut engine = Engine::start(&[]);
    engine.tell(&["uci"]);
    engine.say("go perft 12");
    engine.tell(&["isready"]);
    engine.say("stop");
    let said = engine.until("info string perft");
    assert_eq!(said.last().unwrap(), "info string perft 12 was stopped");
    engine.say("perft 3");
    assert!(
        has(&engine.end(), "perft 3 8902 nodes"),
        "the end of the input lets it finish"
    );
}
