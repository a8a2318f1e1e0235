//! A night's queue: the plan before it, the table and `night.csv` after it.
//!
//! In: jobs, what is known of them, estimates. Out: text, CSV, JSON. Must not: decide what runs.

use serde_json::Value;

use super::inspection::inspection_json;
use super::number::clock;
use super::sheet::Sheet;
use super::table::{Align, table, wrapped};
use crate::experiment::{Inspection, JobForecast};
use crate::queue::{Entry, Job, JobState};
use crate::stats::{Corrected, corrected};

/// The state of a job that nothing is known about.
const WAITING: &str = "waiting";
/// Longer messages are cut in tables; `night.csv` has them whole.
const MESSAGE_CHARS_MAX: usize = 60;

/// One job after the night, or after what there was of it.
#[derive(Debug, Clone, Copy)]
pub struct NightRow<'a> {
    /// The job.
    pub job: &'a Job,
    /// What is known of it.
    pub entry: Option<&'a Entry>,
    /// What its match shows beside the other matches of the night.
    pub family: Option<Corrected>,
}

/// The rows of a night.
pub fn night_rows<'a>(jobs: impl Iterator<Item = (&'a Job, Option<&'a Entry>)>) -> Vec<NightRow<'a>> {
    let jobs: Vec<_> = jobs.collect();
    let p_values: Vec<Option<f64>> = jobs
        .iter()
        .map(|(_, entry)| entry.and_then(|entry| entry.p_value))
        .collect();
    let rows = jobs.into_iter().zip(corrected(&p_values));
    rows.map(|((job, entry), family)| NightRow { job, entry, family })
        .collect()
}

/// `night.csv`, one row a job in file order; only `time_s` depends on the machine.
///
/// # Errors
/// None that happens in memory.
pub fn night_csv(rows: &[NightRow<'_>]) -> csv::Result<Vec<u8>> {
    sheet().csv_of_some(rows)
}

/// The rows of `night.csv` as objects.
pub fn night_json(rows: &[NightRow<'_>]) -> Value {
    sheet().array(rows)
}

/// The table that ends a night.
pub fn describe_night(rows: &[NightRow<'_>]) -> String {
    let header = ["job", "command", "state", "verdict", "pairs", "time", "message"].map(str::to_owned);
    let lines = rows.iter().map(|row| {
        let entry = row.entry;
        let message = entry
            .and_then(|entry| entry.message.as_deref())
            .unwrap_or_default();
        [
            row.job.name.clone(),
            row.job.command.name().to_owned(),
            state(entry).to_owned(),
            entry
                .and_then(|entry| entry.verdict.clone())
                .unwrap_or("-".to_owned()),
            entry
                .and_then(|entry| entry.pairs)
                .map_or("-".to_owned(), |pairs| pairs.to_string()),
            entry.map_or("-".to_owned(), |entry| clock(entry.time_ms / 1000)),
            shortened(message),
        ]
        .to_vec()
    });
    let lines: Vec<Vec<String>> = std::iter::once(header.to_vec()).chain(lines).collect();
    table(&lines, Align::Left) + &wrapped(&family_text(rows))
}

/// What stands out among the matches, for all of them together.
fn family_text(rows: &[NightRow<'_>]) -> String {
    let family: Vec<Corrected> = rows.iter().filter_map(|row| row.family).collect();
    if family.len() < 2 {
        return String::new();
    }
    let count = |is: fn(&Corrected) -> bool| family.iter().filter(|row| is(row)).count();
    let (alone, together) = (count(|row| row.p <= 0.05), count(|row| row.p_holm <= 0.05));
    format!(
        "\nof {} matches {alone} show a difference each for itself, {together} for all of them together (Holm, 5 %)\n",
        family.len()
    )
}

/// The plan, in the order in which the jobs would run.
pub fn describe_plan(rows: &[JobForecast], jobs_max: usize) -> String {
    let header = ["job", "command", "priority", "state", "at most", "only if"].map(str::to_owned);
    let lines = rows.iter().map(|row| {
        let job = &row.job;
        [
            job.name.clone(),
            job.command.name().to_owned(),
            job.priority.to_string(),
            state(row.entry.as_ref()).to_owned(),
            row.seconds.map_or("?".to_owned(), time_text),
            job.only_if
                .as_ref()
                .map_or("-".to_owned(), |(_, text)| text.clone()),
        ]
        .to_vec()
    });
    let lines: Vec<Vec<String>> = std::iter::once(header.to_vec()).chain(lines).collect();
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
    table(&lines, Align::Left) + &wrapped(&about)
}

/// The plan as objects, with what each job takes from outside, by the names of the jobs.
pub fn plan_json(rows: &[JobForecast], taken: &[(&str, &Inspection)]) -> Value {
    let mut plan = plan_sheet().array(rows);
    for (row, object) in rows.iter().zip(plan.as_array_mut().into_iter().flatten()) {
        let inspection = taken.iter().find(|(job, _)| *job == row.job.name);
        if let (Some((_, inspection)), Value::Object(object)) = (inspection, object)
            && let Value::Object(more) = inspection_json(inspection)
        {
            object.extend(more);
        }
    }
    plan
}

/// The columns of `night.csv`.
pub(super) fn sheet<'a>() -> Sheet<'a, NightRow<'a>> {
    Sheet::new()
        .column("job", "name of the job", |row: &NightRow<'_>| {
            (&row.job.name).into()
        })
        .column("command", "its command", |row| row.job.command.name().into())
        .column("state", "how far it came", |row| state(row.entry).into())
        .column("verdict", "the verdict of its result", |row| {
            row.entry.and_then(|entry| entry.verdict.as_deref()).into()
        })
        .column("pairs", "the pairs of its result", |row| {
            row.entry.and_then(|entry| entry.pairs).into()
        })
        .column("time_s", "seconds that it ran, all attempts together", |row| {
            row.entry.map(|entry| entry.time_ms / 1000).into()
        })
        .column("arguments", "its command line", |row| {
            row.entry.map(|entry| entry.arguments.join(" ")).into()
        })
        .column("message", "the error of a failed job", |row| {
            row.entry.and_then(|entry| entry.message.as_deref()).into()
        })
        .family("all matches of the night", |row| row.family)
}

/// What `tanren run --dry-run --json` says of a job.
fn plan_sheet() -> Sheet<'static, JobForecast> {
    Sheet::new()
        .column("job", "name of the job", |row: &JobForecast| {
            (&row.job.name).into()
        })
        .column("command", "its command", |row| row.job.command.name().into())
        .column("priority", "jobs of higher priority run first", |row| {
            row.job.priority.into()
        })
        .column("only_if", "the condition under which it runs", |row| {
            row.job.only_if.as_ref().map(|(_, text)| text.as_str()).into()
        })
        .column("state", "how far it came", |row| state(row.entry.as_ref()).into())
        .column("seconds_max", "how long it takes at most", |row| {
            row.seconds.map(f64::round).into()
        })
        .column("basis", "where that comes from", |row| (&row.basis).into())
}

fn state(entry: Option<&Entry>) -> &'static str {
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
    use super::*;
    use crate::queue::Queue;

    const NIGHT: &str = "[[job]]\nname = \"one\"\ncommand = \"match\"\n\
                         [[job]]\nname = \"two\"\ncommand = \"nodes\"\nonly_if = \"one.accepted\"\n";

    fn entry() -> Entry {
        Entry {
            job: "one".to_owned(),
            arguments: vec!["match".to_owned(), "--pairs=3".to_owned()],
            state: JobState::Finished,
            verdict: Some("accepted_h1".to_owned()),
            pairs: Some(3),
            time_ms: 65_400,
            message: None,
            p_value: Some(0.01),
        }
    }

    #[test]
    fn a_job_that_did_not_run_yet_waits_and_has_no_numbers() {
        let queue = Queue::parse(NIGHT, "night.toml").unwrap();
        let entry = entry();
        let entries = [Some(&entry), None];
        let rows: Vec<NightRow<'_>> = queue
            .jobs()
            .iter()
            .zip(entries)
            .map(|(job, entry)| NightRow {
                job,
                entry,
                family: None,
            })
            .collect();
        let expected = "job,command,state,verdict,pairs,time_s,arguments,message,p_value,p_holm,q_value\n\
                        one,match,finished,accepted_h1,3,65,match --pairs=3,,,,\n\
                        two,nodes,waiting,,,,,,,,\n";
        assert_eq!(String::from_utf8(night_csv(&rows).unwrap()).unwrap(), expected);
        assert_eq!(night_json(&rows)[0]["pairs"], 3);
        assert!(night_json(&rows)[1]["verdict"].is_null());
        let text = describe_night(&rows);
        assert!(text.contains("01:05") && text.contains("waiting"), "{text}");
    }

    #[test]
    fn a_plan_sums_what_is_known_and_says_what_is_not() {
        let queue = Queue::parse(NIGHT, "night.toml").unwrap();
        let row = |index: usize, seconds| JobForecast {
            job: queue.jobs()[index].clone(),
            entry: None,
            seconds,
            basis: "measured".to_owned(),
        };
        let rows = [row(0, Some(3723.0)), row(1, None)];
        let text = describe_plan(&rows, 1);
        let is_beside = |text: &str| text.contains("3 jobs run at the same time");
        assert!(!is_beside(&text) && is_beside(&describe_plan(&rows, 3)), "{text}");
        assert!(
            text.contains("all together at most 1:02:03 and one job of unknown length"),
            "{text}"
        );
        assert!(
            text.contains("one.accepted") && text.contains("one: measured"),
            "{text}"
        );
    }
}
