//! Queue files: from TOML to a checked queue.
//!
//! In: text. Out: a [`Queue`] in which every name, word and number has a meaning. Must not: read the file, or check the
//! keys that belong to a job's command.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::DeValue;

use super::Queue;
use super::condition::Condition;
use super::job::{Job, JobCommand, Key};
use crate::config::{Mistake, Mistakes, Place, did_you_mean};

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
pub fn keys_of(text: &str, origin: &str) -> Result<Vec<Key>, Mistakes> {
    let reader = Reader { text, origin };
    let file: JobFile = toml::from_str(text).map_err(|error| reader.toml_error(&error))?;
    Ok(reader.keys(&file))
}

/// A queue as far as it is understood.
#[derive(Debug)]
pub struct Draft {
    /// The jobs whose command is known, in the order of the file.
    pub jobs: Vec<Job>,
    /// What is wrong with the file. Conditions mean something only if this is nothing.
    pub mistakes: Vec<Mistake>,
}

impl Draft {
    /// Takes the text of a queue; `origin` is what messages call the file.
    ///
    /// # Errors
    /// It is not TOML of the shape of a queue.
    pub fn parse(text: &str, origin: &str) -> Result<Draft, Mistakes> {
        let reader = Reader { text, origin };
        let file: QueueFile = toml::from_str(text).map_err(|error| reader.toml_error(&error))?;
        let raw: Vec<RawJob<'_>> = file
            .job
            .iter()
            .map(|job| RawJob { reader: &reader, job })
            .collect();
        let mut mistakes = Vec::new();
        let mut names: Vec<String> = Vec::with_capacity(raw.len());
        for (number, job) in (1..).zip(&raw) {
            // With a space it is the name of no job.
            let name = kept(job.name(), &mut mistakes).unwrap_or_else(|| format!("number {number}"));
            if names.contains(&name) {
                mistakes.push(job.error("name", format!("there is another job '{name}'")));
            }
            names.push(name);
        }
        let words: Vec<&str> = names.iter().map(String::as_str).collect();
        let jobs: Vec<Option<Job>> = raw
            .iter()
            .zip(&words)
            .map(|(job, name)| job.check(name, &words, &mut mistakes))
            .collect();
        for (job, raw) in jobs.iter().zip(&raw) {
            let conditions = job.iter().flat_map(|job| &job.only_if);
            for (asked, fact) in conditions.flat_map(|(only_if, _)| only_if.questions()) {
                let asked = jobs[asked].as_ref();
                if let Some(asked) = asked.filter(|job| fact.needs_verdict() && !job.command.has_verdict()) {
                    let message = format!(
                        "job '{}' runs {}, which has no verdict: ask whether it finished or failed",
                        asked.name,
                        asked.command.name()
                    );
                    mistakes.push(raw.error("only_if", message));
                }
            }
        }
        let jobs: Vec<Job> = jobs.into_iter().flatten().collect();
        let queue = Queue {
            jobs,
            only: Vec::new(),
        };
        if mistakes.is_empty()
            && let Some(job) = queue.first_in_circle()
        {
            let name = words[job];
            let message = format!("job '{name}' waits for itself, over its own or other conditions");
            mistakes.push(raw[job].error("only_if", message));
        }
        Ok(Draft {
            jobs: queue.jobs,
            mistakes,
        })
    }

    /// The queue.
    ///
    /// # Errors
    /// All that is wrong.
    pub fn finish(self) -> Result<Queue, Mistakes> {
        Mistakes::check(self.mistakes)?;
        Ok(Queue {
            jobs: self.jobs,
            only: Vec::new(),
        })
    }
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
    /// Everything in the file that has no meaning.
    pub fn parse(text: &str, origin: &str) -> Result<Queue, Mistakes> {
        Draft::parse(text, origin)?.finish()
    }

    /// A job that can never be reached because conditions go round in a circle.
    fn first_in_circle(&self) -> Option<usize> {
        let order = self.order();
        (0..self.jobs.len()).find(|job| !order.contains(job))
    }
}

/// The value, or nothing and one more mistake.
fn kept<T>(checked: Result<T, Mistake>, mistakes: &mut Vec<Mistake>) -> Option<T> {
    checked.map_err(|mistake| mistakes.push(mistake)).ok()
}

struct Reader<'a> {
    text: &'a str,
    origin: &'a str,
}

impl Reader<'_> {
    fn error(&self, offset: usize, message: String) -> Mistake {
        Mistake {
            origin: self.origin.to_owned(),
            place: Place::of(self.text, offset),
            message,
        }
    }

    fn toml_error(&self, error: &toml::de::Error) -> Mistakes {
        Mistake::of_toml(error, self.text, self.origin).into()
    }

    fn keys(&self, file: &JobFile) -> Vec<Key> {
        let mut entries: Vec<_> = file.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let keys = entries.into_iter().map(|(key, value)| Key {
            name: key.get_ref().clone(),
            value: value.get_ref().clone(),
            place: Place::of(self.text, key.span().start),
            elements: self.elements(value),
        });
        keys.collect()
    }

    /// Where the elements of an array stand.
    fn elements(&self, value: &Spanned<toml::Value>) -> Vec<Place> {
        let span = value.span();
        let text = self.text.get(span.clone()).unwrap_or_default();
        let parsed = DeValue::parse(text).ok();
        let array = parsed.as_ref().and_then(|value| value.get_ref().as_array());
        let elements = array.into_iter().flat_map(|array| array.iter());
        elements
            .map(|element| Place::of(self.text, span.start + element.span().start))
            .collect()
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
    fn error(&self, key: &str, message: String) -> Mistake {
        let span = self.value(key).map_or(self.job.span(), Spanned::span);
        self.reader.error(span.start, message)
    }

    fn typed<T: DeserializeOwned>(&self, key: &str, expected: &str) -> Result<Option<T>, Mistake> {
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

    fn text(&self, key: &str) -> Result<Option<String>, Mistake> {
        self.typed(key, "a text in quotes")
    }

    fn name(&self) -> Result<String, Mistake> {
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

    /// The job, if its command is known; what is wrong with its other keys is left out of it.
    fn check(&self, name: &str, names: &[&str], mistakes: &mut Vec<Mistake>) -> Option<Job> {
        let place = |offset| Place::of(self.reader.text, offset);
        let at_value = |key| self.value(key).map(|value| place(value.span().start));
        let command = kept(self.command(name), mistakes);
        let spec = kept(self.text("spec"), mistakes).flatten();
        let only_if = kept(self.only_if(names), mistakes).flatten();
        let priority = kept(self.typed("priority", "a whole number"), mistakes).flatten();
        let budget_pairs = kept(self.budget_pairs(), mistakes).flatten();
        let budget_time = kept(self.budget_time(), mistakes).flatten();
        Some(Job {
            name: name.to_owned(),
            command: command?,
            spec: spec.zip(at_value("spec")),
            keys: self.keys(),
            only_if,
            priority: priority.unwrap_or(0),
            budget_pairs: budget_pairs.zip(at_value("budget_pairs")),
            budget_time,
            place: place(self.job.span().start),
        })
    }

    fn budget_pairs(&self) -> Result<Option<u64>, Mistake> {
        let expected = "a whole number from 1";
        match self.typed::<u64>("budget_pairs", expected)? {
            Some(0) => Err(self.error(
                "budget_pairs",
                format!("budget_pairs is 0, but must be {expected}"),
            )),
            pairs => Ok(pairs),
        }
    }

    fn command(&self, name: &str) -> Result<JobCommand, Mistake> {
        let commands = JobCommand::ALL.map(JobCommand::name);
        let text = self.text("command")?.ok_or_else(|| {
            let commands = commands.join(", ");
            self.error(
                "command",
                format!("job '{name}' needs a command (one of: {commands})"),
            )
        })?;
        JobCommand::from_name(&text).ok_or_else(|| {
            let hint = did_you_mean(&text, commands);
            let commands = commands.join(", ");
            self.error(
                "command",
                format!("unknown command '{text}'{hint} (one of: {commands})"),
            )
        })
    }

    /// The keys that are options of the command.
    fn keys(&self) -> Vec<Key> {
        let mut keys = self.reader.keys(self.job.get_ref());
        keys.retain(|key| !KEYS.contains(&key.name.as_str()));
        keys
    }

    fn only_if(&self, names: &[&str]) -> Result<Option<(Condition, String)>, Mistake> {
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

    fn budget_time(&self) -> Result<Option<Duration>, Mistake> {
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
mod tests;
