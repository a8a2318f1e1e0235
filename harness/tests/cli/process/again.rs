//! The `run.toml` of a run with other programs: it plays the same run again, and says what it would start.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::common::columns_but_times;
use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder, holds, quoted};

/// Runs it, and the `run.toml` that it leaves, which must come to the same.
fn play_twice(folder: &Path, args: &str) {
    folder.run(&format!("{args} --out one --json")).ok();
    folder.run("run one/run.toml --out two --json").ok();
    for name in ["games.csv", "summary.csv"] {
        if folder.join("one").join(name).exists() {
            let [one, two] = ["one", "two"].map(|run| folder.read(format!("{run}/{name}")));
            if name == "games.csv" {
                assert_eq!(columns_but_times(&one), columns_but_times(&two));
            } else {
                assert_eq!(one, two);
            }
        }
    }
    assert_eq!(folder.read("one/run.toml"), folder.read("two/run.toml"));
    for name in ["one", "two"] {
        fs::remove_dir_all(folder.join(name)).unwrap();
    }
}

#[test]
fn a_run_of_programs_with_keys_and_no_name_is_played_again_by_its_file() {
    let folder = &Folder::new();
    let engine = example("fault_engine").display().to_string();
    let a = format!("usi:{engine} none,option.Size=2,init=x,y ");
    let b = quoted(&format!(
        "usi:{engine} none \"it's, a b\",option.Size=3,env.PATHS=a,b,on_fault=crash=replay:2,stall=stop"
    ));
    let games = "--nodes 10 --pairs 1 --quiet";
    play_twice(folder, &format!("match --a '{a}' --b {b} {games}"));
    let named = format!("{a},name=usi:other,option.Size=9");
    play_twice(folder, &format!("match --a '{named}' --b base {games}"));
    play_twice(
        folder,
        &format!("tournament --player '{a}' --player {b} --player base {games}"),
    );
    let label = "--label-a 'new, option.Size=1'";
    play_twice(folder, &format!("match --a '{a}' --b {b} {label} {games}"));
}

#[cfg(unix)]
#[test]
fn the_file_of_a_run_behind_a_link_finds_its_openings() {
    let folder = &Folder::new();
    let (far, home) = (folder.join("disk/far/results"), folder.join("home"));
    fs::create_dir_all(&far).unwrap();
    fs::create_dir(&home).unwrap();
    std::os::unix::fs::symlink(&far, home.join("results")).unwrap();
    home.write("x.sfen", "startpos\n");
    let args = "match --a base --b plain --nodes 20 --pairs 1 --openings x.sfen --quiet --out \
        results/one";
    home.run(args).ok();
    let again = "run home/results/one/run.toml --out two --quiet";
    folder.run(again).ok();
}

#[test]
fn a_dry_run_shows_every_program_with_its_digest_and_starts_none() {
    let folder = &Folder::new();
    // Nothing that could be started: who tries is found out.
    let (program, network) = (folder.join("engine"), folder.join("n.bin"));
    fs::write(&program, "no program").unwrap();
    fs::write(&network, "network").unwrap();
    let player = format!(
        "usi:{} --x,option.EvalFile={}",
        program.display(),
        network.display()
    );
    let digest_of = |text: &str| {
        let digest = Sha256::digest(text.as_bytes());
        digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let spec = format!("command = \"match\"\na = {player:?}\nnodes = 10\npairs = 1\n");
    let queue = format!(
        "[[job]]\nname = \"one\"\ncommand = \"match\"\na = \"base\"\nb = {player:?}\nnodes = 10\npairs = 1\n\
         budget_minutes = 1\n"
    );
    for (name, text) in [("spec.toml", &spec), ("queue.toml", &queue)] {
        folder.write(name, text);
        let dry = folder.run(&format!("run {name} --dry-run")).ok();
        let shown = dry.text();
        for expected in [
            format!("command  {player}"),
            format!("path     {}", program.display()),
            format!("SHA-256  {}", digest_of("no program")),
            format!("SHA-256  {}", digest_of("network")),
        ] {
            assert!(shown.contains(&expected), "{name}: {expected}: {shown}");
        }
        let object = folder.run(&format!("run {name} --dry-run --json")).json();
        assert_eq!(
            object[0]["programs"][0]["sha256"],
            digest_of("no program"),
            "{object}"
        );
        assert_eq!(object[0]["files"][0]["sha256"], digest_of("network"), "{object}");
        for more in ["--dry-run --start-programs", "--out m"] {
            let started = folder.run(&format!("run {name} {more}")).ended(2);
            started.says([&format!("--> {name}:"), "cannot start"]);
            assert!(!folder.join("m").exists());
        }
    }
}

#[test]
fn an_engine_that_is_not_there_or_refuses_an_option_is_found_before_the_first_job() {
    let folder = &Folder::new();
    let engine = example("fault_engine").display().to_string();
    let job = |name: &str, b: &str| {
        format!(
            "[[job]]\nname = {name:?}\ncommand = \"match\"\na = \"base\"\nb = {b:?}\nnodes = 10\npairs = 1\n"
        )
    };
    let good = format!("usi:{engine} none");
    let text = [
        job("first", &good),
        job("gone", &format!("usi:{engine}-2")),
        job("option", &format!("{good},option.Siz=2")),
        job("value", &format!("{good},option.Size=9")),
    ];
    folder.write("q.toml", text.concat());
    let output = folder.run("run q.toml --out n").ended(2);
    assert!(!folder.join("n").exists());
    let said = output.message();
    holds(
        &said,
        [
            "error: job 'gone': player",
            "--> q.toml:12:5",
            "error: job 'option': player",
            "--> q.toml:19:5",
            "has no option 'Siz' (did you mean 'Size'?)",
            "error: job 'value': player",
            "--> q.toml:26:5",
        ],
    );
    folder.write("q.toml", &text[0]);
    folder.run("run q.toml --out n --quiet").ok();
}
