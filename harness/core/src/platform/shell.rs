use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const LOOK_PAUSE: Duration = Duration::from_millis(10);

/// Runs a line for the shell with `input` as its standard input, until it ends, `time` is over, or `stops`; its output is dropped.
pub fn run_in_shell(line: &str, input: &[u8], time: Duration, stops: &dyn Fn() -> bool) -> io::Result<()> {
    let mut command = shell(line);
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let input = input.to_vec();
    let write = move |child: &mut Child| {
        let pipe = child.stdin.take();
        // Who does not read it must not keep this process waiting.
        let writer = thread::Builder::new().name("notify".to_owned()).spawn(move || {
            if let Some(mut pipe) = pipe {
                drop(pipe.write_all(&input));
            }
        });
        writer.map(drop)
    };
    run_started(&mut command, write, time, stops)
}

/// Runs `command` until it ends, `time` is over, or `stops`; what it does not end well by is an error.
pub fn run_until(command: &mut Command, time: Duration, stops: &dyn Fn() -> bool) -> io::Result<()> {
    run_started(command, |_| Ok(()), time, stops)
}

fn run_started(
    command: &mut Command,
    begin: impl FnOnce(&mut Child) -> io::Result<()>,
    time: Duration,
    stops: &dyn Fn() -> bool,
) -> io::Result<()> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    #[cfg(unix)]
    let _guard = Guard::of(&child);
    begin(&mut child)?;
    let until = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait()? {
            return if status.success() {
                Ok(())
            } else {
                Err(io::Error::other(format!("ended with {status}")))
            };
        }
        let is_late = Instant::now() >= until;
        if is_late || stops() {
            end(&mut child);
            return Err(if is_late {
                io::Error::new(io::ErrorKind::TimedOut, "took too long and was ended")
            } else {
                io::Error::other("was ended by a signal")
            });
        }
        thread::sleep(LOOK_PAUSE);
    }
}

/// Ends the group of a child when this process is gone, also by SIGKILL: that shuts the pipe that a shell waits at.
#[cfg(unix)]
struct Guard(Child);

#[cfg(unix)]
impl Guard {
    /// Without one nothing is missing but that.
    fn of(child: &Child) -> Option<Guard> {
        let mut command = shell(&format!("read -r _; kill -s KILL -- -{}", child.id()));
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().ok().map(Guard)
    }
}

#[cfg(unix)]
impl Drop for Guard {
    fn drop(&mut self) {
        // Killed first, since waiting shuts the pipe.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A command that runs this line.
pub fn shell(line: &str) -> Command {
    let (shell, option) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let mut command = Command::new(shell);
    command.args([option, line]);
    command
}

/// Ends it with all that it started, where the system knows groups.
fn end(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    drop(child.kill());
    drop(child.wait());
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_what_it_is_given_and_its_end_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("got");
        let line = format!("cat > '{}'", file.display());
        run_in_shell(&line, b"words", Duration::from_secs(20), &|| false).unwrap();
        assert_eq!(std::fs::read(file).unwrap(), b"words");
        let failed = run_in_shell("exit 7", b"", Duration::from_secs(20), &|| false).unwrap_err();
        assert!(failed.to_string().contains('7'), "{failed}");
    }

    #[test]
    fn who_does_not_read_and_does_not_end_is_ended_with_all_it_started() {
        let much = vec![0; 1 << 20];
        let late = run_in_shell("sleep 600 & sleep 600", &much, Duration::from_millis(50), &|| {
            false
        })
        .unwrap_err();
        assert!(late.to_string().contains("too long"), "{late}");
        let stopped = run_in_shell("sleep 600", &much, Duration::from_secs(600), &|| true).unwrap_err();
        assert!(stopped.to_string().contains("signal"), "{stopped}");
    }
}
