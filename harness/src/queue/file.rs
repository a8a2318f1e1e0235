//! Queue files: from TOML to a checked queue.
//!
//! In: text. Out: a [`Queue`] in which every name, word and number has a meaning. Must not: read the file, or check the
//! keys that belong to a job's command.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use super::Queue;
use super::condition::Condition;
use super::job::{Job, JobCommand, Key};
use super::place::{Place, QueueError};

/// The keys of a job that belong to the queue; all others are options of the job's command.
pub const KEYS: [&str; 7] = [
    "name",
    "command",
    "spec",
    "only_if",
    "priority",
    "budget_pairs",
    "budget_minutes",
];
/// A name that a folder can have everywhere, and that files of the queue itself do not have.
const NAMES: &str = "letters, digits, '_' and '-'";
const BUDGET_MINUTES_MAX: f64 = 1e6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueueFile {
    job: Vec<Spanned<JobFile>>,
}

/// Keys are checked by hand: most of them are options of a command that this stage does not know.
type JobFile = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

/// The keys of a file of one run, in their order; `origin` is what messages call it.
///
/// # Errors
/// Not TOML.
pub fn keys_of(text: &str, origin: &str) -> Result<Vec<Key>, QueueError> {
    let reader = Reader { text, origin };
    let file: JobFile = toml::from_str(text).map_err(|error| reader.toml_error(&error))?;
    Ok(reader.keys(&file))
}

impl Queue {
    /// Does this text hold a queue, and not the specification of one run?
    pub fn is_queue(text: &str) -> bool {
        text.parse::<toml::Table>()
            .is_ok_and(|table| table.contains_key("job"))
    }

    /// Parses a queue; `origin` is what messages call the file.
    ///
    /// # Errors
    /// The first thing in the file that has no meaning.
    pub fn parse(text: &str, origin: &str) -> Result<Queue, QueueError> {
        let reader = Reader { text, origin };
        let file: QueueFile = toml::from_str(text).map_err(|error| reader.toml_error(&error))?;
        let jobs: Vec<RawJob<'_>> = file
            .job
            .iter()
            .map(|job| RawJob { reader: &reader, job })
            .collect();
        let names: Vec<String> = jobs.iter().map(RawJob::name).collect::<Result<_, _>>()?;
        for (index, name) in names.iter().enumerate() {
            if names[..index].contains(name) {
                return Err(jobs[index].error("name", format!("there is another job '{name}'")));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let checked = jobs.iter().zip(&names).map(|(job, name)| job.check(name, &names));
        let queue = Queue {
            jobs: checked.collect::<Result<_, _>>()?,
        };
        for (job, raw) in queue.jobs.iter().zip(&jobs) {
            for (asked, fact) in job.only_if.iter().flat_map(|(only_if, _)| only_if.questions()) {
                let asked = &queue.jobs[asked];
                if fact.needs_verdict() && !asked.command.has_verdict() {
                    let message = format!(
                        "job '{}' runs {}, which has no verdict: ask whether it finished or failed",
                        asked.name,
                        asked.command.name()
                    );
                    return Err(raw.error("only_if", message));
                }
            }
        }
        match queue.first_in_circle() {
            Some(job) => Err(jobs[job].error(
                "only_if",
                format!(
                    "job '{}' waits for itself, over its own or other conditions",
                    names[job]
                ),
            )),
            None => Ok(queue),
        }
    }

    /// A job that can never be reached because conditions go round in a circle.
    fn first_in_circle(&self) -> Option<usize> {
        let order = self.order();
        (0..self.jobs.len()).find(|job| !order.contains(job))
    }
}

struct Reader<'a> {
    text: &'a str,
    origin: &'a str,
}

impl Reader<'_> {
    fn error(&self, offset: usize, message: String) -> QueueError {
        QueueError {
            origin: self.origin.to_owned(),
            place: Place::of(self.text, offset),
            message,
        }
    }

    fn toml_error(&self, error: &toml::de::Error) -> QueueError {
        let offset = error.span().map_or(0, |span| span.start);
        self.error(offset, error.message().to_owned())
    }

    fn keys(&self, file: &JobFile) -> Vec<Key> {
        let mut entries: Vec<_> = file.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let keys = entries.into_iter().map(|(key, value)| Key {
            name: key.get_ref().clone(),
            value: value.get_ref().clone(),
            place: Place::of(self.text, key.span().start),
        });
        keys.collect()
    }
}

/// One `[[job]]` as it was written.
struct RawJob<'a> {
    reader: &'a Reader<'a>,
    job: &'a Spanned<JobFile>,
}

impl RawJob<'_> {
    fn value(&self, name: &str) -> Option<&Spanned<toml::Value>> {
        let entry = self.job.get_ref().iter().find(|(key, _)| key.get_ref() == name);
        entry.map(|(_, value)| value)
    }

    /// An error at the value of this key, or at the job if it has none.
    fn error(&self, key: &str, message: String) -> QueueError {
        let span = self.value(key).map_or(self.job.span(), Spanned::span);
        self.reader.error(span.start, message)
    }

    fn typed<T: DeserializeOwned>(&self, key: &str, expected: &str) -> Result<Option<T>, QueueError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let typed = value.get_ref().clone().try_into();
        typed.map(Some).map_err(|_| {
            self.error(
                key,
                format!("{key} is {}, but must be {expected}", value.get_ref()),
            )
        })
    }

    fn text(&self, key: &str) -> Result<Option<String>, QueueError> {
        self.typed(key, "a text in quotes")
    }

    fn name(&self) -> Result<String, QueueError> {
        let name = self
            .text("name")?
            .ok_or_else(|| self.error("name", "a job needs a name".to_owned()))?;
        let is_plain = |c: char| c.is_alphanumeric() || "_-".contains(c);
        let is_word = matches!(name.as_str(), "not" | "and" | "or");
        if name.is_empty() || is_word || !name.chars().all(is_plain) {
            let message = format!("name '{name}' must be made of {NAMES}, and not be a word of conditions");
            return Err(self.error("name", message));
        }
        Ok(name)
    }

    fn check(&self, name: &str, names: &[&str]) -> Result<Job, QueueError> {
        let place = |offset| Place::of(self.reader.text, offset);
        let at_value = |key| self.value(key).map(|value| place(value.span().start));
        let budget_pairs = self.typed::<u64>("budget_pairs", "a whole number from 1")?;
        if budget_pairs == Some(0) {
            return Err(self.error(
                "budget_pairs",
                "budget_pairs is 0, but must be a whole number from 1".to_owned(),
            ));
        }
        Ok(Job {
            name: name.to_owned(),
            command: self.command(name)?,
            spec: self.text("spec")?.zip(at_value("spec")),
            keys: self.keys(),
            only_if: self.only_if(names)?,
            priority: self.typed("priority", "a whole number")?.unwrap_or(0),
            budget_pairs: budget_pairs.zip(at_value("budget_pairs")),
            budget_time: self.budget_time()?,
            place: place(self.job.span().start),
        })
    }

    fn command(&self, name: &str) -> Result<JobCommand, QueueError> {
        let commands = JobCommand::ALL.map(JobCommand::name).join(", ");
        let text = self.text("command")?.ok_or_else(|| {
            self.error(
                "command",
                format!("job '{name}' needs a command (one of: {commands})"),
            )
        })?;
        JobCommand::from_name(&text).ok_or_else(|| {
            self.error(
                "command",
                format!("unknown command '{text}' (one of: {commands})"),
            )
        })
    }

    /// The keys that are options of the command.
    fn keys(&self) -> Vec<Key> {
        let mut keys = self.reader.keys(self.job.get_ref());
        keys.retain(|key| !KEYS.contains(&key.name.as_str()));
        keys
    }

    fn only_if(&self, names: &[&str]) -> Result<Option<(Condition, String)>, QueueError> {
        let (Some(value), Some(text)) = (self.value("only_if"), self.text("only_if")?) else {
            return Ok(None);
        };
        match Condition::parse(&text, names) {
            Ok(condition) => Ok(Some((condition, text))),
            // Past the opening quote; exact unless the text is written with escapes.
            Err((offset, message)) => Err(self
                .reader
                .error(value.span().start + 1 + offset, format!("only_if: {message}"))),
        }
    }

    fn budget_time(&self) -> Result<Option<Duration>, QueueError> {
        let expected = "a number of minutes above 0";
        let whole = self
            .value("budget_minutes")
            .and_then(|value| value.get_ref().as_integer());
        let minutes = match whole {
            Some(minutes) => Some(minutes as f64),
            None => self.typed::<f64>("budget_minutes", expected)?,
        };
        match minutes {
            Some(minutes) if !(minutes > 0.0 && minutes <= BUDGET_MINUTES_MAX) => Err(self.error(
                "budget_minutes",
                format!("budget_minutes is {minutes}, but must be {expected}"),
            )),
            minutes => Ok(minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::EXAMPLE;

    fn refusal(text: &str) -> String {
        Queue::parse(text, "night.toml").unwrap_err().to_string()
    }

    #[test]
    fn a_wrong_file_is_refused_with_line_and_column() {
        let cases = [
            (
                "[[job]]\nname = \"a\"\n",
                "line 1, column 1: job 'a' needs a command",
            ),
            (
                "[[job]]\ncommand = \"nodes\"\n",
                "line 1, column 1: a job needs a name",
            ),
            (
                "[[job]]\nname = \"a\"\ncommand = \"dance\"\n",
                "line 3, column 11: unknown command 'dance' (one of: match",
            ),
            ("[[job]]\nname = \"a b\"\n", "line 2, column 8: name 'a b' must"),
            (
                "[[job]]\nname = 3\n",
                "line 2, column 8: name is 3, but must be a text",
            ),
            (
                "[[jobs]]\nname = \"a\"\n",
                "line 1, column 3: unknown field `jobs`",
            ),
            ("[[job]]\nname = \"a\n", "line 2"),
            (
                "[[job]]\nname = \"a\"\ncommand = \"nodes\"\n[[job]]\nname = \"a\"\ncommand = \"nodes\"\n",
                "line 5, column 8: there is another job 'a'",
            ),
            (
                "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nonly_if = \"b.finished\"\n",
                "line 4, column 12: only_if: there is no job 'b'",
            ),
            (
                "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nonly_if = \"not a.won\"\n",
                "line 4, column 18: only_if: 'won' cannot be asked",
            ),
            (
                "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nonly_if = \"a.finished\"\n",
                "line 4, column 11: job 'a' waits for itself",
            ),
            (
                "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nbudget_minutes = 0\n",
                "line 4, column 18: budget_minutes is 0",
            ),
            (
                "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nbudget_pairs = -1\n",
                "line 4, column 16: budget_pairs is -1",
            ),
            (
                "[[job]]\nname = \"a\"\ncommand = \"nodes\"\npriority = \"high\"\n",
                "line 4, column 12: priority is \"high\"",
            ),
        ];
        for (text, expected) in cases {
            let message = refusal(text);
            assert!(message.contains(expected), "{text}\n{message}");
            assert!(message.starts_with("'night.toml', line "), "{message}");
        }
    }

    #[test]
    fn conditions_that_go_round_in_a_circle_are_refused() {
        let job = |name: &str, asked: &str| {
            format!("[[job]]\nname = \"{name}\"\ncommand = \"match\"\nonly_if = \"{asked}.failed\"\n")
        };
        let text = job("a", "b") + &job("b", "c") + &job("c", "a");
        assert!(refusal(&text).contains("job 'a' waits for itself"));
        let text = job("b", "a") + "[[job]]\nname = \"a\"\ncommand = \"match\"\n";
        assert_eq!(Queue::parse(&text, "night.toml").unwrap().jobs().len(), 2);
    }

    #[test]
    fn a_job_without_a_verdict_cannot_be_asked_for_one() {
        let text = "[[job]]\nname = \"count\"\ncommand = \"nodes\"\n\
                    [[job]]\nname = \"b\"\ncommand = \"match\"\nonly_if = \"count.accepted\"\n";
        assert!(refusal(text).contains("job 'count' runs nodes, which has no verdict"));
    }

    #[test]
    fn the_example_parses_and_shows_every_key_and_every_command() {
        let queue = Queue::parse(EXAMPLE, "night.default.toml").unwrap();
        assert!(queue.jobs().len() >= 3);
        let shows = |text: &str| {
            let mut lines = EXAMPLE.lines().map(|line| line.trim_start_matches(['#', ' ']));
            lines.any(|line| line.starts_with(text))
        };
        for key in KEYS {
            assert!(shows(&format!("{key} = ")), "{key}");
        }
        for command in JobCommand::ALL {
            assert!(
                EXAMPLE.contains(&format!("\"{}\"", command.name())),
                "{command:?}"
            );
        }
    }
}
