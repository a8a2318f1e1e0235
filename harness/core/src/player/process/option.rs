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
        let mut fields: Vec<(&str, String)> = Vec::new();
        for word in text.split_whitespace() {
            // A name or a text may hold the word of an earlier key: none comes twice but `var`.
            let is_new = |key: &&str| *key == "var" || fields.iter().all(|(name, _)| name != key);
            let key = KEYS.into_iter().find(|&key| key == word).filter(is_new);
            match (key, fields.last_mut()) {
                (Some(key), _) => fields.push((key, String::new())),
                (_, Some((_, value))) => {
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(word);
                }
                (_, None) => return Err(format!("'{text}' does not begin with name")),
            }
        }
        let field = |key: &str| {
            fields
                .iter()
                .find(|(name, _)| *name == key)
                .map(|(_, value)| value.clone())
        };
        let bound = |key: &str, open: i64| match field(key) {
            None => Ok(open),
            Some(value) => value
                .parse()
                .map_err(|_| format!("{key} is '{value}', not a whole number")),
        };
        let kind = match field("type").as_deref() {
            Some("check") => OptionKind::Check,
            Some("spin") => OptionKind::Spin {
                min: bound("min", i64::MIN)?,
                max: bound("max", i64::MAX)?,
            },
            Some("combo") => OptionKind::Combo {
                choices: fields
                    .iter()
                    .filter(|(name, _)| *name == "var")
                    .map(|(_, value)| value.clone())
                    .collect(),
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

    pub fn check(&self, value: &str) -> Result<(), String> {
        let fits = match &self.kind {
            OptionKind::Check => value == "true" || value == "false",
            OptionKind::Spin { min, max } => value
                .parse()
                .is_ok_and(|number: i64| (*min..=*max).contains(&number)),
            OptionKind::Combo { choices } => choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)),
            OptionKind::Button => value.is_empty(),
            OptionKind::Text => !value.contains(['\n', '\r']),
        };
        if fits {
            return Ok(());
        }
        let expected = match &self.kind {
            OptionKind::Check => "true or false".to_owned(),
            OptionKind::Spin { min, max } => format!("a whole number from {min} to {max}"),
            OptionKind::Combo { choices } => format!("one of {}", choices.join(", ")),
            OptionKind::Button => "no value (it is a button)".to_owned(),
            OptionKind::Text => "a text of one line".to_owned(),
        };
        Err(format!(
            "option {} is '{value}', but the engine takes {expected}",
            self.name
        ))
    }

    /// The line that sets it; one of a list is spelt as the engine announced it.
    pub fn set_line(&self, value: &str) -> String {
        let value = match &self.kind {
            OptionKind::Button => return format!("setoption name {}\n", self.name),
            OptionKind::Combo { choices } if !choices.iter().any(|choice| choice == value) => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(value))
                .map_or(value, String::as_str),
            _ => value,
        };
        format!("setoption name {} value {value}\n", self.name)
    }
}

pub(super) fn find<'a>(options: &'a [EngineOption], name: &str) -> Result<&'a EngineOption, String> {
    let exact = options.iter().find(|option| option.name == name);
    let similar = || {
        options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    };
    if let Some(option) = exact.or_else(similar) {
        return Ok(option);
    }
    let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
    let there_are = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    };
    Err(format!(
        "the engine has no option '{name}'{} (options: {there_are})",
        did_you_mean(name, names.iter().copied())
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(text: &str) -> EngineOption {
        EngineOption::parse(text).unwrap()
    }

    #[test]
    fn every_type_of_the_protocol_is_understood() {
        let choices = || vec!["Solid Play".to_owned(), "Wild".to_owned()];
        for (text, name, kind, default) in [
            (
                "name Skill Level type spin default 20 min -20 max 20",
                "Skill Level",
                OptionKind::Spin { min: -20, max: 20 },
                Some("20"),
            ),
            (
                "name Style type combo default Solid Play var Solid Play var Wild",
                "Style",
                OptionKind::Combo { choices: choices() },
                Some("Solid Play"),
            ),
            (
                "name Clear Hash type button",
                "Clear Hash",
                OptionKind::Button,
                None,
            ),
            (
                "name Debug Log File type string default",
                "Debug Log File",
                OptionKind::Text,
                Some(""),
            ),
            (
                "name BookFile type filename default x.bin",
                "BookFile",
                OptionKind::Text,
                Some("x.bin"),
            ),
        ] {
            let found = option(text);
            assert_eq!((found.name.as_str(), found.default.as_deref()), (name, default));
            assert_eq!(found.kind, kind, "{text}");
        }
        for text in [
            "",
            "type spin",
            "name X",
            "name X type wheel",
            "name X type spin min low",
        ] {
            assert!(EngineOption::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_that_does_not_fit_is_refused_with_what_would() {
        for (text, value, expected) in [
            ("name N type spin default 1 min 1 max 8", "8", None),
            (
                "name N type spin default 1 min 1 max 8",
                "9",
                Some("a whole number from 1 to 8"),
            ),
            (
                "name N type spin default 1 min 1 max 8",
                "two",
                Some("a whole number from 1 to 8"),
            ),
            ("name N type check default false", "true", None),
            ("name N type check default false", "yes", Some("true or false")),
            ("name N type string", "a b", None),
            ("name N type string", "a\nquit", Some("a text of one line")),
            ("name N type combo var off var Off-Line", "OFF", None),
            (
                "name N type combo var off var Off-Line",
                "on",
                Some("one of off, Off-Line"),
            ),
        ] {
            let expected = expected.map(|what| format!("option N is '{value}', but the engine takes {what}"));
            assert_eq!(option(text).check(value).err(), expected);
        }
    }

    #[test]
    fn an_unknown_option_is_answered_with_those_there_are() {
        let options = [option("name USI_Hash type spin min 1 max 9")];
        assert!(find(&options, "usi_hash").is_ok());
        let message = find(&options, "Threads").unwrap_err();
        assert!(
            message.contains("'Threads'") && message.contains("USI_Hash"),
            "{message}"
        );
    }

    #[test]
    fn one_of_a_list_is_set_as_the_engine_spelt_it_and_a_button_without_a_value() {
        let combo = option("name Style type combo default off var off var Off-Line var OFF-line");
        assert_eq!(combo.set_line("OFF"), "setoption name Style value off\n");
        assert_eq!(
            combo.set_line("OFF-line"),
            "setoption name Style value OFF-line\n"
        );
        let button = option("name Clear Hash type button");
        assert_eq!(button.set_line(""), "setoption name Clear Hash\n");
    }
}
