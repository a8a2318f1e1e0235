//! The picture in ARCHITECTURE.md, held true: a module imports only what stands before it, and the outside world is
//! touched where it may be.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a crate in pipeline order, and what only some of them may touch.
struct Layers {
    root: &'static str,
    order: &'static [&'static str],
    /// A word, and the modules that may use it.
    guarded: &'static [(&'static str, &'static [&'static str])],
}

const ENGINE: Layers = Layers {
    root: "../engine/src",
    order: &[
        "game", "config", "shogi", "chess", "perft", "mate", "eval", "ordering", "time", "search", "bench",
        "protocol", "main",
    ],
    guarded: &[
        ("tanren::", &[]),
        ("rusqlite", &[]),
        ("std::fs", &[]),
        ("std::net", &[]),
        ("std::io", &["protocol", "main"]),
        ("std::thread", &["protocol", "main"]),
        ("std::time", &["protocol", "main"]),
        ("println!", &[]),
        ("print!", &[]),
        ("f32", &[]),
        ("shogi", NAMES_A_GAME),
        ("Shogi", NAMES_A_GAME),
        ("chess", NAMES_A_GAME),
        ("Chess", NAMES_A_GAME),
        ("cozy_chess", &["chess"]),
    ],
};

/// The rest of the engine is generic over games; they stand before `search` in the order, so the order alone would let
/// search name them.
const NAMES_A_GAME: &[&str] = &[
    "game", "config", "shogi", "chess", "eval", "bench", "protocol", "main",
];

const HARNESS: Layers = Layers {
    root: "src",
    order: &[
        "random",
        "stats",
        "stop",
        "record",
        "platform",
        "interrupt",
        "config",
        "openings",
        "schedule",
        "player",
        "play",
        "standing",
        "crosstable",
        "event",
        "ledger",
        "runner",
        "tune",
        "study",
        "queue",
        "experiment",
        "report",
        "cli",
        "main",
    ],
    guarded: &[
        ("rusqlite", &["ledger"]),
        ("clap", &["cli", "main"]),
        ("indicatif", &["report", "cli"]),
        (
            "rayon",
            &["openings", "runner", "stop", "tune", "study", "experiment", "cli"],
        ),
        ("plotters", &["report"]),
        (
            "std::fs",
            &[
                "config",
                "openings",
                "player",
                "ledger",
                "study",
                "experiment",
                "report",
                "cli",
            ],
        ),
        (
            "std::io",
            &[
                "config",
                "interrupt",
                "platform",
                "openings",
                "player",
                "ledger",
                "study",
                "experiment",
                "report",
                "cli",
            ],
        ),
        ("rustix", &["platform"]),
        ("signal_hook", &["platform"]),
        ("core_affinity", &["platform"]),
        ("std::os::", &["platform"]),
        ("cfg(unix)", &["platform"]),
        ("cfg(not(unix))", &["platform"]),
        ("std::net", &[]),
        ("std::env", &["player", "cli"]),
        ("std::process", &["platform", "player", "cli", "main"]),
        ("println!", &[]),
        ("print!", &[]),
        ("stdout()", &["report"]),
        ("stderr()", &["report"]),
        ("SystemTime", &["cli"]),
        // Only record formats know what a piece is called.
        ("shogi::", &["report", "cli"]),
        ("chess::", &["report", "cli"]),
    ],
};

/// Files that exist for tests alone.
const TEST_FILES: [&str; 5] = ["tests.rs", "toy.rs", "scripted.rs", "duel.rs", "vectors.rs"];

/// What is wrong with the text of one file.
fn violations(layers: &Layers, file: &Path, text: &str) -> Vec<String> {
    let module = module_of(file);
    let place = |name: &str| layers.order.iter().position(|entry| *entry == name);
    let code = code_of(text);
    let Some(here) = place(&module) else {
        return vec![format!(
            "{}: module '{module}' has no place in the order",
            file.display()
        )];
    };
    let mut found = Vec::new();
    for imported in imports(file, &code) {
        match place(&imported) {
            Some(there) if there <= here => {}
            Some(_) => found.push(format!(
                "{}: '{module}' imports the later '{imported}'",
                file.display()
            )),
            None => found.push(format!(
                "{}: '{imported}' has no place in the order",
                file.display()
            )),
        }
    }
    for (word, allowed) in layers.guarded {
        if code.contains(word) && !allowed.contains(&module.as_str()) {
            found.push(format!("{}: '{module}' must not use {word}", file.display()));
        }
    }
    found
}

/// The top-level module that a file belongs to.
fn module_of(file: &Path) -> String {
    let first = file.components().next().unwrap();
    let name = Path::new(first.as_os_str()).file_stem().unwrap();
    name.to_string_lossy().into_owned()
}

/// The text without comments and without what follows the first test module.
fn code_of(text: &str) -> String {
    let end = [
        "#[cfg(test)]\nmod ",
        "#[cfg(test)]\npub(crate) mod ",
        "#[cfg(test)]\npub(super) mod ",
    ]
    .iter()
    .filter_map(|start| {
        let at = text.find(start)?;
        // A test module that is a file of its own may stand anywhere.
        text[at..].lines().nth(1)?.ends_with('{').then_some(at)
    })
    .min()
    .unwrap_or(text.len());
    text[..end]
        .lines()
        .map(|line| line.find("//").map_or(line, |comment| &line[..comment]))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The top-level modules that the code names, by `crate::` or by as many `super::` as lead to the root.
fn imports(file: &Path, code: &str) -> Vec<String> {
    let depth = file.components().count() - usize::from(file.ends_with("mod.rs"));
    let to_root = "super::".repeat(depth);
    let mut found = Vec::new();
    for prefix in ["crate::", to_root.as_str()] {
        for (at, _) in code.match_indices(prefix) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let rest = &code[at + prefix.len()..];
            if let Some(group) = rest.strip_prefix('{') {
                let inside = group.split('}').next().unwrap_or(group);
                found.extend(inside.split(',').map(first_word));
            } else {
                found.push(first_word(rest));
            }
        }
    }
    // Items of the crate's root begin with a capital, if there are any; modules do not.
    found.retain(|name| name.starts_with(|c: char| c.is_lowercase()) && name != "super" && name != "self");
    found.sort();
    found.dedup();
    found
}

fn first_word(text: &str) -> String {
    let text = text.trim_start();
    let text = text.strip_prefix("r#").unwrap_or(text);
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn check(layers: &Layers) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(layers.root);
    let mut found = Vec::new();
    let mut seen = 0;
    for path in sources(&root) {
        let file = path.strip_prefix(&root).unwrap();
        let name = file.file_name().unwrap().to_string_lossy();
        if TEST_FILES.contains(&name.as_ref()) || file == Path::new("lib.rs") {
            continue;
        }
        seen += 1;
        found.extend(violations(layers, file, &fs::read_to_string(&path).unwrap()));
    }
    assert!(seen > 10, "only {seen} files under {}", root.display());
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_engine_keeps_its_layers() {
    check(&ENGINE);
}

#[test]
fn the_harness_keeps_its_layers() {
    check(&HARNESS);
}

#[test]
fn planted_violations_are_found() {
    let cases: [(&Layers, &str, &str, usize); 12] = [
        (&ENGINE, "search/node.rs", "use crate::shogi::Board;", 1),
        (&ENGINE, "search/node.rs", "use tanren::stats::Tally;", 1),
        (
            &ENGINE,
            "shogi/board.rs",
            "use crate::{game::Side, search::MATE};",
            1,
        ),
        (&ENGINE, "eval/mod.rs", "let now = std::time::Instant::now();", 1),
        (
            &HARNESS,
            "stats/elo.rs",
            "use crate::runner::play;\nuse std::fs;",
            2,
        ),
        (&HARNESS, "stats/elo.rs", "use super::super::ledger::Ledger;", 1),
        (&HARNESS, "stop.rs", "use super::report;", 1),
        (
            &HARNESS,
            "play/referee.rs",
            "fn f() { println!(\"{}\", crate::cli::VERSION) }",
            2,
        ),
        (
            &HARNESS,
            "runner/local.rs",
            "use crate::event::Event; // crate::cli",
            0,
        ),
        (
            &HARNESS,
            "runner/local.rs",
            "#[cfg(test)]\nmod tests {\n use crate::cli; }",
            0,
        ),
        (
            &HARNESS,
            "runner/local.rs",
            "#[cfg(test)]\nmod tests;\nuse crate::cli;",
            1,
        ),
        (&HARNESS, "novelty.rs", "", 1),
    ];
    for (layers, file, text, expected) in cases {
        let found = violations(layers, Path::new(file), text);
        assert_eq!(found.len(), expected, "{file}: {text}: {found:?}");
    }
}
