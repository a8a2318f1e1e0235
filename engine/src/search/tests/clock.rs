//! When a search ends: by a clock, by request, or because it is sure enough.

use super::*;

/// An observer with a scripted clock that moves on with every question and every iteration, and an opponent who ponders for some iterations.
#[derive(Default)]
struct Clock {
    asked: u32,
    ms_per_question: u64,
    ms_per_iteration: u64,
    pondered: usize,
    stops: bool,
    depths: Vec<u32>,
}

impl Observer<DuelMove> for Clock {
    fn elapsed_ms(&mut self) -> u64 {
        self.asked += 1;
        let own = self.depths.len().saturating_sub(self.pondered) as u64;
        u64::from(self.asked) * self.ms_per_question + own * self.ms_per_iteration
    }
    fn is_stop_requested(&mut self) -> bool {
        self.stops
    }
    fn is_pondering(&mut self) -> bool {
        self.depths.len() < self.pondered
    }
    fn iteration(&mut self, iteration: &Iteration<'_, DuelMove>) {
        assert!(!iteration.pv.is_empty());
        self.depths.push(iteration.depth);
    }
}

fn search_observed(limits: &Limits, clock: &mut Clock) -> Report<DuelMove> {
    let (position, path) = playouts::<false>(1).pop().unwrap();
    Searcher::new(&Config::default(), 1).search(&position, &path, limits, clock)
}

#[test]
fn the_clock_is_not_read_under_node_or_depth_limits() {
    let mut clock = Clock::default();
    search_observed(&Limits::nodes(20_000), &mut clock);
    let report = search_observed(&Limits::depth(6), &mut clock);
    assert_eq!(clock.asked, 0);
    assert_eq!(report.depth, 6);
    assert!(clock.depths.ends_with(&[1, 2, 3, 4, 5, 6]));
}

#[test]
fn a_search_ends_by_the_clock_and_by_request_with_a_move() {
    let limits = timed(time::TimeLimit::MoveTime { move_ms: 1000 });
    let mut clock = Clock {
        ms_per_question: 100,
        ..Clock::default()
    };
    assert!(search_observed(&limits, &mut clock).best.is_some());
    assert_eq!(clock.asked, 10);
    let mut clock = Clock {
        stops: true,
        ..Clock::default()
    };
    let report = search_observed(&Limits::default(), &mut clock);
    assert!(report.best.is_some());
    assert_eq!(report.depth, 1, "the first iteration is always finished");
}

/// An observer for whom the time was up before the search began.
#[derive(Default)]
struct TooLate {
    lines: usize,
}

impl<M: GameMove> Observer<M> for TooLate {
    fn elapsed_ms(&mut self) -> u64 {
        u64::MAX
    }
    fn iteration(&mut self, _: &Iteration<'_, M>) {
        self.lines += 1;
    }
}

#[test]
fn a_clock_ends_the_first_iteration_too_once_there_is_a_move() {
    // With 593 legal moves.
    let text = "8R/kSS1S1K2/4B4/9/9/9/9/9/3L1L1L1 b RBGSNLP3g3n17p 1";
    let position = crate::shogi::Board::parse(text).unwrap();
    for (settings, lines, time) in [
        ("base", 1, time::TimeLimit::MoveTime { move_ms: 20 }),
        ("base", 500, time::TimeLimit::MoveTime { move_ms: 20 }),
        ("base,mate_stop=off,hash=off", 500, FIVE_ITERATIONS),
        ("base,easy_move=on,easy_move.depth=3", 1, FIVE_ITERATIONS),
        (
            "plain,mate_stop=off,check_extension=on,check_extension.depth_max=128",
            200,
            FIVE_ITERATIONS,
        ),
    ] {
        let focus = Focus {
            moves: Vec::new(),
            lines,
        };
        let (path, mut late) = (Path::new(&position), TooLate::default());
        let mut searcher = Searcher::new(&config(settings), 1);
        let report = searcher.analyse(&position, &path, &timed(time), &focus, &mut late);
        assert!(position.is_legal(report.best.unwrap()), "{settings}");
        assert!(report.nodes < 10_000, "{settings}: {} nodes", report.nodes);
        assert!(
            late.lines < 10 && report.depth <= 1,
            "{settings}: {} lines",
            late.lines
        );
    }
}

#[test]
fn an_only_move_is_played_at_once_by_the_clock_but_not_under_other_limits() {
    let is_forced = |(position, _): &(Duel<false>, Path)| position.count_legal_all() == 1;
    let (position, path) = playouts::<false>(400).into_iter().find(is_forced).unwrap();
    let timed = Limits {
        depth_max: Some(5),
        ..timed(time::TimeLimit::MoveTime { move_ms: 10_000 })
    };
    let plain = config("mate_stop=off");
    assert_eq!(search(&plain, &position, &path, &timed).depth, 1);
    assert_eq!(search(&plain, &position, &path, &Limits::depth(5)).depth, 5);
    // It says nothing of how deep the time of a move allows, which a ponder hit asks for.
    let mut searcher = Searcher::new(&plain, 1);
    searcher.search(&position, &path, &timed, &mut Silent);
    assert_eq!(searcher.memory.last_iterations, None);
}

/// Moves on by 100 ms with every iteration once `pondered` are over.
fn metronome(pondered: usize) -> Clock {
    Clock {
        ms_per_iteration: 100,
        pondered,
        ..Clock::default()
    }
}

/// A share of 500 ms: five iterations.
const FIVE_ITERATIONS: time::TimeLimit = time::TimeLimit::Clock {
    remaining_ms: 42 * 500,
    increment_ms: 0,
    byoyomi_ms: 0,
};

/// Every root move takes 20 ms.
#[derive(Default)]
struct RootMoves {
    begun: u64,
}

impl Observer<DuelMove> for RootMoves {
    fn elapsed_ms(&mut self) -> u64 {
        self.begun * 20
    }
    fn root_move(&mut self, _: u32, _: DuelMove, _: u32) {
        self.begun += 1;
    }
}

#[test]
fn an_iteration_ends_between_two_root_moves_once_its_time_is_over() {
    let has_seven_moves = |(position, _): &(Duel<false>, Path)| position.count_legal_all() == 7;
    let (position, path) = playouts::<false>(400).into_iter().find(has_seven_moves).unwrap();
    for (settings, root_moves) in [
        ("plain", 28),
        ("plain,partial_iteration=on,partial_iteration.percent=100", 25),
        ("plain,partial_iteration=on,partial_iteration.percent=108", 27),
        ("plain,partial_iteration=on,partial_iteration.percent=200", 28),
    ] {
        let mut clock = RootMoves::default();
        let report =
            Searcher::new(&config(settings), 1).search(&position, &path, &timed(FIVE_ITERATIONS), &mut clock);
        assert_eq!(clock.begun, root_moves, "{settings}");
        assert!(position.is_legal(report.best.unwrap()), "{settings}");
    }
}

fn timed(time: time::TimeLimit) -> Limits {
    Limits {
        time: Some(time),
        ..Limits::default()
    }
}

fn iterations(config: &Config, position: &Duel<false>, path: &Path, time: time::TimeLimit) -> u32 {
    Searcher::new(config, 1)
        .search(position, path, &timed(time), &mut metronome(0))
        .depth
}

#[test]
fn a_search_stops_with_the_same_move_once_all_other_moves_are_mated() {
    let full = config("mate_stop=off");
    let stopping = config("mate_stop=off,second_best_stop=on");
    let clamping = config("mate_stop=off,second_best_stop=on,fail_soft=off");
    let mut stopped = 0;
    let has_few_moves = |(position, _): &(Duel<false>, Path)| (2..=4).contains(&position.count_legal_all());
    for (position, path) in playouts::<false>(300).into_iter().filter(has_few_moves) {
        let report = search(&stopping, &position, &path, &Limits::depth(7));
        assert_eq!(search(&clamping, &position, &path, &Limits::depth(7)).depth, 7);
        if report.depth == 7 {
            continue;
        }
        stopped += 1;
        assert!(report.score > -MATE_IN_MAX, "{position}");
        let expected = search(&full, &position, &path, &Limits::depth(7));
        assert_eq!(report.best, expected.best, "{position}");
        assert!(report.nodes < expected.nodes);
        let mut moves = MoveList::new();
        position.legal(&mut moves);
        assert!(moves.len() > 1);
        for mv in moves.into_iter().filter(|&mv| Some(mv) != report.best) {
            let (mut after, mut path) = (position, path.clone());
            after.make(mv);
            path.push(&after);
            let answer = search(&config("plain"), &after, &path, &Limits::depth(7));
            assert!(answer.score >= MATE_IN_MAX, "{mv} in {position}");
        }
    }
    assert!(stopped > 0);
}

#[test]
fn an_easy_position_is_answered_sooner_by_a_clock_but_not_by_a_fixed_time() {
    let off = "mate_stop=off,one_reply=off,stable_move=off,node_time=off";
    let rule = format!("{off},easy_move=on,easy_move.gap=80,easy_move.depth_min=2,easy_move.percent=40");
    let (base, easy) = (config(off), config(&rule));
    let deeper = config(&format!("{rule},easy_move.depth=3"));
    let fixed = time::TimeLimit::MoveTime { move_ms: 500 };
    let (mut sooner, mut differs) = (0, 0);
    for (position, path) in playouts::<false>(60) {
        assert_eq!(iterations(&base, &position, &path, FIVE_ITERATIONS), 5);
        assert_eq!(iterations(&easy, &position, &path, fixed), 5);
        let depth = iterations(&easy, &position, &path, FIVE_ITERATIONS);
        assert!((2..=5).contains(&depth), "{depth}");
        sooner += u32::from(depth == 2);
        differs += u32::from(iterations(&deeper, &position, &path, FIVE_ITERATIONS) != depth);
    }
    assert!((1..60).contains(&sooner), "{sooner}");
    assert!(
        (1..60).contains(&differs),
        "three plies see what quiescence does not: {differs}"
    );
}

#[test]
fn a_best_move_that_takes_most_nodes_is_answered_sooner_and_one_that_takes_few_later() {
    let config = config("mate_stop=off,one_reply=off,stable_move=off,node_time.depth_min=2");
    let (mut only_moves, mut later) = (0, 0);
    for (position, path) in playouts::<false>(200) {
        let depth = iterations(&config, &position, &path, FIVE_ITERATIONS);
        let mut moves = MoveList::new();
        position.legal(&mut moves);
        if moves.len() == 1 {
            // All nodes went into it.
            assert!(depth < 5, "{depth}: {position}");
            only_moves += 1;
        }
        later += u32::from(depth > 5);
    }
    assert!(only_moves > 0 && later > 0, "{only_moves} {later}");
}

#[test]
fn a_stable_best_move_is_answered_sooner_and_a_changing_one_later() {
    let stable = config("mate_stop=off,one_reply=off,node_time=off,stable_move.iterations=3");
    let depths: Vec<u32> = playouts::<false>(60)
        .iter()
        .map(|(position, path)| iterations(&stable, position, path, FIVE_ITERATIONS))
        .collect();
    assert!(
        depths.contains(&3) && depths.iter().any(|&depth| depth > 5),
        "{depths:?}"
    );
}

#[test]
fn after_a_ponder_hit_as_many_iterations_as_the_last_own_search_made_are_enough() {
    let (position, path) = playouts::<false>(1).pop().unwrap();
    let pondered = |text: &str, own_searches, pondered| {
        let mut searcher = Searcher::new(&config(text), 1);
        let own = timed(FIVE_ITERATIONS);
        for _ in 0..own_searches {
            let report = searcher.search(&position, &path, &own, &mut metronome(0));
            assert_eq!(report.depth, 5);
        }
        let ponder = Limits { ponder: true, ..own };
        searcher
            .search(&position, &path, &ponder, &mut metronome(pondered))
            .depth
    };
    // By the clock five more iterations follow the hit; by iterations six are enough in all.
    let by_iterations = "mate_stop=off,stable_move=off,node_time=off,ponder_iterations=on";
    assert_eq!(
        pondered(
            "mate_stop=off,stable_move=off,node_time=off,ponder_iterations=off",
            2,
            3
        ),
        8
    );
    assert_eq!(
        pondered(by_iterations, 0, 3),
        8,
        "no search of its own tells how many"
    );
    assert_eq!(pondered(by_iterations, 2, 3), 6);
    assert_eq!(
        pondered(&format!("{by_iterations},ponder_iterations.more=2"), 1, 3),
        7
    );
    assert_eq!(pondered(by_iterations, 1, 9), 9);
}

#[test]
fn a_search_that_the_clock_did_not_end_says_nothing_of_what_time_allows() {
    let (position, path) = playouts::<false>(1).pop().unwrap();
    let mut searcher = Searcher::new(&config("mate_stop=off"), 1);
    let own = timed(FIVE_ITERATIONS);
    for (limits, stops) in [
        (
            Limits {
                depth_max: Some(2),
                ..own
            },
            false,
        ),
        (
            Limits {
                nodes_max: Some(500),
                ..own
            },
            false,
        ),
        (own, true),
    ] {
        let mut clock = Clock {
            stops,
            ..metronome(0)
        };
        searcher.search(&position, &path, &limits, &mut clock);
        assert_eq!(searcher.memory.last_iterations, None);
    }
    searcher.search(&position, &path, &own, &mut metronome(0));
    assert!(searcher.memory.last_iterations.is_some());
}
