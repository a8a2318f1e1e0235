//! What this machine has for a run, and what it may have too little of.

use std::fs;

/// A limit of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceLimit {
    pub used: u64,
    /// The limit that is in force.
    pub soft: u64,
    /// What this process may raise it to.
    pub hard: u64,
}

/// `None` is what the system does not tell, or does not bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Machine {
    /// Those that this process may use.
    pub cores: usize,
    /// What can be used without swapping.
    pub memory_free_mib: Option<u64>,
    /// Open files and pipes of this process.
    pub descriptors: Option<ResourceLimit>,
    /// Processes and threads of this user.
    pub processes: Option<ResourceLimit>,
}

/// The disk of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disk {
    pub free_mib: u64,
    /// Is it another machine's?
    pub is_remote: bool,
}

/// What there is not enough of, through no fault of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingResource {
    Descriptors,
    Processes,
    Memory,
    Disk,
}

impl MissingResource {
    /// What the user is to raise, from what and to what, as far as `machine` knows.
    pub fn remedy(self, machine: &Machine) -> String {
        let doubled = |option: &str, bound: Option<ResourceLimit>| {
            bound.map_or_else(
                || format!("raise {option}"),
                |bound| format!("raise {option} from {} to {} or more", bound.soft, 2 * bound.soft),
            )
        };
        match self {
            MissingResource::Descriptors => doubled("`ulimit -n`", machine.descriptors),
            MissingResource::Processes => doubled(
                "`ulimit -u` (or pids.max of the control group)",
                machine.processes,
            ),
            MissingResource::Memory => {
                let free = machine.memory_free_mib;
                let free = free.map_or_else(String::new, |free| format!(" ({free} MiB are free now)"));
                format!("lower --hash or --concurrency, or end what else uses memory{free}")
            }
            MissingResource::Disk => "make room on the disk".to_owned(),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            MissingResource::Descriptors => "file descriptors",
            MissingResource::Processes => "processes",
            MissingResource::Memory => "memory",
            MissingResource::Disk => "room on the disk",
        }
    }
}

/// The name of the processor; empty where the system does not tell.
pub fn processor() -> String {
    const LENGTH_MAX: usize = 128;
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = information.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    name.unwrap_or_default()
        .chars()
        .filter(|character| !character.is_control())
        .take(LENGTH_MAX)
        .collect()
}

/// Processors of this machine, whoever may use them, and how many threads each core of them has; as far as the system tells.
pub fn processors() -> Option<(usize, usize)> {
    let all = counted(&read_line("/sys/devices/system/cpu/online")?)?;
    let of_core = read_line("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
    let threads = of_core.and_then(|list| counted(&list));
    Some((all, threads.unwrap_or(1)))
}

/// How many numbers `0-3,8` lists.
fn counted(list: &str) -> Option<usize> {
    let one = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last] = [first, last].map(|number| number.parse::<usize>().ok());
        last?.checked_sub(first?)?.checked_add(1)
    };
    list.split(',').map(one).sum()
}

/// Processes that ran or waited for a processor in the last minute, on average.
pub fn load() -> Option<f64> {
    read_line("/proc/loadavg")?.split(' ').next()?.parse().ok()
}

/// What the system takes the time from.
pub fn clock_source() -> Option<String> {
    read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}

fn read_line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_processors_is_counted() {
        for (list, expected) in [
            ("0", Some(1)),
            ("0-3", Some(4)),
            ("0-3,8,10-11", Some(7)),
            ("3-0", None),
            ("", None),
        ] {
            assert_eq!(counted(list), expected, "{list}");
        }
    }

    #[test]
    fn the_remedy_names_what_to_raise_and_to_what_number() {
        let machine = Machine {
            descriptors: Some(ResourceLimit {
                used: 39,
                soft: 40,
                hard: 40,
            }),
            memory_free_mib: Some(12),
            ..Machine::default()
        };
        for (missing, expected) in [
            (
                MissingResource::Descriptors,
                "raise `ulimit -n` from 40 to 80 or more",
            ),
            (MissingResource::Processes, "raise `ulimit -u`"),
            (MissingResource::Memory, "12 MiB are free"),
        ] {
            assert!(missing.remedy(&machine).contains(expected), "{missing:?}");
        }
    }
}
