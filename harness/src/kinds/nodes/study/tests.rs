use tanren_engine::config::Config;
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{Counters, Iteration, Observer, Searcher, Technique};
use tanren_engine::shogi::Board;
use tanren_engine::time::Limits;

use super::*;

use crate::config::{PlayerKind, Timeouts};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, Manifest, StudyPosition};
use crate::openings::{Opening, built_in_nodes};
use crate::record::{Search, Tried};
use crate::runner::LocalExecutor;

const DEPTH: u32 = 6;
const HASH_MIB: usize = 1;
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

fn configs() -> Vec<Config> {
    ["base", "base,null_move=off,lmr=off"]
        .map(|text| without_early_stops(&Config::parse(Game::Shogi, text).unwrap()))
        .to_vec()
}

fn positions(count: usize) -> Vec<Board> {
    let openings = built_in_nodes().openings;
    openings.iter().take(count).map(Opening::position).collect()
}

fn pool(threads: usize) -> LocalExecutor {
    LocalExecutor::new(threads).unwrap()
}

fn players() -> Vec<PlayerKind> {
    let kinds = configs().into_iter().map(Box::new);
    kinds.map(PlayerKind::Builtin).collect()
}

fn open(folder: &std::path::Path, positions: usize) -> Ledger {
    let manifest = Manifest {
        kind: "nodes".to_owned(),
        labels: vec![String::new(); 2],
        positions: vec![StudyPosition::default(); positions],
        ..Manifest::default()
    };
    Ledger::open_or_create(folder, &manifest).unwrap()
}

fn study<'a>(players: &'a [PlayerKind], positions: &'a [Board]) -> NodesStudy<'a, Board> {
    NodesStudy {
        players,
        positions,
        lines: &[],
        conditions: SearchConditions {
            depth: DEPTH,
            nodes_max: None,
            hash_mib: HASH_MIB,
            timeouts: Timeouts::default(),
            log_folder: None,
            files: crate::player::ExaminedFiles::default(),
        },
        elsewhere: SearchesElsewhere::default(),
    }
}

fn timeless(mut searches: Vec<Search>) -> Vec<Search> {
    for iteration in searches.iter_mut().flat_map(|search| &mut search.iterations) {
        iteration.time_us = None;
    }
    searches
}

fn run(study: &NodesStudy<'_, Board>, threads: usize) -> Vec<Search> {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path(), study.positions.len());
    let found = study.run(&pool(threads), &mut ledger, &Interrupt::default(), |_| {});
    let found = found.unwrap();
    assert_eq!(ledger.searches().unwrap(), found);
    timeless(found)
}

#[test]
fn a_ledger_that_fails_ends_its_own_study_and_no_other_run() {
    let (players, positions) = (players(), positions(2));
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path(), positions.len());
    let file = folder.path().join("ledger.sqlite");
    std::fs::rename(&file, folder.path().join("elsewhere")).unwrap();
    let process = Interrupt::default();
    let found = study(&players, &positions).run(&pool(2), &mut ledger, &process, |_| {});
    assert!(found.is_err() && !process.is_requested());
}

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

fn log(config: &Config, position: &Board, counters: Option<&mut Counters>) -> Vec<(u32, u64, i32)> {
    let mut log = Log::default();
    let limits = Limits {
        depth_max: Some(DEPTH),
        ..Limits::default()
    };
    let (mut searcher, path) = (Searcher::new(config, HASH_MIB), Path::new(position));
    match counters {
        Some(counters) => searcher.search_counted(position, &path, &limits, &mut log, counters),
        None => searcher.search(position, &path, &limits, &mut log),
    };
    log.0
}

#[test]
fn counting_changes_no_node_count() {
    let (players, positions) = (players(), positions(6));
    for search in run(&study(&players, &positions), 1) {
        let (config, position) = (&configs()[search.config], &positions[search.position]);
        let counted: Vec<(u32, u64, i32)> = search
            .iterations
            .iter()
            .map(|iteration| (iteration.depth, iteration.nodes, iteration.score.unwrap()))
            .collect();
        assert_eq!(counted, log(config, position, None), "{position}");
    }
}

#[test]
fn counters_of_the_depths_add_up_to_those_of_the_whole_search() {
    let (players, positions) = (players(), positions(6));
    let searches = run(&study(&players, &positions), 1);
    let summary = NodesSummary::new(&searches, &[false; 2], DEPTH);
    for (config, settings) in configs().iter().enumerate() {
        let mut whole = Counters::default();
        for position in &positions {
            log(settings, position, Some(&mut whole));
        }
        for (counter, (name, (tries, successes))) in Counters::names().iter().zip(whole.rows()).enumerate() {
            let mut sum = Tried::default();
            let rows = summary.counters.iter();
            for row in rows.filter(|row| row.config == config && row.counter == counter) {
                sum += row.tried.unwrap();
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
    let (players, positions) = (players(), positions(8));
    let study = study(&players, &positions);
    let alone = run(&study, 1);
    assert_eq!(alone.len(), 16);
    assert_eq!(alone, run(&study, 3));
}

#[test]
fn an_interrupted_study_goes_on_to_what_an_uninterrupted_one_finds() {
    let (players, positions) = (players(), positions(8));
    let study = study(&players, &positions);
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = open(folder.path(), 8);
    let interrupt = Interrupt::default();
    let stop = |done| {
        if done >= 5 {
            interrupt.raise();
        }
    };
    let before = study.run(&pool(1), &mut ledger, &interrupt, stop).unwrap().len();
    assert!((5..16).contains(&before), "{before}");
    drop(ledger);
    let mut ledger = open(folder.path(), 8);
    let mut told = Vec::new();
    let tell = |done| told.push(done);
    let found = study
        .run(&pool(1), &mut ledger, &Interrupt::default(), tell)
        .unwrap();
    assert_eq!(told, (before..=16).collect::<Vec<_>>());
    assert_eq!(timeless(found), run(&study, 1));
}

#[test]
fn a_mate_that_is_found_ends_no_search() {
    let (players, positions) = (players(), [Board::parse(MATE_IN_ONE).unwrap()]);
    for search in run(&study(&players, &positions), 1) {
        assert_eq!(search.iterations.len(), DEPTH as usize);
        assert_eq!(search.iterations[0].bestmove(), "G*5b");
    }
}

#[test]
fn a_search_that_is_given_up_keeps_the_depths_it_finished() {
    let (players, positions) = (players(), positions(4));
    let mut study = study(&players, &positions);
    let whole = run(&study, 1);
    study.conditions.nodes_max = Some(1_000);
    for (cut, whole) in run(&study, 1).iter().zip(&whole) {
        let finished = cut.iterations.len();
        assert_eq!(cut.iterations, whole.iterations[..finished]);
        assert!(finished < DEPTH as usize || whole.iterations[finished - 1].nodes <= 1_100);
    }
}
