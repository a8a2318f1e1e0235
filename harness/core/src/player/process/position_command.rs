//! The text of a position and a `go`.

use std::fmt::{self, Write};

use tanren_engine::game::{Game, GameMove, Position, Side};

use crate::config::{EngineProtocol, MoveLimit};
use crate::player::Clocks;

#[derive(Debug)]
pub(super) struct PositionCommand {
    protocol: EngineProtocol,
    text: String,
    /// Without the `go` of the last time.
    end: usize,
    moves: usize,
    last: Option<u16>,
    pub(super) is_begun: bool,
}

impl PositionCommand {
    pub(super) fn new(protocol: EngineProtocol) -> PositionCommand {
        PositionCommand {
            protocol,
            text: String::new(),
            end: 0,
            moves: 0,
            last: None,
            is_begun: false,
        }
    }

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
        self.last = Some(mv.bits());
    }

    fn append<M: GameMove>(&mut self, mv: M) {
        let separator = if self.moves == 0 { " moves " } else { " " };
        let _ = write!(self.text, "{separator}{mv}");
        self.moves += 1;
    }

    pub(super) fn text(&self) -> &str {
        &self.text[..self.end]
    }

    pub(super) fn last(&self) -> Option<u16> {
        self.last
    }

    /// What `side` is asked.
    pub(super) fn go(&mut self, limit: MoveLimit, side: Side, clocks: &Clocks) -> &[u8] {
        self.text.truncate(self.end);
        self.finish("\ngo", limit, side, clocks)
    }

    /// The position after two more moves, the engine's own and the expected answer, and a `go ponder`.
    pub(super) fn ponder<M: GameMove>(
        &mut self,
        limit: MoveLimit,
        side: Side,
        clocks: &Clocks,
        moves: [M; 2],
    ) -> &[u8] {
        self.text.truncate(self.end);
        let before = self.moves;
        moves.into_iter().for_each(|mv| self.append(mv));
        self.moves = before;
        self.finish("\ngo ponder", limit, side, clocks)
    }

    fn finish(&mut self, go: &str, limit: MoveLimit, side: Side, clocks: &Clocks) -> &[u8] {
        self.text.push_str(go);
        let _ = match limit {
            MoveLimit::Nodes(nodes) => writeln!(self.text, " nodes {nodes}"),
            MoveLimit::Depth(depth) => writeln!(self.text, " depth {depth}"),
            MoveLimit::MoveTimeMs(time_ms) => writeln!(self.text, " movetime {time_ms}"),
            MoveLimit::Clock(_) => write_clocks(&mut self.text, self.protocol, side, clocks),
        };
        self.text.as_bytes()
    }
}

/// Ends a `go` with the clocks: `btime` and `wtime` without the increment of the coming move, as USI has it. An opponent without
/// a clock is shown with the engine's own.
fn write_clocks(text: &mut String, protocol: EngineProtocol, side: Side, clocks: &Clocks) -> fmt::Result {
    let is_uci = protocol == EngineProtocol::Uci;
    let own = clocks.own.unwrap_or_default();
    let mut faces = [own; 2];
    faces[side.opponent().index()] = clocks.opponent.unwrap_or(own);
    let names = if is_uci { ["w", "b"] } else { ["b", "w"] };
    for (name, face) in names.into_iter().zip(faces) {
        // UCI has no byoyomi: it is time like any other.
        let byoyomi_ms = if is_uci { face.byoyomi_ms } else { 0 };
        write!(text, " {name}time {}", face.remaining_ms + byoyomi_ms)?;
    }
    if !is_uci && own.byoyomi_ms > 0 {
        write!(text, " byoyomi {}", own.byoyomi_ms)?;
    }
    for (name, face) in names.into_iter().zip(faces) {
        if face.increment_ms > 0 {
            write!(text, " {name}inc {}", face.increment_ms)?;
        }
    }
    // Else an engine would think that one move's time is for all moves to come.
    let is_byoyomi_alone = own.remaining_ms == 0 && own.increment_ms == 0;
    let moves_to_go = own.period.map(|period| period.moves_to_go);
    // USI has no word for it.
    if let (true, Some(moves)) = (is_uci, moves_to_go.or(is_byoyomi_alone.then_some(1))) {
        write!(text, " movestogo {moves}")?;
    }
    text.write_char('\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ClockLimit;
    use crate::player::{ClockFace, PeriodFace};
    use tanren_engine::shogi::Board;

    #[test]
    fn a_question_grows_by_a_move_and_holds_one_go() {
        let start = Board::start();
        let mv = |text| start.parse_move(text).unwrap();
        let (side, clocks) = (Side::First, Clocks::default());
        let mut question = PositionCommand::new(EngineProtocol::Usi);
        question.restart(&start);
        let expected = |rest: &str| format!("position sfen {start}{rest}\n").into_bytes();
        assert_eq!(
            question.go(MoveLimit::Nodes(5), side, &clocks),
            expected("\ngo nodes 5")
        );
        question.push(mv("7g7f"));
        let pondered = question.ponder(MoveLimit::Depth(3), side, &clocks, [mv("2g2f"); 2]);
        assert_eq!(pondered, expected(" moves 7g7f 2g2f 2g2f\ngo ponder depth 3"));
        question.push(mv("2g2f"));
        let asked = question.go(MoveLimit::MoveTimeMs(9), side, &clocks);
        assert_eq!(asked, expected(" moves 7g7f 2g2f\ngo movetime 9"));
        question.restart(&start);
        assert_eq!(question.text(), format!("position sfen {start}"));
    }

    /// Whose turn it is, the clocks (time, increment, byoyomi and moves to go) of both, the protocol and what it is told.
    const CLOCKS: &str = "\
        second 5000+100 7000+200 usi: btime 7000 wtime 5000 binc 200 winc 100
        first 5000+100 7000+200 uci: wtime 5000 btime 7000 winc 100 binc 200
        first 0+0+300 - usi: btime 0 wtime 0 byoyomi 300
        first 0+0+300 - uci: wtime 300 btime 300 movestogo 1
        first 5000+0+300 0+0+300 uci: wtime 5300 btime 300
        first 5000+0+0+7 6000+0+0+40 uci: wtime 5000 btime 6000 movestogo 7
        first 5000+0+0+7 6000+0+0+40 usi: btime 5000 wtime 6000";

    fn face(text: &str) -> Option<ClockFace> {
        let numbers: Vec<u64> = text.split('+').filter_map(|number| number.parse().ok()).collect();
        let period = |&moves_to_go: &u64| PeriodFace {
            moves_to_go: moves_to_go as u32,
            moves: 40,
            added_ms: 9000,
        };
        Some(ClockFace {
            remaining_ms: *numbers.first()?,
            increment_ms: numbers[1],
            byoyomi_ms: numbers.get(2).copied().unwrap_or(0),
            period: numbers.get(3).map(period),
        })
    }

    #[test]
    fn each_protocol_is_told_what_it_has_words_for() {
        for line in CLOCKS.lines() {
            let (given, expected) = line.split_once(':').unwrap();
            let given: Vec<&str> = given.split_whitespace().collect();
            let side = if given[0] == "first" {
                Side::First
            } else {
                Side::Second
            };
            let [own, opponent] = [face(given[1]), face(given[2])];
            let usi = given[3] == "usi";
            let protocol = if usi {
                EngineProtocol::Usi
            } else {
                EngineProtocol::Uci
            };
            let mut question = PositionCommand::new(protocol);
            let limit = MoveLimit::Clock(ClockLimit::default());
            let asked = question.go(limit, side, &Clocks { own, opponent });
            assert_eq!(asked, format!("\ngo{expected}\n").as_bytes(), "{line}");
        }
    }
}
