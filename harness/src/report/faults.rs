//! The faults of players, as columns, as JSON and in words.
//!
//! In: their counts. Out: parts of the sheets and texts of runs. Must not: judge.

use serde_json::{Map, Value};

use super::sheet::Sheet;
use crate::standing::FaultCounts;
use crate::stop::faults::FaultTally;

/// `sheet` with the columns of A's and B's faults after its own; `who` says whose they are.
pub(super) fn columns_of_both<'s, R: 's>(
    sheet: Sheet<'s, R>,
    who: [&str; 2],
    take: impl Fn(&R) -> [FaultTally; 2] + Copy + Send + 's,
) -> Sheet<'s, R> {
    let [a, b] = who;
    sheet
        .column("faults_a", about_faults(a), move |row| take(row)[0].faults.into())
        .column("faults_b", about_faults(b), move |row| take(row)[1].faults.into())
        .column("time_losses_a", about_time(a), move |row| {
            take(row)[0].time_losses.into()
        })
        .column("time_losses_b", about_time(b), move |row| {
            take(row)[1].time_losses.into()
        })
        .column("excused_a", about_excused(a), move |row| {
            take(row)[0].excused.into()
        })
        .column("excused_b", about_excused(b), move |row| {
            take(row)[1].excused.into()
        })
}

/// `sheet` with the columns of a player's faults after its own.
pub(super) fn columns_of_one<'s, R: 's>(
    sheet: Sheet<'s, R>,
    take: impl Fn(&R) -> FaultTally + Copy + Send + 's,
) -> Sheet<'s, R> {
    sheet
        .column("faults", about_faults("the player"), move |row| {
            take(row).faults.into()
        })
        .column("time_losses", about_time("the player"), move |row| {
            take(row).time_losses.into()
        })
        .column("excused", about_excused("the player"), move |row| {
            take(row).excused.into()
        })
}

fn about_faults(who: &str) -> String {
    format!("games that faults of {who} ended, those included whose pair was played again")
}

fn about_time(who: &str) -> String {
    format!("games that {who} lost on time, which are no faults")
}

fn about_excused(who: &str) -> String {
    format!("losses of {who} that were excused, their pair having been played again")
}

/// The kinds of a player's faults with their numbers.
pub(super) fn kinds_json(counts: &FaultCounts, player: usize) -> Value {
    let kinds = counts.kinds(player);
    let kinds = kinds.map(|(reason, count)| (reason.name().to_owned(), count.into()));
    Value::Object(kinds.collect())
}

/// Adds the kinds of A's and of B's faults to what has their numbers.
pub(super) fn insert_kinds(object: &mut Map<String, Value>, counts: &FaultCounts) {
    for (player, name) in ["faults_a_kinds", "faults_b_kinds"].into_iter().enumerate() {
        object.insert(name.to_owned(), kinds_json(counts, player));
    }
}

/// A line on the faults of each player that had some, or lost on time.
pub(super) fn lines(counts: &FaultCounts, labels: &[String]) -> String {
    if !counts.is_any() {
        return String::new();
    }
    let mut text = String::new();
    let mut heading = "faults   ";
    for (player, label) in labels.iter().enumerate() {
        let tally = counts.of(player);
        if tally.faults + tally.time_losses == 0 {
            continue;
        }
        let mut parts: Vec<String> = counts
            .kinds(player)
            .map(|(reason, count)| format!("{} {count}", reason.name()))
            .collect();
        if tally.time_losses > 0 {
            parts.push(format!("besides {} lost on time", tally.time_losses));
        }
        if tally.excused > 0 {
            parts.push(format!("{} of these excused by a replay", tally.excused));
        }
        text += &format!(
            "{heading}{label}: {} in {} games ({})\n",
            tally.faults,
            tally.games,
            parts.join(", ")
        );
        heading = "         ";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{PairFault, PairOutcome, Reason};
    use crate::stop::FaultLimits;
    use tanren_core::fixtures::pair;

    #[test]
    fn faults_are_told_by_player_and_kind_and_losses_on_time_beside_them() {
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        let labels = ["new", "old"].map(str::to_owned);
        let mut record = pair(0, [2, 0], 0);
        counts.count(&PairOutcome::from(&record));
        assert_eq!(lines(&counts, &labels), "");
        record.games[0].reason = Reason::Crash;
        record.games[1].reason = Reason::TimeLoss;
        record.excused = vec![PairFault {
            pair: 0,
            game: 0,
            player: 1,
            reason: Reason::Stall,
        }];
        counts.count(&PairOutcome::from(&record));
        let expected = "faults   new: 0 in 5 games (besides 1 lost on time)\n         \
                        old: 2 in 5 games (crash 1, stall 1, 1 of these excused by a replay)\n";
        assert_eq!(lines(&counts, &labels), expected);
        assert_eq!(
            kinds_json(&counts, 1),
            serde_json::json!({"crash": 1, "stall": 1})
        );
        assert_eq!(kinds_json(&counts, 0), serde_json::json!({}));
    }
}
