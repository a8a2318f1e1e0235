//! Every command plays chess as it plays shogi: the same options, the same files with the same columns.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{json, run, stderr};

/// A command whose games are short, for each game in a folder of its name.
fn play(folder: &Path, words: &[&str]) {
    for game in ["shogi", "chess"] {
        let out = folder.join(game);
        let common = ["--game", game, "--hash", "1", "--quiet", "--out"];
        let output = run(folder, &[words, &common[..], &[out.to_str().unwrap()]].concat());
        assert_eq!(output.status.code(), Some(0), "{game}: {}", stderr(&output));
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
    let reported = run(folder, &["report", "chess"]);
    assert_eq!(reported.status.code(), Some(0), "{}", stderr(&reported));
    assert_eq!(before, texts());
}

const SHORT: [&str; 4] = ["--nodes", "60", "--max-plies", "40"];

#[test]
fn a_match_and_its_replay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let of_two = ["match", "--a", "base", "--b", "base,lmr=off", "--pairs", "3"];
    play(folder, &[&of_two[..], &SHORT].concat());
    assert_alike(folder);
    let again = run(folder, &["run", "chess/run.toml", "--out", "chess", "--quiet"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    let replayed = json(&run(folder, &["replay", "chess", "--game", "1", "--json"]));
    assert!(replayed.is_object(), "{replayed}");
    let verified = run(folder, &["verify", "chess", "--replay", "2"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
}

#[test]
fn a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let of_three = [
        "tournament",
        "--player",
        "base",
        "--player",
        "plain",
        "--player",
        "base,lmr=off",
        "--pairs",
        "2",
    ];
    play(folder.path(), &[&of_three[..], &SHORT].concat());
    assert_alike(folder.path());
}

#[test]
fn a_count_of_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let count = [
        "nodes",
        "--config",
        "base",
        "--config",
        "base,null_move=off",
        "--depth",
        "3",
        "--limit-positions",
        "4",
    ];
    play(folder.path(), &count);
    assert_alike(folder.path());
}

#[test]
fn an_ablation() {
    let folder = tempfile::tempdir().unwrap();
    let ablation = [
        "ablate",
        "--only",
        "null_move",
        "--pairs",
        "2",
        "--node-depth",
        "3",
    ];
    play(folder.path(), &[&ablation[..], &SHORT].concat());
    assert_alike(folder.path());
}

#[test]
fn a_study_of_odds() {
    let folder = tempfile::tempdir().unwrap();
    let odds = [
        "odds",
        "--a",
        "base",
        "--b",
        "base,lmr=off",
        "--nodes",
        "60",
        "--max-plies",
        "40",
        "--pairs",
        "8",
        "--batch",
        "4",
    ];
    play(folder.path(), &odds);
    assert_alike(folder.path());
}

#[test]
fn a_tuning() {
    let folder = tempfile::tempdir().unwrap();
    let tuning = [
        "tune",
        "--tune",
        "futility.*",
        "--iterations",
        "3",
        "--pairs-per-iteration",
        "1",
        "--confirm-pairs",
        "3",
    ];
    play(folder.path(), &[&tuning[..], &SHORT].concat());
    assert_alike(folder.path());
}

#[test]
fn a_night() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for game in ["shogi", "chess"] {
        let job = format!(
            "[[job]]\nname = \"one\"\ncommand = \"match\"\ngame = \"{game}\"\na = \"base\"\nb = \"base,lmr=off\"\nnodes = 60\npairs = 2\n\
             max_plies = 40\nhash = 1\n"
        );
        fs::write(folder.join("night.toml"), job).unwrap();
        let output = run(folder, &["run", "night.toml", "--quiet", "--out", game]);
        assert_eq!(output.status.code(), Some(0), "{game}: {}", stderr(&output));
    }
    let [shogi, chess] = ["shogi", "chess"].map(|game| files(&folder.join(game)));
    assert_eq!(shogi, chess);
}

#[test]
fn openings_are_made_and_examined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for game in ["shogi", "chess"] {
        let made = [
            "openings", "generate", "--game", game, "--count", "3", "--nodes", "100", "--quiet", "--out",
            game,
        ];
        let output = run(folder, &made);
        assert_eq!(output.status.code(), Some(0), "{game}: {}", stderr(&output));
        let stats = json(&run(
            folder,
            &["openings", "stats", "--game", game, game, "--json"],
        ));
        assert_eq!(stats["positions"], 3, "{game}: {stats}");
    }
}

#[test]
fn our_engine_passes_the_check_in_both_protocols() {
    let folder = tempfile::tempdir().unwrap();
    let engine = crate::engines::own_engine().display().to_string();
    for (game, protocol) in [("shogi", "usi"), ("chess", "uci")] {
        let program = format!("{protocol}:{engine}");
        let output = run(folder.path(), &["check", &program, "--game", game]);
        assert_eq!(output.status.code(), Some(0), "{game}: {}", stderr(&output));
    }
}
