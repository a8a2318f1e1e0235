//! What each technique did: tries and successes.
//!
//! In: calls from the search. Out: [`Counters`]. Must not: change what the search does.
//!
//! The search is generic over [`Count`], so that with [`Uncounted`] the calls compile to nothing.

/// What is counted. The comment says what a success is; a try is the chance of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Technique {
    /// The hash table knew the position well enough to return.
    Hash,
    /// The evaluation alone was enough to return.
    ReverseFutility,
    /// Quiescence search confirmed that nothing lifts the evaluation to alpha.
    Razoring,
    /// The search after a pass reached beta.
    NullMove,
    /// A reduced search was good enough.
    Lmr,
    /// Quiet moves were dropped by their number.
    Lmp,
    /// A quiet move was dropped for its evaluation.
    Futility,
    /// A quiet move was dropped for its history.
    HistoryPruning,
    /// A move was dropped for losing material.
    SeePruning,
    /// A check was extended.
    CheckExtension,
    /// The first move of a node that was cut was the one that cut.
    FirstMoveCut,
    /// A move taken from the generators was legal.
    Legality,
}

impl Technique {
    /// All, in order.
    pub const ALL: [Technique; 12] = [
        Technique::Hash,
        Technique::ReverseFutility,
        Technique::Razoring,
        Technique::NullMove,
        Technique::Lmr,
        Technique::Lmp,
        Technique::Futility,
        Technique::HistoryPruning,
        Technique::SeePruning,
        Technique::CheckExtension,
        Technique::FirstMoveCut,
        Technique::Legality,
    ];

    /// The name used in files: the setting's where there is one.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Hash => "hash",
            Technique::ReverseFutility => "reverse_futility",
            Technique::Razoring => "razoring",
            Technique::NullMove => "null_move",
            Technique::Lmr => "lmr",
            Technique::Lmp => "lmp",
            Technique::Futility => "futility",
            Technique::HistoryPruning => "history_pruning",
            Technique::SeePruning => "see_pruning",
            Technique::CheckExtension => "check_extension",
            Technique::FirstMoveCut => "first_move_cut",
            Technique::Legality => "legality",
        }
    }
}

/// A listener to the search's techniques.
pub trait Count {
    /// `technique` was tried; did it succeed?
    fn count(&mut self, technique: Technique, succeeded: bool);
}

/// Counts nothing, at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uncounted;

impl Count for Uncounted {
    #[inline(always)]
    fn count(&mut self, _: Technique, _: bool) {}
}

/// Tries and successes of every technique.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    tries: [u64; Technique::ALL.len()],
    successes: [u64; Technique::ALL.len()],
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
}

impl Count for Counters {
    #[inline]
    fn count(&mut self, technique: Technique, succeeded: bool) {
        self.tries[technique as usize] += 1;
        self.successes[technique as usize] += u64::from(succeeded);
    }
}
