//! A game for tests: take 1 to 3 from a heap or wait; who cannot take loses.
//!
//! Waiting is possible while the heap holds more than three, so positions can repeat; a heap that is a multiple of five
//! is "check".

use std::fmt;

use tanren_engine::config::Config;
use tanren_engine::eval::{Evaluate, Evaluated};
use tanren_engine::game::{
    Claim, ClaimPoints, EarlyTests, Game, GameMove, MoveList, ParseError, Position, Side, StructureKeys,
};
use tanren_engine::search::{Report, Searchable, Task};

const HEAP_START: u8 = 20;
const HEAP_WAIT_MIN: u8 = 4;

/// A number to take; 4 is to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Take(pub u16);

pub const WAIT: Take = Take(4);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl GameMove for Take {
    fn bits(self) -> u16 {
        self.0
    }
    fn from_bits(bits: u16) -> Self {
        Take(bits)
    }
    fn parse(text: &str) -> Result<Self, ParseError> {
        let number = text
            .parse()
            .map_err(|_| ParseError(format!("'{text}' is no move")))?;
        Ok(Take(number))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toy {
    heap: u8,
    side: Side,
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.heap, ["a", "b"][self.side.index()])
    }
}

impl Position for Toy {
    type Move = Take;
    type Undo = u8;

    const GAME: Game = Game::Shogi;
    const PIECE_TO: usize = 8;
    const VICTIMS: usize = 1;
    const REPETITIONS: usize = 4;
    const PERPETUAL_CHECK_LOSES: bool = true;

    fn start() -> Self {
        Toy {
            heap: HEAP_START,
            side: Side::First,
        }
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        if text == "startpos" {
            return Ok(Toy::start());
        }
        let bad = || ParseError("not a heap and a side".to_owned());
        let (heap, side) = text.split_once(' ').ok_or_else(bad)?;
        Ok(Toy {
            heap: heap.parse().map_err(|_| bad())?,
            side: if side == "a" { Side::First } else { Side::Second },
        })
    }

    fn parse_move(&self, text: &str) -> Result<Take, ParseError> {
        let mv = Take::parse(text)?;
        if self.is_pseudo_legal(mv) {
            Ok(mv)
        } else {
            Err(ParseError(format!("'{text}' is illegal")))
        }
    }

    fn side_to_move(&self) -> Side {
        self.side
    }
    fn key(&self) -> u64 {
        u64::from(self.heap) << 1 | self.side.index() as u64
    }
    fn in_check(&self) -> bool {
        self.heap.is_multiple_of(5)
    }

    fn make(&mut self, mv: Take) -> u8 {
        let heap = self.heap;
        if mv != WAIT {
            self.heap -= mv.0 as u8;
        }
        self.side = self.side.opponent();
        heap
    }
    fn unmake(&mut self, _: Take, heap: u8) {
        self.heap = heap;
        self.side = self.side.opponent();
    }
    fn make_null(&mut self) -> u8 {
        self.make(WAIT)
    }
    fn unmake_null(&mut self, heap: u8) {
        self.unmake(WAIT, heap);
    }
    fn is_pass_safe(&self) -> bool {
        false
    }

    fn captures(&self, _: &mut MoveList<Take>, _: EarlyTests) {}
    fn quiets(&self, list: &mut MoveList<Take>, _: EarlyTests) {
        self.legal_all(list);
    }
    fn evasions(&self, list: &mut MoveList<Take>, _: EarlyTests) {
        self.legal_all(list);
    }
    fn legal(&self, list: &mut MoveList<Take>) {
        self.legal_all(list);
    }
    fn legal_all(&self, list: &mut MoveList<Take>) {
        list.extend((1..=4).map(Take).filter(|&mv| self.is_pseudo_legal(mv)));
    }
    fn count_legal_all(&self) -> usize {
        (1..=4).map(Take).filter(|&mv| self.is_pseudo_legal(mv)).count()
    }
    fn is_pseudo_legal(&self, mv: Take) -> bool {
        match mv {
            WAIT => self.heap >= HEAP_WAIT_MIN,
            Take(taken) => (1..=3).contains(&taken) && taken <= u16::from(self.heap),
        }
    }
    fn is_legal(&self, _: Take) -> bool {
        true
    }

    fn is_tactical(&self, _: Take) -> bool {
        false
    }
    fn gives_check(&self, mv: Take) -> bool {
        let mut next = self.clone();
        next.make(mv);
        next.in_check()
    }
    fn piece_to(&self, mv: Take) -> usize {
        usize::from(mv.0)
    }
    fn victim(&self, _: Take) -> usize {
        0
    }
    fn structure_keys(&self) -> StructureKeys {
        StructureKeys {
            material: 0,
            kings: 0,
            pawns: 0,
        }
    }
    fn gain(&self, _: Take) -> i32 {
        0
    }
    fn mover_value(&self, _: Take) -> i32 {
        100
    }
    fn see_ge(&self, _: Take, threshold: i32) -> bool {
        threshold <= 0
    }

    fn claim(&self, points: Option<&ClaimPoints>) -> Claim {
        match (points, self.heap) {
            (Some(_), 13) => Claim::Win,
            (Some(ClaimPoints { draw: Some(_), .. }), 12) => Claim::Draw,
            _ => Claim::Invalid,
        }
    }
}

pub struct Blind;

impl Evaluate<Toy> for Blind {
    type Accumulator = ();
    type Memory = ();

    fn new(_: &Config) -> Self {
        Blind
    }
    fn refresh(&self, _: &Toy) {}
    fn update(&self, _: &Toy, _: Take, (): &()) {}
    fn phase(&self, _: &Toy, (): &()) -> i32 {
        0
    }
    fn evaluate(&self, _: &Toy, (): &(), (): &mut ()) -> i32 {
        0
    }
    fn material(&self, _: &Toy, (): &()) -> i32 {
        0
    }
}

impl Evaluated for Toy {
    type Evaluator = Blind;
}

impl Searchable for Toy {
    fn search(task: Task<'_, Self>) -> Report<Take> {
        task.run()
    }
}
