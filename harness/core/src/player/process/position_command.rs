//! The text of a position and a `go`.

use std::fmt::Write;

use tanren_engine::game::{Game, GameMove, Position};

use super::clock_times::ClockTimes;
use crate::config::{EngineProtocol, MoveLimit};
use crate::player::GameEnd;

#[derive(Debug, Default)]
pub(super) struct PositionCommand {
    text: String,
    /// Without the `go` of the last time.
    end: usize,
    moves: usize,
    last: Option<u16>,
    pub(super) is_begun: bool,
}

impl PositionCommand {
    pub(super) fn restart<P: Position>(&mut self, start: &P) {
        self.text.clear();
        // USI says sfen, UCI says fen: each speaks its own game.
        let notation = match P::GAME {
            Game::Shogi => "sfen",
            Game::Chess => "fen",
        };
        let _ = write!(self.text, "position {notation} {start}");
        self.end = self.text.len();
        self.moves = 0;
        self.last = None;
        self.is_begun = false;
    }

    pub(super) fn push<M: GameMove>(&mut self, mv: M) {
        self.text.truncate(self.end);
        self.append(mv);
        self.end = self.text.len();
        self.moves += 1;
        self.last = Some(mv.bits());
    }

    fn append<M: GameMove>(&mut self, mv: M) {
        let separator = if self.moves == 0 { " moves " } else { " " };
        let _ = write!(self.text, "{separator}{mv}");
    }

    pub(super) fn text(&self) -> &str {
        &self.text[..self.end]
    }

    pub(super) fn last(&self) -> Option<u16> {
        self.last
    }

    pub(super) fn go(&mut self, protocol: EngineProtocol, limit: MoveLimit, times: &ClockTimes) -> &[u8] {
        self.text.truncate(self.end);
        self.text.push_str("\ngo");
        self.append_limit(protocol, limit, times);
        self.text.as_bytes()
    }

    /// The position after two more moves, the engine's own and the expected answer, and a `go ponder`.
    pub(super) fn ponder<M: GameMove>(
        &mut self,
        protocol: EngineProtocol,
        limit: MoveLimit,
        times: &ClockTimes,
        moves: [M; 2],
    ) -> &[u8] {
        self.text.truncate(self.end);
        let before = self.moves;
        for mv in moves {
            self.append(mv);
            self.moves += 1;
        }
        self.moves = before;
        self.text.push_str("\ngo ponder");
        self.append_limit(protocol, limit, times);
        self.text.as_bytes()
    }

    fn append_limit(&mut self, protocol: EngineProtocol, limit: MoveLimit, times: &ClockTimes) {
        let _ = match limit {
            MoveLimit::Nodes(nodes) => writeln!(self.text, " nodes {nodes}"),
            MoveLimit::Depth(depth) => writeln!(self.text, " depth {depth}"),
            MoveLimit::MoveTimeMs(time_ms) => writeln!(self.text, " movetime {time_ms}"),
            MoveLimit::Clock(_) => times.write(protocol, &mut self.text),
        };
    }
}

/// What an engine is told between two games, to be answered by `readyok`.
pub(super) fn new_game(protocol: EngineProtocol, end: Option<GameEnd>) -> &'static str {
    match (protocol, end) {
        (EngineProtocol::Uci, _) => "ucinewgame\nisready\n",
        (EngineProtocol::Usi, None) => "usinewgame\nisready\n",
        (EngineProtocol::Usi, Some(GameEnd::Win)) => "gameover win\nusinewgame\nisready\n",
        (EngineProtocol::Usi, Some(GameEnd::Loss)) => "gameover lose\nusinewgame\nisready\n",
        (EngineProtocol::Usi, Some(GameEnd::Draw)) => "gameover draw\nusinewgame\nisready\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_engine::shogi::Board;

    const USI: EngineProtocol = EngineProtocol::Usi;

    fn text(bytes: &[u8]) -> &str {
        str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_question_grows_by_a_move_and_holds_one_go() {
        let start = Board::start();
        let mv = |text| start.parse_move(text).unwrap();
        let mut question = PositionCommand::default();
        question.restart(&start);
        assert_eq!(
            text(question.go(USI, MoveLimit::Nodes(5), &ClockTimes::default())),
            format!("position sfen {start}\ngo nodes 5\n")
        );
        question.push(mv("7g7f"));
        let pondering = format!("position sfen {start} moves 7g7f 2g2f 2g2f\ngo ponder depth 3\n");
        assert_eq!(
            text(question.ponder(
                USI,
                MoveLimit::Depth(3),
                &ClockTimes::default(),
                [mv("2g2f"), mv("2g2f")]
            )),
            pondering
        );
        question.push(mv("2g2f"));
        assert_eq!(
            text(question.go(USI, MoveLimit::MoveTimeMs(9), &ClockTimes::default())),
            format!("position sfen {start} moves 7g7f 2g2f\ngo movetime 9\n")
        );
        question.restart(&start);
        assert!(!text(question.go(USI, MoveLimit::Nodes(5), &ClockTimes::default())).contains("moves"));
    }
}
