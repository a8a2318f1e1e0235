//! SS-Cut and DS-Cut: quiet moves that act far from the kings ("soppo", the wrong direction) are dropped in the endgame
//! (Hashimoto, Matsubara, Iida: TACOS).
//!
//! A move is judged if it is quiet, neither checks nor answers a check, its kind is switched on and the ending has at least
//! the share `soppo.phase_min` in the position. It is dropped if its distance is greater than `D`:
//! - static: `D` is `soppo.distance`;
//! - dynamic: `D` is the greatest distance with at least `soppo.share` of the beta cuts by judged moves so far. The cuts
//!   belong to the searcher: a new game forgets them, and at each search a part is kept (`soppo.aging`). With fewer than
//!   `soppo.samples_min` of them nothing is dropped: a distance that is dropped can cut no more, so that the first cuts
//!   decide, and aging is what lets a distance come back.
//!
//! The paper leaves such moves out of every generated list (`soppo.stage=generation`): the distances allowed are those of
//! the moment when the node begins, and a node that is left without a move is worth its static evaluation. By default
//! (`search`) a node drops them only once a move was searched that is not mated, so that no position becomes a mate by
//! pruning. At the root (`soppo.root`) all are kept if none would be left.

use super::{
    Accumulator, Attempt, CUT_KINDS, Count, CutDistances, Distribution, MovesOutcome, Node, Technique, Tree,
};
use crate::config::{SearchConfig, Soppo, SoppoStage};
use crate::eval::{Evaluate, Evaluated};
use crate::game::{MoveList, Position, Region, RegionKind, RegionRules};
use crate::ordering::MovePicker;

/// When the moves of a node are judged.
#[derive(Debug, Clone, Copy)]
pub(super) enum Judging {
    Not,
    InSearch,
    AtGeneration([u8; CUT_KINDS]),
}

/// Is the move further from the fight than `soppo` allows?
#[inline]
fn is_far(config: &SearchConfig, soppo: Soppo, cuts: &CutDistances, region: Region) -> bool {
    match soppo {
        Soppo::Off => false,
        Soppo::Static => i32::from(region.distance) > config.soppo_distance,
        Soppo::Dynamic => region.distance > cuts.greatest(region.kind),
    }
}

/// Where a legal move acts that is judged in a position where moves are judged at all.
#[inline]
fn judged_region<P: Position>(config: &SearchConfig, position: &P, mv: P::Move) -> Option<Region> {
    let rules = RegionRules {
        metric: config.soppo_metric,
        exempts: config.soppo_exempt,
    };
    position.region(mv, rules).filter(|region| match region.kind {
        RegionKind::Attack => config.soppo_attack,
        RegionKind::Defence => config.soppo_defence,
        RegionKind::Other => config.soppo_other,
    })
}

#[inline]
fn is_late_enough<P: Evaluated>(
    config: &SearchConfig,
    evaluator: &P::Evaluator,
    position: &P,
    accumulator: &Accumulator<P>,
) -> bool {
    !position.in_check() && evaluator.phase(position, accumulator) >= config.soppo_phase_min
}

pub(super) fn prune_root<P: Evaluated>(
    config: &SearchConfig,
    evaluator: &P::Evaluator,
    cuts: &CutDistances,
    position: &P,
    moves: &mut MoveList<P::Move>,
) {
    if config.soppo == Soppo::Off
        || !config.soppo_root
        || !is_late_enough(config, evaluator, position, &evaluator.refresh(position))
    {
        return;
    }
    let is_kept = |mv: &P::Move| {
        judged_region(config, position, *mv).is_none_or(|region| !is_far(config, config.soppo, cuts, region))
    };
    if moves.iter().any(is_kept) {
        moves.retain(|mv| is_kept(mv));
    }
}

impl<P: Evaluated, C: Count> Tree<'_, P, C> {
    /// When are moves judged in this node, or looked at for the counters?
    #[inline]
    pub(super) fn judging(&self, node: &Node<P>, accumulator: &Accumulator<P>) -> Judging {
        let config = self.config;
        let judges = (config.soppo != Soppo::Off || C::IS_COUNTING)
            && !node.in_check
            && is_late_enough(config, self.evaluator, &self.position, accumulator);
        match (config.soppo, config.soppo_stage) {
            _ if !judges => Judging::Not,
            (Soppo::Static, SoppoStage::Generation) => {
                Judging::AtGeneration([config.soppo_distance as u8; CUT_KINDS])
            }
            (Soppo::Dynamic, SoppoStage::Generation) => {
                Judging::AtGeneration(self.memory.cut_distances.limits())
            }
            _ => Judging::InSearch,
        }
    }

    /// Is the pseudo-legal `mv` as good as not generated?
    #[inline]
    pub(super) fn is_left_out(
        &mut self,
        judging: Judging,
        outcome: &mut MovesOutcome<P::Move>,
        mv: P::Move,
    ) -> bool {
        match judging {
            Judging::AtGeneration(limits) => self.is_far_at_generation(limits, outcome, mv),
            _ => false,
        }
    }

    #[cold]
    fn is_far_at_generation(
        &mut self,
        limits: [u8; CUT_KINDS],
        outcome: &mut MovesOutcome<P::Move>,
        mv: P::Move,
    ) -> bool {
        if self.position.is_tactical(mv) {
            return false;
        }
        let Some(region) = judged_region(self.config, &self.position, mv) else {
            return false;
        };
        self.note_seen(region);
        let is_far = region.distance > limits[region.kind as usize];
        self.count.count(Technique::Soppo, is_far);
        // An illegal one would not have saved the node from mate.
        outcome.leaves_out = outcome.leaves_out || is_far && self.position.is_legal(mv);
        is_far
    }

    fn note_seen(&mut self, region: Region) {
        self.count.place(
            Distribution::of(Distribution::SeenAttack, region.kind),
            usize::from(region.distance),
        );
    }

    /// Where a move that comes up acts, if it is judged now.
    #[inline]
    pub(super) fn judged(&mut self, judging: Judging, attempt: &Attempt<P::Move>) -> Option<Region> {
        if !matches!(judging, Judging::InSearch) || attempt.quiet.is_none() || attempt.gives_check {
            return None;
        }
        let region = judged_region(self.config, &self.position, attempt.mv)?;
        self.note_seen(region);
        Some(region)
    }

    #[inline]
    pub(super) fn is_soppo(&mut self, region: Region) -> bool {
        let config = self.config;
        if config.soppo == Soppo::Off {
            return false;
        }
        let is_far = is_far(config, config.soppo, &self.memory.cut_distances, region);
        self.count.count(Technique::Soppo, is_far);
        is_far
    }

    /// Learns where a move cut: at `region`, if it was judged in the search.
    #[inline]
    pub(super) fn learn_distance(
        &mut self,
        judging: Judging,
        region: Option<Region>,
        attempt: &Attempt<P::Move>,
    ) {
        let config = self.config;
        let region = match judging {
            Judging::AtGeneration(_) if attempt.quiet.is_some() && !attempt.gives_check => {
                judged_region(config, &self.position, attempt.mv)
            }
            _ => region,
        };
        self.count.count(Technique::SoppoCut, region.is_some());
        let Some(region) = region else { return };
        self.count.place(
            Distribution::of(Distribution::CutAttack, region.kind),
            usize::from(region.distance),
        );
        // While counting, what DS-Cut would drop is of interest to every player.
        if config.soppo == Soppo::Dynamic || C::IS_COUNTING {
            self.memory.cut_distances.add(config, region);
        }
    }

    /// Counts the judged moves among those that a node generated, whatever was dropped of them.
    #[inline]
    pub(super) fn count_generated(&mut self, judging: Judging, picker: &MovePicker<P>) {
        if !C::IS_COUNTING || matches!(judging, Judging::Not) {
            return;
        }
        for &mv in picker.generated_quiets() {
            if !self.position.is_legal(mv) {
                continue;
            }
            if let Some(region) = judged_region(self.config, &self.position, mv) {
                let distribution = Distribution::of(Distribution::GeneratedAttack, region.kind);
                self.count.place(distribution, usize::from(region.distance));
            }
        }
    }

    /// Counts whether either cut would drop the best move of an iteration.
    pub(super) fn count_best(&mut self, best: Option<P::Move>, accumulator: &Accumulator<P>) {
        if !C::IS_COUNTING {
            return;
        }
        let config = self.config;
        let region = best.filter(|_| is_late_enough(config, self.evaluator, &self.position, accumulator));
        let region = region.and_then(|mv| judged_region(config, &self.position, mv));
        for (technique, soppo) in [
            (Technique::SoppoStaticBest, Soppo::Static),
            (Technique::SoppoDynamicBest, Soppo::Dynamic),
        ] {
            let is_dropped =
                region.is_some_and(|region| is_far(config, soppo, &self.memory.cut_distances, region));
            self.count.count(technique, is_dropped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(kind: RegionKind, distance: u8) -> Region {
        Region { kind, distance }
    }

    #[test]
    fn the_static_cut_drops_what_is_further_than_its_distance() {
        let (config, cuts) = (SearchConfig::default(), CutDistances::new());
        let drops = |distance| is_far(&config, Soppo::Static, &cuts, at(RegionKind::Other, distance));
        assert_eq!([drops(0), drops(5), drops(6)], [false, false, true]);
    }

    #[test]
    fn the_dynamic_cut_drops_nothing_before_it_has_its_samples_and_then_what_does_not_cut() {
        let config = SearchConfig::with("soppo.samples_min=10,soppo.share=100");
        let mut cuts = CutDistances::new();
        let far = |cuts: &CutDistances, distance| {
            is_far(&config, Soppo::Dynamic, cuts, at(RegionKind::Other, distance))
        };
        for _ in 0..9 {
            cuts.add(&config, at(RegionKind::Attack, 2));
        }
        assert!(!far(&cuts, 8), "nine samples");
        cuts.add(&config, at(RegionKind::Defence, 4));
        assert_eq!([far(&cuts, 4), far(&cuts, 5)], [false, true], "a tenth cut at 4");
        cuts.add(&config, at(RegionKind::Attack, 1));
        assert_eq!([far(&cuts, 2), far(&cuts, 3)], [false, true], "an eleventh at 4");
        // Kinds have distances of their own unless pooled.
        let config = SearchConfig::with("soppo.samples_min=10,soppo.share=100,soppo.pooled=off");
        let mut cuts = CutDistances::new();
        for _ in 0..10 {
            cuts.add(&config, at(RegionKind::Attack, 2));
        }
        assert!(is_far(&config, Soppo::Dynamic, &cuts, at(RegionKind::Attack, 3)));
        assert!(!is_far(&config, Soppo::Dynamic, &cuts, at(RegionKind::Other, 8)));
    }
}
