//! The faults of the players of a run by their kind, and what they say about it.

use crate::record::{GameOutcome, PairFault, PairOutcome, Reason};
use crate::stop::FaultLimits;
use crate::stop::faults::{Failure, FaultTally, Faults};

/// Counts by reason, in the order of [`Reason::ALL`].
type Kinds = [u64; Reason::ALL.len()];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultCounts {
    faults: Faults,
    kinds: Vec<Kinds>,
    /// Are players those of the run, and not A and B?
    by_number: bool,
}

impl FaultCounts {
    pub fn of_sides(limits: FaultLimits) -> FaultCounts {
        FaultCounts {
            by_number: false,
            ..FaultCounts::of_players(limits, 2)
        }
    }

    /// Of so many players, by their number in the run.
    pub fn of_players(limits: FaultLimits, players: usize) -> FaultCounts {
        FaultCounts {
            faults: Faults::new(limits, players),
            kinds: vec![Kinds::default(); players],
            by_number: true,
        }
    }

    /// Counts the next pair of the schedule: what its replays excused, then its games.
    pub fn count(&mut self, pair: &PairOutcome) {
        let players = if self.by_number {
            pair.players.map(usize::from)
        } else {
            [0, 1]
        };
        for excused in &pair.excused {
            if let Some(ended) = failure_of(excused, pair, players) {
                self.faults.count_excused(players, ended);
                self.count_kind(ended.0, excused.reason);
            }
        }
        for game in &pair.games {
            let ended = ended_by(game, players);
            self.faults.count(players, ended);
            if let Some((loser, _)) = ended {
                self.count_kind(loser, game.reason);
            }
        }
    }

    fn count_kind(&mut self, player: usize, reason: Reason) {
        if let Some(kinds) = self.kinds.get_mut(player) {
            kinds[reason as usize] += 1;
        }
    }

    /// Adds a part of the same run that came after this.
    pub fn add(&mut self, other: &FaultCounts) {
        self.faults.add(&other.faults);
        for (own, other) in self.kinds.iter_mut().zip(&other.kinds) {
            for (own, other) in own.iter_mut().zip(other) {
                *own += other;
            }
        }
    }

    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    pub fn of(&self, player: usize) -> FaultTally {
        self.faults.players().get(player).copied().unwrap_or_default()
    }

    pub fn of_both(&self) -> [FaultTally; 2] {
        [self.of(0), self.of(1)]
    }

    /// The kinds of faults of a player, those that happened, in the order of reports.
    pub fn kinds(&self, player: usize) -> impl Iterator<Item = (Reason, u64)> {
        let kinds = self.kinds.get(player).copied().unwrap_or_default();
        let all = Reason::ALL.into_iter().zip(kinds);
        all.filter(|&(reason, count)| reason.is_fault() && count > 0)
    }

    pub fn is_any(&self) -> bool {
        let mut players = self.faults.players().iter();
        players.any(|player| player.faults + player.time_losses > 0)
    }
}

fn failure(reason: Reason) -> Option<Failure> {
    match reason {
        Reason::TimeLoss => Some(Failure::Time),
        reason if reason.is_fault() => Some(Failure::Fault),
        _ => None,
    }
}

/// Whose failure ended `game`, if one did.
fn ended_by(game: &GameOutcome, players: [usize; 2]) -> Option<(usize, Failure)> {
    let loser = game.winner?.opponent();
    Some((players[loser.index()], failure(game.reason)?))
}

fn failure_of(excused: &PairFault, pair: &PairOutcome, players: [usize; 2]) -> Option<(usize, Failure)> {
    let side = pair.players.iter().position(|&player| player == excused.player)?;
    Some((players[side], failure(excused.reason)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::pair;
    use crate::stop::faults::Invalid;

    /// A pair of players 3 and 5 whose first game B's crash ended.
    fn crashed(excused: usize) -> PairOutcome {
        let mut record = pair(0, [2, 1], 0);
        record.players = [3, 5];
        record.games[0].reason = Reason::Crash;
        record.excused = vec![
            PairFault {
                pair: 0,
                game: 1,
                player: 3,
                reason: Reason::Stall,
            };
            excused
        ];
        PairOutcome::from(&record)
    }

    #[test]
    fn sides_and_players_are_counted_by_kind_and_time_apart() {
        let mut sides = FaultCounts::of_sides(FaultLimits::default());
        let mut players = FaultCounts::of_players(FaultLimits::default(), 6);
        let mut late = crashed(0);
        late.games[0].reason = Reason::TimeLoss;
        for pair in [crashed(2), late] {
            sides.count(&pair);
            players.count(&pair);
        }
        for (counts, [a, b]) in [(&sides, [0, 1]), (&players, [3, 5])] {
            assert!(counts.is_any());
            assert_eq!((counts.of(a).faults, counts.of(a).excused), (2, 2));
            assert_eq!((counts.of(b).faults, counts.of(b).time_losses), (1, 1));
            assert_eq!(counts.of(a).games, 6);
            assert_eq!(counts.kinds(a).collect::<Vec<_>>(), [(Reason::Stall, 2)]);
            assert_eq!(counts.kinds(b).collect::<Vec<_>>(), [(Reason::Crash, 1)]);
        }
        assert_eq!(players.of(0), FaultTally::default());
    }

    #[test]
    fn what_replays_excused_stops_a_run_too() {
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        counts.count(&crashed(5));
        assert_eq!(counts.faults().in_a_row(), Some(Invalid::InARow(0)));
        let mut all = FaultCounts::of_sides(FaultLimits::default());
        all.add(&counts);
        assert_eq!(
            (all.of(0), all.faults().judge()),
            (counts.of(0), counts.faults().judge())
        );
    }

    #[test]
    fn a_game_without_a_winner_or_a_fault_of_a_stranger_is_nobody_s() {
        let mut outcome = crashed(1);
        outcome.games[0].winner = None;
        outcome.excused[0].player = 9;
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        counts.count(&outcome);
        assert!(!counts.is_any());
    }
}
