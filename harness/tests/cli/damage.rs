//! Ledgers of finished runs with a flipped bit, an overwritten page, a lost end or deleted rows: never a panic, never another number, and the
//! same command makes the same files again.
//!
//! `scripts/damage.sh`, or `cargo test -p tanren --test cli damage:: -- --ignored --nocapture`; `TANREN_DAMAGE=0.1` does a tenth,
//! `TANREN_DAMAGE_KINDS=pages` one kind alone. For each damage the program verifies, reports and resumes a copy of the folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::folder::{Ended, Folder, InFolder};
use crate::tools::untimed;
use tanren::stats::random::Random;

const PAGE: usize = 8192;

/// Runs that differ in what their ledgers hold.
const RUNS: [(&str, &str); 3] = [
    ("match", "match --b plain --pairs 20 --nodes 50 --hash 1"),
    (
        "tournament",
        "tournament --player base --player plain --player base,lmr=off --pairs 6 --nodes 50 \
            --hash 1",
    ),
    (
        "nodes",
        "nodes --config base --config plain --depth 5 --limit-positions 10",
    ),
];

/// Tables of which rows are deleted, and their keys.
const TABLES: [(&str, &str); 4] = [
    ("unit", "number"),
    ("packet", "number"),
    ("tally", "id"),
    ("meta", "key"),
];

/// Kinds of damage, and how often each is done.
const KINDS: [(&str, u32); 4] = [("bits", 1000), ("pages", 300), ("ends", 300), ("rows", 100)];

fn harm(kind: &str, bytes: &mut Vec<u8>, random: &mut Random) {
    let mut below = |limit: usize| random.below(limit as u64) as usize;
    match kind {
        "bits" => {
            let place = below(bytes.len());
            bytes[place] ^= 1 << below(8);
        }
        "pages" => {
            let page = below(bytes.len() / PAGE) * PAGE;
            // Zeros, noise, or another page in its place, as a disk may leave it.
            match below(3) {
                0 => bytes[page..page + PAGE].fill(0),
                1 => bytes[page..page + PAGE].fill_with(|| below(256) as u8),
                _ => {
                    let other = below(bytes.len() / PAGE) * PAGE;
                    bytes.copy_within(other..other + PAGE, page);
                }
            }
        }
        "ends" => {
            let length = below(bytes.len());
            bytes.truncate(length);
        }
        _ => {
            let (table, key) = TABLES[below(TABLES.len())];
            let (rows, offset) = (1 + below(20), if table == "tally" { 0 } else { below(3) });
            let chosen = format!("SELECT {key} FROM {table} ORDER BY {key} LIMIT {rows} OFFSET {offset}");
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("ledger");
            fs::write(&file, &bytes).unwrap();
            let connection = rusqlite::Connection::open(&file).unwrap();
            let delete = format!("DELETE FROM {table} WHERE {key} IN ({chosen})");
            connection.execute(&delete, []).unwrap();
            connection.close().unwrap();
            *bytes = fs::read(&file).unwrap();
        }
    }
}

/// Every file that a run leaves for its readers, without what measures time. The page names its folder and tells times.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let is_made_again =
        |name: &String| !name.contains(".sqlite") && !name.ends_with(".lock") && name != "report.html";
    let names = folder.names().into_iter().filter(is_made_again);
    names
        .map(|name| (name.clone(), untimed(&name, folder.read(&name))))
        .collect()
}

/// What became of one kind of damage.
#[derive(Debug, Default)]
struct Count {
    cases: u32,
    /// Everything is as before, and nothing is said.
    harmless: u32,
    found_by_verify: u32,
    refused_by_report: u32,
    /// The same command made the same files.
    mended: u32,
    /// The same command refused, in words.
    refused: u32,
    silent: u32,
    panics: u32,
}

fn has_panicked(output: &Output) -> bool {
    let code = output.status.code();
    stderr_lossy(output).contains("panicked") || code.is_none_or(|code| ![0, 1, 2].contains(&code))
}

fn stderr_lossy(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[expect(clippy::print_stderr, reason = "the figures are what the test is for")]
fn harm_and_look(
    folder: &Path,
    args: &str,
    bytes: &[u8],
    expected: &BTreeMap<String, String>,
    count: &mut Count,
) {
    count.cases += 1;
    let copy = folder.join("copy");
    let _ = fs::remove_dir_all(&copy);
    fs::create_dir(&copy).unwrap();
    let ledger = copy.join("ledger.sqlite");
    fs::write(&ledger, bytes).unwrap();
    let verified = folder.run("verify copy");
    let reported = folder.run("report copy");
    let mut is_silent = reported.status.success() && files(&copy) != *expected;
    let resumed = folder.run(&format!("{args} --out copy --quiet"));
    is_silent |= resumed.status.success() && files(&copy) != *expected;
    let outputs = [&verified, &reported, &resumed];
    let is_whole = outputs.iter().all(|output| output.status.success());
    let was_mended = stderr_lossy(&resumed).contains("the ledger was damaged");
    count.panics += u32::from(outputs.iter().any(|output| has_panicked(output)));
    count.silent += u32::from(is_silent);
    count.found_by_verify += u32::from(!verified.status.success());
    count.refused_by_report += u32::from(!reported.status.success());
    count.harmless += u32::from(is_whole && !was_mended);
    count.mended += u32::from(resumed.status.success() && (was_mended || !is_whole) && !is_silent);
    count.refused += u32::from(!resumed.status.success());
    if is_silent || outputs.iter().any(|output| has_panicked(output)) {
        for output in outputs {
            eprintln!("{:?} {}", output.status.code(), stderr_lossy(output));
        }
    }
}

#[test]
#[ignore = "takes half an hour"]
fn damage_never_changes_a_number_and_never_ends_in_a_panic() {
    let share: f64 = std::env::var("TANREN_DAMAGE").map_or(1.0, |text| text.parse().unwrap());
    let chosen = std::env::var("TANREN_DAMAGE_KINDS").unwrap_or_default();
    let is_known = |word: &str| KINDS.iter().any(|(kind, _)| *kind == word);
    assert!(
        chosen.split_whitespace().all(is_known),
        "'{chosen}' is not of {KINDS:?}"
    );
    let folder = &Folder::new();
    let runs: Vec<_> = RUNS
        .iter()
        .map(|(kind, args)| {
            let output = folder.run(&format!("{args} --out {kind} --quiet"));
            assert!(output.status.success(), "{}", output.message());
            let bytes = fs::read(folder.join(kind).join("ledger.sqlite")).unwrap();
            // Files that only playing writes are those of a report, too.
            (*args, bytes, files(&folder.join(kind)))
        })
        .collect();
    let (mut silent, mut panics) = (0, 0);
    for (kind, cases) in KINDS
        .iter()
        .filter(|(kind, _)| chosen.is_empty() || chosen.contains(kind))
    {
        let mut count = Count::default();
        // A stream for each, so that a kind alone is damaged as it is among the others.
        let mut random = Random::new(1, &[]);
        for case in 0..(f64::from(*cases) * share) as usize {
            // Half of them in a match.
            let (args, bytes, expected) = &runs[[0, 1, 0, 2][case % 4]];
            let mut bytes = bytes.clone();
            harm(kind, &mut bytes, &mut random);
            harm_and_look(folder, args, &bytes, expected, &mut count);
        }
        eprintln!("{kind}: {count:?}");
        assert!(count.found_by_verify > 0 || count.cases < 20, "{kind}");
        silent += count.silent;
        panics += count.panics;
    }
    assert_eq!((silent, panics), (0, 0));
}
