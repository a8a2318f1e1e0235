//! Where the moves of a search lie that pruning by region judges, and where those that cut.

use tanren_engine::search::{BUCKETS, Counters, Distribution};

use crate::record::Search;

/// The judged moves of one distance in one search, all its iterations together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistanceRow {
    pub config: usize,
    pub position: usize,
    /// King-move distance; the greatest there is stands for all beyond it.
    pub distance: usize,
    pub generated: u64,
    pub seen: u64,
    pub cuts_attack: u64,
    pub cuts_defence: u64,
    pub cuts_other: u64,
}

/// The rows of `search` at whose distance there was anything; none for another program, which counts nothing.
pub fn distances(search: &Search) -> impl Iterator<Item = DistanceRow> {
    let count = |distribution, distance| -> u64 {
        let place = Counters::place_of(distribution, distance);
        let iterations = search.iterations.iter();
        let tried = iterations.filter_map(|iteration| iteration.tried.get(place));
        tried.map(|tried| tried.successes).sum()
    };
    let rows = (0..BUCKETS).map(move |distance| DistanceRow {
        config: search.config,
        position: search.position,
        distance,
        generated: count(Distribution::GeneratedAttack, distance)
            + count(Distribution::GeneratedDefence, distance)
            + count(Distribution::GeneratedOther, distance),
        seen: count(Distribution::SeenAttack, distance)
            + count(Distribution::SeenDefence, distance)
            + count(Distribution::SeenOther, distance),
        cuts_attack: count(Distribution::CutAttack, distance),
        cuts_defence: count(Distribution::CutDefence, distance),
        cuts_other: count(Distribution::CutOther, distance),
    });
    rows.filter(|row| row.generated + row.seen + row.cuts_attack + row.cuts_defence + row.cuts_other > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{SearchIteration, Tried};

    fn iteration(depth: u32, counted: &[(&str, u64)]) -> SearchIteration {
        let tried = Counters::names().into_iter().map(|name| Tried {
            tries: 100,
            successes: counted
                .iter()
                .find(|(of, _)| *of == name)
                .map_or(0, |(_, count)| *count),
        });
        SearchIteration {
            depth,
            nodes: 1,
            time_us: None,
            score: None,
            pv: Vec::new(),
            tried: tried.collect(),
        }
    }

    #[test]
    fn a_row_sums_up_its_distance_over_kinds_and_iterations_and_empty_ones_are_left_out() {
        let first = iteration(1, &[("soppo_seen.attack.3", 5), ("soppo_cut.attack.3", 1)]);
        let second = iteration(
            2,
            &[
                ("soppo_seen.other.3", 7),
                ("soppo_generated.defence.3", 9),
                ("soppo_cut.other.16+", 2),
            ],
        );
        let search = Search {
            config: 1,
            position: 4,
            iterations: vec![first, second],
            fault: None,
        };
        let row = |distance| DistanceRow {
            config: 1,
            position: 4,
            distance,
            generated: 0,
            seen: 0,
            cuts_attack: 0,
            cuts_defence: 0,
            cuts_other: 0,
        };
        let near = DistanceRow {
            generated: 9,
            seen: 12,
            cuts_attack: 1,
            ..row(3)
        };
        let far = DistanceRow {
            cuts_other: 2,
            ..row(16)
        };
        assert_eq!(distances(&search).collect::<Vec<_>>(), [near, far]);
    }

    #[test]
    fn a_search_that_counted_nothing_has_no_rows() {
        let mut bare = iteration(1, &[]);
        bare.tried.clear();
        let search = Search {
            config: 0,
            position: 0,
            iterations: vec![bare],
            fault: None,
        };
        assert_eq!(distances(&search).count(), 0);
    }
}
