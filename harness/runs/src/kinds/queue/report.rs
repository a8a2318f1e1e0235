//! A queue of jobs: the plan before it, the table and `night.csv` after it.

use serde_json::Value;

use crate::document::answer::{Answer, State};
use crate::document::columns::{Columns, columns};
use crate::document::number::clock;
use crate::document::summary::family_text;
use crate::document::table::{Align, titled_table, wrapped};
use crate::document::text::Text;
use crate::document::{Block, Document, Section, Table};
use crate::kinds::inspection::Inspection;
use crate::kinds::queue::run::JobForecast;
use crate::kinds::queue::{JobEntry, JobState, QueueFindings, QueueJob};
use crate::stats::{Corrected, corrected};

const WAITING: &str = "waiting";
/// Longer messages are cut in tables; `night.csv` has them whole.
const MESSAGE_CHARS_MAX: usize = 60;

pub(crate) fn document(found: &QueueFindings) -> Document<'_> {
    let rows = rows(found);
    let mut jobs = Table::of(&columns(), &rows)
        .key("")
        .caption(Text::new("Jobs"))
        .file("night.csv");
    for (row, of) in jobs.rows.iter_mut().zip(&rows) {
        row.link = of.entry.map(|_| format!("{}/report.html", of.job.name));
        row.is_faint = of.entry.is_none();
    }
    let (over, of) = (rows.iter().filter(|row| row.entry.is_some()).count(), rows.len());
    let blocks = vec![Block::Lines(describe(&rows)), Block::Table(jobs)];
    Document {
        title: format!("{of} jobs"),
        answer: Answer::new(
            State::Counted,
            Text::filled("{over} of {of} jobs are over.", &[("over", &over), ("of", &of)]),
        ),
        sections: vec![Section::new(
            "result",
            Text::new("The plan and its verdicts"),
            blocks,
        )],
    }
}

pub(crate) struct JobRow<'a> {
    job: &'a QueueJob,
    entry: Option<&'a JobEntry>,
    /// What its match shows compared with the other matches of the queue.
    family: Option<Corrected>,
}

fn rows(found: &QueueFindings) -> Vec<JobRow<'_>> {
    let p_values = found.jobs.iter().map(|(_, entry)| entry.as_ref()?.p_value);
    let families = corrected(&p_values.collect::<Vec<_>>());
    let rows = found.jobs.iter().zip(families);
    rows.map(|((job, entry), family)| JobRow {
        job,
        entry: entry.as_ref(),
        family,
    })
    .collect()
}

fn describe(rows: &[JobRow<'_>]) -> String {
    let header = ["job", "command", "state", "verdict", "pairs", "time", "message"];
    let lines = rows.iter().map(|row| {
        let entry = row.entry;
        let or_dash = |text: Option<String>| text.unwrap_or("-".to_owned());
        [
            row.job.name.clone(),
            row.job.command.name.to_owned(),
            state(entry).to_owned(),
            or_dash(entry.and_then(|entry| entry.verdict.clone())),
            or_dash(entry.and_then(|entry| entry.pairs).map(|pairs| pairs.to_string())),
            or_dash(entry.map(|entry| clock(entry.time_ms / 1000))),
            shortened(
                entry
                    .and_then(|entry| entry.message.as_deref())
                    .unwrap_or_default(),
            ),
        ]
    });
    let family: Vec<Corrected> = rows.iter().filter_map(|row| row.family).collect();
    let about = match family.len() {
        0 | 1 => String::new(),
        all => format!("\nof {all} matches {}", family_text(&family)),
    };
    titled_table(&header, lines, Align::Left) + &wrapped(&about)
}

pub fn describe_plan(rows: &[JobForecast], jobs_max: usize) -> String {
    let header = ["job", "command", "priority", "state", "at most", "only if"];
    let lines = rows.iter().map(|row| {
        let job = &row.job;
        [
            job.name.clone(),
            job.command.name.to_owned(),
            job.priority.to_string(),
            state(row.entry.as_ref()).to_owned(),
            row.seconds.map_or("?".to_owned(), time_text),
            job.only_if
                .as_ref()
                .map_or("-".to_owned(), |(_, text)| text.clone()),
        ]
    });
    let known: f64 = rows.iter().filter_map(|row| row.seconds).sum();
    let unknown = rows.iter().filter(|row| row.seconds.is_none()).count();
    let rest = match unknown {
        0 => String::new(),
        1 => " and one job of unknown length".to_owned(),
        more => format!(" and {more} jobs of unknown length"),
    };
    let mut about = format!("\nall together at most {}{rest}\n", time_text(known));
    if jobs_max > 1 {
        about += &format!(
            "up to {jobs_max} jobs run at the same time and share the fleet; the times are those of this machine alone\n"
        );
    }
    for row in rows {
        about += &format!("  {}: {}\n", row.job.name, row.basis);
    }
    titled_table(&header, lines, Align::Left) + &wrapped(&about)
}

pub fn plan_json(rows: &[JobForecast], taken: &[(&str, &Inspection)]) -> Value {
    let mut plan = plan_columns().array(rows);
    for (row, object) in rows.iter().zip(plan.as_array_mut().into_iter().flatten()) {
        let inspection = taken.iter().find(|(job, _)| *job == row.job.name);
        if let (Some((_, inspection)), Value::Object(object)) = (inspection, object)
            && let Value::Object(more) = inspection.json()
        {
            object.extend(more);
        }
    }
    plan
}

pub(crate) fn columns<'a>() -> Columns<'a, JobRow<'a>> {
    columns! { row: JobRow<'a>;
        "job", "name of the job" => &row.job.name;
        "command", "its command" => row.job.command.name;
        "state", "how far it came" => state(row.entry);
        "verdict", "the verdict of its result" => row.entry.and_then(|entry| entry.verdict.as_deref());
        "pairs", "the pairs of its result" => row.entry.and_then(|entry| entry.pairs);
        "time_s", "seconds that it ran, all attempts together" => row.entry.map(|entry| entry.time_ms / 1000);
        "arguments", "its command line" => row.entry.map(|entry| entry.arguments.join(" "));
        "message", "the error of a failed job" => row.entry.and_then(|entry| entry.message.as_deref());
    }
    .family("all matches of the night", |row| row.family)
}

fn plan_columns() -> Columns<'static, JobForecast> {
    columns! { row: JobForecast;
        "job", "name of the job" => &row.job.name;
        "command", "its command" => row.job.command.name;
        "priority", "jobs of higher priority run first" => row.job.priority;
        "only_if", "the condition under which it runs" => row.job.only_if.as_ref().map(|(_, text)| text.as_str());
        "state", "how far it came" => state(row.entry.as_ref());
        "seconds_max", "how long it takes at most" => row.seconds.map(f64::round);
        "basis", "where that comes from" => &row.basis;
    }
}

fn state(entry: Option<&JobEntry>) -> &'static str {
    entry.map_or(WAITING, |entry| JobState::name(entry.state))
}

fn shortened(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    if line.chars().count() <= MESSAGE_CHARS_MAX && line == message {
        return line.to_owned();
    }
    line.chars().take(MESSAGE_CHARS_MAX).chain(['…']).collect()
}

fn time_text(seconds: f64) -> String {
    clock(seconds.clamp(0.0, 1e9).round() as u64)
}

#[cfg(test)]
mod tests {
    use crate::kinds::queue::Queue;
    use crate::kinds::queue::report::*;

    fn jobs() -> Vec<QueueJob> {
        let queue = "[[job]]\nname = \"one\"\ncommand = \"match\"\n\
                     [[job]]\nname = \"two\"\ncommand = \"nodes\"\nonly_if = \"one.accepted\"\n";
        Queue::parse(queue, "night.toml").unwrap().jobs().to_vec()
    }

    #[test]
    fn a_job_that_did_not_run_yet_waits_and_has_no_numbers() {
        let entry = JobEntry {
            job: "one".to_owned(),
            arguments: vec!["match".to_owned(), "--pairs=3".to_owned()],
            state: JobState::Finished,
            verdict: Some("accepted_h1".to_owned()),
            pairs: Some(3),
            time_ms: 65_400,
            message: None,
            p_value: None,
        };
        let jobs = jobs().into_iter().zip([Some(entry), None]).collect();
        let found = QueueFindings { jobs };
        let expected = "job,command,state,verdict,pairs,time_s,arguments,message,p_value,p_holm,q_value\n\
                        one,match,finished,accepted_h1,3,65,match --pairs=3,,,,\n\
                        two,nodes,waiting,,,,,,,,\n";
        assert_eq!(
            String::from_utf8(columns().csv(rows(&found)).unwrap()).unwrap(),
            expected
        );
        let document = document(&found);
        let json = document.json();
        assert!(json[0]["pairs"] == 3 && json[1]["verdict"].is_null(), "{json}");
        let text = document.text();
        assert!(text.contains("01:05") && text.contains("waiting"), "{text}");
    }

    #[test]
    fn a_plan_sums_what_is_known_and_says_what_is_not() {
        let rows = jobs()
            .into_iter()
            .zip([Some(3723.0), None])
            .map(|(job, seconds)| JobForecast {
                job,
                entry: None,
                seconds,
                basis: "measured".to_owned(),
            });
        let rows: Vec<JobForecast> = rows.collect();
        let texts = [1, 3].map(|jobs_max| describe_plan(&rows, jobs_max));
        let is_told = |text: &String| text.contains("3 jobs run at the same time");
        assert_eq!([false, true], [is_told(&texts[0]), is_told(&texts[1])]);
        for part in [
            "all together at most 1:02:03 and one job of unknown length",
            "one.accepted",
            "one: measured",
        ] {
            assert!(texts[0].contains(part), "{}", texts[0]);
        }
    }
}
