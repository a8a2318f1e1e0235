//! What both clocks show, as an engine is told.

use std::fmt::{self, Write};
use std::time::Duration;

use tanren_engine::game::Side;

use crate::config::{EngineProtocol, MoveLimit, Timeouts};
use crate::player::{ClockFace, Clocks};
use crate::record::Reason;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ClockTimes {
    /// By the index of the side.
    faces: [ClockFace; 2],
    own: usize,
}

impl ClockTimes {
    /// The clocks when `side` is to move. An opponent without a clock is shown with the same as the engine's own.
    pub(super) fn new(side: Side, clocks: &Clocks) -> ClockTimes {
        let own = clocks.own.unwrap_or_default();
        let mut faces = [own; 2];
        faces[side.opponent().index()] = clocks.opponent.unwrap_or(own);
        ClockTimes {
            faces,
            own: side.index(),
        }
    }

    pub(super) fn allowed_ms(&self) -> u64 {
        let own = &self.faces[self.own];
        own.remaining_ms + own.increment_ms + own.byoyomi_ms
    }

    /// How long the answer to a `go` is waited for, and what it means if it does not come: under node and depth limits the
    /// engine is stuck, by a time or a clock it has lost on time, `margin_ms` past what it had.
    pub(super) fn deadline(
        &self,
        limit: MoveLimit,
        margin_ms: u64,
        timeouts: Timeouts,
    ) -> (Duration, Reason) {
        let time_ms = match limit {
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => return (timeouts.stall(), Reason::Stall),
            MoveLimit::MoveTimeMs(time_ms) => time_ms,
            MoveLimit::Clock(_) => self.allowed_ms(),
        };
        (Duration::from_millis(time_ms + margin_ms), Reason::TimeLoss)
    }

    pub(super) fn after(mut self, time: Duration) -> ClockTimes {
        let own = &mut self.faces[self.own];
        let filled_ms = own.remaining_ms + own.increment_ms;
        own.remaining_ms = filled_ms.saturating_sub(time.as_millis() as u64);
        if let Some(period) = &mut own.period {
            period.moves_to_go -= 1;
            if period.moves_to_go == 0 {
                own.remaining_ms += period.added_ms;
                period.moves_to_go = period.moves;
            }
        }
        self
    }

    /// Ends a `go` with the clocks: `btime` and `wtime` without the increment of the coming move, as USI has it.
    pub(super) fn write(&self, protocol: EngineProtocol, text: &mut String) -> fmt::Result {
        let [first, second] = &self.faces;
        let names = match protocol {
            EngineProtocol::Usi => [["btime", "binc"], ["wtime", "winc"]],
            EngineProtocol::Uci => [["wtime", "winc"], ["btime", "binc"]],
        };
        for (face, [time, _]) in [first, second].into_iter().zip(names) {
            // UCI has no byoyomi: it is time like any other.
            let byoyomi_ms = if protocol == EngineProtocol::Uci {
                face.byoyomi_ms
            } else {
                0
            };
            write!(text, " {time} {}", face.remaining_ms + byoyomi_ms)?;
        }
        let own = &self.faces[self.own];
        let byoyomi_ms = own.byoyomi_ms;
        if protocol == EngineProtocol::Usi && byoyomi_ms > 0 {
            write!(text, " byoyomi {byoyomi_ms}")?;
        }
        for (face, [_, increment]) in [first, second].into_iter().zip(names) {
            if face.increment_ms > 0 {
                write!(text, " {increment} {}", face.increment_ms)?;
            }
        }
        // Else an engine would think that one move's time is for all moves to come.
        let is_byoyomi_alone = own.remaining_ms == 0 && own.increment_ms == 0;
        let moves_to_go = match own.period {
            Some(period) => Some(period.moves_to_go),
            None => is_byoyomi_alone.then_some(1),
        };
        // USI has no word for it.
        if let (EngineProtocol::Uci, Some(moves)) = (protocol, moves_to_go) {
            write!(text, " movestogo {moves}")?;
        }
        text.write_char('\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::PeriodFace;

    fn face(remaining_ms: u64, increment_ms: u64, byoyomi_ms: u64) -> Option<ClockFace> {
        Some(ClockFace {
            remaining_ms,
            increment_ms,
            byoyomi_ms,
            period: None,
        })
    }

    fn in_period(remaining_ms: u64, moves_to_go: u32) -> Option<ClockFace> {
        let period = Some(PeriodFace {
            moves_to_go,
            moves: 40,
            added_ms: 9000,
        });
        face(remaining_ms, 0, 0).map(|face| ClockFace { period, ..face })
    }

    #[test]
    fn each_protocol_is_told_what_it_has_words_for() {
        use EngineProtocol::{Uci, Usi};
        use Side::{First, Second};
        let (own, opponent) = (face(5000, 100, 0), face(7000, 200, 0));
        let byoyomi = face(0, 0, 300);
        let (seven, forty) = (in_period(5000, 7), in_period(6000, 40));
        for (side, own, opponent, protocol, expected) in [
            (
                Second,
                own,
                opponent,
                Usi,
                " btime 7000 wtime 5000 binc 200 winc 100",
            ),
            (
                First,
                own,
                opponent,
                Uci,
                " wtime 5000 btime 7000 winc 100 binc 200",
            ),
            (First, byoyomi, None, Usi, " btime 0 wtime 0 byoyomi 300"),
            // UCI is told byoyomi as the time for one move.
            (First, byoyomi, byoyomi, Uci, " wtime 300 btime 300 movestogo 1"),
            (First, face(5000, 0, 300), byoyomi, Uci, " wtime 5300 btime 300"),
            (First, seven, forty, Uci, " wtime 5000 btime 6000 movestogo 7"),
            (First, seven, forty, Usi, " btime 5000 wtime 6000"),
        ] {
            let mut text = String::new();
            let times = ClockTimes::new(side, &Clocks { own, opponent });
            times.write(protocol, &mut text).unwrap();
            assert_eq!(text, format!("{expected}\n"));
        }
    }

    #[test]
    fn a_move_may_take_all_that_is_left_and_a_period_adds_more_after_its_last() {
        let times = |own| ClockTimes::new(Side::First, &Clocks { own, opponent: None });
        let after = |times: ClockTimes, ms| times.after(Duration::from_millis(ms)).allowed_ms();
        let byoyomi = times(face(1000, 50, 300));
        assert_eq!(byoyomi.allowed_ms(), 1350);
        assert_eq!((after(byoyomi, 250), after(byoyomi, 1200)), (1150, 350));
        let period = times(in_period(1000, 2)).after(Duration::from_millis(400));
        assert_eq!((period.allowed_ms(), after(period, 600)), (600, 9000));
    }

    #[test]
    fn a_time_has_its_margin_and_nodes_a_timeout() {
        let timeouts = Timeouts::default();
        let of = |limit| ClockTimes::default().deadline(limit, 100, timeouts);
        let stalled = (timeouts.stall(), Reason::Stall);
        assert_eq!([of(MoveLimit::Nodes(1)), of(MoveLimit::Depth(1))], [stalled; 2]);
        assert_eq!(
            of(MoveLimit::MoveTimeMs(50)),
            (Duration::from_millis(150), Reason::TimeLoss)
        );
    }
}
