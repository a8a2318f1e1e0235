//! What both clocks show, as an engine is told.

use std::fmt::{self, Write};
use std::time::Duration;

use tanren_engine::game::Side;

use crate::config::EngineProtocol;
use crate::player::{ClockFace, Clocks};

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

    fn written(
        side: Side,
        own: Option<ClockFace>,
        opponent: Option<ClockFace>,
        protocol: EngineProtocol,
    ) -> String {
        let mut text = String::new();
        ClockTimes::new(side, &Clocks { own, opponent })
            .write(protocol, &mut text)
            .unwrap();
        text
    }

    #[test]
    fn each_side_is_told_its_own_time() {
        let (own, opponent) = (face(5000, 100, 0), face(7000, 200, 0));
        let usi = written(Side::Second, own, opponent, EngineProtocol::Usi);
        assert_eq!(usi, " btime 7000 wtime 5000 binc 200 winc 100\n");
        let uci = written(Side::First, own, opponent, EngineProtocol::Uci);
        assert_eq!(uci, " wtime 5000 btime 7000 winc 100 binc 200\n");
    }

    #[test]
    fn byoyomi_alone_has_empty_clocks() {
        let usi = written(Side::First, face(0, 0, 300), None, EngineProtocol::Usi);
        assert_eq!(usi, " btime 0 wtime 0 byoyomi 300\n");
    }

    #[test]
    fn uci_is_told_byoyomi_as_the_time_for_one_move() {
        let alone = written(Side::First, face(0, 0, 300), face(0, 0, 300), EngineProtocol::Uci);
        assert_eq!(alone, " wtime 300 btime 300 movestogo 1\n");
        let before = written(
            Side::First,
            face(5000, 0, 300),
            face(0, 0, 300),
            EngineProtocol::Uci,
        );
        assert_eq!(before, " wtime 5300 btime 300\n");
    }

    #[test]
    fn uci_is_told_the_moves_until_there_is_more_time_and_usi_has_no_word_for_them() {
        let (own, opponent) = (in_period(5000, 7), in_period(6000, 40));
        let uci = written(Side::First, own, opponent, EngineProtocol::Uci);
        assert_eq!(uci, " wtime 5000 btime 6000 movestogo 7\n");
        let usi = written(Side::First, own, opponent, EngineProtocol::Usi);
        assert_eq!(usi, " btime 5000 wtime 6000\n");
    }

    #[test]
    fn after_the_last_move_of_a_period_there_is_more_time() {
        let clocks = Clocks {
            own: in_period(1000, 2),
            opponent: None,
        };
        let times = ClockTimes::new(Side::First, &clocks).after(Duration::from_millis(400));
        assert_eq!(times.allowed_ms(), 600);
        assert_eq!(times.after(Duration::from_millis(600)).allowed_ms(), 9000);
    }

    #[test]
    fn a_move_may_take_all_that_is_left_and_then_it_is_gone() {
        let clocks = Clocks {
            own: face(1000, 50, 300),
            opponent: None,
        };
        let times = ClockTimes::new(Side::First, &clocks);
        assert_eq!(times.allowed_ms(), 1350);
        assert_eq!(times.after(Duration::from_millis(250)).allowed_ms(), 1150);
        assert_eq!(times.after(Duration::from_millis(1200)).allowed_ms(), 350);
    }
}
