//! One engine of a script, as the player that we write: `cmd=… name=… tc=… option.X=…`.

use crate::config::LIMITS;
use std::path::Path;

use super::{Becomes, becomes, theirs};
use crate::config::{ProcessSpec, quote_word};

/// What a limit is called here, and its value.
pub(super) type Limit = (&'static str, String);

const OPTION: &str = "option.";
/// What says all without a value.
const SWITCHES: [&str; 4] = ["ponder", "trust", "debug", "whitepov"];

/// What a script says of one engine, or of all.
#[derive(Debug, Clone, Default)]
pub(super) struct FastchessEngine {
    command: Option<String>,
    arguments: Vec<String>,
    pub(super) name: Option<String>,
    directory: Option<String>,
    limits: Vec<Limit>,
    /// Keys of ours with their values.
    keys: Vec<(String, String)>,
    pub(super) has_hash: bool,
}

impl FastchessEngine {
    /// Takes in `key=value`; what it returns is a warning.
    pub(super) fn read(&mut self, word: &str) -> Result<Option<String>, String> {
        let (key, value) = match word.split_once('=') {
            Some(parts) => parts,
            // In cutechess-cli these stand alone.
            None if SWITCHES.contains(&word) => (word, "true"),
            None => return Err(format!("'{word}' of an engine has no value: write KEY=VALUE")),
        };
        let name = if key.starts_with(OPTION) {
            OPTION.to_owned()
        } else {
            format!("{key}=")
        };
        match becomes(&name) {
            Some(Becomes::Key(own) | Becomes::Switch(own)) => self.set(own, value),
            Some(Becomes::Limit(limit)) => self.limit_by(limit, value.to_owned()),
            Some(Becomes::Nothing) => {
                return Ok(Some(format!("{key}={value} of an engine is ignored")));
            }
            Some(Becomes::Refused(why)) => return Err(format!("{key}={value} of an engine: {why}")),
            Some(Becomes::Own) => self.own(key, value)?,
            None => {
                return Err(format!(
                    "{key}={value} of an engine has no counterpart here: leave it out"
                ));
            }
        }
        Ok(None)
    }

    fn own(&mut self, key: &str, value: &str) -> Result<(), String> {
        let owned = || value.to_owned();
        match key {
            "cmd" => self.command = Some(owned()),
            "name" if self.name.is_some() => {
                return Err(format!("name={value}: an engine has two names: leave one out"));
            }
            "name" => self.name = Some(owned()),
            "dir" => self.directory = Some(owned()),
            "arg" => self.arguments.push(owned()),
            "args" => {
                let words =
                    shlex::split(value).ok_or_else(|| format!("args='{value}' has an open quotation"))?;
                self.arguments.extend(words);
            }
            "proto" if value != "uci" => {
                return Err(format!(
                    "proto={value}: engines of chess speak UCI here (proto=uci)"
                ));
            }
            "tc" if matches!(value, "inf" | "infinite") => {}
            "tc" => self.limit_by("tc", clock(value)?),
            "st" => self.limit_by("movetime", milliseconds("st", value)?),
            "initstr" => self.begin_with(value),
            "ponder" => match value {
                "true" | "on" | "1" => self.set("ponder", "on"),
                "false" | "off" | "0" => self.set("ponder", "off"),
                _ => return Err(format!("ponder={value} is neither true nor false")),
            },
            "restart" => match value {
                "on" => self.set("restart", "game"),
                "off" | "auto" => self.set("restart", "fault"),
                _ => return Err(format!("restart={value} is not on, off or auto")),
            },
            _ if key.starts_with(OPTION) => {
                self.has_hash |= key.eq_ignore_ascii_case("option.Hash");
                self.set(key, value);
            }
            _ => {}
        }
        Ok(())
    }

    /// Lines to say first; they are parted as in a text of C.
    fn begin_with(&mut self, lines: &str) {
        for line in lines.split("\\n").flat_map(str::lines) {
            if !line.is_empty() {
                self.set("init", line);
            }
        }
    }

    fn set(&mut self, key: &str, value: &str) {
        self.keys.retain(|(own, _)| own != key || key == "init");
        self.keys.push((key.to_owned(), value.to_owned()));
    }

    pub(super) fn wait_for_ping(&mut self, ms: &str) {
        self.set("ping_ms", ms);
    }

    fn limit_by(&mut self, name: &'static str, value: String) {
        self.limits.retain(|(own, _)| *own != name);
        self.limits.push((name, value));
    }

    /// What `each` replaces of this engine.
    pub(super) fn replaced(&self, each: &FastchessEngine) -> Vec<String> {
        let keys = |engine: &FastchessEngine| -> Vec<(String, String)> {
            let limits = engine
                .limits
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone()));
            limits
                .chain(engine.keys.iter().filter(|(key, _)| key != "init").cloned())
                .collect()
        };
        let own = keys(self);
        let engine = self.name.as_ref().or(self.command.as_ref());
        let engine = engine.map_or("an engine", String::as_str);
        let common = keys(each).into_iter().filter_map(|(key, value)| {
            let (_, own) = own.iter().find(|(own, _)| *own == key)?;
            (*own != value).then(|| format!("-each {key}={value} replaces {key}={own} of {engine}"))
        });
        common.collect()
    }

    /// This engine with what `each` says, which goes before its own as it does there.
    pub(super) fn with(&self, each: &FastchessEngine) -> FastchessEngine {
        let mut all = FastchessEngine {
            keys: each.keys.clone(),
            ..self.clone()
        };
        let is_common = |key: &str| each.keys.iter().any(|(common, _)| common == key && key != "init");
        let own = self.keys.iter().filter(|(key, _)| !is_common(key));
        all.keys.extend(own.cloned());
        for (name, value) in &each.limits {
            all.limit_by(name, value.clone());
        }
        let or = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
        FastchessEngine {
            command: or(&each.command, &self.command),
            arguments: [&self.arguments[..], &each.arguments].concat(),
            directory: or(&each.directory, &self.directory),
            has_hash: self.has_hash || each.has_hash,
            ..all
        }
    }

    /// Its name, or that of its program.
    pub(super) fn default_name(&self) -> String {
        let program = || {
            let command = Path::new(self.command.as_deref().unwrap_or("engine"));
            let stem = command.file_stem().unwrap_or(command.as_os_str());
            stem.to_string_lossy().into_owned()
        };
        self.name.clone().unwrap_or_else(program)
    }

    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let key = format!("{OPTION}{name}");
        let found = self.keys.iter().find(|(own, _)| own.eq_ignore_ascii_case(&key));
        found.map(|(_, value)| value.as_str())
    }

    /// Its options with their values.
    pub(super) fn options(&self) -> Vec<(String, String)> {
        let named =
            |(key, value): &(String, String)| Some((key.strip_prefix(OPTION)?.to_owned(), value.clone()));
        self.keys.iter().filter_map(named).collect()
    }

    pub(super) fn leave_out(&mut self, option: &str) {
        let key = format!("{OPTION}{option}");
        self.keys.retain(|(own, _)| *own != key);
    }

    pub(super) fn limit(&self) -> Result<Limit, String> {
        match &self.limits[..] {
            [limit] => Ok(limit.clone()),
            [] => Err(
                "an engine has no limit: give tc=, st=, nodes= or depth= with -each or -engine".to_owned(),
            ),
            [one, two, ..] => {
                let [one, two] = [one, two].map(|(limit, _)| theirs(limit).unwrap_or_default());
                Err(format!(
                    "an engine has two limits ({one} and {two}), but plays by one here: leave one out"
                ))
            }
        }
    }

    /// All that the script gives a free text to, with what it is called there.
    fn values(&self) -> impl Iterator<Item = (&str, &String)> + '_ {
        let single = [
            ("cmd", &self.command),
            ("name", &self.name),
            ("dir", &self.directory),
        ];
        let single = single
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.as_ref()?)));
        let arguments = self.arguments.iter().map(|argument| ("arg", argument));
        let keys = self.keys.iter().filter(|(_, value)| !value.is_empty());
        single
            .chain(arguments)
            .chain(keys.map(|(key, value)| (key.as_str(), value)))
    }

    /// The player as we write it, with a limit of its own if it has one.
    pub(super) fn text(&self, limit: Option<&Limit>) -> Result<String, String> {
        let command = self
            .command
            .as_deref()
            .ok_or("an -engine has no cmd=: add cmd=PROGRAM")?;
        let inside = self
            .directory
            .as_ref()
            .map(|directory| Path::new(directory).join(command));
        let command = match inside {
            Some(inside) if !Path::new(command).is_absolute() && inside.is_file() => {
                inside.to_string_lossy().into_owned()
            }
            _ => command.to_owned(),
        };
        let words = std::iter::once(&command).chain(&self.arguments);
        let words: Vec<String> = words.map(|word| quote_word(word)).collect();
        let mut text = format!("uci:{}", words.join(" "));
        for (key, value) in self.values() {
            if value.contains(['\n', '\r']) {
                let value = value.replace(['\n', '\r'], "\\n");
                return Err(format!("{key}={value} has a line break: write it in one line"));
            }
            if !is_plain(value) {
                return Err(format!(
                    "{key}={value}: the text after its comma would be read as another key, or a space at its end be lost; change it, or \
                     describe the engine in a file and use tanren match --a @FILE.toml"
                ));
            }
        }
        let directory = self.directory.iter().map(|directory| ("directory", directory));
        let limit = limit.iter().map(|(name, value)| (*name, value));
        let name = self.name.iter().map(|name| ("name", name));
        let keys = self.keys.iter().map(|(key, value)| (key.as_str(), value));
        for (key, value) in directory.chain(keys).chain(limit).chain(name) {
            text += &format!(",{key}={value}");
        }
        Ok(text)
    }
}

/// Does a value mean itself and nothing else where keys stand behind commas?
fn is_plain(value: &str) -> bool {
    if LIMITS.iter().any(|limit| value.contains(&format!(",{limit}="))) {
        return false;
    }
    let alone = ProcessSpec::parse("uci:engine");
    match (ProcessSpec::parse(&format!("uci:engine,name={value}")), alone) {
        (Some(Ok((name, spec))), Some(Ok((_, alone)))) => name.as_deref() == Some(value) && spec == alone,
        _ => false,
    }
}

/// `[MOVES/][MINUTES:]SECONDS[+INCREMENT]`, as we write it: in seconds, always with an increment.
fn clock(text: &str) -> Result<String, String> {
    if text.starts_with("hg") {
        return Err(format!("tc={text}: hourglass clocks have no counterpart here"));
    }
    let (moves, time) = match text.split_once('/') {
        Some(("0", time)) => (String::new(), time),
        Some((moves, time)) => (format!("{moves}/"), time),
        None => (String::new(), text),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    // Numbers are read there as far as they go: `2+0.02s`.
    let [base, increment] = [base, increment].map(|time| time.strip_suffix('s').unwrap_or(time));
    let base = match base.split_once(':') {
        None => base.to_owned(),
        Some((minutes, seconds)) => {
            let unread = |_| format!("tc={text}: {base} is no time in minutes and seconds");
            let minutes: f64 = minutes.parse().map_err(unread)?;
            let seconds: f64 = seconds.parse().map_err(unread)?;
            (minutes * 60.0 + seconds).to_string()
        }
    };
    let is_time = |time: &str| time.parse::<f64>().is_ok_and(f64::is_finite);
    if !is_time(&base) || !is_time(increment) {
        return Err(format!(
            "tc={text} is no time control such as 10+0.1, 1:30+0.5 or 40/60"
        ));
    }
    Ok(format!("{moves}{base}+{increment}"))
}

fn milliseconds(key: &str, text: &str) -> Result<String, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("{key}={text} is no number of seconds"))?;
    let time_ms = (seconds * 1000.0).round();
    if !(1.0..=86_400_000.0).contains(&time_ms) {
        return Err(format!("{key}={text} is not from 0.001 seconds to a day"));
    }
    Ok(format!("{time_ms:.0}"))
}
