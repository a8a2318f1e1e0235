//! A bad network between machines and their server: messages come late, twice, in another order, or not at all, but whole.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How long a message waits to be overtaken.
const HOLD: Duration = Duration::from_millis(30);

#[derive(Default)]
struct Faults {
    delay_ms: AtomicU64,
    /// How many of 100 messages come twice.
    twice: AtomicU64,
    swapped: AtomicU64,
    closed: AtomicU64,
    open: Mutex<Vec<TcpStream>>,
    chance: AtomicU64,
}

impl Faults {
    fn happens(&self, percent: &AtomicU64) -> bool {
        let step = self.chance.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        let mixed = (step ^ (step >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 33) % 100 < percent.load(Ordering::Relaxed)
    }
}

pub(crate) struct Proxy {
    pub(crate) port: u16,
    faults: Arc<Faults>,
}

impl Proxy {
    pub(crate) fn start(server: u16) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let faults = Arc::new(Faults::default());
        let shared = Arc::clone(&faults);
        thread::spawn(move || {
            for machine in listener.incoming().flatten() {
                let server = TcpStream::connect(("127.0.0.1", server));
                let Ok(server) = server else { continue };
                if shared.closed.load(Ordering::Relaxed) == 0 {
                    join(&shared, &machine, &server);
                    join(&shared, &server, &machine);
                    shared.open.lock().unwrap().extend([machine, server]);
                }
            }
        });
        Proxy { port, faults }
    }

    /// From now on: a delay in ms, percents of messages, or nothing at all.
    pub(crate) fn set(&self, fault: &str, value: u64) {
        let faults = &self.faults;
        let place = match fault {
            "delay" => &faults.delay_ms,
            "twice" => &faults.twice,
            "swapped" => &faults.swapped,
            "closed" => &faults.closed,
            "cut" => &AtomicU64::new(0),
            _ => panic!("no such fault: {fault}"),
        };
        place.store(value, Ordering::Relaxed);
        if ["closed", "cut"].contains(&fault) {
            for stream in faults.open.lock().unwrap().drain(..) {
                // It may have ended.
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.set("closed", 1);
    }
}

/// Carries what `from` says to `to`, on two threads.
fn join(faults: &Arc<Faults>, from: &TcpStream, to: &TcpStream) {
    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
    from.set_nodelay(true).unwrap();
    let (sender, receiver) = channel();
    thread::spawn(move || read(from, &sender));
    let faults = Arc::clone(faults);
    thread::spawn(move || write(&faults, &receiver, to));
}

/// One line of the protocol with its payload, and whether it is a message.
type Said = (Vec<u8>, bool);

fn read(from: TcpStream, sender: &Sender<Said>) {
    let mut reader = BufReader::new(from);
    loop {
        let mut said = Vec::new();
        if !matches!(reader.read_until(b'\n', &mut said), Ok(1..)) {
            return;
        }
        let line = String::from_utf8_lossy(&said).into_owned();
        let mut words = line.split_ascii_whitespace();
        let is_message = matches!(words.next(), Some("PUB" | "HPUB" | "MSG" | "HMSG"));
        if is_message {
            let length = words.last().and_then(|word| word.parse::<usize>().ok()).unwrap();
            let begin = said.len();
            said.resize(begin + length + 2, 0);
            if reader.read_exact(&mut said[begin..]).is_err() {
                return;
            }
        }
        if sender.send((said, is_message)).is_err() {
            return;
        }
    }
}

fn write(faults: &Faults, receiver: &Receiver<Said>, mut to: TcpStream) {
    let mut held: Option<Vec<u8>> = None;
    loop {
        let next = match &held {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => receiver.recv_timeout(HOLD),
        };
        let mut written = Vec::new();
        match next {
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => written.extend(held.take().unwrap_or_default()),
            Ok((said, true)) if held.is_none() && faults.happens(&faults.swapped) => held = Some(said),
            Ok((said, is_message)) => {
                // What is no message must not overtake one: a connection begins in order.
                let (first, last) = if is_message {
                    (said.clone(), held.take().unwrap_or_default())
                } else {
                    (held.take().unwrap_or_default(), said.clone())
                };
                written.extend(first);
                written.extend(last);
                if is_message && faults.happens(&faults.twice) {
                    written.extend(said);
                }
            }
        }
        let delay = faults.delay_ms.load(Ordering::Relaxed);
        if delay > 0 {
            thread::sleep(Duration::from_millis(delay));
        }
        if to.write_all(&written).is_err() {
            break;
        }
    }
    // It may have ended.
    let _ = to.shutdown(Shutdown::Both);
}
