//! What the tests of the binary share.

pub(crate) mod engines;
pub(crate) mod folder;
pub(crate) mod shell;
pub(crate) mod tools;
pub(crate) mod transcript;

use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::CommandCargoExt;

/// The program, with an engine library of the folder that it runs in; it finds the nats-server that TANREN_NATS_SERVER names.
pub(crate) fn tanren() -> Command {
    let mut command = match engines::programs() {
        Some(folder) => Command::new(folder.join("tanren")),
        None => Command::cargo_bin("tanren").unwrap(),
    };
    command.env("NO_COLOR", "1").env("TANREN_LANG", "en");
    command.env("TANREN_CONFIG", "config");
    if let Some(server) = std::env::var_os("TANREN_NATS_SERVER") {
        let server = std::fs::canonicalize(server).expect("TANREN_NATS_SERVER names no file");
        let mut places = vec![server.parent().unwrap().to_owned()];
        places.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        command.env("PATH", std::env::join_paths(places).unwrap());
    }
    command
}

/// Runs the binary in `folder`.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Output {
    tanren().args(args).current_dir(folder).output().unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The one JSON value on stdout.
pub(crate) fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// Does this column of a CSV file measure time? A count of losses on time is a count.
pub(crate) fn measures_time(column: &str) -> bool {
    column.starts_with("time_") && !column.starts_with("time_losses")
}

/// A CSV file without the columns that measure time, of which there must be one.
pub(crate) fn columns_but_times(file: &str) -> String {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let header = reader.headers().unwrap().clone();
    let kept: Vec<usize> = (0..header.len())
        .filter(|&index| !measures_time(&header[index]))
        .collect();
    assert!(kept.len() < header.len());
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        kept.iter()
            .map(|&index| row[index].to_owned())
            .collect::<Vec<_>>()
            .join(",")
    });
    rows.collect::<Vec<_>>().join("\n")
}
