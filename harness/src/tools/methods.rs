//! The comparison of tuning methods on made-up landscapes.

use crate::document::file::FileError;
use crate::interrupt::Interrupt;
use crate::kinds::tune::optimizer::bench::{Comparison, Row};
use crate::session::error::ExperimentError;
use crate::session::options::RunOptions;

const GAMES: [u64; 3] = [1_000, 10_000, 100_000];
const GAMES_MAX: u64 = 10_000_000;

#[derive(Debug, Clone, Copy)]
pub struct MethodsProgress<'a> {
    pub done: usize,
    pub of: usize,
    pub rows: &'a [Row],
}

pub fn compare_methods(
    mut comparison: Comparison,
    options: &RunOptions,
    audience: &mut dyn FnMut(MethodsProgress<'_>) -> Result<(), FileError>,
) -> Result<Vec<Row>, ExperimentError> {
    if comparison.games.is_empty() {
        comparison.games = GAMES.to_vec();
    }
    let least = 4 * comparison.pairs_per_iteration;
    let is_wrong = |games: &&u64| !(least..=GAMES_MAX).contains(*games);
    if let Some(wrong) = comparison.games.iter().find(is_wrong) {
        let message = format!("--games is {wrong}, but must be from {least} to {GAMES_MAX} with --bench");
        return Err(ExperimentError::Input(message));
    }
    let executor = options.executor()?;
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let kinds: Vec<_> = comparison.kinds().collect();
    let mut rows: Vec<Row> = Vec::new();
    let of = kinds.len();
    for (done, &(shape, games)) in kinds.iter().enumerate() {
        if let Some(signal) = process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        let made = MethodsProgress {
            done,
            of,
            rows: &rows,
        };
        audience(made)?;
        rows.extend(executor.pool().install(|| comparison.rows(shape, games)));
    }
    audience(MethodsProgress {
        done: of,
        of,
        rows: &rows,
    })?;
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_short_a_tuning_is_refused_before_any_is_made() {
        let comparison = Comparison {
            games: vec![100, 3],
            seeds: 1,
            pairs_per_iteration: 1,
            lag: 1,
            seed: 1,
        };
        let refused = compare_methods(comparison, &RunOptions::default(), &mut |_| {
            unreachable!("nothing is done")
        });
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("--games is 3, but must be from 4"), "{message}");
    }
}
