//! The options that an engine announces, and whether a value fits one.

use crate::config::did_you_mean;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    Check,
    /// A whole number; a bound that was not announced is open.
    Spin {
        min: i64,
        max: i64,
    },
    Combo {
        choices: Vec<String>,
    },
    Button,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOption {
    pub name: String,
    pub kind: OptionKind,
    pub default: Option<String>,
}

impl EngineOption {
    /// Parses what follows `option`: `name NAME type TYPE [default X] [min N] [max N] [var X]…`.
    pub fn parse(text: &str) -> Result<EngineOption, String> {
        const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in text.split_whitespace() {
            // A name or a text may hold the word of an earlier key: none comes twice but `var`.
            let is_new = word == "var" || fields.iter().all(|(key, _)| *key != word);
            match fields.last_mut() {
                _ if is_new && KEYS.contains(&word) => fields.push((word, Vec::new())),
                Some((_, words)) => words.push(word),
                None => return Err(format!("'{text}' does not begin with name")),
            }
        }
        let all = |key: &'static str| {
            let named = fields.iter().filter(move |(name, _)| *name == key);
            named.map(|(_, words)| words.join(" "))
        };
        let field = |key| all(key).next();
        let bound = |key, open: i64| {
            let read = |value: String| {
                value
                    .parse()
                    .map_err(|_| format!("{key} is '{value}', not a whole number"))
            };
            field(key).map_or(Ok(open), read)
        };
        let kind = match field("type").as_deref() {
            Some("check") => OptionKind::Check,
            Some("spin") => OptionKind::Spin {
                min: bound("min", i64::MIN)?,
                max: bound("max", i64::MAX)?,
            },
            Some("combo") => OptionKind::Combo {
                choices: all("var").collect(),
            },
            Some("button") => OptionKind::Button,
            Some("string" | "filename") => OptionKind::Text,
            Some(other) => return Err(format!("type '{other}' is not known")),
            None => return Err("there is no type".to_owned()),
        };
        Ok(EngineOption {
            name: field("name")
                .filter(|name| !name.is_empty())
                .ok_or("there is no name")?,
            kind,
            default: field("default"),
        })
    }

    /// `value`, a number moved into the range of the option; `None` if the engine takes nothing like it.
    pub fn fitted(&self, value: &str) -> Option<String> {
        match (&self.kind, value.parse::<i64>()) {
            (OptionKind::Spin { min, max }, Ok(number)) if min <= max => {
                Some(number.clamp(*min, *max).to_string())
            }
            _ => self.set_line(value).is_ok().then(|| value.to_owned()),
        }
    }

    /// The line that sets it, with one of a list spelt as the engine announced it; or why the value does not fit.
    pub fn set_line(&self, value: &str) -> Result<String, String> {
        let line = |value: &str| format!("setoption name {} value {value}\n", self.name);
        let (fits, expected) = match &self.kind {
            // As the settings of the built-in engine are written, too.
            OptionKind::Check => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => return Ok(line("true")),
                "false" | "off" | "no" | "0" => return Ok(line("false")),
                _ => (false, "true or false".to_owned()),
            },
            OptionKind::Spin { min, max } => (
                value
                    .parse()
                    .is_ok_and(|number: i64| (*min..=*max).contains(&number)),
                format!("a whole number from {min} to {max}"),
            ),
            OptionKind::Combo { choices } => {
                let exact = choices.iter().find(|choice| *choice == value);
                let similar = || choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
                if let Some(choice) = exact.or_else(similar) {
                    return Ok(line(choice));
                }
                (false, format!("one of {}", choices.join(", ")))
            }
            OptionKind::Button if value.is_empty() => return Ok(format!("setoption name {}\n", self.name)),
            OptionKind::Button => (false, "no value (it is a button)".to_owned()),
            OptionKind::Text => (!value.contains(['\n', '\r']), "a text of one line".to_owned()),
        };
        match fits {
            true => Ok(line(value)),
            false => Err(format!(
                "option {} is '{value}', but the engine takes {expected}",
                self.name
            )),
        }
    }
}

pub(super) fn find<'a>(options: &'a [EngineOption], name: &str) -> Result<&'a EngineOption, String> {
    let exact = options.iter().find(|option| option.name == name);
    let similar = || {
        options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    };
    exact.or_else(similar).ok_or_else(|| {
        let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
        let there_are = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        let meant = did_you_mean(name, names.iter().copied());
        format!("the engine has no option '{name}'{meant} (options: {there_are})")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNOUNCED: [&str; 12] = [
        "name Skill Level type spin default 20 min -20 max 20",
        "name Open type spin default 1",
        "name Style type combo default Solid Play var Solid Play var Wild var wILD",
        "name Clear Hash type button",
        "name Debug Log File type string default",
        "name BookFile type filename default x.bin",
        "name Ponder type check default false",
        "",
        "type spin",
        "name X",
        "name X type wheel",
        "name X type spin min low",
    ];

    #[test]
    fn every_type_of_the_protocol_is_understood() {
        let read = ANNOUNCED.map(|text| format!("{text}\n    {:?}", EngineOption::parse(text)));
        insta::assert_snapshot!(read.join("\n"));
    }

    #[test]
    fn a_value_is_set_as_the_engine_spelt_it_or_refused_with_what_would_fit() {
        let options = ANNOUNCED.map(EngineOption::parse);
        let options: Vec<EngineOption> = options.into_iter().flatten().collect();
        let set = [
            ("Skill Level", "-20"),
            ("skill level", "21"),
            ("Open", "two"),
            ("Ponder", "true"),
            ("Ponder", "Off"),
            ("Ponder", "maybe"),
            ("BookFile", "a b"),
            ("BookFile", "a\nquit"),
            ("Style", "solid play"),
            ("Style", "wild"),
            ("Style", "wILD"),
            ("Style", "on"),
            ("Clear Hash", ""),
            ("Clear Hash", "now"),
            ("Threads", "1"),
            ("Pondr", "true"),
        ]
        .map(|(name, value)| {
            let line = find(&options, name).and_then(|option| option.set_line(value));
            format!("{name}={value:?}: {line:?}")
        });
        insta::assert_snapshot!(set.join("\n"));
        assert!(find(&[], "Hash").unwrap_err().ends_with("(options: none)"));
    }
}
