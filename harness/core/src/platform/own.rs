//! This program once more as a child, and other processes of it, which are signalled only if they are proved to be the ones meant.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};

#[cfg(target_os = "linux")]
use super::file_id;

pub struct OwnChild(Child);

impl OwnChild {
    /// In the directory `folder`; its stderr goes to `log`.
    pub fn start(program: &Path, arguments: &[OsString], folder: &Path, log: File) -> io::Result<OwnChild> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        command.spawn().map(OwnChild)
    }

    /// Its exit code once it has ended; -1 if a signal ended it.
    pub fn ended(&mut self) -> io::Result<Option<i32>> {
        Ok(self.0.try_wait()?.map(|status| status.code().unwrap_or(-1)))
    }

    /// Asks it to save and end.
    pub fn ask_to_end(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.0),
            rustix::process::Signal::INT,
        )?;
        // Nothing that is finished is lost by it.
        #[cfg(not(unix))]
        self.0.kill()?;
        Ok(())
    }
}

/// Asks the process of this number to save and end, if it is one of this machine and has `file` open.
#[cfg(target_os = "linux")]
pub fn ask_holder_to_end(process: u32, file: &Path) -> io::Result<()> {
    use rustix::process::{Signal, pidfd_send_signal};
    Ok(pidfd_send_signal(holder(process, file)?, Signal::INT)?)
}

/// Is it proved that the process of this number is one of this machine that has `file` open?
#[cfg(target_os = "linux")]
pub fn is_holder(process: u32, file: &Path) -> bool {
    holder(process, file).is_ok()
}

#[cfg(target_os = "linux")]
fn holder(process: u32, file: &Path) -> io::Result<std::os::fd::OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("no number of a process"))?;
    // From here on the handle means this process, even if another gets its number.
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    let wanted = file_id(file)?;
    let mut opened = std::fs::read_dir(format!("/proc/{process}/fd"))?.flatten();
    let has_it = opened.any(|entry| file_id(&entry.path()).is_ok_and(|open| open == wanted));
    if !has_it {
        return Err(io::Error::other(
            "the process that said so does not hold the folder",
        ));
    }
    Ok(handle)
}

#[cfg(not(target_os = "linux"))]
pub fn is_holder(_: u32, _: &Path) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub fn ask_holder_to_end(_: u32, _: &Path) -> io::Result<()> {
    Err(io::Error::other(
        "on this system only runs of this server can be asked",
    ))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_hold_the_file_is_left_alone() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut other = Command::new("sleep").arg("600").spawn().unwrap();
        let asked = ask_holder_to_end(other.id(), file.path());
        assert!(asked.is_err() && !is_holder(other.id(), file.path()));
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }

    #[test]
    fn a_process_that_holds_the_file_is_asked() {
        use signal_hook::{consts::SIGINT, flag::register_conditional_default};
        use std::os::unix::process::ExitStatusExt;
        use std::sync::Arc;

        // Tests that a shell runs in the background ignore this signal, and so would the process. It does not once they handle it.
        register_conditional_default(SIGINT, Arc::new(true.into())).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut other = Command::new("sleep")
            .arg("600")
            .stdin(file.reopen().unwrap())
            .spawn()
            .unwrap();
        ask_holder_to_end(other.id(), file.path()).unwrap();
        assert_eq!(other.wait().unwrap().signal(), Some(2));
    }
}
