//! Why a run says nothing about strength, in words.

use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::stop::faults::Invalid;

/// A run that faults decided, or a clock that the machine could not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct InvalidRun {
    why: String,
    pub advice: &'static str,
}

const REPAIR: &str = "its games say nothing about strength; rerun with --engine-log DIR to see the engine's \
                      output, fix the engine, and use another --out";
const GIVE_TIME: &str = "play in another folder with fewer pairs at the same time (--concurrency), more time, or a greater \
                         --time-margin";

impl InvalidRun {
    /// Of players with these labels, if faults decide what they played.
    pub(crate) fn of_counts(counts: &FaultCounts, labels: &[String]) -> Option<InvalidRun> {
        let label = |player: usize| {
            let label = labels.get(player).cloned();
            label.unwrap_or_else(|| format!("player {}", player + 1))
        };
        let kinds = |player: usize| {
            let kinds = counts.of(player).kinds();
            let kinds = kinds.map(|(reason, count)| format!("{} {count}", reason.name()));
            kinds.collect::<Vec<_>>().join(", ")
        };
        let most = counts.limits.max_percent;
        let (why, advice) = match counts.judge()? {
            Invalid::InARow(player) => {
                let (label, kinds, row) = (label(player), kinds(player), counts.of(player).row_max);
                (
                    format!("{label} was at fault {row} times in a row ({kinds})"),
                    REPAIR,
                )
            }
            Invalid::Share(player) => {
                let (label, kinds, tally) = (label(player), kinds(player), counts.of(player));
                let (faults, games) = (tally.faults, tally.games);
                let share = format!("{label} was at fault in {faults} of {games} games ({kinds})");
                (format!("{share}, more than {most} % of them"), REPAIR)
            }
            Invalid::Clock => {
                let lost = counts.players.iter().enumerate().map(|(player, tally)| {
                    format!("{} {} of {} games", label(player), tally.time_losses, tally.games)
                });
                let lost = lost.collect::<Vec<_>>().join(", ");
                let why = format!(
                    "this machine cannot keep up with this time control: lost on time {lost}, each more than {most} %"
                );
                (why, GIVE_TIME)
            }
        };
        Some(InvalidRun { why, advice })
    }

    pub(crate) fn of_match(match_state: &MatchState, labels: &[String]) -> Option<InvalidRun> {
        let is_invalid = match_state.verdict() == Verdict::Invalid;
        InvalidRun::of_counts(&match_state.faults, labels).filter(|_| is_invalid)
    }
}

#[cfg(test)]
mod tests {
    use crate::document::invalid::*;
    use crate::record::{PairOutcome, Reason};
    use crate::stop::FaultLimits;
    use tanren_core::fixtures::pair;

    fn counts(pairs: u64, reason: impl Fn(u64) -> Option<Reason>) -> FaultCounts {
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        for number in 0..pairs {
            let mut record = pair(number, [2, 0], 0);
            for game in &mut record.games {
                game.reason = reason(number).unwrap_or(game.reason);
            }
            counts.count(&PairOutcome::from(&record));
        }
        counts
    }

    fn text(counts: &FaultCounts) -> String {
        let labels = ["new", "old"].map(str::to_owned);
        InvalidRun::of_counts(counts, &labels).map_or(String::new(), |invalid| invalid.to_string())
    }

    #[test]
    fn the_reason_names_the_player_the_faults_and_their_number() {
        assert_eq!(
            text(&counts(4, |_| Some(Reason::Crash))),
            "new was at fault in 4 of 8 games (crash 4), more than 2 % of them"
        );
        assert_eq!(
            text(&counts(5, |_| Some(Reason::Crash))),
            "new was at fault 5 times in a row (crash 5)"
        );
        let kinds = [Reason::Stall, Reason::IllegalMove];
        let mixed = |number: u64| number.is_multiple_of(2).then_some(kinds[number as usize / 2 % 2]);
        assert_eq!(
            text(&counts(20, mixed)),
            "new was at fault in 10 of 40 games (illegal_move 5, stall 5), more than 2 % of them"
        );
        assert_eq!(
            text(&counts(20, |number| number
                .is_multiple_of(2)
                .then_some(Reason::TimeLoss))),
            "this machine cannot keep up with this time control: lost on time new 10 of 40 games, old 10 of 40 games, each more than 2 %"
        );
    }
}
