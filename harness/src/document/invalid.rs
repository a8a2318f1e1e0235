//! Why a run says nothing about strength, in words.

use std::fmt;

use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::record::Reason;
use crate::stop::faults::{FaultTally, Invalid};

/// A run that faults decided, or a clock that the machine could not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRun {
    cause: Cause,
    max_percent: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Cause {
    InARow(Box<Culprit>),
    Share(Box<Culprit>),
    Clock(Vec<(String, FaultTally)>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Culprit {
    label: String,
    tally: FaultTally,
    kinds: Vec<(Reason, u64)>,
}

impl InvalidRun {
    /// Of players with these labels, if faults decide what they played.
    pub(crate) fn of_counts(counts: &FaultCounts, labels: &[String]) -> Option<InvalidRun> {
        let label = |player: usize| {
            let label = labels.get(player).cloned();
            label.unwrap_or_else(|| format!("player {}", player + 1))
        };
        let culprit = |player: usize| {
            Box::new(Culprit {
                label: label(player),
                tally: counts.of(player),
                kinds: counts.of(player).kinds().collect(),
            })
        };
        let players = &counts.players;
        Some(InvalidRun {
            cause: match counts.judge()? {
                Invalid::InARow(player) => Cause::InARow(culprit(player)),
                Invalid::Share(player) => Cause::Share(culprit(player)),
                Invalid::Clock => Cause::Clock(
                    (0..players.len())
                        .map(label)
                        .zip(players.iter().copied())
                        .collect(),
                ),
            },
            max_percent: counts.limits.max_percent,
        })
    }

    /// Of a match that stands so, if that is its verdict.
    pub(crate) fn of_match(standing: &MatchState, labels: &[String]) -> Option<InvalidRun> {
        let is_invalid = standing.verdict() == Verdict::Invalid;
        InvalidRun::of_counts(&standing.faults, labels).filter(|_| is_invalid)
    }

    pub fn advice(&self) -> &'static str {
        match self.cause {
            Cause::InARow(_) | Cause::Share(_) => {
                "its games say nothing about strength; --engine-log DIR shows what an engine said; repair it and play in \
                 another folder"
            }
            Cause::Clock(_) => {
                "play in another folder with fewer pairs at the same time (--concurrency), more time, or a greater \
                 --time-margin"
            }
        }
    }
}

impl fmt::Display for InvalidRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.max_percent;
        match &self.cause {
            Cause::InARow(culprit) => write!(
                f,
                "{} was at fault {} times in a row ({})",
                culprit.label,
                culprit.tally.row_max,
                kinds_text(&culprit.kinds)
            ),
            Cause::Share(culprit) => write!(
                f,
                "{} was at fault in {} of {} games ({}), more than {most} % of them",
                culprit.label,
                culprit.tally.faults,
                culprit.tally.games,
                kinds_text(&culprit.kinds)
            ),
            Cause::Clock(players) => {
                f.write_str("this machine cannot hold this clock: lost on time")?;
                let mut separator = " ";
                for (label, tally) in players {
                    write!(
                        f,
                        "{separator}{label} {} of {} games",
                        tally.time_losses, tally.games
                    )?;
                    separator = ", ";
                }
                write!(f, ", each more than {most} %")
            }
        }
    }
}

fn kinds_text(kinds: &[(Reason, u64)]) -> String {
    let texts: Vec<String> = kinds
        .iter()
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::document::invalid::*;
    use crate::record::PairOutcome;
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
        assert_eq!(text(&counts(4, |_| Some(Reason::Crash))), "");
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
            "this machine cannot hold this clock: lost on time new 10 of 40 games, old 10 of 40 games, each more than 2 %"
        );
    }
}
