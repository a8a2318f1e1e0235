//! One run made of its shards.

use std::path::{Path, PathBuf};

use crate::kinds::{match_, tournament};
use crate::ledger::{Holds, Ledger, Manifest};
use crate::report::{GAMES_MAX, Language, PageStyle, report_again};
use crate::schedule::Shard;
use crate::session::error::{ExperimentError, Result};
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

/// What the run in `out` comes to, of which `folders` are all shards.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<Outcome> {
    let runs = folders.iter().map(|folder| Run::open(folder));
    let runs: Vec<Run> = runs.collect::<Result<_>>()?;
    check(&runs, out).map_err(ExperimentError::Input)?;
    let first = &runs[0];
    let manifest = Manifest {
        spec_toml: first.text(out)?,
        shard: Shard::WHOLE,
        ..first.manifest.clone()
    };
    let mut ledger = Ledger::open_or_create_with(out, &manifest, Holds::Pairs)?;
    for run in &runs {
        ledger.take_from(&run.ledger)?;
        if let Some(pairs) = run.ledger.kept(match_::EXTENDED)? {
            ledger.keep(match_::EXTENDED, &pairs)?;
        }
    }
    drop(ledger);
    let style = PageStyle {
        language: Language::default(),
        games_max: GAMES_MAX,
    };
    report_again(out, &[], style)
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
        let is_same =
            first.manifest.identity == run.manifest.identity && first.manifest.kind == run.manifest.kind;
        if !is_same || first.manifest.shard.of() != run.manifest.shard.of() {
            let sides = [format!("in {one}"), format!("in {other}")];
            let mut manifest = run.manifest.clone();
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
