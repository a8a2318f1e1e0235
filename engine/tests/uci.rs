//! The real program, spoken to as programs of chess would.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conversation;

use conversation::{Conversation, converse, nodes_of_last};

/// The rest of the word after `name` in the last line that has it.
fn last_value<'a>(said: &'a [String], name: &str) -> &'a str {
    let key = format!(" {name} ");
    let line = said.iter().rev().find(|line| line.contains(&key)).unwrap();
    line.split(&key).nth(1).unwrap().split(' ').next().unwrap()
}

fn bestmove(said: &[String]) -> &str {
    let line = said
        .iter()
        .rev()
        .find(|line| line.starts_with("bestmove"))
        .unwrap();
    line.split(' ').nth(1).unwrap()
}

/// The answer to a position, in few nodes.
fn answer(lines: &[&str]) -> String {
    bestmove(&converse(&[&["uci"], lines].concat())).to_owned()
}

#[test]
fn the_handshake_names_the_engine_its_own_options_and_every_setting() {
    let said = converse(&["uci", "isready"]);
    assert!(said[0].starts_with("id name Tanren"));
    for option in [
        "option name Hash type spin default 64 min 1 max 65536",
        "option name Threads type spin default 1 min 1 max 1",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name lmr type check default true",
        "option name hash_table type check default true",
    ] {
        assert!(said.iter().any(|line| line == option), "{option}");
    }
    assert!(!said.iter().any(|line| line.contains("USI")));
    assert_eq!(said[said.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn every_option_can_be_set_to_its_default_without_a_word() {
    let announced = converse(&["uci"]);
    let options = announced
        .iter()
        .filter_map(|line| line.strip_prefix("option name "));
    let told: Vec<String> = options
        .map(|option| {
            let (name, rest) = option.split_once(" type ").unwrap();
            let value = rest.split(" default ").nth(1).unwrap().split(' ').next().unwrap();
            format!("setoption name {} value {value}", name.to_uppercase())
        })
        .collect();
    assert!(told.len() > 50);
    let lines: Vec<&str> = told.iter().map(String::as_str).collect();
    let said = converse(&[&["uci"], &lines[..], &["isready"]].concat());
    assert_eq!(said[announced.len()..], ["readyok"]);
}

#[test]
fn a_game_is_told_by_startpos_or_fen_and_moves() {
    let mated = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let said = converse(&["uci", mated, "go nodes 100"]);
    assert!(
        said.iter()
            .any(|line| line.starts_with("info depth 0 score mate 0 nodes 0 "))
    );
    assert_eq!(bestmove(&said), "(none)");
    let stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let said = converse(&["uci", stalemate, "go nodes 100"]);
    assert_eq!(last_value(&said, "score"), "cp");
    assert_eq!(bestmove(&said), "(none)");
    let one_left = "position startpos moves f2f3 e7e5 g2g4";
    let said = converse(&["uci", one_left, "go depth 3"]);
    assert!(said.iter().any(|line| line.contains("score mate 1 ")), "{said:?}");
    assert_eq!(bestmove(&said), "d8h4");
    let promotes = "position fen 8/4P1k1/8/8/8/8/1K6/8 w - - 0 1";
    assert_eq!(answer(&[promotes, "go depth 6"]), "e7e8q");
}

#[test]
fn every_form_of_go_is_answered() {
    for go in [
        "go wtime 200 btime 200",
        "go wtime 100 btime 100 winc 10 binc 10",
        "go wtime 100 btime 100 movestogo 3",
        "go movetime 20",
        "go depth 3",
        "go nodes 500",
        "go mate 1",
        "go depth 4 searchmoves a2a3 h2h3",
        "go searchmoves a2a3 nodes 100",
        "go wtime -20 btime 50",
    ] {
        let mating = "position fen 6k1/5ppp/8/8/8/8/P6P/K2R4 w - - 0 1";
        assert_eq!(answer(&[mating, go]).len(), 4, "{go}");
    }
}

#[test]
fn a_search_for_a_mate_answers_when_it_has_it() {
    let two_moves = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let said = converse(&["uci", two_moves, "go mate 2"]);
    assert!(
        said.iter().any(|line| line.contains(" score mate 2 ")),
        "{said:?}"
    );
    assert_eq!(bestmove(&said), "a1a6");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let said = converse(&["uci", "position startpos", "go depth 6 searchmoves h2h4 a2a3"]);
    assert!(["h2h4", "a2a3"].contains(&bestmove(&said)));
    let said = converse(&["uci", "position startpos", "go depth 3 searchmoves e2e5"]);
    assert!(
        said.iter()
            .any(|line| line.starts_with("info string searchmoves: move 'e2e5' is illegal"))
    );
    // What was seen of a few moves is not taken for what the position is worth.
    let afterwards = |go| converse(&["uci", "position startpos", go, "go depth 5"]);
    let best = bestmove(&afterwards("go depth 5 searchmoves a2a4")).to_owned();
    assert_ne!(best, "a2a4");
}

#[test]
fn an_infinite_search_answers_at_stop_and_a_ponder_search_at_ponderhit() {
    let mut engine = Conversation::start();
    engine.tell(&["uci", "ucinewgame", "isready", "position startpos"]);
    for (go, end) in [
        ("go infinite", "stop"),
        ("go", "stop"),
        ("go ponder wtime 100 btime 100", "ponderhit"),
        ("go ponder wtime 100000 btime 100000", "stop"),
        ("go ponder movetime 10", "ponderhit"),
        ("go infinite searchmoves e2e4", "stop"),
        ("go mate 3", "stop"),
    ] {
        engine.say(go);
        engine.until("info depth 5 ");
        engine.say("isready");
        assert!(
            !engine
                .until("readyok")
                .iter()
                .any(|line| line.starts_with("bestmove")),
            "{go}"
        );
        engine.say(end);
        engine.until("bestmove");
    }
    assert!(engine.end().is_empty());
}

#[test]
fn the_best_lines_begin_with_different_moves_and_are_told_in_order() {
    for (protocol, position) in [("uci", "position startpos"), ("usi", "position startpos")] {
        let said = converse(&[protocol, "setoption name MultiPV value 4", position, "go depth 7"]);
        let of_depth = |depth: u32| {
            let start = format!("info depth {depth} seldepth ");
            let lines = said.iter().filter(move |line| line.starts_with(&start));
            lines.cloned().collect::<Vec<String>>()
        };
        for depth in 1..=7 {
            let lines = of_depth(depth);
            let value = |line: &String, name| last_value(std::slice::from_ref(line), name).to_owned();
            let ranks: Vec<String> = lines.iter().map(|line| value(line, "multipv")).collect();
            assert_eq!(ranks, ["1", "2", "3", "4"]);
            let scores: Vec<i32> = lines
                .iter()
                .map(|line| value(line, "cp").parse().unwrap())
                .collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
            let mut firsts: Vec<String> = lines.iter().map(|line| value(line, "pv")).collect();
            if depth == 7 {
                assert_eq!(firsts[0], bestmove(&said));
            }
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), 4);
        }
    }
}

#[test]
fn every_score_is_told_in_games_of_a_thousand_if_that_is_wanted_and_only_then() {
    let position = "position startpos moves e2e4 d7d5";
    let silent = converse(&["uci", position, "go depth 5"]);
    assert!(!silent.iter().any(|line| line.contains(" wdl ")));
    let said = converse(&[
        "uci",
        "setoption name UCI_ShowWDL value true",
        position,
        "go depth 5",
    ]);
    let scores: Vec<&String> = said.iter().filter(|line| line.contains(" score ")).collect();
    assert!(scores.len() > 5);
    for line in scores {
        let (_, chances) = line.split_once(" wdl ").unwrap();
        let numbers = chances
            .split(' ')
            .take(3)
            .map(|word| word.parse::<u32>().unwrap());
        assert_eq!(numbers.sum::<u32>(), 1000, "{line}");
    }
    assert_eq!(bestmove(&said), bestmove(&silent));
}

#[test]
fn more_lines_than_moves_are_as_many_as_there_are_moves() {
    let two_moves = "position fen 8/8/8/8/8/1k6/8/K7 w - - 0 1";
    let said = converse(&["uci", "setoption name MultiPV value 9", two_moves, "go depth 2"]);
    assert!(said.iter().any(|line| line.contains("bestmove a1b1")), "{said:?}");
    let said = converse(&[
        "uci",
        "setoption name MultiPV value 500",
        "position startpos",
        "go depth 1",
    ]);
    let lines = said.iter().filter(|line| line.contains(" multipv "));
    assert_eq!(lines.count(), 20);
}

#[test]
fn castling_is_the_kings_move_of_two_squares_and_in_chess960_the_kings_move_onto_its_rook() {
    let castles = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    let go = |mv: &str| format!("go depth 1 searchmoves {mv}");
    assert_eq!(answer(&[castles, &go("e1g1")]), "e1g1");
    let on = "setoption name UCI_Chess960 value true";
    assert_eq!(answer(&[on, castles, &go("e1h1")]), "e1h1");
    let moves = "position startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7";
    assert_eq!(answer(&[moves, &go("e1g1")]), "e1g1");
    assert_eq!(answer(&[on, moves, &go("e1h1")]), "e1h1");
    let both_castled = format!("{moves} e1h1 e8h8");
    let said = converse(&["uci", on, &both_castled, "go depth 1"]);
    assert!(!said.iter().any(|line| line.contains("ignored")));
}

#[test]
fn positions_of_chess960_come_as_shredder_fen_or_x_fen() {
    let rights = ["HAha", "KQkq"];
    // The inner rook has the right: the outermost one is told by its file only.
    let inner = "position fen 4k3/8/8/8/8/8/8/RR2K3 w B - 0 1";
    for fen in rights.map(|rights| format!("position fen r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1")) {
        let said = answer(&[
            "setoption name UCI_Chess960 value true",
            &fen,
            "go depth 1 searchmoves e1a1",
        ]);
        assert_eq!(said, "e1a1");
    }
    assert_eq!(answer(&[inner, "go depth 1 searchmoves e1b1"]), "e1b1");
    let king_stays =
        "position fen 6k1/8/8/8/8/8/PPPPPPPP/RNBQNBKR w KQ - 0 1 moves e1f3 g8h8 e2e3 h8g8 f1e2 g8h8";
    let said = converse(&["uci", king_stays, "go depth 2 searchmoves g1h1"]);
    assert_eq!(bestmove(&said), "g1h1");
}

#[test]
fn what_was_learnt_is_kept_from_move_to_move_and_only_a_new_game_forgets_it() {
    let first = ["uci", "isready", "position startpos", "go depth 8"];
    let second = ["position startpos moves e2e4 e7e5", "go depth 8"];
    let with = |between: &[&str]| nodes_of_last(&[&first[..], &["isready"], between, &second].concat());
    let kept = with(&[]);
    assert_eq!(
        with(&[
            "position startpos moves e2e4",
            "setoption name hash value 64",
            "isready"
        ]),
        kept
    );
    let fresh = nodes_of_last(&[&["uci"], &second[..]].concat());
    assert_ne!(kept, fresh);
    assert_eq!(with(&["ucinewgame", "isready"]), fresh);
}

#[test]
fn nonsense_is_answered_and_survived() {
    let said = converse(&[
        "uci",
        "debug on",
        "joho",
        "setoption name UCI_Chess960 value maybe",
        "setoption name Threads value 4",
        "position startpos moves e2e4 e2e4",
        "position fen nonsense",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ",
        "go depth 1",
        "stop",
        "ponderhit",
        "isready",
    ]);
    let said = &said[said.iter().position(|line| line == "uciok").unwrap() + 1..];
    assert!(said[0].contains("unknown command: joho"));
    assert!(said[1].contains("'maybe' is not a value of 'UCI_Chess960': expected true or false"));
    assert!(said[2].contains("'4' is not a value of 'Threads': expected 1 to 1"));
    assert!(said[3].contains("move 'e2e4' is illegal"));
    assert!(said[4].contains("position ignored") && said[5].contains("position ignored"));
    assert_eq!(said.last().unwrap(), "readyok");
}

#[test]
fn perft_hears_that_it_is_to_stop_and_otherwise_ends_after_its_input() {
    let mut conversation = Conversation::start();
    conversation.tell(&["uci"]);
    conversation.say("go perft 12");
    conversation.say("isready");
    conversation.until("readyok");
    conversation.say("stop");
    let said = conversation.until("info string perft");
    assert_eq!(said.last().unwrap(), "info string perft 12 was stopped");
    conversation.say("perft 3");
    let said = conversation.end();
    assert!(said.last().unwrap().starts_with("info string perft 3 8902 nodes"));
}

#[test]
fn perft_after_an_ignored_position_counts_no_other() {
    let said = converse(&[
        "uci",
        "position fen nonsense",
        "perft 2",
        "position startpos",
        "go perft 2",
    ]);
    let said = &said[said.iter().position(|line| line == "uciok").unwrap() + 1..];
    assert!(said[0].contains("position ignored"));
    assert!(said[1].contains("perft: the last position was ignored"));
    assert!(said[2].starts_with("info string perft 2 400 nodes"));
}

#[test]
fn a_first_iteration_is_finished_however_little_time_there_is() {
    let said = converse(&[
        "uci",
        "isready",
        "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
        "go wtime 1 btime 1",
        "go movetime 1",
    ]);
    let moves: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(moves, ["bestmove a1a8", "bestmove a1a8"]);
}

#[test]
fn a_limit_that_is_no_number_is_told_and_answered_at_once() {
    let said = converse(&["uci", "go nodes many", "go depth 1 wtime x"]);
    for told in [
        "info string go: nodes 'many' is no number",
        "info string go: wtime 'x' is no number",
    ] {
        assert!(said.iter().any(|line| line == told), "{said:?}");
    }
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), 2);
}

#[test]
fn perft_counts_in_both_games() {
    let count = |lines: &[&str]| converse(lines).last().unwrap().clone();
    assert!(count(&["uci", "position startpos", "perft 3"]).starts_with("info string perft 3 8902 nodes"));
    assert!(count(&["uci", "go perft 2"]).starts_with("info string perft 2 400 nodes"));
    assert!(count(&["usi", "perft 2"]).starts_with("info string perft 2 900 nodes"));
}

#[test]
fn counters_beyond_the_rules_are_taken_for_the_nearest_and_a_go_without_a_position_gets_no_move() {
    for counters in ["101 130", "150 0", "4294967295 1"] {
        let said = converse(&[
            "uci",
            &format!("position fen 8/8/4k3/8/8/3K4/8/R7 w - - {counters}"),
            "go depth 2",
        ]);
        assert!(!said.iter().any(|line| line.contains("ignored")), "{said:?}");
        let best = said.iter().find(|line| line.starts_with("bestmove")).unwrap();
        assert!(
            best.starts_with("bestmove a1") || best.starts_with("bestmove d3"),
            "{best}"
        );
    }
    let said = converse(&["uci", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go depth 2"]);
    assert_eq!(said.last().unwrap(), "bestmove (none)");
    let said = converse(&["uci", "position fen nonsense", "position startpos", "go depth 2"]);
    assert_ne!(said.last().unwrap(), "bestmove (none)");
}

#[test]
fn a_clock_of_the_other_side_or_a_mate_in_no_number_is_no_search_without_an_end() {
    for go in [
        "go btime 1000 binc 10",
        "go wtime abc btime 1000",
        "go wtime btime 1000",
        "go nodes many btime 1000",
        "go mate x",
    ] {
        let mut conversation = Conversation::start();
        let said = conversation.tell(&["uci", go]);
        assert!(said.last().unwrap().starts_with("bestmove "), "{go}");
    }
}
