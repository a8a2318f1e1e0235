//! What a machine may have too little of.
//!
//! In: nothing. Out: a [`Lack`], and what helps against it. Must not: say what follows from it.

use super::machine::{Bound, Machine};

/// What there is not enough of, through no fault of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// Open files and pipes.
    Descriptors,
    /// Processes and threads.
    Processes,
    /// Memory.
    Memory,
    /// Room on a disk.
    Disk,
}

impl Lack {
    /// What the user is to raise, from what and to what, as far as `machine` knows.
    pub fn remedy(self, machine: &Machine) -> String {
        let doubled = |option: &str, bound: Option<Bound>| {
            bound.map_or_else(
                || format!("raise {option}"),
                |bound| format!("raise {option} from {} to {} or more", bound.soft, 2 * bound.soft),
            )
        };
        match self {
            Lack::Descriptors => doubled("`ulimit -n`", machine.descriptors),
            Lack::Processes => doubled(
                "`ulimit -u` (or pids.max of the control group)",
                machine.processes,
            ),
            Lack::Memory => {
                let free = machine.memory_free_mib;
                let free = free.map_or_else(String::new, |free| format!(" ({free} MiB are free now)"));
                format!("lower --hash or --concurrency, or end what else uses memory{free}")
            }
            Lack::Disk => "make room on the disk".to_owned(),
        }
    }

    /// What there is too little of, in words.
    pub fn name(self) -> &'static str {
        match self {
            Lack::Descriptors => "file descriptors",
            Lack::Processes => "processes",
            Lack::Memory => "memory",
            Lack::Disk => "room on the disk",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_names_what_to_raise_and_to_what_number() {
        let machine = Machine {
            descriptors: Some(Bound {
                used: 39,
                soft: 40,
                hard: 40,
            }),
            memory_free_mib: Some(12),
            ..Machine::default()
        };
        assert_eq!(
            Lack::Descriptors.remedy(&machine),
            "raise `ulimit -n` from 40 to 80 or more"
        );
        assert!(Lack::Processes.remedy(&machine).starts_with("raise `ulimit -u`"));
        assert!(Lack::Memory.remedy(&machine).contains("12 MiB are free"));
    }
}
