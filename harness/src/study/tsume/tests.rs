use tanren_engine::game::{Game, Position};
use tanren_engine::shogi::Board;

use super::*;

const SUITE: &str = include_str!("../../../../suites/shogi-tsume.sfen");
const SOLVER_NODES_MAX: u64 = 1_000_000;
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
const MATE_IN_THREE: &str = "7k1/9/9/7N1/9/9/9/9/4K4 b 2G 1";

fn problems(lines: &[(&str, u32)]) -> Vec<Problem<Board>> {
    let lines: Vec<String> = lines
        .iter()
        .map(|(sfen, plies)| format!("{sfen} ; mate {plies}"))
        .collect();
    parse(&lines.join("\n"), "here").unwrap()
}

fn verdicts(problems: &[Problem<Board>], player: &str, nodes_max: u64) -> Vec<Verdict> {
    let config = Config::parse(Game::Shogi, player).unwrap();
    let spec = SolveSpec {
        config: &config,
        nodes_max,
        hash_mib: 1,
        solver_nodes_max: SOLVER_NODES_MAX,
    };
    let answers = solve(spec, problems, &Interrupt::default(), &|| {}).unwrap();
    answers.into_iter().map(|answer| answer.verdict).collect()
}

#[test]
fn every_problem_of_the_suite_is_a_shortest_mate_and_there_are_several_of_each_length() {
    let suite: Vec<Problem<Board>> = parse(SUITE, "the suite").unwrap();
    assert!(suite.len() >= 60, "{}", suite.len());
    assert_eq!(wrong_problems(&suite, SOLVER_NODES_MAX), []);
    for plies in [1, 3, 5, 7, 9] {
        let count = suite.iter().filter(|problem| problem.plies == plies).count();
        assert!(count >= 5, "{count} mates in {plies}");
    }
}

#[test]
fn wrong_lengths_and_repeated_positions_are_found() {
    let no_mate = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
    let suite = problems(&[
        (MATE_IN_ONE, 3),
        (MATE_IN_THREE, 1),
        (no_mate, 3),
        (MATE_IN_ONE, 1),
        (MATE_IN_THREE, 5),
    ]);
    let wrong = wrong_problems(&suite, SOLVER_NODES_MAX);
    let lines: Vec<u32> = wrong.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 5]);
    assert_eq!(wrong[0].1, "is a mate in 1, not in 3");
}

#[test]
fn a_line_without_a_length_or_with_an_even_one_is_refused_by_its_number() {
    for line in [
        MATE_IN_ONE,
        "startpos ; mate 2",
        "startpos ; mate x",
        "nonsense ; mate 1",
    ] {
        let error = parse::<Board>(&format!("# a comment\n{line}\n"), "'x'").unwrap_err();
        assert!(error.to_string().starts_with("'x', line 2: "), "{error}");
    }
    assert!(parse::<Board>("# nothing\n", "'x'").is_err());
}

#[test]
fn short_mates_are_solved_and_a_player_without_nodes_misses_them() {
    let suite = problems(&[(MATE_IN_ONE, 1), (MATE_IN_THREE, 3)]);
    assert_eq!(verdicts(&suite, "base", 20_000), [Verdict::Shortest; 2]);
    assert_eq!(verdicts(&suite, "base", 1), [Verdict::Missed; 2]);
}

#[test]
fn shares_count_each_length() {
    let answer = |plies, verdict| Answer {
        line: 1,
        plies,
        verdict,
        mv: String::new(),
        score: 0,
        depth: 0,
        nodes: 0,
    };
    let answers = [
        answer(3, Verdict::Longer),
        answer(1, Verdict::Shortest),
        answer(3, Verdict::Unproven),
        answer(3, Verdict::Missed),
    ];
    let rows: Vec<_> = shares(&answers)
        .iter()
        .map(|share| (share.plies, share.positions, share.solved, share.shortest))
        .collect();
    assert_eq!(rows, [(1, 1, 1, 1), (3, 3, 1, 0)]);
}

#[test]
fn problems_are_mined_from_the_end_of_a_game_one_a_game() {
    let mut position = Board::parse(MATE_IN_THREE).unwrap();
    let mut game = vec![position.clone()];
    for _ in 0..3 {
        let path = Path::new(&position);
        let limits = Limits {
            nodes_max: Some(20_000),
            ..Limits::default()
        };
        let mut searcher = Searcher::<Board>::new(&Config::default(), 1);
        let report = searcher.search(&position, &path, &limits, &mut Watch(&Interrupt::default()));
        position.make(report.best.unwrap());
        game.push(position.clone());
    }
    let spec = MineSpec {
        plies_max: 5,
        per_length: 1,
        nodes_max: SOLVER_NODES_MAX,
    };
    let mined = |games: &[Vec<Board>]| -> Vec<u32> {
        let problems = mine(spec, games, &Interrupt::default()).unwrap();
        assert_eq!(wrong_problems(&problems, SOLVER_NODES_MAX), []);
        problems.iter().map(|problem| problem.plies).collect()
    };
    assert_eq!(mined(&[game.clone()]), [3]);
    assert_eq!(mined(&[game.clone(), game]), [1, 3]);
}
