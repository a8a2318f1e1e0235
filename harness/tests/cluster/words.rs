//! The words of a fleet on this machine.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_nats::jetstream;
use tanren::internals::{CoordinatorFile, connect};
use tokio::runtime::Builder;

use crate::folder::InFolder;
use crate::impostor::Impostor;
use crate::proxy::Proxy;
use crate::shell::{BOUND, Shell, Words};

/// What may befall a fleet, and costs nothing but time: a name, and the commands that do it to `[WORKER]` or to all.
pub(crate) fn misfortunes() -> Vec<(&'static str, Vec<&'static str>)> {
    let rows = include_str!("misfortunes.txt").lines();
    let rows = rows.map(|row| row.split_once(": ").unwrap());
    rows.map(|(name, commands)| (name, commands.split("; ").collect()))
        .collect()
}

pub(crate) fn fleet() -> Words {
    let (proxy, liar) = (RefCell::new(None::<Proxy>), RefCell::new(None));
    Rc::new(move |shell, words, _| {
        match *words {
            // Makes a fleet, starts its server, and enters its folder; `proxied`, machines speak plain text through a proxy.
            ["fleet", workers, ref how @ ..] => {
                *proxy.borrow_mut() = make(shell, workers, how == ["proxied"])
            }
            ["workers", count] => {
                for number in 1..=count.parse().unwrap() {
                    shell.run(
                        &format!("tanren worker worker-{number}.toml --slots 1 & worker-{number}"),
                        "",
                    );
                }
            }
            ["proxy", fault, value] => proxy
                .borrow()
                .as_ref()
                .unwrap()
                .set(fault, value.parse().unwrap()),
            // A worker that does not what it should, until `liar over`.
            ["liar", "over"] => *liar.borrow_mut() = None,
            ["liar", name, lie] => {
                let lie = serde_json::from_value(lie.into()).unwrap();
                *liar.borrow_mut() = Some(Impostor::start(&shell.folder.join(format!("{name}.toml")), lie));
            }
            ["befall", ref name @ ..] => befall(shell, &name.join(" ")),
            // A stream has room for so many bytes from now on; whether something is in it.
            ["limit", name, bytes] => _ = in_stream(shell, name, Some(bytes.parse().unwrap())),
            ["messages", name] => {
                let count = in_stream(shell, name, None);
                return Some((if count == 0 { "none\n" } else { "some\n" }).to_owned());
            }
            // The messages that the server has stored; its consumers keep their positions.
            ["forget-messages"] => {
                let accounts = shell.folder.join("store/jetstream");
                for account in accounts.names() {
                    for stream in ["jobs", "results"] {
                        let messages = accounts.join(&account).join(format!("streams/{stream}/msgs"));
                        if messages.exists() {
                            std::fs::remove_dir_all(&messages).unwrap();
                            std::fs::create_dir(&messages).unwrap();
                        }
                    }
                }
            }
            // What the server answers in plain text to who has no key.
            ["nats", connect] => return Some(ask_plainly(shell, connect)),
            // Removes the lines from one to another.
            ["without", first, last, file] => {
                let text = shell.folder.read(file);
                let (before, rest) = text.split_once(&format!("\n{first}\n")).unwrap();
                let (_, after) = rest.split_once(&format!("\n{last}\n")).unwrap();
                shell.folder.write(file, format!("{before}\n{after}"));
            }
            _ => return None,
        }
        Some(String::new())
    })
}

fn make(shell: &mut Shell, workers: &str, is_proxied: bool) -> Option<Proxy> {
    let port = port_of_a_server();
    shell.run(&format!("let PORT {port}"), "");
    shell.run(
        &format!("tanren cluster init club --workers {workers} --port {port}"),
        "",
    );
    shell.run("cd club", "");
    let mut proxy = None;
    if is_proxied {
        let through = Proxy::start(port);
        shell.run("without 'tls {' } server.conf", "");
        for file in shell.folder.names().iter().filter(|name| name.ends_with(".toml")) {
            shell.run(&format!("without 'ca = \"\"\"' '\"\"\"' {file}"), "");
            let address = format!("nats://127.0.0.1:{}", through.port);
            shell.run(&format!("replace tls://localhost:{port} {address} {file}"), "");
        }
        proxy = Some(through);
    }
    shell.run("tanren cluster up . & server", "");
    shell.until_it_is(BOUND, "a server that listens", |_| {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    proxy
}

/// Below the range from which the system gives ports, where another test would take it before the server starts.
fn port_of_a_server() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let ports = std::iter::repeat_with(|| {
        let port = 10_000 + std::process::id() % 100 * 200 + NEXT.fetch_add(1, Ordering::Relaxed) % 200;
        u16::try_from(port).unwrap()
    });
    let mut free = ports.filter(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    free.next().unwrap()
}

fn ask_plainly(shell: &Shell, connect: &str) -> String {
    let (_, port) = shell.names.iter().find(|(name, _)| name == "[PORT]").unwrap();
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    write!(stream, "{connect}\r\nPING\r\n").unwrap();
    let mut answer = Vec::new();
    // The server may close the connection without a word.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    let lines = answer.lines().filter(|line| !line.starts_with("INFO"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Does it, and starts the workers that it ended, or that find no server, again.
pub(crate) fn befall(shell: &mut Shell, name: &str) {
    let all = misfortunes();
    let (_, commands) = all.iter().find(|(other, _)| *other == name).unwrap();
    let workers = workers(shell);
    let worker = &workers[shell.below(workers.len() as u64) as usize];
    for command in commands {
        shell.run(&command.replace("[WORKER]", worker), "");
    }
    start_again(shell);
}

fn workers(shell: &Shell) -> Vec<String> {
    let names = shell.background().filter(|name| name.starts_with("worker-"));
    names.cloned().collect()
}

pub(crate) fn start_again(shell: &mut Shell) {
    for worker in workers(shell) {
        shell.run(&format!("again {worker}"), "");
    }
}

/// How many messages a stream holds, as the coordinator may see.
fn in_stream(shell: &Shell, name: &str, max_bytes: Option<i64>) -> u64 {
    let file = CoordinatorFile::open(&shell.folder.join("coordinator.toml")).unwrap();
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let context = jetstream::new(connect(&file.access(false)).await.unwrap());
        let stream = context.get_stream(name).await.unwrap();
        if let Some(max_bytes) = max_bytes {
            let mut config = stream.cached_info().config.clone();
            config.max_bytes = max_bytes;
            context.update_stream(config).await.unwrap();
        }
        stream.cached_info().state.messages
    })
}
