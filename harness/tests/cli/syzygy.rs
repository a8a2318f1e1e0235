//! Games that endgame tables end, by the real program.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{json, run, stderr};

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

fn play(folder: &Path, more: &[&str]) -> std::process::Output {
    let args = [
        "match",
        "--game",
        "chess",
        "--a",
        "base",
        "--b",
        "plain",
        "--nodes",
        "300",
        "--pairs",
        "3",
        "--openings",
        "o.epd",
        "--out",
        "m",
        "--json",
        "--quiet",
    ];
    run(folder, &[&args[..], more].concat())
}

fn rows(path: &Path, column: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let at = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == column)
        .unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}

#[test]
fn a_game_ends_where_the_tables_know_its_result_and_can_be_played_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("o.epd"), OPENINGS).unwrap();
    let tables = tables();
    let tables = tables.to_str().unwrap();
    let played = play(folder.path(), &["--syzygy", tables]);
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let games = folder.path().join("m/games.csv");
    let (reasons, openings, results) = (
        rows(&games, "reason"),
        rows(&games, "opening"),
        rows(&games, "result"),
    );
    let of_first: Vec<_> = (0..6).filter(|&game| openings[game] == "1").collect();
    assert_eq!(of_first.len(), 2);
    for game in of_first {
        assert_eq!(
            (reasons[game].as_str(), results[game].as_str()),
            ("syzygy", "1-0")
        );
        assert_eq!(rows(&games, "plies")[game], "1");
    }
    for command in [
        &["verify", "m", "--replay", "3"][..],
        &["replay", "m", "--pair", "1"],
    ] {
        let again = run(folder.path(), command);
        assert_eq!(again.status.code(), Some(0), "{command:?} {}", stderr(&again));
    }
    let records = run(folder.path(), &["report", "m", "--records", "pgn"]);
    assert_eq!(records.status.code(), Some(0), "{}", stderr(&records));
    let pgn = fs::read_to_string(folder.path().join("m/games.pgn")).unwrap();
    assert!(
        pgn.contains("{syzygy} 1-0") && pgn.contains("[Termination \"adjudication\"]"),
        "{pgn}"
    );
    assert_eq!(json(&played)["games"].as_u64(), Some(6));
}

#[test]
fn a_run_goes_on_with_its_own_tables_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("o.epd"), OPENINGS).unwrap();
    copy_tables(&folder.path().join("t"), &["KQvK.rtbw", "KPvK.rtbw"]);
    let first = play(folder.path(), &["--syzygy", "t", "--pause-after", "1"]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    copy_tables(&folder.path().join("u"), &["KQvK.rtbw"]);
    for others in [&["--syzygy", "u"][..], &[]] {
        let refused = play(folder.path(), others);
        assert!(
            refused.status.code() == Some(2) && stderr(&refused).contains("syzygy"),
            "{}",
            stderr(&refused)
        );
    }
    // The same tables elsewhere, by the specification of the run.
    fs::rename(folder.path().join("t"), folder.path().join("v")).unwrap();
    let whole = play(folder.path(), &["--syzygy", "v"]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let reported = run(folder.path(), &["report", "m"]);
    assert_eq!(reported.status.code(), Some(0), "{}", stderr(&reported));
}

#[test]
fn what_is_no_folder_of_tables_is_refused_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("o.epd"), OPENINGS).unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    copy_tables(&folder.path().join("damaged"), &["KQvK.rtbw"]);
    fs::write(folder.path().join("damaged/KRvK.rtbw"), "KRvK").unwrap();
    for (tables, expected) in [
        ("absent", "absent"),
        ("empty", "KQvK.rtbw"),
        ("damaged", "KRvK.rtbw"),
    ] {
        let refused = play(folder.path(), &["--syzygy", tables]);
        assert!(
            refused.status.code() == Some(2) && stderr(&refused).contains(expected),
            "{}",
            stderr(&refused)
        );
        assert!(!folder.path().join("m").exists());
    }
    let file = "command = \"match\"\ngame = \"chess\"\na = \"base\"\nb = \"plain\"\nnodes = 100\npairs = 1\nsyzygy = \"absent\"\n";
    fs::write(folder.path().join("r.toml"), file).unwrap();
    let looked_at = run(folder.path(), &["run", "r.toml", "--dry-run"]);
    assert!(
        looked_at.status.code() == Some(2) && stderr(&looked_at).contains("line 7"),
        "{}",
        stderr(&looked_at)
    );
    let shogi = run(
        folder.path(),
        &["match", "--syzygy", "empty", "--pairs", "1", "--out", "m"],
    );
    assert!(
        shogi.status.code() == Some(2) && stderr(&shogi).contains("--game chess"),
        "{}",
        stderr(&shogi)
    );
}

#[test]
fn every_kind_of_run_of_games_takes_tables() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("o.epd"), OPENINGS).unwrap();
    let tables = tables();
    let common = [
        "--game",
        "chess",
        "--openings",
        "o.epd",
        "--repeat",
        "--nodes",
        "200",
        "--quiet",
        "--syzygy",
        tables.to_str().unwrap(),
    ];
    let runs: [(&[&str], &str); 3] = [
        (
            &[
                "tournament",
                "--player",
                "base",
                "--player",
                "plain",
                "--rounds",
                "2",
                "--out",
                "t",
            ],
            "t",
        ),
        (
            &[
                "odds", "--a", "base", "--b", "plain", "--pairs", "4", "--batch", "2", "--out", "o",
            ],
            "o/batches/001",
        ),
        (
            &[
                "ablate",
                "--only",
                "null_move",
                "--pairs",
                "2",
                "--node-depth",
                "2",
                "--out",
                "a",
            ],
            "a",
        ),
    ];
    for (words, games) in runs {
        let played = run(folder.path(), &[words, &common[..]].concat());
        assert_eq!(played.status.code(), Some(0), "{words:?} {}", stderr(&played));
        let games = folder.path().join(games).join("games.csv");
        if games.exists() {
            assert!(rows(&games, "reason").contains(&"syzygy".to_owned()), "{words:?}");
        }
    }
}
