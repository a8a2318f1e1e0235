//! A bound on the memory of an engine and all that it starts: a control group (version 2), where this user may make one that bounds memory.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use crate::platform::unix::{GROUPS, own_group};

/// There if the groups are of version 2, in each of them.
const CONTROLLERS: &str = "cgroup.controllers";
const MEMBERS: &str = "cgroup.procs";
const MEMORY_MAX: &str = "memory.max";

/// A group of this guard; gone with it.
#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
}

impl Group {
    /// A new group of this bound: beside that of this process, as those of a session are handed to their user, or below it.
    pub(super) fn make(mib: u64) -> Option<Group> {
        let root = Path::new(GROUPS);
        if !root.join(CONTROLLERS).exists() {
            return None;
        }
        let own = own_group()?;
        let places = [own.parent().filter(|parent| parent.starts_with(root)), Some(&own)];
        let name = format!("tanren-engine-{}", process::id());
        let mut places = places.into_iter().flatten();
        places.find_map(|place| Group::make_in(place, &name, mib))
    }

    fn make_in(place: &Path, name: &str, mib: u64) -> Option<Group> {
        let folder = place.join(name);
        fs::create_dir(&folder).ok()?;
        Group { folder }.bounded(mib)
    }

    /// The group with its bound; nothing where memory is not handed down to it.
    fn bounded(self, mib: u64) -> Option<Group> {
        if !self.folder.join(MEMORY_MAX).exists() {
            return None;
        }
        let bytes = mib.saturating_mul(1 << 20);
        fs::write(self.folder.join(MEMORY_MAX), bytes.to_string()).ok()?;
        // Older kernels lack one or the other.
        let _ = fs::write(self.folder.join("memory.swap.max"), "0");
        let _ = fs::write(self.folder.join("memory.oom.group"), "1");
        Some(self)
    }

    /// Whoever writes `0` into this is in the group.
    pub(super) fn entrance(&self) -> io::Result<File> {
        OpenOptions::new().write(true).open(self.folder.join(MEMBERS))
    }

    pub(super) fn is_entered(&self) -> bool {
        fs::read_to_string(self.folder.join(MEMBERS)).is_ok_and(|members| !members.trim().is_empty())
    }

    /// Was something in it ended for want of memory?
    pub(super) fn has_killed(&self) -> bool {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        let mut kills = events.lines().filter_map(|line| line.strip_prefix("oom_kill "));
        kills.any(|count| count.trim() != "0")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Refused as long as anything is in it.
        let _ = fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_does_not_hand_memory_down_gives_no_group_and_keeps_no_folder() {
        let place = tempfile::tempdir().unwrap();
        assert!(Group::make_in(place.path(), "x", 100).is_none());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
        assert!(Group::make_in(&place.path().join("missing"), "x", 100).is_none());
    }

    #[test]
    fn a_group_has_its_bound_in_bytes_and_says_whether_it_ended_something() {
        let place = tempfile::tempdir().unwrap();
        let group = || Group {
            folder: place.path().to_owned(),
        };
        let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
        write(MEMORY_MAX, "max");
        write(MEMBERS, "");
        let bounded = group().bounded(3).unwrap();
        assert_eq!(
            fs::read_to_string(place.path().join(MEMORY_MAX)).unwrap(),
            "3145728"
        );
        assert!(!bounded.is_entered() && !bounded.has_killed());
        write(MEMBERS, "12\n");
        write(
            "memory.events",
            "low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\noom_group_kill 0\n",
        );
        assert!(bounded.is_entered() && !bounded.has_killed());
        write("memory.events", "low 0\nmax 7\noom 1\noom_kill 2\n");
        assert!(bounded.has_killed());
    }
}
