use tanren_engine::config::Config;
use tanren_engine::game::Game;

use crate::config::MoveLimit;
use crate::kinds::ablate::AblationFindings;
use crate::kinds::ablate::study::{AblationRow, AtLimit, Length, Variant, judge};
use crate::kinds::nodes::SummaryRow;
use crate::kinds::odds::plan::{OddsPlan, OddsStep};
use crate::stats::{Estimate, GameResult, PairResult, Tally};
use tanren_core::fixtures::counted;

pub(crate) fn ablation_row(name: &str, value: &str, halves: usize) -> AblationRow {
    let variant = Variant::new(Game::Shogi, &Config::default(), name, value).unwrap();
    let match_state = counted((0..40).map(|number| [halves, number % 3]));
    let nodes = SummaryRow {
        config: 1,
        depth: 6,
        positions: 10,
        nodes_total: Some(1),
        nodes_geomean: None,
        ratio: Estimate {
            value: Some(1.5),
            low: Some(1.25),
            high: Some(1.75),
        },
        ebf: None,
        agreement: None,
        time_us: Some(1),
    };
    let at = AtLimit::new(ABLATION_LIMIT, &match_state, ABLATION_LENGTH.level_of_each());
    AblationRow::new(variant, vec![at], Some(nodes), &ABLATION_LENGTH)
}

pub(crate) const ABLATION_LIMIT: MoveLimit = MoveLimit::Nodes(60);

const ABLATION_LENGTH: Length = Length {
    pairs: 40,
    straddle_pairs: None,
    budget: None,
    earlier: Vec::new(),
};

pub(crate) fn ablation(mut rows: Vec<AblationRow>) -> AblationFindings {
    judge(&mut rows, 0);
    AblationFindings {
        base: ["shogi", "base"].map(str::to_owned),
        planned: rows.len(),
        length: ABLATION_LENGTH,
        limits: vec![ABLATION_LIMIT],
        rows,
    }
}

pub(crate) const ODDS: OddsPlan = OddsPlan {
    resource: 1000,
    ratio_max: 8.0,
};

pub(crate) fn tally(won: u64, lost: u64) -> Tally {
    let mut tally = Tally::default();
    for (first, count) in [(GameResult::Win, won), (GameResult::Loss, lost)] {
        (0..count).for_each(|_| tally.add(PairResult { first, second: first }));
    }
    tally
}

pub(crate) fn odds_steps() -> Vec<OddsStep> {
    let first = ODDS.step(&[], 500, &tally(30, 70));
    let second = ODDS.step(&[first], 2000, &tally(70, 30));
    vec![first, second]
}
