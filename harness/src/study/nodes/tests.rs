use rayon::ThreadPoolBuilder;
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{Count, Counters, Iteration, Observer, Technique, Uncounted};
use tanren_engine::shogi::Board;

use super::*;
use crate::config::Identity;
use crate::openings;

const DEPTH: u32 = 6;
const HASH_MIB: usize = 1;
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

fn configs() -> Vec<Config> {
    ["base", "base,null_move=off,lmr=off"]
        .map(|text| without_early_stops(&Config::parse(Game::Shogi, text).unwrap()))
        .to_vec()
}

fn positions(count: usize) -> Vec<Board> {
    let suite = openings::parse(openings::built_in_nodes(Game::Shogi), "the built-in positions").unwrap();
    suite
        .openings
        .into_iter()
        .map(|opening| opening.position)
        .take(count)
        .collect()
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(16 << 20)
        .build()
        .unwrap()
}

fn study<'a>(configs: &'a [Config], positions: &'a [Board]) -> NodesStudy<'a, Board> {
    NodesStudy {
        configs,
        positions,
        depth: DEPTH,
        nodes_max: None,
        hash_mib: HASH_MIB,
    }
}

/// The finished searches, without their times.
fn searches(journal: &Journal) -> Vec<Search> {
    let mut searches = journal.searches().to_vec();
    for iteration in searches.iter_mut().flat_map(|search| &mut search.iterations) {
        iteration.time_us = 0;
    }
    searches
}

/// Runs the whole study in a folder of its own.
fn run(study: &NodesStudy<'_, Board>, threads: usize) -> Vec<Search> {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open_or_create(
        folder.path(),
        &Identity::default(),
        study.configs.len(),
        study.positions.len(),
    )
    .unwrap();
    study
        .run(&pool(threads), &mut journal, &Interrupt::default(), |_| {})
        .unwrap();
    searches(&journal)
}

/// Depth, nodes and score of every iteration.
#[derive(Default)]
struct Log(Vec<(u32, u64, i32)>);

impl<M> Observer<M> for Log {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }
    fn is_stop_requested(&mut self) -> bool {
        false
    }
    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        self.0.push((iteration.depth, iteration.nodes, iteration.score));
    }
}

fn log(config: &Config, position: &Board, count: &mut impl Count) -> Vec<(u32, u64, i32)> {
    let mut log = Log::default();
    let limits = Limits {
        depth_max: Some(DEPTH),
        ..Limits::default()
    };
    Searcher::new(config, HASH_MIB).search_counted(position, &Path::new(position), &limits, &mut log, count);
    log.0
}

#[test]
fn counting_changes_no_node_count() {
    let (configs, positions) = (configs(), positions(6));
    for search in run(&study(&configs, &positions), 1) {
        let (config, position) = (&configs[search.config], &positions[search.position]);
        let counted: Vec<(u32, u64, i32)> = search
            .iterations
            .iter()
            .map(|iteration| (iteration.depth, iteration.nodes, iteration.score))
            .collect();
        assert_eq!(counted, log(config, position, &mut Uncounted), "{position}");
    }
}

#[test]
fn counters_of_the_depths_add_up_to_those_of_the_whole_search() {
    let (configs, positions) = (configs(), positions(6));
    let searches = run(&study(&configs, &positions), 1);
    let summary = NodesSummary::new(&searches, configs.len(), DEPTH);
    for (config, settings) in configs.iter().enumerate() {
        let mut whole = Counters::default();
        for position in &positions {
            log(settings, position, &mut whole);
        }
        for (counter, (name, (tries, successes))) in Counters::names().iter().zip(whole.rows()).enumerate() {
            let mut sum = Tried::default();
            let rows = summary.counters.iter();
            for row in rows.filter(|row| row.config == config && row.counter == counter) {
                sum += row.tried;
            }
            assert_eq!(sum.tries, tries, "{name}");
            assert_eq!(sum.successes, successes, "{name}");
            assert!(sum.successes <= sum.tries, "{name}");
        }
        assert!(whole.tries(Technique::Legality) > 0);
    }
}

#[test]
fn the_number_of_threads_shows_in_times_alone() {
    let (configs, positions) = (configs(), positions(8));
    let study = study(&configs, &positions);
    let alone = run(&study, 1);
    assert_eq!(alone.len(), 16);
    assert_eq!(alone, run(&study, 3));
}

#[test]
fn an_interrupted_study_goes_on_to_what_an_uninterrupted_one_finds() {
    let (configs, positions) = (configs(), positions(8));
    let study = study(&configs, &positions);
    let folder = tempfile::tempdir().unwrap();
    let open = || Journal::open_or_create(folder.path(), &Identity::default(), 2, 8).unwrap();
    let mut journal = open();
    let interrupt = Interrupt::default();
    let stop = |done| {
        if done >= 5 {
            interrupt.raise();
        }
    };
    study.run(&pool(1), &mut journal, &interrupt, stop).unwrap();
    let before = journal.searches().len();
    assert!((5..16).contains(&before), "{before}");
    drop(journal);
    let mut journal = open();
    let mut told = Vec::new();
    study
        .run(&pool(1), &mut journal, &Interrupt::default(), |done| {
            told.push(done)
        })
        .unwrap();
    assert_eq!(told, (before..=16).collect::<Vec<_>>());
    assert_eq!(searches(&journal), run(&study, 1));
}

#[test]
fn a_mate_that_is_found_ends_no_search() {
    let (configs, positions) = (configs(), [Board::parse(MATE_IN_ONE).unwrap()]);
    for search in run(&study(&configs, &positions), 1) {
        assert_eq!(search.iterations.len(), DEPTH as usize);
        assert_eq!(search.iterations[0].bestmove(), "G*5b");
    }
}

#[test]
fn a_search_that_is_given_up_keeps_the_depths_it_finished() {
    let (configs, positions) = (configs(), positions(4));
    let mut study = study(&configs, &positions);
    let whole = run(&study, 1);
    study.nodes_max = Some(1_000);
    for (cut, whole) in run(&study, 1).iter().zip(&whole) {
        let finished = cut.iterations.len();
        assert_eq!(cut.iterations, whole.iterations[..finished]);
        assert!(finished < DEPTH as usize || whole.iterations[finished - 1].nodes <= 1_100);
    }
}
