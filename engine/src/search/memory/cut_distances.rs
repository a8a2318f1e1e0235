//! Cut distances: how far from the fight quiet moves cut, for DS-Cut (see [`soppo`](crate::search)).

use crate::config::SearchConfig;
use crate::game::{Region, RegionKind};

pub(crate) const KINDS: usize = 3;

/// Where the beta cuts of judged moves happened, and the greatest distances kept because of that.
#[derive(Debug, Clone)]
pub(crate) struct CutDistances {
    cuts: [[u32; Region::DISTANCES]; KINDS],
    /// By kind; [`Region::DISTANCES`] while there are too few cuts.
    limits: [u8; KINDS],
}

impl CutDistances {
    pub(crate) fn new() -> Self {
        CutDistances {
            cuts: [[0; Region::DISTANCES]; KINDS],
            limits: [Region::DISTANCES as u8; KINDS],
        }
    }

    pub(crate) fn greatest(&self, kind: RegionKind) -> u8 {
        self.limits[kind as usize]
    }

    pub(crate) fn limits(&self) -> [u8; KINDS] {
        self.limits
    }

    /// A judged move cut.
    pub(crate) fn add(&mut self, config: &SearchConfig, region: Region) {
        let kind = region.kind as usize;
        let count = &mut self.cuts[kind][usize::from(region.distance)];
        *count = count.saturating_add(1);
        if config.soppo_pooled {
            self.limits = [self.limit(config, kind); KINDS];
        } else {
            self.limits[kind] = self.limit(config, kind);
        }
    }

    fn limit(&self, config: &SearchConfig, kind: usize) -> u8 {
        let cuts = |distance: usize| -> u64 {
            if config.soppo_pooled {
                self.cuts.iter().map(|cuts| u64::from(cuts[distance])).sum()
            } else {
                u64::from(self.cuts[kind][distance])
            }
        };
        let total: u64 = (0..Region::DISTANCES).map(cuts).sum();
        if total < u64::from(config.soppo_samples_min.unsigned_abs()) {
            return Region::DISTANCES as u8;
        }
        let enough =
            |&distance: &usize| cuts(distance) * 1000 >= total * u64::from(config.soppo_share.unsigned_abs());
        // No single distance has the share: nothing is known well enough to drop the rest.
        let greatest = (0..Region::DISTANCES).rev().find(enough);
        greatest.unwrap_or(Region::DISTANCES) as u8
    }

    /// Keeps a part of the cuts for the next move of the game.
    pub(crate) fn new_search(&mut self, config: &SearchConfig) {
        let percent = u64::from(config.soppo_aging.unsigned_abs());
        for count in self.cuts.iter_mut().flatten() {
            *count = (u64::from(*count) * percent / 100) as u32;
        }
        self.limits = [0, 1, 2].map(|kind| self.limit(config, kind));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aging_forgets_until_nothing_is_dropped() {
        let config = SearchConfig::with("soppo.samples_min=10,soppo.share=100,soppo.aging=50");
        let mut cuts = CutDistances::new();
        for _ in 0..20 {
            let (kind, distance) = (RegionKind::Attack, 2);
            cuts.add(&config, Region { kind, distance });
        }
        let greatest = |cuts: &CutDistances| cuts.greatest(RegionKind::Attack);
        cuts.new_search(&config);
        assert_eq!(greatest(&cuts), 2, "ten are kept");
        cuts.new_search(&config);
        assert_eq!(
            usize::from(greatest(&cuts)),
            Region::DISTANCES,
            "five are too few"
        );
    }
}
