//! Simulated matches on the threads of this machine.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::LocalExecutor;
use crate::interrupt::Interrupt;
use crate::stop::simulate::{Simulation, SimulationSummary};

/// Matches between two looks at the interrupt and two reports of progress.
const CHUNK: u64 = 50;

impl LocalExecutor {
    /// Plays `matches` simulated matches; `progress` is told how many more are done, from any thread. `None` if
    /// interrupted: a summary of some of them would depend on which ones.
    pub fn simulate(
        &self,
        simulation: &Simulation,
        matches: u64,
        interrupt: &Interrupt,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Option<SimulationSummary> {
        let run_chunk = |chunk: u64| {
            let start = chunk * CHUNK;
            let end = matches.min(start + CHUNK);
            (!interrupt.is_requested()).then(|| {
                let summary = simulation.run(start..end);
                progress(end - start);
                summary
            })
        };
        // Summaries are sums of integers: the order in which they are merged cannot be seen.
        let merge = |mut all: SimulationSummary, part: SimulationSummary| {
            all.merge(&part);
            Some(all)
        };
        self.pool.install(|| {
            (0..matches.div_ceil(CHUNK))
                .into_par_iter()
                .map(run_chunk)
                .try_reduce(SimulationSummary::default, merge)
        })
    }
}
