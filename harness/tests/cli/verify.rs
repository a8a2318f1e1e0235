//! `tanren verify`, and runs whose ledgers were changed: nothing that is not proved is counted.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{columns_but_times, tanren};
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

/// The files that measure no time, and the columns of the others that do not.
fn results(folder: &Path) -> Vec<String> {
    let mut files = ["summary.csv", "sprt.csv", "games.sfen", "run.toml"]
        .map(|name| folder.read(name))
        .to_vec();
    files.push(columns_but_times(&folder.read("games.csv")));
    files
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
