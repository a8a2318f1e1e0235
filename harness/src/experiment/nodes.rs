//! A count of nodes in a folder.
//!
//! In: a [`NodesSpec`]. Out: a ledger with every finished search, and a [`NodesOutcome`]. Must not: print, or write a file
//! but the ledger.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::ThreadPool;
use tanren_engine::eval::Evaluated;
use tanren_engine::search::PLY_MAX;

use crate::config::{ConfigError, Identity, Patience, PlayerKind, PlayerSpec, ProcessSpec};
use crate::event::Warning;
use crate::interrupt::{Interrupt, Signal};
use crate::ledger::{About, Ledger, LedgerError, RunKind, StudyPosition};
use crate::openings::{self, OpeningError};
use crate::player::{Silence, probe, program_sha256};
use crate::record::Search;
use crate::study::nodes::{NodesStudy, NodesSummary, without_early_stops};

const HASH_MIB_MAX: usize = 65_536;
const PATIENCE_MS_MAX: u64 = 86_400_000;

/// Why nodes cannot be counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NodesError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Another program that cannot be used.
    #[error("player '{label}': {message}")]
    Program { label: String, message: String },
    /// The folder of the logs.
    #[error("cannot write '{}': {source}", path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// While the programs were examined.
    #[error("stopped by a signal")]
    Stopped(Signal),
}

/// What is counted.
#[derive(Debug, Clone)]
pub(crate) struct NodesSpec {
    /// Ratios are to the first; no two have the same label.
    pub(crate) players: Vec<PlayerSpec>,
    /// One position a line; the built-in suite if absent.
    pub(crate) positions: Option<PathBuf>,
    /// Only so many of them are used.
    pub(crate) positions_max: usize,
    /// Last depth in plies.
    pub(crate) depth: u32,
    /// A search is given up after so many nodes.
    pub(crate) nodes_max: Option<u64>,
    /// Hash table of each search in MiB.
    pub(crate) hash_mib: usize,
    /// How long other programs are waited for.
    pub(crate) patience: Patience,
    /// Where all that is said to and by other programs is written down, if anywhere.
    pub(crate) log_folder: Option<PathBuf>,
}

impl NodesSpec {
    /// Are all numbers within their ranges, and all labels different?
    pub(crate) fn check(&self) -> Result<(), NodesError> {
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
                return Err(NodesError::Config(ConfigError::OutOfRange {
                    name: name.to_owned(),
                    value: value.to_string(),
                    expected,
                }));
            }
        }
        Ok(())
    }
}

/// A count of nodes that can begin: its positions are read, its programs have started once.
pub(crate) struct NodesRun<P> {
    spec: NodesSpec,
    players: Vec<PlayerKind>,
    lines: Vec<u32>,
    positions: Vec<P>,
    /// Lines of the file that repeat earlier ones.
    pub(crate) duplicates: usize,
    /// What decides every search.
    pub(crate) identity: Identity,
}

impl<P: Evaluated> NodesRun<P> {
    /// Reads and examines all that `spec` names.
    pub(crate) fn prepare(spec: NodesSpec, interrupt: &Interrupt) -> Result<NodesRun<P>, NodesError> {
        spec.check()?;
        let suite = match &spec.positions {
            None => openings::parse(
                openings::built_in_nodes(P::GAME),
                "the built-in positions for counting nodes",
            ),
            Some(path) => openings::load(path),
        }?;
        let used = suite.openings.into_iter().take(spec.positions_max);
        let (lines, positions) = used.map(|opening| (opening.line, opening.position)).unzip();
        let players = spec.players.iter().map(counted).collect();
        let mut run = NodesRun {
            players,
            lines,
            positions,
            duplicates: suite.duplicates.len(),
            identity: Identity::default(),
            spec,
        };
        let canonical: Vec<String> = run.spec.players.iter().map(PlayerSpec::canonical).collect();
        run.identity = run.study().identity(&canonical, &suite.sha256);
        run.examine(interrupt)?;
        Ok(run)
    }

    /// Who searches.
    pub(crate) fn players(&self) -> &[PlayerSpec] {
        &self.spec.players
    }

    /// The number of positions.
    pub(crate) fn positions(&self) -> usize {
        self.positions.len()
    }

    /// The number of searches.
    pub(crate) fn total(&self) -> usize {
        self.players.len() * self.positions.len()
    }

    /// Searches what the ledger in `folder` does not hold yet. `progress` is told how many searches are done.
    pub(crate) fn run(
        &self,
        folder: &Path,
        pool: &ThreadPool,
        interrupt: &Interrupt,
        progress: impl FnMut(usize),
    ) -> Result<NodesOutcome, NodesError> {
        let positions = self.lines.iter().zip(&self.positions);
        let positions: Vec<StudyPosition> = positions
            .map(|(&line, position)| StudyPosition {
                line,
                text: position.to_string(),
            })
            .collect();
        let labels = self.spec.players.iter().map(|player| player.label.clone());
        let about = About {
            kind: RunKind::Nodes,
            identity: self.identity.clone(),
            spec_toml: String::new(),
            labels: labels.collect(),
        };
        let mut ledger = Ledger::open_or_create_study(folder, &about, &positions)?;
        let searches = self.study().run(pool, &mut ledger, interrupt, progress)?;
        let are_programs = self.spec.players.iter().map(|player| player.process().is_some());
        let are_programs: Vec<bool> = are_programs.collect();
        Ok(NodesOutcome {
            summary: NodesSummary::new(&searches, &are_programs, self.spec.depth),
            labels: about.labels,
            lines: self.lines.clone(),
            searches,
            folder: folder.to_owned(),
            signal: interrupt.signal(),
        })
    }

    fn study(&self) -> NodesStudy<'_, P> {
        NodesStudy {
            players: &self.players,
            positions: &self.positions,
            depth: self.spec.depth,
            nodes_max: self.spec.nodes_max,
            hash_mib: self.spec.hash_mib,
            patience: self.spec.patience,
            log_folder: self.spec.log_folder.clone(),
        }
    }

    /// Starts every program once, so that what is wrong shows before the first search, and adds to the identity what decides
    /// how it searches.
    fn examine(&mut self, interrupt: &Interrupt) -> Result<(), NodesError> {
        let programs: Vec<(usize, &PlayerSpec, &ProcessSpec)> = (1..)
            .zip(&self.spec.players)
            .filter_map(|(number, player)| Some((number, player, player.process()?)))
            .collect();
        if programs.is_empty() {
            return Ok(());
        }
        if let Some(folder) = &self.spec.log_folder {
            fs::create_dir_all(folder).map_err(|source| NodesError::Unwritable {
                path: folder.clone(),
                source,
            })?;
        }
        for (number, player, process) in programs {
            let failed = |message| NodesError::Program {
                label: player.label.clone(),
                message,
            };
            let digest = program_sha256(process)
                .map_err(|error| failed(format!("cannot read '{}': {error}", process.command.display())))?;
            match probe(process, self.spec.patience, self.spec.hash_mib, interrupt) {
                Ok(_) => {}
                Err(Silence::Fault(fault)) => return Err(failed(fault.detail)),
                Err(Silence::Interrupted) => {
                    let stopped = interrupt.signal().map(NodesError::Stopped);
                    return Err(stopped.unwrap_or_else(|| failed("interrupted".to_owned())));
                }
            }
            self.identity.push(&format!("program {number} (SHA-256)"), digest);
        }
        let stall_ms = self.spec.patience.stall_ms;
        self.identity.push("stall", format_args!("{stall_ms} ms"));
        Ok(())
    }
}

/// What a count of nodes found, or has found so far.
#[derive(Debug)]
pub(crate) struct NodesOutcome {
    /// What each player is called.
    pub(crate) labels: Vec<String>,
    /// The line of each position in its file.
    pub(crate) lines: Vec<u32>,
    /// By player and position.
    pub(crate) searches: Vec<Search>,
    /// What they say together.
    pub(crate) summary: NodesSummary,
    /// Where they are stored.
    pub(crate) folder: PathBuf,
    /// What asked for an end, if anything did.
    pub(crate) signal: Option<Signal>,
}

impl NodesOutcome {
    /// What is stored in `folder`.
    pub(crate) fn read(folder: &Path, ledger: &Ledger) -> Result<NodesOutcome, LedgerError> {
        let about = ledger.about()?;
        let searches = ledger.searches()?;
        let damaged = || LedgerError::Damaged {
            path: folder.to_owned(),
            message: "it does not say how deep was searched".to_owned(),
        };
        let depth = about.identity.get("depth").and_then(|depth| depth.parse().ok());
        let is_program = |number: usize| {
            let name = format!("program {} (SHA-256)", number + 1);
            about.identity.get(&name).is_some()
        };
        let are_programs: Vec<bool> = (0..about.labels.len()).map(is_program).collect();
        Ok(NodesOutcome {
            summary: NodesSummary::new(&searches, &are_programs, depth.ok_or_else(damaged)?),
            lines: ledger.positions()?.iter().map(|position| position.line).collect(),
            labels: about.labels,
            searches,
            folder: folder.to_owned(),
            signal: None,
        })
    }

    /// Was it stopped before all searches were made?
    pub(crate) fn stopped_by(&self) -> Option<Signal> {
        let total = self.labels.len() * self.lines.len();
        self.signal.filter(|_| self.searches.len() < total)
    }

    /// The programs that failed on positions.
    pub(crate) fn warnings(&self) -> Vec<Warning<'_>> {
        let of_config = |(config, label)| {
            let failed = self.searches.iter().filter(move |search| search.config == config);
            let mut failed = failed.filter_map(|search| Some((search, search.fault.as_deref()?)));
            let (first, fault) = failed.next()?;
            Some(Warning::FailedSearches {
                label,
                failed: 1 + failed.count(),
                line: self.lines[first.position],
                fault,
            })
        };
        let labels = self.labels.iter().map(String::as_str);
        labels.enumerate().filter_map(of_config).collect()
    }
}

/// A player as it counts: nothing ends a search of the built-in engine before its depth.
fn counted(player: &PlayerSpec) -> PlayerKind {
    match &player.kind {
        PlayerKind::Builtin(config) => PlayerKind::Builtin(Box::new(without_early_stops(config))),
        PlayerKind::Process(spec) => PlayerKind::Process(spec.clone()),
    }
}
