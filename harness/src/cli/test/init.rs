//! `tanren test init`: a recipe from what a repository looks like.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::recipe::FILE;
use crate::cli::shared::{CliError, print};
use crate::session::error::ExperimentError;

/// Variables by which makefiles call their program; OpenBench sets the first.
const NAMES: [&str; 5] = ["EXE", "TARGET", "BIN", "BINARY", "PROGRAM"];

/// How an engine is built, and what comes of it.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    because: &'static str,
    build: String,
    engine: String,
}

pub(super) fn init(root: &Path) -> Result<(), CliError> {
    let path = root.join(FILE);
    if path.exists() {
        return Err(CliError::input(format!("'{}' is there already", path.display())));
    }
    let found = look(root).ok_or_else(|| {
        CliError::input(format!(
            "'{}' has no Makefile, Cargo.toml or CMakeLists.txt at its root or in src: write {FILE} by hand (docs/src/commands/test.md)",
            root.display()
        ))
    })?;
    let text = recipe(&found);
    fs::write(&path, &text).map_err(ExperimentError::system("write tanren.toml"))?;
    print(&format!(
        "{text}\nwritten to '{}' because of {}. Check build and engine, then: tanren test BRANCH --dry-run",
        path.display(),
        found.because
    ))
}

fn recipe(found: &Found) -> String {
    let text = |text: &str| Value::from(text).to_string();
    format!(
        r#"# How tanren test builds and plays this engine. Keys: docs/src/commands/test.md
build = {}
engine = {}
bench = "bench" # prints its nodes and nodes per second; "" if there is none
# nps = 1000000 # the speed of bench on the machine that the time controls are meant for
# openings = "book.epd" # any option of tanren match, for every preset

[preset.stc]
tc = "10+0.1"
hash = 16
sprt = "stc"

[preset.ltc]
tc = "60+0.6"
hash = 64
sprt = "ltc"
"#,
        text(&found.build),
        text(&found.engine)
    )
}

/// A makefile that OpenBench could use says how the engine is really built, whatever else is there.
fn look(root: &Path) -> Option<Found> {
    let name = root
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let makefiles = makefiles(root);
    let makefile = |(folder, text): &(&str, String)| {
        let given = NAMES
            .iter()
            .find_map(|variable| Some((*variable, value_of(text, variable)?)));
        let place = if folder.is_empty() {
            String::new()
        } else {
            format!(" -C {folder}")
        };
        let engine = |name: &str| Path::new(folder).join(name).to_string_lossy().into_owned();
        Found {
            because: "its Makefile",
            build: match given {
                Some(("EXE", _)) => format!("make{place} -j EXE={name}"),
                _ => format!("make{place} -j"),
            },
            engine: match given {
                Some(("EXE", _)) | None => engine(&name),
                Some((_, value)) => engine(&value),
            },
        }
    };
    let of_openbench = makefiles.iter().find(|(_, text)| value_of(text, "EXE").is_some());
    of_openbench
        .map(makefile)
        .or_else(|| cargo(root))
        .or_else(|| makefiles.first().map(makefile))
        .or_else(|| cmake(root, &name))
}

/// Those at the root and in `src`, with their folder.
fn makefiles(root: &Path) -> Vec<(&'static str, String)> {
    let places = ["", "src"]
        .into_iter()
        .flat_map(|folder| ["Makefile", "makefile", "GNUmakefile"].map(|name| (folder, name)));
    let texts = places
        .filter_map(|(folder, name)| Some((folder, fs::read_to_string(root.join(folder).join(name)).ok()?)));
    texts.collect()
}

/// The value of a variable of a makefile, if it is a plain word.
fn value_of(text: &str, variable: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix(variable)?.trim_start();
        let rest = rest.trim_start_matches([':', '?']).strip_prefix('=')?;
        let word = rest.split_whitespace().next()?;
        (!word.contains('$') || variable == NAMES[0]).then(|| word.to_owned())
    })
}

fn cargo(root: &Path) -> Option<Found> {
    let manifest = |folder: &Path| {
        fs::read_to_string(folder.join("Cargo.toml"))
            .ok()?
            .parse::<Table>()
            .ok()
    };
    let own = manifest(root)?;
    let program = |table: &Table, folder: &Path| {
        let first = table
            .get("bin")
            .and_then(|bins| bins.get(0))
            .and_then(|bin| bin.get("name"));
        let package = table.get("package")?;
        let is_program = first.is_some() || folder.join("src/main.rs").is_file();
        let name = package.get("default-run").or(first).or(package.get("name"))?;
        name.as_str().filter(|_| is_program).map(str::to_owned)
    };
    let members = own
        .get("workspace")
        .and_then(|workspace| workspace.get("members"));
    let members = members
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let of_member = |member: &str| program(&manifest(&root.join(member))?, &root.join(member));
    let name = program(&own, root).or_else(|| members.into_iter().find_map(of_member))?;
    Some(Found {
        because: "its Cargo.toml",
        build: "cargo build --release".to_owned(),
        engine: format!("target/release/{name}"),
    })
}

fn cmake(root: &Path, name: &str) -> Option<Found> {
    let text = fs::read_to_string(root.join("CMakeLists.txt")).ok()?;
    let argument = |function: &str| {
        let (_, rest) = text.split_once(function)?;
        let word = rest.trim_start().strip_prefix('(')?;
        let word = word.trim_start().split([' ', '\n', ')', '\t', '\r']).next()?;
        (!word.is_empty()).then(|| word.trim_matches('"').to_owned())
    };
    let project = argument("project").unwrap_or_else(|| name.to_owned());
    let program = argument("add_executable").unwrap_or_else(|| project.clone());
    let program = program
        .replace("${PROJECT_NAME}", &project)
        .replace("${CMAKE_PROJECT_NAME}", &project);
    Some(Found {
        because: "its CMakeLists.txt",
        build: "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j".to_owned(),
        engine: format!("build/{program}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CMAKE: &str = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j";

    /// Files with their texts, and the build and the engine that they say.
    type Case = (
        &'static [(&'static str, &'static str)],
        &'static str,
        &'static str,
    );

    const CASES: &[Case] = &[
        (
            &[("Makefile", "CC = gcc\nEXE ?= old\nall:\n")],
            "make -j EXE=eng",
            "eng",
        ),
        (
            &[("src/Makefile", "EXE=$(NAME)\n")],
            "make -C src -j EXE=eng",
            "src/eng",
        ),
        (&[("Makefile", "TARGET := wasp\n")], "make -j", "wasp"),
        (&[("Makefile", "all:\n\tcc -o x\n")], "make -j", "eng"),
        (
            &[("Cargo.toml", "[package]\nname = 'ant'\n"), ("src/main.rs", "")],
            "cargo build --release",
            "target/release/ant",
        ),
        (
            &[
                ("Cargo.toml", "[package]\nname = 'ant'\n[[bin]]\nname = 'bee'\n"),
                ("Makefile", "all:\n"),
            ],
            "cargo build --release",
            "target/release/bee",
        ),
        (
            &[
                ("Cargo.toml", "[package]\nname = 'ant'\n"),
                ("src/main.rs", ""),
                ("Makefile", "EXE = ant\n"),
            ],
            "make -j EXE=eng",
            "eng",
        ),
        (
            &[
                ("Cargo.toml", "[workspace]\nmembers = ['lib', 'app']\n"),
                ("lib/Cargo.toml", "[package]\nname = 'lib'\n"),
                ("app/Cargo.toml", "[package]\nname = 'app'\n"),
                ("app/src/main.rs", ""),
            ],
            "cargo build --release",
            "target/release/app",
        ),
        (
            &[(
                "CMakeLists.txt",
                "project(Wasp CXX)\nadd_executable(${PROJECT_NAME} main.cpp)\n",
            )],
            CMAKE,
            "build/Wasp",
        ),
        (
            &[(
                "CMakeLists.txt",
                "project(\"Wasp\")\nadd_executable(\n  wasp-uci main.cpp)\n",
            )],
            CMAKE,
            "build/wasp-uci",
        ),
    ];

    #[test]
    fn what_a_repository_looks_like_says_how_it_is_built() {
        for &(files, build, engine) in CASES {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().join("eng");
            for (name, text) in files {
                let path = root.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            let found = look(&root).unwrap();
            assert_eq!((&*found.build, &*found.engine), (build, engine), "{files:?}");
            let written = recipe(&found);
            fs::write(root.join(FILE), &written).unwrap();
            assert!(
                super::super::recipe::Recipe::open(&root.join(FILE)).is_ok(),
                "{written}"
            );
        }
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(look(empty.path()), None);
    }
}
