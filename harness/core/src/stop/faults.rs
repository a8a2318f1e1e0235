//! When faults decide a run, and not strength: how the players' games ended goes in, an [`Invalid`] comes out. It knows
//! neither what a fault was nor who the players are.
//!
//! Games are fed in schedule order, so the same ledger gives the same judgement on every machine.

/// Faults of a player, or its losses on time, before which their share is not judged.
const JUDGED_FROM: u64 = 10;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Fault,
    /// It ran out of time, which is a result and may be the machine's doing.
    Time,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultTally {
    /// All of them, those included that do not count because their pair was played again.
    pub games: u64,
    pub faults: u64,
    pub time_losses: u64,
    /// Of both, those after which the pair was played again.
    pub excused: u64,
    /// Ended by its faults, the last ones, without a game between them that ended without anybody's fault.
    row: u64,
    row_max: u64,
}

impl FaultTally {
    /// Greatest number of faults without a game between them that ended without a fault.
    pub fn row_max(&self) -> u64 {
        self.row_max
    }

    fn exceeds(&self, count: u64, max_percent: u32) -> bool {
        let (share, most) = (100 * u128::from(count), u128::from(max_percent));
        count >= JUDGED_FROM && share > most * u128::from(self.games)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// This player was at fault so often in a row that the run stopped.
    InARow(usize),
    /// Too great a share of this player's games ended by its faults.
    Share(usize),
    /// All players lost too great a share of their games on time.
    Clock,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    limits: FaultLimits,
    players: Vec<FaultTally>,
}

impl Faults {
    pub fn new(limits: FaultLimits, players: usize) -> Faults {
        Faults {
            limits,
            players: vec![FaultTally::default(); players],
        }
    }

    /// Counts the next game of these two, and who of them ended it by what, if one did.
    ///
    /// A game that the other's fault ended says nothing about a player: it does not break a row.
    pub fn count(&mut self, players: [usize; 2], ended: Option<(usize, Failure)>) {
        let is_fault = matches!(ended, Some((_, Failure::Fault)));
        for player in players {
            let Some(tally) = self.players.get_mut(player) else {
                continue;
            };
            tally.games += 1;
            match ended {
                Some((loser, Failure::Fault)) if loser == player => {
                    tally.faults += 1;
                    tally.row += 1;
                    tally.row_max = tally.row_max.max(tally.row);
                }
                Some((loser, Failure::Time)) if loser == player => tally.time_losses += 1,
                _ => {}
            }
            if !is_fault {
                tally.row = 0;
            }
        }
    }

    /// As [`count`](Faults::count), of a game that does not count: its pair was played again.
    pub fn count_excused(&mut self, players: [usize; 2], ended: (usize, Failure)) {
        self.count(players, Some(ended));
        if let Some(tally) = self.players.get_mut(ended.0) {
            tally.excused += 1;
        }
    }

    /// Adds the games of `other`, of the same players, which came after these. A row does not go on from one to the other.
    pub fn add(&mut self, other: &Faults) {
        for (own, other) in self.players.iter_mut().zip(&other.players) {
            own.games += other.games;
            own.faults += other.faults;
            own.time_losses += other.time_losses;
            own.excused += other.excused;
            own.row = other.row;
            own.row_max = own.row_max.max(other.row_max);
        }
    }

    pub fn limits(&self) -> FaultLimits {
        self.limits
    }

    pub fn players(&self) -> &[FaultTally] {
        &self.players
    }

    /// The faults after which nothing more is to be played.
    pub fn in_a_row(&self) -> Option<Invalid> {
        let most = u64::from(self.limits.in_a_row);
        let is_over = |tally: &FaultTally| most > 0 && tally.row_max >= most;
        self.players.iter().position(is_over).map(Invalid::InARow)
    }

    pub fn judge(&self) -> Option<Invalid> {
        let most = self.limits.max_percent;
        let is_over = |tally: &FaultTally| tally.exceeds(tally.faults, most);
        let is_late = |tally: &FaultTally| tally.exceeds(tally.time_losses, most);
        let share = || self.players.iter().position(is_over).map(Invalid::Share);
        let clock = || self.players.iter().all(is_late).then_some(Invalid::Clock);
        self.in_a_row().or_else(share).or_else(clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Option<(usize, Failure)> = Some((0, Failure::Fault));
    const B: Option<(usize, Failure)> = Some((1, Failure::Fault));
    const LATE_A: Option<(usize, Failure)> = Some((0, Failure::Time));
    const LATE_B: Option<(usize, Failure)> = Some((1, Failure::Time));

    fn played(ended: impl IntoIterator<Item = Option<(usize, Failure)>>) -> Faults {
        let mut faults = Faults::new(FaultLimits::default(), 2);
        for ended in ended {
            faults.count([0, 1], ended);
        }
        faults
    }

    #[test]
    fn faults_in_a_row_are_those_without_a_sound_game_between_them() {
        assert_eq!(played([A; 4]).judge(), None);
        assert_eq!(played([A; 5]).judge(), Some(Invalid::InARow(0)));
        let broken = played([A, A, None, A, A, A]);
        assert_eq!((broken.in_a_row(), broken.players()[0].row_max()), (None, 3));
        assert_eq!(played([A, A, LATE_A, A, A, A]).in_a_row(), None);
        let both = [A, B, A, B, A, B, A, B, A];
        assert_eq!(played(both).in_a_row(), Some(Invalid::InARow(0)));
        let over = played([B, B, B, B, B, None, None]);
        assert_eq!(
            over.in_a_row(),
            Some(Invalid::InARow(1)),
            "a row that was is kept"
        );
    }

    #[test]
    fn a_share_is_judged_from_ten_faults_on_and_has_to_be_exceeded() {
        let every = |nth: usize, games: usize| (0..games).map(move |n| if n % nth == 0 { A } else { None });
        assert_eq!(played(every(2, 18)).judge(), None, "nine of eighteen");
        assert_eq!(played(every(2, 20)).judge(), Some(Invalid::Share(0)));
        assert_eq!(played(every(50, 500)).judge(), None, "exactly two percent");
        assert_eq!(played(every(50, 501)).judge(), Some(Invalid::Share(0)));
    }

    #[test]
    fn losses_on_time_count_against_the_machine_and_only_where_all_lose_by_them() {
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
    fn excused_faults_fall_under_the_same_limits() {
        let mut faults = Faults::new(FaultLimits::default(), 2);
        for _ in 0..10 {
            faults.count_excused([0, 1], (0, Failure::Fault));
            faults.count([0, 1], None);
        }
        let [a, b] = [0, 1].map(|player| faults.players()[player]);
        assert_eq!((a.games, a.faults, a.excused), (20, 10, 10));
        assert_eq!((b.games, b.faults, b.excused), (20, 0, 0));
        assert_eq!(faults.judge(), Some(Invalid::Share(0)));
        let mut row = Faults::new(FaultLimits::default(), 2);
        (0..5).for_each(|_| row.count_excused([0, 1], (1, Failure::Fault)));
        assert_eq!(row.in_a_row(), Some(Invalid::InARow(1)));
    }

    #[test]
    fn limits_that_are_off_judge_nothing() {
        let limits = FaultLimits {
            max_percent: 100,
            in_a_row: 0,
        };
        let mut faults = Faults::new(limits, 2);
        (0..100).for_each(|_| faults.count([0, 1], A));
        assert_eq!((faults.judge(), faults.limits()), (None, limits));
    }

    #[test]
    fn parts_add_up_and_a_player_that_nobody_knows_is_left_out() {
        let mut all = played([A, A, A]);
        all.add(&played([A, A, None]));
        assert_eq!(all.players()[0].faults, 5);
        assert_eq!(all.players()[1].games, 6);
        assert_eq!(all.in_a_row(), None);
        all.count([7, 1], Some((7, Failure::Fault)));
        assert_eq!(all.players()[1].games, 7);
        let late = |times: usize| {
            let mut late = played(vec![LATE_B; times]);
            (0..times).for_each(|_| late.count_excused([0, 1], (1, Failure::Time)));
            late
        };
        let mut both = late(3);
        both.add(&late(2));
        let b = both.players()[1];
        assert_eq!((b.games, b.time_losses, b.excused), (10, 10, 5));
    }
}
