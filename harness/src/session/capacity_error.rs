//! What a machine has too little of for a run.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CapacityError {
    #[error(
        "{workers} games at the same time by the clock need {} cores ({threads} for each game), but there are {cores}: games \
         would be lost on time that no player used; {}, or say --oversubscribe", workers * threads, fitting_workers(*fits)
    )]
    Cores {
        workers: u64,
        /// That think at the same time in one game.
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
