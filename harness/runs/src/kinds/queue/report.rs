//! A queue of jobs: the plan before it, the table and `queue.csv` after it.

use serde_json::Value;

use crate::document::answer::{Answer, AnswerRow, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::language::said;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, clock, plural, signed};
use crate::document::summary::family_text;
use crate::document::table::{Align, titled_table, wrapped};
use crate::document::text::{Text, command_line};
use crate::document::{Block, Document, Fact, Section, Table};
use crate::kinds::inspection::Inspection;
use crate::kinds::queue::run::JobForecast;
use crate::kinds::queue::{FoundJob, JobEntry, JobState, QueueFindings, QueueJob};
use crate::session::kind::Workload;
use crate::session::overview::{Overview, Strength};
use crate::stats::{Corrected, Estimate, corrected};

const WAITING: &str = "waiting";

pub(crate) fn document(found: &QueueFindings) -> Document<'_> {
    let rows = rows(found);
    let mut jobs = Table::of(&columns(), &rows).key("").file("queue.csv");
    jobs.caption = None;
    let blocks = vec![
        Block::Lines(describe(&rows)),
        Block::Facts(facts(&rows)),
        Block::Answers(rows.iter().map(JobRow::on_page).collect()),
        Block::Table(jobs),
    ];
    let mut sections = vec![Section::new(
        "result",
        Text::new("Answers, the most important first"),
        blocks,
    )];
    if rows.iter().filter(|row| row.family.is_some()).count() > 1 {
        sections.push(errors(&rows));
    }
    sections.push(Section::folded(
        "pandas",
        Text::new("In a notebook"),
        vec![
            Block::Verbatim(NOTEBOOK.to_owned()),
            Block::Note(Text::new("A row a job; the manual lists the columns.")),
        ],
    ));
    Document {
        title: plural(rows.len() as u64, "job"),
        answer: answer(&rows),
        sections,
    }
}

const NOTEBOOK: &str = "import pandas as pd\njobs = pd.read_csv(\"queue.csv\")\n\
                        jobs[[\"job\", \"state\", \"answer\", \"elo\", \"elo_low\", \"elo_high\", \"games\"]]\n";

/// Of so many jobs the names are said in the answer.
const NAMED_MAX: usize = 4;

fn answer(rows: &[JobRow<'_>]) -> Answer {
    let is_over = |row: &&JobRow<'_>| {
        row.entry
            .is_some_and(|entry| entry.state != JobState::Interrupted)
    };
    let (over, of) = (rows.iter().filter(is_over).count(), rows.len());
    let of_state = |state: State| rows.iter().filter(move |row| row.answer.state == state);
    let names = |state: State| {
        let name = |row: &JobRow<'_>| match row.elo().value {
            Some(elo) if state == State::Passed => format!("{} ({elo:+.1} Elo)", row.job.name),
            _ => row.job.name.clone(),
        };
        let (named, all) = (of_state(state).map(name).take(NAMED_MAX), of_state(state).count());
        let more = all.saturating_sub(NAMED_MAX);
        let named = named.chain((more > 0).then(|| format!("+{more}")));
        named.collect::<Vec<_>>().join(", ")
    };
    let mut sentence = Text::plain("");
    for (state, template) in [
        (State::Passed, Text::template("{count} passed: {names}.")),
        (State::Failed, Text::template("{count} failed: {names}.")),
        (
            State::Invalid,
            Text::template("{count} without a result: {names}."),
        ),
        (State::Error, Text::template("{count} with an error: {names}.")),
    ] {
        let count = of_state(state).count();
        if count > 0 {
            sentence = sentence.then(&Text::filled(
                template,
                &[("count", &count), ("names", &names(state))],
            ));
            sentence.en.push(' ');
        }
    }
    let sentence = sentence.then(&Text::filled(
        "{over} of {of} jobs are over.",
        &[("over", &over), ("of", &of)],
    ));
    let first = rows.first().map_or(State::Queued, |row| row.answer.state);
    Answer::new(first, sentence)
}

fn facts(rows: &[JobRow<'_>]) -> Vec<Fact> {
    let entries = || rows.iter().filter_map(|row| row.entry);
    let sum =
        |of: fn(&Overview) -> Option<u64>| entries().filter_map(|entry| of(&entry.overview)).sum::<u64>();
    let count = |state| rows.iter().filter(|row| row.answer.state == state).count();
    let time_ms: u64 = entries().map(|entry| entry.time_ms).sum();
    let decided = format!("{} – {}", count(State::Passed), count(State::Failed));
    vec![
        Fact::new(Text::new("Passed – failed"), decided),
        Fact::new(Text::new("Games"), sum(|row| row.games)),
        Fact::new(Text::new("Searches"), sum(|row| row.searches)),
        Fact::new(Text::new("Time"), clock(time_ms / 1_000)),
        Fact::new(Text::new("Faults and losses on time"), sum(|row| row.faults)),
    ]
}

/// What each test errs, and all of them together.
fn errors<'a>(rows: &[JobRow<'_>]) -> Section<'a> {
    let names = [
        Text::new("job"),
        Text::plain("p"),
        Text::plain("Holm"),
        Text::new("false discovery rate"),
    ];
    let shown = rows.iter().filter_map(|row| Some((row, row.family?)));
    let table = Table::page(
        Text::new("Tests of the queue, each for itself and corrected for all of them"),
        names,
        shown.map(|(row, family)| {
            let numbers = [family.p, family.p_holm, family.q].map(|p| format!("{p:.4}"));
            [std::slice::from_ref(&row.job.name), numbers.as_slice()].concat()
        }),
    );
    Section::folded(
        "errors",
        Text::new("Errors over the queue"),
        vec![Block::Table(table)],
    )
}

pub(crate) struct JobRow<'a> {
    job: &'a QueueJob,
    entry: Option<&'a JobEntry>,
    answer: Answer,
    /// What its match shows compared with the other matches of the queue.
    family: Option<Corrected>,
}

impl<'a> JobRow<'a> {
    fn new(found: &'a FoundJob, family: Option<Corrected>) -> JobRow<'a> {
        let entry = found.entry.as_ref();
        JobRow {
            answer: answer_of(found),
            job: &found.job,
            entry,
            family,
        }
    }

    fn strength(&self) -> Option<&'a Strength> {
        self.entry?.overview.strength.as_ref()
    }

    fn elo(&self) -> Estimate {
        self.strength().map_or(Estimate::UNKNOWN, Strength::elo)
    }

    fn interval(&self) -> Option<String> {
        let Estimate { low, high, .. } = self.elo();
        (low.is_some() || high.is_some()).then(|| format!("{} to {}", signed(low, 1), signed(high, 1)))
    }

    fn number<T>(&self, of: impl Fn(&'a Overview) -> Option<T>) -> Option<T> {
        of(&self.entry?.overview)
    }

    fn tuned(&self) -> Option<&'a str> {
        self.number(|row| row.tuned.as_deref())
            .filter(|tuned| !tuned.is_empty())
    }

    /// Has it a folder with a page?
    fn has_page(&self) -> bool {
        let has_folder = |entry: &JobEntry| entry.overview.answer.is_some();
        self.job.command.workload != Workload::Nothing && self.entry.is_some_and(has_folder)
    }

    fn page(&self) -> Option<String> {
        self.has_page().then(|| format!("{}/report.html", self.job.name))
    }

    fn on_page(&self) -> AnswerRow {
        let elo = self.elo();
        AnswerRow {
            answer: self.answer.clone(),
            name: self.job.name.clone(),
            link: self.page(),
            kind: self.job.command.name,
            more: self
                .tuned()
                .map(|tuned| Text::filled("Changed: {tuned}.", &[("tuned", &tuned)])),
            elo: elo.value.map(|elo| format!("{elo:+.1}")),
            interval: self.interval(),
            games: self.number(|row| row.games).filter(|&games| games > 0),
            searches: self.number(|row| row.searches),
            node_ratio: self.number(|row| row.node_ratio),
            time: self.entry.map(|entry| clock(entry.time_ms / 1_000)),
        }
    }
}

fn answer_of(found: &FoundJob) -> Answer {
    let job = &found.job;
    let interrupted = Text::new("It was interrupted; the same command resumes it.");
    let condition = job.only_if.as_ref().map_or("", |(_, text)| text);
    match &found.entry {
        _ if found.is_running => Answer::new(State::Running, Text::new("It is being played.")),
        None if let Some(pairs @ 1..) = found.stored.filter(|_| job.command.workload == Workload::Games) => {
            let pairs = plural(pairs, "pair");
            Answer::new(
                State::Queued,
                Text::filled(
                    "It was interrupted after {pairs}; the same command resumes it.",
                    &[("pairs", &pairs)],
                ),
            )
        }
        None if found.stored.is_some() => Answer::new(State::Queued, interrupted),
        None if condition.is_empty() => Answer::new(State::Queued, Text::new("It has not begun.")),
        None => Answer::new(
            State::Queued,
            Text::filled("It runs only if {condition}.", &[("condition", &condition)]),
        ),
        Some(entry) => match (entry.state, &entry.overview.answer) {
            (JobState::Skipped, _) => Answer::new(
                State::Skipped,
                Text::filled("Not run: it needs {condition}.", &[("condition", &condition)]),
            ),
            (JobState::Error, _) => {
                let message = entry.message.as_deref().unwrap_or_default();
                let message = message.replace(":\n  ", ": ").replace("\n  ", "; ");
                Answer::new(
                    State::Error,
                    Text::filled("Error: {message}", &[("message", &message)]),
                )
            }
            (JobState::Interrupted, None) => Answer::new(State::Queued, interrupted),
            (_, Some(answer)) if !answer.sentence.en.is_empty() => answer.clone(),
            _ => Answer::new(State::Counted, Text::new("It is done.")),
        },
    }
}

/// What calls for an action comes first, what did not happen last; among equals the larger difference.
fn rows(found: &QueueFindings) -> Vec<JobRow<'_>> {
    let p_values = found
        .jobs
        .iter()
        .map(|found| found.entry.as_ref()?.overview.p_value);
    let families = corrected(&p_values.collect::<Vec<_>>());
    let mut rows: Vec<JobRow<'_>> = found
        .jobs
        .iter()
        .zip(families)
        .map(|(found, family)| JobRow::new(found, family))
        .collect();
    let rank = |row: &JobRow<'_>| match row.answer.state {
        State::Passed => 0,
        State::Ranked => 1,
        State::Counted => 2,
        State::Failed => 3,
        State::Invalid | State::Error => 4,
        State::Undecided => 5,
        State::NoDifference => 6,
        State::Running => 7,
        State::Queued => 8,
        State::Skipped => 9,
    };
    let size = |row: &JobRow<'_>| row.elo().value.map_or(0.0, f64::abs);
    rows.sort_by(|one, two| {
        rank(one)
            .cmp(&rank(two))
            .then_with(|| size(two).total_cmp(&size(one)))
    });
    rows
}

/// A line of numbers a job, and what it answers below.
fn describe(rows: &[JobRow<'_>]) -> String {
    let header = ["result", "job", "Elo", "interval", "games", "nodes", "time"];
    let or_dash = |text: Option<String>| text.unwrap_or("-".to_owned());
    let lines = rows.iter().map(|row| {
        let count = row.number(|row| row.games.filter(|&games| games > 0).or(row.searches));
        [
            format!("{} {}", row.answer.state.icon(), row.answer.state.said()),
            row.job.name.clone(),
            signed(row.elo().value, 1),
            or_dash(row.interval().map(|text| said(&text).into_owned())),
            or_dash(count.map(|count| count.to_string())),
            or_dash(
                row.number(|row| row.node_ratio)
                    .map(|ratio| format!("{ratio:.2}")),
            ),
            or_dash(row.entry.map(|entry| clock(entry.time_ms / 1000))),
        ]
    });
    let table = titled_table(&header, lines, Align::Left);
    let answers = rows.iter().map(|row| {
        let tuned = row
            .tuned()
            .map_or(String::new(), |tuned| format!("\n  Changed: {tuned}"));
        format!("{}{tuned}", row.answer.sentence.said())
    });
    let family: Vec<Corrected> = rows.iter().filter_map(|row| row.family).collect();
    let about = match family.len() {
        0 | 1 => String::new(),
        all => format!("\nof {all} matches {}", family_text(&family)),
    };
    // In a narrow window a row has more than one line.
    let text = if table.lines().count() == rows.len() + 1 {
        let mut lines = table.lines().map(|line| format!("{line}\n"));
        let head = lines.next().unwrap_or_default();
        head + &lines
            .zip(answers)
            .map(|(line, answer)| line + &wrapped(&format!("  {answer}\n")))
            .collect::<String>()
    } else {
        let named = rows
            .iter()
            .zip(answers)
            .map(|(row, answer)| format!("{}: {answer}\n", row.job.name));
        format!("{table}\n{}", wrapped(&named.collect::<String>()))
    };
    text + &wrapped(&about)
}

pub fn describe_plan(rows: &[JobForecast], jobs_max: usize) -> String {
    let header = ["job", "command", "priority", "ending", "at most", "only if"];
    let lines = rows.iter().map(|row| {
        let job = &row.job;
        [
            job.name.clone(),
            job.command.name.to_owned(),
            job.priority.to_string(),
            said(ending(row.entry.as_ref())).into_owned(),
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
        about += &format!("  {}: {}\n", row.job.name, said(&row.basis));
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
    let fine = |value: Option<f64>| Cell::rounded(value, FINE_DECIMALS);
    columns! { row: JobRow<'a>;
        "job", "name of the job, and of its folder" => &row.job.name;
        "command", "its command" => row.job.command.name;
        "state",
            "the answer in a word: `passed`, `failed`, `undecided`, `no_difference`, `invalid`, `error`, `ranked`, `counted`, `running`, `queued` or `skipped`"
            => row.answer.state.name();
        "answer", "the answer in a sentence" => &row.answer.sentence.en;
    }
    .estimate(
        ["elo", "elo_low", "elo_high"],
        "Elo of A, or of the tuned player against the start",
        "the interval",
        ELO_DECIMALS,
        JobRow::elo,
    )
    .and(columns! { row: JobRow<'a>;
        "confidence", "how often such an interval holds the truth" => fine(row.strength().map(|strength| strength.confidence));
        "los", "likelihood of superiority" => fine(row.strength().and_then(|strength| strength.los));
        "verdict", "the verdict of its result, as in its own files" => row.number(|row| row.verdict.as_deref());
        "games", "games counted" => row.number(|row| row.games);
        "wins", "games that A won" => row.strength().map(|strength| strength.wins);
        "losses", "games that A lost" => row.strength().map(|strength| strength.losses);
        "draws", "games drawn" => row.strength().map(|strength| strength.draws);
        "llr", "log likelihood ratio of its test"
            => fine(row.strength().and_then(|strength| Some(strength.test.as_ref()?.llr)));
        "searches", "searches, if it counts nodes" => row.number(|row| row.searches);
        "node_ratio",
            "nodes a move of A over those of B; of a count the second configuration over the first at the deepest depth"
            => fine(row.number(|row| row.node_ratio));
        "tuned", "the parameters that a tuning changed, with the values before and after, those that moved most first" => row.tuned();
        "faults", "games that faults or the clock ended" => row.number(|row| row.faults);
        "time_s", "seconds that it ran, all attempts together" => row.entry.map(|entry| entry.time_ms / 1000);
        "ending", "how it ended: `waiting`, `finished`, `out_of_budget`, `error`, `invalid`, `skipped`, `interrupted`"
            => ending(row.entry);
        "page", "its page, from the folder of the queue" => row.page();
        "arguments", "its command line" => row.entry.map(|entry| command_line(&entry.arguments));
        "message", "the error of a job that ended with one" => row.entry.and_then(|entry| entry.message.as_deref());
    })
    .family("all matches of the queue", |row| row.family)
}

fn plan_columns() -> Columns<'static, JobForecast> {
    columns! { row: JobForecast;
        "job", "name of the job" => &row.job.name;
        "command", "its command" => row.job.command.name;
        "priority", "jobs of higher priority run first" => row.job.priority;
        "only_if", "the condition under which it runs" => row.job.only_if.as_ref().map(|(_, text)| text.as_str());
        "ending", "how it ended" => ending(row.entry.as_ref());
        "seconds_max", "how long it takes at most" => row.seconds.map(f64::round);
        "basis", "where that comes from" => &row.basis;
    }
}

fn ending(entry: Option<&JobEntry>) -> &'static str {
    entry.map_or(WAITING, |entry| JobState::name(entry.state))
}

fn time_text(seconds: f64) -> String {
    clock(seconds.clamp(0.0, 1e9).round() as u64)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use crate::kinds::queue::Queue;
    use crate::kinds::queue::report::*;

    fn jobs() -> Vec<QueueJob> {
        let queue = "[[job]]\nname = \"one\"\ncommand = \"match\"\n\
                     [[job]]\nname = \"two\"\ncommand = \"nodes\"\nonly_if = \"one.passed\"\n";
        Queue::parse(queue, "night.toml").unwrap().jobs().to_vec()
    }

    fn ran(state: State, elo: f64) -> JobEntry {
        let strength = Strength {
            elo: [Some(elo), Some(elo - 20.0), Some(elo + 20.0)],
            confidence: 0.9,
            los: Some(0.99),
            wins: 3,
            losses: 1,
            draws: 2,
            score: Some(2.0 / 3.0),
            pentanomial: [0, 1, 0, 2, 0],
            test: None,
        };
        JobEntry {
            arguments: vec!["match".to_owned(), "--pairs=3".to_owned()],
            overview: Overview {
                answer: Some(Answer::new(state, Text::plain("A is stronger than B"))),
                verdict: Some("accepted_h1".to_owned()),
                pairs: Some(3),
                games: Some(6),
                strength: Some(strength),
                ..Overview::default()
            },
            time_ms: 65_400,
            ..JobEntry::default()
        }
    }

    #[test]
    fn what_calls_for_an_action_comes_first_and_a_job_that_did_not_run_has_no_numbers() {
        let skipped = JobEntry {
            state: JobState::Skipped,
            ..JobEntry::default()
        };
        let all = [
            (jobs().remove(1), Some(skipped)),
            (jobs().remove(0), None),
            (jobs().remove(0), Some(ran(State::Failed, -90.0))),
            (jobs().remove(0), Some(ran(State::Passed, 30.0))),
            (jobs().remove(0), Some(ran(State::Passed, 50.0))),
        ];
        let of = |(job, entry): &(QueueJob, Option<JobEntry>)| {
            FoundJob::of(job, entry.clone(), Path::new("nowhere"))
        };
        let found = QueueFindings {
            jobs: all.iter().map(of).collect(),
        };
        let document = document(&found);
        let json = document.json();
        let told = |key: &str| -> Vec<Value> {
            json.as_array()
                .unwrap()
                .iter()
                .map(|row| row[key].clone())
                .collect()
        };
        assert_eq!(told("state"), ["passed", "passed", "failed", "queued", "skipped"]);
        assert_eq!(
            told("elo"),
            [json!(50.0), json!(30.0), json!(-90.0), Value::Null, Value::Null]
        );
        assert_eq!(told("page")[0], "one/report.html");
        assert_eq!(told("answer")[4], "Not run: it needs one.passed.");
        let answer = &document.answer;
        assert_eq!(
            (answer.state, &*answer.sentence.en),
            (
                State::Passed,
                "2 passed: one (+50.0 Elo), one (+30.0 Elo). 1 failed: one. 4 of 5 jobs are over."
            )
        );
        let stored = serde_json::to_string(&all[4].1).unwrap();
        assert_eq!(
            serde_json::from_str::<Option<JobEntry>>(&stored).unwrap(),
            all[4].1
        );
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
            "one.passed",
            "one: measured",
        ] {
            assert!(texts[0].contains(part), "{}", texts[0]);
        }
    }
}
