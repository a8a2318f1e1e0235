//! `tanren verify`, and runs whose ledgers were changed: nothing that is not proved is counted.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::tanren;
use crate::folder::{Ended, Folder, InFolder, words};
use tanren::internals::{Finished, Ledger, LedgerError, Manifest, PairRecord, Reason};

const GAMES: &str = "--nodes 40 --hash 1 --max-plies 60 --quiet";
const MATCH: &str = "match --b base,lmr=off --pairs 6 --out m";

fn play(folder: &Path, args: &str) -> std::process::Output {
    folder.run(&format!("{args} {GAMES}")).ok()
}

/// Writes the ledger in `folder` anew, with checksums that fit what `change` makes of it.
fn rewrite(folder: &Path, change: impl FnOnce(&mut Manifest, &mut [PairRecord])) {
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
fn a_game_that_goes_another_way_is_shown_with_the_ply() {
    let folder = &Folder::new();
    play(folder, MATCH);
    rewrite(&folder.join("m"), |manifest, _| {
        manifest.spec_toml = manifest.spec_toml.replace("40", "41");
    });
    let text = folder.run("replay m --game 1").ended(1).text();
    assert!(
        text.starts_with("game 1: different from ply ") && text.contains(" then, "),
        "{text}"
    );
}

/// Permission bits do not bind root, who gives that up with `setpriv` (util-linux) for a copy of the program that everybody can run.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_not_be_written_is_reported_and_verified() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let folder = &Folder::new();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    play(folder, MATCH);
    let program = folder.join("tanren");
    // By another process: a child that another test starts could hold a file that this one writes.
    let mut copy = Command::new("cp");
    assert!(
        copy.arg(tanren().get_program())
            .arg(&program)
            .status()
            .unwrap()
            .success()
    );
    mode(&program, 0o755);
    mode(folder, 0o755);
    mode(&folder.join("m"), 0o555);
    let is_root = fs::metadata(&program).unwrap().uid() == 0;
    for args in ["report m", "verify m"] {
        let mut command = if is_root {
            let mut command = Command::new("setpriv");
            command
                .args(words("--reuid=65534 --regid=65534 --clear-groups"))
                .arg(&program);
            command
        } else {
            Command::new(&program)
        };
        let output = command
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
