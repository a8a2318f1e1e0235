//! Is this machine enough for the games that are to be played on it at the same time?

use crate::config::{PlayerSpec, ProcessSpec};
use crate::document::number::plural;
use crate::platform::Machine;
use crate::session::Needs;
use crate::session::external_engines::{ExternalEngines, THREAD_OPTIONS};

/// Descriptors of a running engine: its three pipes, the link to its guard, its two logs.
const DESCRIPTORS_PER_ENGINE: u64 = 6;
/// Threads of an engine beside those that search: it reads its input, its guard, and ours that reads its messages.
const THREADS_PER_ENGINE: u64 = 3;
/// Descriptors that are open for a moment while an engine starts: the other ends of these.
const DESCRIPTORS_PER_START: u64 = 6;
/// Descriptors for the ledger and the files of the folder.
const DESCRIPTORS_OF_RUN: u64 = 12;
/// Of the free memory one part in so many is left to everything else.
const MEMORY_LEFT: u64 = 10;
const HASH: [&str; 2] = ["usi_hash", "hash"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Demand {
    players: Vec<PlayerDemand>,
    hash_mib: u64,
    is_timed: bool,
    has_tables: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PlayerDemand {
    hash_mib: Option<u64>,
    threads: u64,
    is_process: bool,
    is_named: bool,
    ponders: bool,
}

impl Demand {
    /// Of a worker, who keeps all players; what `programs` announced counts where nothing is said.
    pub(crate) fn of(needs: &Needs<'_>, programs: &ExternalEngines) -> Demand {
        let players = needs.players.iter();
        let mut players: Vec<PlayerDemand> =
            players.map(|player| PlayerDemand::of(player, programs)).collect();
        // Searches of positions have one hash table for all built-in players.
        if needs.conditions.is_none() {
            let first = players.iter().position(|player| !player.is_process);
            let mut index = 0..;
            players.retain(|player| index.next() == first || player.is_process);
        }
        Demand {
            players,
            hash_mib: needs.hash_mib as u64,
            is_timed: needs.is_timed,
            has_tables: needs
                .conditions
                .is_some_and(|conditions| conditions.syzygy.is_some()),
        }
    }

    /// Of a game of two external engines by the clock.
    pub(crate) fn of_two_engines(hash_mib: u64) -> Demand {
        let engine = PlayerDemand {
            is_process: true,
            ..PlayerDemand::BUILTIN
        };
        Demand {
            players: vec![engine; 2],
            hash_mib,
            is_timed: true,
            has_tables: false,
        }
    }

    pub(crate) fn workers_default(&self, machine: &Machine) -> usize {
        let threads = if self.is_timed { self.threads_of_game() } else { 1 };
        (machine.cores / threads as usize).max(1)
    }

    pub(crate) fn check(
        &self,
        workers: usize,
        machine: &Machine,
        oversubscribed: bool,
    ) -> Result<(), String> {
        let workers = workers as u64;
        self.check_memory(workers, machine)?;
        self.check_descriptors(workers, machine)?;
        self.check_processes(workers, machine)?;
        let (threads, cores) = (self.threads_of_game(), machine.cores as u64);
        if !self.is_timed || oversubscribed || workers * threads <= cores {
            return Ok(());
        }
        let remedy = match cores / threads {
            0 => "lower their Threads".to_owned(),
            fits => fitting_workers(fits),
        };
        Err(format!(
            "{workers} timed games in parallel need {} cores ({threads} per game), but there are only \
             {cores}, so engines would lose on time through no fault of their own; {remedy}, or pass --oversubscribe",
            workers * threads
        ))
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn check_elsewhere(&self) -> Result<(), String> {
        if self.programs().any(|program| !program.is_named) {
            let message = "programs are not sent to other machines; name the program in every machine's engines file and write usi:@NAME or uci:@NAME";
            return Err(message.to_owned());
        }
        if self.has_tables {
            return Err(
                "--syzygy: the tables of one machine are not those of another; leave it out".to_owned(),
            );
        }
        Ok(())
    }

    pub(crate) fn descriptors(&self, workers: usize, machine: &Machine) -> u64 {
        let open = machine.descriptors.map_or(0, |bound| bound.used);
        let starts = workers.min(machine.cores) as u64;
        open + DESCRIPTORS_OF_RUN
            + DESCRIPTORS_PER_START * starts
            + workers as u64 * self.descriptors_of_worker()
    }

    fn descriptors_of_worker(&self) -> u64 {
        DESCRIPTORS_PER_ENGINE * self.programs().count() as u64
    }

    fn programs(&self) -> impl Iterator<Item = &PlayerDemand> {
        self.players.iter().filter(|player| player.is_process)
    }

    /// Threads that may think at the same time in one game: those of one player, or of two if somebody ponders.
    fn threads_of_game(&self) -> u64 {
        let mut threads: Vec<u64> = self.players.iter().map(|player| player.threads).collect();
        threads.sort_unstable_by(|one, other| other.cmp(one));
        let thinking = 1 + usize::from(self.players.iter().any(|player| player.ponders));
        threads.iter().take(thinking).sum::<u64>().max(1)
    }

    fn check_memory(&self, workers: u64, machine: &Machine) -> Result<(), String> {
        let Some(free_mib) = machine.memory_free_mib else {
            return Ok(());
        };
        let usable = free_mib - free_mib / MEMORY_LEFT;
        let own: u64 = self.players.iter().filter_map(|player| player.hash_mib).sum();
        let common = self.players.iter().filter(|player| player.hash_mib.is_none());
        let common = common.count() as u64;
        let of_worker = own + common * self.hash_mib;
        if workers * of_worker <= usable {
            return Ok(());
        }
        let left = (usable / workers).saturating_sub(own);
        let fits = match (left.checked_div(common).unwrap_or(0), usable / of_worker.max(1)) {
            (0, 0) => "not even --hash 1 or --concurrency 1 fits".to_owned(),
            (0, workers) => fitting_workers(workers),
            (hash_mib, 0) => format!("--hash {hash_mib} fits"),
            (hash_mib, workers) => format!("--hash {hash_mib} fits, or --concurrency {workers}"),
        };
        Err(format!(
            "{} with {} players each would need {} MiB for hash tables, but {free_mib} MiB of memory are free; {fits}",
            plural(workers, "worker"),
            self.players.len(),
            workers * of_worker
        ))
    }

    fn check_descriptors(&self, workers: u64, machine: &Machine) -> Result<(), String> {
        let (Some(bound), 1..) = (machine.descriptors, self.descriptors_of_worker()) else {
            return Ok(());
        };
        let needed = self.descriptors(workers as usize, machine);
        if needed <= bound.hard {
            return Ok(());
        }
        let fits = (1..workers)
            .rev()
            .find(|&fewer| self.descriptors(fewer as usize, machine) <= bound.hard);
        Err(format!(
            "{} with {} programs each would need {needed} open files, but `ulimit -Hn` is {}: raise it to {needed}; {}",
            plural(workers, "worker"),
            self.programs().count(),
            bound.hard,
            fitting_workers(fits.unwrap_or(0))
        ))
    }

    fn check_processes(&self, workers: u64, machine: &Machine) -> Result<(), String> {
        let threads = self.programs().map(|player| player.threads + THREADS_PER_ENGINE);
        let threads: u64 = threads.sum();
        let (Some(bound), 1..) = (machine.processes, threads) else {
            return Ok(());
        };
        let needed = bound.used + workers * threads;
        if needed <= bound.soft {
            return Ok(());
        }
        Err(format!(
            "{} whose programs have {threads} threads each would need {needed} processes and threads with those that run now, but \
             `ulimit -u` (or pids.max of the control group) is {}; raise it to {needed}; {}",
            plural(workers, "worker"),
            bound.soft,
            fitting_workers(bound.soft.saturating_sub(bound.used) / threads)
        ))
    }
}

impl PlayerDemand {
    const BUILTIN: PlayerDemand = PlayerDemand {
        hash_mib: None,
        threads: 1,
        is_process: false,
        is_named: false,
        ponders: false,
    };

    fn of(player: &PlayerSpec, programs: &ExternalEngines) -> PlayerDemand {
        let Some(process) = player.process() else {
            return PlayerDemand::BUILTIN;
        };
        let announced = || programs.threads_of(process);
        PlayerDemand {
            hash_mib: set_number(process, &HASH),
            threads: set_number(process, &THREAD_OPTIONS)
                .or_else(announced)
                .unwrap_or(1),
            is_process: true,
            is_named: process.is_name_only(),
            ponders: process.ponder,
        }
    }
}

fn set_number(process: &ProcessSpec, names: &[&str]) -> Option<u64> {
    let is_named = |name: &str| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    let set = process.options.iter().find(|(name, _)| is_named(name));
    set?.1.trim().parse().ok()
}

fn fitting_workers(fits: u64) -> String {
    match fits {
        0 => "not even --concurrency 1 fits".to_owned(),
        fits => format!("--concurrency {fits} fits"),
    }
}

#[cfg(test)]
mod tests;
