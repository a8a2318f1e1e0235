//! Queue files: from TOML to a checked queue. The keys that belong to a job's command are read with the command.

use std::time::Duration;

use serde::de::DeserializeOwned;
use toml::Value;

use super::Queue;
use super::condition::Condition;
use super::job::Job;

use crate::config::{Mistake, Mistakes, Source, did_you_mean};
use crate::kinds::registry::{KINDS, find};
use crate::session::kind::KindInfo;

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

#[derive(Debug)]
pub struct Draft {
    pub jobs: Vec<Job>,
    /// What is wrong with the file. Conditions mean something only if this is nothing.
    pub mistakes: Vec<Mistake>,
}

impl Draft {
    pub fn parse(text: &str, origin: &str) -> Result<Draft, Mistakes> {
        let source = Source::parse(text, origin)?;
        let unknown = source.table.keys().filter(|key| *key != "job").map(|key| {
            let hint = did_you_mean(key, ["job"]);
            source.mistake(
                key,
                format!("unknown key '{key}'{hint}: a queue is made of [[job]] tables"),
            )
        });
        let mut mistakes: Vec<Mistake> = unknown.collect();
        let count = source
            .table
            .get("job")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        let raw: Vec<RawJob> = (0..count)
            .filter_map(|number| source.part(&format!("job.{number}")))
            .map(|source| RawJob { source })
            .collect();
        if raw.is_empty() || raw.len() < count {
            mistakes.push(source.mistake("job", "a queue is made of [[job]] tables"));
        }
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
                if let Some(asked) = asked.filter(|job| fact.needs_verdict() && !job.command.has_verdict) {
                    let message = format!(
                        "job '{}' runs {}, which has no verdict: ask whether it finished or failed",
                        asked.name, asked.command.name
                    );
                    mistakes.push(raw.error("only_if", message));
                }
            }
        }
        let queue = Queue {
            jobs: jobs.into_iter().flatten().collect(),
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

    pub fn finish(self) -> Result<Queue, Mistakes> {
        Mistakes::check(self.mistakes)?;
        Ok(Queue {
            jobs: self.jobs,
            only: Vec::new(),
        })
    }
}

impl Queue {
    pub fn is_queue(text: &str) -> bool {
        text.parse::<toml::Table>()
            .is_ok_and(|table| table.contains_key("job"))
    }

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

struct RawJob {
    source: Source,
}

impl RawJob {
    fn error(&self, key: &str, message: String) -> Mistake {
        self.source.mistake_in_value(key, 0, message)
    }

    fn typed<T: DeserializeOwned>(&self, key: &str, expected: &str) -> Result<Option<T>, Mistake> {
        let Some(value) = self.source.table.get(key) else {
            return Ok(None);
        };
        let typed = value.clone().try_into();
        typed
            .map(Some)
            .map_err(|_| self.error(key, format!("{key} is {value}, but must be {expected}")))
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

    fn check(&self, name: &str, names: &[&str], mistakes: &mut Vec<Mistake>) -> Option<Job> {
        let command = kept(self.command(name), mistakes);
        let spec = kept(self.text("spec"), mistakes).flatten();
        let only_if = kept(self.only_if(names), mistakes).flatten();
        let priority = kept(self.typed("priority", "a whole number"), mistakes).flatten();
        let budget_pairs = kept(self.budget_pairs(), mistakes).flatten();
        let budget_time = kept(self.budget_time(), mistakes).flatten();
        Some(Job {
            name: name.to_owned(),
            command: command?,
            spec,
            source: self.source.clone(),
            only_if,
            priority: priority.unwrap_or(0),
            budget_pairs,
            budget_time,
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

    fn command(&self, name: &str) -> Result<&'static KindInfo, Mistake> {
        let commands = KINDS.map(|kind| kind.name);
        let known = commands.join(", ");
        let text = self.text("command")?.ok_or_else(|| {
            let message = format!("job '{name}' needs a command (one of: {known})");
            self.error("command", message)
        })?;
        find(&text).ok_or_else(|| {
            let hint = did_you_mean(&text, commands);
            self.error(
                "command",
                format!("unknown command '{text}'{hint} (one of: {known})"),
            )
        })
    }

    fn only_if(&self, names: &[&str]) -> Result<Option<(Condition, String)>, Mistake> {
        let Some(text) = self.text("only_if")? else {
            return Ok(None);
        };
        match Condition::parse(&text, names) {
            Ok(condition) => Ok(Some((condition, text))),
            // Past the opening quote; exact unless the text is written with escapes.
            Err((offset, message)) => {
                let message = format!("only_if: {message}");
                Err(self.source.mistake_in_value("only_if", 1 + offset, message))
            }
        }
    }

    fn budget_time(&self) -> Result<Option<Duration>, Mistake> {
        let expected = "a number of minutes above 0";
        match self.typed::<f64>("budget_minutes", expected)? {
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
