//! The faults of players, as columns, as JSON and in words.

use serde_json::{Map, Value};

use crate::document::columns::{Columns, columns};
use crate::document::number::plural;
use crate::document::table::named_lines;
use crate::match_state::FaultCounts;
use crate::stop::faults::FaultTally;

fn abouts(who: &str) -> [String; 3] {
    [
        format!("games ended by a fault of {who} (replayed ones included)"),
        format!("games that {who} lost on time"),
        format!("losses of {who} whose pair was replayed"),
    ]
}

/// `who` says whose A's and B's faults are.
pub(crate) fn of_both<'s, R: 's>(
    who: [&str; 2],
    take: impl Fn(&R) -> [FaultTally; 2] + Copy + Send + 's,
) -> Columns<'s, R> {
    let [a, b] = who.map(abouts);
    let ([faults_a, time_a, excused_a], [faults_b, time_b, excused_b]) = (a, b);
    columns! { row: R;
        "faults_a", faults_a => take(row)[0].faults;
        "faults_b", faults_b => take(row)[1].faults;
        "time_losses_a", time_a => take(row)[0].time_losses;
        "time_losses_b", time_b => take(row)[1].time_losses;
        "excused_a", excused_a => take(row)[0].replayed;
        "excused_b", excused_b => take(row)[1].replayed;
    }
}

pub(crate) fn of_player<'s, R: 's>(take: impl Fn(&R) -> FaultTally + Copy + Send + 's) -> Columns<'s, R> {
    let [faults, time, excused] = abouts("the player");
    columns! { row: R;
        "faults", faults => take(row).faults;
        "time_losses", time => take(row).time_losses;
        "excused", excused => take(row).replayed;
    }
}

pub(crate) fn kinds(counts: &FaultCounts, player: usize) -> Value {
    let kinds = counts.of(player).kinds();
    let kinds = kinds.map(|(reason, count)| (reason.name().to_owned(), count.into()));
    Value::Object(kinds.collect())
}

pub(crate) fn kinds_of_both(counts: &FaultCounts) -> Map<String, Value> {
    let names = ["faults_a_kinds", "faults_b_kinds"].into_iter().enumerate();
    names
        .map(|(player, name)| (name.to_owned(), kinds(counts, player)))
        .collect()
}

pub(crate) fn values(counts: &FaultCounts) -> Map<String, Value> {
    let mut values = of_both(["A", "B"], |both: &[FaultTally; 2]| *both).object(&counts.of_both());
    values.extend(kinds_of_both(counts));
    values
}

/// A line on the faults of each player that had some, or lost on time.
pub(crate) fn lines(counts: &FaultCounts, labels: &[String]) -> String {
    let told = labels.iter().enumerate().filter(|(player, _)| {
        let tally = counts.of(*player);
        counts.is_any() && tally.faults + tally.time_losses > 0
    });
    let lines = told.enumerate().map(|(line, (player, label))| {
        let tally = counts.of(player);
        let kinds = tally.kinds();
        let mut parts: Vec<String> = kinds
            .map(|(reason, count)| format!("{} {count}", reason.name()))
            .collect();
        if tally.time_losses > 0 {
            parts.push(format!("{} on time", plural(tally.time_losses, "loss")));
        }
        if tally.replayed > 0 {
            parts.push(format!("{} replayed", tally.replayed));
        }
        let (faults, games) = (plural(tally.faults, "fault"), plural(tally.games, "game"));
        let name = if line == 0 { "Faults" } else { "" };
        (
            name,
            format!("{label}: {faults} in {games} ({})", parts.join(", ")),
        )
    });
    named_lines(lines)
}

#[cfg(test)]
mod tests {
    use crate::document::faults::*;
    use crate::record::{PairFault, PairOutcome, Reason};
    use crate::stop::FaultLimits;
    use tanren_core::fixtures::pair;

    #[test]
    fn faults_are_told_by_player_and_kind_and_losses_on_time_apart() {
        let mut counts = FaultCounts::of_sides(FaultLimits::default());
        let labels = ["new", "old"].map(str::to_owned);
        let mut record = pair(0, [2, 0], 0);
        counts.count(&PairOutcome::from(&record));
        assert_eq!(lines(&counts, &labels), "");
        record.games[0].reason = Reason::Crash;
        record.games[1].reason = Reason::TimeLoss;
        record.replayed = vec![PairFault {
            pair: 0,
            game: 0,
            player: 1,
            reason: Reason::Stall,
        }];
        counts.count(&PairOutcome::from(&record));
        let expected = "  Faults  new: 0 faults in 5 games (1 loss on time)\n          \
                        old: 2 faults in 5 games (crash 1, stall 1, 1 replayed)\n";
        assert_eq!(lines(&counts, &labels), expected);
        let kinds = serde_json::json!({"faults_a_kinds": {}, "faults_b_kinds": {"crash": 1, "stall": 1}});
        assert_eq!(Value::Object(kinds_of_both(&counts)), kinds);
    }
}
