//! What `tanren tsume` prints and writes.
//!
//! In: answers, or a suite. Out: `tsume.csv`, the file of a suite, a table, JSON. Must not: judge an answer.

use std::io::Write;

use serde_json::{Value, json};

use super::files::{ReportError, write_atomically};
use super::number::percent;
use super::sheet::Sheet;
use crate::experiment::{MinedProblems, SolvedProblems, TsumeFindings};
use crate::study::tsume::{Answer, Share, shares};

/// Writes `tsume.csv` of answers, or the suite that was mined.
///
/// # Errors
/// The file cannot be written.
pub fn write_tsume(found: &TsumeFindings) -> Result<(), ReportError> {
    match found {
        TsumeFindings::Solved(solved) => write_atomically(&solved.folder.join("tsume.csv"), |output| {
            output.write_all(&sheet().csv(&solved.answers)?)
        }),
        TsumeFindings::Checked { .. } => Ok(()),
        TsumeFindings::Mined(mined) => write_atomically(&mined.out, |output| write_suite(mined, output)),
    }
}

fn write_suite(mined: &MinedProblems, output: &mut impl Write) -> std::io::Result<()> {
    let (game, wanted) = (mined.game.name(), mined.wanted);
    writeln!(
        output,
        "# tanren tsume --game {game} --mine GAMES --plies-max {} --per-length {} --mine-nodes {}",
        wanted.plies_max, wanted.per_length, wanted.nodes_max
    )?;
    let mut problems = mined.problems.iter();
    problems.try_for_each(|(position, plies)| writeln!(output, "{position} ; mate {plies}"))
}

/// What was found and where it stands.
pub fn describe_tsume(found: &TsumeFindings) -> String {
    match found {
        TsumeFindings::Solved(solved) => {
            let file = solved.folder.join("tsume.csv");
            format!("{}\nfile  {}\n", describe(solved), file.display())
        }
        TsumeFindings::Checked { file, positions } => {
            format!("'{}': {positions} shortest mates, all proven", file.display())
        }
        TsumeFindings::Mined(mined) => {
            let (problems, games) = (mined.problems.len(), mined.games);
            format!(
                "{problems} problems from {games} games in {}",
                mined.out.display()
            )
        }
    }
}

/// One object.
pub fn tsume_json(found: &TsumeFindings) -> Value {
    match found {
        TsumeFindings::Solved(solved) => json_of(solved),
        TsumeFindings::Checked { positions, .. } => json!({ "positions": positions }),
        TsumeFindings::Mined(mined) => {
            json!({ "positions": mined.problems.len(), "games": mined.games })
        }
    }
}

/// The player, its nodes, and the counts of each length and of all.
fn json_of(solved: &SolvedProblems) -> Value {
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
    let shares = shares(&solved.answers);
    json!({
        "config": solved.label,
        "nodes": solved.nodes_max,
        "positions": solved.answers.len(),
        "solved": shares.iter().map(|share| share.solved).sum::<usize>(),
        "shortest": shares.iter().map(|share| share.shortest).sum::<usize>(),
        "lengths": lengths.array(&shares),
    })
}

/// A table: the share solved of each length and of all.
fn describe(solved: &SolvedProblems) -> String {
    let mut text = format!(
        "{}, {} nodes a position\n\nplies  positions  solved           by a shortest mate\n",
        solved.label, solved.nodes_max
    );
    let shares = shares(&solved.answers);
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
    use crate::study::tsume::{MineSpec, Verdict};

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
        let solved = SolvedProblems {
            label: "base".to_owned(),
            nodes_max: 1000,
            folder: "mates".into(),
            answers: vec![
                answer(3, 1, Verdict::Shortest),
                answer(4, 3, Verdict::Longer),
                answer(5, 3, Verdict::Missed),
            ],
        };
        let csv = String::from_utf8(sheet().csv(&solved.answers).unwrap()).unwrap();
        assert_eq!(csv.lines().nth(2), Some("4,3,longer,G*5b,29999,2,70"));
        let found = TsumeFindings::Solved(solved);
        let json = tsume_json(&found);
        assert_eq!((&json["solved"], &json["shortest"]), (&json!(2), &json!(1)));
        assert_eq!(json["lengths"][1]["positions"], 2);
        let text = describe_tsume(&found);
        assert!(text.lines().nth_back(2).unwrap().contains("66.7 %"), "{text}");
    }

    #[test]
    fn a_mined_suite_begins_with_the_command_that_makes_it() {
        let mined = MinedProblems {
            game: tanren_engine::game::Game::Shogi,
            wanted: MineSpec {
                plies_max: 9,
                per_length: 16,
                nodes_max: 50_000,
            },
            problems: vec![("POSITION".to_owned(), 3)],
            games: 2,
            out: "mine.sfen".into(),
        };
        let mut bytes = Vec::new();
        write_suite(&mined, &mut bytes).unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "# tanren tsume --game shogi --mine GAMES --plies-max 9 --per-length 16 --mine-nodes 50000\nPOSITION ; mate 3\n"
        );
        let text = describe_tsume(&TsumeFindings::Mined(mined));
        assert_eq!(text, "1 problems from 2 games in mine.sfen");
    }
}
