//! What is known to be too much is refused before the first game, with the number that fits.

use std::thread::available_parallelism;

use crate::folder::{Ended, Folder, InFolder, holds};

const CLOCK: &str = "--tc 0.3+0.01";

/// The commands that play, as far as they go before the first game.
fn commands() -> [&'static str; 5] {
    [
        "match --a base --b plain",
        "tournament --player base --player plain",
        "odds --a base --b plain --pairs 4 --batch 2",
        "ablate --only iid --pairs 2 --node-depth 0",
        "tune --tune lmr.base --games 40 --no-confirm",
    ]
}

#[test]
fn more_games_by_the_clock_than_cores_are_refused_with_the_number_that_fits() {
    let folder = &Folder::new();
    let cores = available_parallelism().unwrap();
    for command in commands() {
        let many = "--concurrency 1000 --hash 1 --out x";
        let output = folder.run(&format!("{command} {CLOCK} {many}"));
        let message = output.message();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {message}");
        let fits = format!("--concurrency {cores} fits");
        assert!(
            message.contains(&fits) && message.contains("--oversubscribe"),
            "{command:?}: {message}"
        );
        assert!(!folder.join("x").exists(), "{command:?}: nothing was begun");
    }
}

#[test]
fn the_jobs_of_a_queue_are_refused_too_and_may_say_that_they_want_it() {
    let folder = &Folder::new();
    let games = "a = \"plain\"\nb = \"base\"\ntc = \"0.05+0\"\npairs = 1\nmax_plies = 4\nhash = 1\n";
    let many = available_parallelism().unwrap().get() + 1;
    let text = format!(
        "[[job]]\nname = \"one\"\ncommand = \"match\"\n{games}concurrency = {many}\n\
         [[job]]\nname = \"two\"\ncommand = \"match\"\n{games}concurrency = {many}\noversubscribe = true\n"
    );
    folder.write("q.toml", text);
    folder.run("run q.toml --quiet --out n").ended(1);
    let night = folder.read("n/night.csv");
    let rows: Vec<&str> = night.lines().skip(1).collect();
    assert!(
        rows[0].contains("failed") && rows[0].contains("--oversubscribe"),
        "{night}"
    );
    assert!(rows[1].contains("finished"), "{night}");
}

#[test]
fn oversubscribing_is_no_part_of_what_the_run_is() {
    let folder = &Folder::new();
    let games = "match --a plain --b base --tc 0.05+0 --pairs 2 --max-plies 4 --hash 1 --quiet --out m";
    let many = (available_parallelism().unwrap().get() + 1).to_string();
    let wanted = format!("--oversubscribe --concurrency '{many}' --pause-after 1");
    folder.run(&format!("{games} {wanted}")).ok();
    folder.run(games).ok();
}

#[cfg(target_os = "linux")]
#[test]
fn hash_tables_larger_than_memory_are_refused_and_do_not_end_the_program() {
    let folder = &Folder::new();
    let large = "--hash 60000 --nodes 9 --concurrency 512 --out x";
    for command in commands() {
        let output = folder.run(&format!("{command} {large}"));
        let message = output.message();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {message}");
        holds(&message, ["MiB for hash tables", "fits"]);
    }
}
