//! Queue files: from TOML to a checked queue. The keys that belong to a job's command are read with the command.

use std::time::Duration;

use serde::de::DeserializeOwned;
use toml::Value;

use super::condition::Condition;
use super::{Queue, QueueJob};

use crate::config::{Mistakes, Source, did_you_mean};
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

impl Queue {
    pub fn is_queue(text: &str) -> bool {
        text.parse::<toml::Table>()
            .is_ok_and(|table| table.contains_key("job"))
    }

    pub fn parse(text: &str, origin: &str) -> Result<Queue, Mistakes> {
        let (queue, mistakes) = Queue::read(text, origin)?;
        if !mistakes.is_empty() {
            return Err(mistakes.sorted());
        }
        Ok(queue)
    }

    /// The jobs that could be read, and what is wrong with the file. Conditions mean something only if that is nothing.
    pub fn read(text: &str, origin: &str) -> Result<(Queue, Mistakes), Mistakes> {
        let source = Source::parse(text, origin)?;
        let mut unknown = Mistakes::default();
        for key in source.table.keys().filter(|key| *key != "job") {
            unknown.unknown(key, ["job"]);
        }
        let mut mistakes = source.placed(unknown);
        let jobs = source.table.get("job").and_then(Value::as_array);
        let count = jobs.map_or(0, Vec::len);
        let sources = (0..count).filter_map(|number| source.part(&format!("job.{number}")));
        let sources: Vec<Source> = sources.collect();
        if sources.is_empty() || sources.len() < count {
            mistakes.add(source.mistake("job", "a queue is made of [[job]] tables"));
        }
        let mut names: Vec<String> = Vec::with_capacity(sources.len());
        for (number, source) in (1..).zip(&sources) {
            let mut table = JobTable {
                source,
                mistakes: &mut mistakes,
            };
            // With a space it is the name of no job.
            let name = table.name().unwrap_or_else(|| format!("number {number}"));
            if names.contains(&name) {
                table.refuse("name", format!("there is another job '{name}'"));
            }
            names.push(name);
        }
        let words: Vec<&str> = names.iter().map(String::as_str).collect();
        let tables = sources.iter().zip(&words);
        let jobs: Vec<Option<QueueJob>> = tables
            .map(|(source, name)| {
                JobTable {
                    source,
                    mistakes: &mut mistakes,
                }
                .job(name, &words)
            })
            .collect();
        let queue = Queue {
            jobs: jobs.into_iter().flatten().collect(),
            only: Vec::new(),
        };
        // A job that can never be reached because conditions go round in a circle.
        let order = queue.order();
        let unreached = (0..queue.jobs.len()).find(|job| !order.contains(job));
        if let Some(job) = unreached.filter(|_| mistakes.is_empty()) {
            let name = words[job];
            let message = format!("job '{name}' waits for itself, over its own or other conditions");
            mistakes.add(sources[job].mistake("only_if", message));
        }
        Ok((queue, mistakes))
    }
}

struct JobTable<'a> {
    source: &'a Source,
    mistakes: &'a mut Mistakes,
}

impl JobTable<'_> {
    fn refuse(&mut self, key: &str, message: String) {
        self.mistakes.add(self.source.mistake(key, message));
    }

    /// The value of `key`; one that is not as it has to be is refused.
    fn get<T: DeserializeOwned>(
        &mut self,
        key: &str,
        expected: &str,
        is_right: impl FnOnce(&T) -> bool,
    ) -> Option<T> {
        let value = self.source.table.get(key)?;
        let typed = value.clone().try_into().ok().filter(is_right);
        if typed.is_none() {
            self.refuse(key, format!("{key} is {value}, but must be {expected}"));
        }
        typed
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.get(key, "a text in quotes", |_| true)
    }

    fn name(&mut self) -> Option<String> {
        if !self.source.table.contains_key("name") {
            self.refuse("name", "a job needs a name".to_owned());
        }
        let name = self.text("name")?;
        let is_plain = |c: char| c.is_alphanumeric() || "_-".contains(c);
        let is_word = matches!(name.as_str(), "not" | "and" | "or");
        if name.is_empty() || is_word || !name.chars().all(is_plain) {
            let message =
                format!("name '{name}' must be made of {NAMES}, and must not be 'and', 'or' or 'not'");
            self.refuse("name", message);
            return None;
        }
        Some(name)
    }

    fn job(&mut self, name: &str, names: &[&str]) -> Option<QueueJob> {
        let command = self.command(name);
        let spec = self.text("spec");
        let only_if = self.only_if(names);
        let priority = self.get("priority", "a whole number", |_| true);
        let budget_pairs = self.get("budget_pairs", "a whole number from 1", |&pairs: &u64| pairs > 0);
        let minutes = self.get(
            "budget_minutes",
            "a number of minutes above 0",
            |&minutes: &f64| minutes > 0.0 && minutes <= BUDGET_MINUTES_MAX,
        );
        Some(QueueJob {
            name: name.to_owned(),
            command: command?,
            spec,
            source: self.source.clone(),
            only_if,
            priority: priority.unwrap_or(0),
            budget_pairs,
            budget_time: minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes)),
        })
    }

    fn command(&mut self, name: &str) -> Option<&'static KindInfo> {
        let commands = KINDS.map(|kind| kind.name);
        let known = commands.join(", ");
        if !self.source.table.contains_key("command") {
            self.refuse(
                "command",
                format!("job '{name}' needs a command (one of: {known})"),
            );
        }
        let text = self.text("command")?;
        let found = find(&text);
        if found.is_none() {
            let hint = did_you_mean(&text, commands);
            self.refuse(
                "command",
                format!("unknown command '{text}'{hint} (one of: {known})"),
            );
        }
        found
    }

    fn only_if(&mut self, names: &[&str]) -> Option<(Condition, String)> {
        let text = self.text("only_if")?;
        match Condition::parse(&text, names) {
            Ok(condition) => Some((condition, text)),
            // Past the opening quote; exact unless the text is written with escapes.
            Err((offset, message)) => {
                let message = format!("only_if: {message}");
                let mistake = self.source.mistake_behind("only_if", 1 + offset, message);
                self.mistakes.add(mistake);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
