//! `tanren tune` of an engine whose strength is a known function of its options.

use crate::engines::example;
use crate::folder::{Ended, Folder, InFolder};

/// Elo of the tuned values against those of the start, as the engine computes them.
fn tuned(numbers: usize, elo_per_step: f64, gain: f64, games: u64, seed: u64) -> f64 {
    let folder = &Folder::new();
    let space = (0..numbers).map(|number| format!("P{number}, int, 0, -3000, 3000, 100, 0.002\n"));
    folder.write("space.txt", space.collect::<String>());
    let engine = example("strength_engine");
    let player = format!("uci:{} {numbers} {elo_per_step} {gain}", engine.display());
    let line = format!(
        "tune --game chess --player '{player}' --space space.txt --games {games} --pairs-per-iteration 5 --seed {seed} --nodes 1 \
         --resign score=600,moves=1,both=off --draw from=1,moves=1,score=1 --confirm off --widths given --out x --json --quiet"
    );
    let result = folder.run(&line).ok().json();
    let weights = || (0..numbers).map(|index| elo_per_step * [0.4, 1.0, 1.6][index % 3]);
    let distance = (gain / weights().sum::<f64>()).sqrt();
    let losses = weights().enumerate().map(|(index, weight)| {
        let best = if index % 2 == 0 { distance } else { -distance };
        let now = result["parameters"][index]["now"].as_f64().unwrap() / 100.0;
        weight * (now - best).powi(2)
    });
    gain - losses.sum::<f64>()
}

#[test]
fn what_an_engine_has_to_gain_is_found_whatever_a_step_is_worth() {
    for (elo_per_step, least) in [(0.5, 2.0), (10.0, 30.0)] {
        let gain = tuned(4, elo_per_step, 60.0, 2_000, 1);
        assert!((least..60.1).contains(&gain), "{elo_per_step}: {gain}");
    }
    let gain = tuned(4, 10.0, 0.0, 1_000, 1);
    assert!((-4.0..=0.0).contains(&gain), "{gain}");
}

#[test]
#[ignore = "slow: 36 tunings of 10,000 games"]
fn three_elo_are_not_thrown_away_and_nothing_is_lost_where_there_is_nothing() {
    for elo_per_step in [0.1, 1.0, 10.0] {
        let [mean_of_none, mean_of_three] = [0.0, 3.0].map(|gain| {
            let all: Vec<f64> = (1..=6)
                .map(|seed| tuned(10, elo_per_step, gain, 10_000, seed))
                .collect();
            println!("{elo_per_step} Elo a step, {gain} to gain: {all:.2?}");
            all.iter().sum::<f64>() / 6.0
        });
        assert!(
            mean_of_none > -0.8 && mean_of_three > 0.0,
            "{elo_per_step}: {mean_of_none} {mean_of_three}"
        );
    }
}
