//! What holds of numbers that change with the engine.

use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder};

#[test]
fn the_engine_against_itself_is_even_at_a_ratio_of_one() {
    let folder = &Folder::new();
    let line =
        "odds --b base --nodes 60 --hash 1 --node-jitter 20 --pairs 160 --batch 20 --out x --json --quiet";
    let result = folder.run(line).ok().json();
    let [low, high, slope] =
        ["ratio_low", "ratio_high", "doubling_elo"].map(|key| result[key].as_f64().unwrap());
    assert!(low < 1.0 && 1.0 < high && slope > 0.0, "{result}");
}

#[test]
fn no_opening_of_a_study_of_odds_comes_twice() {
    let folder = &Folder::new();
    for (name, first) in [("x", ""), ("y", "--first-opening 4")] {
        let line = "odds --b plain --nodes 60 --hash 1 --pairs 20 --batch 5 --quiet";
        folder.run(&format!("{line} {first} --out {name}")).ok();
        let of = |batch| folder.column(format!("{name}/batches/{batch:03}/games.csv"), "opening");
        let mut openings: Vec<String> = (1..=4).flat_map(of).collect();
        openings.sort();
        openings.dedup();
        assert_eq!(openings.len(), 20, "{first}");
    }
}

#[test]
fn rows_of_an_ablation_have_an_elo_unless_they_are_identical_and_a_budget_is_kept() {
    let folder = &Folder::new();
    let line = "ablate --only killers,see_ordering,history,iid --pairs 16 --straddle-pairs 64 --budget 112 --out x \
        --nodes 60 --node-depth 3 --hash 1 --json --quiet";
    let rows = folder.run(line).ok().json();
    let rows = rows.as_array().unwrap();
    for row in rows {
        assert_ne!(row["elo"].is_number(), row["verdict"] == "identical", "{row}");
        assert!(row["p_holm"].as_f64() >= row["q_value"].as_f64(), "{row}");
    }
    let pairs: Vec<u64> = rows.iter().map(|row| row["pairs"].as_u64().unwrap()).collect();
    assert!(
        pairs.iter().all(|pairs| [16, 32, 64].contains(pairs)),
        "{pairs:?}"
    );
    let all: u64 = pairs.iter().sum();
    assert!((65..=112).contains(&all), "{pairs:?}");
}

#[test]
fn what_a_test_that_stopped_says_of_a_tuned_player_allows_for_its_stop() {
    let folder = &Folder::new();
    folder.write(
        "space.txt",
        "P0, int, 0, -3000, 3000, 100, 0.002\nP1, int, 0, -3000, 3000, 100, 0.002\n",
    );
    let engine = example("strength_engine");
    let line = format!(
        "tune --game chess --player 'uci:{} 2 20 200' --space space.txt --widths given --games 200 --pairs-per-iteration 5 --nodes 1 \
         --resign score=600,moves=1,both=off --draw from=1,moves=1,score=1 --confirm-pairs 400 --confirm elo0=0,elo1=60 --out x --quiet",
        engine.display()
    );
    folder.run(&line).ok();
    let [tuned, confirmed] = ["x", "x/confirm"].map(|run| folder.run(&format!("report {run} --json")).json());
    assert!(
        tuned["verdict"].as_str().unwrap().starts_with("accepted_h"),
        "{tuned}"
    );
    for name in ["elo", "elo_low", "elo_high"] {
        assert_eq!(tuned[name], confirmed[name], "{name}");
    }
    assert!(
        confirmed["interval"] == "stopped" && confirmed["confidence"] == 0.9,
        "{confirmed}"
    );
    assert_ne!(confirmed["uncorrected_elo"], confirmed["elo"]);
    let text = folder.run("report x").text();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let [elo, low, high] = ["elo", "elo_low", "elo_high"].map(|name| tuned[name].as_f64().unwrap());
    let said = format!("{elo:+.1} Elo (90 % CI {low:+.1} to {high:+.1})");
    assert!(text.contains(&said), "{said}: {text}");
}

#[test]
fn built_in_players_keep_within_tiny_clocks() {
    let folder = &Folder::new();
    // The machine may be busy, so the margin is wide; the sums show that nobody lives off it.
    let line = "match --a base --b plain --pairs 1 --quiet --concurrency 1 --time-margin 5000 --max-plies 60";
    // In at most 30 moves of a side.
    for (name, clock, time_ms_max) in [
        ("base", "--tc 0.3+0 --overhead 10", [300, 300]),
        (
            "byoyomi",
            "--byoyomi-a 12 --tc-b 0.2+0.002 --overhead 5",
            [30 * 12, 200 + 30 * 2],
        ),
        (
            "both",
            "--tc 0.1 --byoyomi 5 --overhead 3 --whole-seconds",
            [2_000; 2],
        ),
    ] {
        folder.run(&format!("{line} {clock} --out {name}")).ok();
        let of = |column| folder.column(format!("{name}/games.csv"), column);
        assert!(!of("reason").contains(&"time_loss".to_owned()), "{name}");
        for (column, time_ms_max) in ["time_a_ms", "time_b_ms"].into_iter().zip(time_ms_max) {
            let times: Vec<u64> = of(column).iter().map(|time| time.parse().unwrap()).collect();
            let is_kept = |time: &u64| (1..=2 * time_ms_max + 4_000).contains(time);
            assert!(times.iter().all(is_kept), "{name}: {times:?}");
            // A busy machine stretches some games, not all.
            assert!(
                times.iter().any(|time| *time <= 4 * time_ms_max),
                "{name}: {times:?}"
            );
        }
    }
}
