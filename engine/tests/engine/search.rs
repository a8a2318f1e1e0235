//! The search of both games: mates, the rules that end a game without one, and the limits it must keep.

use tanren_engine::config::Config;
use tanren_engine::dfpn::{self, Verdict};
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{MATE, MATE_IN_MAX, Report, Searchable};
use tanren_engine::time::Limits;
use tanren_engine::{chess, shogi};

use crate::common::{best, legal_all, reach, rows, search as search_from};

fn search<P: Searchable>(player: &str, text: &str, depth_max: u32) -> Report<P::Move> {
    search_from::<P>(player, &reach(text, ""), &Limits::depth(depth_max)).0
}

fn chess(player: &str, fen: &str, depth_max: u32) -> Report<chess::Move> {
    search::<chess::Board>(player, fen, depth_max)
}

/// Is there a mate within so many plies by checks alone? By brute force.
fn is_mate(position: &shogi::Board, plies: u32) -> bool {
    let checks = legal_all(position)
        .into_iter()
        .filter(|mv| position.gives_check(*mv));
    checks.into_iter().any(|mv| {
        let mut after = position.clone();
        after.make(mv);
        legal_all(&after).into_iter().all(|answer| {
            let mut next = after.clone();
            next.make(answer);
            plies > 2 && is_mate(&next, plies - 2)
        })
    })
}

#[test]
fn the_problems_of_shogi_are_mates_and_most_are_solved_in_a_few_thousand_nodes() {
    let (mut compared, mut solved) = (0, 0);
    for line in include_str!("../../../openings/problems/shogi-tsume.sfen").lines() {
        let Some((sfen, plies)) = line.split_once(" ; mate ") else {
            continue;
        };
        let plies = plies.parse().unwrap();
        let start = reach::<shogi::Board>(sfen, "");
        if plies <= 5 {
            assert!(is_mate(&start.0, plies), "{sfen}");
            assert!(plies == 1 || !is_mate(&start.0, plies - 2), "{sfen}");
            compared += 1;
        }
        let (report, _) = search_from("base", &start, &Limits::nodes(3_000));
        solved += u32::from(report.score >= MATE_IN_MAX);
    }
    assert!(compared >= 30 && solved >= 45, "{compared}, {solved} of 80");
}

/// Plays the line of a mate out: every other move gives check, and the last leaves no answer.
fn plays_out(start: &shogi::Board, line: &[shogi::Move]) -> bool {
    let mut position = start.clone();
    let played = line.iter().enumerate().all(|(ply, &mv)| {
        let is_right = legal_all(&position).contains(&mv) && (ply % 2 == 1 || position.gives_check(mv));
        position.make(mv);
        is_right
    });
    played && line.len() % 2 == 1 && position.in_check() && legal_all(&position).is_empty()
}

/// df-pn of some 10,000 nodes.
fn checkmate(position: &shogi::Board, path: &Path) -> Verdict<shogi::Move> {
    let polls = std::cell::Cell::new(0);
    let is_over = || polls.replace(polls.get() + 1) >= 40;
    dfpn::solve(position, path, 1, &is_over).verdict
}

#[test]
fn df_pn_mates_in_every_problem() {
    let mut problems = 0;
    for line in include_str!("../../../openings/problems/shogi-tsume.sfen").lines() {
        let Some((sfen, plies)) = line.split_once(" ; mate ") else {
            continue;
        };
        let (position, path) = reach::<shogi::Board>(sfen, "");
        let Verdict::Mate(line) = checkmate(&position, &path) else {
            panic!("{sfen}");
        };
        assert!(plays_out(&position, &line), "{sfen}: {line:?}");
        assert!(line.len() >= plies.parse().unwrap(), "{sfen}: {line:?}");
        problems += 1;
    }
    assert_eq!(problems, 80);
}

/// In positions two plies away from the problems.
#[test]
fn df_pn_agrees_with_brute_force_where_that_can_tell() {
    let (mut mates, mut none) = (0, 0);
    for line in include_str!("../../../openings/problems/shogi-tsume.sfen")
        .lines()
        .skip(30)
    {
        let Some((sfen, _)) = line.split_once(" ; mate ") else {
            continue;
        };
        let (start, _) = reach::<shogi::Board>(sfen, "");
        let quiets = legal_all(&start).into_iter().filter(|mv| !start.gives_check(*mv));
        for mv in quiets.step_by(40) {
            let mut position = start.clone();
            position.make(mv);
            position.make(legal_all(&position)[0]);
            let found = checkmate(&position, &Path::new(&position));
            let is_short = is_mate(&position, 3);
            match found {
                Verdict::Mate(line) => {
                    assert!(plays_out(&position, &line) && (line.len() > 3 || is_short));
                    mates += 1;
                }
                Verdict::NoMate => {
                    assert!(!is_short, "{position}");
                    none += 1;
                }
                Verdict::Unknown => assert!(!is_short, "{position}"),
            }
        }
    }
    assert!(mates >= 20 && none >= 20, "{mates} mates, {none} without");
}

#[test]
fn df_pn_repeats_no_position_neither_below_the_root_nor_of_the_game() {
    // A dragon checks for ever.
    let (position, path) = reach::<shogi::Board>("3k5/9/9/9/9/9/9/4+R4/4K4 b - 1", "");
    assert_eq!(checkmate(&position, &path), Verdict::NoMate);
    // A check into a position that stood three times would lose.
    let problem = "3k5/9/3PP4/9/9/9/9/9/4K4 b 2G 1";
    let (position, mut path) = reach::<shogi::Board>(problem, "");
    let Verdict::Mate(line) = checkmate(&position, &path) else {
        panic!("{problem}");
    };
    for mv in legal_all(&position) {
        if position.gives_check(mv) {
            let mut after = position.clone();
            after.make(mv);
            (0..3).for_each(|_| path.push(&after));
        }
    }
    path.push(&position);
    assert!(!line.is_empty());
    assert_eq!(checkmate(&position, &path), Verdict::NoMate);
}

fn is_score(expected: &str, score: i32) -> bool {
    let (kind, number) = expected.split_once(' ').unwrap_or(("", expected));
    let number: i32 = number.parse().unwrap();
    match kind {
        "mate" => score == MATE - number,
        "mated" => score == number - MATE,
        ">" => score > number,
        "<" => score < number,
        _ => score == number,
    }
}

fn assert_found<P: Searchable>(row: &csv::StringRecord) {
    let start = reach::<P>(&row[2], &row[3]);
    for player in row[1].split(' ') {
        let (report, _) = search_from(player, &start, &Limits::depth(row[4].parse().unwrap()));
        let best = report.best.map_or("none".to_owned(), |mv| mv.to_string());
        let is_best = match row[5].strip_prefix("not ") {
            Some(other) => best != other,
            None => row[5].is_empty() || best == row[5],
        };
        assert!(
            is_best && is_score(&row[6], report.score),
            "{player}, {row:?}: {report:?}"
        );
    }
}

/// Mates and stalemates, draws by repetition and the fifty moves, a declaration.
#[test]
fn the_end_of_a_game_is_seen_with_its_score() {
    for row in rows("searches.csv") {
        match &row[0] {
            "shogi" => assert_found::<shogi::Board>(&row),
            _ => assert_found::<chess::Board>(&row),
        }
    }
}

#[test]
fn mates_in_one_to_five_moves_of_chess_are_found_at_their_distance() {
    let rows = rows("chess_mates.csv");
    for row in &rows {
        let moves: i32 = row[1].parse().unwrap();
        let plies = 2 * moves - 1;
        let sees = |player, depth: i32| chess(player, &row[0], depth as u32).score == MATE - plies;
        assert!((plies..=plies + 2).any(|depth| sees("sayuri", depth)), "{row:?}");
        // What a player prunes it sees later, and it would stop at a longer mate that it finds before.
        let late = 4 * (moves + 1);
        let mut depths = (plies..=late).step_by(2).chain([late]);
        assert!(depths.any(|depth| sees("base,mate_stop=off", depth)), "{row:?}");
    }
    for moves in 1..=5 {
        let count = rows.iter().filter(|row| row[1] == moves.to_string()).count();
        assert!(count >= 4, "{count} mates in {moves}");
    }
}

/// Alpha-beta that remembers, and nothing that prunes but what is named after it.
/// Its evaluation is the published one, which no tuning moves.
const UNPRUNED: &str = "sayuri,lmr=off,futility=off,iid=off,aspiration=off,check_extension=off,hash.quiescence=on,see_ordering=on,\
     mate_distance=on,null_move.shallower=4";

fn judge_zugzwang(rows: &[csv::StringRecord]) {
    for row in rows {
        let depth = row[1].parse().unwrap();
        let chosen = |null_move: &str| best(&chess(&format!("{UNPRUNED},{null_move}"), &row[0], depth));
        assert_eq!(chosen("null_move=off"), row[2], "{row:?}");
        assert_eq!(chosen("null_move=prune"), row[3], "{row:?}");
        assert_eq!(
            chosen("null_move=prune,null_move.verification=4"),
            row[2],
            "{row:?}"
        );
    }
}

#[test]
fn a_null_move_errs_in_zugzwang_and_its_verification_cures_it() {
    judge_zugzwang(&rows("chess_zugzwang.csv")[..1]);
}

#[test]
#[ignore = "searches some millions of nodes for each position"]
fn a_null_move_errs_in_every_zugzwang_of_the_suite_and_its_verification_cures_it() {
    let rows = rows("chess_zugzwang.csv");
    assert!(rows.len() >= 6);
    judge_zugzwang(&rows);
}

#[test]
fn with_king_and_pawns_alone_no_pass_is_tried() {
    // Who has to move loses his pawn.
    for (fen, is_tried) in [
        ("8/8/8/3pK3/2kP4/8/8/8 w - - 0 1", false),
        ("8/8/8/3pK3/2kP4/8/N6n/8 w - - 0 1", true),
    ] {
        let nodes = |null_move: &str| chess(&format!("{UNPRUNED},{null_move}"), fen, 8).nodes;
        assert_eq!(
            nodes("null_move=prune") != nodes("null_move=off"),
            is_tried,
            "{fen}"
        );
    }
}

#[test]
fn every_technique_can_be_switched_and_still_plays_legally_within_its_nodes() {
    let sfen = "ln1g5/1r4k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b b BG2SLPnp 61";
    let start = reach::<shogi::Board>(sfen, "");
    let names = Config::settings(Game::Shogi).map(|setting| setting.name);
    for name in names.filter(|name| !name.starts_with("eval")) {
        for value in ["on", "off", "prune", "reduce", "24", "27"] {
            let player = format!("{name}={value}");
            if Config::parse(Game::Shogi, &player).is_err() {
                continue;
            }
            let (report, _) = search_from(&player, &start, &Limits::nodes(3000));
            assert_eq!(report.nodes, 3000, "{player}");
            assert!(start.0.is_legal(report.best.unwrap()), "{player}");
        }
    }
}
