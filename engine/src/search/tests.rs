//! What must hold of every search, shown on a game small enough for plain minimax.

use super::*;
use crate::config::Config;
use crate::duel::{Duel, DuelEval, DuelMove, playouts};
use crate::eval::{Evaluate, Evaluated};
use crate::game::{Game, GameMove, MoveList, Path, Position, Repetition};
use crate::ordering::Place;
use crate::time::{self, Limits};

/// Full-width minimax with the same horizon as the search: the reference.
struct Minimax<const COUNTED: bool> {
    position: Duel<COUNTED>,
    path: Path,
}

impl<const COUNTED: bool> Minimax<COUNTED> {
    fn value(&mut self, depth: u32, ply: usize) -> i32 {
        if ply > 0 {
            match self.path.nearest_repetition::<Duel<COUNTED>>(self.path.len() - 1) {
                Some(Repetition::Draw) => return 0,
                Some(Repetition::Win) => return perpetual_win(ply),
                Some(Repetition::Loss) => return -perpetual_win(ply),
                None => {}
            }
        }
        let mut list = MoveList::new();
        self.position.legal(&mut list);
        let in_check = self.position.in_check();
        let mut best = -INFINITE;
        if depth == 0 && !in_check {
            let evaluator = <DuelEval as Evaluate<Duel<COUNTED>>>::new(&Config::default());
            best = evaluator.evaluate(&self.position, &evaluator.refresh(&self.position), &mut ());
            list.retain(|mv| self.position.is_tactical(*mv));
        } else if list.is_empty() {
            return lost(ply);
        }
        for mv in list {
            let undo = self.position.make(mv);
            self.path.push(&self.position);
            best = best.max(-self.value(depth.saturating_sub(1), ply + 1));
            self.path.pop();
            self.position.unmake(mv, undo);
        }
        best
    }
}

fn config(text: &str) -> Config {
    Config::parse(Game::Shogi, text).unwrap()
}

fn search<P: Searchable>(config: &Config, position: &P, path: &Path, limits: &Limits) -> Report<P::Move> {
    Searcher::new(config, 1).search(position, path, limits, &mut Silent)
}

fn assert_minimax<const COUNTED: bool>(text: &str) {
    for (position, path) in playouts::<COUNTED>(25) {
        for depth_max in 1..=4 {
            let mut minimax = Minimax {
                position,
                path: path.clone(),
            };
            let expected = minimax.value(depth_max, 0);
            let report = search(&config(text), &position, &path, &Limits::depth(depth_max));
            assert_eq!(report.score, expected, "depth {depth_max}, {position}");
        }
    }
}

#[test]
fn a_search_without_pruning_finds_the_minimax_value_repetitions_included() {
    assert_minimax::<false>("plain");
    assert_minimax::<false>("plain,fail_soft=off");
    // Where nothing repeats, the hash table, ordering and windows change nothing.
    for player in [
        "plain,hash=on",
        "plain,hash=on,hash.quiescence=on,fail_soft=off",
        "plain,hash=on,forced_reply=on,forced_reply.extension=off",
        "plain,hash=on,killers=on,history=on,continuation=on,see_ordering=on,aspiration=on,aspiration.depth_min=2",
    ] {
        assert_minimax::<true>(player);
    }
}

#[test]
fn equal_searches_counted_or_not_give_equal_reports_and_a_new_game_forgets_what_was_before() {
    let base = Config::default();
    let mut used = Searcher::<Duel<false>>::new(&base, 1);
    for (position, path) in playouts::<false>(60) {
        let mut fresh = Searcher::new(&base, 1);
        used.new_game();
        for limits in [Limits::depth(7), Limits::nodes(3000), Limits::depth(8)] {
            let expected = fresh.search(&position, &path, &limits, &mut Silent);
            assert_eq!(used.search(&position, &path, &limits, &mut Silent), expected);
        }
        used.new_game();
        let mut fresh = Searcher::new(&base, 1);
        for limits in [Limits::depth(9), Limits::nodes(1000)] {
            let expected = fresh.search(&position, &path, &limits, &mut Silent);
            let mut counters = Counters::default();
            let counted = used.search_counted(&position, &path, &limits, &mut Silent, &mut counters);
            assert_eq!(counted, expected);
        }
    }
}

#[test]
fn a_new_configuration_leaves_no_trace_of_the_old_one() {
    let (position, path) = playouts::<false>(8).pop().unwrap();
    let mut searcher = Searcher::new(&config("plain"), 1);
    searcher.search(&position, &path, &Limits::depth(5), &mut Silent);
    searcher.set_config(&Config::default());
    let expected = search(&Config::default(), &position, &path, &Limits::depth(8));
    assert_eq!(
        searcher.search(&position, &path, &Limits::depth(8), &mut Silent),
        expected
    );
}

#[test]
fn a_node_limit_is_never_exceeded_and_used_up() {
    let (position, path) = playouts::<false>(1).pop().unwrap();
    for limit in (0..300).chain([1023, 1024, 1025, 5000]) {
        let report = search(&Config::default(), &position, &path, &Limits::nodes(limit));
        assert_eq!(report.nodes, limit);
        assert!(position.is_legal(report.best.unwrap()));
        assert_eq!(report.pv.first().copied(), report.best);
    }
}

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

/// Lets `look` see a tree that stands at `position`.
fn with_tree<P: Evaluated, T>(
    config: &Config,
    position: &P,
    path: &Path,
    look: impl FnOnce(&mut Tree<'_, P, Uncounted>, &Accumulator<P>) -> T,
) -> T {
    let mut searcher = Searcher::<P>::new(config, 1);
    searcher.path.copy_from(path);
    let stops = StopConditions {
        nodes_max: u64::MAX,
        mate_plies_max: None,
        bounds: None,
        ponder_depth: None,
    };
    let accumulator = searcher.evaluator.refresh(position);
    let (mut observer, mut count) = (Silent, Uncounted);
    let mut tree = Tree::new(&mut searcher, position.clone(), stops, &mut observer, &mut count);
    look(&mut tree, &accumulator)
}

fn cut_node(eval: i32, beta: i32, depth: i32) -> Node<Duel<true>> {
    Node::cut(Duel::<true>::PIECE_TO, eval, beta, depth)
}

fn calm<const COUNTED: bool>(count: usize) -> impl Iterator<Item = (Duel<COUNTED>, Path)> {
    let positions = playouts::<COUNTED>(count).into_iter();
    positions.filter(|(position, _)| !position.in_check())
}

#[test]
fn a_mate_found_after_a_pass_is_no_score_of_the_node() {
    let config = config(
        "plain,null_move=prune,null_move.shallower=1,null_move.depth_step=0,null_move.nested=off,null_move.above_beta=off",
    );
    let mut mates = 0;
    for (position, path) in calm::<true>(600) {
        let beta = -50;
        let found = with_tree(&config, &position, &path, |tree, accumulator| {
            // As a pass does: what a pass leaves is known to be no pass.
            tree.frame_mut(0).reversible = 1;
            let window = Window::zero(beta - 1).flipped();
            let after = tree.visit_pass(0, 0, |tree| -tree.node(accumulator, window, 3, 1, NodeKind::All));
            let mut node = cut_node(0, beta, 4);
            (after >= DECISIVE).then(|| tree.pass(&mut node, accumulator))
        });
        let Some(score) = found else { continue };
        assert_eq!(score, Some(beta), "{position}");
        mates += 1;
    }
    assert!(mates > 0);
}

#[test]
fn quiet_moves_end_at_the_first_that_had_a_bad_history_when_they_were_ordered() {
    let config = config("plain,history=on,history.check=0,history_pruning=on,history_pruning.margin=500");
    let mut ended = 0;
    for (position, path) in calm::<true>(200) {
        let mut moves = MoveList::new();
        position.legal(&mut moves);
        if moves.iter().any(|&mv| position.is_tactical(mv)) {
            continue;
        }
        let searched = |history: i32| {
            with_tree(&config, &position, &path, |tree, accumulator| {
                for &mv in &moves {
                    tree.memory
                        .history
                        .update_alone(Place::of(&position, mv, &0), history);
                }
                tree.moves(&cut_node(0, INFINITE, 1), accumulator).searched
            })
        };
        assert_eq!(searched(0), moves.len() as i32, "{position}");
        ended += i32::from(searched(-600) == 1 && moves.len() > 1);
    }
    assert!(ended > 0);
}

#[test]
fn quiet_moves_after_a_hopeless_one_are_dropped_unless_they_give_check() {
    let [each, rest] = ["off", "on"].map(|rest| {
        config(&format!(
            "plain,futility=on,futility.base=0,futility.margin=0,futility.rest={rest}"
        ))
    });
    let (mut dropped, mut checks) = (0, 0);
    for (position, path) in calm::<true>(400) {
        let mut moves = MoveList::new();
        position.legal(&mut moves);
        if moves.iter().any(|&mv| position.is_tactical(mv)) {
            continue;
        }
        let [one_by_one, at_once] = [&each, &rest].map(|config| {
            with_tree(config, &position, &path, |tree, accumulator| {
                let outcome = tree.moves(&cut_node(0, 20_000, 1), accumulator);
                (outcome.seen, outcome.searched, outcome.best)
            })
        });
        assert_eq!(at_once, one_by_one, "{position}");
        let (seen, searched, _) = at_once;
        dropped += seen - searched;
        // The first move is searched whatever it is.
        checks += searched - 1;
    }
    assert!(dropped > 0 && checks > 0);
}

#[test]
fn probcut_returns_only_where_a_capture_reaches_the_raised_bound() {
    let config = config("plain,probcut=on,probcut.margin=60");
    // So shallow that quiescence search decides.
    let depth = config.search.probcut_shallower + 1;
    let (mut cuts, mut near) = (0, 0);
    for (position, path) in calm::<true>(400) {
        let evaluator = <DuelEval as Evaluate<Duel<true>>>::new(&config);
        let eval = evaluator.evaluate(&position, &evaluator.refresh(&position), &mut ());
        for beta in [eval - 150, eval - 50, eval, eval + 50] {
            let raised = probcut::raised_beta(&config.search, depth.max(10), beta, false).unwrap();
            assert_eq!(raised, beta + 60);
            let best = best_capture(&position, &path, raised - eval);
            let score = with_tree(&config, &position, &path, |tree, accumulator| {
                tree.probcut(&cut_node(eval, beta, depth), accumulator, raised)
            });
            assert_eq!(score.is_some(), best >= raised, "{beta} in {position}");
            cuts += u32::from(best >= raised);
            near += u32::from((beta..raised).contains(&best));
        }
    }
    assert!(
        cuts > 0 && near > 0,
        "{cuts} cuts, {near} captures between the bounds"
    );
}

/// The value of the best capture that gains `gain` by static exchange, once captures are played out.
fn best_capture(position: &Duel<true>, path: &Path, gain: i32) -> i32 {
    let mut moves = MoveList::new();
    position.legal(&mut moves);
    let tried = moves
        .into_iter()
        .filter(|&mv| position.is_tactical(mv) && position.see_ge(mv, gain));
    let value = |mv| {
        let mut minimax = Minimax {
            position: *position,
            path: path.clone(),
        };
        minimax.position.make(mv);
        minimax.path.push(&minimax.position);
        -minimax.value(0, 1)
    };
    tried.map(value).max().unwrap_or(-INFINITE)
}
