//! `Engines/NAME.json` of an OpenBench as a recipe.

use std::env;
use std::path::Path;

use serde_json::{Map, Value};
use toml::Table;

use super::recipe::Recipe;
use crate::cli::fastchess::keys_of;
use crate::cli::shared::CliError;
use crate::config::read_text;
use crate::report::command_line;

/// How far its clients let a move overstep a clock, in milliseconds.
const MARGIN_MS: i64 = 250;

type Object = Map<String, Value>;

pub(super) fn open(path: &Path) -> Result<Recipe, CliError> {
    let refuse = |message: String| CliError::input(format!("'{}': {message}", path.display()));
    let text = read_text(path)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut recipe = read(&value, &name, &is_installed).map_err(refuse)?;
    recipe.origin = format!("'{}'", path.display());
    let folder = path.parent().unwrap_or(Path::new(""));
    for (_, keys) in &mut recipe.presets {
        book(keys, folder, &mut recipe.warnings);
    }
    recipe.warnings.dedup();
    Ok(recipe)
}

fn read(value: &Value, name: &str, is_installed: &dyn Fn(&str) -> bool) -> Result<Recipe, String> {
    let build = value.get("build").and_then(Value::as_object);
    let build = build.ok_or("there is no build { … }: is it an engine of OpenBench?")?;
    let path = build.get("path").and_then(Value::as_str).unwrap_or("");
    let compilers = build.get("compilers").and_then(Value::as_array);
    let compilers = compilers.into_iter().flatten().filter_map(Value::as_str);
    // A version may follow the name.
    let compilers = compilers.map(|text| text.split(['>', '=', '<', ' ']).next().unwrap_or(text));
    let compiler = match compilers.clone().find(|compiler| is_installed(compiler)) {
        Some(compiler) => compiler,
        None => {
            let all: Vec<&str> = compilers.collect();
            return Err(format!("none of its compilers is installed: {}", all.join(", ")));
        }
    };
    let program = format!("{name}-build");
    let mut words = vec!["make".to_owned(), "-j".to_owned()];
    if !path.is_empty() {
        words.extend(["-C".to_owned(), path.to_owned()]);
    }
    words.push(format!("EXE={program}"));
    if !["rustc", "cargo"].contains(&compiler) {
        let variable = if compiler.contains("++") { "CXX" } else { "CC" };
        words.push(format!("{variable}={compiler}"));
    }
    let presets = value.get("test_presets").and_then(Value::as_object);
    let presets = presets.cloned().unwrap_or_default();
    let default = object(presets.get("default"));
    let own = presets.iter().filter(|(name, _)| *name != "default");
    let own = own.map(|(name, preset)| {
        let mut merged = default.clone();
        merged.extend(object(Some(preset)));
        let keys = keys(&merged).map_err(|message| format!("preset {name}: {message}"))?;
        Ok((name.clone(), keys))
    });
    Ok(Recipe {
        build: command_line(&words),
        engine: Path::new(path).join(&program).to_string_lossy().into_owned(),
        protocol: Some("uci".to_owned()),
        says_bench: true,
        nps: value.get("nps").and_then(Value::as_u64).filter(|&nps| nps > 0),
        base: default
            .get("base_branch")
            .and_then(Value::as_str)
            .map(str::to_owned),
        presets: own.collect::<Result<_, String>>()?,
        ..Recipe::none()
    })
}

fn object(value: Option<&Value>) -> Object {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The keys of a match that a preset asks for.
fn keys(preset: &Object) -> Result<Table, String> {
    let time = of_both(preset, "time_control")?;
    let keys = keys_of(&script(preset, time)?)?.into_iter();
    let mut keys: Table = keys.map(|(key, value)| (key.to_owned(), value.into())).collect();
    if time.is_empty() {
        keys.remove("nodes");
    }
    if !time.is_empty() && !time.contains('=') {
        keys.insert("time_margin".to_owned(), MARGIN_MS.into());
    }
    add_options(&mut keys, preset)?;
    add_length(&mut keys, preset);
    let book = text(preset, "book_name");
    if !is_none(book) {
        keys.insert("openings".to_owned(), book.into());
    }
    Ok(keys)
}

fn text<'a>(preset: &'a Object, key: &str) -> &'a str {
    preset.get(key).and_then(Value::as_str).unwrap_or("").trim()
}

fn is_none(text: &str) -> bool {
    ["", "none"].contains(&text.to_ascii_lowercase().as_str())
}

fn of_both<'a>(preset: &'a Object, name: &str) -> Result<&'a str, String> {
    let [both, dev, base] = ["both", "dev", "base"].map(|side| text(preset, &format!("{side}_{name}")));
    match (both, dev, base) {
        ("", dev, base) if base.is_empty() || dev == base => Ok(dev),
        ("", ..) => Err(format!(
            "dev_{name} and base_{name} differ: play it with tanren match"
        )),
        (both, ..) => Ok(both),
    }
}

/// It plays by fastchess: so do we read it.
fn script(preset: &Object, time: &str) -> Result<Vec<String>, String> {
    let mut script = Vec::new();
    let mut say = |option: &str, values: &str| {
        script.push(option.to_owned());
        script.extend(values.split_whitespace().map(str::to_owned));
    };
    match time.split_once('=') {
        // Every script has a limit; this one is taken out again.
        _ if time.is_empty() => say("-each", "nodes=1"),
        None => say("-each", &format!("tc={time}")),
        Some(("N" | "n", nodes)) => say("-each", &format!("nodes={nodes}")),
        Some(("D" | "d", depth)) => say("-each", &format!("depth={depth}")),
        Some(("MT" | "mt", ms)) => {
            let ms: f64 = ms
                .parse()
                .map_err(|_| format!("time control '{time}' is no number"))?;
            say("-each", &format!("st={}", ms / 1000.0));
        }
        Some(_) => return Err(format!("time control '{time}' is none of T+I, N=, D= and MT=")),
    }
    for (key, option) in [("win_adj", "-resign"), ("draw_adj", "-draw")] {
        let values = text(preset, key);
        if !is_none(values) {
            say(option, values);
        }
    }
    Ok(script)
}

fn add_options(keys: &mut Table, preset: &Object) -> Result<(), String> {
    let mut options = Table::new();
    for option in of_both(preset, "options")?.split_whitespace() {
        let (name, value) = option
            .split_once('=')
            .ok_or_else(|| format!("option '{option}' has no value"))?;
        if name == "Hash" {
            let mib: i64 = value
                .parse()
                .map_err(|_| format!("Hash is '{value}', not a number"))?;
            keys.insert("hash".to_owned(), mib.into());
        } else {
            options.insert(name.to_owned(), value.into());
        }
    }
    keys.insert("options".to_owned(), options.into());
    Ok(())
}

/// So many games, or an SPRT.
fn add_length(keys: &mut Table, preset: &Object) {
    let games = preset.get("test_max_games").and_then(Value::as_i64);
    if let Some(games) = games {
        keys.insert("pairs".to_owned(), (games / 2).max(1).into());
    } else if !text(preset, "test_bounds").is_empty() {
        let plain = |key: &str| text(preset, key).trim_matches(['[', ']', ' ']).to_owned();
        let confidence = plain("test_confidence");
        // As the server reads them: beta first.
        let errors = confidence
            .split_once(',')
            .map(|(beta, alpha)| format!(",alpha={},beta={}", alpha.trim(), beta.trim()));
        let bounds = plain("test_bounds").replace(' ', "");
        keys.insert(
            "sprt".to_owned(),
            format!("{bounds}{}", errors.unwrap_or_default()).into(),
        );
    }
}

/// Finds the book that the recipe names. OpenBench keeps books on its server; here they are in the recipe's folder, in `Books` next to that folder
/// or in `Books` of the current directory.
fn book(keys: &mut Table, folder: &Path, warnings: &mut Vec<String>) {
    let Some(name) = keys
        .get("openings")
        .and_then(toml::Value::as_str)
        .map(str::to_owned)
    else {
        return;
    };
    let places = [
        folder.join(&name),
        folder.join("../Books").join(&name),
        Path::new("Books").join(&name),
    ];
    match places.iter().find(|place| place.is_file()) {
        Some(place) => drop(keys.insert("openings".to_owned(), place.to_string_lossy().into_owned().into())),
        None => {
            keys.remove("openings");
            warnings.push(format!("there is no book {name} here, so the built-in openings are played: give it with --openings FILE"));
        }
    }
}

fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| {
        folder
            .join(format!("{program}{}", env::consts::EXE_SUFFIX))
            .is_file()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_engine_of_openbench_is_a_recipe() {
        let engine = json!({
            "private": false, "nps": 975_000, "source": "https://example.org/engine",
            "build": { "path": "src", "compilers": ["clang>=14.0", "g++"], "cpuflags": [], "systems": ["Linux"] },
            "test_presets": {
                "default": {
                    "base_branch": "master", "book_name": "none", "test_bounds": "[0.00, 3.00]", "test_confidence": "[0.1, 0.05]",
                    "win_adj": "movecount=3 score=400", "draw_adj": "movenumber=40 movecount=8 score=10"
                },
                "STC": { "both_options": "Threads=1 Hash=8 Minimal=true", "both_time_control": "10.0+0.1", "workload_size": 32 },
                "Nodes": { "dev_options": "Hash=8", "base_options": "Hash=8", "both_time_control": "N=40000", "draw_adj": "None" },
                "Fixed": { "both_options": "Hash=8", "both_time_control": "MT=100", "test_max_games": 40000 }
            }
        });
        let recipe = read(&engine, "Ethereal", &|compiler| compiler == "g++").unwrap();
        assert_eq!(recipe.build, "make -j -C src EXE=Ethereal-build CXX=g++");
        assert_eq!(
            (&*recipe.engine, recipe.nps),
            ("src/Ethereal-build", Some(975_000))
        );
        let text = |name: &str| {
            let (_, keys) = recipe.presets.iter().find(|(own, _)| own == name).unwrap();
            let mut keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
            keys.sort();
            keys.join(" ").replace('"', "")
        };
        let adjudication = "resign=score=400,moves=3,both=off sprt=0.00,3.00,alpha=0.05,beta=0.1";
        assert_eq!(
            text("STC"),
            format!(
                "draw=from=80,moves=8,score=10 hash=8 options={{ Threads = 1, Minimal = true }} {adjudication} tc=10.0+0.1 time_margin=250"
            )
        );
        assert_eq!(
            text("Nodes"),
            format!("hash=8 nodes=40000 options={{}} {adjudication}")
        );
        assert!(text("Fixed").contains("movetime=100 ") && text("Fixed").contains("pairs=20000 "));
        let cargo = |compiler: &str| compiler == "cargo";
        let mut rust = engine.clone();
        rust["build"] = json!({ "path": "", "compilers": ["cargo>=1.70.0"] });
        assert_eq!(
            read(&rust, "Viridithas", &cargo).unwrap().build,
            "make -j EXE=Viridithas-build"
        );
        for (change, expected) in [
            (json!({ "test_presets": {} }), "there is no build"),
            (
                json!({ "build": { "compilers": ["icc"] } }),
                "none of its compilers is installed: icc",
            ),
            (
                json!({ "build": rust["build"], "test_presets": { "X": { "dev_options": "A=1", "base_options": "A=2" } } }),
                "preset X: dev_options and base_options differ",
            ),
            (
                json!({ "build": rust["build"], "test_presets": { "X": { "both_time_control": "Q=1" } } }),
                "preset X: time control 'Q=1'",
            ),
        ] {
            let refused = read(&change, "E", &cargo).unwrap_err();
            assert!(refused.contains(expected), "{refused}");
        }
    }
}
