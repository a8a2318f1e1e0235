//! A UCI engine of chess whose strength is a known function of its options.
//!
//! `strength_engine NUMBERS ELO_PER_STEP GAIN`: the options P0, P1, … are 0 at the start, and a step is 100. The best values lie to alternate
//! sides and are worth GAIN Elo against the start; a step from them loses ELO_PER_STEP Elo on average.
//!
//! Before every game each side draws how well it plays, the strength and a chance of its own, and tells it by its first two moves: their
//! places among the legal ones. From its third move on a side that drew less is lost and says so, and sides that drew nearly the same say
//! that they are even: `--resign score=600,moves=1,both=off --draw from=1,moves=1,score=1` end the game.
//! STRENGTH_PAUSE_MS in its environment is how long it thinks for a move (0).

#![expect(clippy::print_stdout, reason = "the protocol")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead};
use std::thread;
use std::time::Duration;

use tanren_engine::chess::Board;
use tanren_engine::game::{MoveList, Position};

const STEP: f64 = 100.0;
/// Moves by which a side tells how well it plays.
const TELLING: usize = 2;
/// Elo on the scale of chances, and the range that can be told.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
const RANGE: f64 = 4000.0;
/// Even games: the difference below which neither side wins, for 30 % draws, and how much less a difference is worth then.
const EVEN: f64 = 2.0 * SCALE * 0.309_519_604;
const WORTH: f64 = 1.0 - 0.3 * 0.3;

struct Strength {
    elo_per_step: f64,
    distance: f64,
    options: Vec<f64>,
}

impl Strength {
    fn of(arguments: &[f64]) -> Strength {
        let [numbers, elo_per_step, gain] = *arguments else {
            panic!("NUMBERS ELO_PER_STEP GAIN are wanted")
        };
        let mut strength = Strength {
            elo_per_step,
            distance: 1.0,
            options: vec![0.0; numbers as usize],
        };
        strength.distance = (gain / -strength.elo()).sqrt();
        strength
    }

    /// Against the best values.
    fn elo(&self) -> f64 {
        let numbers = self.options.iter().enumerate();
        let loss = numbers.map(|(index, value)| {
            let best = if index % 2 == 0 {
                self.distance
            } else {
                -self.distance
            };
            let weight = [0.4, 1.0, 1.6][index % 3];
            weight * self.elo_per_step * (value / STEP - best).powi(2)
        });
        -loss.sum::<f64>()
    }

    /// How well it plays in the game that begins at `start`, from 0 to 1.
    fn draw(&self, start: &str, is_white: bool) -> f64 {
        let mut hasher = DefaultHasher::new();
        (start, is_white).hash(&mut hasher);
        for option in &self.options {
            option.to_bits().hash(&mut hasher);
        }
        let uniform = (hasher.finish() >> 11) as f64 / (1u64 << 53) as f64;
        let chance = -(-uniform.max(1e-300).ln()).ln();
        (0.5 + (self.elo() / WORTH + SCALE * chance) / RANGE).clamp(0.0, 0.999_999)
    }
}

fn main() {
    let pause = std::env::var("STRENGTH_PAUSE_MS").ok();
    let pause = Duration::from_millis(pause.and_then(|text| text.parse().ok()).unwrap_or(0));
    let arguments: Vec<f64> = std::env::args()
        .skip(1)
        .map(|word| word.parse().expect("a number"))
        .collect();
    let mut strength = Strength::of(&arguments);
    let mut position = String::new();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => {
                println!("id name strength");
                for number in 0..strength.options.len() {
                    println!("option name P{number} type spin default 0 min -10000 max 10000");
                }
                println!("uciok");
            }
            ["isready"] => println!("readyok"),
            ["setoption", "name", name, "value", value] => {
                let number = name.strip_prefix('P').and_then(|number| number.parse().ok());
                let option = number.and_then(|number: usize| strength.options.get_mut(number));
                if let (Some(option), Ok(value)) = (option, value.parse()) {
                    *option = value;
                }
            }
            ["position", ..] => line["position ".len()..].clone_into(&mut position),
            ["go", ..] => {
                thread::sleep(pause);
                answer(&strength, &position);
            }
            ["quit"] => return,
            _ => {}
        }
    }
}

/// Moves of the game itself, without those of its opening, are told apart by the FEN that it begins with.
fn answer(strength: &Strength, position: &str) {
    let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let mut board = Board::parse(start.trim_start_matches("fen ")).expect("a position");
    // What each side has told: the sum, and the share of the place that is left.
    let mut told = [(0.0, 1.0); 2];
    let moves: Vec<&str> = moves.split_whitespace().collect();
    for (ply, text) in moves.iter().enumerate() {
        let mv = board.parse_move(text).expect("a legal move");
        if ply < 2 * TELLING {
            let legal = legal(&board);
            let place = legal
                .iter()
                .position(|other| other == text)
                .expect("a legal move");
            let (sum, share) = &mut told[ply % 2];
            *share /= legal.len() as f64;
            *sum += place as f64 * *share;
        }
        board.make(mv);
    }
    let legal = legal(&board);
    let side = moves.len() % 2;
    if moves.len() < 2 * TELLING {
        let is_white = board.to_string().contains(" w ");
        let (sum, share) = told[side];
        let rest = (strength.draw(start, is_white) - sum) / share;
        let place = ((rest * legal.len() as f64) as usize).min(legal.len() - 1);
        println!("info depth 1 score cp 50\nbestmove {}", legal[place]);
        return;
    }
    let [own, other] = [told[side], told[1 - side]].map(|(sum, share)| RANGE * (sum + share / 2.0));
    let score = match own - other {
        difference if difference.abs() < EVEN => 0,
        difference if difference < 0.0 => -3000,
        _ => 3000,
    };
    println!("info depth 1 score cp {score}\nbestmove {}", legal[0]);
}

fn legal(board: &Board) -> Vec<String> {
    let mut list = MoveList::new();
    board.legal(&mut list);
    let mut legal: Vec<String> = list.iter().map(|mv| mv.to_string()).collect();
    legal.sort();
    legal
}
