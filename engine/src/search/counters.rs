//! What each technique did: tries and successes.
//!
//! The search is generic over [`Count`], so that with [`Uncounted`] the calls compile to nothing.

use crate::game::{Region, RegionKind};
use crate::named::named;

named! {
    /// What is counted. The documentation says what a success is; a try is the chance of it. The name is the setting's where there is one.
    Technique {
        Hash = "hash", "The hash table knew the position well enough to return.";
        MateInOne = "mate_in_one", "A mate in one ply was found without a search.";
        ReverseFutility = "reverse_futility", "The evaluation alone was enough to return.";
        Razoring = "razoring", "Quiescence search confirmed that nothing lifts the evaluation to alpha.";
        NullMove = "null_move", "The search after a pass reached beta.";
        NullMoveVerification = "null_move.verification", "A search of the node without a pass agreed with the pass.";
        NullMoveAfterBlunder = "null_move.after_blunder", "A pass reached beta after a move that cost its side two pawns by the static evaluation.";
        NullMoveFarAboveBeta = "null_move.far_above_beta", "A pass reached beta where the static evaluation was two pawns above it.";
        ProbCut = "probcut", "A capture searched less deep was good enough to return.";
        Correction = "correction", "The correction of a static evaluation brought it nearer to what the search found.";
        Lmr = "lmr", "A reduced search was good enough.";
        LmrResearch = "lmr.research", "A reduced search was not good enough, and the one that followed was deeper or shallower than without reduction.";
        Lmp = "lmp", "Quiet moves were dropped by their number.";
        Futility = "futility", "A move was dropped for its evaluation.";
        HistoryPruning = "history_pruning", "A quiet move was dropped for its history.";
        SeePruning = "see_pruning", "A move was dropped for losing material.";
        CheckExtension = "check_extension", "A check was extended.";
        OneReply = "one_reply_extension", "A side in check had one legal move only.";
        OneReplyHash = "one_reply_hash", "The hash table knew that.";
        Singular = "singular", "The hash move was extended: no other comes near it.";
        Multicut = "singular.multicut", "Another move than the hash move reached beta as well.";
        FirstMoveCut = "first_move_cut", "The first move of a node that was cut was the one that cut.";
        Legality = "legality", "A move about to be searched was legal; quiescence search counts apart.";
        HashHit = "hash_hit", "The hash table knew the position.";
        MateDistance = "mate_distance", "A line that cannot beat a mate already found was cut.";
        Aspiration = "aspiration", "A score of the root fell out of the aspiration window.";
        Iid = "iid", "Internal iterative deepening found a hash move.";
        Iir = "iir", "A node without a hash move was searched less deep.";
        Killers = "killers", "A killer cut.";
        CounterMoves = "counter_moves", "A counter move cut.";
        CaptureHistory = "capture_history", "The capture history spoke for the capture that cut.";
        Continuation4 = "continuation.4", "The history of the move four plies before spoke for the quiet move that cut.";
        Soppo = "soppo", "A judged quiet move was dropped for its distance.";
        SoppoCut = "soppo_cut", "The move that cut is one that pruning by region judges.";
        SoppoStaticBest = "soppo_static_best", "The best move of an iteration would be dropped by SS-Cut.";
        SoppoDynamicBest = "soppo_dynamic_best", "The best move of an iteration would be dropped by DS-Cut.";
        FutileCapture = "futile_capture", "Quiescence: a capture that cannot lift the evaluation to alpha, or loses material, was dropped.";
        QuiescenceEvasions = "quiescence_evasions", "Quiescence: a quiet evasion was dropped for the number before it.";
        Expanded = "expanded", "The moves of a node were tried, and one cut.";
        QuiescenceExpanded = "quiescence_expanded", "The same in quiescence search.";
        QuiescenceLegality = "quiescence_legality", "Quiescence: a move taken from the generators was legal.";
        EvasionNodes = "evasion_nodes", "A node in check, quiescence search included, generated its evasions: the hash move alone was not enough.";
        EvasionsLegal = "evasions_legal", "A generated evasion was legal.";
        EvasionsSearched = "evasions_searched", "A generated evasion was searched.";
        ForcedReply = "forced_reply", "The hash table knew that all moves of a node but one lose by force.";
    }
}

named! {
    /// What is counted by a number; the last bucket takes all greater ones.
    Distribution {
        CutMove = "cut_move", "Beta cuts by the number of the move among those searched.";
        SeenAttack = "soppo_seen.attack", "Judged attack moves by distance.";
        SeenDefence = "soppo_seen.defence", "Judged defence moves by distance.";
        SeenOther = "soppo_seen.other", "Judged other moves by distance.";
        CutAttack = "soppo_cut.attack", "Beta cuts by attack moves by distance.";
        CutDefence = "soppo_cut.defence", "Beta cuts by defence moves by distance.";
        CutOther = "soppo_cut.other", "Beta cuts by other moves by distance.";
        GeneratedAttack = "soppo_generated.attack", "Generated attack moves by distance, whether they came up or not.";
        GeneratedDefence = "soppo_generated.defence", "Generated defence moves by distance.";
        GeneratedOther = "soppo_generated.other", "Generated other moves by distance.";
    }
}

/// Buckets of a distribution.
pub const BUCKETS: usize = Region::DISTANCES;

impl Distribution {
    /// That of `kind` among three in a row, which begin with `attack`.
    pub(super) fn of(attack: Distribution, kind: RegionKind) -> Self {
        Distribution::ALL[attack as usize + kind as usize]
    }
}

pub(super) trait Count {
    /// Are events counted? What only counting needs is computed under this constant.
    const IS_COUNTING: bool;
    fn add(&mut self, technique: Technique, tries: u64, successes: u64);
    fn place(&mut self, distribution: Distribution, index: usize);
    fn counters(&self) -> Option<&Counters> {
        None
    }

    #[inline(always)]
    fn count(&mut self, technique: Technique, succeeded: bool) {
        self.add(technique, 1, u64::from(succeeded));
    }
}

/// Counts nothing, at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Uncounted;

impl Count for Uncounted {
    const IS_COUNTING: bool = false;
    #[inline(always)]
    fn add(&mut self, _: Technique, _: u64, _: u64) {}
    #[inline(always)]
    fn place(&mut self, _: Distribution, _: usize) {}
}

/// Tries and successes of every technique, and every distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    tries: [u64; Technique::ALL.len()],
    successes: [u64; Technique::ALL.len()],
    buckets: [[u64; BUCKETS]; Distribution::ALL.len()],
}

impl Default for Counters {
    fn default() -> Self {
        Counters {
            tries: [0; Technique::ALL.len()],
            successes: [0; Technique::ALL.len()],
            buckets: [[0; BUCKETS]; Distribution::ALL.len()],
        }
    }
}

impl Counters {
    /// How often `technique` was tried.
    pub fn tries(&self, technique: Technique) -> u64 {
        self.tries[technique as usize]
    }

    /// How often it succeeded.
    pub fn successes(&self, technique: Technique) -> u64 {
        self.successes[technique as usize]
    }

    /// Adds the tries, successes and buckets of `other`.
    pub fn add_all(&mut self, other: &Counters) {
        let sums = self.tries.iter_mut().chain(&mut self.successes);
        let sums = sums.chain(self.buckets.as_flattened_mut());
        let more = other.tries.iter().chain(&other.successes);
        for (sum, more) in sums.zip(more.chain(other.buckets.as_flattened())) {
            *sum += more;
        }
    }

    /// The buckets of `distribution`.
    pub fn buckets(&self, distribution: Distribution) -> [u64; BUCKETS] {
        self.buckets[distribution as usize]
    }

    /// The names of all counters, as in [`rows`](Counters::rows): `technique`, then `distribution.number`, where `+` marks
    /// the bucket of all greater numbers.
    pub fn names() -> Vec<String> {
        let techniques = Technique::ALL.iter().map(|technique| technique.name().to_owned());
        let buckets = Distribution::ALL.iter().flat_map(|distribution| {
            let (name, first) = (
                distribution.name(),
                usize::from(*distribution == Distribution::CutMove),
            );
            (0..BUCKETS).map(move |index| {
                let more = if index + 1 == BUCKETS { "+" } else { "" };
                format!("{name}.{}{more}", index + first)
            })
        });
        techniques.chain(buckets).collect()
    }

    /// Where the bucket `index`,, of `distribution` stands among the [`names`](Counters::names).
    ///
    /// # Panics
    /// There is no such bucket.
    pub fn place_of(distribution: Distribution, index: usize) -> usize {
        assert!(index < BUCKETS, "bucket {index} of {BUCKETS}");
        Technique::ALL.len() + distribution as usize * BUCKETS + index
    }

    /// Tries and successes of all counters. The tries of a bucket are the total of its distribution.
    pub fn rows(&self) -> impl Iterator<Item = (u64, u64)> {
        let techniques = self.tries.into_iter().zip(self.successes);
        let buckets = self.buckets.into_iter().flat_map(|buckets| {
            let total: u64 = buckets.iter().sum();
            buckets.into_iter().map(move |count| (total, count))
        });
        techniques.chain(buckets)
    }
}

impl Count for Counters {
    const IS_COUNTING: bool = true;

    #[inline]
    fn add(&mut self, technique: Technique, tries: u64, successes: u64) {
        self.tries[technique as usize] += tries;
        self.successes[technique as usize] += successes;
    }

    fn place(&mut self, distribution: Distribution, index: usize) {
        self.buckets[distribution as usize][index.min(BUCKETS - 1)] += 1;
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self)
    }
}
