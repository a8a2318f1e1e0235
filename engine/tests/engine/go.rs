//! What the program answers to `go`.

use std::time::Instant;

use crate::program::{Engine, MATED, bestmove, converse, has, last_value, nodes_of_last, uci};

const ONE_MOVE: &str = "position fen 8/8/8/8/8/1k6/8/K7 w - - 0 1";
const MATING: &str = "position fen 6k1/5ppp/8/8/8/8/P6P/K2R4 w - - 0 1";

#[test]
fn mates_are_found_and_counted_in_plies_in_shogi_and_in_moves_in_chess() {
    let said = converse(&["position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go nodes 5000"]);
    assert!(has(&said, "score mate 1 ") && bestmove(&said) == "G*5b");
    let said = uci(&["position startpos moves f2f3 e7e5 g2g4", "go depth 3"]);
    assert!(has(&said, "score mate 1 ") && bestmove(&said) == "d8h4");
    let said = uci(&["position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2"]);
    assert!(has(&said, " score mate 2 ") && bestmove(&said) == "a1a6");
    let said = uci(&["position fen 8/4P1k1/8/8/8/8/1K6/8 w - - 0 1", "go depth 6"]);
    assert_eq!(bestmove(&said), "e7e8q");
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
        "go wtime 1 btime 1",
        "go btime 1000 binc 10",
        "go wtime abc btime 1000",
        "go nodes many",
        "go mate x",
    ] {
        assert_eq!(bestmove(&uci(&[MATING, go])).len(), 4, "{go}");
    }
    assert!(has(
        &uci(&["go nodes many"]),
        "info string go: nodes 'many' is not a number"
    ));
    // The first iteration is finished however little time there is.
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    assert_eq!(bestmove(&uci(&[mate, "go movetime 1"])), "a1a8");
    let absurd = "go btime 9223372036854775807 wtime 9223372036854775807 binc 9223372036854775807 depth 2";
    let late = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b G 65535 moves G*5h 5a5b";
    assert!(has(&converse(&["position startpos", absurd]), "bestmove "));
    assert!(has(&converse(&[late, "go depth 2"]), "bestmove "));
}

#[test]
fn more_threads_keep_every_limit_and_one_is_as_before() {
    for protocol in ["usi", "uci"] {
        let untimed = |said: Vec<String>| said.last().unwrap().clone();
        let game = ["position startpos", "go nodes 5000"];
        let alone = untimed(converse(&[&[protocol], &game[..]].concat()));
        let mut engine = Engine::start(&[]);
        engine.tell(&[protocol, "setoption name Threads value 3", "position startpos"]);
        for go in [
            "go nodes 20000",
            "go nodes 2",
            "go depth 5",
            "go movetime 30",
            "go btime 300 wtime 300",
        ] {
            let said = engine.tell(&[go]);
            assert_eq!(bestmove(&said).len(), 4, "{go}");
            let nodes: u64 = last_value(&said, " nodes").parse().unwrap();
            assert!(!go.contains("nodes") || nodes <= last_value(&[go.to_owned()], "nodes").parse().unwrap());
            assert!(!go.contains("depth") || last_value(&said, "info depth") == "5");
        }
        for (go, end) in [
            ("go infinite", "stop"),
            ("go ponder btime 100 wtime 100", "ponderhit"),
        ] {
            engine.say(go);
            engine.until("info depth 6 ");
            engine.say(end);
            engine.until("bestmove");
        }
        engine.say("setoption name MultiPV value 3");
        assert!(has(&engine.tell(&["go depth 4"]), " depth 4 seldepth"));
        engine.say("setoption name MultiPV value 1");
        engine.say("setoption name Threads value 1");
        engine.say("usinewgame");
        assert_eq!(untimed(engine.tell(&game)), alone);
        engine.say("setoption name Threads value 2");
        engine.say("go infinite");
        engine.until("info depth 3 ");
        engine.end();
    }
}

#[test]
fn a_clock_is_respected() {
    // On a busy machine one of several tries is undisturbed.
    let tries = (0..5).map(|_| {
        let started = Instant::now();
        converse(&["position startpos", "go btime 0 wtime 0 byoyomi 200"]);
        started.elapsed().as_millis()
    });
    let least = tries.min().unwrap();
    assert!((100..1_000).contains(&least), "{least} ms");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let said = uci(&["position startpos", "go depth 6 searchmoves h2h4 a2a3"]);
    assert!(["h2h4", "a2a3"].contains(&bestmove(&said)));
    let said = uci(&["position startpos", "go depth 3 searchmoves e2e5"]);
    assert!(said[0].starts_with("info string searchmoves: move 'e2e5' is illegal"));
    // Also one that another move is always better than.
    let said = converse(&["position startpos moves 7g7f 3c3d", "go depth 5 searchmoves 8h2b"]);
    assert_eq!(bestmove(&said), "8h2b");
    // What was seen of a few moves is not taken for what the position is worth.
    let said = uci(&["position startpos", "go depth 5 searchmoves a2a4", "go depth 5"]);
    assert_ne!(bestmove(&said), "a2a4");
}

#[test]
fn a_search_that_waits_answers_at_stop_or_ponderhit_and_not_before() {
    let mut engine = Engine::start(&[]);
    engine.tell(&["uci", "ucinewgame", "isready", "position startpos"]);
    for (go, end) in [
        ("go infinite", "stop"),
        ("go", "stop"),
        ("go ponder wtime 100 btime 100", "ponderhit"),
        ("go ponder wtime 100000 btime 100000", "stop"),
        ("go ponder movetime 10", "ponderhit"),
        ("go ponder depth 1", "stop"),
        ("go infinite searchmoves e2e4", "stop"),
        ("go mate 3", "stop"),
    ] {
        engine.say(go);
        engine.until("info depth 1 ");
        engine.say("isready");
        assert!(!has(&engine.until("readyok"), "bestmove"), "{go}");
        engine.say(end);
        engine.until("bestmove");
    }
    engine.say("position fen nonsense");
    engine.say("go infinite");
    engine.say("isready");
    assert!(!has(&engine.until("readyok"), "bestmove"));
    engine.say("stop");
    engine.until("bestmove (none)");
    assert!(engine.end().is_empty());
}

#[test]
fn a_ponder_hit_after_enough_iterations_is_answered_at_once() {
    let mut engine = Engine::start(&[]);
    let own = engine.tell(&[
        "setoption name ponder_iterations value on",
        "position startpos",
        "go byoyomi 40",
    ]);
    let enough: u32 = last_value(&own, "depth").parse().unwrap();
    engine.say("position startpos moves 7g7f 3c3d");
    engine.say("go ponder btime 0 wtime 0 byoyomi 600000");
    engine.until(&format!("info depth {} ", enough + 2));
    let hit = Instant::now();
    engine.say("ponderhit");
    engine.until("bestmove");
    // Of its 600 seconds.
    assert!(hit.elapsed().as_secs() < 20);
    engine.end();
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
        let mut engine = Engine::start(&[]);
        engine.say("position startpos");
        engine.say(go);
        assert!(engine.end().last().unwrap().starts_with("bestmove"), "{go}");
    }
}

#[test]
fn the_best_lines_begin_with_different_moves_and_are_told_in_order() {
    for protocol in ["uci", "usi"] {
        let multi_pv = "setoption name MultiPV value 4";
        let said = converse(&[protocol, multi_pv, "position startpos", "go depth 7"]);
        for depth in 1..=7 {
            let start = format!("info depth {depth} seldepth ");
            let lines = said.iter().filter(|line| line.starts_with(&start));
            let lines: Vec<[String; 1]> = lines.map(|line| [line.clone()]).collect();
            let values = |name| lines.iter().map(move |line| last_value(line, name));
            assert!(values(" multipv").eq(["1", "2", "3", "4"]));
            assert!(
                values(" cp")
                    .map(|score| score.parse::<i32>().unwrap())
                    .is_sorted_by(|a, b| a >= b)
            );
            assert!(depth < 7 || values(" pv").next() == Some(bestmove(&said)));
            let firsts: std::collections::HashSet<&str> = values(" pv").collect();
            assert_eq!(firsts.len(), 4);
        }
    }
    for (position, moves) in [(ONE_MOVE, 1), ("position startpos", 20)] {
        let said = uci(&["setoption name MultiPV value 500", position, "go depth 1"]);
        assert_eq!(
            said.iter().filter(|line| line.contains(" multipv ")).count(),
            moves
        );
    }
}

#[test]
fn a_search_cut_short_tells_every_line_with_the_move_it_plays_first() {
    for nodes in (2_000..60_000).step_by(2_900) {
        let said = uci(&[
            "setoption name MultiPV value 5",
            "position startpos moves e2e4 e7e5 g1f3",
            &format!("go nodes {nodes}"),
        ]);
        let lines: Vec<&String> = said.iter().filter(|line| line.contains(" multipv ")).collect();
        let last: Vec<[String; 1]> = lines[lines.len() - 5..]
            .iter()
            .map(|line| [(*line).clone()])
            .collect();
        let values = |name| last.iter().map(move |line| last_value(line, name));
        assert!(values(" multipv").eq(["1", "2", "3", "4", "5"]), "{last:?}");
        assert_eq!(values(" pv").next(), Some(bestmove(&said)));
        let firsts: std::collections::HashSet<&str> = values(" pv").collect();
        assert_eq!(firsts.len(), 5, "{last:?}");
    }
}

#[test]
fn a_long_search_tells_the_root_move_that_it_is_at() {
    for protocol in ["usi", "uci"] {
        let mut engine = Engine::start(&[]);
        engine.tell(&[protocol, "position startpos"]);
        engine.say("go infinite");
        let mut said = Vec::new();
        while !has(&said, " currmove ") {
            said = engine.until("info depth");
        }
        engine.end();
        let line = said.last().unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        assert!(words[..2] == ["info", "depth"] && words[3] == "currmove" && words[5] == "currmovenumber");
        assert!(words[4].len() == 4 && (1..=30).contains(&words[6].parse::<u32>().unwrap()));
        let said = converse(&[protocol, "position startpos", "go movetime 500"]);
        assert!(!has(&said, "currmove"));
    }
}

#[test]
fn go_mate_answers_with_a_mate_that_there_is_none_or_that_it_does_not_know() {
    const HARD: &str =
        "position sfen lr6l/2ks+P1p2/1ppp1p3/7p1/p1P5p/5P3/P2PG2PP/4G4/5KSNL w B2GSNPrbs2nl2p 74";
    let nothing = "position sfen 4k4/9/9/9/9/9/9/9/4K3R b G 1";
    for (position, go, answer) in [
        (
            "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
            "go mate infinite",
            "G*5b",
        ),
        ("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate", "G*5b"),
        (nothing, "go mate 60000", "nomate"),
        ("position startpos", "go mate 1000", "nomate"),
        (MATED, "go mate 1000", "nomate"),
        (HARD, "go mate 1", "timeout"),
        ("position sfen nonsense", "go mate 1000", "timeout"),
        (nothing, "go mate x", "timeout"),
    ] {
        let said = converse(&["usi", position, go]);
        assert_eq!(said.last().unwrap(), &format!("checkmate {answer}"), "{position}");
    }
    let mut engine = Engine::start(&[]);
    engine.tell(&["usi", HARD]);
    engine.say("go mate infinite");
    engine.tell(&["isready"]);
    engine.say("stop");
    assert_eq!(engine.until("checkmate").last().unwrap(), "checkmate timeout");
    assert!(has(
        &engine.tell(&["position startpos", "go depth 3"]),
        "bestmove"
    ));
}

const TABLES: &str = concat!(
    "setoption name SyzygyPath value ",
    env!("CARGO_MANIFEST_DIR"),
    "/../harness/tests/syzygy"
);

#[cfg(target_arch = "x86_64")]
#[test]
fn an_ending_that_the_tables_know_is_played_to_its_result() {
    let positions = include_str!("../../../harness/tests/syzygy/positions.csv");
    let mut engine = Engine::start(&[]);
    engine.tell(&["uci", TABLES, "isready"]);
    let mut ends = [0; 2];
    for line in positions.lines().skip(1).step_by(4) {
        let (fen, winner) = line.split_once(',').unwrap();
        let mut moves = String::new();
        let end = loop {
            let position = format!("position fen {fen} moves{moves}");
            let said = engine.tell(&[&position, "go nodes 300"]);
            match bestmove(&said) {
                "(none)" => break has(&said, "score mate 0"),
                mv if winner != "drawn" => moves = format!("{moves} {mv}"),
                _ => {
                    assert!(has(&said, "score cp 0 "), "{fen}: {said:?}");
                    break false;
                }
            }
            assert!(moves.len() < 400, "{position}");
        };
        assert_eq!(end, winner != "drawn", "{fen}");
        ends[usize::from(end)] += 1;
    }
    assert!(ends.iter().all(|&count| count >= 5), "{ends:?}");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_search_finds_its_way_into_the_tables_and_says_how_often() {
    // Whoever takes on d5 loses or draws by a tempo; without tables white thinks that it wins.
    let into = [
        "position fen 8/8/4k3/3r4/8/3RK3/4P3/8 w - - 0 1",
        "go nodes 20000",
    ];
    let said = uci(&[&[TABLES], &into[..]].concat());
    assert!(last_value(&said, "tbhits").parse::<u32>().unwrap() > 10);
    let without = uci(&[&[TABLES, "setoption name SyzygyPath value <empty>"], &into[..]].concat());
    assert!(!has(&without, "tbhits"));
    for (path, wrong) in [
        ("/nowhere", "cannot read the folder '/nowhere'"),
        ("/dev", "there are no Syzygy tables"),
    ] {
        let said = uci(&[&format!("setoption name SyzygyPath value {path}"), "go depth 1"]);
        assert!(
            has(&said, wrong) && said.last().unwrap().starts_with("bestmove"),
            "{said:?}"
        );
    }
}

#[test]
fn what_was_learnt_is_kept_from_move_to_move_and_only_a_new_game_forgets_it() {
    for (first, second, idle) in [
        (
            ["isready", "position startpos", "go depth 8"],
            ["position startpos moves 7g7f 3c3d", "go depth 8"],
            &[
                "position startpos moves 7g7f",
                "setoption name USI_Hash value 64",
                "setoption name Overhead_ms value 10",
                "setoption name lmr value on",
                "setoption name lmr value maybe",
                "stop",
            ][..],
        ),
        (
            ["uci", "position startpos", "go depth 8"],
            ["position startpos moves e2e4 e7e5", "go depth 8"],
            &["position startpos moves e2e4", "setoption name hash value 64"],
        ),
    ] {
        let with = |between: &[&str]| nodes_of_last(&[&first[..], between, &second].concat());
        let fresh = nodes_of_last(&[&[first[0]], &second[..]].concat());
        let kept = with(&["isready"]);
        assert_ne!(kept, fresh);
        for line in idle {
            assert_eq!((with(&[line]), with(&[line, "isready"])), (kept, kept), "{line}");
        }
        assert_eq!(with(&["usinewgame"]), fresh);
        assert_eq!(with(&["ucinewgame", "isready"]), fresh);
        let hash = if first[0] == "uci" { "Hash" } else { "USI_Hash" };
        let sizes = [16, 64].map(|size| format!("setoption name {hash} value {size}"));
        assert_eq!(with(&[&sizes[0], &sizes[1]]), fresh);
    }
}

#[test]
fn a_search_by_nodes_stays_within_them_and_is_the_same_in_every_new_game() {
    let mut engine = Engine::start(&[]);
    let mut game = || {
        let said = engine.tell(&["usinewgame", "position startpos moves 7g7f 3c3d", "go nodes 3000"]);
        // Speed and times differ from run to run.
        let untimed = said
            .iter()
            .map(|line| line.split(" nps").next().unwrap().split(" time").next().unwrap());
        untimed.map(str::to_owned).collect::<Vec<_>>()
    };
    let (first, second) = (game(), game());
    assert!(first.len() > 2);
    assert_eq!(first, second);
    for line in &first[..first.len() - 1] {
        let nodes: u64 = last_value(std::slice::from_ref(line), " nodes").parse().unwrap();
        assert!(nodes <= 3000, "{line}");
    }
}
