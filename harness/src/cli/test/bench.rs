//! `ENGINE bench`: how many nodes it searched, and how fast.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::cli::shared::CliError;
use crate::interrupt::Interrupt;
use crate::platform::run_until;
use crate::session::error::ExperimentError;

/// A bench takes seconds, some a minute.
const BENCH_TIME: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bench {
    pub(super) nodes: u64,
    pub(super) nps: Option<u64>,
}

/// Runs `program` with these words; what it prints goes to `log`. Nothing if it ends well without a number of nodes; or why it failed.
pub(super) fn bench(
    program: &Path,
    words: &[String],
    log: &Path,
    interrupt: &Interrupt,
) -> Result<Result<Option<Bench>, String>, CliError> {
    let create = || {
        let file = File::create(log)?;
        Ok::<_, std::io::Error>((file.try_clone()?, file))
    };
    let (output, errors) = create().map_err(ExperimentError::system("write the log of bench"))?;
    let mut command = Command::new(program);
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors);
    if let Some(folder) = program.parent() {
        command.current_dir(folder);
    }
    let ended = run_until(&mut command, BENCH_TIME, &|| interrupt.is_requested());
    if let Some(signal) = interrupt.signal() {
        return Err(ExperimentError::Stopped(signal).into());
    }
    let text = fs::read(log).map_err(ExperimentError::system("read the log of bench"))?;
    let found = numbers(&String::from_utf8_lossy(&text));
    let command = format!("'{} {}'", program.display(), words.join(" "));
    Ok(match (found, ended) {
        (_, Err(error)) if error.kind() == ErrorKind::TimedOut => {
            let limit = BENCH_TIME.as_secs();
            Err(format!("{command} took more than {limit} s and was ended"))
        }
        (None, Err(error)) => Err(format!("{command} {error}")),
        // An engine may end with any code after its numbers.
        (found, _) => Ok(found),
    })
}

/// The last numbers of nodes and of nodes per second: `1234567 nodes 890123 nps` (OpenBench), `Nodes searched  : 1234567` (fishtest).
fn numbers(text: &str) -> Option<Bench> {
    let (mut nodes, mut nps) = (None, None);
    for line in text.lines().rev() {
        let plain: String = line
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_lowercase()
                } else {
                    ' '
                }
            })
            .collect();
        let words: Vec<&str> = plain.split_whitespace().collect();
        nps = nps.or_else(|| {
            before(&words, "nps")
                .or_else(|| behind(&words, &["nps"]))
                .or_else(|| behind(&words, &["nodes", "second"]))
        });
        nodes = nodes.or_else(|| {
            behind(&words, &["nodes", "searched"])
                .or_else(|| before(&words, "nodes"))
                .or_else(|| behind(&words, &["nodes"]))
        });
    }
    Some(Bench {
        nodes: nodes?,
        nps: nps.filter(|&nps| nps > 0),
    })
}

fn before(words: &[&str], name: &str) -> Option<u64> {
    let pair = words
        .windows(2)
        .find(|pair| pair[1] == name && pair[0].parse::<u64>().is_ok())?;
    pair[0].parse().ok()
}

fn behind(words: &[&str], names: &[&str]) -> Option<u64> {
    let found = words
        .windows(names.len() + 1)
        .find(|part| part.starts_with(names))?;
    found.last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_conventions_and_their_relatives_are_read() {
        for (text, expected) in [
            (
                "info depth 9\n1234567 nodes 890123 nps\n",
                Some((1_234_567, Some(890_123))),
            ),
            (
                "Total time (ms) : 1500\nNodes searched  : 4321\nNodes/second    : 2880\n",
                Some((4321, Some(2880))),
            ),
            ("Bench: 99 nodes, 7 nps", Some((99, Some(7)))),
            ("nodes: 12\nnps: 34", Some((12, Some(34)))),
            ("info nodes 5 nps 6\n\n100 nodes 200 nps", Some((100, Some(200)))),
            ("5 nodes 0 nps", Some((5, None))),
            ("id name X\nuciok", None),
            ("", None),
        ] {
            let found = numbers(text).map(|bench| (bench.nodes, bench.nps));
            assert_eq!(found, expected, "{text}");
        }
    }
}
