//! The tables: the order of the stages, what only some of them may touch, and the judgement by both.

use crate::known;
use crate::parse::Names;
use crate::tree::{SourceFile, Target, Tree};

/// The stages of a crate in the order of their pipeline, and what only some of them may touch.
pub(crate) struct Layers {
    /// What the crate is called in paths.
    pub(crate) name: &'static str,
    /// Its sources.
    pub(crate) root: &'static str,
    /// A stage imports only those before it. One that is not there yet harms nothing.
    pub(crate) order: &'static [&'static str],
    pub(crate) guarded: &'static [(Guarded, &'static [&'static str])],
    /// Files that may import each other in a circle.
    pub(crate) recursions: &'static [&'static [&'static str]],
    /// Circles that are still to be cut.
    pub(crate) known_circles: &'static [&'static [&'static str]],
}

/// What only the stages beside it may use.
pub(crate) enum Guarded {
    /// Paths that begin with this, however they were imported.
    Path(&'static str),
    /// Identifiers with this in them, in small or capital letters.
    Word(&'static str),
}
use Guarded::{Path, Word};

pub(crate) const ENGINE: Layers = Layers {
    name: "tanren_engine",
    root: "../engine/src",
    order: &[
        "large_pages",
        "game",
        "shogi",
        "chess",
        "perft",
        "mate",
        "config",
        "eval",
        "ordering",
        "time",
        "search",
        "compiled",
        "bench",
        "protocol",
        "main",
    ],
    guarded: &[
        (Path("tanren"), &[]),
        (Path("rusqlite"), &[]),
        (Path("std::fs"), &[]),
        (Path("std::net"), &[]),
        (Path("std::io"), &["protocol", "main"]),
        (Path("std::thread"), &["protocol", "main"]),
        (Path("std::time"), &["protocol", "main"]),
        (Path("std::process"), &["main"]),
        (Path("std::env"), &["main"]),
        (Path("println!"), &[]),
        (Path("print!"), &[]),
        (Path("eprintln!"), &[]),
        (Path("eprint!"), &[]),
        (Path("dbg!"), &[]),
        (Path("f32"), &[]),
        // What a score is worth is told, and nothing is played by it.
        (Path("f64"), &["protocol"]),
        (Path("cozy_chess"), &["chess", "eval"]),
        (Path("libc"), &["large_pages"]),
        // Search is generic over games. They stand before it, so the order alone would let it name them.
        (Word("shogi"), NAMES_A_GAME),
        (Word("chess"), NAMES_A_GAME),
    ],
    recursions: &[],
    known_circles: known::ENGINE,
};

const NAMES_A_GAME: &[&str] = &[
    "game", "config", "shogi", "chess", "eval", "compiled", "bench", "protocol", "main",
];

pub(crate) const HARNESS: Layers = Layers {
    name: "tanren",
    root: "src",
    order: &[
        "random",
        "foreign",
        "stats",
        "stop",
        "record",
        "platform",
        "interrupt",
        "config",
        "openings",
        "endgame",
        "schedule",
        "player",
        "play",
        "standing",
        "crosstable",
        "event",
        "ledger",
        "runner",
        "fleet",
        "tune",
        "study",
        "queue",
        "experiment",
        "report",
        "web",
        "cli",
        "fuzzing",
        "main",
    ],
    guarded: &[
        (Path("rusqlite"), &["ledger"]),
        (Path("clap"), &["cli", "main"]),
        (Path("indicatif"), &["report", "cli"]),
        (
            Path("rayon"),
            &["openings", "runner", "stop", "tune", "study", "experiment", "cli"],
        ),
        (Path("plotters"), &["report"]),
        (Path("cozy_chess"), &["endgame", "report"]),
        (Path("pyrrhic_rs"), &["endgame"]),
        (Path("async_nats"), &["fleet"]),
        (Path("nkeys"), &["fleet"]),
        (Path("rcgen"), &["fleet"]),
        (Path("tokio"), &["fleet", "web"]),
        (Path("axum"), &["web"]),
        (Path("hyper"), &["web"]),
        (Path("std::fs"), FILES),
        (Path("std::io"), INPUT),
        (Path("std::net"), &["fleet", "web", "cli"]),
        (Path("std::env"), &["player", "experiment", "cli"]),
        (
            Path("std::process"),
            &["platform", "player", "fleet", "experiment", "cli", "main"],
        ),
        (Path("std::thread"), THREADS),
        (Path("std::time::Instant"), CLOCKS),
        (Path("std::time::SystemTime"), &["platform", "experiment", "cli"]),
        (Path("std::io::stdout"), &["report"]),
        (Path("std::io::stderr"), &["report"]),
        (Path("println!"), &[]),
        (Path("print!"), &[]),
        (Path("eprintln!"), &[]),
        (Path("eprint!"), &[]),
        (Path("dbg!"), &[]),
        (Path("std::os"), &["platform"]),
        (Path("rustix"), &["platform"]),
        (Path("libc"), &["platform"]),
        (Path("windows"), &["platform"]),
        (Path("process_wrap"), &["platform"]),
        (Path("signal_hook"), &["platform"]),
        (Path("core_affinity"), &["platform"]),
        // Tokio has the sockets of Unix there alone.
        (Path("cfg(unix)"), &["platform", "web"]),
        (Path("cfg(windows)"), &["platform"]),
        (Path("cfg(target_os)"), &["platform"]),
        // Only records of games know what a piece is called, those that are read and those that are written.
        (
            Path("tanren_engine::shogi"),
            &["openings", "experiment", "report", "fuzzing"],
        ),
        (
            Path("tanren_engine::chess"),
            &["openings", "endgame", "experiment", "report", "fuzzing"],
        ),
    ],
    recursions: &[],
    known_circles: known::HARNESS,
};

const FILES: &[&str] = &[
    // What Linux tells of itself stands in files.
    "platform",
    "config",
    "openings",
    "endgame",
    "player",
    "ledger",
    "fleet",
    "study",
    "experiment",
    "report",
    "web",
    "cli",
];
const INPUT: &[&str] = &[
    "platform",
    "interrupt",
    "config",
    "openings",
    "endgame",
    "player",
    "ledger",
    "fleet",
    "study",
    "experiment",
    "report",
    "web",
    "cli",
];
const THREADS: &[&str] = &[
    "platform",
    "interrupt",
    "player",
    "ledger",
    "runner",
    "fleet",
    "report",
    "experiment",
    "cli",
];
const CLOCKS: &[&str] = &[
    "platform",
    "interrupt",
    "player",
    "play",
    "runner",
    "fleet",
    "study",
    "experiment",
    "report",
    "web",
    "cli",
];

/// What is wrong with each file.
pub(crate) fn violations(layers: &Layers, tree: &Tree) -> Vec<String> {
    let mut found: Vec<String> = tree
        .files()
        .flat_map(|file| violations_of(layers, tree, file))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn violations_of(layers: &Layers, tree: &Tree, file: &SourceFile) -> Vec<String> {
    let place = |stage: &str| layers.order.iter().position(|entry| *entry == stage);
    // The front door hands on what it likes.
    let Some(stage) = file.module.first() else {
        return Vec::new();
    };
    let Some(here) = place(stage) else {
        return vec![format!(
            "{}: stage '{stage}' has no place in the order",
            file.path
        )];
    };
    let mut found = Vec::new();
    for used in tree.uses(file) {
        let complaints = match &used.target {
            Target::Own(path) => match path.first() {
                None => Vec::new(),
                Some(other) => match place(other) {
                    Some(there) if there <= here => Vec::new(),
                    Some(_) => vec![format!("'{stage}' imports the later '{}'", path.join("::"))],
                    None => vec![format!("'{}' has no place in the order", path.join("::"))],
                },
            },
            Target::Other(path) => guards_of(layers, stage, path)
                .map(|guarded| format!("'{stage}' must not use {guarded}"))
                .collect(),
        };
        let complaints = complaints.into_iter();
        found.extend(complaints.map(|complaint| format!("{}:{}: {complaint}", file.path, used.line)));
    }
    found.extend(words_of(layers, stage, &file.names).map(|complaint| format!("{}:{complaint}", file.path)));
    found
}

/// What guards `path` from `stage`.
fn guards_of(layers: &Layers, stage: &str, path: &[String]) -> impl Iterator<Item = &'static str> {
    layers.guarded.iter().filter_map(move |(guarded, allowed)| {
        let Path(text) = guarded else { return None };
        let is_guarded = text
            .split("::")
            .enumerate()
            .all(|(at, word)| path.get(at).is_some_and(|own| own == word));
        (is_guarded && !allowed.contains(&stage)).then_some(*text)
    })
}

fn words_of<'a>(layers: &'a Layers, stage: &'a str, names: &'a Names) -> impl Iterator<Item = String> + 'a {
    names.words.iter().filter_map(move |(word, line)| {
        layers.guarded.iter().find_map(|(guarded, allowed)| {
            let Word(text) = guarded else { return None };
            let is_guarded = word.to_lowercase().contains(text) && !allowed.contains(&stage);
            is_guarded.then(|| format!("{line}: '{stage}' must not name {text}"))
        })
    })
}
