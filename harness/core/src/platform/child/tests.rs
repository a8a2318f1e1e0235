//! The half that needs no Unix keeps the promises that engines are played with on Unix; what only Unix promises.
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

use std::io::Read;
use std::process::Command;
use std::time::{Duration, Instant};

use super::threads::Child;
use super::{ChildLimits, Received, WriteOutcome};

const SHORT: Duration = Duration::from_millis(60);
const LONG: Duration = Duration::from_secs(20);

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn receive_line(child: &mut Child) -> String {
    let mut line = Vec::new();
    let mut buffer = [0; 64];
    while !line.ends_with(b"\n") {
        match child.receive(&mut buffer, Instant::now() + LONG) {
            Received::Bytes(bytes) => line.extend(&buffer[..bytes]),
            other => panic!("{other:?} after {line:?}"),
        }
    }
    String::from_utf8(line).unwrap()
}

#[test]
fn what_is_sent_comes_back_from_an_echo() {
    let mut child = Child::spawn(Command::new("cat"), ChildLimits::default()).unwrap();
    let deadline = Instant::now() + LONG;
    assert_eq!(child.send(b"one\n", deadline), WriteOutcome::All);
    assert_eq!(receive_line(&mut child), "one\n");
    assert_eq!(child.receive_ready(&mut [0; 8]), Received::TimedOut);
    child.close_input();
    assert_eq!(child.receive(&mut [0; 8], deadline), Received::Closed);
    assert!(child.ended().is_some_and(|status| status.success()));
}

#[test]
fn silence_ends_at_the_deadline() {
    let mut child = Child::spawn(shell("sleep 60"), ChildLimits::default()).unwrap();
    let began = Instant::now();
    assert_eq!(child.receive(&mut [0; 8], began + SHORT), Received::TimedOut);
    assert!(began.elapsed() >= SHORT && began.elapsed() < LONG);
    child.kill();
}

#[test]
fn a_child_that_reads_nothing_cannot_hold_the_writer() {
    let mut child = Child::spawn(shell("sleep 60"), ChildLimits::default()).unwrap();
    let block = vec![b'x'; 1 << 18];
    let deadline = Instant::now() + SHORT;
    let sent = (0..4).map(|_| child.send(&block, deadline));
    assert!(sent.into_iter().any(|sent| sent == WriteOutcome::TimedOut));
    child.kill();
}

#[test]
fn a_killed_child_leaves_nothing_behind_not_even_a_zombie() {
    let mut child = Child::spawn(shell("echo $$; exec sleep 60"), ChildLimits::default()).unwrap();
    let pid = receive_line(&mut child);
    child.kill();
    assert_eq!(state_of(pid.trim()), "");
}

#[test]
fn what_a_child_writes_to_its_standard_error_is_handed_out_once() {
    let mut child = Child::spawn(shell("echo oops >&2"), ChildLimits::default()).unwrap();
    let mut text = String::new();
    child.take_messages().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "oops\n");
    assert!(child.take_messages().is_none());
    child.kill();
}

#[test]
fn the_end_of_a_child_is_noticed_with_its_status() {
    let mut child = Child::spawn(shell("exit 3"), ChildLimits::default()).unwrap();
    assert_eq!(
        child.receive(&mut [0; 8], Instant::now() + LONG),
        Received::Closed
    );
    assert_eq!(child.ended().and_then(|status| status.code()), Some(3));
    assert!(child.is_gone());
    // Guards know more.
    assert_eq!((child.is_ended_by_bound(), child.peak_kib()), (None, None));
}

#[test]
fn the_end_of_a_child_is_noticed_though_its_own_child_holds_its_output_and_a_kill_takes_that_along() {
    let mut child = super::unix::Child::spawn(shell("sleep 60 & echo $!"), ChildLimits::default()).unwrap();
    let mut buffer = [0; 32];
    let Received::Bytes(bytes) = child.receive(&mut buffer, Instant::now() + LONG) else {
        panic!("the shell did not say the number of its child");
    };
    let grandchild = str::from_utf8(&buffer[..bytes]).unwrap().trim();
    wait_until(|| child.is_gone());
    assert!(!state_of(grandchild).is_empty());
    child.kill();
    // A zombie waits for its adopter to notice its end, and runs no more.
    wait_until(|| state_of(grandchild).is_empty() || state_of(grandchild).starts_with('Z'));
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + LONG;
    while !is_so() {
        assert!(Instant::now() < until, "it takes too long");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What the system says of a process; nothing if there is none.
fn state_of(pid: &str) -> String {
    let output = Command::new("ps")
        .args(["-o", "stat=", "-p", pid])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A player that its thread keeps is ended with the thread, when other things of the thread are gone.
#[cfg(unix)]
#[test]
fn a_child_is_heard_while_its_thread_ends() {
    use std::cell::RefCell;

    use super::unix::Child;

    struct Kept(Child);

    impl Drop for Kept {
        fn drop(&mut self) {
            self.0.close_input();
            let received = self.0.receive(&mut [0; 8], Instant::now() + LONG);
            assert!(matches!(received, Received::Closed), "{received:?}");
        }
    }

    thread_local! {
        static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
    }
    let ended = std::thread::spawn(|| {
        KEPT.with_borrow_mut(|kept| {
            let mut child = Child::spawn(Command::new("cat"), ChildLimits::default()).unwrap();
            child.send(b"one\n", Instant::now() + LONG);
            child.receive(&mut [0; 8], Instant::now() + LONG);
            *kept = Some(Kept(child));
        });
    });
    ended.join().unwrap();
}
