//! The claims of the manual on many questions, two looks, ratings, repeated openings and curved odds, checked by simulation.
//!
//! In: the name of a check and a number of runs. Out: CSV on stdout, one row a case, before and after. One thread; run `index` of a
//! row is always the same.
//!
//! `cargo run --release -p tanren-stats --example second_look -- family 20000`

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints what it finds"
)]

use std::process::ExitCode;

use tanren_stats::elo::{elo, p_even};
use tanren_stats::odds::{OFFSET, OFFSET_BEFORE, next_log_ratio_beside};
use tanren_stats::random::Random;
use tanren_stats::{
    Clusters, Elimination, EloModel, Looks, OddsBatch, PairModel, PairedGames, Pairing, Question, Ratings,
    Sample, Tally, benjamini_hochberg, even_ratio, holm, looks_from, normal_scores,
};

/// Like shogi.
const DRAWS: f64 = 0.02;
const BIAS: f64 = 50.0;
const ALPHA: f64 = 0.05;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runs = arguments
        .get(1)
        .and_then(|runs| runs.parse().ok())
        .unwrap_or(20_000);
    match arguments.first().map(String::as_str) {
        Some("family") => family(runs),
        Some("prolongation") => prolongation(runs),
        Some("ratings") => ratings(runs),
        Some("odds") => odds(runs),
        Some("openings") => openings(runs),
        Some("budget") => budget(runs),
        _ => {
            eprintln!("second_look family|prolongation|ratings|odds|openings|budget [RUNS]");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn model(elo: f64, bias: f64) -> PairModel {
    PairModel::new(elo, EloModel::Logistic, DRAWS, bias).expect("such a player is possible")
}

fn play(truth: &PairModel, random: &mut Random, pairs: u64, tally: &mut Tally) {
    (0..pairs).for_each(|_| tally.add(truth.draw(random)));
}

fn sample(tally: &Tally) -> Sample {
    Sample::pairs(tally.pentanomial)
}

fn p_of(tally: &Tally) -> f64 {
    p_even(&sample(tally)).unwrap_or(1.0)
}

/// A share in percent with its standard error.
fn share(hits: u64, runs: u64) -> String {
    let p = hits as f64 / runs as f64;
    format!(
        "{:.2},{:.2}",
        100.0 * p,
        100.0 * (p * (1.0 - p) / runs as f64).sqrt()
    )
}

/// 45 settings of which none does anything, or some do: how often any null row is called worth_it or costs, by rule.
fn family(runs: u64) {
    println!("rows,null,pairs,straddle_pairs,rule,any_wrong_percent,error,wrong_rows,shown_rows,runs");
    const ROWS: usize = 45;
    let (first, second) = (500_u64, 2000_u64);
    let looks = Looks::new(&[first, second]);
    for effects in [0_usize, 11] {
        let truths = family_truths(ROWS, effects);
        let names = [
            "single_look_5_percent",
            "two_looks_plain",
            "two_looks_pocock",
            "holm",
            "fdr",
        ];
        let (mut any, mut wrong, mut shown) = ([0_u64; 5], [0_u64; 5], [0_u64; 5]);
        for run in 0..runs {
            let mut random = Random::long(run, 45 + effects as u64);
            let mut p = [vec![], vec![], vec![]];
            for truth in &truths {
                let mut tally = Tally::default();
                play(truth, &mut random, first, &mut tally);
                let one = p_of(&tally);
                // As before: played on while the plain interval holds zero.
                let mut plain = tally;
                if one >= ALPHA {
                    play(truth, &mut random, second - first, &mut plain);
                }
                // As now: played on while nothing is shown for the family.
                let corrected = looks.p(one);
                let mut valid = tally;
                if corrected * ROWS as f64 > ALPHA {
                    valid = plain;
                    if plain.pairs() == first {
                        play(truth, &mut random, second - first, &mut valid);
                    }
                }
                p[0].push(one);
                p[1].push(p_of(&plain));
                p[2].push(looks.p(p_of(&valid)));
            }
            let by_rule = [
                p[0].clone(),
                p[1].clone(),
                p[2].clone(),
                holm(&p[2]),
                benjamini_hochberg(&p[2]),
            ];
            for (rule, values) in by_rule.iter().enumerate() {
                let of_null = values[effects..].iter().filter(|&&p| p <= ALPHA).count() as u64;
                any[rule] += u64::from(of_null > 0);
                wrong[rule] += of_null;
                shown[rule] += values.iter().filter(|&&p| p <= ALPHA).count() as u64;
            }
        }
        for (rule, name) in names.iter().enumerate() {
            let mean = |count: u64| count as f64 / runs as f64;
            println!(
                "{ROWS},{},{first},{second},{name},{},{:.3},{:.3},{runs}",
                ROWS - effects,
                share(any[rule], runs),
                mean(wrong[rule]),
                mean(shown[rule])
            );
        }
    }
}

/// The first of them have effects, spread like those of an ablation: 5 to 40 Elo either way.
fn family_truths(rows: usize, effects: usize) -> Vec<PairModel> {
    let elo = |row: usize| match row {
        row if row >= effects => 0.0,
        row if row.is_multiple_of(3) => -(5.0 + 3.5 * row as f64),
        row => 5.0 + 3.5 * row as f64,
    };
    (0..rows).map(|row| model(elo(row), BIAS)).collect()
}

/// One row that is played on while its interval holds zero: wrong verdicts and coverage.
fn prolongation(runs: u64) {
    println!(
        "elo,pairs,straddle_pairs,rule,wrong_percent,wrong_error,covered_percent,covered_error,mean_pairs,runs"
    );
    for (first, second) in [(1000, 4000), (500, 1000)] {
        let looks = Looks::new(&[first, second]);
        let each = looks.confidence_of_each(0.95);
        for truth_elo in [0.0, 5.0, 12.0] {
            let truth = model(truth_elo, BIAS);
            for (name, confidence) in [("plain", 0.95), ("pocock", each)] {
                let (mut wrong, mut covered, mut pairs) = (0, 0, 0);
                for run in 0..runs {
                    let mut random = Random::long(run, first + second);
                    let mut tally = Tally::default();
                    play(&truth, &mut random, first, &mut tally);
                    let straddles =
                        |tally: &Tally| elo(&sample(tally), confidence).is_none_or(|e| e.contains(0.0));
                    if straddles(&tally) {
                        play(&truth, &mut random, second - first, &mut tally);
                    }
                    let is_wrong = match elo(&sample(&tally), confidence) {
                        Some(e) if truth_elo == 0.0 => !e.contains(0.0),
                        Some(e) => e.high.is_some_and(|high| high < 0.0),
                        None => false,
                    };
                    wrong += u64::from(is_wrong);
                    covered +=
                        u64::from(elo(&sample(&tally), confidence).is_none_or(|e| e.contains(truth_elo)));
                    pairs += tally.pairs();
                }
                println!(
                    "{truth_elo},{first},{second},{name},{},{},{:.0},{runs}",
                    share(wrong, runs),
                    share(covered, runs),
                    pairs as f64 / runs as f64
                );
            }
        }
    }
}

/// Differences of five players: coverage and width by the model's covariance and by that of pairs.
fn ratings(runs: u64) {
    println!("opening_bias_elo,draws,pairs_a_pairing,covariance,covered_percent,error,mean_width_elo,runs");
    let strengths = [0.0, 40.0, -30.0, 15.0, -5.0];
    let pairs = 60;
    for (bias, draws) in [
        (0.0, 0.02),
        (200.0, 0.02),
        (300.0, 0.02),
        (0.0, 0.5),
        (100.0, 0.4),
    ] {
        let (mut covered, mut width) = ([0_u64; 2], [0.0; 2]);
        for run in 0..runs {
            let games = round_robin(&strengths, bias, draws, pairs, &mut Random::long(run, 3));
            let single: Vec<Pairing> = games.iter().flat_map(PairedGames::pairings).collect();
            let fits = [Ratings::fit(5, &single), Ratings::fit_pairs(5, &games)];
            for (place, fit) in fits.into_iter().enumerate() {
                let Some(found) = fit.ok().and_then(|fit| fit.difference(1, 2, 0.95)) else {
                    continue;
                };
                covered[place] += u64::from(found.contains(70.0));
                width[place] += found.high.zip(found.low).map_or(0.0, |(high, low)| high - low);
            }
        }
        for (place, name) in ["model", "pairs"].iter().enumerate() {
            println!(
                "{bias},{draws},{pairs},{name},{},{:.1},{runs}",
                share(covered[place], runs),
                width[place] / runs as f64
            );
        }
    }
}

/// Openings favour either side, so the first move itself is worth nothing on average.
fn round_robin(
    strengths: &[f64],
    bias: f64,
    draws: f64,
    pairs: u64,
    random: &mut Random,
) -> Vec<PairedGames> {
    let mut all = Vec::new();
    for a in 0..strengths.len() {
        for b in a + 1..strengths.len() {
            let difference = strengths[a] - strengths[b];
            let truths = [bias, -bias].map(|bias| {
                PairModel::new(difference, EloModel::Logistic, draws, bias)
                    .expect("such players are possible")
            });
            let mut results = [[0; 3]; 3];
            for _ in 0..pairs {
                let pair = truths[random.below(2) as usize].draw(random);
                results[pair.first as usize][pair.second as usize] += 1;
            }
            all.push(PairedGames { a, b, results });
        }
    }
    all
}

/// Whole studies of 20 batches of 25 pairs in which every doubling is worth less than the one before.
fn odds(runs: u64) {
    println!("ratio,doubling_elo,kept_percent,beside_percent,covered_percent,error,bias_percent,runs");
    let truths = [
        (1.0, 100.0, 1.0),
        (1.0, 100.0, 0.85),
        (2.5, 100.0, 0.85),
        (0.4, 80.0, 0.8),
        (2.5, 120.0, 0.7),
    ];
    for (ratio, doubling, kept) in truths {
        for (name, offset) in [("60", OFFSET_BEFORE), ("55", OFFSET)] {
            let (mut covered, mut bias) = (0, 0.0);
            for run in 0..runs {
                let estimate = study(run, ratio, doubling, kept, offset);
                covered += u64::from(estimate.value.is_some() && estimate.contains(ratio));
                bias += estimate.value.map_or(0.0, |value| (value / ratio).ln());
            }
            let percent = 100.0 * ((bias / runs as f64).exp() - 1.0);
            println!(
                "{ratio},{doubling},{:.0},{name},{},{percent:.2},{runs}",
                100.0 * kept,
                share(covered, runs)
            );
        }
    }
}

fn study(run: u64, ratio: f64, doubling: f64, kept: f64, offset: f64) -> tanren_stats::Estimate {
    let mut random = Random::long(run, 77);
    let mut batches: Vec<OddsBatch> = Vec::new();
    for _ in 0..20 {
        let log_ratio = next_log_ratio_beside(&batches, 64_f64.ln(), offset);
        let doublings = (log_ratio - f64::ln(ratio)) / std::f64::consts::LN_2;
        // The integral of what each is worth, `doubling · kept^x`.
        let elo = if kept < 1.0 {
            doubling * (1.0 - kept.powf(doublings)) / -kept.ln()
        } else {
            doubling * doublings
        };
        let truth = model(elo.clamp(-450.0, 450.0), BIAS);
        let mut tally = Tally::default();
        play(&truth, &mut random, 25, &mut tally);
        batches.push(OddsBatch {
            log_ratio,
            pentanomial: tally.pentanomial,
        });
    }
    even_ratio(&batches, 0.95)
}

/// Equal players over openings that suit one of them: intervals of fixed length, openings used again or related ones in a row.
fn openings(runs: u64) {
    println!("opening_sd_elo,suite,pairs,order,variance,error_percent,error,mean_half_width_elo,runs");
    // (suite, pairs, family, order): a family shares what it is worth.
    let cases: [(u64, u64, u64, &str); 6] = [
        (200, 200, 1, "each_once"),
        (200, 1000, 1, "repeat"),
        (200, 2000, 1, "repeat"),
        (50, 1000, 1, "repeat"),
        (20_000, 1000, 20, "families_in_a_row"),
        (20_000, 1000, 20, "random"),
    ];
    for sd in [0.0, 60.0] {
        let models: Vec<PairModel> = normal_scores(41).iter().map(|z| model(sd * z, BIAS)).collect();
        for (suite, pairs, family, order) in cases {
            let (mut wrong, mut width) = ([0_u64; 2], [0.0; 2]);
            for run in 0..runs {
                let mut random = Random::long(run, suite + pairs);
                let families = suite.div_ceil(family);
                let worth: Vec<usize> = (0..families).map(|_| random.below(41) as usize).collect();
                let (mut tally, mut clusters) = (Tally::default(), Clusters::default());
                for pair in 0..pairs {
                    let opening = if order == "random" {
                        random.below(suite)
                    } else {
                        pair % suite
                    };
                    let result = models[worth[(opening / family) as usize]].draw(&mut random);
                    tally.add(result);
                    clusters.add(opening as u32, result.category() as u64);
                }
                let plain = sample(&tally);
                for (place, sample) in [plain, plain.with_design_effect(clusters.design_effect())]
                    .iter()
                    .enumerate()
                {
                    let Some(estimate) = elo(sample, 0.95) else {
                        continue;
                    };
                    wrong[place] += u64::from(!estimate.contains(0.0));
                    width[place] += estimate
                        .high
                        .zip(estimate.low)
                        .map_or(0.0, |(high, low)| 0.5 * (high - low));
                }
            }
            for (place, name) in ["pairs", "clustered"].iter().enumerate() {
                println!(
                    "{sd},{suite},{pairs},{order},{name},{},{:.2},{runs}",
                    share(wrong[place], runs),
                    width[place] / runs as f64
                );
            }
        }
    }
}

/// The same total spent alike on all rows, in two stages, and where it decides.
fn budget(runs: u64) {
    println!("rows,total_pairs,rule,any_wrong_percent,error,shown_rows,mean_pairs,runs");
    const ROWS: usize = 45;
    let total = 45 * 1000_u64;
    // A third do something, as in the first ablation; the signs do not matter.
    let effects = [
        78.0, 40.0, 30.0, 22.0, 18.0, 15.0, 12.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0,
    ];
    let truths: Vec<PairModel> = (0..ROWS)
        .map(|row| model(effects.get(row).copied().unwrap_or(0.0), BIAS))
        .collect();
    let rule = Elimination::new(looks_from(250, 16_000), ROWS, ALPHA);
    // The total alike, two, three and four times as much alike, then the total where it decides.
    let (mut any, mut shown, mut spent) = ([0_u64; 5], [0_u64; 5], [0_u64; 5]);
    for run in 0..runs {
        let mut random = Random::long(run, 1);
        let mut tallies = [Tally::default(); ROWS];
        let mut found: Vec<(Vec<bool>, u64)> = Vec::new();
        for times in 1..=4 {
            for (truth, tally) in truths.iter().zip(&mut tallies) {
                play(truth, &mut random, total / ROWS as u64, tally);
            }
            let p: Vec<f64> = tallies.iter().map(p_of).collect();
            found.push((holm(&p).iter().map(|&p| p <= ALPHA).collect(), times * total));
        }
        found.push(where_it_decides(&rule, &truths, total, &mut Random::long(run, 2)));
        for (place, (answers, pairs)) in found.into_iter().enumerate() {
            any[place] += u64::from(answers[effects.len()..].iter().any(|answer| *answer));
            shown[place] += answers.iter().filter(|answer| **answer).count() as u64;
            spent[place] += pairs;
        }
    }
    for place in 0..5 {
        let mean = |count: u64| count as f64 / runs as f64;
        println!(
            "{ROWS},{},{},{},{:.3},{:.0},{runs}",
            if place < 4 {
                (place as u64 + 1) * total
            } else {
                total
            },
            if place < 4 { "alike" } else { "where_it_decides" },
            share(any[place], runs),
            mean(shown[place]),
            mean(spent[place])
        );
    }
}

/// Which rows are answered, and how many pairs that took.
fn where_it_decides(
    rule: &Elimination,
    truths: &[PairModel],
    total: u64,
    random: &mut Random,
) -> (Vec<bool>, u64) {
    let mut tallies = vec![Tally::default(); truths.len()];
    let mut questions = vec![
        Question {
            pairs: 0,
            p: None,
            is_closed: false,
        };
        truths.len()
    ];
    let mut left = total;
    while let Some((row, target)) = rule.next(&questions, left) {
        let more = target - tallies[row].pairs();
        play(&truths[row], random, more, &mut tallies[row]);
        left -= more;
        (questions[row].pairs, questions[row].p) = (target, Some(p_of(&tallies[row])));
    }
    (rule.answered(&questions), total - left)
}
