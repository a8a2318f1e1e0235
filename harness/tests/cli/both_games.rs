//! Every command plays chess as it plays shogi: the same options, the same files with the same columns.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::folder::{Ended, Folder, InFolder};

/// A command whose games are short, for each game in a folder of its name.
fn play(folder: &Path, words: &str) {
    for game in ["shogi", "chess"] {
        let out = folder.join(game);
        let common = format!("--game {game} --hash 1 --quiet --out");
        folder
            .run(&format!("{words} {common} {}", out.to_str().unwrap()))
            .ok();
    }
}

/// The first line of every CSV file, and the names of the others but for those that name the game; by path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_csv = path.extension().is_some_and(|extension| extension == "csv");
            let head = match is_csv {
                true => fs::read_to_string(&path)
                    .unwrap()
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                false => String::new(),
            };
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.insert(name.replace("games.fen", "games.sfen"), head);
        }
    }
    found
}

/// Both games left the same files behind, and a report makes them again to the byte.
fn assert_alike(folder: &Path) {
    let [shogi, chess] = ["shogi", "chess"].map(|game| files(&folder.join(game)));
    assert!(shogi.len() > 2, "{shogi:?}");
    assert_eq!(shogi, chess);
    let texts = || -> BTreeMap<String, Vec<u8>> {
        let names = chess.keys().filter(|name| name.ends_with(".csv"));
        names
            .map(|name| (name.clone(), fs::read(folder.join("chess").join(name)).unwrap()))
            .collect()
    };
    let before = texts();
    folder.run("report chess").ok();
    assert_eq!(before, texts());
}

const SHORT: &str = "--nodes 60 --max-plies 40";

#[test]
fn a_match_and_its_replay() {
    let folder = &Folder::new();
    let of_two = "match --a base --b base,lmr=off --pairs 3";
    play(folder, &format!("{of_two} {SHORT}"));
    assert_alike(folder);
    folder.run("run chess/run.toml --out chess --quiet").ok();
    let replayed = folder.run("replay chess --game 1 --json").json();
    assert!(replayed.is_object(), "{replayed}");
    folder.run("verify chess --replay 2").ok();
}

#[test]
fn every_other_kind_of_run() {
    for (words, limit) in [
        (
            "tournament --player base --player plain --player base,lmr=off --pairs 2",
            SHORT,
        ),
        (
            "nodes --config base --config base,null_move=off --depth 3 --limit-positions 4",
            "",
        ),
        ("ablate --only null_move --pairs 2 --node-depth 3", SHORT),
        ("odds --a base --b base,lmr=off --pairs 8 --batch 4", SHORT),
        (
            "tune --tune futility.* --iterations 3 --pairs-per-iteration 1 --confirm-pairs 3",
            SHORT,
        ),
    ] {
        let folder = &Folder::new();
        play(folder, &format!("{words} {limit}"));
        assert_alike(folder);
    }
}

#[test]
fn a_queue() {
    let folder = &Folder::new();
    for game in ["shogi", "chess"] {
        let job = format!(
            "[[job]]\nname = \"one\"\ncommand = \"match\"\ngame = \"{game}\"\na = \"base\"\nb = \"base,lmr=off\"\nnodes = 60\npairs = 2\n\
             max_plies = 40\nhash = 1\n"
        );
        folder.write("queue.toml", job);
        folder.run(&format!("run queue.toml --quiet --out {game}")).ok();
    }
    let [shogi, chess] = ["shogi", "chess"].map(|game| files(&folder.join(game)));
    assert_eq!(shogi, chess);
}

#[test]
fn openings_are_made_and_examined() {
    let folder = &Folder::new();
    for game in ["shogi", "chess"] {
        let made = format!("openings generate --game {game} --count 3 --nodes 100 --quiet --out {game}");
        folder.run(&made).ok();
        let stats = folder
            .run(&format!("openings stats --game {game} {game} --json"))
            .json();
        assert_eq!(stats["positions"], 3, "{game}: {stats}");
    }
}

#[test]
fn our_engine_passes_the_check_in_both_protocols() {
    let folder = &Folder::new();
    let engine = crate::engines::own_engine().display().to_string();
    for (game, protocol) in [("shogi", "usi"), ("chess", "uci")] {
        let program = format!("{protocol}:{engine}");
        folder.run(&format!("check '{program}' --game {game}")).ok();
    }
}
