//! Engines whose options are suggested.

use std::sync::LazyLock;

use serde::Deserialize;
use toml::Table;

use crate::config::EngineProtocol;
use crate::player::Introduction;

/// An engine of `known.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KnownEngine {
    /// What users call it.
    pub name: String,
    id_name: Vec<String>,
    has: Vec<String>,
    protocol: Option<String>,
    options: Table,
    /// What a match should know of it.
    pub note: String,
    /// The version that this was tried with.
    pub tried: String,
}

#[derive(Deserialize)]
struct KnownEngines {
    engine: Vec<KnownEngine>,
}

static KNOWN: LazyLock<Vec<KnownEngine>> = LazyLock::new(|| {
    let read: Result<KnownEngines, _> = toml::from_str(include_str!("known.toml"));
    read.map(|known| known.engine).unwrap_or_default()
});

/// All of them, in the order of the file.
pub fn known_engines() -> &'static [KnownEngine] {
    &KNOWN
}

impl KnownEngine {
    /// The one that introduced itself so.
    pub(super) fn of(protocol: EngineProtocol, said: &Introduction) -> Option<&'static KnownEngine> {
        let id_name = said.name.to_lowercase();
        let is_announced = |name: &String| said.options.iter().any(|option| option.name == *name);
        KNOWN.iter().find(|known| {
            let is_named = || {
                known
                    .id_name
                    .iter()
                    .any(|name| id_name.starts_with(&name.to_lowercase()))
            };
            let is_built_so = || !known.has.is_empty() && known.has.iter().all(is_announced);
            let speaks = known.protocol.as_ref().is_none_or(|name| name == protocol.name());
            speaks && (is_named() || is_built_so())
        })
    }

    /// Its options with their values.
    pub fn options(&self) -> impl Iterator<Item = (&str, String)> {
        self.options.iter().map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (name.as_str(), text)
        })
    }

    /// Those of its options that `said` announces, as far as the engine takes them.
    pub(super) fn suggested(&self, said: &Introduction) -> Vec<(String, String)> {
        let fitted = self.options().filter_map(|(name, value)| {
            let option = said.options.iter().find(|option| option.name == name)?;
            Some((name.to_owned(), option.fitted(&value)?))
        });
        fitted.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::EngineOption;

    #[test]
    fn an_engine_is_known_by_its_name_or_its_options() {
        let four = "NetworkDelay NetworkDelay2 MinimumThinkingTime RoundUpToFullSecond";
        for (protocol, name, options, expected) in [
            (EngineProtocol::Uci, "Stockfish 17", "", "Stockfish"),
            (
                EngineProtocol::Uci,
                "Fairy-Stockfish 14",
                "",
                "Fairy-Stockfish (chess)",
            ),
            (
                EngineProtocol::Usi,
                "fairy-stockfish 14",
                "",
                "Fairy-Stockfish (shogi)",
            ),
            (EngineProtocol::Usi, "Suisho5", four, "YaneuraOu"),
            (EngineProtocol::Usi, "Suisho5", "NetworkDelay", ""),
            (EngineProtocol::Uci, "MyStockfish", "", ""),
            (EngineProtocol::Usi, "", "", ""),
        ] {
            let announced = |name| EngineOption::parse(&format!("name {name} type string"));
            let said = Introduction {
                name: name.to_owned(),
                options: options
                    .split_whitespace()
                    .map(|name| announced(name).unwrap())
                    .collect(),
            };
            let found = KnownEngine::of(protocol, &said).map(|known| known.name.as_str());
            assert_eq!(found.unwrap_or_default(), expected, "{name} {options}");
        }
    }

    #[test]
    fn only_what_the_engine_takes_is_suggested() {
        let announced = [
            "name NetworkDelay type spin default 120 min 0 max 10000",
            "name MinimumThinkingTime type spin default 2000 min 1000 max 100000",
            "name BookFile type combo default standard_book.db var standard_book.db",
            "name USI_OwnBook type check default true",
        ];
        let said = Introduction {
            name: "YaneuraOu".to_owned(),
            options: announced.map(|text| EngineOption::parse(text).unwrap()).into(),
        };
        let known = KnownEngine::of(EngineProtocol::Usi, &said).unwrap();
        let expected = [
            ("NetworkDelay", "0"),
            ("MinimumThinkingTime", "1000"),
            ("USI_OwnBook", "false"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(known.suggested(&said), expected);
    }

    #[test]
    fn every_known_engine_says_how_it_is_known_and_tried() {
        assert!(known_engines().len() >= 5);
        for known in known_engines() {
            assert!(!known.id_name.is_empty() && !known.tried.is_empty() && !known.note.is_empty());
        }
    }
}
