//! What must hold of every search, shown on a game small enough for plain minimax.

use super::*;
use crate::config::Config;
use crate::duel::{Duel, DuelEval, DuelMove, playouts};
use crate::eval::{Evaluate, Evaluated};
use crate::game::{Game, GameMove, MoveList, Path, Position, Repetition};
use crate::ordering::Place;
use crate::time::{self, Limits};

mod clock;

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
