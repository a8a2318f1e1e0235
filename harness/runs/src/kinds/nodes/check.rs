//! Whether a search that another machine says it made can be one.

use tanren_engine::search::{Counters, MATE, PLY_MAX, Searchable};

use crate::player::AnalysisLimits;
use crate::record::{FinishedSearch, SearchIteration};
use crate::sanitize;

/// What a program did instead of searching is told in fewer bytes.
const FAULT_BYTES_MAX: usize = 1 << 12;
const NUMBER_MAX: u64 = 1 << 62;

pub(crate) fn check<P: Searchable>(
    search: &FinishedSearch,
    position: &P,
    is_builtin: bool,
    limits: AnalysisLimits,
) -> Result<(), String> {
    if let Some(fault) = &search.fault {
        let is_told =
            !is_builtin && fault.len() <= FAULT_BYTES_MAX && sanitize::unsafe_character(fault).is_none();
        let is_alone = search.iterations.is_empty();
        return if is_told && is_alone {
            Ok(())
        } else {
            Err("a fault that cannot be".to_owned())
        };
    }
    let (mut depth, mut nodes) = (0, 0);
    for iteration in &search.iterations {
        if iteration.depth <= depth || iteration.depth > limits.depth {
            return Err(format!("depth {} after depth {depth}", iteration.depth));
        }
        // A program counts as it likes.
        let least = if is_builtin { nodes } else { 1 };
        let is_over = limits
            .nodes_max
            .is_some_and(|most| iteration.nodes > most && iteration.depth > 1);
        if iteration.nodes == 0 || iteration.nodes < least || iteration.nodes > NUMBER_MAX || is_over {
            return Err(format!("{} nodes to depth {}", iteration.nodes, iteration.depth));
        }
        (depth, nodes) = (iteration.depth, iteration.nodes);
        check_iteration(iteration, position, is_builtin)?;
    }
    Ok(())
}

fn check_iteration<P: Searchable>(
    iteration: &SearchIteration,
    position: &P,
    is_builtin: bool,
) -> Result<(), String> {
    let depth = iteration.depth;
    if iteration.time_us.is_some_and(|time_us| time_us > NUMBER_MAX) {
        return Err(format!("an impossible time to depth {depth}"));
    }
    if is_builtin {
        let counters = Counters::names().len();
        let score = iteration.score.filter(|score| (-MATE..=MATE).contains(score));
        if score.is_none() || iteration.time_us.is_none() || iteration.tried.len() != counters {
            return Err(format!("no whole iteration of depth {depth}"));
        }
    } else if !iteration.tried.is_empty() {
        return Err("counters of a program".to_owned());
    }
    if iteration
        .tried
        .iter()
        .any(|tried| tried.tries > NUMBER_MAX || tried.successes > tried.tries)
    {
        return Err(format!("impossible counters of depth {depth}"));
    }
    let mut position = position.clone();
    // A line may end in a longer one of another search.
    if iteration.pv.len() > 8 * PLY_MAX {
        return Err(format!("a variation of {} moves", iteration.pv.len()));
    }
    for text in &iteration.pv {
        let found = position.parse_move(text).ok();
        let Some(mv) = found.filter(|mv| mv.to_string() == *text) else {
            return Err(format!("a variation to depth {depth} that is not legal"));
        };
        position.make(mv);
    }
    Ok(())
}

/// Looks at a search of anybody as one of `position`, by every kind of player, for `fuzz/`.
#[cfg(feature = "fuzzing")]
pub fn fuzz_check<P: Searchable>(search: &FinishedSearch, position: &P) {
    let limits = AnalysisLimits {
        depth: 20,
        nodes_max: Some(1_000_000),
    };
    for is_builtin in [false, true] {
        let _ = check(search, position, is_builtin, limits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::nodes::tests::searched;
    use crate::openings::{Opening, built_in_nodes};
    use tanren_engine::game::Position;
    use tanren_engine::{chess, shogi};

    fn limits(nodes_max: Option<u64>) -> AnalysisLimits {
        AnalysisLimits { depth: 5, nodes_max }
    }

    fn all_pass<P: Searchable>(mut positions: Vec<P>) {
        let openings = built_in_nodes::<P>().openings;
        positions.extend(openings.iter().step_by(4).map(Opening::position));
        for nodes_max in [None, Some(300), Some(5)] {
            let searches = searched(&["base"], &positions, limits(nodes_max));
            for (position, search) in positions.iter().zip(searches) {
                let checked = check(&search, position, true, limits(nodes_max));
                assert_eq!(checked, Ok(()), "{position} {search:?}");
            }
        }
    }

    #[test]
    fn every_true_search_passes() {
        let mated = shogi::Board::parse("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
        all_pass::<shogi::Board>(vec![mated]);
        all_pass::<chess::Board>(Vec::new());
    }

    #[test]
    fn what_no_search_can_find_is_refused() {
        type Change = fn(&mut FinishedSearch);
        let changes: [(Change, &str); 11] = [
            (|search| search.iterations[0].depth = 0, "depth 0 after depth 0"),
            (|search| search.iterations[4].depth = 6, "depth 6 after depth 4"),
            (|search| search.iterations.swap(1, 2), "depth 2 after depth 3"),
            (|search| search.iterations[0].nodes = 0, "0 nodes to depth 1"),
            (|search| search.iterations[3].nodes = 1, "1 nodes to depth 4"),
            (
                |search| search.iterations[4].nodes = 1_000_001,
                "1000001 nodes to depth 5",
            ),
            (
                |search| search.iterations[2].score = Some(MATE + 1),
                "no whole iteration",
            ),
            (|search| search.iterations[2].tried.clear(), "no whole iteration"),
            (
                |search| search.iterations[2].tried[0].successes = u64::MAX,
                "impossible counters",
            ),
            (
                |search| search.iterations[2].pv[0] = "9i1a".to_owned(),
                "not legal",
            ),
            (
                |search| search.fault = Some("it crashed".to_owned()),
                "a fault that cannot be",
            ),
        ];
        let position = shogi::Board::start();
        let limits = limits(Some(1_000_000));
        let found = searched(&["base"], std::slice::from_ref(&position), limits).remove(0);
        for (change, expected) in changes {
            let mut search = found.clone();
            change(&mut search);
            let why = check(&search, &position, true, limits).unwrap_err();
            assert!(why.contains(expected), "{why}; expected {expected}");
        }
    }
}
