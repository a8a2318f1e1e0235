//! `tanren tune --bench`.
//!
//! In: lengths and a number of seeds. Out: the comparison of methods as CSV and a table. Must not: play a real game.

use std::io::Write;

use super::super::error::CliError;
use super::TuneArgs;
use crate::interrupt::Interrupt;
use crate::report::{
    SearchProgress, describe_methods, methods_csv, methods_json, print_data, write_atomically,
};
use crate::tune::bench::{Comparison, Row};

const GAMES: [u64; 3] = [1_000, 10_000, 100_000];
const GAMES_LIMIT: u64 = 10_000_000;

/// Runs the comparison.
pub(super) fn compare(args: &TuneArgs) -> Result<(), CliError> {
    let comparison = comparison(args)?;
    let executor = args.options.executor()?;
    let process = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let kinds: Vec<_> = comparison.kinds().collect();
    let progress = (!args.options.quiet).then(|| SearchProgress::of("comparisons", kinds.len()));
    let mut rows: Vec<Row> = Vec::new();
    for (done, &(shape, games)) in kinds.iter().enumerate() {
        if let Some(signal) = process.signal() {
            return Err(CliError::Stopped(signal));
        }
        if let Some(progress) = &progress {
            progress.show(done);
        }
        rows.extend(executor.pool().install(|| comparison.rows(shape, games)));
        if let Some(path) = &args.out {
            let csv = methods_csv(&rows);
            write_atomically(path, |output| output.write_all(&csv?))?;
        }
    }
    if let Some(progress) = &progress {
        progress.end();
    }
    let text = if args.options.json {
        methods_json(&rows).to_string()
    } else {
        describe_methods(&rows)
    };
    print_data(&text).map_err(CliError::system("print the table"))
}

fn comparison(args: &TuneArgs) -> Result<Comparison, CliError> {
    let games = if args.games.is_empty() {
        GAMES.to_vec()
    } else {
        args.games.clone()
    };
    let least = 4 * args.pairs_per_iteration.get();
    if let Some(wrong) = games.iter().find(|games| !(least..=GAMES_LIMIT).contains(games)) {
        let message = format!("--games is {wrong}, but must be from {least} to {GAMES_LIMIT} with --bench");
        return Err(CliError::Input(message));
    }
    Ok(Comparison {
        games,
        seeds: args.seeds.get(),
        pairs_per_iteration: args.pairs_per_iteration.get(),
        lag: args.lag.get(),
        seed: args.seed,
    })
}
