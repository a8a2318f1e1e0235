//! What kind of run a folder holds.

/// What a command plays, counts or measures, as its ledger says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunKind {
    Match,
    Tournament,
    /// Parameters that move with the results of games.
    Tune,
    Nodes,
    /// A match for each odds between two players.
    Odds,
    /// A match and a count of nodes for each changed setting.
    Ablation,
    QueueRun,
}

impl RunKind {
    pub const ALL: [RunKind; 7] = [
        RunKind::Match,
        RunKind::Tournament,
        RunKind::Tune,
        RunKind::Nodes,
        RunKind::Odds,
        RunKind::Ablation,
        RunKind::QueueRun,
    ];

    pub fn name(self) -> &'static str {
        match self {
            RunKind::Match => "match",
            RunKind::Tournament => "tournament",
            RunKind::Tune => "tune",
            RunKind::Nodes => "nodes",
            RunKind::Odds => "odds",
            RunKind::Ablation => "ablate",
            RunKind::QueueRun => "night",
        }
    }

    pub fn command(self) -> &'static str {
        match self {
            RunKind::QueueRun => "run",
            kind => kind.name(),
        }
    }

    pub fn from_name(name: &str) -> Option<RunKind> {
        RunKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in RunKind::ALL {
            assert_eq!(RunKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(RunKind::from_name("chess"), None);
    }
}
