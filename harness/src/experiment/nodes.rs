//! A count of nodes in a folder.
//!
//! In: a [`NodesSpec`]. Out: a ledger with every finished search, an [`Outcome`].

use std::path::{Path, PathBuf};

use tanren_engine::game::Game;
use tanren_engine::search::{PLY_MAX, Searchable};

use super::ExperimentError;
use super::capacity::Demand;
use super::findings::{Found, NodesFindings};
use super::folder;
use super::game::with_game;
use super::mending::tell_mended;
use super::news::{Audience, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use super::programs::Programs;
use super::suite::load_positions;
use crate::config::{ConfigError, Patience, PlayerKind, PlayerSpec};
use crate::event::Warning;
use crate::interrupt::Interrupt;
use crate::ledger::{About, Ledger, LedgerError, RunKind, StudyPosition};
use crate::player::ExaminedFiles;
use crate::study::nodes::{NodesStudy, NodesSummary, without_early_stops};

const HASH_MIB_MAX: usize = 65_536;
const PATIENCE_MS_MAX: u64 = 86_400_000;

/// What is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct NodesSpec {
    /// What is searched.
    pub game: Game,
    /// Ratios are to the first; no two have the same label.
    pub players: Vec<PlayerSpec>,
    /// One position a line; the built-in suite if absent.
    pub positions: Option<PathBuf>,
    /// Only so many of them are used.
    pub positions_max: usize,
    /// Last depth in plies.
    pub depth: u32,
    /// A search is given up after so many nodes.
    pub nodes_max: Option<u64>,
    /// Hash table of each search in MiB.
    pub hash_mib: usize,
    /// How long other programs are waited for.
    pub patience: Patience,
}

impl NodesSpec {
    /// Are all numbers within their ranges, and all labels different?
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let ranges: [(&str, u64, u64, &str); 4] = [
            ("--depth", self.depth.into(), PLY_MAX as u64 - 1, "from 1 to 127"),
            (
                "--hash",
                self.hash_mib as u64,
                HASH_MIB_MAX as u64,
                "from 1 to 65536 MiB",
            ),
            (
                "--startup-ms",
                self.patience.startup_ms,
                PATIENCE_MS_MAX,
                "from 1 to 86400000 milliseconds",
            ),
            (
                "--stall-ms",
                self.patience.stall_ms,
                PATIENCE_MS_MAX,
                "from 1 to 86400000 milliseconds",
            ),
        ];
        for (name, value, most, expected) in ranges {
            if !(1..=most).contains(&value) {
                return Err(ConfigError::OutOfRange {
                    name: name.to_owned(),
                    value: value.to_string(),
                    expected,
                });
            }
        }
        Ok(())
    }
}

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
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let Positions {
        lines,
        positions,
        sha256,
    } = load::<P>(spec, audience)?;
    let players: Vec<PlayerKind> = spec.players.iter().map(counted).collect();
    let mut study = NodesStudy {
        players: &players,
        positions: &positions,
        depth: spec.depth,
        nodes_max: spec.nodes_max,
        hash_mib: spec.hash_mib,
        patience: spec.patience,
        log_folder: options.engine_log.clone(),
        files: ExaminedFiles::default(),
    };
    let canonical: Vec<String> = spec.players.iter().map(PlayerSpec::canonical).collect();
    let mut identity = study.identity(&canonical, &sha256);
    let numbered = (1_usize..).zip(&spec.players);
    let (patience, hash_mib) = (spec.patience, spec.hash_mib);
    let programs =
        Programs::examine_players(patience, hash_mib, None, numbered, options.outside()?, &interrupt)?;
    programs.identify(&mut identity);
    study.files = programs.files.clone();
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
    let searches = study.run(workers.pool(), &mut ledger, &interrupt, |done| {
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
    let found = NodesFindings {
        summary: NodesSummary::new(&searches, &are_programs(spec), spec.depth),
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
    let (lines, positions) = used.map(|opening| (opening.line, opening.position)).unzip();
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
        lines,
        labels: about.labels,
        searches,
    };
    Ok((found, is_over))
}

/// A player as it counts: nothing ends a search of the built-in engine before its depth.
fn counted(player: &PlayerSpec) -> PlayerKind {
    match &player.kind {
        PlayerKind::Builtin(config) => PlayerKind::Builtin(Box::new(without_early_stops(config))),
        PlayerKind::Process(spec) => PlayerKind::Process(spec.clone()),
    }
}
