//! A night's queue as a user meets it.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::columns_but_times;
use crate::folder::{Ended, Folder, InFolder, holds};

const NIGHT: &str = r#"
[[job]]
name = "wins"
command = "match"
a = "base"
b = "plain"
nodes = 200
pairs = 60
sprt = "elo0=-200,elo1=100"

[[job]]
name = "after"
command = "match"
only_if = "wins.accepted"
nodes = 60
a = "base"
b = "plain"
pairs = 4

[[job]]
name = "never"
command = "nodes"
only_if = "wins.rejected or wins.failed"

[[job]]
name = "count"
command = "nodes"
config = ["base", "plain"]
depth = 3
limit_positions = 5
priority = 3

[[job]]
name = "last"
command = "match"
a = "base"
b = "plain"
nodes = 60
pairs = 2
"#;

/// The last job fails: there is something else in its folder.
fn obstruct(folder: &Path) {
    fs::create_dir_all(folder.join("n/last")).unwrap();
    folder.write(
        "n/last/ledger.sqlite",
        "no ledger, but so long that it is no empty one",
    );
}

fn night(folder: &Path, text: &str, more: &str) -> Output {
    folder.write("night.toml", text);
    folder.run(&format!("run night.toml --out n {more}"))
}

fn rows(folder: &Path) -> Vec<String> {
    let text = folder.read("n/night.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        format!("{} {} {} {}", &row[0], &row[2], &row[3], &row[4])
    });
    rows.collect()
}

#[test]
fn jobs_run_by_priority_and_condition_and_a_failing_one_does_not_stop_the_night() {
    let folder = &Folder::new();
    obstruct(folder);
    let output = night(folder, NIGHT, "").ended(1);
    let rows = rows(folder);
    assert!(rows[0].starts_with("wins finished accepted_h1 "), "{rows:?}");
    assert_eq!(
        rows[1..],
        [
            "after finished fixed_length 4",
            "never skipped  ",
            "count finished  ",
            "last failed  "
        ]
    );
    let said = output.message();
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("job count (1 of 5)") < place("job wins (2 of 5)"));
    assert!(said.contains("1 of 5 jobs failed"), "{said}");
    assert!(folder.join("n/after/games.csv").exists());
    assert!(!folder.join("n/never").exists());
}

#[test]
fn only_the_named_jobs_are_played_and_the_rest_later() {
    let folder = &Folder::new();
    night(folder, NIGHT, "--only lost")
        .refused("--only: 'night.toml' has no job 'lost' (did you mean 'last'?)");
    assert!(!folder.join("n").exists());

    let text = NIGHT.replace("wins.failed\"", "wins.failed\"\ndepth = 2\nlimit_positions = 3");
    night(folder, &text, "--only never --only last").ok();
    let states: Vec<String> = rows(folder);
    let is_finished = |row: &String| row.contains(" finished ");
    assert_eq!(
        states.iter().map(is_finished).collect::<Vec<_>>(),
        [false, false, true, false, true]
    );
    assert!(!folder.join("n/wins").exists());

    night(folder, &text, "");
    assert_eq!(rows(folder)[2], "never finished  ");
    assert!(rows(folder)[0].starts_with("wins finished"));
}

#[test]
fn the_same_command_runs_again_only_what_failed() {
    let folder = &Folder::new();
    obstruct(folder);
    night(folder, NIGHT, "");
    let before = folder.read("n/night.csv");
    fs::remove_dir_all(folder.join("n/last")).unwrap();
    let said = night(folder, NIGHT, "").ok().message();
    assert_eq!(said.matches("job ").count(), 1, "{said}");
    assert!(said.contains("job last (5 of 5)"), "{said}");
    let after = folder.read("n/night.csv");
    let lines = |text: &str| {
        let rows = columns_but_times(text);
        rows.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&before)[..4], lines(&after)[..4]);
    assert!(after.contains("last,match,finished"), "{after}");
}

#[test]
fn a_budget_ends_a_job_cleanly_and_a_greater_one_goes_on() {
    let folder = &Folder::new();
    let text = |budget: &str| {
        format!(
            "[[job]]\nname = \"m\"\ncommand = \"match\"\na = \"base\"\nb = \"plain\"\nnodes = 60\npairs = 9\n{budget}\n"
        )
    };
    night(folder, &text("budget_pairs = 4"), "").ok();
    assert_eq!(rows(folder), ["m out_of_budget interrupted 4"]);
    let same = night(folder, &text("budget_pairs = 4"), "");
    assert!(!same.message().contains("job m"), "{}", same.message());
    night(folder, &text("budget_pairs = 6"), "");
    assert_eq!(rows(folder), ["m out_of_budget interrupted 6"]);
    night(folder, &text(""), "");
    assert_eq!(rows(folder), ["m finished fixed_length 9"]);

    let long = "[[job]]\nname = \"long\"\ncommand = \"match\"\na = \"base\"\nb = \"plain\"\npairs = 9000\n\
                budget_minutes = 0.01\n[[job]]\nname = \"next\"\ncommand = \"nodes\"\nconfig = \"base\"\n\
                depth = 2\nonly_if = \"long.finished\"\n";
    fs::remove_dir_all(folder.join("n")).unwrap();
    night(folder, long, "").ok();
    let rows = rows(folder);
    // A slow machine may not come to its first pair.
    assert!(rows[0].starts_with("long out_of_budget "), "{rows:?}");
    assert_eq!(rows[1], "next finished  ");
}

#[test]
fn jobs_that_need_no_cores_run_side_by_side_and_wait_for_those_they_ask_about() {
    let folder = &Folder::new();
    let text = "[[job]]\nname = \"one\"\ncommand = \"openings-check\"\n\
                [[job]]\nname = \"two\"\ncommand = \"openings-check\"\n\
                [[job]]\nname = \"after\"\ncommand = \"openings-check\"\nonly_if = \"one.finished and two.finished\"\n\
                [[job]]\nname = \"never\"\ncommand = \"openings-check\"\nonly_if = \"after.failed\"\n";
    let output = night(folder, text, "--jobs 3").ok();
    let expected = [
        "one finished  ",
        "two finished  ",
        "after finished  ",
        "never skipped  ",
    ];
    assert_eq!(rows(folder), expected);
    let said = output.message();
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("job after (3 of 4)") > place("job one (1 of 4)"), "{said}");
    assert!(place("job after (3 of 4)") > place("job two (2 of 4)"), "{said}");
    let text = output.text();
    holds(&text, ["one:\n", "two:\n", "after:\n"]);
    night(
        folder,
        "[[job]]\nname = \"x\"\ncommand = \"match\"\n",
        "--jobs 1 --dry-run",
    )
    .ok();
}

#[test]
fn jobs_that_play_on_this_machine_are_not_run_side_by_side() {
    let folder = &Folder::new();
    let output = night(folder, NIGHT, "--jobs 2").ended(2);
    output.says(["--jobs 2: job 'wins' plays on this machine"]);
    assert!(!folder.join("n").exists());
    folder.write("run.toml", "command = \"match\"\n");
    folder
        .run("run run.toml --jobs 2")
        .refused("--jobs is for a queue");
}

#[test]
fn a_plan_is_shown_and_nothing_is_touched() {
    let folder = &Folder::new();
    let text = night(folder, NIGHT, "--dry-run").ok().text();
    assert!(text.contains("wins.rejected or wins.failed"), "{text}");
    assert!(text.contains("played just now"), "{text}");
    assert!(!folder.join("n").exists());
    let plan = night(folder, NIGHT, "--dry-run --json").json();
    assert_eq!(plan[0]["job"], "count");
    assert!(plan[1]["seconds_max"].is_number(), "{plan}");
    night(folder, NIGHT, "--quiet");
    let plan = night(folder, NIGHT, "--dry-run --json").json();
    assert_eq!(plan[1]["state"], "finished");
    assert_eq!(plan[1]["seconds_max"], 0.0);
}

#[test]
fn files_of_jobs_are_looked_for_beside_the_queue_first() {
    let folder = &Folder::new();
    let queues = folder.join("queues");
    fs::create_dir_all(&queues).unwrap();
    queues.write("mine.sfen", "startpos\n");
    let text = "[[job]]\nname = \"a\"\ncommand = \"nodes\"\npositions = \"mine.sfen\"\ndepth = 1\n";
    queues.write("night.toml", text);
    folder.run("run queues/night.toml --out n --quiet").ok();
    assert_eq!(rows(folder).len(), 1);
}

#[test]
fn a_wrong_key_of_a_job_is_refused_with_its_place_before_anything_runs() {
    let folder = &Folder::new();
    folder.write("spec.toml", "command = \"match\"\nnodez = 3\n");
    let cases = [
        ("out = \"x\"", "unknown key 'out'"),
        ("b = \"base,lmr=off,lmr=on\"", "'lmr' is set twice"),
        (
            "game = \"chess\"\nb = \"base,drop_pawn_mate=generation\"",
            "drop_pawn_mate does nothing in chess",
        ),
        (
            "b = \"plain\"\nlabel_a = \"x\"\nlabel_b = \"x\"",
            "players a and b are both called 'x'",
        ),
        ("spec = \"gone.toml\"", "error: job 'a': cannot read 'gone.toml'"),
        ("spec = \"spec.toml\"", "error: job 'a': unknown key 'nodez'"),
    ];
    for (line, expected) in cases {
        let text = format!("[[job]]\nname = \"a\"\ncommand = \"match\"\n{line}\n");
        night(folder, &text, "").refused(expected);
        assert!(!folder.join("n").exists(), "{line}");
    }
    let text = "[[job]]\nname = \"a\"\ncommand = \"nodes\"\nbudget_pairs = 3\n";
    let output = night(folder, text, "");
    output.says(["nodes plays no pairs"]);
}

#[test]
fn a_job_may_take_its_keys_from_the_file_of_an_earlier_run() {
    let folder = &Folder::new();
    let args = "match --a base --b plain --nodes 60 --pairs 2 --out m --quiet";
    folder.run(args).ok();
    let text = "[[job]]\nname = \"a\"\ncommand = \"match\"\nspec = \"m/run.toml\"\npairs = 3\n";
    let night = night(folder, text, "--json").json();
    assert_eq!(night[0]["pairs"], 3);
    assert_eq!(night[0]["state"], "finished");
    let games = |run: &str| folder.read(format!("{run}/games.sfen"));
    assert!(games("n/a").starts_with(&games("m")));
}

#[test]
fn the_example_of_a_queue_is_one() {
    let folder = &Folder::new();
    let text = folder.run("run --example").text();
    let plan = night(folder, &text, "--dry-run --json").json();
    assert_eq!(plan[0]["job"], "first");
    assert_eq!(plan.as_array().unwrap().len(), 6);
}

/// A mistake of every kind.
const WRONG: &str = r#"[[job]]
name = "good"
command = "match"
a = "base"
b = "plain"
nodes = 60
pairs = 2

[[job]]
name = "keys"
command = "match"
nodez = 3
b = "base,nul_move=off"
seed = "x"

[[job]]
name = "programs"
command = "match"
b = "usi:no-such-engine-anywhere"
openings = "gone.sfen"

[[job]]
name = "many"
command = "tournament"
player = ["base",
  "usi:./none",
  "plain"]
rounds = 2
openings = "wrong.sfen"

[[job]]
name = "count"
command = "nodes"
config = ["base", "usi:nowhere"]
positions = "gone.sfen"
only_if = "good.accept"

[[job]]
name = "tuned"
command = "tune"
space = "space.txt"
pairs = 3

[[job]]
name = "suite"
command = "openings-chek"
"#;

#[test]
fn every_mistake_of_a_night_is_told_at_once_before_anything_is_played() {
    let folder = &Folder::new();
    folder.write("wrong.sfen", "startpos\nnine\nten\n");
    folder.write("space.txt", "lmr.bas, 1, 0, 2, 1, 1\n");
    let expected = [
        "12:1: job 'keys': unknown key 'nodez' (did you mean 'nodes'?)",
        "13:5: job 'keys': player b: unknown setting 'nul_move' (did you mean 'null_move'?)",
        "14:8: job 'keys': seed is \"x\", but must be a whole number",
        "19:5: job 'programs': player 'usi:no-such-engine-anywhere': cannot read",
        "20:12: job 'programs': cannot read the openings 'gone.sfen'",
        "26:3: job 'many': player 'usi:./none': cannot read",
        "29:12: job 'many': 'wrong.sfen', line 2: ",
        "29:12: job 'many': 'wrong.sfen', line 3: ",
        "34:19: job 'count': player 'usi:nowhere': cannot read",
        "35:13: job 'count': cannot read the openings 'gone.sfen'",
        "36:17: only_if: 'accept' cannot be asked about a job (did you mean 'accepted'?)",
        "41:9: job 'tuned': 'space.txt', line 1: unknown setting 'lmr.bas' (did you mean",
        "42:1: job 'tuned': unknown key 'pairs'",
        "46:11: unknown command 'openings-chek' (did you mean 'openings-check'?)",
    ];
    for more in ["", "--dry-run"] {
        let output = night(folder, WRONG, more).ended(2);
        assert!(!folder.join("n").exists());
        let said = output.message();
        let (mut told, mut message) = (Vec::new(), "");
        for line in said.lines() {
            message = line.strip_prefix("error: ").unwrap_or(message);
            let place = line.trim_start().strip_prefix("--> night.toml:");
            told.extend(place.map(|place| format!("{place}: {message}")));
        }
        assert_eq!(message, "14 mistakes", "{said}");
        assert_eq!(told.len(), expected.len(), "{said}");
        for (told, expected) in told.iter().zip(expected) {
            assert!(told.starts_with(expected), "{expected}\n{said}");
        }
    }
}

#[test]
fn files_of_runs_are_checked_together_and_a_dry_run_shows_what_they_would_read() {
    let folder = &Folder::new();
    let write = |name: &str, text: &str| folder.write(name, text);
    let all = "command = \"match\"\na = \"base\"\nb = \"plain\"\nnodes = 60\npairs = 1\n";
    write("good.toml", &format!("{all}openings = \"x.sfen\"\n"));
    write(
        "bad.toml",
        "command = \"match\"\na = \"bas\"\nopenings = \"gone.sfen\"\nnods = 1\n",
    );
    write("worse.toml", "command = \"match\"\na = \n");
    write(
        "many.toml",
        &format!("{all}openings = \"x.sfen\"\n").replace("pairs = 1", "pairs = 9"),
    );
    write("x.sfen", "startpos\n");
    write("folder.toml", &format!("{all}openings = \".\"\n"));
    let said = folder
        .run("run good.toml bad.toml worse.toml many.toml folder.toml")
        .ended(2)
        .message();
    holds(
        &said,
        [
            "error: player a: unknown preset 'bas'",
            "--> bad.toml:2:5",
            "2 | a = \"bas\"\n  |     ^^^^^",
            "error: unknown key 'nods' (did you mean 'nodes'?)\n --> bad.toml:4:1",
            "--> worse.toml:2:",
            "--> folder.toml:6:12",
            "--> many.toml:5:9",
            "error: 9 pairs need 9 openings",
        ],
    );
    let dry = folder.run("run good.toml --dry-run --json").json();
    assert_eq!(dry[0]["file"], "good.toml");
    assert_eq!(dry[0]["files"][0]["what"], "openings");
    let digest = dry[0]["files"][0]["sha256"].as_str().unwrap();
    assert_eq!(digest.len(), 64, "{dry}");
    let text = folder.run("run good.toml --dry-run").stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains(digest) && text.contains("no program was started"),
        "{text}"
    );
    assert!(!folder.join("results").exists());
}
