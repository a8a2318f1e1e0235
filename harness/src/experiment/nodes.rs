//! A count of nodes in a folder.
//!
//! In: a [`NodesSpec`]. Out: a ledger with every finished search, an [`Outcome`].

use std::path::Path;

use tanren_engine::search::Searchable;

use super::ExperimentError;
use super::capacity::Demand;
use super::findings::{Found, NodesFindings};
use super::folder;
use super::game::with_game;
use super::hosts;
use super::mending::tell_mended;
use super::news::{Audience, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use super::programs::{Programs, tell_audits};
use super::searching::{NodesSpec, counted, search_text};
use super::suite::load_positions;
use crate::config::{ConfigError, PlayerKind, PlayerSpec};
use crate::event::Warning;
use crate::ledger::{About, Ledger, LedgerError, RunKind, StudyPosition};
use crate::study::nodes::{NodesStudy, NodesSummary, SearchConditions, SearchesElsewhere};

/// Searches what is not searched yet, in the folder of `options` or the default one.
pub(super) fn count_nodes(
    spec: &NodesSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    with_game!(spec.game, count(spec, options, audience))
}

fn count<P: Searchable>(
    spec: &NodesSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    spec.check()?;
    let workers = options.workers(&Demand::of_searches(spec.hash_mib, &spec.players))?;
    let interrupt = options.interrupt()?;
    let Positions {
        lines,
        positions,
        sha256,
    } = load::<P>(spec, audience)?;
    let numbered = (1_usize..).zip(&spec.players);
    let (timeouts, hash_mib) = (spec.timeouts, spec.hash_mib);
    let programs =
        Programs::examine_players(timeouts, hash_mib, None, numbered, options.outside()?, &interrupt)?;
    programs.check_positions(positions.iter().cloned())?;
    let players = spec.players.iter().map(|player| counted(player, &programs));
    let players = players.collect::<Result<Vec<PlayerKind>, ConfigError>>()?;
    let conditions = spec.conditions(options.engine_log.clone(), &programs.files);
    let study = NodesStudy {
        players: &players,
        positions: &positions,
        lines: &lines,
        elsewhere: elsewhere(spec, &conditions, &programs),
        conditions,
    };
    let canonical: Vec<String> = spec.players.iter().map(PlayerSpec::canonical).collect();
    let mut identity = study.identity(&canonical, &sha256);
    programs.identify(&mut identity);
    let labels: Vec<String> = spec.players.iter().map(|player| player.label.clone()).collect();
    let name = folder::plain_name(&format!("nodes-{}", labels.join("-vs-")));
    let folder = options.folder(|| folder::of_run(&name, &identity));
    let about = About {
        kind: RunKind::Nodes,
        identity,
        spec_toml: String::new(),
        labels,
    };
    let mut ledger = Ledger::open_or_create_study(&folder, &about, &stored(&lines, &positions))?;
    tell_mended(&ledger, audience)?;
    let searches = study.run(workers.executor(), &mut ledger, &interrupt, |done| {
        // What only shows something has nothing that could fail.
        let _ = audience.hear(News::Searched {
            players: players.len(),
            positions: positions.len(),
            depth: spec.depth,
            done,
            folder: &folder,
        });
    })?;
    audience.hear(News::Over)?;
    tell_audits(workers.executor(), Unit::Searches, audience)?;
    let found = NodesFindings {
        summary: NodesSummary::new(&searches, &are_programs(spec), spec.depth),
        hosts: hosts::count_searches(&ledger, &searches, positions.len())?,
        labels: about.labels,
        lines,
        searches,
    };
    audience.hear(News::Found {
        folder: &folder,
        ledger: Some(&ledger),
        found: Found::Nodes(&found),
    })?;
    for warning in found.warnings() {
        audience.hear(News::Warning(warning))?;
    }
    let progress = progress(&found, players.len() * positions.len());
    Ok(Outcome {
        folder,
        ending: Ending::of_progress(interrupt.signal(), progress),
        findings: Findings::Nodes(found),
    })
}

/// What other machines are told.
fn elsewhere(spec: &NodesSpec, conditions: &SearchConditions, programs: &Programs) -> SearchesElsewhere {
    let players = spec.players.iter();
    SearchesElsewhere {
        tables: players
            .map(|player| search_text(spec.game, player, conditions))
            .collect(),
        engines: programs.engine_digests(&spec.players),
    }
}

fn progress(found: &NodesFindings, of: usize) -> Progress {
    Progress {
        done: found.searches.len() as u64,
        of: of as u64,
        unit: Unit::Searches,
    }
}

/// The positions of a count.
struct Positions<P> {
    /// The line of each in its file.
    lines: Vec<u32>,
    positions: Vec<P>,
    /// Of the whole file.
    sha256: String,
}

fn load<P: Searchable>(
    spec: &NodesSpec,
    audience: &mut dyn Audience,
) -> Result<Positions<P>, ExperimentError> {
    let suite = load_positions::<P>(spec.positions.as_ref())?;
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.len();
        audience.hear(News::Warning(Warning::RepeatedOpenings { lines }))?;
    }
    let used = suite.openings.into_iter().take(spec.positions_max);
    let (lines, positions) = used.map(|opening| (opening.line, opening.position())).unzip();
    Ok(Positions {
        lines,
        positions,
        sha256: suite.sha256,
    })
}

/// Positions as a ledger keeps them.
fn stored<P: Searchable>(lines: &[u32], positions: &[P]) -> Vec<StudyPosition> {
    let positions = lines.iter().zip(positions);
    let stored = positions.map(|(&line, position)| StudyPosition {
        line,
        text: position.to_string(),
    });
    stored.collect()
}

fn are_programs(spec: &NodesSpec) -> Vec<bool> {
    let players = spec.players.iter();
    players.map(|player| player.process().is_some()).collect()
}

/// What is stored in `folder`, and whether that is all.
pub(super) fn recount(folder: &Path, ledger: &Ledger) -> Result<(NodesFindings, bool), LedgerError> {
    let about = ledger.about()?;
    let searches = ledger.searches()?;
    let damaged = || LedgerError::Damaged {
        path: folder.to_owned(),
        message: "it does not say how deep was searched".to_owned(),
    };
    let depth = about.identity.get("depth").and_then(|depth| depth.parse().ok());
    let is_program = |number: usize| {
        let name = Programs::identity_name(number + 1);
        about.identity.get(&name).is_some()
    };
    let are_programs: Vec<bool> = (0..about.labels.len()).map(is_program).collect();
    let lines: Vec<u32> = ledger.positions()?.iter().map(|position| position.line).collect();
    let is_over = searches.len() == about.labels.len() * lines.len();
    let found = NodesFindings {
        summary: NodesSummary::new(&searches, &are_programs, depth.ok_or_else(damaged)?),
        hosts: hosts::count_searches(ledger, &searches, lines.len())?,
        lines,
        labels: about.labels,
        searches,
    };
    Ok((found, is_over))
}
