//! Players that are external engines: `usi:COMMAND ARGUMENT…,key=value,…`.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process_text::{
    ENVIRONMENT, OPTION, key_without_value, mistyped_key, quote_word, refuse_controls, split_keys,
    split_words,
};
use super::{FaultPolicy, FaultPolicyError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum EngineProtocol {
    Usi,
    Uci,
}

impl EngineProtocol {
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn from_name(name: &str) -> Option<EngineProtocol> {
        name.parse().ok()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For its introduction, and for each `isready`.
    pub startup_ms: u64,
    /// For each move without a limit in time.
    pub stall_ms: u64,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            startup_ms: 60_000,
            stall_ms: 10_000,
        }
    }
}

impl Timeouts {
    pub fn startup(self) -> Duration {
        Duration::from_millis(self.startup_ms)
    }

    pub fn stall(self) -> Duration {
        Duration::from_millis(self.stall_ms)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessSpec {
    pub protocol: EngineProtocol,
    /// The machine that it runs on, as `ssh` knows it; this one if there is none.
    pub host: Option<String>,
    /// The program: a path, or a name to be looked for where the system looks for programs.
    pub command: PathBuf,
    pub arguments: Vec<String>,
    pub directory: Option<PathBuf>,
    pub environment: Vec<(String, String)>,
    /// Options of the engine, by the names that it announces.
    pub options: Vec<(String, String)>,
    /// Lines that it is told once, after the options.
    pub initial_commands: Vec<String>,
    /// Is it started again for each game, and not after a fault only?
    pub restarts_each_game: bool,
    pub time_margin_ms: Option<u64>,
    pub ponder: bool,
    /// Is it asked `isready` before each `go`, so that it is awake when its clock starts? By default where it costs nothing and
    /// helps: under game clocks, by UCI. In USI `isready` is where an engine loads what it needs, or begins anew.
    pub ping: Option<bool>,
    /// How long it may take to answer that.
    pub ping_ms: Option<u64>,
    /// What follows from its faults, as far as it is not what the match says.
    pub on_fault: FaultPolicy,
    pub memory_mib: Option<u64>,
    /// Are its scores from White's point of view, instead of the side to move's?
    pub white_pov: bool,
}

/// A [`ProcessSpec`] and what reports call it.
type Named = (Option<String>, ProcessSpec);

/// What a command on another machine begins with: `ssh:HOST:COMMAND`.
pub const SSH: &str = "ssh:";
/// What a name of an engine begins with where a command could stand.
pub(super) const NAMED: char = '@';

const MEMORY_MIB: RangeInclusive<u64> = 1..=1 << 24;
impl ProcessSpec {
    /// Parses `usi:…` or `uci:…`; `None` if `text` begins with neither.
    pub fn parse(text: &str) -> Option<Result<Named, String>> {
        let (scheme, rest) = text.split_once(':')?;
        let protocol = EngineProtocol::from_name(scheme)?;
        let read = ProcessSpec::parse_rest(protocol, rest);
        Some(read.and_then(|(name, spec)| spec.check_text().map(|()| (name, spec))))
    }

    /// The size of its hash table in MiB, if an option sets it.
    pub fn hash(&self) -> Option<&str> {
        // An engine may have a switch of this name.
        let is_hash = |name: &str, value: &str| {
            matches!(&*name.to_ascii_lowercase(), "hash" | "usi_hash") && value.parse::<u64>().is_ok()
        };
        let option = self.options.iter().find(|(name, value)| is_hash(name, value));
        option.map(|(_, value)| value.as_str())
    }

    /// Refuses what could not be written down for the run to be resumed by.
    pub(super) fn check_text(&self) -> Result<(), String> {
        let text = self.text();
        let rest = text.split_once(':').map(|(_, rest)| rest.trim());
        if ProcessSpec::parse_rest(self.protocol, rest.unwrap_or_default()) == Ok((None, self.clone())) {
            return Ok(());
        }
        Err(
            "a value holds what looks like another key, such as ',option.NAME=', or ends with a space"
                .to_owned(),
        )
    }

    fn parse_rest(protocol: EngineProtocol, text: &str) -> Result<Named, String> {
        let mut parts = checked_keys(text)?.into_iter();
        let mut words = split_words(parts.next().unwrap_or_default())?.into_iter();
        let command = words.next().ok_or("there is no command")?;
        let mut spec = ProcessSpec::new(protocol, &command)?;
        for word in words {
            match word.split_once('=') {
                Some((key, value)) if key.starts_with(OPTION) => spec.set(key, value)?,
                _ => spec.arguments.push(word),
            }
        }
        let name = spec.set_all(parts)?;
        Ok((name, spec))
    }

    /// Sets keys and values; the name among them.
    fn set_all<'a>(&mut self, parts: impl Iterator<Item = &'a str>) -> Result<Option<String>, String> {
        let mut name = None;
        for part in parts {
            // What ends with a space is another text where it stands last.
            match part.trim_end().split_once('=') {
                Some(("name", value)) => name = Some(value.to_owned()),
                Some((key, value)) => self.set(key, value)?,
                None => return Err(format!("'{part}' has no value: write {part}=VALUE")),
            }
        }
        Ok(name)
    }

    /// The same program with what `text`, such as `,option.Threads=2`, says instead of what it says itself; and the name there.
    pub(super) fn with_keys(&self, text: &str) -> Result<Named, String> {
        let mut parts = checked_keys(text)?.into_iter();
        let unknown = parts.next().unwrap_or_default().trim_start_matches(',');
        if !unknown.is_empty() {
            return Err(format!("'{unknown}' is no key of a program"));
        }
        let mut spec = ProcessSpec {
            options: Vec::new(),
            environment: Vec::new(),
            ..self.clone()
        };
        let name = spec.set_all(parts)?;
        spec.options = beside(&self.options, &spec.options, str::eq_ignore_ascii_case);
        spec.environment = beside(&self.environment, &spec.environment, str::eq);
        spec.check_text()?;
        Ok((name, spec))
    }

    pub fn new(protocol: EngineProtocol, command: &str) -> Result<ProcessSpec, String> {
        let remote = command.strip_prefix(SSH).map(host_and_command).transpose()?;
        let (host, command) = match remote {
            Some((host, command)) => (Some(host.to_owned()), command.into()),
            None => (None, absolute(command)),
        };
        Ok(ProcessSpec {
            protocol,
            host,
            command,
            arguments: Vec::new(),
            directory: None,
            environment: Vec::new(),
            options: Vec::new(),
            initial_commands: Vec::new(),
            restarts_each_game: false,
            time_margin_ms: None,
            ponder: false,
            ping: None,
            ping_ms: None,
            on_fault: FaultPolicy::UNSAID,
            memory_mib: None,
            white_pov: false,
        })
    }

    /// The same, bounded as everybody is where it says nothing else.
    #[must_use]
    pub fn within(&self, memory_mib: Option<u64>) -> ProcessSpec {
        ProcessSpec {
            memory_mib: self.memory_mib.or(memory_mib),
            ..self.clone()
        }
    }

    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        if value.contains(['\n', '\r']) {
            return Err(format!("{key} must be one line"));
        }
        if let Some(name) = key.strip_prefix(OPTION) {
            // Engines know their options whatever the capitals.
            if (self.options.iter()).any(|(known, _)| known.eq_ignore_ascii_case(name)) {
                return Err(format!("{key} is given twice"));
            }
            self.options.push((name.to_owned(), value.to_owned()));
            return Ok(());
        }
        if let Some(name) = key.strip_prefix(ENVIRONMENT) {
            if self.environment.iter().any(|(known, _)| known == name) {
                return Err(format!("{key} is given twice"));
            }
            self.environment.push((name.to_owned(), value.to_owned()));
            return Ok(());
        }
        match key {
            "directory" if self.host.is_some() => self.directory = Some(value.into()),
            "directory" => self.directory = Some(std::path::absolute(value).unwrap_or_else(|_| value.into())),
            "init" => self.initial_commands.push(value.to_owned()),
            "restart" => {
                self.restarts_each_game = match value {
                    "game" => true,
                    "fault" => false,
                    _ => return Err(format!("restart is '{value}', but must be fault or game")),
                }
            }
            "time_margin_ms" => {
                let number = value
                    .parse()
                    .map_err(|_| format!("time_margin_ms is '{value}', not a number"))?;
                self.time_margin_ms = Some(number);
            }
            "ping_ms" => {
                let number = value.parse().ok().filter(|ms| (1..=86_400_000).contains(ms));
                let refusal = || format!("ping_ms is '{value}', but must be from 1 to 86400000 milliseconds");
                self.ping_ms = Some(number.ok_or_else(refusal)?);
            }
            "memory_mib" => {
                let number = value.parse().ok().filter(|mib| MEMORY_MIB.contains(mib));
                let refusal = || format!("memory_mib is '{value}', but must be from 1 to 16777216 MiB");
                self.memory_mib = Some(number.ok_or_else(refusal)?);
            }
            "on_fault" => {
                self.on_fault = value
                    .parse()
                    .map_err(|error: FaultPolicyError| error.to_string())?;
            }
            "ponder" => self.ponder = switch(key, value)?,
            "white_pov" if self.protocol == EngineProtocol::Usi => {
                return Err("white_pov is for engines of chess (uci:COMMAND)".to_owned());
            }
            "white_pov" => self.white_pov = switch(key, value)?,
            "ping" => self.ping = Some(switch(key, value)?),
            _ => return Err(format!("'{key}' is no key of a program")),
        }
        Ok(())
    }

    /// The text that [`parse`](ProcessSpec::parse) takes to this program again, from any folder.
    pub fn text(&self) -> String {
        let program = self.command.to_string_lossy();
        let program = match &self.host {
            Some(host) => format!("{SSH}{host}:{program}"),
            None => program.into_owned(),
        };
        let words = std::iter::once(program).chain(self.arguments.clone());
        let command: Vec<String> = words.map(|word| quote_word(&word)).collect();
        let mut text = format!("{}:{}", self.protocol.name(), command.join(" "));
        let mut push = |key: &str, value: &str| {
            text.push_str(&format!(",{key}={value}"));
        };
        for (name, value) in &self.options {
            push(&format!("{OPTION}{name}"), value);
        }
        for (name, value) in &self.environment {
            push(&format!("{ENVIRONMENT}{name}"), value);
        }
        if let Some(directory) = &self.directory {
            push("directory", &directory.to_string_lossy());
        }
        for command in &self.initial_commands {
            push("init", command);
        }
        if self.restarts_each_game {
            push("restart", "game");
        }
        if let Some(margin_ms) = self.time_margin_ms {
            push("time_margin_ms", &margin_ms.to_string());
        }
        if self.ponder {
            push("ponder", "on");
        }
        if let Some(ping) = self.ping {
            push("ping", if ping { "on" } else { "off" });
        }
        if let Some(ms) = self.ping_ms {
            push("ping_ms", &ms.to_string());
        }
        if !self.on_fault.is_unsaid() {
            push("on_fault", &self.on_fault.to_string());
        }
        if let Some(mib) = self.memory_mib {
            push("memory_mib", &mib.to_string());
        }
        if self.white_pov {
            push("white_pov", "on");
        }
        text
    }

    /// Its arguments that are files here, from the folder that it runs in. It may read them or write them.
    pub fn argument_files(&self) -> impl Iterator<Item = PathBuf> {
        let own = self.directory.as_deref().unwrap_or(Path::new(""));
        let arguments = self.arguments.iter().filter(|_| self.host.is_none());
        arguments.map(|word| own.join(word)).filter(|path| path.is_file())
    }
}

/// A text split at its keys, none of which is without a value or nearly a key.
fn checked_keys(text: &str) -> Result<Vec<&str>, String> {
    refuse_controls(text)?;
    let parts = split_keys(text);
    if let Some(key) = parts.iter().find_map(|part| key_without_value(part)) {
        return Err(format!(
            "{key} has no value: write {key}=VALUE (with nothing after the = for a button)"
        ));
    }
    match mistyped_key(text) {
        Some((key, meant)) => Err(format!(
            "'{key}' is no key of a program (did you mean '{meant}'?)"
        )),
        None => Ok(parts),
    }
}

/// Those of `own` whose names are not among `set`, then `set`.
pub(super) fn beside(
    own: &[(String, String)],
    set: &[(String, String)],
    is_same: impl Fn(&str, &str) -> bool,
) -> Vec<(String, String)> {
    let is_set = |name: &str| set.iter().any(|(other, _)| is_same(other, name));
    let rest = own.iter().filter(|(name, _)| !is_set(name));
    rest.chain(set).cloned().collect()
}

/// What `ssh` could take for an option, or a shell for more than a name, is no host.
fn host_and_command(text: &str) -> Result<(&str, &str), String> {
    let is_of_host = |letter: char| letter.is_ascii_alphanumeric() || "@._-".contains(letter);
    match text.split_once(':') {
        Some((host, command)) if !command.is_empty() && !host.is_empty() => {
            if host.starts_with('-') || !host.chars().all(is_of_host) {
                return Err(format!(
                    "'{host}' is no name of a machine: letters, digits, '@', '.', '_' and '-', not first; what else ssh needs \
                     to know of it, such as a port, stands in ~/.ssh/config"
                ));
            }
            Ok((host, command))
        }
        _ => Err(format!(
            "'{SSH}{text}' must be {SSH}HOST:COMMAND, such as {SSH}box:/opt/engine"
        )),
    }
}

fn switch(key: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err(format!("{key} is '{value}', but must be on or off")),
    }
}

/// A path as seen from the root, so that it is the same program from any folder; a mere name stays a name.
fn absolute(command: &str) -> PathBuf {
    let path = Path::new(command);
    let is_name = path.components().count() < 2 && !path.is_absolute() && !command.starts_with('.');
    if is_name || command.starts_with(NAMED) {
        return path.to_owned();
    }
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> ProcessSpec {
        ProcessSpec::parse(text).unwrap().unwrap().1
    }

    #[test]
    fn a_command_has_arguments_and_keys() {
        let spec =
            parse("usi:engine --fast \"a b\",option.Threads=1,option.Skill Level=3,restart=game,ponder=on");
        assert_eq!(spec.command, Path::new("engine"));
        assert_eq!(spec.arguments, ["--fast", "a b"]);
        let options = [("Threads", "1"), ("Skill Level", "3")];
        assert_eq!(
            spec.options,
            options.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert!(spec.restarts_each_game && spec.ponder);
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(parse("usi:engine x option.A=1").options, [option("A", "1")]);
        // A comma that no key follows belongs to the value.
        let spec = parse("uci:engine a,b,option.List=1,2,3,env.PATHS=x,y");
        assert_eq!(spec.arguments, ["a,b"]);
        assert_eq!(spec.options, [option("List", "1,2,3")]);
        assert_eq!(spec.environment, [option("PATHS", "x,y")]);
    }

    #[test]
    fn the_size_of_the_hash_table_is_a_number_of_either_protocols_option() {
        assert_eq!(parse("usi:engine,option.usi_hash=16").hash(), Some("16"));
        assert_eq!(parse("uci:engine,option.hash=on").hash(), None);
        assert_eq!(parse("uci:engine,option.Threads=2").hash(), None);
    }

    #[test]
    fn a_command_on_another_machine_names_it_and_is_left_as_it_is() {
        let spec = parse("uci:ssh:me@box.local:./engine -x,option.Threads=1,directory=run");
        assert_eq!(spec.host.as_deref(), Some("me@box.local"));
        assert_eq!(
            (spec.command.to_str(), spec.directory.as_deref()),
            (Some("./engine"), Some(Path::new("run")))
        );
        assert_eq!(
            spec.text(),
            "uci:ssh:me@box.local:./engine -x,option.Threads=1,directory=run"
        );
        for (text, expected) in [
            ("uci:ssh:-oProxyCommand=x:e", "no name of a machine"),
            ("uci:ssh:a;b:e", "no name of a machine"),
            ("uci:ssh:box", "must be ssh:HOST:COMMAND"),
            ("uci:ssh::e", "must be ssh:HOST:COMMAND"),
        ] {
            let refused = ProcessSpec::parse(text).unwrap().unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }

    #[test]
    fn keys_behind_a_name_go_before_those_of_its_file() {
        let own = parse("uci:engine -x,option.Threads=1,option.Hash=16,env.A=1,init=a,ponder=on");
        for (keys, expected) in [
            (
                ",option.hash=64",
                "uci:engine -x,option.Threads=1,option.hash=64,env.A=1,init=a,ponder=on",
            ),
            (
                ",env.A=2,env.a=3,init=b,ponder=off",
                "uci:engine -x,option.Threads=1,option.Hash=16,env.A=2,env.a=3,init=a,init=b",
            ),
            (",lmr=off", "'lmr=off' is no key"),
            (",optoin.Hash=1", "did you mean 'option.Hash'?"),
            (",option.Hash", "has no value"),
            (",option.Hash=1,option.HASH=2", "given twice"),
        ] {
            let read = own.with_keys(keys).map(|(_, spec)| spec.text());
            let found = read.unwrap_or_else(|error| error);
            assert!(found.contains(expected), "{keys}: {found}");
        }
        let (name, _) = own.with_keys(",name=x, y").unwrap();
        assert_eq!(name.as_deref(), Some("x, y"));
    }

    #[test]
    fn a_word_may_hold_quotation_marks_and_backslashes() {
        assert_eq!(parse("usi:x \"a'b\"'\"c d'").arguments, ["a'b\"c d"]);
        let spec = parse(r#"usi:C:\engines\x.exe "C:\my dir\" #1 'a\b'"#);
        assert!(spec.command.to_string_lossy().ends_with(r"C:\engines\x.exe"));
        assert_eq!(spec.arguments, [r"C:\my dir\", "#1", r"a\b"]);
    }
}
