//! What an engine can do wrong, one test a fault: the verdict, that the run goes on, that it ends in bounded time, and
//! that no process is left.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder};
use crate::process::faulty;

/// One fault of the engine in the test tree and what must come of it.
struct Case {
    fault: &'static str,
    /// The `go` at which it happens.
    at: u32,
    /// The reason of both games, all lost by the engine; `None`: it is survived, and the games end by the rules.
    reason: Option<&'static str>,
    limit: &'static str,
    opening: &'static str,
    keys: &'static str,
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// The king on 5a cannot leave its square, and the gold guards 5b: a pawn dropped there would mate.
const PAWN_MATES: &str = "3nkn3/9/4G4/9/9/9/9/9/4K4 b P 1";
/// A pawn dropped on 5b would be the second on its file.
const PAWN_ON_FILE: &str = "4k4/9/9/9/9/9/4P4/9/4K4 b P 1";
const NODES: &str = "--nodes 20";
const TIME: &str = "--movetime 50";
/// Where silence is the fault, engines are waited for so long; elsewhere longer than any case may take.
const STALL_MS: &str = "400";
const STALL_MS_LONG: &str = "120000";
pub(crate) const BOUND: Duration = Duration::from_secs(60);

const fn case(fault: &'static str, at: u32, reason: Option<&'static str>) -> Case {
    Case {
        fault,
        at,
        reason,
        limit: NODES,
        opening: START,
        keys: "",
    }
}

impl Case {
    const fn limit(self, limit: &'static str) -> Case {
        Case { limit, ..self }
    }

    const fn opening(self, opening: &'static str) -> Case {
        Case { opening, ..self }
    }

    const fn keys(self, keys: &'static str) -> Case {
        Case { keys, ..self }
    }
}

const SILENT: [Case; 9] = [
    case("hang-at-go", 3, Some("stall")),
    case("half-a-line", 2, Some("stall")),
    case("read-no-more", 1, Some("stall")),
    case("flood-without-newline", 2, Some("stall")),
    case("flood-of-info", 2, Some("stall")),
    case("wrapped:hang-at-go", 2, Some("stall")),
    case("ignore-stop", 1, Some("stall")).keys(",ponder=on"),
    case("late-by-1-s", 2, Some("time_loss")).limit(TIME),
    case("late-by-1-ms", 1, Some("time_loss"))
        .limit(TIME)
        .keys(",time_margin_ms=0"),
];

const ENDING: [Case; 9] = [
    case("crash-in-thought", 2, Some("crash")),
    case("wrapped:crash-in-thought", 2, Some("crash")),
    case("child-that-holds-the-pipe", 2, Some("crash")),
    case("last-words", 2, Some("crash")),
    case("crash-after-bestmove", 2, Some("crash")),
    case("crash-at-newgame", 1, Some("crash")),
    case("die-by-signal", 2, Some("crash")),
    case("close-output", 2, Some("disconnect")),
    case("crash-in-thought", 3, Some("crash")).keys(",ponder=on"),
];

const WRONG: [Case; 12] = [
    case("illegal-move", 1, Some("illegal_move")),
    case("move-of-the-other-side", 3, Some("illegal_move")),
    case("drop-pawn-mate", 1, Some("illegal_move")).opening(PAWN_MATES),
    case("two-pawns", 1, Some("illegal_move")).opening(PAWN_ON_FILE),
    case("other-notation", 1, Some("malformed_bestmove")),
    case("garbage", 1, Some("malformed_bestmove")),
    case("no-move", 2, Some("malformed_bestmove")),
    case("no-text-in-bestmove", 1, Some("malformed_bestmove")),
    case("second-bestmove", 2, Some("malformed_bestmove")),
    case("false-declaration", 2, Some("wrong_declaration")),
    case("resignation", 2, Some("resignation")),
    case("illegal-move", 4, Some("illegal_move")),
];

/// Where what an engine leaves behind can be found, and memory can be bounded.
const ON_LINUX: [Case; 8] = [
    case("daemon-that-holds-the-pipe", 2, Some("crash")),
    case("child-in-its-own-session", 1, None),
    case("daemon-that-stays", 1, None),
    case("eat-memory", 2, Some("memory")).keys(",memory_mib=200"),
    case("wrapped:eat-memory", 2, Some("memory")).keys(",memory_mib=200"),
    case("ask-for-too-much", 2, Some("memory")).keys(",memory_mib=200"),
    case("crash-in-thought", 2, Some("crash")).keys(",memory_mib=200"),
    case("none", 1, None).keys(",memory_mib=200"),
];

/// What is remarked, and is a fault under `--strict` alone.
const REMARKED: [Case; 3] = [
    case("illegal-variation", 1, Some("nonsense")),
    case("mate-taken-back", 1, Some("nonsense")),
    case("late-at-stop", 1, Some("nonsense")).keys(",ponder=on"),
];

const SURVIVED: [Case; 13] = [
    case("none", 1, None),
    case("hang-at-quit", 1, None),
    case("slow-at-isready", 1, None),
    case("move-without-question", 1, None),
    case("huge-line", 2, None),
    case("no-text", 1, None),
    case("nonsense-info", 1, None),
    case("noise-on-stderr", 1, None),
    case("child-that-stays", 1, None),
    case("wrapped:none", 1, None),
    case("wrong-options", 1, None),
    case("none", 1, None).keys(",ponder=on"),
    case("late-by-1-ms", 1, None)
        .limit(TIME)
        .keys(",time_margin_ms=5000"),
];

/// What a case came to.
struct Verdict {
    /// Of the first game.
    reason: String,
    /// What the engine's first game cost it.
    time_ms: u64,
}

/// Plays a pair of the engine with a fault against the built-in one.
fn play(case: &Case) -> Verdict {
    play_with(case, "")
}

/// The same under more conditions.
fn play_with(case: &Case, conditions: &str) -> Verdict {
    let folder = &Folder::new();
    // A word that no other process has.
    let mark = format!("mark-{}", folder.file_name().unwrap().to_string_lossy());
    let engine = faulty(&format!("{} {} {mark}{}", case.fault, case.at, case.keys));
    folder.write("opening.sfen", case.opening);
    let fixed = "match --b plain --openings opening.sfen --pairs 1 --out m --a";
    let stall_ms = if case.reason == Some("stall") {
        STALL_MS
    } else {
        STALL_MS_LONG
    };
    let timeouts = format!("--stall-ms '{stall_ms}' --startup-ms 20000 --max-plies 20 --quiet");
    let began = Instant::now();
    let output = folder.run(&format!(
        "{fixed} '{engine}' {} {timeouts} {conditions}",
        case.limit
    ));
    let label = format!("{} at {}: {}", case.fault, case.at, output.message());
    assert!(began.elapsed() < BOUND, "{label}");
    assert_eq!(output.status.code(), Some(0), "{label}");
    let [winner, reason, time] =
        ["winner", "reason", "time_a_ms"].map(|name| folder.column("m/games.csv", name));
    assert_eq!(reason.len(), 2, "the run goes on; {label}");
    // From another opening the second game may end before the engine's turn.
    let is_in_one_game = case.opening != START || case.fault == "mate-taken-back";
    let judged = if is_in_one_game { 1 } else { 2 };
    for (reason, winner) in reason.iter().zip(&winner).take(judged) {
        match case.reason {
            Some(expected) => assert_eq!((&reason[..], &winner[..]), (expected, "b"), "{label}"),
            None => assert!(is_by_the_rules(reason), "{label}{reason}"),
        }
    }
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

/// The command lines of running processes that hold `mark`.
#[cfg(target_os = "linux")]
pub(crate) fn processes_with(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(mark))
        .collect()
}

/// The numbers of engines of these tests that ended and that nobody has taken note of.
#[cfg(target_os = "linux")]
fn zombies() -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let states = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let zombies = states.filter(|state| state.contains("(fault_engine) Z"));
    zombies
        .filter_map(|state| Some(state.split_once(' ')?.0.to_owned()))
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn zombies() -> Vec<String> {
    Vec::new()
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

#[cfg(not(target_os = "linux"))]
pub(crate) fn processes_with(_: &str) -> Vec<String> {
    Vec::new()
}

#[test]
fn an_engine_that_falls_silent_loses_when_its_time_is_up() {
    SILENT.iter().for_each(|case| drop(play(case)));
}

#[test]
fn an_engine_that_ends_loses_at_once() {
    ENDING.iter().for_each(|case| drop(play(case)));
}

#[test]
fn an_engine_that_answers_wrongly_loses_at_once() {
    WRONG.iter().for_each(|case| drop(play(case)));
}

#[test]
fn an_engine_with_bad_manners_plays_on() {
    SURVIVED.iter().for_each(|case| drop(play(case)));
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_is_ended_with_whatever_it_started_and_by_its_bound_on_memory() {
    ON_LINUX.iter().for_each(|case| drop(play(case)));
}

#[test]
fn remarks_are_faults_where_that_is_asked_for() {
    for case in &REMARKED {
        play_with(case, "--strict");
        play(&Case {
            keys: case.keys,
            ..crate::process::faults::case(case.fault, case.at, None)
        });
    }
}

/// Faults that show before the first game: arguments, keys, what is said.
const REFUSED: [(&str, &str, &str); 9] = [
    ("crash-at-once", "", "did not start: the process ended"),
    ("crash-at-usi", "", "did not start: the process ended"),
    ("hang-at-usi", "", "no answer to 'usi'"),
    ("flood-at-usi", "", "no answer to 'usi'"),
    ("hang-at-isready", "", "no answer to 'isready'"),
    ("none", ",option.Size=9", "takes a whole number from 1 to 4"),
    ("none", ",option.Nope=1", "has no option 'Nope' (options: Size)"),
    ("wrong-options", ",option.Threads=2", "has no option 'Threads'"),
    ("none", ",restart=never", "must be fault or game"),
];

fn refuse(fault: &str, keys: &str, expected: &str) {
    let folder = &Folder::new();
    let mark = format!("mark-{}", folder.file_name().unwrap().to_string_lossy());
    let engine = faulty(&format!("{fault} {mark}{keys}"));
    let began = Instant::now();
    let timeouts = "--pairs 1 --startup-ms 400 --out m";
    let output = folder.run(&format!("match --b plain --a '{engine}' {timeouts}"));
    let message = output.message();
    assert_eq!(output.status.code(), Some(2), "{fault}: {message}");
    assert!(message.contains(expected), "{fault}: {message}");
    assert!(began.elapsed() < BOUND && !Path::new(&folder.join("m")).exists());
    assert_eq!(processes_with(&mark), Vec::<String>::new());
}

#[test]
fn what_is_wrong_before_the_first_game_is_bad_input() {
    for (fault, keys, expected) in REFUSED {
        refuse(fault, keys, expected);
    }
}

#[test]
fn a_program_that_is_not_there_is_bad_input() {
    let folder = &Folder::new();
    folder
        .run("match --a usi:./no-such-engine --out m")
        .refused("cannot read");
}

#[test]
fn an_engine_that_reads_nothing_cannot_hold_the_start() {
    let folder = &Folder::new();
    let long_line = "x".repeat(1 << 20);
    let text = format!(
        "command = {:?}\narguments = [\"deaf-after-usi\"]\ncommands = [\"{long_line}\"]\n",
        example("fault_engine").display().to_string()
    );
    folder.write("deaf.toml", text);
    let args = "match --a @deaf.toml --pairs 1 --startup-ms 400 --out m";
    folder.run(args).refused("does not read what it is told");
}

/// `cargo test -p tanren --test cli -- --ignored --nocapture fault_table` prints the table of docs/src/faults.md.
#[test]
#[ignore = "prints a table that holds times of this machine"]
fn fault_table() {
    println!("| fault | at `go` | verdict | time to verdict |\n|---|---|---|---|");
    let all = SILENT.iter().chain(&ENDING).chain(&WRONG).chain(&ON_LINUX);
    let all = all
        .map(|case| (case, ""))
        .chain(REMARKED.iter().map(|case| (case, "--strict")));
    for (case, condition) in all.chain(SURVIVED.iter().map(|case| (case, ""))) {
        let Verdict { reason, time_ms } = play_with(case, condition);
        let condition = if condition.is_empty() {
            String::new()
        } else {
            format!(", `{condition}`")
        };
        let fault = format!("{}{}{condition}", case.fault, case.keys.replace(',', ", "));
        match case.reason {
            Some(_) => println!("| {fault} | {} | `{reason}` | {time_ms} ms |", case.at),
            None => println!("| {fault} | {} | plays on | |", case.at),
        }
    }
    for (fault, keys, expected) in REFUSED {
        refuse(fault, keys, expected);
        println!(
            "| {fault}{} | start | refused: {expected} | |",
            keys.replace(',', ", ")
        );
    }
    let left = processes_with("fault_engine").len();
    println!(
        "\nProcesses left after the last row: {left}; zombies: {}.",
        zombies().len()
    );
}
