//! How external engines behaved apart from their games: starts, faults and warnings, for `engines.csv` and the terminal.

use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::number::plural;
use crate::document::table::named_lines;
use crate::document::text::Text;
use crate::document::{Block, Table};
use crate::ledger::{Ledger, LedgerError};
use crate::record::{EngineWarnings, PlayerId, Reason};

/// How often scores that say that a side is far ahead agree with the opponent's, and with the game's result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ScoreSigns {
    matching: u64,
    contrary: u64,
    right: u64,
    wrong: u64,
}

/// Turns from which on signs tell anything, and how many of them may be otherwise.
const TURNS_MIN: u64 = 20;
const EXCEPTIONS_MAX: f64 = 0.05;

fn nearly_all(part: u64, others: u64) -> bool {
    part > 0 && others as f64 <= EXCEPTIONS_MAX * (part + others) as f64
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineTotals {
    pub label: String,
    pub games: u64,
    pub faults: u64,
    pub time_losses: u64,
    pub starts: u64,
    pub illegal_variations: u64,
    /// Announced mates that were taken back, or that did not come.
    pub contradicted_mates: u64,
    pub late_stops: u64,
    pub uppercase_promotions: u64,
    /// As Sente or White, and as Gote or Black.
    signs: [ScoreSigns; 2],
    pub latency_turns: u64,
    /// Sum over these of what was measured here beyond that.
    pub latency_us: u64,
    pub latency_max_us: u64,
    /// Games at whose end it had a clock.
    pub clock_games: u64,
    pub time_left_ms: u64,
    pub time_left_min_ms: u64,
}

impl EngineTotals {
    fn add(&mut self, warnings: &EngineWarnings, lost_by: Option<Reason>) {
        self.games += 1;
        match lost_by {
            Some(Reason::TimeLoss) => self.time_losses += 1,
            Some(reason) if reason.is_fault() => self.faults += 1,
            _ => {}
        }
        self.starts += u64::from(warnings.starts);
        self.illegal_variations += u64::from(warnings.illegal_variations);
        self.contradicted_mates += u64::from(warnings.contradicted_mates);
        self.late_stops += u64::from(warnings.late_stops);
        self.uppercase_promotions += u64::from(warnings.uppercase_promotions);
        self.latency_turns += u64::from(warnings.latency_turns);
        self.latency_us += warnings.latency_us;
        self.latency_max_us = self.latency_max_us.max(warnings.latency_max_us);
        if let Some(left_ms) = warnings.time_left_ms {
            let is_first = self.clock_games == 0;
            let least = self.time_left_min_ms;
            self.time_left_min_ms = if is_first { left_ms } else { least.min(left_ms) };
            self.clock_games += 1;
            self.time_left_ms += left_ms;
        }
    }

    fn add_signs(&mut self, side: usize, warnings: &EngineWarnings, has_won: Option<bool>) {
        let signs = &mut self.signs[side];
        signs.matching += u64::from(warnings.matching_scores);
        signs.contrary += u64::from(warnings.contrary_scores);
        let (right, wrong) = match has_won {
            Some(true) => (warnings.ahead, warnings.behind),
            Some(false) => (warnings.behind, warnings.ahead),
            None => return,
        };
        signs.right += u64::from(right);
        signs.wrong += u64::from(wrong);
    }

    fn contrary_scores(&self) -> u64 {
        self.signs.iter().map(|signs| signs.contrary).sum()
    }

    /// Does it seem to score for White or Sente, whoever is to move? As the second side it contradicts its opponent then, and only as
    /// that; or, if both do so, always, but the results only as the second side.
    fn scores_for_first_side(&self) -> bool {
        let [first, second] = &self.signs;
        let by_opponent = second.contrary >= TURNS_MIN
            && nearly_all(second.contrary, second.matching)
            && nearly_all(first.matching, first.contrary);
        let by_result = first.right.min(second.wrong) >= TURNS_MIN
            && nearly_all(first.contrary + second.contrary, first.matching + second.matching)
            && nearly_all(first.right, first.wrong)
            && nearly_all(second.wrong, second.right);
        by_opponent || by_result
    }

    /// Mean of what was measured beyond the engine's own time, in milliseconds; nothing if it never told its time.
    pub fn latency_mean_ms(&self) -> Option<f64> {
        let turns = self.latency_turns;
        (turns > 0).then(|| self.latency_us as f64 / turns as f64 / 1000.0)
    }

    pub fn latency_max_ms(&self) -> Option<f64> {
        (self.latency_turns > 0).then(|| self.latency_max_us as f64 / 1000.0)
    }

    /// Mean of what its clock showed at the end of a game, in milliseconds; nothing if it never had one.
    pub fn time_left_mean_ms(&self) -> Option<f64> {
        (self.clock_games > 0).then(|| self.time_left_ms as f64 / self.clock_games as f64)
    }

    pub fn time_left_least_ms(&self) -> Option<u64> {
        (self.clock_games > 0).then_some(self.time_left_min_ms)
    }
}

pub(crate) fn count(
    ledger: &Ledger,
    labels: &[String],
    counted: u64,
) -> Result<Vec<EngineTotals>, LedgerError> {
    let named = labels.iter().map(|label| EngineTotals {
        label: label.clone(),
        ..EngineTotals::default()
    });
    let mut totals: Vec<EngineTotals> = named.collect();
    ledger.for_each_counted(counted, |pair| {
        for (index, id) in (0..2).flat_map(|index| [(index, PlayerId::A), (index, PlayerId::B)]) {
            let game = &pair.games[index];
            let lost_by = (game.winner == Some(id.opponent())).then_some(game.reason);
            let number = usize::from(pair.players[id.index()]);
            if let (Some(warnings), Some(totals)) = (&game.warnings[id.index()], totals.get_mut(number)) {
                totals.add(warnings, lost_by);
                // Scores that ended a game prove nothing of themselves.
                let is_played_out = matches!(
                    game.reason,
                    Reason::NoLegalMove | Reason::Resignation | Reason::Declaration
                );
                let has_won = game.winner.filter(|_| is_played_out).map(|winner| winner == id);
                totals.add_signs(usize::from(pair.first_side(index) != id), warnings, has_won);
            }
        }
    })?;
    totals.retain(|totals| totals.games > 0);
    Ok(totals)
}

const MS_DECIMALS: usize = 3;

pub(crate) fn columns() -> Columns<'static, EngineTotals> {
    let ms = |value| Cell::rounded(value, MS_DECIMALS);
    columns! { row: EngineTotals;
        "player", "what it is called" => &row.label;
        "games", "games counted" => row.games;
        "starts", "times that it was started for them" => row.starts;
        "faults", "games that it lost by a fault other than time" => row.faults;
        "time_losses", "games that it lost on time" => row.time_losses;
        "illegal_variations", "turns whose last variation holds an illegal move" => row.illegal_variations;
        "contradicted_mates", "mates that it announced and took back, or that did not come" => row.contradicted_mates;
        "late_stops", "late answers to `stop`" => row.late_stops;
        "uppercase_promotions", "moves that it wrote as `a7a8Q` and not as `a7a8q`" => row.uppercase_promotions;
        "contrary_scores", "turns at which it and its opponent both saw themselves 3 pawns ahead, or both behind" => row.contrary_scores();
        "latency_mean_ms", "mean delay: time measured here minus the time in its last info line"
            => ms(row.latency_mean_ms());
        "latency_max_ms", "the most of it" => ms(row.latency_max_ms());
        "time_left_mean_ms", "mean of what its game clock showed at the end of a game"
            => row.time_left_mean_ms().map(|ms| ms.round() as u64);
        "time_left_min_ms", "the least of it" => row.time_left_least_ms();
    }
}

pub(crate) fn block<'a>(engines: &[EngineTotals]) -> Option<Block<'a>> {
    let table = || {
        Table::of(&columns(), engines)
            .key("engines")
            .caption(Text::new("Programs"))
    };
    (!engines.is_empty()).then(|| Block::Table(table().file("engines.csv")))
}

pub(crate) fn lines(engines: &[EngineTotals]) -> String {
    named_lines(engines.iter().map(|engine| ("Engine", about(engine))))
}

fn about(engine: &EngineTotals) -> String {
    let warnings = [
        (engine.illegal_variations, "with an illegal variation", "turn"),
        (engine.contradicted_mates, "contradicted", "announced mate"),
        (engine.late_stops, "to stop", "late answer"),
        (engine.uppercase_promotions, "in upper case", "promotion"),
    ];
    let counted = warnings.into_iter().filter(|(count, ..)| *count > 0);
    let counted: Vec<String> = counted
        .map(|(count, about, noun)| format!("{} {about}", plural(count, noun)))
        .collect();
    let warnings = if counted.is_empty() {
        "no protocol violation".to_owned()
    } else {
        counted.join(", ")
    };
    let mut text = format!("{}: {}, {warnings}", engine.label, plural(engine.starts, "start"));
    if engine.scores_for_first_side() {
        let second = &engine.signs[1];
        text += &format!(
            "; its scores seem to be White's (Sente's), not the side to move's: {} of {} turns as Black (Gote) contradict its \
             opponent; tanren check tells, and white_pov=on turns them",
            second.contrary,
            second.contrary + second.matching
        );
    }
    if let (Some(mean), Some(most)) = (engine.latency_mean_ms(), engine.latency_max_ms()) {
        text += &format!("; latency {mean:.2} ms, at most {most:.1}");
    }
    // Byoyomi alone leaves nothing.
    let left_ms = engine.time_left_mean_ms().filter(|&mean| mean > 0.0);
    if let (Some(mean), Some(least)) = (left_ms, engine.time_left_least_ms()) {
        text += &format!("; left at the end {mean:.0} ms, at least {least}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_sums_and_extremes_over_games() {
        let mut totals = EngineTotals::default();
        assert_eq!(
            (totals.latency_mean_ms(), totals.time_left_least_ms()),
            (None, None)
        );
        let mut warnings = EngineWarnings {
            starts: 1,
            time_left_ms: Some(70),
            ..EngineWarnings::default()
        };
        warnings.add_latency(500);
        warnings.add_latency(1500);
        totals.add(&warnings, Some(Reason::TimeLoss));
        warnings.time_left_ms = Some(90);
        totals.add(&warnings, Some(Reason::Memory));
        totals.add(&EngineWarnings::default(), Some(Reason::Resignation));
        assert_eq!((totals.games, totals.faults, totals.time_losses), (3, 1, 1));
        assert_eq!(totals.latency_mean_ms(), Some(1.0));
        assert_eq!(totals.latency_max_ms(), Some(1.5));
        assert_eq!(totals.time_left_mean_ms(), Some(80.0));
        assert_eq!(totals.time_left_least_ms(), Some(70));
        assert_eq!(totals.starts, 2);
    }

    /// Matching, contrary, right and wrong scores as White, and as Black.
    #[test]
    fn scores_of_white_are_told_from_those_of_the_side_to_move() {
        for (signs, expected) in [
            ([[40, 0, 40, 0], [0, 40, 0, 40]], true),
            ([[2, 0, 0, 0], [1, 20, 0, 0]], true),
            // Too few, a real disagreement, an engine that always errs, and one that meets the other kind.
            ([[40, 0, 0, 0], [0, 19, 0, 0]], false),
            ([[40, 5, 0, 0], [0, 40, 0, 0]], false),
            ([[0, 40, 0, 40], [0, 40, 0, 40]], false),
            ([[0, 40, 40, 0], [40, 0, 40, 0]], false),
            // Both do so: the results tell.
            ([[0, 40, 40, 0], [0, 40, 0, 40]], true),
            ([[0, 40, 40, 0], [0, 40, 40, 0]], false),
        ] {
            let totals = EngineTotals {
                signs: signs.map(|[matching, contrary, right, wrong]| ScoreSigns {
                    matching,
                    contrary,
                    right,
                    wrong,
                }),
                ..EngineTotals::default()
            };
            assert_eq!(totals.scores_for_first_side(), expected, "{signs:?}");
        }
    }
}
