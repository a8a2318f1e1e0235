//! Late move reductions: moves ordered late are searched less deep.

use super::NodeKind;
use crate::config::{LmrFormula, SearchConfig};

pub(super) const PLY: i32 = 1024;
/// Depths and move numbers beyond this count as this.
const TABLE_LEN: usize = 64;

/// The reductions of one configuration before corrections.
#[derive(Debug, Clone)]
pub(super) struct Reductions {
    /// By depth, then move number, in 1/1024 plies.
    table: Box<[[i32; TABLE_LEN]; TABLE_LEN]>,
}

/// The reductions of the moves of one node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeReductions<'a> {
    by_number: &'a [i32; TABLE_LEN],
    /// What is known of the node.
    correction: i32,
}

impl Reductions {
    /// Expands the formula: `base + slope ln(depth) ln(number)` or `base + slope (sqrt(depth - 1) + sqrt(number - 1))`.
    pub(super) fn new(config: &SearchConfig) -> Self {
        let of = |depth: usize, number: usize| match config.lmr_formula {
            LmrFormula::Logarithms => ln_1024(depth) * config.lmr_slope / PLY * ln_1024(number) / PLY,
            LmrFormula::Roots => (root_1024(depth) + root_1024(number)) * config.lmr_slope / PLY,
        };
        let row = |depth| std::array::from_fn(|number| config.lmr_base + of(depth, number));
        Reductions {
            table: Box::new(std::array::from_fn(row)),
        }
    }

    /// Those of a node of `depth`, corrected by what is expected of it.
    #[inline]
    pub(super) fn of_node(
        &self,
        config: &SearchConfig,
        depth: i32,
        kind: NodeKind,
        is_improving: bool,
    ) -> NodeReductions<'_> {
        NodeReductions {
            by_number: &self.table[place(depth)],
            correction: i32::from(kind == NodeKind::Cut) * config.lmr_cut
                + i32::from(!is_improving) * config.lmr_worsening
                - i32::from(kind == NodeKind::Pv) * config.lmr_pv,
        }
    }
}

impl NodeReductions<'_> {
    /// The reduction of a late move in 1/1024 plies, by its number among the moves searched, from 1; may be negative.
    #[inline]
    pub(super) fn of(&self, config: &SearchConfig, number: i32, history: i32, is_killer: bool) -> i32 {
        self.by_number[place(number)] + self.correction
            - i32::from(is_killer) * config.lmr_killer
            - history * PLY / config.lmr_history.max(1)
    }
}

fn place(n: i32) -> usize {
    n.clamp(1, TABLE_LEN as i32 - 1) as usize
}

/// How many moves of a node with `legal` moves are searched in full first.
#[inline]
pub(super) fn moves_in_full(config: &SearchConfig, legal: impl FnOnce() -> usize) -> i32 {
    if config.lmr_moves_percent == 0 {
        return config.lmr_moves_min;
    }
    config
        .lmr_moves_min
        .max(legal() as i32 * config.lmr_moves_percent / 100)
}

/// A capture's history in the place of a quiet move's.
pub(super) fn of_capture(config: &SearchConfig, history: i32) -> i32 {
    history * config.capture_history_reduction / 100
}

/// By how many plies the search that follows a reduced one is to be deeper, when that came out `above` alpha.
#[inline]
pub(super) fn research_change(config: &SearchConfig, above: i32) -> i32 {
    // A clamped score does not tell how good the move is.
    if !config.lmr_research || !config.fail_soft {
        return 0;
    }
    i32::from(above >= config.lmr_research_deeper) - i32::from(above < config.lmr_research_shallower)
}

/// `1024 sqrt(n - 1)`, rounded down; 0 for no moves.
fn root_1024(n: usize) -> i32 {
    ((n.max(1) as u64 - 1) << 20).isqrt() as i32
}

/// `1024 ln(n)`, rounded down, by repeated squaring of a fixed-point number; 0 for none.
fn ln_1024(n: usize) -> i32 {
    const FRACTION_BITS: u32 = 31;
    let n = n.max(1) as u64;
    let whole = n.ilog2();
    // The mantissa in [1, 2) with FRACTION_BITS bits after the point; each squaring yields one bit of log2.
    let mut mantissa = n << (FRACTION_BITS - whole);
    let mut log2 = u64::from(whole);
    for _ in 0..20 {
        mantissa = (mantissa * mantissa) >> FRACTION_BITS;
        let bit = mantissa >> (FRACTION_BITS + 1);
        mantissa >>= bit;
        log2 = log2 << 1 | bit;
    }
    // ln(2) = 0.69314718… as 45426 / 65536.
    ((log2 * 45_426 * 1024) >> 36) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integer_logarithm_agrees_with_the_real_one() {
        for n in 1..1000_usize {
            let real = 1024.0 * (n as f64).ln();
            assert!((f64::from(ln_1024(n)) - real).abs() <= 1.1, "{n}: {real}");
        }
    }

    #[test]
    fn a_share_of_the_moves_is_searched_in_full_if_it_is_more_than_the_least_number() {
        let config = SearchConfig::with("lmr.moves_min=4,lmr.moves_percent=30");
        let in_full = [3, 13, 20, 33, 40].map(|legal| moves_in_full(&config, || legal));
        assert_eq!(in_full, [4, 4, 6, 9, 12]);
        let counts_none = || unreachable!("no move needs to be counted");
        let default = SearchConfig::default();
        assert_eq!(moves_in_full(&default, counts_none), default.lmr_moves_min);
    }

    #[test]
    fn the_sum_of_roots_is_another_formula_over_the_same_numbers() {
        let config = SearchConfig::with("lmr.formula=roots,lmr.base=100,lmr.slope=512");
        let reductions = Reductions::new(&config);
        assert_eq!(reductions.table[5][10], 100 + 512 * (2 + 3));
        assert_eq!(reductions.table[1][1], 100);
    }

    #[test]
    fn a_reduced_move_that_proves_very_good_is_searched_deeper_and_a_hardly_good_one_shallower() {
        let change = |settings, above| research_change(&SearchConfig::with(settings), above);
        let changes = [1, 9, 10, 59, 60].map(|above| change("lmr.research=on", above));
        assert_eq!(changes, [-1, -1, 0, 0, 1]);
        assert_eq!(change("lmr.research=on,fail_soft=off", 1), 0);
        assert_eq!(change("lmr.research=off", 1), 0);
    }

    #[test]
    fn later_moves_at_greater_depths_are_reduced_more_and_good_histories_less() {
        let config = SearchConfig::default();
        let reductions = Reductions::new(&config);
        let of = |depth, number, history, kind| {
            let node = reductions.of_node(&config, depth, kind, true);
            node.of(&config, number, history, false)
        };
        let base = of(8, 10, 0, NodeKind::All);
        assert!(of(8, 30, 0, NodeKind::All) > base && of(14, 10, 0, NodeKind::All) > base);
        assert!(of(8, 10, 8000, NodeKind::All) < base && of(8, 10, 0, NodeKind::Pv) < base);
    }
}
