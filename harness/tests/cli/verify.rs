//! `tanren verify`, and runs whose ledgers were changed: nothing that is not proved is counted.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{columns_but_times, tanren};
use crate::folder::{Ended, Folder, InFolder, words};
use rusqlite::Connection;
use tanren::internals::{Finished, Ledger, LedgerError, Manifest, PairRecord, Reason};

const GAMES: &str = "--nodes 40 --hash 1 --max-plies 60 --quiet";
const MATCH: &str = "match --b base,lmr=off --pairs 6 --out m";

fn play(folder: &Path, args: &str) -> std::process::Output {
    folder.run(&format!("{args} {GAMES}")).ok()
}

fn change(folder: &Path, statement: &str) {
    let connection = Connection::open(folder.join("ledger.sqlite")).unwrap();
    connection.execute_batch(statement).unwrap();
}

/// Writes the ledger in `folder` anew, with checksums that fit what `change` makes of it.
pub(crate) fn rewrite(folder: &Path, change: impl FnOnce(&mut Manifest, &mut [PairRecord])) {
    let ledger = Ledger::open_existing(folder).unwrap();
    let (mut manifest, mut pairs) = (ledger.manifest().unwrap(), Vec::new());
    let all = ledger.for_each_pair(u64::MAX, |pair| {
        pairs.push(pair);
        Ok::<(), LedgerError>(())
    });
    all.unwrap();
    drop(ledger);
    change(&mut manifest, &mut pairs);
    let fresh = folder.join("fresh");
    Ledger::open_or_create(&fresh, &manifest)
        .unwrap()
        .insert(
            &pairs
                .into_iter()
                .map(|pair| (Finished::Pair(pair), None))
                .collect::<Vec<_>>(),
        )
        .unwrap();
    fs::rename(fresh.join("ledger.sqlite"), folder.join("ledger.sqlite")).unwrap();
    fs::remove_dir_all(fresh).unwrap();
}

/// The files that measure no time, and the columns of the others that do not.
fn results(folder: &Path) -> Vec<String> {
    let mut files = ["summary.csv", "sprt.csv", "games.sfen", "run.toml"]
        .map(|name| folder.read(name))
        .to_vec();
    files.push(columns_but_times(&folder.read("games.csv")));
    files
}

#[test]
fn runs_of_every_kind_are_good_with_all_their_parts() {
    let folder = &Folder::new();
    let space = "lmr.base, int, 700, 0, 4096, 300, 0.002\n";
    folder.write("space.txt", space);
    play(folder, MATCH);
    let players = "--player base --player plain --player base,lmr=off";
    play(folder, &format!("tournament --pairs 2 --out t {players}"));
    let tune = "tune --space space.txt --iterations 2 --confirm-pairs 2 --out tune";
    play(folder, tune);
    play(folder, "odds --b base,lmr=off --pairs 4 --out odds");
    let nodes = "nodes --config base --depth 3 --limit-positions 2 --quiet --out nodes";
    folder.run(nodes).ok();
    for (kind, ledgers) in [("m", 1), ("t", 1), ("tune", 1), ("odds", 2), ("nodes", 1)] {
        let output = folder.run(&format!("verify {kind} --replay 1")).ok();
        let good = output
            .text()
            .lines()
            .filter(|line| line.ends_with(": good"))
            .count();
        assert!(good >= ledgers, "{}", output.text());
    }
    let output = folder.run("verify m t --json --replay 2");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found[0]["ledgers"][0]["replayed_pairs"], 2);
    assert_eq!(found[0]["ledgers"][0]["different_games"], 0);
    assert_eq!(found[1]["good"], true);
    folder.run("verify nothing").ended(2);
}

#[test]
fn openings_are_looked_for_from_the_folder_of_the_run_and_accuse_nobody_once_they_changed() {
    let folder = &Folder::new();
    let elsewhere = folder.join("a/b");
    fs::create_dir_all(&elsewhere).unwrap();
    let of_moves = |moves: [&str; 2]| format!("startpos moves {}\nstartpos moves {}\n", moves[0], moves[1]);
    folder.write("mine.sfen", of_moves(["7g7f", "2g2f"]));
    // What stands where the run began from another folder is of nobody's games.
    folder.write("a/mine.sfen", of_moves(["1g1f", "9g9f"]));
    let args = "match --b plain --pairs 2 --openings mine.sfen --out m";
    play(folder, args);
    let good = elsewhere.run("verify ../../m").ok();
    assert!(!good.text().contains("not compared"), "{}", good.text());
    folder.write("mine.sfen", of_moves(["1g1f", "9g9f"]));
    let changed = elsewhere.run("verify ../../m").ok();
    changed.prints(["the file is not what it was when the run began"]);
}

#[test]
fn a_damaged_pair_is_named_and_played_again_to_the_same_files() {
    let folder = &Folder::new();
    play(folder, MATCH);
    let before = results(&folder.join("m"));
    change(
        &folder.join("m"),
        "UPDATE unit SET summary = (SELECT summary FROM unit WHERE number = 1) WHERE number = 2",
    );
    let verified = folder.run("verify m").ended(1);
    verified.prints(["  pair 3: its result"]);
    folder.run("report m").refused("pair 3: ");
    let resumed = play(folder, MATCH);
    resumed.says(["the 5 pairs"]);
    assert_eq!(results(&folder.join("m")), before);
    folder.run("verify m --replay 6").ok();
    assert!(folder.join("m/ledger.damaged.sqlite").exists());
}

#[test]
fn pairs_that_were_deleted_are_missed_by_every_command_and_played_again() {
    let folder = &Folder::new();
    play(folder, MATCH);
    let before = results(&folder.join("m"));
    change(&folder.join("m"), "DELETE FROM unit WHERE number > 1");
    for (command, code) in [("report m", 2), ("verify m", 1)] {
        let output = folder.run(command);
        assert_eq!(output.status.code(), Some(code), "{command}");
        let said = output.text() + &output.message();
        assert!(said.contains("4 of 6 stored pairs are missing"), "{said}");
    }
    let resumed = play(folder, MATCH);
    resumed.says(["the 2 pairs"]);
    assert_eq!(results(&folder.join("m")), before);
}

#[test]
fn a_page_that_was_overwritten_is_damage_in_our_words_and_played_again() {
    let folder = &Folder::new();
    play(folder, MATCH);
    let before = results(&folder.join("m"));
    let path = folder.join("m/ledger.sqlite");
    let whole = fs::read(&path).unwrap();
    for page in [1, whole.len() / 8192 - 1] {
        let mut bytes = whole.clone();
        bytes[page * 8192..][..8192].fill(0x5a);
        fs::write(&path, bytes).unwrap();
        for command in ["verify", "report"] {
            let output = folder.run(&format!("'{command}' m"));
            assert!([Some(1), Some(2)].contains(&output.status.code()), "{command}");
            let said = output.text() + &output.message();
            assert!(said.contains("damaged") && !said.contains("panicked"), "{said}");
        }
        play(folder, MATCH);
        assert_eq!(results(&folder.join("m")), before, "page {page}");
    }
}

#[test]
fn a_ledger_that_contradicts_the_rules_is_found() {
    let folder = &Folder::new();
    play(folder, MATCH);
    rewrite(&folder.join("m"), |_, pairs| {
        let game = &mut pairs[2].games[1];
        (game.winner, game.reason) = (None, Reason::Stalemate);
        pairs[1].games[0].seed += 1;
    });
    let output = folder.run("verify m").ended(1);
    output.prints([
        "game 6 (pair 3): recorded as a draw (stalemate)",
        "pair 2: its players or seeds",
    ]);
}

#[test]
fn a_run_whose_ledger_is_deleted_fails_and_says_so() {
    let folder = &Folder::new();
    let child = tanren()
        .args(words(
            "match --b base,lmr=off --nodes 200 --pairs 20000 --out m --quiet",
        ))
        .current_dir(folder)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let ledger = folder.join("m/ledger.sqlite");
    let log = folder.join("m/ledger.sqlite-wal");
    while !log.metadata().is_ok_and(|log| log.len() > 0) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    fs::remove_file(ledger).unwrap();
    let output = child.wait_with_output().unwrap().ended(1);
    output.says(["deleted, moved or replaced"]);
}

#[test]
fn no_file_that_exists_is_replaced_without_being_told() {
    let folder = &Folder::new();
    play(folder, MATCH);
    folder.write(
        "in.sfen",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n",
    );
    let simulate = "simulate --elo 0 --elo1 80 --matches 20 --quiet --out out";
    let commands: [&str; 4] = [
        simulate,
        "tune --bench --games 40 --seeds 1 --quiet --out out",
        "openings dedup in.sfen --out out",
        "openings generate --count 1 --nodes 100 --quiet --out out",
    ];
    let out = folder.join("out");
    for command in commands {
        fs::write(&out, "precious\n").unwrap();
        folder.run(command).refused("--force");
        assert_eq!(fs::read_to_string(&out).unwrap(), "precious\n", "{command:?}");
        folder.run(&format!("{command} --force")).ok();
        assert_ne!(fs::read_to_string(&out).unwrap(), "precious\n", "{command:?}");
    }
    // What a simulation left is taken up.
    fs::remove_file(&out).unwrap();
    for _ in 0..2 {
        folder.run(simulate).ok();
    }
}

/// As root, permission bits do not bind: this test gives them up with `setpriv` (util-linux) for the command that reads.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs root, setpriv, and a program that everybody can run"]
fn a_folder_that_may_not_be_written_is_reported_and_verified() {
    use std::os::unix::fs::PermissionsExt;
    let folder = &Folder::new();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    play(folder, MATCH);
    mode(folder, 0o755);
    mode(&folder.join("m"), 0o555);
    for args in ["report m", "verify m"] {
        let tanren = tanren();
        let output = Command::new("setpriv")
            .args(words("--reuid=65534 --regid=65534 --clear-groups"))
            .arg(tanren.get_program())
            .args(words(args))
            .current_dir(folder)
            .output()
            .unwrap()
            .ok();
        assert!(!output.text().is_empty());
        assert_eq!(
            output.message().contains("no file is made again"),
            args == "report m"
        );
    }
    mode(&folder.join("m"), 0o755);
}
