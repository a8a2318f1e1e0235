//! A tournament as a user meets it.

use std::path::Path;

use crate::common::columns_but_times;
use crate::folder::{Ended, Folder, InFolder, holds};

const PLAYERS: &str = "tournament --player base --player plain --player \
    '{ name = \"weak\", player = \"base\", nodes = 20 }' --nodes 80";

const FILES: [&str; 7] = [
    "run.toml",
    "games.csv",
    "games.sfen",
    "ratings.csv",
    "crosstable.csv",
    "pairings.csv",
    "differences.csv",
];

fn read(folder: &Path, file: &str) -> String {
    let text = folder.read(file);
    if file == "games.csv" {
        columns_but_times(&text)
    } else {
        text
    }
}

#[test]
fn every_difference_has_an_interval_and_an_anchor_moves_ratings_and_no_difference() {
    // Near enough that each wins games of each other.
    let players = "tournament --player base --player '{ name = \"less\", player = \"base\", nodes = 70 }' \
        --player '{ name = \"least\", player = \"base\", nodes = 60 }' --nodes 80";
    let folder = &Folder::new();
    let play = |out: &str, more: &str| {
        let args = format!("{players} --rounds 20 --out {out} --quiet {more}");
        folder.run(&args).ok();
    };
    play("free", "");
    play("anchored", "--anchor base=1500");
    let of = |run: &str, file: &str| read(&folder.join(run), file);
    let differences = of("free", "differences.csv");
    assert_eq!(differences, of("anchored", "differences.csv"));
    assert!(
        differences.starts_with("player,opponent,difference,low,high,los\n"),
        "{differences}"
    );
    assert_eq!(
        differences.lines().count(),
        1 + 6,
        "every pair both ways: {differences}"
    );
    let ratings = of("anchored", "ratings.csv");
    let base = ratings.lines().find(|line| line.contains(",base,")).unwrap();
    assert!(base.contains(",base,1500.0,1500.0,1500.0,"), "{ratings}");
    folder.run("report anchored").ok();
    assert_eq!(of("anchored", "ratings.csv"), ratings);
    let pairings = of("free", "pairings.csv");
    assert!(
        pairings
            .lines()
            .next()
            .unwrap()
            .ends_with(",identical_pairs,p_value,p_holm,q_value")
    );
    for (anchor, hint) in [
        ("nobody=1500", "names no player"),
        ("base", "PLAYER=ELO"),
        ("base=x", "PLAYER=ELO"),
        ("base=1e308", "within ±100000 Elo"),
    ] {
        let args = format!("{players} --rounds 1 --out y --anchor {anchor}");
        folder.run(&args).refused(hint);
    }
}

#[test]
fn a_tournament_is_the_same_at_any_concurrency_and_after_a_pause() {
    let folder = &Folder::new();
    let play = |out: &str, more: &str| {
        let args = format!("{PLAYERS} --rounds 6 --out {out} --json {more}");
        let output = folder.run(&args).ok();
        output.json()
    };
    let whole = play("whole", "--concurrency 1 --quiet");
    let paused = play("paused", "--pause-after 7");
    assert_eq!(paused["pairings"][0]["pairs"], 3, "round by round: {paused}");
    assert_eq!(paused["pairings"][2]["pairs"], 2);
    assert_eq!(play("paused", "--concurrency 2"), whole);
    for file in FILES {
        let [one, two] = ["whole", "paused"].map(|run| read(&folder.join(run), file));
        assert_eq!(one, two, "{file}");
    }
    let report = folder.run("report paused --json");
    assert_eq!(report.json(), whole, "{}", report.message());
    let again = folder.run("run whole/run.toml --out again --json --quiet");
    assert_eq!(again.json(), whole, "{}", again.message());
}

#[test]
fn ratings_order_the_players_and_every_game_names_who_played() {
    let folder = &Folder::new();
    let args = format!("{PLAYERS} --pairs 10 --out t --sprt elo0=0,elo1=100");
    let text = folder.run(&args).ok().text();
    assert!(text.contains("score of the row against the column"), "{text}");
    let ratings = read(&folder.join("t"), "ratings.csv");
    // Nobody who won every game is comparable with the others, so ranks count within a pool.
    let place = |name: &str| ratings.lines().position(|line| line.contains(name)).unwrap();
    assert_eq!(ratings.lines().count(), 4, "{ratings}");
    assert!(place(",plain,") < place(",weak,"), "{ratings}");
    let games = folder.read("t/games.csv");
    assert!(games.lines().next().unwrap().ends_with(",seed,player_a,player_b"));
    assert_eq!(
        games.lines().filter(|line| line.ends_with(",base,weak")).count(),
        20
    );
}

#[test]
fn a_gauntlet_lets_the_seeds_meet_all_others() {
    let folder = &Folder::new();
    let more = "--gauntlet 1 --pairs 2 --out t --json --quiet";
    let output = folder.run(&format!("{PLAYERS} {more}"));
    let pairings = output.json()["pairings"].clone();
    assert_eq!(pairings.as_array().unwrap().len(), 2);
    let cross = read(&folder.join("t"), "crosstable.csv");
    assert!(cross.lines().nth(2).unwrap().ends_with(",,"), "{cross}");
}

#[test]
fn bad_input_is_refused_with_exit_code_2_and_leaves_nothing_behind() {
    let folder = &Folder::new();
    let cases: [(&str, &str); 5] = [
        ("--player base", "both called 'base'"),
        (
            "--player '{ nam = \"x\" }'",
            "unknown key 'nam' (did you mean 'name'?)",
        ),
        (
            "--player base,nul_move=off",
            "player 4: unknown setting 'nul_move'",
        ),
        ("--gauntlet 3", "gauntlet is 3, but must be from 1 to 2"),
        ("--pairs 30000", "--repeat"),
    ];
    for (more, expected) in cases {
        folder.run(&format!("{PLAYERS} {more} --out t")).refused(expected);
        assert!(!folder.join("t").exists());
    }
}

#[test]
fn a_queue_runs_tournaments_with_players_in_tables() {
    let folder = &Folder::new();
    let night = "[[job]]\nname = \"t\"\ncommand = \"tournament\"\nnodes = 60\npairs = 4\nbudget_pairs = 3\n\
                 [[job.player]]\nplayer = \"plain\"\n[[job.player]]\nname = \"half\"\nnodes = 30\n";
    folder.write("night.toml", night);
    let output = folder.run("run night.toml --out n --json").ok();
    let row = &output.json()[0];
    assert_eq!(row["pairs"], 3);
    assert_eq!(row["state"], "out_of_budget");
    let ratings = read(&folder.join("n/t"), "ratings.csv");
    holds(&ratings, ["half", "plain"]);
}
