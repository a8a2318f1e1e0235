//! How an engine is built and tested: `tanren.toml` in its repository.

use std::path::{Component, Path};

use sha2::{Digest, Sha256};
use toml::{Table, Value};

#[cfg(feature = "cluster")]
use super::git::{Commit, Repository};
use super::openbench;
use crate::cli::shared::CliError;
use crate::config::{ConfigError, LIMITS, MatchKeys, Mistakes, Source, check_repository, resolve_files};
use crate::session::error::ExperimentError;
use crate::session::kind::Keys;

pub(super) const FILE: &str = "tanren.toml";
/// Keys of a recipe that are no options of a match.
const KEYS: [&str; 10] = [
    "build",
    "engine",
    "keep",
    "protocol",
    "bench",
    "nps",
    "base",
    "repository",
    "options",
    "preset",
];
/// Options of a match that a test sets itself.
const OWN: [&str; 5] = ["a", "b", "label_a", "label_b", "player"];
/// Options that a preset sets for the engine, and keys of a match.
const OPTIONS: &str = "options";
const DEFAULT_PRESET: &str = "stc";

/// Presets as fishtest plays them, as keys of a match; `nonreg` and `fixed` are `stc` but for their length.
const PRESETS: [(&str, &str); 5] = [
    ("stc", "tc = '10+0.1'\nhash = 16\nsprt = 'stc'"),
    ("ltc", "tc = '60+0.6'\nhash = 64\nsprt = 'ltc'"),
    (
        "smp",
        "tc = '5+0.05'\nhash = 64\nsprt = 'stc'\noptions = { Threads = 8 }",
    ),
    ("nonreg", "sprt = 'nonreg'"),
    ("fixed", "pairs = 10000"),
];

#[derive(Debug, Clone, Default)]
pub(super) struct Recipe {
    /// What messages call its file.
    pub(super) origin: String,
    /// A line for the shell, run in a checkout.
    pub(super) build: String,
    /// The program that it makes, and what else of the checkout the program needs.
    pub(super) engine: String,
    pub(super) keep: Vec<String>,
    pub(super) protocol: Option<String>,
    /// The words of its bench, if it has one; and was that said?
    pub(super) bench: Option<Vec<String>>,
    pub(super) says_bench: bool,
    /// The speed of bench on the machine that time controls are meant for.
    pub(super) nps: Option<u64>,
    /// The branch that others are tested against.
    pub(super) base: Option<String>,
    /// Where workers of a fleet find the repository.
    pub(super) repository: Option<String>,
    /// Keys of every match, and those of each preset.
    pub(super) common: Table,
    pub(super) presets: Vec<(String, Table)>,
    pub(super) warnings: Vec<String>,
}

impl Recipe {
    /// For programs that are built already.
    pub(super) fn none() -> Recipe {
        Recipe {
            bench: Some(vec!["bench".to_owned()]),
            ..Recipe::default()
        }
    }

    pub(super) fn open(path: &Path) -> Result<Recipe, CliError> {
        if path.extension().is_some_and(|ending| ending == "json") {
            return openbench::open(path);
        }
        let mut recipe = Recipe::of(&Source::open(path)?, format!("'{}'", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        resolve_files(&mut recipe.common, folder);
        recipe
            .presets
            .iter_mut()
            .for_each(|(_, keys)| resolve_files(keys, folder));
        Ok(recipe)
    }

    /// That of a commit, without the files that it names.
    #[cfg(feature = "cluster")]
    pub(super) fn at(repository: &Repository, commit: &Commit) -> Result<Option<Recipe>, CliError> {
        let origin = format!("{FILE} of {}", commit.label());
        let text = repository.read(commit, FILE)?;
        let recipe = text.map(|text| Recipe::of(&Source::parse(&text, &origin)?, origin));
        recipe.transpose()
    }

    fn of(source: &Source, origin: String) -> Result<Recipe, CliError> {
        let recipe = Recipe::read(source).map_err(ConfigError::from)?;
        Ok(Recipe { origin, ..recipe })
    }

    /// What a build is known by besides its commit.
    pub(super) fn identity(&self) -> String {
        self.digest(self.bench.iter().flatten())
    }

    /// What decides the file that a build makes: 16 hexadecimal digits.
    pub(super) fn digest<'a>(&'a self, more: impl IntoIterator<Item = &'a String>) -> String {
        let mut digest = Sha256::new();
        for part in [&self.build, &self.engine]
            .into_iter()
            .chain(&self.keep)
            .chain(more)
        {
            digest.update(part);
            digest.update([0]);
        }
        let bytes = digest.finalize();
        bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    fn read(source: &Source) -> Result<Recipe, Mistakes> {
        let mut wrong = Mistakes::default();
        let recipe = Recipe::read_all(source, &mut wrong);
        if wrong.is_empty() {
            Ok(recipe)
        } else {
            Err(source.placed(wrong).sorted())
        }
    }

    fn read_all(source: &Source, wrong: &mut Mistakes) -> Recipe {
        let mut recipe = Recipe::none();
        let mut own = Own {
            table: &source.table,
            wrong,
        };
        recipe.build = own.needed("build", "make");
        recipe.engine = own.needed("engine", "src/engine");
        recipe.protocol = own.text("protocol");
        recipe.base = own.text("base");
        recipe.repository = own.text("repository");
        let bench = own.text("bench");
        recipe.nps = own.number("nps");
        recipe.keep = own.texts("keep");
        for (key, names) in [
            ("engine", std::slice::from_ref(&recipe.engine)),
            ("keep", &recipe.keep),
        ] {
            for name in names {
                wrong.unless(is_below(name), key, || {
                    format!("{key} is '{name}', but must be a path inside the repository")
                });
            }
        }
        if let Some(protocol) = &recipe.protocol {
            wrong.unless(["usi", "uci"].contains(&protocol.as_str()), "protocol", || {
                format!("protocol is '{protocol}', but must be usi or uci")
            });
        }
        if let Some(Err(why)) = recipe.repository.as_deref().map(check_repository) {
            wrong.push("repository", format!("repository: {why}"));
        }
        if let Some(text) = bench {
            recipe.says_bench = true;
            let words = wrong.take(
                "bench",
                shlex::split(&text).ok_or("bench has a quotation mark that is not closed"),
            );
            recipe.bench = words.filter(|words| !words.is_empty());
        }
        let mut common = source.clone();
        common
            .table
            .retain(|key, _| !KEYS.contains(&key) || key == OPTIONS);
        let before = wrong.iter().count();
        check(&common, &KEYS, wrong);
        // A preset would tell what is wrong with them again.
        let common_is_sound = wrong.iter().count() == before;
        let presets = source.table.get("preset");
        let names = presets.and_then(Value::as_table).map(Table::keys);
        if presets.is_some() && names.is_none() {
            wrong.push("preset", "preset must be tables such as [preset.stc]");
        }
        for name in names.into_iter().flatten() {
            let path = format!("preset.{name}");
            if let Some(part) = source.part(&path) {
                if common_is_sound {
                    let mut common = common.clone();
                    make_room(&mut common.table, &part.table);
                    check(&part.clone().over(common), &[OPTIONS], wrong);
                }
                recipe.presets.push((name.clone(), part.table));
            } else {
                wrong.push(&path, format!("preset {name} is no table: write [{path}]"));
            }
        }
        recipe.common = common.table;
        recipe
    }

    /// The keys of a match under the preset of this name.
    pub(super) fn preset(&self, name: Option<&str>) -> Result<Table, CliError> {
        let name = name.unwrap_or(DEFAULT_PRESET);
        let is_called = |own: &str| own.eq_ignore_ascii_case(name);
        let own = self.presets.iter().find(|(own, _)| is_called(own));
        let built_in = PRESETS.iter().find(|(own, _)| is_called(own));
        let keys = match (own, built_in) {
            (None, None) => {
                let own = self.presets.iter().map(|(own, _)| own.as_str());
                let built_in = PRESETS.iter().map(|(own, _)| *own);
                let built_in = built_in
                    .filter(|name| !self.presets.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)));
                let known: Vec<&str> = own.chain(built_in).collect();
                return Err(CliError::input(format!(
                    "there is no preset '{name}': choose one of {}",
                    known.join(", ")
                )));
            }
            (_, Some((_, keys))) => keys.parse::<Table>().unwrap_or_default(),
            (Some(_), None) => Table::new(),
        };
        // What is built in lies over the keys of every match, but for the preset that they mean without another name.
        let keys = if name.eq_ignore_ascii_case(DEFAULT_PRESET) {
            over(keys, self.common.clone())
        } else if keys.contains_key("tc") {
            over(self.common.clone(), keys)
        } else {
            preset_over(self.preset(Some(DEFAULT_PRESET))?, keys)
        };
        Ok(match own {
            Some((_, own)) => preset_over(keys, own.clone()),
            None => keys,
        })
    }
}

/// As [`over`], and a number of pairs without a test takes the place of one.
fn preset_over(mut lower: Table, upper: Table) -> Table {
    if ["pairs", "rounds"].iter().any(|key| upper.contains_key(*key)) && !upper.contains_key("sprt") {
        lower.remove("sprt");
    }
    over(lower, upper)
}

/// A limit of `upper` replaces those of `lower`, and the margin of a clock that is no more.
fn make_room(lower: &mut Table, upper: &Table) {
    if upper.keys().any(|key| LIMITS.contains(&key.as_str())) {
        lower.retain(|key, _| !LIMITS.contains(&key));
        if !["tc", "byoyomi"].iter().any(|key| upper.contains_key(*key)) {
            lower.remove("time_margin");
        }
    }
}

/// `upper` over `lower`.
pub(super) fn over(mut lower: Table, mut upper: Table) -> Table {
    make_room(&mut lower, &upper);
    if let (Some(Value::Table(options)), Some(Value::Table(more))) =
        (lower.get_mut(OPTIONS), upper.get_mut(OPTIONS))
    {
        options.extend(std::mem::take(more));
        *more = options.clone();
    }
    lower.extend(upper);
    lower
}

/// Options of the engine, taken out of the keys of a match.
pub(super) fn options(keys: &mut Table) -> Vec<(String, String)> {
    let Some(Value::Table(options)) = keys.remove(OPTIONS) else {
        return Vec::new();
    };
    options
        .into_iter()
        .map(|(name, value)| (name, text(&value)))
        .collect()
}

pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A path that leads nowhere else.
fn is_below(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// What is wrong with keys of a match, at its place.
fn check(source: &Source, names: &[&str], wrong: &mut Mistakes) {
    let mut own = Mistakes::default();
    for key in OWN.iter().filter(|key| source.table.contains_key(**key)) {
        own.push(*key, format!("{key} is what is tested: leave it out"));
    }
    if let Some(options) = source.table.get(OPTIONS) {
        let is_plain =
            |value: &Value| !matches!(value, Value::Table(_) | Value::Array(_) | Value::Datetime(_));
        let is_table = options
            .as_table()
            .is_some_and(|options| options.values().all(is_plain));
        own.unless(is_table, OPTIONS, || {
            format!("options is {options}, but must be a table such as {{ Threads = 1 }}")
        });
    }
    wrong.extend(source.placed(own));
    if let Err(ExperimentError::Config(error)) = MatchKeys::read(source, names) {
        match error.placed(source) {
            ConfigError::Mistakes(found) => wrong.extend(found),
            other => wrong.add(source.mistake("", other.to_string())),
        }
    }
}

/// The keys of a recipe itself.
struct Own<'a> {
    table: &'a Table,
    wrong: &'a mut Mistakes,
}

impl Own<'_> {
    fn take<T>(&mut self, key: &str, what: &str, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let value = self.table.get(key)?;
        let found = read(value);
        self.wrong.unless(found.is_some(), key, || {
            format!("{key} is {value}, but must be {what}")
        });
        found
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.take(key, "a text in quotes", |value| value.as_str().map(str::to_owned))
    }

    fn needed(&mut self, key: &str, example: &str) -> String {
        self.wrong.unless(self.table.contains_key(key), "", || {
            format!("there is no {key}: add {key} = \"{example}\", or let tanren test init write the file")
        });
        self.text(key).unwrap_or_default()
    }

    fn number(&mut self, key: &str) -> Option<u64> {
        self.take(key, "a whole number of at least 1000", |value| {
            value
                .as_integer()
                .and_then(|number| u64::try_from(number).ok())
                .filter(|&number| number >= 1000)
        })
    }

    fn texts(&mut self, key: &str) -> Vec<String> {
        let read = |value: &Value| {
            let texts = value
                .as_array()?
                .iter()
                .map(|text| text.as_str().map(str::to_owned));
            texts.collect::<Option<Vec<String>>>()
        };
        self.take(key, "a list of texts in quotes", read)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(text: &str) -> Result<Recipe, Mistakes> {
        let source = Source::parse(&format!("build = 'make'\nengine = 'e'\n{text}"), "tanren.toml").unwrap();
        Recipe::read(&source)
    }

    #[test]
    fn a_preset_lies_over_the_recipe_and_that_over_what_is_built_in() {
        let text = "hash = 8\nresign = 'score=400,moves=3'\noptions = { Threads = 2, Contempt = 0 }\n[preset.stc]\nnodes = 5000\n\
                    [preset.Long]\ntc = '180+1.8'\noptions = { Threads = 4 }\n[preset.few]\npairs = 7\n";
        let recipe = recipe(text).unwrap();
        for (name, expected) in [
            (
                "stc",
                "hash = 8 nodes = 5000 options = { Threads = 2, Contempt = 0 } resign = X sprt = stc",
            ),
            (
                "ltc",
                "hash = 64 options = { Threads = 2, Contempt = 0 } resign = X sprt = ltc tc = 60+0.6",
            ),
            (
                "smp",
                "hash = 64 options = { Threads = 8, Contempt = 0 } resign = X sprt = stc tc = 5+0.05",
            ),
            (
                "nonreg",
                "hash = 8 nodes = 5000 options = { Threads = 2, Contempt = 0 } resign = X sprt = nonreg",
            ),
            (
                "fixed",
                "hash = 8 nodes = 5000 options = { Threads = 2, Contempt = 0 } pairs = 10000 resign = X",
            ),
            (
                "LONG",
                "hash = 8 options = { Threads = 4, Contempt = 0 } resign = X sprt = stc tc = 180+1.8",
            ),
            (
                "few",
                "hash = 8 nodes = 5000 options = { Threads = 2, Contempt = 0 } pairs = 7 resign = X",
            ),
        ] {
            let keys = recipe.preset(Some(name)).unwrap();
            let mut keys: Vec<String> = keys
                .iter()
                .map(|(key, value)| format!("{key} = {}", super::text(value)))
                .collect();
            keys.sort();
            assert_eq!(
                keys.join(" ").replace("score=400,moves=3", "X"),
                expected,
                "{name}"
            );
        }
        let refused = recipe.preset(Some("vltc")).unwrap_err();
        assert!(
            refused
                .text()
                .unwrap()
                .contains("stc, Long, few, ltc, smp, nonreg, fixed"),
            "{refused}"
        );
    }

    #[test]
    fn pairs_of_every_match_limit_the_test_and_those_of_a_preset_replace_it() {
        let recipe =
            recipe("pairs = 40\ntc = '1+0.01'\ntime_margin = 9\n[preset.few]\npairs = 7\nnodes = 50\n")
                .unwrap();
        let keys = |name| recipe.preset(Some(name)).unwrap();
        assert_eq!(keys("stc")["sprt"].as_str(), Some("stc"));
        assert_eq!(keys("ltc")["tc"].as_str(), Some("60+0.6"));
        for key in ["sprt", "tc", "time_margin"] {
            assert!(!keys("few").contains_key(key), "{key}");
        }
    }

    #[test]
    fn a_recipe_of_version_0_2_0_is_read() {
        let text = include_str!("../../../tests/formats/0.2.0/files/tanren.toml");
        let recipe = Recipe::read(&Source::parse(text, "tanren.toml").unwrap()).unwrap();
        assert_eq!((recipe.nps, recipe.presets.len()), (Some(1_000_000), 2));
        assert_eq!(recipe.bench.unwrap(), ["bench", "13"]);
    }

    #[test]
    fn every_mistake_of_a_recipe_is_told_at_its_place() {
        for (text, expected) in [
            (
                "buidl = 1",
                "line 3, column 1: unknown key 'buidl' (did you mean 'build'?)",
            ),
            (
                "nps = '1M'",
                "line 3, column 7: nps is \"1M\", but must be a whole number of at least 1000",
            ),
            (
                "keep = ['/etc/passwd']",
                "line 3, column 8: keep is '/etc/passwd', but must be a path inside the repository",
            ),
            ("keep = ['a/../../b']", "but must be a path inside the repository"),
            ("protocol = 'xboard'", "line 3, column 12: protocol is 'xboard'"),
            ("bench = \"'x\"", "line 3, column 9: bench has a quotation mark"),
            ("a = 'base'", "line 3, column 5: a is what is tested"),
            ("options = 5", "line 3, column 11: options is 5"),
            ("preset = 5", "line 3, column 10: preset must be tables"),
            (
                "[preset.stc]\ntc = 'soon'",
                "line 4, column 6: time control 'soon'",
            ),
            ("[preset.stc]\nsprt = '5,0'", "line 4, column 8: "),
        ] {
            let told = recipe(text).unwrap_err().to_string();
            assert!(told.contains(expected), "{text}\n{told}");
        }
    }
}
