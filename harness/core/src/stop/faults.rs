//! When faults decide a run, and not strength.
//!
//! A share of faults is judged by what is known of it: from so many games, its exact binomial tails at the limit. Games are counted
//! in schedule order, so the same ledger gives the same judgement on every machine.

use crate::record::{PairOutcome, Reason};
use crate::stats::binomial::{at_least, at_most};

/// Faults of a player, or its losses on time, from which on a share above the limit is judged as it is.
const JUDGED_FROM: u64 = 10;
/// Before that it is judged if chance does so much, or so little, with a smaller probability than this.
const ERROR: f64 = 0.05;

/// A share of games, against the limit of what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    /// It is known to be below.
    Below,
    Unknown,
    Above,
}

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
    /// How often each reason occurred, in the order of [`Reason::ALL`].
    kinds: [u64; Reason::ALL.len()],
    /// Ended by its faults, the last ones, without a game between them that ended without anybody's fault.
    row: u64,
    /// The greatest that `row` was.
    pub row_max: u64,
}

impl FaultTally {
    fn share(&self, count: u64, max_percent: u32) -> Share {
        let (games, limit) = (self.games, f64::from(max_percent) / 100.0);
        if count == 0 || max_percent >= 100 {
            return Share::Below;
        }
        let exceeds = 100 * u128::from(count) > u128::from(max_percent) * u128::from(games);
        // One alone can happen to anybody, unless none is allowed.
        let is_alone = count == 1 && max_percent > 0;
        if exceeds && !is_alone && (count >= JUDGED_FROM || at_least(count, games, limit) <= ERROR) {
            Share::Above
        } else if at_most(count, games, limit) <= ERROR {
            Share::Below
        } else {
            Share::Unknown
        }
    }

    /// Games from which on as many faults as now are known to be fewer than `max_percent` of them.
    fn games_enough(&self, max_percent: u32) -> u64 {
        let mut more = (self.games..).map(|games| FaultTally { games, ..*self });
        let enough = more.find(|tally| tally.share(self.faults, max_percent) == Share::Below);
        enough.map_or(u64::MAX, |tally| tally.games)
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
            let player = side.map(|side| players[side]);
            let Some(player) = player.filter(|_| is_failure(fault.reason)) else {
                continue;
            };
            self.count_game(players, Some((player, fault.reason)));
            if let Some(tally) = self.players.get_mut(player) {
                tally.replayed += 1;
            }
        }
        for game in pair.played() {
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
        let is_over = |tally: &FaultTally| tally.share(tally.faults, most) == Share::Above;
        let is_late = |tally: &FaultTally| tally.share(tally.time_losses, most) == Share::Above;
        let share = || self.players.iter().position(is_over).map(Invalid::Share);
        let clock = || self.players.iter().all(is_late).then_some(Invalid::Clock);
        self.in_a_row().or_else(share).or_else(clock)
    }

    /// Are the shares of all that could make a run invalid known to be below the limit? Before that a test accepts nothing.
    pub fn are_few(&self) -> bool {
        let most = self.limits.max_percent;
        let is_below = |count, tally: &FaultTally| tally.share(count, most) == Share::Below;
        let mut players = self.players.iter();
        players.all(|tally| is_below(tally.faults, tally))
            && self
                .players
                .iter()
                .any(|tally| is_below(tally.time_losses, tally))
    }

    /// The player whose faults a test waits for longest, and the games of that player from which on it may end.
    pub fn waits_for(&self) -> Option<(usize, u64)> {
        let most = self.limits.max_percent;
        let faulty = self.players.iter().enumerate();
        let faulty =
            faulty.filter(|(_, tally)| most > 0 && tally.share(tally.faults, most) == Share::Unknown);
        let games = faulty.map(|(player, tally)| (player, tally.games_enough(most)));
        games.max_by_key(|&(_, games)| games)
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

    /// Games that end by a fault of A or of B (`A`, `B`), by a loss on time (`a`, `b`), or soundly (`.`).
    pub fn played(games: &str) -> FaultCounts {
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        for game in games.chars() {
            counts.count_game(
                [0, 1],
                match game {
                    'A' => Some((0, Reason::Crash)),
                    'B' => Some((1, Reason::Stall)),
                    'a' => Some((0, Reason::TimeLoss)),
                    'b' => Some((1, Reason::TimeLoss)),
                    _ => None,
                },
            );
        }
        counts
    }

    #[test]
    fn faults_in_a_row_and_too_great_a_share_of_them_decide_a_run() {
        let each = |fault: &str, games: usize| format!("{fault}{}", ".".repeat(games - fault.len()));
        let fiftieth = each("A", 50).repeat(10);
        for (games, expected) in [
            ("AAAA", None),
            ("AAAAA", Some(Invalid::InARow(0))),
            // A sound game between them, and one that is lost on time, begin a row anew.
            ("AA.AAA", None),
            ("AAaAAA", None),
            ("ABABABABA", Some(Invalid::InARow(0))),
            ("BBBBB..", Some(Invalid::InARow(1))),
        ] {
            assert_eq!(played(games).in_a_row(), expected, "{games}");
        }
        for (games, expected) in [
            ("AAAAA", Some(Invalid::InARow(0))),
            // Few are judged where chance would not do it; ten as they are; and a share has to be exceeded.
            ("A", None),
            ("A.", None),
            (&each("AA", 18), Some(Invalid::Share(0))),
            (&each("AA", 19), None),
            (&"A.".repeat(8), Some(Invalid::Share(0))),
            (&each("A", 49).repeat(9), None),
            (&each("A", 49).repeat(10), Some(Invalid::Share(0))),
            (&fiftieth, None),
            (&format!("{fiftieth}A"), Some(Invalid::Share(0))),
            // Losses on time count against the machine, and only where all lose by them.
            (&each("ab", 49).repeat(9), None),
            (&each("ab", 49).repeat(10), Some(Invalid::Clock)),
            (&"a".repeat(200), None),
        ] {
            assert_eq!(played(games).judge(), expected, "{games}");
        }
        assert_eq!(played("AA.AAA").of(0).row_max, 3);
        let mut off = played(&"A".repeat(100));
        off.limits = FaultLimits {
            max_percent: 100,
            in_a_row: 0,
        };
        assert_eq!((off.judge(), off.are_few()), (None, true));
        let mut none_allowed = played("A.");
        none_allowed.limits.max_percent = 0;
        assert_eq!(none_allowed.judge(), Some(Invalid::Share(0)));
    }

    #[test]
    fn few_faults_are_known_to_be_few_from_so_many_games_on() {
        for (faults, games, late) in [
            ("A", 236, ""),
            ("AA", 313, ""),
            ("A.A.A", 386, ""),
            ("b", 1, "b"),
            ("ab", 236, "ab"),
        ] {
            let before = played(&format!(
                "{faults}{}",
                ".".repeat((games - 1_usize).saturating_sub(faults.len()))
            ));
            let after = played(&format!(
                "{faults}{}",
                ".".repeat(games.saturating_sub(faults.len()))
            ));
            assert!(after.are_few(), "{faults}");
            assert_eq!(before.are_few(), late == "b", "{faults}");
            let waits = late.is_empty().then_some((0, games as u64));
            assert_eq!((before.waits_for(), after.waits_for()), (waits, None), "{faults}");
        }
        assert!(played("").are_few());
    }

    #[test]
    fn parts_add_up_and_a_player_that_nobody_knows_is_left_out() {
        let mut all = played("AAA");
        all.add(&played("AA."));
        assert_eq!((all.of(0).faults, all.of(1).games, all.in_a_row()), (5, 6, None));
        all.count_game([7, 1], Some((7, Reason::Crash)));
        assert_eq!(all.of(1).games, 7);
    }

    /// A pair of players 3 and 5 whose first game B's crash ended, after stalls of A.
    fn crashed(stalls: usize) -> PairOutcome {
        let mut record = pair(0, [2, 1], 0);
        record.players = [3, 5];
        record.games[0].reason = Reason::Crash;
        let stall = PairFault {
            pair: 0,
            game: 1,
            player: 3,
            reason: Reason::Stall,
        };
        record.replayed = vec![stall; stalls];
        PairOutcome::from(&record)
    }

    #[test]
    fn sides_and_players_are_counted_by_kind_and_time_apart() {
        let mut late = crashed(0);
        late.games[0].reason = Reason::TimeLoss;
        let limits = FaultLimits::default();
        for (mut counts, [a, b]) in [
            (FaultCounts::of_sides(limits), [0, 1]),
            (FaultCounts::of_players(limits, 6), [3, 5]),
        ] {
            counts.count(&crashed(2));
            counts.count(&late);
            let [a, b] = [counts.of(a), counts.of(b)];
            assert!(counts.is_any());
            assert_eq!((a.games, a.faults, a.replayed), (6, 2, 2));
            assert_eq!((b.faults, b.time_losses), (1, 1));
            assert_eq!(a.kinds().collect::<Vec<_>>(), [(Reason::Stall, 2)]);
            assert_eq!(b.kinds().collect::<Vec<_>>(), [(Reason::Crash, 1)]);
        }
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
