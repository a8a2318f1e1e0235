use std::sync::Arc;

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Path, Position};
use tanren_engine::search::{Counters, Iteration, Observer, Searchable, Searcher, Technique};
use tanren_engine::shogi::Board;
use tanren_engine::time::Limits;

use super::*;

use crate::config::{OpeningSource, PlayerKind, PlayerSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::kinds::nodes::worker::{SearchWorker, counted};
use crate::openings::{Opening, built_in_nodes};
use crate::player::AnalysisLimits;
use crate::record::{FinishedSearch, SearchIteration, TechniqueCounts};
use crate::session::external_engines::ExternalEngines;

const CONFIGS: [&str; 2] = ["base", "base,null_move=off,lmr=off"];
const LIMITS: AnalysisLimits = AnalysisLimits {
    depth: 6,
    nodes_max: None,
};
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

fn players(game: Game, configs: &[&str]) -> Vec<PlayerSpec> {
    let players = configs.iter().map(|text| PlayerSpec::parse(game, "a", text));
    players.collect::<Result<_, _>>().unwrap()
}

/// What the players find in `positions`, player by player.
pub(super) fn searched<P: Searchable>(
    configs: &[&str],
    positions: &[P],
    limits: AnalysisLimits,
) -> Vec<FinishedSearch> {
    let spec = NodesSpec {
        game: P::GAME,
        players: players(P::GAME, configs),
        positions: OpeningSource::BuiltIn,
        positions_max: usize::MAX,
        depth: limits.depth,
        nodes_max: limits.nodes_max,
        hash_mib: 1,
        timeouts: Timeouts::default(),
    };
    let mut worker = SearchWorker::new(&spec, Arc::default(), &Interrupt::default()).unwrap();
    let jobs = (0..configs.len()).flat_map(|player| positions.iter().map(move |position| (player, position)));
    (0..)
        .zip(jobs)
        .map(|(number, (player, position))| worker.search(number, player, position).unwrap())
        .collect()
}

fn positions(count: usize) -> Vec<Board> {
    let openings = built_in_nodes().openings;
    openings.iter().take(count).map(Opening::position).collect()
}

fn timeless(searches: Vec<FinishedSearch>) -> Vec<Vec<SearchIteration>> {
    let timeless = |mut search: FinishedSearch| {
        search
            .iterations
            .iter_mut()
            .for_each(|iteration| iteration.time_us = None);
        search.iterations
    };
    searches.into_iter().map(timeless).collect()
}

#[derive(Default)]
struct Log(Vec<(u32, u64, i32)>);

impl<M> Observer<M> for Log {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) {
        self.0.push((iteration.depth, iteration.nodes, iteration.score));
    }
}

fn log(config: &Config, position: &Board, counters: Option<&mut Counters>) -> Vec<(u32, u64, i32)> {
    let mut log = Log::default();
    let limits = Limits {
        depth_max: Some(LIMITS.depth),
        ..Limits::default()
    };
    let (mut searcher, path) = (Searcher::new(config, 1), Path::new(position));
    match counters {
        Some(counters) => searcher.search_counted(position, &path, &limits, &mut log, counters),
        None => searcher.search(position, &path, &limits, &mut log),
    };
    log.0
}

fn configs() -> Vec<Config> {
    let players = players(Game::Shogi, &CONFIGS).into_iter();
    let configs = players.map(|player| match counted(&player, &ExternalEngines::default()) {
        Ok(PlayerKind::Builtin(config)) => *config,
        other => panic!("{other:?}"),
    });
    configs.collect()
}

#[test]
fn counting_changes_no_node_count_and_adds_up_over_the_depths() {
    let positions = positions(6);
    let searches = searched(&CONFIGS, &positions, LIMITS);
    let searches: Vec<Search> = searches.into_iter().map(|search| search.among(6)).collect();
    let configs = configs();
    for search in &searches {
        let found = search.iterations.iter();
        let found: Vec<(u32, u64, i32)> = found
            .map(|iteration| (iteration.depth, iteration.nodes, iteration.score.unwrap()))
            .collect();
        let position = &positions[search.position];
        assert_eq!(found, log(&configs[search.config], position, None), "{position}");
    }
    let summary = NodesSummary::new(&searches, &[false; 2], LIMITS.depth);
    for (config, settings) in configs.iter().enumerate() {
        let mut whole = Counters::default();
        for position in &positions {
            log(settings, position, Some(&mut whole));
        }
        for (counter, (name, (tries, successes))) in Counters::names().iter().zip(whole.rows()).enumerate() {
            let mut sum = TechniqueCounts::default();
            let rows = summary.counters.iter();
            for row in rows.filter(|row| row.config == config && row.counter == counter) {
                sum += row.tried.unwrap();
            }
            assert_eq!((sum.tries, sum.successes), (tries, successes), "{name}");
            assert!(sum.successes <= sum.tries, "{name}");
        }
        assert!(whole.tries(Technique::Legality) > 0);
    }
}

#[test]
fn a_mate_that_is_found_ends_no_search() {
    let position = Board::parse(MATE_IN_ONE).unwrap();
    for search in searched(&CONFIGS, &[position], LIMITS) {
        assert_eq!(search.iterations.len(), LIMITS.depth as usize);
        assert_eq!(search.iterations[0].bestmove(), "G*5b");
    }
}

#[test]
fn a_search_that_is_given_up_keeps_the_depths_it_finished() {
    let positions = positions(4);
    let limited = AnalysisLimits {
        nodes_max: Some(1_000),
        ..LIMITS
    };
    let whole = timeless(searched(&CONFIGS, &positions, LIMITS));
    for (cut, whole) in timeless(searched(&CONFIGS, &positions, limited))
        .iter()
        .zip(&whole)
    {
        let finished = cut.len();
        assert_eq!(*cut, whole[..finished]);
        assert!(finished < whole.len() || whole[finished - 1].nodes <= 1_100);
    }
}
