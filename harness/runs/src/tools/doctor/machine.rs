//! The machine itself: cores, limits, clock, disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use super::{Check, Mark, list_of};
use crate::document::text::Text;
use crate::platform::{Machine, clock_source, disk as disk_of, load as load_of, processor, processors};
use crate::session::capacity::Demand;

/// The hash table of an engine where nothing is said.
const HASH_MIB: u64 = 4;

pub(super) fn cores(machine: &Machine) -> Check {
    let (all, of_core) = processors().unwrap_or((machine.cores, 1));
    let template = match (machine.cores < all, of_core > 1) {
        (true, _) => Text::template("{cores} of {all}, all that this process may use ({processor})"),
        (false, true) => Text::template("{cores}, {threads} of them on each core ({processor})"),
        (false, false) => Text::template("{cores} ({processor})"),
    };
    let detail = Text::filled(
        template,
        &[
            ("cores", &machine.cores),
            ("all", &all),
            ("threads", &of_core),
            ("processor", &processor()),
        ],
    );
    Check::new(Text::new("cores"), Mark::Ok, detail)
}

/// Above this share of the processors others keep games from theirs.
const LOAD_MAX: f64 = 0.3;

/// What others use, as far as the system tells.
pub(super) fn load() -> Option<Check> {
    let (load, (all, _)) = (load_of()?, processors()?);
    let values: [(&str, &dyn std::fmt::Display); 2] = [("load", &format!("{load:.1}")), ("all", &all)];
    let detail = Text::filled("{load} on {all} processors (average of a minute)", &values);
    let check = |mark| Check::new(Text::new("load"), mark, detail);
    if load <= LOAD_MAX * all as f64 {
        return Some(check(Mark::Ok));
    }
    let remedy = Text::new("End what else runs before games by the clock, or use --nodes.");
    Some(check(Mark::Warning).remedy(remedy))
}

/// The second is how many games of two external engines fit, one a core at most.
pub(super) fn limits(machine: &Machine) -> (Check, usize) {
    let demand = Demand::of_two_engines(HASH_MIB);
    let fit = |games: usize| demand.check(games, machine, true);
    let games = (1..=machine.cores).rev().find(|&games| fit(games).is_ok());
    let free = machine
        .processes
        .map(|limit| limit.soft.saturating_sub(limit.used));
    let parts = [
        (
            machine.descriptors.map(|limit| limit.hard),
            Text::template("{number} open files"),
        ),
        (free, Text::template("{number} more processes")),
        (
            machine.memory_free_mib,
            Text::template("{number} MiB of memory free"),
        ),
    ];
    let parts = parts
        .into_iter()
        .filter_map(|(number, template)| Some(Text::filled(template, &[("number", &number?)])));
    let detail = list_of(parts).unwrap_or_else(|| Text::new("none that the system tells"));
    let check = |mark| Check::new(Text::new("limits"), mark, detail);
    let check = match (fit(machine.cores), games) {
        (Ok(()), _) => check(Mark::Ok),
        (Err(message), Some(_)) => check(Mark::Warning).remedy(Text::plain(message)),
        (Err(_), None) => {
            let remedy = fit(1).err().unwrap_or_default();
            check(Mark::Error).remedy(Text::plain(remedy))
        }
    };
    (check, games.unwrap_or(0))
}

/// Both clocks at one moment.
pub(super) struct Clocks {
    monotonic: Instant,
    wall: SystemTime,
}

impl Clocks {
    pub(super) fn now() -> Clocks {
        Clocks {
            monotonic: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// How far the clock on the wall has moved against the other one since.
    fn jump(&self) -> Duration {
        let wall = self.wall.elapsed().unwrap_or_else(|back| back.duration());
        wall.abs_diff(self.monotonic.elapsed())
    }
}

const READINGS: u32 = 2_000;
const SLEEPS: usize = 50;
const COST_MAX: Duration = Duration::from_micros(2);
const STEP_MAX: Duration = Duration::from_millis(1);
const JUMP_MAX: Duration = Duration::from_millis(20);

pub(super) fn clock(since: &Clocks) -> Check {
    let begun = Instant::now();
    let (mut last, mut step) = (begun, Duration::MAX);
    for _ in 0..READINGS {
        let now = Instant::now();
        if now > last {
            step = step.min(now - last);
        }
        last = now;
    }
    let cost = begun.elapsed() / READINGS;
    let mut late: Vec<Duration> = (0..SLEEPS).map(|_| oversleep()).collect();
    late.sort_unstable();
    let jump = since.jump();
    let detail = Text::filled(
        "{source}, read in {cost} ns, steps of {step} ns; a sleep ends {late} ms late",
        &[
            (
                "source",
                &clock_source().unwrap_or_else(|| "monotonic".to_owned()),
            ),
            ("step", &step.as_nanos()),
            ("cost", &cost.as_nanos()),
            ("late", &format!("{:.2}", late[SLEEPS / 2].as_secs_f64() * 1e3)),
        ],
    );
    let check = |mark| Check::new(Text::new("clock"), mark, detail);
    if cost > COST_MAX || step > STEP_MAX {
        let remedy = Text::new("The clock is slow. On Linux start the system with clocksource=tsc.");
        return check(Mark::Warning).remedy(remedy);
    }
    if jump > JUMP_MAX {
        let remedy = Text::filled(
            "The time of day jumped by {jump} ms: dates may be wrong, games are timed by another clock.",
            &[("jump", &jump.as_millis())],
        );
        return check(Mark::Warning).remedy(remedy);
    }
    check(Mark::Ok)
}

fn oversleep() -> Duration {
    const SLEEP: Duration = Duration::from_millis(1);
    let begun = Instant::now();
    sleep(SLEEP);
    begun.elapsed().saturating_sub(SLEEP)
}

const WRITES: usize = 20;
const WRITING: Duration = Duration::from_secs(1);
const WRITE_MAX: Duration = Duration::from_millis(100);
const FREE_MIN_MIB: u64 = 1 << 10;

/// The disk of the folder that runs go to.
pub(super) fn disk(folder: &Path) -> Check {
    let check = |mark, detail| Check::new(Text::new("disk"), mark, detail);
    let written = match written(folder) {
        Ok(written) => written,
        Err(error) => {
            let detail = Text::filled("nothing can be written here: {error}", &[("error", &error)]);
            let remedy = Text::new("Change to a folder of your own, or make room on the disk.");
            return check(Mark::Error, detail).remedy(remedy);
        }
    };
    let median = written[written.len() / 2];
    let found = disk_of(folder);
    let detail = Text::filled(
        "a write is on the disk after {median} ms (median); {free} GiB free",
        &[
            ("median", &format!("{:.1}", median.as_secs_f64() * 1e3)),
            (
                "free",
                &found.map_or_else(|| "?".to_owned(), |disk| (disk.free_mib >> 10).to_string()),
            ),
        ],
    );
    if found.is_some_and(|disk| disk.free_mib < FREE_MIN_MIB) {
        let remedy = Text::new("A long run needs more: make room, or choose another disk by --out.");
        return check(Mark::Warning, detail).remedy(remedy);
    }
    if found.is_some_and(|disk| disk.is_remote) || median > WRITE_MAX {
        let remedy = Text::new("Keep runs on a disk of this machine: --out FOLDER.");
        return check(Mark::Warning, detail).remedy(remedy);
    }
    check(Mark::Ok, detail)
}

/// How long single writes to a new file took until they were safe, ascending; at least one.
fn written(folder: &Path) -> io::Result<Vec<Duration>> {
    let path = folder.join(format!(".tanren-doctor-{}", std::process::id()));
    let mut file = File::create_new(&path)?;
    let begun = Instant::now();
    let mut write = || {
        let begun = Instant::now();
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
        Ok(begun.elapsed())
    };
    let times = std::iter::once(write())
        .chain(
            (1..WRITES)
                .map(|_| write())
                .take_while(|_| begun.elapsed() < WRITING),
        )
        .collect::<io::Result<Vec<Duration>>>();
    drop(file);
    fs::remove_file(&path)?;
    let mut times = times?;
    times.sort_unstable();
    Ok(times)
}
