//! When faults decide a run, and not strength.
//!
//! Games are counted in schedule order, so the same ledger gives the same judgement on every machine.

use crate::record::{PairOutcome, Reason};

/// Faults of a player, or its losses on time, before which their share is not judged.
const JUDGED_FROM: u64 = 10;

/// From when on faults make a run invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultLimits {
    /// Most faults of a player in percent of its games; as many losses on time on both sides.
    pub max_percent: u32,
    /// So many faults of one player in a row stop the run; 0 for no such limit.
    pub in_a_row: u32,
}

impl Default for FaultLimits {
    fn default() -> FaultLimits {
        FaultLimits {
            max_percent: 2,
            in_a_row: 5,
        }
    }
}

/// The games of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultTally {
    /// All of them, those included that do not count because their pair was played again.
    pub games: u64,
    pub faults: u64,
    /// A result, and maybe the machine's doing.
    pub time_losses: u64,
    /// Of both, those after which the pair was played again.
    pub replayed: u64,
    /// In the order of [`Reason::ALL`].
    kinds: [u64; Reason::ALL.len()],
    /// Ended by its faults, the last ones, without a game between them that ended without anybody's fault.
    row: u64,
    /// The greatest that `row` was.
    pub row_max: u64,
}

impl FaultTally {
    fn exceeds(&self, count: u64, max_percent: u32) -> bool {
        let (share, most) = (100 * u128::from(count), u128::from(max_percent));
        count >= JUDGED_FROM && share > most * u128::from(self.games)
    }

    pub fn kinds(&self) -> impl Iterator<Item = (Reason, u64)> + use<> {
        let all = Reason::ALL.into_iter().zip(self.kinds);
        all.filter(|&(reason, count)| reason.is_fault() && count > 0)
    }
}

/// Why faults decided a run; players by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// This player was at fault so often in a row that the run stopped.
    InARow(usize),
    /// Too great a share of this player's games ended by its faults.
    Share(usize),
    /// All players lost too great a share of their games on time.
    Clock,
}

/// The faults of the players of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCounts {
    pub limits: FaultLimits,
    pub players: Vec<FaultTally>,
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
            limits,
            players: vec![FaultTally::default(); players],
            by_number: true,
        }
    }

    /// Counts the next pair of the schedule: what was played again, then its games.
    pub fn count(&mut self, pair: &PairOutcome) {
        let players = match self.by_number {
            true => pair.players.map(usize::from),
            false => [0, 1],
        };
        for fault in &pair.replayed {
            let side = pair.players.iter().position(|&player| player == fault.player);
            if let Some(player) = side
                .map(|side| players[side])
                .filter(|_| is_failure(fault.reason))
            {
                self.count_game(players, Some((player, fault.reason)));
                if let Some(tally) = self.players.get_mut(player) {
                    tally.replayed += 1;
                }
            }
        }
        for game in &pair.games {
            let loser = game.winner.map(|winner| players[winner.opponent().index()]);
            let ended = loser.map(|loser| (loser, game.reason));
            self.count_game(players, ended.filter(|_| is_failure(game.reason)));
        }
    }

    /// Counts the next game of these two, and who of them ended it by what, if one did.
    ///
    /// A game that the other's fault ended says nothing about a player: it does not break a row.
    fn count_game(&mut self, players: [usize; 2], ended: Option<(usize, Reason)>) {
        let is_sound = ended.is_none_or(|(_, reason)| reason == Reason::TimeLoss);
        for player in players {
            let Some(tally) = self.players.get_mut(player) else {
                continue;
            };
            tally.games += 1;
            if let Some((_, reason)) = ended.filter(|(loser, _)| *loser == player) {
                tally.kinds[reason as usize] += 1;
                if is_sound {
                    tally.time_losses += 1;
                } else {
                    tally.faults += 1;
                    tally.row += 1;
                    tally.row_max = tally.row_max.max(tally.row);
                }
            }
            if is_sound {
                tally.row = 0;
            }
        }
    }

    /// Adds a part of the same run that came after this. A row does not go on from one to the other.
    pub fn add(&mut self, other: &FaultCounts) {
        for (own, other) in self.players.iter_mut().zip(&other.players) {
            own.games += other.games;
            own.faults += other.faults;
            own.time_losses += other.time_losses;
            own.replayed += other.replayed;
            own.row = other.row;
            own.row_max = own.row_max.max(other.row_max);
            for (own, other) in own.kinds.iter_mut().zip(other.kinds) {
                *own += other;
            }
        }
    }

    pub fn of(&self, player: usize) -> FaultTally {
        self.players.get(player).copied().unwrap_or_default()
    }

    pub fn of_both(&self) -> [FaultTally; 2] {
        [self.of(0), self.of(1)]
    }

    pub fn is_any(&self) -> bool {
        let mut players = self.players.iter();
        players.any(|player| player.faults + player.time_losses > 0)
    }

    /// The faults after which nothing more is to be played.
    pub fn in_a_row(&self) -> Option<Invalid> {
        let most = u64::from(self.limits.in_a_row);
        let is_over = |tally: &FaultTally| most > 0 && tally.row_max >= most;
        self.players.iter().position(is_over).map(Invalid::InARow)
    }

    /// Whether faults decide what these games say.
    pub fn judge(&self) -> Option<Invalid> {
        let most = self.limits.max_percent;
        let is_over = |tally: &FaultTally| tally.exceeds(tally.faults, most);
        let is_late = |tally: &FaultTally| tally.exceeds(tally.time_losses, most);
        let share = || self.players.iter().position(is_over).map(Invalid::Share);
        let clock = || self.players.iter().all(is_late).then_some(Invalid::Clock);
        self.in_a_row().or_else(share).or_else(clock)
    }
}

fn is_failure(reason: Reason) -> bool {
    reason == Reason::TimeLoss || reason.is_fault()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::fixtures::pair;
    use crate::record::PairFault;

    type Ended = Option<(usize, Reason)>;

    pub const A: Ended = Some((0, Reason::Crash));
    const B: Ended = Some((1, Reason::Stall));
    const LATE_A: Ended = Some((0, Reason::TimeLoss));
    const LATE_B: Ended = Some((1, Reason::TimeLoss));

    pub fn played(ended: impl IntoIterator<Item = Ended>) -> FaultCounts {
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        for ended in ended {
            counts.count_game([0, 1], ended);
        }
        counts
    }

    #[test]
    fn faults_in_a_row_are_those_without_a_sound_game_between_them() {
        for (ended, expected, why) in [
            (vec![A; 4], None, "four"),
            (vec![A; 5], Some(Invalid::InARow(0)), "five"),
            (vec![A, A, None, A, A, A], None, "a sound game between"),
            (vec![A, A, LATE_A, A, A, A], None, "a late one is sound"),
            (
                vec![A, B, A, B, A, B, A, B, A],
                Some(Invalid::InARow(0)),
                "the other's between",
            ),
            (
                vec![B, B, B, B, B, None, None],
                Some(Invalid::InARow(1)),
                "a row that was is kept",
            ),
        ] {
            assert_eq!(played(ended).in_a_row(), expected, "{why}");
        }
        assert_eq!(played([A, A, None, A, A, A]).of(0).row_max, 3);
    }

    #[test]
    fn a_share_is_judged_from_ten_on_and_has_to_be_exceeded() {
        let every = |nth: usize, games: usize| (0..games).map(move |n| if n % nth == 0 { A } else { None });
        assert_eq!(played(every(2, 18)).judge(), None, "nine of eighteen");
        assert_eq!(played(every(2, 20)).judge(), Some(Invalid::Share(0)));
        assert_eq!(played(every(50, 500)).judge(), None, "exactly two percent");
        assert_eq!(played(every(50, 501)).judge(), Some(Invalid::Share(0)));
        // Losses on time count against the machine, and only where all lose by them.
        let late = |game: usize| match game % 20 {
            0 => LATE_A,
            1 => LATE_B,
            _ => None,
        };
        assert_eq!(played((0..180).map(late)).judge(), None, "nine each");
        assert_eq!(played((0..200).map(late)).judge(), Some(Invalid::Clock));
        assert_eq!(played([LATE_A; 200]).judge(), None, "the other holds it");
    }

    #[test]
    fn limits_that_are_off_judge_nothing_and_parts_add_up() {
        let mut off = played([A; 100]);
        off.limits = FaultLimits {
            max_percent: 100,
            in_a_row: 0,
        };
        assert_eq!(off.judge(), None);
        let mut all = played([A, A, A]);
        all.add(&played([A, A, None]));
        assert_eq!((all.of(0).faults, all.of(1).games, all.in_a_row()), (5, 6, None));
        all.count_game([7, 1], Some((7, Reason::Crash)));
        assert_eq!(all.of(1).games, 7, "a player that nobody knows is left out");
    }

    /// A pair of players 3 and 5 whose first game B's crash ended.
    fn crashed(replayed: usize) -> PairOutcome {
        let mut record = pair(0, [2, 1], 0);
        record.players = [3, 5];
        record.games[0].reason = Reason::Crash;
        record.replayed = vec![
            PairFault {
                pair: 0,
                game: 1,
                player: 3,
                reason: Reason::Stall,
            };
            replayed
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
            let [a, b] = [counts.of(a), counts.of(b)];
            assert!(counts.is_any());
            assert_eq!((a.games, a.faults, a.replayed), (6, 2, 2));
            assert_eq!((b.faults, b.time_losses), (1, 1));
            assert_eq!(a.kinds().collect::<Vec<_>>(), [(Reason::Stall, 2)]);
            assert_eq!(b.kinds().collect::<Vec<_>>(), [(Reason::Crash, 1)]);
        }
        assert_eq!(players.of(0), FaultTally::default());
    }

    #[test]
    fn replayed_faults_stop_a_run_too_and_those_of_strangers_are_nobody_s() {
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        counts.count(&crashed(5));
        assert_eq!(counts.in_a_row(), Some(Invalid::InARow(0)));
        let mut outcome = crashed(1);
        outcome.games[0].winner = None;
        outcome.replayed[0].player = 9;
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        counts.count(&outcome);
        assert!(!counts.is_any());
    }
}
