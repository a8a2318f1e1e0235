//! `cargo xtask dist`: builds, strips, checks and packs a release into `target/dist`.

mod dist;
mod licences;
mod pack;
mod release;
mod targets;
mod wheel;

use std::fmt::Display;
use std::process::ExitCode;
use std::{env, error, io::Write as _};

use targets::{TARGETS, Target};

const VERSION: &str = env!("CARGO_PKG_VERSION");

type Result<T> = std::result::Result<T, Box<dyn error::Error>>;

fn main() -> ExitCode {
    let Err((code, message)) = run() else {
        return ExitCode::SUCCESS;
    };
    say(message);
    ExitCode::from(code)
}

/// Does what the arguments say; if not, the exit code and why.
fn run() -> std::result::Result<(), (u8, String)> {
    let failed = |error: Box<dyn error::Error>| (1_u8, format!("error: {error}"));
    let mut words: Vec<String> = env::args().skip(1).collect();
    let all = words.len();
    words.retain(|word| word != "--release");
    let is_release = words.len() < all;
    if is_release {
        let found = release::unfinished().map_err(failed)?.join("\n");
        if !found.is_empty() {
            return Err((2, format!("error: not ready for a release:\n{found}")));
        }
    }
    let mut targets = chosen(&words).map_err(|message| (2_u8, message))?;
    if words.len() == 1 && !is_release {
        targets.retain(can_be_checked);
    }
    let missing = missing(&targets).join(", ");
    if !missing.is_empty() {
        let advice = "packaging/tools.sh installs what a release needs.";
        return Err((2, format!("error: not installed: {missing}\n{advice}")));
    }
    dist::dist(&targets).map_err(failed)
}

fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Can its programs be started here? That they cannot is said.
fn can_be_checked(target: &&Target) -> bool {
    match target.runner() {
        Some(runner) if !is_installed(runner) => {
            say(format!("skipped {}: {runner} is not installed", target.triple));
            false
        }
        _ => true,
    }
}

fn is_installed(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| {
        let file = folder.join(name);
        file.with_extension(env::consts::EXE_EXTENSION).is_file()
    })
}

/// The commands that the targets need and that are not on the PATH.
fn missing(targets: &[&Target]) -> Vec<&'static str> {
    let mut names: Vec<&str> = targets
        .iter()
        .flat_map(|target| target.tools())
        .filter(|name| !is_installed(name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The targets that are named, or all that this system builds.
fn chosen(words: &[String]) -> std::result::Result<Vec<&'static Target>, String> {
    let usage = || {
        let mut text = "usage: cargo xtask dist [--release] [TARGET]...\n\n\
                        Without a TARGET: all that are built on this system and can be started here.\n\
                        --release refuses to go on while an address, the day of the release or a program is missing.\n\nTargets:\n".to_owned();
        for target in TARGETS {
            text += &format!("  {:<28} built on {}\n", target.triple, target.host);
        }
        text
    };
    let (Some("dist"), names) = (
        words.first().map(String::as_str),
        words.get(1..).unwrap_or_default(),
    ) else {
        return Err(usage());
    };
    if names.is_empty() {
        return Ok(TARGETS
            .iter()
            .filter(|target| target.host == env::consts::OS)
            .collect());
    }
    names
        .iter()
        .map(|name| {
            let found = TARGETS.iter().find(|target| target.triple == name);
            found.ok_or_else(|| format!("error: no target `{name}`\n{}", usage()))
        })
        .collect()
}
