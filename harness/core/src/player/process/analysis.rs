//! An external engine that searches positions and tells what each depth cost.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use tanren_engine::game::Position;
use tanren_engine::search::MATE;

use super::engine::{Engine, Launch, NoAnswer};
use super::engine_line::{BestMove, Info, texts};
use super::fault::Fault;
use super::position_command::PositionCommand;
use crate::openings::is_chess960;
use crate::platform::suspensions;
use crate::record::{Reason, Score, SearchIteration};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalysisLimits {
    pub depth: u32,
    /// A depth that is not finished with fewer nodes is given up.
    pub nodes_max: Option<u64>,
}

/// An engine that analyses; started when it is needed and kept from position to position.
#[derive(Debug)]
pub struct Analyst {
    launch: Launch,
    engine: Option<Engine>,
}

impl Analyst {
    pub fn new(launch: Launch) -> Analyst {
        Analyst { launch, engine: None }
    }

    /// Searches `position` as the first of a new game. Iterations that the engine does not tell of are not in the result,
    /// nor is anything that a line leaves out. An engine at fault is started again for the next position.
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
                engine.connection.kill();
            }
            // A silence through which this process did not run says nothing of the engine.
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
        let timeouts = self.launch.timeouts;
        let mut question = PositionCommand::new(self.launch.spec.protocol);
        question.restart(position);
        let nodes = limits.nodes_max.map(|nodes| format!(" nodes {nodes}"));
        let nodes = nodes.unwrap_or_default();
        let go = format!("{}\ngo depth {}{nodes}\n", question.text(), limits.depth);
        let mut depths = Depths {
            position,
            limits,
            iterations: BTreeMap::new(),
            white_pov: self.launch.spec.white_pov,
        };
        let (engine, _) = self.launch.engine(&mut self.engine)?;
        engine.new_game(None, is_chess960(position), timeouts.startup())?;
        engine.watch(go.as_bytes(), timeouts.stall(), |info, words| {
            depths.on_info(info, words)
        })?;
        let found = depths.iterations.into_values().collect();
        // The answer must be a legal move, a resignation or a declaration.
        if let BestMove::Move { text, .. } = engine.best()? {
            let parsed = position.parse_move(text);
            let illegal = |error| Fault::new(Reason::IllegalMove, format!("{error} in {position}"));
            parsed.map_err(illegal)?;
        }
        Ok(found)
    }
}

struct Depths<'a, P> {
    position: &'a P,
    limits: AnalysisLimits,
    iterations: BTreeMap<u32, SearchIteration>,
    white_pov: bool,
}

impl<P: Position> Depths<'_, P> {
    /// Hears one line. The last line of a depth counts, as some engines tell of a depth before they have finished it; but one
    /// without a variation sums up what others said with one.
    fn on_info(&mut self, info: Info, words: &[u8]) -> ControlFlow<()> {
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
            score: info.score.map(|score| scored(self.own_view(score))),
            pv: self.legal_moves(words),
            tried: Vec::new(),
        };
        let before = self.iterations.get(&depth);
        if !iteration.pv.is_empty() || before.is_none_or(|before| before.pv.is_empty()) {
            self.iterations.insert(depth, iteration);
        }
        ControlFlow::Continue(())
    }

    fn own_view(&self, score: Score) -> Score {
        match self.white_pov {
            true => score.from_first_side(self.position.side_to_move()),
            false => score,
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

/// As the built-in engine scores it.
fn scored(score: Score) -> i32 {
    match score {
        Score::Centipawns(score) => score,
        Score::Mate(plies @ 1..) => MATE.saturating_sub(plies),
        Score::Mate(plies) => (-MATE).saturating_sub(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::process::engine_line::EngineLine;
    use tanren_engine::shogi::Board;

    const WHOLE: &str = "\
        info depth 1 nodes 0 score cp 3 pv 7g7f
        info depth 2 nodes 30 time 2 score cp 12 pv 7g7f 3c3d rep_draw
        info depth 2 nodes 40 time 3 score cp 14 pv 2g2f 5e5d
        info depth 2 nodes 50 time 3 score cp 14
        info depth 4 nodes 70 score cp 90 lowerbound pv 2g2f
        info depth 4 nodes 80 nps 1000 hashfull 3
        info depth 5 nodes 500 pv none
        info depth 5 nodes 600 score mate -4
        info depth 6 multipv 2 nodes 700 score cp 1 pv 2g2f";
    const LONG: &str = "\
        info depth 1 nodes 10 score cp 1
        info depth 2 nodes 100 score cp 1
        info depth 1 nodes 50 score cp 1";

    /// Depth, nodes, time, score and variation of each iteration, and whether the search was to be stopped.
    fn heard(nodes_max: Option<u64>, lines: &str) -> String {
        let mut depths = Depths {
            position: &Board::start(),
            limits: AnalysisLimits { depth: 9, nodes_max },
            iterations: BTreeMap::new(),
            white_pov: false,
        };
        let is_stopped = lines
            .lines()
            .any(|line| match EngineLine::parse(line.as_bytes()) {
                EngineLine::Info(info, words) => depths.on_info(info, words).is_break(),
                _ => false,
            });
        let found = depths.iterations.into_values().map(|found| {
            let (time, score) = (found.time_us.unwrap_or(0), found.score.unwrap_or(0));
            format!(
                "{} {} {time} {score} {},",
                found.depth,
                found.nodes,
                found.pv.join(" ")
            )
        });
        found.collect::<String>() + if is_stopped { "stopped" } else { "" }
    }

    #[test]
    fn the_last_whole_line_of_each_depth_counts_and_a_search_beyond_its_limits_is_stopped() {
        let mated = -MATE + 4;
        assert_eq!(heard(None, WHOLE), format!("2 40 3000 14 2g2f,5 600 0 {mated} ,"));
        assert_eq!(
            heard(None, "info depth 3 nodes 9 score mate 3"),
            format!("3 9 0 {} ,", MATE - 3)
        );
        assert_eq!(heard(Some(100), LONG), "1 10 0 1 ,stopped");
        assert_eq!(heard(None, "info depth 10 nodes 1 score cp 1"), "stopped");
    }
}
