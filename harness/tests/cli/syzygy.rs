//! Games that endgame tables end, by the real program.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::{Ended, Folder, InFolder, holds};

/// White can but take a pawn and wins; a pawn of black's is lost, or held.
const OPENINGS: &str =
    "8/8/8/8/8/7k/6p1/6QK w - - 0 1\n8/5k2/8/4pK2/8/8/8/8 w - - 0 1\n8/8/8/8/1pk5/8/8/1K6 b - - 0 1\n";

fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy")
}

fn copy_tables(folder: &Path, names: &[&str]) {
    fs::create_dir(folder).unwrap();
    for name in names {
        fs::copy(tables().join(name), folder.join(name)).unwrap();
    }
}

fn play(folder: &Path, more: &str) -> std::process::Output {
    let args = "match --game chess --a base --b plain --nodes 300 --pairs 3 --openings o.epd --out m \
        --json --quiet";
    folder.run(&format!("{args} {more}"))
}

#[test]
fn a_game_ends_where_the_tables_know_its_result_and_can_be_played_again() {
    let folder = &Folder::new();
    folder.write("o.epd", OPENINGS);
    let tables = tables();
    let tables = tables.to_str().unwrap();
    let played = play(folder, &format!("--syzygy '{tables}'")).ok();
    let of = |name| folder.column("m/games.csv", name);
    let (reasons, openings, results) = (of("reason"), of("opening"), of("result"));
    let of_first: Vec<_> = (0..6).filter(|&game| openings[game] == "1").collect();
    assert_eq!(of_first.len(), 2);
    for game in of_first {
        assert_eq!(
            (reasons[game].as_str(), results[game].as_str()),
            ("syzygy", "1-0")
        );
        assert_eq!(of("plies")[game], "1");
    }
    for command in ["verify m --replay 3", "replay m --pair 1"] {
        folder.run(command).ok();
    }
    folder.run("report m --records pgn").ok();
    let pgn = folder.read("m/games.pgn");
    holds(&pgn, ["{syzygy} 1-0", "[Termination \"adjudication\"]"]);
    assert_eq!(played.json()["games"].as_u64(), Some(6));
}

#[test]
fn a_run_goes_on_with_its_own_tables_alone() {
    let folder = &Folder::new();
    folder.write("o.epd", OPENINGS);
    copy_tables(&folder.join("t"), &["KQvK.rtbw", "KPvK.rtbw"]);
    play(folder, "--syzygy t --pause-after 1").ok();
    copy_tables(&folder.join("u"), &["KQvK.rtbw"]);
    for others in ["--syzygy u", ""] {
        play(folder, others).refused("syzygy");
    }
    // The same tables elsewhere, by the specification of the run.
    fs::rename(folder.join("t"), folder.join("v")).unwrap();
    play(folder, "--syzygy v").ok();
    folder.run("report m").ok();
}

#[test]
fn what_is_no_folder_of_tables_is_refused_before_the_first_game() {
    let folder = &Folder::new();
    folder.write("o.epd", OPENINGS);
    fs::create_dir(folder.join("empty")).unwrap();
    copy_tables(&folder.join("damaged"), &["KQvK.rtbw"]);
    folder.write("damaged/KRvK.rtbw", "KRvK");
    for (tables, expected) in [
        ("absent", "absent"),
        ("empty", "KQvK.rtbw"),
        ("damaged", "KRvK.rtbw"),
    ] {
        play(folder, &format!("--syzygy '{tables}'")).refused(expected);
        assert!(!folder.join("m").exists());
    }
    let file = "command = \"match\"\ngame = \"chess\"\na = \"base\"\nb = \"plain\"\nnodes = 100\npairs = 1\nsyzygy = \"absent\"\n";
    folder.write("r.toml", file);
    folder.run("run r.toml --dry-run").refused("line 7");
    folder
        .run("match --syzygy empty --pairs 1 --out m")
        .refused("--game chess");
}

#[test]
fn every_kind_of_run_of_games_takes_tables() {
    let folder = &Folder::new();
    folder.write("o.epd", OPENINGS);
    let tables = tables();
    let common = format!(
        "--game chess --openings o.epd --repeat --nodes 200 --quiet --syzygy '{}'",
        tables.to_str().unwrap()
    );
    let runs: [(&str, &str); 3] = [
        ("tournament --player base --player plain --rounds 2 --out t", "t"),
        (
            "odds --a base --b plain --pairs 4 --batch 2 --out o",
            "o/batches/001",
        ),
        ("ablate --only null_move --pairs 2 --node-depth 2 --out a", "a"),
    ];
    for (words, games) in runs {
        folder.run(&format!("{words} {common}")).ok();
        let games = format!("{games}/games.csv");
        if folder.join(&games).exists() {
            let reasons = folder.column(&games, "reason");
            assert!(reasons.contains(&"syzygy".to_owned()), "{words:?}");
        }
    }
}
