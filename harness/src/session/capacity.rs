//! Is this machine enough for the games that are to be played on it at the same time?

use crate::config::{Conditions, PlayerSpec, ProcessSpec, Seat};
use crate::platform::Machine;
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
    /// Of the players in `seats` under `conditions`, of whom a worker keeps all; what `programs` announced counts where
    /// nothing is said.
    pub(crate) fn of<'a>(
        conditions: &Conditions,
        seats: impl IntoIterator<Item = &'a Seat>,
        programs: &ExternalEngines,
    ) -> Demand {
        let mut demand = Demand {
            players: Vec::new(),
            hash_mib: conditions.hash_mib as u64,
            is_timed: false,
            has_tables: conditions.syzygy.is_some(),
        };
        for seat in seats {
            demand.is_timed |= seat.limit.is_timed();
            demand.players.push(PlayerDemand::of(&seat.player, programs));
        }
        demand
    }

    /// Of searches without a clock, for which a worker keeps one hash table for all built-in players.
    pub(crate) fn of_searches(hash_mib: usize, players: &[PlayerSpec]) -> Demand {
        let none = ExternalEngines::default();
        let (programs, builtin): (Vec<_>, Vec<_>) = players
            .iter()
            .map(|player| PlayerDemand::of(player, &none))
            .partition(|player| player.is_process);
        Demand {
            players: programs.into_iter().chain(builtin.into_iter().take(1)).collect(),
            hash_mib: hash_mib as u64,
            is_timed: false,
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
    ) -> Result<(), CapacityError> {
        let workers = workers as u64;
        self.check_memory(workers, machine)?;
        self.check_descriptors(workers, machine)?;
        self.check_processes(workers, machine)?;
        let (threads, cores) = (self.threads_of_game(), machine.cores as u64);
        if self.is_timed && !oversubscribed && workers * threads > cores {
            return Err(CapacityError::Cores {
                workers,
                threads,
                cores,
                fits: cores / threads,
            });
        }
        Ok(())
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn check_elsewhere(&self) -> Result<(), String> {
        if self.programs().any(|program| !program.is_named) {
            let message = "no command line travels; name the program in the engines file of every machine, and say usi:@NAME";
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
        self.descriptors_base(workers as u64, machine) + workers as u64 * self.descriptors_of_worker()
    }

    fn descriptors_base(&self, workers: u64, machine: &Machine) -> u64 {
        let open = machine.descriptors.map_or(0, |bound| bound.used);
        let starts = workers.min(machine.cores as u64);
        open + DESCRIPTORS_OF_RUN + DESCRIPTORS_PER_START * starts
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
        let thinking = if self.players.iter().any(|player| player.ponders) {
            2
        } else {
            1
        };
        threads.iter().take(thinking).sum::<u64>().max(1)
    }

    fn check_memory(&self, workers: u64, machine: &Machine) -> Result<(), CapacityError> {
        let Some(free_mib) = machine.memory_free_mib else {
            return Ok(());
        };
        let usable = free_mib - free_mib / MEMORY_LEFT;
        let own: u64 = self.players.iter().filter_map(|player| player.hash_mib).sum();
        let common = self.players.iter().filter(|player| player.hash_mib.is_none());
        let common = common.count() as u64;
        let of_worker = own + common * self.hash_mib;
        let needed_mib = workers * of_worker;
        if needed_mib <= usable {
            return Ok(());
        }
        Err(CapacityError::Memory {
            workers,
            players: self.players.len() as u64,
            needed_mib,
            free_mib,
            fits_hash_mib: (usable / workers)
                .saturating_sub(own)
                .checked_div(common)
                .unwrap_or(0),
            fits: usable / of_worker.max(1),
        })
    }

    fn check_descriptors(&self, workers: u64, machine: &Machine) -> Result<(), CapacityError> {
        let (Some(bound), of_worker @ 1..) = (machine.descriptors, self.descriptors_of_worker()) else {
            return Ok(());
        };
        let needed = self.descriptors(workers as usize, machine);
        if needed <= bound.hard {
            return Ok(());
        }
        Err(CapacityError::Descriptors {
            workers,
            engines: self.programs().count() as u64,
            needed,
            limit: bound.hard,
            fits: bound.hard.saturating_sub(self.descriptors_base(workers, machine)) / of_worker,
        })
    }

    fn check_processes(&self, workers: u64, machine: &Machine) -> Result<(), CapacityError> {
        let threads = self.programs().map(|player| player.threads + THREADS_PER_ENGINE);
        let threads: u64 = threads.sum();
        let (Some(bound), 1..) = (machine.processes, threads) else {
            return Ok(());
        };
        let needed = bound.used + workers * threads;
        if needed <= bound.soft {
            return Ok(());
        }
        Err(CapacityError::Processes {
            workers,
            threads,
            needed,
            limit: bound.soft,
            fits: bound.soft.saturating_sub(bound.used) / threads,
        })
    }
}

impl PlayerDemand {
    fn of(player: &PlayerSpec, programs: &ExternalEngines) -> PlayerDemand {
        let Some(process) = player.process() else {
            return PlayerDemand {
                hash_mib: None,
                threads: 1,
                is_process: false,
                is_named: false,
                ponders: false,
            };
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

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CapacityError {
    #[error(
        "{workers} games at the same time by the clock need {} cores ({threads} for each game), but there are {cores}: games \
         would be lost on time that no player used; {}, or say --oversubscribe", workers * threads, fitting_workers(*fits)
    )]
    Cores {
        workers: u64,
        threads: u64,
        cores: u64,
        fits: u64,
    },
    #[error(
        "{workers} workers with {players} players each need {needed_mib} MiB for hash tables, but {free_mib} MiB of memory \
         are free; {}", fitting_hash(*fits_hash_mib, *fits)
    )]
    Memory {
        workers: u64,
        players: u64,
        needed_mib: u64,
        free_mib: u64,
        fits_hash_mib: u64,
        fits: u64,
    },
    #[error(
        "{workers} workers with {engines} programs each need {needed} open files, but `ulimit -Hn` is {limit}: raise it to \
         {needed}, or {}", fitting_workers(*fits)
    )]
    Descriptors {
        workers: u64,
        engines: u64,
        needed: u64,
        limit: u64,
        fits: u64,
    },
    #[error(
        "{workers} workers whose programs have {threads} threads each need {needed} processes and threads with those that run \
         now, but `ulimit -u` (or pids.max of the control group) is {limit}: raise it to {needed}, or {}",
        fitting_workers(*fits)
    )]
    Processes {
        workers: u64,
        threads: u64,
        needed: u64,
        limit: u64,
        fits: u64,
    },
}

fn fitting_workers(fits: u64) -> String {
    match fits {
        0 => "not even --concurrency 1 fits".to_owned(),
        fits => format!("--concurrency {fits} fits"),
    }
}

fn fitting_hash(hash_mib: u64, workers: u64) -> String {
    match (hash_mib, workers) {
        (0, 0) => "not even --hash 1 or --concurrency 1 fits".to_owned(),
        (0, workers) => format!("--concurrency {workers} fits"),
        (hash_mib, 0) => format!("--hash {hash_mib} fits"),
        (hash_mib, workers) => format!("--hash {hash_mib} fits, or --concurrency {workers}"),
    }
}

#[cfg(test)]
mod tests;
