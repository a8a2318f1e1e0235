//! `conf=NAME`: an engine that cutechess keeps in `engines.json`, or one of our engine library, as the words of a script.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::config::{PlayerFile, is_library_name, read_text};

const FILE: &str = "engines.json";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Engine {
    name: String,
    command: String,
    arguments: Vec<String>,
    working_directory: String,
    protocol: String,
    init_strings: Vec<String>,
    ponder: bool,
    whitepov: bool,
    options: Vec<EngineOption>,
}

#[derive(Deserialize)]
struct EngineOption {
    name: String,
    #[serde(default)]
    value: Value,
}

/// `words` with every `conf=NAME` replaced by what the file of the current folder says of it; what stands beside it goes before.
pub(super) fn expanded(words: &[&str]) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for word in words {
        match word.strip_prefix("conf=") {
            None => all.push((*word).to_owned()),
            Some(name) => {
                let has = |own: &String| {
                    let key = own.split_once('=').map_or(&**own, |(key, _)| key);
                    ["name", "cmd", "dir"].contains(&key)
                        && words
                            .iter()
                            .any(|word| word.split_once('=').is_some_and(|(other, _)| other == key))
                };
                all.extend(engine(name)?.words().into_iter().filter(|own| !has(own)));
            }
        }
    }
    Ok(all)
}

fn engine(name: &str) -> Result<Engine, String> {
    if !Path::new(FILE).exists() {
        return of_library(name).map_err(|why| format!("conf={name}: there is no {FILE} here, and {why}"));
    }
    let text = read_text(Path::new(FILE)).map_err(|error| format!("conf={name}: {error}"))?;
    let engines: Vec<Engine> = serde_json::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    let found = engines.into_iter().find(|engine| engine.name == name);
    found.ok_or_else(|| format!("conf={name}: {FILE} has {}", names.join(", ")))
}

/// The engine of this name in our own library.
fn of_library(name: &str) -> Result<Engine, String> {
    if !is_library_name(name) {
        return Err(format!("the engine library can have no '{name}'"));
    }
    let file = PlayerFile::of_library(name).map_err(|error| error.to_string())?;
    let rest = PlayerFile {
        name: file.name.clone(),
        id_name: file.id_name.clone(),
        protocol: file.protocol.clone(),
        command: file.command.clone(),
        arguments: file.arguments.clone(),
        directory: file.directory.clone(),
        commands: file.commands.clone(),
        options: file.options.clone(),
        ponder: file.ponder,
        white_pov: file.white_pov,
        ..PlayerFile::default()
    };
    if rest != file || file.command.is_none() {
        return Err(format!(
            "@{name} has keys that no script has: use it in tanren match --a @{name}"
        ));
    }
    let options = file.options.into_iter();
    Ok(Engine {
        name: file.name.unwrap_or_else(|| name.to_owned()),
        command: file.command.unwrap_or_default(),
        arguments: file.arguments,
        working_directory: file.directory.unwrap_or_default(),
        protocol: file.protocol.unwrap_or_default(),
        init_strings: file.commands,
        ponder: file.ponder.unwrap_or_default(),
        whitepov: file.white_pov.unwrap_or_default(),
        options: options
            .map(|(name, value)| EngineOption {
                name,
                value: serde_json::to_value(value).unwrap_or_default(),
            })
            .collect(),
    })
}

impl Engine {
    fn words(self) -> Vec<String> {
        let mut words = vec![format!("name={}", self.name), format!("cmd={}", self.command)];
        words.extend(self.arguments.iter().map(|argument| format!("arg={argument}")));
        let texts = [("dir", self.working_directory), ("proto", self.protocol)];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        words.extend(texts.map(|(key, text)| format!("{key}={text}")));
        let switches = [("ponder", self.ponder), ("whitepov", self.whitepov)];
        words.extend(
            switches
                .iter()
                .filter(|(_, is_on)| *is_on)
                .map(|(key, _)| (*key).to_owned()),
        );
        let options = self.options.into_iter().filter_map(|option| {
            let value = match option.value {
                Value::Null => return None,
                Value::String(text) => text,
                other => other.to_string(),
            };
            Some(format!("option.{}={value}", option.name))
        });
        words.extend(options);
        // The handshake is ours.
        let lines = self.init_strings.iter().filter(|line| *line != "uci");
        words.extend(lines.map(|line| option(line).unwrap_or_else(|| format!("initstr={line}"))));
        words
    }
}

/// `setoption name NAME value VALUE` as the option that it sets.
fn option(line: &str) -> Option<String> {
    let (name, value) = line.strip_prefix("setoption name ")?.split_once(" value ")?;
    Some(format!("option.{name}={value}"))
}
