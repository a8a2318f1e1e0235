//! Another program that searches positions and tells what each depth cost.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use tanren_engine::game::Position;
use tanren_engine::search::MATE;

use super::engine::{Engine, NoAnswer};
use super::engine_line::{Best, Info, in_plies, texts};
use super::examined::ExaminedFiles;
use super::fault::Fault;
use super::log::Log;
use super::position_command::{self, PositionCommand};
use crate::config::{EngineProtocol, ProcessSpec, Restart, Timeouts};
use crate::interrupt::Interrupt;
use crate::openings::is_chess960;
use crate::platform::suspensions;
use crate::record::{Reason, Score, SearchIteration};

const LOG_NAME: &str = "nodes";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalysisLimits {
    pub depth: u32,
    /// A depth that is not finished with fewer nodes is given up.
    pub nodes_max: Option<u64>,
}

/// A program that analyses; started when it is needed and kept from position to position.
#[derive(Debug)]
pub struct Analyst {
    spec: ProcessSpec,
    timeouts: Timeouts,
    hash_mib: usize,
    log_folder: Option<PathBuf>,
    interrupt: Interrupt,
    engine: Option<Engine>,
    files: ExaminedFiles,
}

impl Analyst {
    /// An analyst whose program is not started yet and must be what `files` say whenever it is. Everything that is said is written down in `log_folder`, if there is
    /// one.
    pub fn new(
        spec: &ProcessSpec,
        timeouts: Timeouts,
        hash_mib: usize,
        log_folder: Option<PathBuf>,
        files: ExaminedFiles,
        interrupt: &Interrupt,
    ) -> Analyst {
        Analyst {
            spec: spec.clone(),
            timeouts,
            hash_mib,
            log_folder,
            interrupt: interrupt.clone(),
            engine: None,
            files,
        }
    }

    /// Searches `position` as the first of a new game. Iterations that the program does not tell of are not in the result,
    /// nor is anything that a line leaves out. A program at fault is started again for the next position.
    pub fn analyse<P: Position>(
        &mut self,
        position: &P,
        limits: AnalysisLimits,
    ) -> Result<Vec<SearchIteration>, NoAnswer> {
        // Nobody is asked where the game is over; what an engine says there differs.
        if position.count_legal_all() == 0 {
            return Ok(Vec::new());
        }
        loop {
            let awake = suspensions();
            let found = self.ask(position, limits);
            let Err(no_answer) = &found else { return found };
            if let Some(engine) = self.engine.take() {
                engine.kill();
            }
            // NoAnswer through which this process did not run says nothing of the program.
            if !(no_answer.is_stall() && suspensions() != awake) {
                return found;
            }
        }
    }

    fn ask<P: Position>(
        &mut self,
        position: &P,
        limits: AnalysisLimits,
    ) -> Result<Vec<SearchIteration>, NoAnswer> {
        let mut question = PositionCommand::default();
        question.restart(position);
        let nodes = limits.nodes_max.map(|nodes| format!(" nodes {nodes}"));
        let go = format!(
            "{}\ngo depth {}{}\n",
            question.text(),
            limits.depth,
            nodes.unwrap_or_default()
        );
        let mut depths = Depths {
            position,
            protocol: self.spec.protocol,
            limits,
            iterations: BTreeMap::new(),
        };
        let (stall, startup, protocol) = (self.timeouts.stall(), self.timeouts.startup(), self.spec.protocol);
        let engine = self.running()?;
        engine.play_chess960(is_chess960(position), Instant::now() + startup)?;
        engine.ready(
            position_command::new_game(protocol, None),
            Instant::now() + startup,
        )?;
        engine.watch(go.as_bytes(), stall, |info, words| depths.on_event(info, words))?;
        let found = depths.iterations.into_values().collect();
        check_answer(engine, position)?;
        Ok(found)
    }

    fn running(&mut self) -> Result<&mut Engine, NoAnswer> {
        if self.spec.restart == Restart::Game {
            self.engine = None;
        }
        if self.engine.is_none() {
            // That a log can be written was seen before; one that cannot be any more is no fault of the program.
            let log = self.log_folder.as_deref();
            let log = log.and_then(|folder| Log::open(folder, LOG_NAME).ok());
            self.files.check(&self.spec)?;
            let engine = Engine::start(&self.spec, self.timeouts, self.hash_mib, log, &self.interrupt)?;
            self.engine = Some(engine);
        }
        let missing = || Fault::new(Reason::StartFailure, "it does not run").into();
        self.engine.as_mut().ok_or_else(missing)
    }
}

/// The answer must be a legal move, a resignation or a declaration.
fn check_answer<P: Position>(engine: &Engine, position: &P) -> Result<(), Fault> {
    match engine.best() {
        Best::Resign | Best::Win => Ok(()),
        Best::Nonsense => {
            let said = engine.answer_quoted();
            Err(Fault::new(Reason::MalformedBestmove, format!("it said '{said}'")))
        }
        Best::Move { text, .. } => position
            .parse_move(text)
            .map(drop)
            .map_err(|error| Fault::new(Reason::IllegalMove, format!("{error} in {position}"))),
    }
}

struct Depths<'a, P> {
    position: &'a P,
    protocol: EngineProtocol,
    limits: AnalysisLimits,
    iterations: BTreeMap<u32, SearchIteration>,
}

impl<P: Position> Depths<'_, P> {
    /// Hears one line. The last line of a depth counts, as some engines tell of a depth before they have finished it; but one
    /// without a variation sums up what others said with one.
    fn on_event(&mut self, info: Info, words: &[u8]) -> ControlFlow<()> {
        let is_over = |nodes| self.limits.nodes_max.is_some_and(|most| nodes >= most);
        if info.nodes.is_some_and(is_over) || info.depth.is_some_and(|depth| depth > self.limits.depth) {
            return ControlFlow::Break(());
        }
        let (Some(depth @ 1..), Some(nodes @ 1..)) = (info.depth, info.nodes) else {
            return ControlFlow::Continue(());
        };
        // Without score and variation it is a line of statistics.
        if info.is_bound || (info.score.is_none() && words.is_empty()) {
            return ControlFlow::Continue(());
        }
        let iteration = SearchIteration {
            depth,
            nodes,
            time_us: info.time_ms.map(|time_ms| time_ms.saturating_mul(1000)),
            score: info.score.map(|score| self.scored(score)),
            pv: self.legal_moves(words),
            tried: Vec::new(),
        };
        let before = self.iterations.get(&depth);
        if !iteration.pv.is_empty() || before.is_none_or(|before| before.pv.is_empty()) {
            self.iterations.insert(depth, iteration);
        }
        ControlFlow::Continue(())
    }

    /// As the built-in engine scores it.
    fn scored(&self, score: Score) -> i32 {
        match in_plies(self.protocol, score) {
            Score::Centipawns(score) => score,
            Score::Mate(plies @ 1..) => MATE.saturating_sub(plies),
            Score::Mate(plies) => (-MATE).saturating_sub(plies),
        }
    }

    /// The moves that `words` are, up to the first that is none here.
    fn legal_moves(&self, words: &[u8]) -> Vec<String> {
        let mut position = self.position.clone();
        let moves = texts(words).map_while(|word| {
            let mv = position.parse_move(word).ok()?;
            position.make(mv);
            Some(mv.to_string())
        });
        moves.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::process::engine_line::EngineLine;
    use tanren_engine::game::Position;
    use tanren_engine::shogi::Board;

    fn heard(
        protocol: EngineProtocol,
        nodes_max: Option<u64>,
        lines: &[&str],
    ) -> (Vec<SearchIteration>, bool) {
        let position = Board::start();
        let mut depths = Depths {
            position: &position,
            protocol,
            limits: AnalysisLimits { depth: 9, nodes_max },
            iterations: BTreeMap::new(),
        };
        let is_stopped = lines.iter().any(|line| match EngineLine::parse(line.as_bytes()) {
            EngineLine::Info(info, words) => depths.on_event(info, words).is_break(),
            _ => false,
        });
        (depths.iterations.into_values().collect(), is_stopped)
    }

    fn nodes(iterations: &[SearchIteration]) -> Vec<(u32, u64)> {
        iterations
            .iter()
            .map(|iteration| (iteration.depth, iteration.nodes))
            .collect()
    }

    #[test]
    fn the_last_whole_line_of_each_depth_counts_and_what_it_leaves_out_stays_out() {
        let lines = [
            "info depth 1 nodes 0 score cp 3 pv 7g7f",
            "info depth 2 nodes 30 time 2 score cp 12 pv 7g7f 3c3d rep_draw",
            "info depth 2 nodes 40 time 3 score cp 14 pv 2g2f 5e5d",
            "info depth 2 nodes 50 time 3 score cp 14",
            "info depth 4 nodes 70 score cp 90 lowerbound pv 2g2f",
            "info depth 4 nodes 80 nps 1000 hashfull 3",
            "info depth 5 nodes 500 pv none",
            "info depth 5 nodes 600 score mate -4",
            "info depth 6 multipv 2 nodes 700 score cp 1 pv 2g2f",
        ];
        let (found, is_stopped) = heard(EngineProtocol::Usi, None, &lines);
        assert_eq!(nodes(&found), [(2, 40), (5, 600)]);
        assert_eq!((found[0].time_us, found[0].score), (Some(3000), Some(14)));
        assert_eq!(found[0].pv, ["2g2f"]);
        assert_eq!((found[1].time_us, found[1].score), (None, Some(-MATE + 4)));
        assert_eq!(found[1].bestmove(), "");
        assert!(!is_stopped);
        let (uci, _) = heard(EngineProtocol::Uci, None, &["info depth 3 nodes 9 score mate 2"]);
        assert_eq!(uci[0].score, Some(MATE - 3));
    }

    #[test]
    fn a_search_beyond_its_nodes_or_its_depth_is_stopped() {
        let lines = [
            "info depth 1 nodes 10 score cp 1",
            "info depth 2 nodes 100 score cp 1",
            "info depth 1 nodes 50 score cp 1",
        ];
        let (found, is_stopped) = heard(EngineProtocol::Usi, Some(100), &lines);
        assert_eq!((nodes(&found), is_stopped), (vec![(1, 10)], true));
        let (found, is_stopped) = heard(EngineProtocol::Usi, None, &["info depth 10 nodes 1 score cp 1"]);
        assert_eq!((nodes(&found), is_stopped), (Vec::new(), true));
    }
}
