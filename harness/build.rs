//! The commit that `tanren --version` names, as `HASH DATE`: what `TANREN_COMMIT` says, else what a package was packed from, else
//! the commit of this clone. It is empty in builds for development, which it would make again after each commit.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const SOURCES: [&str; 6] = [
    "src",
    "core/src",
    "fleet/src",
    "runs/src",
    "stats/src",
    "../engine/src",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TANREN_COMMIT");
    let given = env::var("TANREN_COMMIT").ok();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let found = given
        .or_else(of_package)
        .or_else(|| is_release.then(of_clone).flatten());
    println!("cargo::rustc-env=TANREN_COMMIT={}", found.unwrap_or_default());
}

/// A package says what it was packed from, and not when.
fn of_package() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let hash = text.split("\"sha1\": \"").nth(1)?.get(..12)?;
    Some(hash.to_owned())
}

fn of_clone() -> Option<String> {
    // A package may lie within the repository of somebody else.
    if !Path::new("../.git").exists() {
        return None;
    }
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    for path in SOURCES.into_iter().chain([&*log]) {
        println!("cargo::rerun-if-changed={path}");
    }
    let [hash, date] =
        ["--format=%h", "--format=%cs"].map(|format| git(&["log", "-1", "--abbrev=12", format]));
    let mut diff = vec!["diff", "--quiet", "HEAD", "--"];
    diff.extend(SOURCES);
    let changes = if git(&diff).is_some() { "" } else { "+changes" };
    Some(format!("{}{changes} {}", hash?, date?))
}

fn git(words: &[&str]) -> Option<String> {
    let answer = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    answer.status.success().then(|| text.trim().to_owned())
}
