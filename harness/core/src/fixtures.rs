//! Results that tests count, store and report.
#![expect(clippy::unwrap_used, reason = "a fixture of tests may panic")]

use crate::crosstable::Crosstable;
use crate::match_state::MatchState;
use crate::record::{GameRecord, PairOutcome, PairRecord, PlayerId, Reason, Score, Turn};
use crate::stop::StopRule;

/// A pair whose games A scores `halves` half points in, with moves that depend on `variant`.
pub fn pair(number: u64, halves: [usize; 2], variant: u16) -> PairRecord {
    let game = |first, halves: usize, tail: u16| GameRecord {
        winner: [Some(PlayerId::B), None, Some(PlayerId::A)][halves],
        reason: if halves == 1 {
            Reason::Repetition
        } else {
            Reason::NoLegalMove
        },
        moves: vec![1, 2, variant, tail],
        turns: vec![
            Turn {
                score: Some(Score::Centipawns(i32::from(variant) - 40)),
                depth: 5,
                nodes: 100,
                time_ms: 1,
            };
            4
        ],
        nodes: [100 + u64::from(variant), 200],
        time_us: [1500, 2500],
        depth_sum: [9, 7],
        ..GameRecord::unplayed(first, number as u32)
    };
    PairRecord {
        replayed: Vec::new(),
        pair: number,
        players: [0, 1],
        opening_line: number as u32 + 1,
        opening: format!("{} a", 9 + number % 3),
        book: String::new(),
        games: [game(PlayerId::A, halves[0], 1), game(PlayerId::B, halves[1], 2)],
    }
}

/// The count of a match without a test that came to these half points, pair by pair.
pub fn counted(results: impl IntoIterator<Item = [usize; 2]>) -> MatchState {
    let results: Vec<[usize; 2]> = results.into_iter().collect();
    let mut match_state = fixed(results.len() as u64);
    for (number, halves) in results.into_iter().enumerate() {
        match_state.count(&pair(number as u64, halves, 0));
    }
    match_state
}

pub fn fixed(pairs_max: u64) -> MatchState {
    MatchState::new(StopRule::new(None, pairs_max))
}

/// Three players, `rounds` rounds: 0 beats 1, 1 beats 2 in most games, 0 and 2 draw.
pub fn played(rounds: u64, sprt: Option<&str>) -> Crosstable {
    let rule = StopRule::new(sprt.map(|text| crate::config::parse_sprt(text).unwrap()), rounds);
    let mut table = Crosstable::new(3, &[[0, 1], [0, 2], [1, 2]], rule);
    for number in 0..3 * rounds {
        let (round, players) = (number / 3, [[0, 1], [0, 2], [1, 2]][number as usize % 3]);
        let halves = match players {
            [0, 1] => [2, if round % 4 == 0 { 0 } else { 2 }],
            [0, 2] => [1, 1],
            _ => [2, if round % 2 == 0 { 0 } else { 1 }],
        };
        let mut record = pair(number, halves, number as u16);
        record.players = players;
        assert!(table.count(&PairOutcome::from(&record)));
    }
    table
}
