//! Late move reductions: moves ordered late are searched less deep.
//!
//! In: depth, move number and what is known of the move. Out: a reduction in 1/1024 plies. Must not: use floating point,
//! whose logarithms differ between machines.

use crate::config::SearchConfig;

/// One ply in the unit of this module.
pub(super) const PLY: i32 = 1024;
/// Depths and move numbers beyond this count as this.
const TABLE_LEN: usize = 64;

/// What is known of a late move.
#[derive(Debug, Clone, Copy)]
pub(super) struct LateMove {
    /// Depth of the node.
    pub(super) depth: i32,
    /// Its number among the moves searched, from 1.
    pub(super) number: i32,
    /// History score (see [`HistoryView::score`](crate::ordering::HistoryView::score)), 0 for captures.
    pub(super) history: i32,
    /// Node of the principal variation?
    pub(super) is_pv: bool,
    /// Is a cut expected?
    pub(super) is_cut: bool,
    /// Is the static evaluation better than two plies before?
    pub(super) is_improving: bool,
    /// Killer move?
    pub(super) is_killer: bool,
}

/// The logarithms of one configuration.
#[derive(Debug, Clone)]
pub(super) struct Reductions {
    /// `slope * ln(n)` by depth, in 1/1024.
    by_depth: [i32; TABLE_LEN],
    /// `ln(n)` by move number, in 1/1024.
    by_number: [i32; TABLE_LEN],
}

impl Reductions {
    /// Expands the logarithms.
    pub(super) fn new(config: &SearchConfig) -> Self {
        let logarithms = std::array::from_fn(|n| ln_1024(n.max(1) as u64));
        Reductions {
            by_depth: logarithms.map(|ln| ln * config.lmr_slope / PLY),
            by_number: logarithms,
        }
    }

    /// The reduction of a late move in 1/1024 plies: `base + slope ln(depth) ln(number)` and corrections; may be negative.
    #[inline]
    pub(super) fn of(&self, config: &SearchConfig, late: LateMove) -> i32 {
        let at = |n: i32| n.clamp(1, TABLE_LEN as i32 - 1) as usize;
        let product = self.by_depth[at(late.depth)] * self.by_number[at(late.number)] / PLY;
        config.lmr_base + product - i32::from(late.is_pv) * config.lmr_pv
            + i32::from(late.is_cut) * config.lmr_cut
            + i32::from(!late.is_improving) * config.lmr_worsening
            - i32::from(late.is_killer) * config.lmr_killer
            - late.history * PLY / config.lmr_history
    }
}

/// `1024 ln(n)`, rounded down, by repeated squaring of a fixed-point number.
fn ln_1024(n: u64) -> i32 {
    const FRACTION_BITS: u32 = 31;
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
        for n in 1..1000_u64 {
            let real = 1024.0 * (n as f64).ln();
            assert!(
                (f64::from(ln_1024(n)) - real).abs() <= 1.1,
                "{n}: {} for {real}",
                ln_1024(n)
            );
        }
    }

    #[test]
    fn later_moves_at_greater_depths_are_reduced_more_and_good_histories_less() {
        let config = SearchConfig::default();
        let reductions = Reductions::new(&config);
        let late = LateMove {
            depth: 8,
            number: 10,
            history: 0,
            is_pv: false,
            is_cut: false,
            is_improving: true,
            is_killer: false,
        };
        let base = reductions.of(&config, late);
        assert!(reductions.of(&config, LateMove { number: 30, ..late }) > base);
        assert!(reductions.of(&config, LateMove { depth: 14, ..late }) > base);
        assert!(
            reductions.of(
                &config,
                LateMove {
                    history: 8000,
                    ..late
                }
            ) < base
        );
        assert!(reductions.of(&config, LateMove { is_pv: true, ..late }) < base);
    }
}
