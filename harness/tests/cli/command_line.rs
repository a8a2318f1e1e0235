//! The `tanren` binary as a user meets it: exit codes, files, messages.

use std::fs;

use crate::common::{columns_but_times, tanren};
use crate::folder::{Ended, Folder, InFolder, words};

const QUICK: &str = "match --a base --b plain --nodes 60 --quiet";

#[test]
fn a_match_leaves_every_file_of_the_contract_and_prints_one_json_object() {
    let folder = &Folder::new();
    let output = folder.run(&format!("{QUICK} --pairs 4 --out m --json")).ok();
    let out = folder.join("m");
    let expected = [
        "games.csv",
        "games.sfen",
        "ledger.lock",
        "ledger.sqlite",
        "report.html",
        "run.toml",
        "sprt.csv",
        "summary.csv",
    ];
    assert_eq!(out.names(), expected);
    let summary = out.read("summary.csv");
    let header = summary.lines().next().unwrap();
    assert_eq!(
        header,
        "a,b,pairs,games,wins,losses,draws,score,elo,elo_low,elo_high,nelo,nelo_low,nelo_high,los,ptnml_0,ptnml_1,\
         ptnml_2,ptnml_3,ptnml_4,llr,llr_lower,llr_upper,verdict,stopped_elo,stopped_low,stopped_high,first_wins,\
         first_losses,second_wins,second_losses,duplicates,faults_a,faults_b,time_losses_a,time_losses_b,excused_a,\
         excused_b,verdict_reason,identical_pairs"
    );
    let value = output.json();
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let kinds = ["faults_a_kinds", "faults_b_kinds"];
    assert_eq!(keys, header.split(',').chain(kinds).collect::<Vec<_>>());
    assert_eq!(value["pairs"], 4);
    assert_eq!(value["verdict"], "fixed_length");
    assert_eq!(out.read("games.sfen").lines().count(), 8);
}

#[test]
fn the_same_match_at_another_concurrency_gives_the_same_files() {
    let folder = &Folder::new();
    for (name, concurrency) in [("one", "1"), ("two", "2")] {
        let more = format!("--pairs 12 --out {name} --concurrency {concurrency}");
        folder.run(&format!("{QUICK} {more}")).ok();
    }
    let read = |run: &str, file: &str| folder.read(format!("{run}/{file}"));
    for file in ["summary.csv", "sprt.csv", "games.sfen", "run.toml"] {
        assert_eq!(read("one", file), read("two", file), "{file}");
    }
    assert_eq!(
        columns_but_times(&read("one", "games.csv")),
        columns_but_times(&read("two", "games.csv"))
    );
}

#[test]
fn a_finished_match_is_shown_again_and_a_longer_one_plays_on() {
    let folder = &Folder::new();
    let play = |pairs: &str, out: &str| {
        let output = folder
            .run(&format!("{QUICK} --pairs {pairs} --out {out} --json"))
            .ok();
        output.json()
    };
    assert_eq!(play("3", "m"), play("3", "m"));
    let longer = play("7", "m");
    assert_eq!(longer["pairs"], 7);
    assert_eq!(longer, play("7", "fresh"));
}

#[test]
fn a_changed_specification_is_refused_with_the_difference_and_changes_nothing() {
    let folder = &Folder::new();
    let first = format!("{QUICK} --pairs 2 --out m");
    folder.run(&first).ok();
    let before = fs::read(folder.join("m/games.csv")).unwrap();
    folder
        .run(&format!("{first} --seed 9"))
        .refused("seed: '1' there, '9' wanted now");
    assert_eq!(fs::read(folder.join("m/games.csv")).unwrap(), before);
}

#[test]
fn bad_input_is_one_clear_error_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = &Folder::new();
    let good = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    folder.write("wrong.sfen", "# head\n".repeat(15) + good + "lnsgkgsnl/9 b - 1\n");
    folder.write("few.sfen", good);
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    folder.write("chess.epd", chess);
    let before = folder.names();
    let cases: [(&str, &str); 14] = [
        ("--openings none.sfen", "none.sfen"),
        ("--openings wrong.sfen", "line 17"),
        ("--openings few.sfen", "--repeat"),
        ("--b base,nul_move=off", "did you mean 'null_move'"),
        ("--b strong", "unknown preset 'strong'"),
        ("--b usi:./engine", "cannot read"),
        (
            "--b usi:no-such-engine",
            "no folder of PATH holds a file of that name",
        ),
        (
            "--b usi:no-such-engine,hash=4",
            "options of an engine are option.NAME=value",
        ),
        ("--b uci:stockfish", "the game is shogi: add --game chess"),
        (
            "--openings chess.epd",
            "line 1: it is a position of chess: add --game chess",
        ),
        ("--b @none.toml", "none.toml"),
        ("--concurrency 0", "concurrency"),
        ("--b base,declaration=off", "use --declaration"),
        ("--game chess --b eval.lance=1", "unknown setting 'eval.lance'"),
    ];
    for (options, expected) in cases {
        folder
            .run(&format!("match --a base --out out {options}"))
            .refused(expected);
        assert_eq!(folder.names(), before, "{options:?}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_or_is_not_ours_is_refused_with_exit_code_2() {
    let folder = &Folder::new();
    folder.write("file", "");
    fs::create_dir(folder.join("mine")).unwrap();
    folder.write("mine/thesis.txt", "");
    for (out, expected) in [
        ("file/out", "cannot write in"),
        ("mine", "is not the folder of a run"),
    ] {
        folder
            .run(&format!("{QUICK} --pairs 1 --out {out}"))
            .refused(expected);
    }
    assert_eq!(folder.join("mine").names(), ["thesis.txt"]);
}

#[test]
fn a_folder_of_another_kind_of_run_or_of_one_that_was_emptied_is_refused_as_what_it_is() {
    let folder = &Folder::new();
    let first = format!("{QUICK} --pairs 1 --out m");
    folder.run(&first).ok();
    let odds = "odds --b base --nodes 20 --pairs 1 --out m";
    folder
        .run(odds)
        .refused("holds a run of kind 'match', and this is one of kind 'odds'");
    folder.run("report m --html m").refused("");
    let games = fs::read(folder.join("m/games.csv")).unwrap();
    folder.write("m/ledger.sqlite", "");
    for args in [&first[..], "report m"] {
        folder.run(args).refused("is empty");
    }
    assert_eq!(fs::read(folder.join("m/games.csv")).unwrap(), games);
}

#[test]
fn identical_players_sum_to_one_in_every_pair_and_are_called_identical() {
    let folder = &Folder::new();
    let args = "match --a base --b base --nodes 60 --pairs 6 --json --quiet";
    let output = folder.run(&format!("{args} --out m")).ok();
    let value = output.json();
    assert_eq!(value["verdict"], "identical");
    assert_eq!(value["ptnml_2"], 6);
    output.says(["--node-jitter"]);
    let jittered = folder.run(&format!("{args} --node-jitter 30 --out j"));
    assert_eq!(jittered.json()["verdict"], "fixed_length");
}

#[test]
fn repeated_openings_without_jitter_are_counted_as_duplicates_and_warned_about() {
    let folder = &Folder::new();
    let suite = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
                 lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n";
    folder.write("two.sfen", suite);
    let more = "--openings two.sfen --pairs 6 --repeat --out m --json";
    let output = folder.run(&format!("{QUICK} {more}"));
    assert_eq!(output.json()["duplicates"], 4);
    output.says(["4 of 6 pairs (8 games) repeat"]);
}

#[test]
fn a_match_without_a_folder_resumes_its_own_and_never_another() {
    let folder = &Folder::new();
    let play = |more: &str| {
        folder.run(&format!("{QUICK} {more}")).ok();
    };
    play("--pairs 1");
    play("--pairs 1");
    assert_eq!(folder.join("results").names().len(), 1);
    play("--pairs 1 --seed 2");
    let names = folder.join("results").names();
    assert_eq!(names.len(), 2);
    assert!(
        names[0].ends_with("base-vs-plain") && names[1].ends_with("-2"),
        "{names:?}"
    );
}

#[test]
fn a_report_makes_the_derived_files_again_from_the_ledger() {
    let folder = &Folder::new();
    let played = folder.run(&format!("{QUICK} --pairs 3 --out m --json"));
    let read = |file: &str| fs::read(folder.join("m").join(file)).unwrap();
    let files = ["run.toml", "games.csv", "games.sfen", "summary.csv", "sprt.csv"];
    let before: Vec<Vec<u8>> = files.iter().map(|file| read(file)).collect();
    for file in files {
        fs::remove_file(folder.join("m").join(file)).unwrap();
    }
    let reported = folder.run("report m --json");
    assert_eq!(reported.json(), played.json());
    assert_eq!(files.iter().map(|file| read(file)).collect::<Vec<_>>(), before);
    folder.run("report nowhere").ended(2);
}

#[test]
fn perft_counts_the_start_position_and_divides_it() {
    let folder = &Folder::new();
    let value = folder.run("perft --depth 3 --json").json();
    assert_eq!(value["nodes"], 25_470);
    assert!(value["time_ms"].is_u64());
    let divided = folder.run("perft --depth 2 --divide --json").json();
    assert_eq!(divided["nodes"], 900);
    assert_eq!(divided["moves"]["7g7f"], 30);
    let chess = folder.run("perft --game chess --depth 3 --json");
    assert_eq!(chess.json()["nodes"], 8902);
    folder.run("perft --depth 1 --position '9/9 b - 1'").ended(2);
}

#[test]
fn params_lists_every_setting_in_the_form_of_the_contract() {
    let folder = &Folder::new();
    let value = folder.run("params --json").json();
    let rows = value.as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == "null_move").unwrap();
    assert_eq!(row["kind"], "choice");
    assert_eq!(row["default"], "reduce");
    assert_eq!(row["choices"], serde_json::json!(["off", "prune", "reduce"]));
    for row in rows {
        let keys: Vec<&String> = row.as_object().unwrap().keys().take(7).collect();
        assert_eq!(keys, ["name", "kind", "default", "min", "max", "step", "help"]);
    }
}

#[test]
fn help_says_what_every_option_does() {
    for (name, args) in [
        ("help", "--help"),
        ("help_match", "match --help"),
        ("help_nodes", "nodes --help"),
        ("help_ablate", "ablate --help"),
        ("help_odds", "odds --help"),
        ("help_openings_generate", "openings generate --help"),
    ] {
        let output = tanren().args(words(args)).output().unwrap();
        insta::assert_snapshot!(name, output.text());
    }
}

#[test]
fn without_players_the_demo_pair_is_played_whatever_the_length() {
    let folder = &Folder::new();
    let output = folder.run("match --nodes 60 --pairs 1 --out m --json").ok();
    assert_eq!(output.json()["b"], "base,null_move=off");
}
