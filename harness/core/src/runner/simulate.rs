//! Simulated matches on the threads of this machine.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::LocalExecutor;
use crate::interrupt::Interrupt;
use crate::stop::simulate::{Simulation, Summary};

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
    ) -> Option<Summary> {
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
        let merge = |mut all: Summary, part: Summary| {
            all.merge(&part);
            Some(all)
        };
        self.pool.install(|| {
            (0..matches.div_ceil(CHUNK))
                .into_par_iter()
                .map(run_chunk)
                .try_reduce(Summary::default, merge)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::EloModel;
    use crate::stop::simulate::{Openings, SimulationSpec};
    use crate::stop::{FaultLimits, StopRule};
    use std::sync::atomic::{AtomicU64, Ordering};

    fn simulation() -> Simulation {
        let spec = SimulationSpec {
            elo: 10.0,
            model: EloModel::Normalized,
            draw_ratio: 0.1,
            opening_bias: 60.0,
            openings: Openings::default(),
            rule: StopRule {
                sprt: crate::config::parse_sprt("elo1=80").ok(),
                pairs_max: 200,
                faults: FaultLimits::default(),
            },
            confidence: 0.95,
            matches: 0,
            seed: 1,
        };
        spec.simulation().unwrap()
    }

    #[test]
    fn any_number_of_threads_gives_the_same_summary() {
        let simulation = simulation();
        let done = AtomicU64::new(0);
        let count = |more| {
            done.fetch_add(more, Ordering::Relaxed);
        };
        let run = |threads| {
            let executor = LocalExecutor::new(threads).unwrap();
            executor.simulate(&simulation, 120, &Interrupt::default(), &count)
        };
        assert_eq!(run(1), Some(simulation.run(0..120)));
        assert_eq!(run(3), run(1));
        assert_eq!(done.into_inner(), 360);
    }

    #[test]
    fn an_interrupted_simulation_has_no_summary() {
        let interrupt = Interrupt::default();
        interrupt.raise();
        let executor = LocalExecutor::new(1).unwrap();
        assert_eq!(executor.simulate(&simulation(), 10, &interrupt, &|_| ()), None);
    }
}
