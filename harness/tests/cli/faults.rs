//! What an engine can do wrong, one test a fault: the verdict, that the run goes on, that it ends in bounded time, and
//! that no process is left.

use std::fs;
use std::time::{Duration, Instant};

use crate::engines::{example, faulty};
use crate::folder::{Ended, Folder, InFolder};
use crate::tools::processes_with;

/// One fault of the engine in the test tree and what must come of it: a row of `faults.csv`.
#[derive(Clone, serde::Deserialize)]
struct Case {
    group: String,
    fault: String,
    /// The `go` at which it happens.
    at: u32,
    /// The reason of both games, all lost by the engine; `None`: it is survived, and the games end by the rules.
    reason: Option<String>,
    /// Keys of the player.
    keys: String,
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// The king on 5a cannot leave its square, and the gold guards 5b: a pawn dropped there would mate.
const PAWN_MATES: &str = "3nkn3/9/4G4/9/9/9/9/9/4K4 b P 1";
/// A pawn dropped on 5b would be the second on its file.
const PAWN_ON_FILE: &str = "4k4/9/9/9/9/9/4P4/9/4K4 b P 1";
/// Where silence is the fault, engines are waited for so long; elsewhere longer than any case may take.
const STALL_MS: [&str; 2] = ["400", "120000"];
const BOUND: Duration = Duration::from_secs(60);

fn cases() -> Vec<Case> {
    let rows = csv::Reader::from_reader(include_str!("faults.csv").as_bytes()).into_deserialize();
    rows.map(Result::unwrap).collect()
}

impl Case {
    fn opening(&self) -> &'static str {
        match &*self.fault {
            "drop-pawn-mate" => PAWN_MATES,
            "two-pawns" => PAWN_ON_FILE,
            _ => START,
        }
    }

    fn conditions(&self) -> String {
        let limit = if self.fault.starts_with("late-by") {
            "--movetime 50"
        } else {
            "--nodes 20"
        };
        let strict = if self.group == "strict" { "--strict" } else { "" };
        let stall_ms = STALL_MS[usize::from(self.reason.as_deref() != Some("stall"))];
        format!("{limit} {strict} --stall-ms {stall_ms}")
    }

    fn keys(&self) -> String {
        self.keys
            .split_whitespace()
            .map(|key| format!(",{key}"))
            .collect()
    }
}

/// What a case came to.
struct Verdict {
    /// Why the first game ended.
    reason: String,
    /// What the engine's first game cost it.
    time_ms: u64,
}

/// Plays a pair of the engine with a fault against the built-in one.
fn play(case: &Case) -> Verdict {
    let folder = &Folder::new();
    // A word that no other process has.
    let mark = format!("mark-{}", folder.file_name().unwrap().to_string_lossy());
    let engine = faulty(&format!("{} {} {mark}{}", case.fault, case.at, case.keys()));
    folder.write("opening.sfen", case.opening());
    let fixed = "match --b plain --openings opening.sfen --pairs 1 --out m --startup-ms 20000 --max-plies 20 --faults-max 100 --quiet";
    let began = Instant::now();
    let output = folder.run(&format!("{fixed} --a '{engine}' {}", case.conditions()));
    let label = format!("{} at {}: {}", case.fault, case.at, output.message());
    assert!(began.elapsed() < BOUND, "{label}");
    assert_eq!(output.status.code(), Some(0), "{label}");
    let [winner, reason, time] =
        ["winner", "reason", "time_a_ms"].map(|name| folder.column("m/games.csv", name));
    assert_eq!(reason.len(), 2, "the run goes on; {label}");
    // From another opening the second game may end before the engine's turn.
    let is_in_one_game = case.opening() != START || case.fault == "mate-taken-back";
    let judged = if is_in_one_game { 1 } else { 2 };
    for (reason, winner) in reason.iter().zip(&winner).take(judged) {
        match &case.reason {
            Some(expected) => assert_eq!((&reason[..], &winner[..]), (&**expected, "b"), "{label}"),
            None => assert!(is_by_the_rules(reason), "{label}{reason}"),
        }
    }
    folder.run("verify m").ok();
    assert_eq!(
        processes_with(&mark),
        Vec::<String>::new(),
        "left behind by {label}"
    );
    assert_no_zombie_stays();
    Verdict {
        reason: reason[0].clone(),
        time_ms: time[0].parse().unwrap(),
    }
}

fn is_by_the_rules(reason: &str) -> bool {
    ["max_plies", "no_legal_move", "repetition", "perpetual_check"].contains(&reason)
}

/// The numbers of engines of these tests that ended and that nobody has taken note of, on Linux.
fn zombies() -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let states = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let zombies = states.filter(|state| state.contains("(fault_engine) Z"));
    zombies
        .filter_map(|state| Some(state.split_once(' ')?.0.to_owned()))
        .collect()
}

/// Whoever is one now is none in a moment; other tests may make new ones meanwhile.
fn assert_no_zombie_stays() {
    let mut seen = zombies();
    let until = Instant::now() + BOUND;
    while !seen.is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
        let now = zombies();
        seen.retain(|number| now.contains(number));
    }
    assert_eq!(seen, Vec::<String>::new());
}

fn play_all(group: &str) {
    cases()
        .iter()
        .filter(|case| case.group == group)
        .for_each(|case| drop(play(case)));
}

#[test]
fn an_engine_that_falls_silent_loses_when_its_time_is_up() {
    play_all("silent");
}

#[test]
fn an_engine_that_ends_loses_at_once() {
    play_all("ending");
}

#[test]
fn an_engine_that_answers_wrongly_loses_at_once() {
    play_all("wrong");
}

#[test]
fn an_engine_with_bad_manners_plays_on() {
    play_all("survived");
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_is_ended_with_whatever_it_started_and_by_its_bound_on_memory() {
    play_all("linux");
}

#[test]
fn remarks_are_faults_where_that_is_asked_for() {
    for case in cases().into_iter().filter(|case| case.group == "strict") {
        play(&case);
        play(&Case {
            group: "survived".to_owned(),
            reason: None,
            ..case
        });
    }
}

/// Faults that show before the first game: arguments, keys, what is said.
const REFUSED: [(&str, &str); 6] = [
    ("crash-at-once", "did not start: the process ended"),
    ("crash-at-usi", "did not start: the process ended"),
    ("hang-at-usi", "no answer to 'usi'"),
    ("flood-at-usi", "no answer to 'usi'"),
    ("hang-at-isready", "no answer to 'isready'"),
    ("deaf-after-usi", "does not read what it is told"),
];

fn refuse(fault: &str, expected: &str) {
    let folder = &Folder::new();
    let mark = format!("mark-{}", folder.file_name().unwrap().to_string_lossy());
    // Longer than any pipe holds.
    let long = if fault == "deaf-after-usi" {
        "x".repeat(1 << 20)
    } else {
        String::new()
    };
    let text = format!(
        "command = {:?}\narguments = [{fault:?}, {mark:?}]\ncommands = [{long:?}]\n",
        example("fault_engine").display().to_string()
    );
    folder.write("engine.toml", text);
    let began = Instant::now();
    folder
        .run("match --b plain --a @engine.toml --pairs 1 --startup-ms 400 --out m")
        .refused(expected);
    assert!(began.elapsed() < BOUND && !folder.join("m").exists());
    assert_eq!(processes_with(&mark), Vec::<String>::new());
}

#[test]
fn an_engine_that_does_not_start_is_bad_input() {
    for (fault, expected) in REFUSED {
        refuse(fault, expected);
    }
}

/// `cargo test -p tanren --test cli -- --ignored --nocapture fault_table` prints the table of docs/dev/faults.md.
#[test]
#[ignore = "prints the table of docs/dev/faults.md, which holds times of this machine"]
fn fault_table() {
    println!("| fault | at `go` | verdict | time to verdict |\n|---|---|---|---|");
    for case in cases() {
        let Verdict { reason, time_ms } = play(&case);
        let strict = if case.group == "strict" {
            ", `--strict`"
        } else {
            ""
        };
        let fault = format!("{}{}{strict}", case.fault, case.keys().replace(',', ", "));
        match case.reason {
            Some(_) => println!("| {fault} | {} | `{reason}` | {time_ms} ms |", case.at),
            None => println!("| {fault} | {} | plays on | |", case.at),
        }
    }
    for (fault, expected) in REFUSED {
        refuse(fault, expected);
        println!("| {fault} | start | refused: {expected} | |");
    }
    let left = processes_with("fault_engine").len();
    println!(
        "\nProcesses left after the last row: {left}; zombies: {}.",
        zombies().len()
    );
}
