//! The processor of this machine by its name.
//!
//! In: what the system says. Out: a line of text. Must not: fail.

use std::fs;

/// Longer names are cut.
const LENGTH_MAX: usize = 128;

/// Its name; nothing where the system does not tell.
pub fn processor() -> String {
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
