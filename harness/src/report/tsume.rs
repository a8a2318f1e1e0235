//! What `tanren tsume` prints and writes.
//!
//! In: answers. Out: `tsume.csv`, a table, JSON. Must not: judge an answer.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::files::{ReportError, write_atomically};
use super::number::percent;
use super::sheet::Sheet;
use crate::study::tsume::{Answer, Share, shares};

/// The answers of one player.
#[derive(Debug)]
pub struct TsumeReport<'a> {
    /// The player.
    pub label: &'a str,
    /// Its nodes for each problem.
    pub nodes_max: u64,
    /// Its answers, in the order of the suite.
    pub answers: &'a [Answer],
}

impl TsumeReport<'_> {
    /// Writes `tsume.csv` into `folder`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        write_atomically(&folder.join("tsume.csv"), |output| output.write_all(&self.csv()?))
    }

    fn csv(&self) -> csv::Result<Vec<u8>> {
        sheet().csv(self.answers)
    }

    /// One object: the player, its nodes, and the counts of each length and of all.
    pub fn json(&self) -> Value {
        let lengths: Sheet<'_, Share> = Sheet::new()
            .column("plies", "plies of the shortest mate", |share: &Share| {
                share.plies.into()
            })
            .column("positions", "problems of this length", |share| {
                share.positions.into()
            })
            .column("solved", "those solved", |share| share.solved.into())
            .column("shortest", "those solved by a shortest mate", |share| {
                share.shortest.into()
            });
        let shares = shares(self.answers);
        json!({
            "config": self.label,
            "nodes": self.nodes_max,
            "positions": self.answers.len(),
            "solved": shares.iter().map(|share| share.solved).sum::<usize>(),
            "shortest": shares.iter().map(|share| share.shortest).sum::<usize>(),
            "lengths": lengths.array(&shares),
        })
    }

    /// A table: the share solved of each length and of all.
    pub fn describe(&self) -> String {
        let mut text = format!(
            "{}, {} nodes a position\n\nplies  positions  solved           by a shortest mate\n",
            self.label, self.nodes_max
        );
        let shares = shares(self.answers);
        let mut row = |length: &str, positions: usize, solved: usize, shortest: usize| {
            let share = |count: usize| percent((positions > 0).then(|| count as f64 / positions as f64));
            text += &format!(
                "{length:<5}  {positions:>9}  {solved:>4}  {:>8}  {shortest:>4}  {:>8}\n",
                share(solved),
                share(shortest)
            );
        };
        for share in &shares {
            row(
                &share.plies.to_string(),
                share.positions,
                share.solved,
                share.shortest,
            );
        }
        let sum = |count: fn(&Share) -> usize| shares.iter().map(count).sum::<usize>();
        row(
            "all",
            sum(|share| share.positions),
            sum(|share| share.solved),
            sum(|share| share.shortest),
        );
        text
    }
}

/// The columns of `tsume.csv`.
pub(super) fn sheet() -> Sheet<'static, Answer> {
    Sheet::new()
        .column("line", "line of the problem in its file", |answer: &Answer| {
            answer.line.into()
        })
        .column("plies", "plies of the shortest mate", |answer| {
            answer.plies.into()
        })
        .column("verdict", "the judgement", |answer| answer.verdict.name().into())
        .column(
            "bestmove",
            "the player's move, empty if there was none",
            |answer| (&answer.mv).into(),
        )
        .column("score", "the player's score in centipawns", |answer| {
            answer.score.into()
        })
        .column("depth", "its last finished iteration in plies", |answer| {
            answer.depth.into()
        })
        .column("nodes", "its nodes", |answer| answer.nodes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::tsume::Verdict;

    #[test]
    fn the_table_the_file_and_the_json_agree() {
        let answer = |line, plies, verdict| Answer {
            line,
            plies,
            verdict,
            mv: "G*5b".to_owned(),
            score: 29_999,
            depth: 2,
            nodes: 70,
        };
        let report = TsumeReport {
            label: "base",
            nodes_max: 1000,
            answers: &[
                answer(3, 1, Verdict::Shortest),
                answer(4, 3, Verdict::Longer),
                answer(5, 3, Verdict::Missed),
            ],
        };
        let csv = String::from_utf8(report.csv().unwrap()).unwrap();
        assert_eq!(csv.lines().nth(2), Some("4,3,longer,G*5b,29999,2,70"));
        let json = report.json();
        assert_eq!((&json["solved"], &json["shortest"]), (&json!(2), &json!(1)));
        assert_eq!(json["lengths"][1]["positions"], 2);
        let text = report.describe();
        assert!(text.lines().last().unwrap().contains("66.7 %"), "{text}");
    }
}
