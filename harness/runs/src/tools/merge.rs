//! One run made of its shards.

use std::path::{Path, PathBuf};

use crate::config::{Identity, PlayerKind, ProcessSpec};
use crate::kinds::{match_, tournament};
use crate::ledger::{Holds, Ledger, Manifest};
use crate::report::{GAMES_MAX, report_again};
use crate::session::error::{ExperimentError, Result};
use crate::session::outcome::Outcome;
use crate::session::stored::Run;
use crate::shard::Shard;

/// What the run in `out` comes to, of which `folders` are all shards.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<Outcome> {
    let runs = folders.iter().map(|folder| Run::open(folder));
    let runs: Vec<Run> = runs.collect::<Result<_>>()?;
    check(&runs, out).map_err(ExperimentError::Input)?;
    // In whatever order the folders are given, the programs of the same shard are those of the merged run.
    let first = runs.iter().min_by_key(|run| run.manifest.shard.pair(0));
    let first = first.unwrap_or(&runs[0]);
    let manifest = Manifest {
        spec_toml: first.text(out)?,
        shard: Shard::WHOLE,
        ..first.manifest.clone()
    };
    // What is refused is to change nothing.
    if Ledger::is_resumable(out, &manifest.identity, manifest.shard) {
        let merged = Ledger::open_existing(out)?;
        for run in &runs {
            merged.missing(&run.ledger)?;
        }
    }
    let mut ledger = Ledger::open_or_create_with(out, &manifest, Holds::Pairs)?;
    for run in &runs {
        ledger.take_from(&run.ledger)?;
    }
    drop(ledger);
    report_again(out, &[], GAMES_MAX)
}

fn check(runs: &[Run], out: &Path) -> Result<(), String> {
    let name = |run: &Run| format!("'{}'", run.folder.display());
    let kinds = [match_::KIND.name, tournament::KIND.name];
    for run in runs {
        let (manifest, own) = (&run.manifest, name(run));
        if !kinds.contains(&manifest.kind.as_str()) {
            let kind = &manifest.kind;
            return Err(format!(
                "{own} holds a run of kind '{kind}': shards are of a match or a tournament"
            ));
        }
        if manifest.shard.is_whole() {
            return Err(format!("{own} is no shard: it was played without --shard"));
        }
        let is_out = |path: &Path| path.canonicalize().ok();
        if is_out(out).is_some_and(|out| is_out(&run.folder) == Some(out)) {
            return Err(format!("--out is {own}, which is a shard: give another --out"));
        }
    }
    let first = &runs[0];
    for run in &runs[1..] {
        let [one, other] = [name(first), name(run)];
        let mut manifest = with_programs_of(first, run);
        let is_same = first.manifest.identity == manifest.identity && first.manifest.kind == manifest.kind;
        if !is_same || first.manifest.shard.of() != manifest.shard.of() {
            let sides = [format!("in {one}"), format!("in {other}")];
            if manifest.shard.of() == first.manifest.shard.of() {
                manifest.shard = first.manifest.shard;
            }
            let lines = first.manifest.differences(&manifest, [&sides[0], &sides[1]]);
            let lines: String = lines.iter().map(|line| format!("\n  {line}")).collect();
            return Err(format!("{one} and {other} are shards of different runs:{lines}"));
        }
    }
    for shard in first.manifest.shard.all() {
        let own: Vec<String> = runs
            .iter()
            .filter(|run| run.manifest.shard == shard)
            .map(name)
            .collect();
        match &own[..] {
            [_] => {}
            [] => {
                return Err(format!(
                    "shard {shard} is missing: give its folder too, or play it with --shard {shard}"
                ));
            }
            several => {
                return Err(format!(
                    "{} are all shard {shard}: give one of them",
                    several.join(" and ")
                ));
            }
        }
    }
    Ok(())
}

/// What a run is, as if its programs lay where those of `first` do: their content is part of the identity, so that
/// the same program may lie elsewhere.
fn with_programs_of(first: &Run, run: &Run) -> Manifest {
    let mut manifest = run.manifest.clone();
    let (Ok(there), Ok(here)) = (first.seats(), run.seats()) else {
        return manifest;
    };
    let (mut moved, mut renamed) = (Vec::new(), Vec::new());
    for (here, there) in here.seats.iter().zip(&there.seats) {
        if let [PlayerKind::Process(own), PlayerKind::Process(first)] =
            [&here.player.kind, &there.player.kind]
        {
            let command = first.command.clone();
            let placed = ProcessSpec {
                command,
                ..(**own).clone()
            };
            if placed == **first {
                renamed.push([here.player.text(), there.player.text()]);
            }
            moved.push([own.text(), placed.text()]);
        }
    }
    let mut identity = Identity::default();
    for (name, value) in manifest.identity.entries() {
        let moved = moved.iter().find_map(|[here, there]| {
            let before = value.strip_suffix(&**here)?;
            Some(format!("{before}{there}"))
        });
        identity.push(name, moved.as_deref().unwrap_or(value));
    }
    manifest.identity = identity;
    for [here, there] in renamed.iter().chain(&moved) {
        manifest.spec_toml = manifest.spec_toml.replace(here, there);
    }
    manifest
}
