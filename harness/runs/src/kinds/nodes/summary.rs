//! What the searches of a study say together.
//!
//! All numbers of a depth are over the positions whose iteration of that depth every configuration finished.

use std::collections::BTreeMap;

use tanren_engine::search::{BUCKETS, Counters, Distribution};

use crate::record::{Search, SearchIteration, TechniqueCounts};
use crate::stats::{CONFIDENCE, Corrected, Estimate, MeanRatio, corrected, geometric_mean};

/// Fixed, so that the same searches always give the same interval.
const BOOTSTRAP_SEED: u64 = 1;

#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow {
    pub config: usize,
    pub depth: u32,
    /// Positions that every configuration finished at this depth; all the rest is over these.
    pub positions: usize,
    /// Sum of the nodes from depth 1 on; none where another program leaves nothing to be summed up.
    pub nodes_total: Option<u64>,
    pub nodes_geomean: Option<f64>,
    pub ratio: Estimate,
    /// Effective branching factor: geometric mean of nodes over nodes of the depth before; none at depth 1.
    pub ebf: Option<f64>,
    pub agreement: Option<f64>,
    pub time_us: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterRow {
    pub config: usize,
    pub depth: u32,
    pub counter: usize,
    /// Of the iterations of this depth alone; none for another program.
    pub tried: Option<TechniqueCounts>,
}

/// Two configurations at the deepest depth that all of them finished.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The one whose nodes are divided by those of the other.
    pub config: usize,
    pub other: usize,
    pub ratio: Estimate,
    /// Positions in which it needs fewer nodes than the other.
    pub fewer_in: usize,
    /// Two-sided, and with all other pairs of configurations.
    pub test: Option<Corrected>,
}

impl Comparison {
    pub(crate) fn is_significant(&self) -> bool {
        self.test.is_some_and(|test| test.p_holm < 1.0 - CONFIDENCE)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct NodesSummary {
    pub rows: Vec<SummaryRow>,
    pub counters: Vec<CounterRow>,
    /// Those with the first configuration come first.
    pub comparisons: Vec<Comparison>,
}

impl NodesSummary {
    /// Sums up `searches`, which may be incomplete and in any order, down to `depth`. Of each configuration `are_programs`
    /// says whether it is another program, which counts nothing but nodes.
    pub fn new(searches: &[Search], are_programs: &[bool], depth: u32) -> NodesSummary {
        let configs = are_programs.len();
        let has_program = are_programs.contains(&true);
        let depths: Vec<Vec<Vec<&Search>>> = (1..=depth)
            .map(|depth| comparable(searches, configs, depth))
            .collect();
        let cells = (0..configs).flat_map(|config| (1..=depth).map(move |depth| (config, depth)));
        let is_compared = |depth: &u32| !depths[*depth as usize - 1][0].is_empty();
        let deepest = (1..=depth).rev().find(is_compared);
        let mut summary = NodesSummary {
            rows: Vec::new(),
            counters: Vec::new(),
            comparisons: deepest
                .map_or_else(Vec::new, |depth| comparisons(depth, &depths[depth as usize - 1])),
        };
        for (config, depth) in cells {
            let searches = &depths[depth as usize - 1];
            let mut row = row(config, depth, &searches[0], &searches[config]);
            if has_program && row.positions == 0 {
                row.nodes_total = None;
            }
            summary.rows.push(row);
            let mut counters = counters(config, depth, &searches[config]);
            if are_programs[config] {
                counters.iter_mut().for_each(|row| row.tried = None);
            }
            summary.counters.extend(counters);
        }
        summary
    }

    pub fn depth_compared(&self) -> Option<u32> {
        let compared = self.rows.iter().filter(|row| row.positions > 0);
        compared.map(|row| row.depth).max()
    }

    /// The rows of the depth that is compared, one for each configuration.
    pub fn deepest(&self) -> Vec<&SummaryRow> {
        let rows = self.rows.iter();
        rows.filter(|row| Some(row.depth) == self.depth_compared())
            .collect()
    }

    pub fn rows_of(&self, config: usize) -> impl Iterator<Item = &SummaryRow> {
        self.rows.iter().filter(move |row| row.config == config)
    }
}

/// For each configuration its searches of the positions that all of them finished at `depth`, in position order.
fn comparable(searches: &[Search], configs: usize, depth: u32) -> Vec<Vec<&Search>> {
    let mut of_position: BTreeMap<usize, Vec<&Search>> = BTreeMap::new();
    for search in searches.iter().filter(|search| search.at(depth).is_some()) {
        of_position.entry(search.position).or_default().push(search);
    }
    let mut of_config = vec![Vec::new(); configs];
    for searches in of_position
        .into_values()
        .filter(|searches| searches.len() == configs)
    {
        for search in searches {
            of_config[search.config].push(search);
        }
    }
    of_config
}

fn nodes(search: &Search, depth: u32) -> Option<f64> {
    search.at(depth).map(|iteration| iteration.nodes as f64)
}

/// Nodes over nodes of another configuration, position by position.
fn ratios(depth: u32, own: &[&Search], other: &[&Search]) -> Vec<f64> {
    let pairs = own.iter().zip(other);
    let ratio = |(own, other): (&&Search, &&Search)| Some(nodes(own, depth)? / nodes(other, depth)?);
    pairs.filter_map(ratio).collect()
}

fn mean_ratio(ratios: &[f64]) -> Option<MeanRatio> {
    geometric_mean(ratios, CONFIDENCE, BOOTSTRAP_SEED).ok()
}

/// Each against each, from the searches of one depth.
fn comparisons(depth: u32, searches: &[Vec<&Search>]) -> Vec<Comparison> {
    let configs = searches.len();
    let pairs = (0..configs).flat_map(|other| (other + 1..configs).map(move |config| (config, other)));
    let found = pairs.map(|(config, other)| {
        let ratios = ratios(depth, &searches[config], &searches[other]);
        let mean = mean_ratio(&ratios);
        let comparison = Comparison {
            config,
            other,
            ratio: mean.map_or(Estimate::UNKNOWN, |mean| mean.ratio),
            fewer_in: ratios.iter().filter(|&&ratio| ratio < 1.0).count(),
            test: None,
        };
        (comparison, mean.and_then(|mean| mean.p))
    });
    let (comparisons, p_values): (Vec<Comparison>, Vec<Option<f64>>) = found.unzip();
    let tested = comparisons.into_iter().zip(corrected(&p_values));
    tested
        .map(|(comparison, test)| Comparison { test, ..comparison })
        .collect()
}

/// One row, from the searches of the first configuration and of this one over the same positions.
fn row(config: usize, depth: u32, first: &[&Search], own: &[&Search]) -> SummaryRow {
    let iterations: Vec<&SearchIteration> = own.iter().filter_map(|search| search.at(depth)).collect();
    let pairs = || own.iter().zip(first);
    let growth = |search: &&Search| Some(nodes(search, depth)? / nodes(search, depth - 1)?);
    let growths: Option<Vec<f64>> = own.iter().map(growth).collect();
    let bestmove = |search: &Search| search.at(depth).map(|found| found.bestmove().to_owned());
    let bestmoves = pairs().filter_map(|(own, first)| bestmove(own).zip(bestmove(first)));
    let known: Vec<bool> = bestmoves
        .filter(|(own, first)| !own.is_empty() && !first.is_empty())
        .map(|(own, first)| own == first)
        .collect();
    let same = known.iter().filter(|&&is_same| is_same).count();
    let agreement = (!known.is_empty()).then(|| same as f64 / known.len() as f64);
    let nodes_each: Vec<f64> = iterations
        .iter()
        .map(|iteration| iteration.nodes as f64)
        .collect();
    SummaryRow {
        config,
        depth,
        positions: own.len(),
        nodes_total: Some(iterations.iter().map(|iteration| iteration.nodes).sum()),
        nodes_geomean: mean(&nodes_each),
        ratio: mean_ratio(&ratios(depth, own, first)).map_or(Estimate::UNKNOWN, |mean| mean.ratio),
        ebf: growths.as_deref().and_then(mean),
        agreement,
        time_us: iterations.iter().map(|iteration| iteration.time_us).sum(),
    }
}

fn counters(config: usize, depth: u32, own: &[&Search]) -> Vec<CounterRow> {
    let mut sums = vec![TechniqueCounts::default(); Counters::names().len()];
    for iteration in own.iter().filter_map(|search| search.at(depth)) {
        for (sum, &tried) in sums.iter_mut().zip(&iteration.tried) {
            *sum += tried;
        }
    }
    let rows = sums.into_iter().enumerate();
    rows.map(|(counter, tried)| CounterRow {
        config,
        depth,
        counter,
        tried: Some(tried),
    })
    .collect()
}

/// The geometric mean; none of nothing, or where there is a zero.
fn mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|value| value.ln()).sum();
    let mean = (logs / values.len() as f64).exp();
    (!values.is_empty() && logs.is_finite()).then_some(mean)
}

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
pub(super) mod tests {
    use super::*;

    pub(in crate::kinds::nodes) fn search(
        config: usize,
        position: usize,
        iterations: &[(u64, &str)],
    ) -> Search {
        let iteration = |(depth, &(nodes, mv)): (u32, &(u64, &str))| SearchIteration {
            depth,
            nodes,
            time_us: Some(10 * nodes),
            score: Some(0),
            pv: vec![mv.to_owned()],
            tried: vec![
                TechniqueCounts {
                    tries: nodes,
                    successes: 1,
                };
                Counters::names().len()
            ],
        };
        Search {
            config,
            position,
            iterations: (1..).zip(iterations).map(iteration).collect(),
            fault: None,
        }
    }

    fn close(value: Option<f64>, expected: f64) -> bool {
        value.is_some_and(|value| (value - expected).abs() < 1e-9)
    }

    #[test]
    fn ratio_growth_and_agreement_are_those_of_a_calculation_by_hand() {
        let searches = [
            search(0, 0, &[(10, "a"), (40, "a")]),
            search(0, 1, &[(10, "b"), (160, "c")]),
            search(1, 0, &[(10, "a"), (20, "a")]),
            search(1, 1, &[(20, "b"), (20, "d")]),
        ];
        let summary = NodesSummary::new(&searches, &[false; 2], 2);
        let cells: Vec<(usize, u32)> = summary.rows.iter().map(|row| (row.config, row.depth)).collect();
        assert_eq!(cells, [(0, 1), (0, 2), (1, 1), (1, 2)]);
        let [_, first, shallow, deep] = &summary.rows[..] else {
            panic!("{summary:?}")
        };
        assert!(close(first.nodes_geomean, 80.0) && close(first.ebf, 8.0));
        assert!(close(first.ratio.value, 1.0) && close(first.agreement, 1.0));
        assert!(close(shallow.ratio.value, 2f64.sqrt()) && shallow.ebf.is_none());
        assert!(close(deep.ratio.value, 0.25) && close(deep.ebf, 2f64.sqrt()));
        assert!(close(deep.agreement, 0.5));
        assert_eq!(
            (deep.positions, deep.nodes_total, deep.time_us),
            (2, Some(40), Some(400))
        );
        assert_eq!(summary.depth_compared(), Some(2));
    }

    #[test]
    fn a_depth_is_compared_on_the_positions_that_every_configuration_finished() {
        let searches = [
            search(1, 2, &[(7, "a"), (9, "a")]),
            search(0, 2, &[(5, "a"), (6, "a")]),
            search(0, 0, &[(10, "a"), (40, "a")]),
            search(1, 0, &[(10, "a")]),
            search(0, 1, &[(1_000, "a"), (2_000, "a")]),
        ];
        let summary = NodesSummary::new(&searches, &[false; 2], 3);
        let found: Vec<(usize, u64)> = summary
            .rows
            .iter()
            .map(|row| (row.positions, row.nodes_total.unwrap()))
            .collect();
        assert_eq!(found, [(2, 15), (1, 6), (0, 0), (2, 17), (1, 9), (0, 0)]);
        assert!(summary.rows[5].ratio.value.is_none() && summary.rows[5].agreement.is_none());
        assert_eq!(summary.depth_compared(), Some(2));
    }

    #[test]
    fn what_a_program_does_not_tell_is_left_out_and_its_failed_positions_with_it() {
        let mut skipping = search(1, 0, &[(20, "a"), (30, "a"), (90, "b")]);
        skipping.iterations.remove(1);
        skipping.iterations[0].time_us = None;
        skipping.iterations[1].pv.clear();
        let failed = Search {
            fault: Some("crash".to_owned()),
            ..search(1, 1, &[])
        };
        let whole = |position| search(0, position, &[(10, "a"), (20, "a"), (30, "a")]);
        let searches = [whole(0), whole(1), skipping, failed];
        let summary = NodesSummary::new(&searches, &[false, true], 3);
        let told: Vec<_> = summary
            .rows_of(1)
            .map(|row| (row.positions, row.nodes_total, row.ebf, row.agreement))
            .collect();
        let expected = [
            (1, Some(20), None, Some(1.0)),
            (0, None, None, None),
            (1, Some(90), None, None),
        ];
        assert_eq!(told, expected);
        assert_eq!(summary.rows_of(1).next().unwrap().time_us, None);
        assert!(close(summary.rows[5].ratio.value, 3.0));
        let counters = |config| summary.counters.iter().filter(move |row| row.config == config);
        assert!(counters(1).all(|row| row.tried.is_none()));
        assert!(counters(0).all(|row| row.tried.is_some()));
    }

    #[test]
    fn distances_are_sums_over_kinds_and_iterations_and_empty_ones_are_left_out() {
        let mut search = search(1, 4, &[(1, "a"), (1, "a")]);
        let counted = [
            ("soppo_seen.attack.3", 5),
            ("soppo_cut.attack.3", 1),
            ("soppo_seen.other.3", 7),
            ("soppo_generated.defence.3", 9),
            ("soppo_cut.other.16+", 2),
        ];
        for (iteration, names) in search.iterations.iter_mut().zip([&counted[..2], &counted[2..]]) {
            for (tried, name) in iteration.tried.iter_mut().zip(Counters::names()) {
                let found = names.iter().find(|(known, _)| *known == name);
                tried.successes = found.map_or(0, |(_, count)| *count);
            }
        }
        let rows: Vec<_> = distances(&search)
            .map(|row| {
                let counts = [
                    row.generated,
                    row.seen,
                    row.cuts_attack,
                    row.cuts_defence,
                    row.cuts_other,
                ];
                (row.config, row.position, row.distance, counts)
            })
            .collect();
        assert_eq!(rows, [(1, 4, 3, [9, 12, 1, 0, 0]), (1, 4, 16, [0, 0, 0, 0, 2])]);
        search
            .iterations
            .iter_mut()
            .for_each(|iteration| iteration.tried.clear());
        assert_eq!(distances(&search).count(), 0);
    }
}
