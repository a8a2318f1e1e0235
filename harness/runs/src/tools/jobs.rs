use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tanren_engine::config::Config;
use tanren_engine::game::Game;
use tanren_engine::search::Searchable;
use tanren_engine::shogi::Board;
use toml::Value;

use crate::config::{Build, BuildIdentity, Engines, MatchKeys, MatchSpec, PlayerKind, PlayerSpec, Source};
use crate::fleet::{JobPair, MakeTables, PlayJobs, Readiness, WorkerOptions, digest_of, work};
use crate::interrupt::Interrupt;
use crate::kinds::nodes::spec::NodesKeys;
use crate::kinds::nodes::{self, NodesSpec, SearchWorker};
use crate::ledger::FORMAT;
use crate::openings::{Opening, built_in};
use crate::platform::lock;
use crate::play::{GameTable, LiveSlot, PlayPairs, Unplayed};
use crate::player::{ExaminedFiles, nodes_per_second, signature};
use crate::record::{Finished, TimeScale};
use crate::schedule::PairPlan;
use crate::session::engine_digest::EngineDigest;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::ExternalEngines;
use crate::session::game::with_game;
use crate::session::kind::Keys;
use crate::session::seating::table;

const MEASURED: Duration = Duration::from_millis(300);
/// Where a player would be read from a file.
const OF_FILE: char = '@';

/// A build that failed is tried again, as its commit may have been pushed, after so long, and after so many times as long as it took.
const AGAIN_AFTER: Duration = Duration::from_secs(60);
const AGAIN_AFTER_TIMES: u32 = 10;

/// Builds engines of commits.
pub trait BuildEngines: Send + Sync {
    /// Why nothing of this repository is built here.
    fn refusal(&self, repository: &str) -> Option<String>;

    /// The program of a build that is `wanted`, or why there is none.
    fn build(&self, build: &Build, wanted: &BuildIdentity, interrupt: &Interrupt) -> Result<PathBuf, String>;
}

#[derive(Default)]
pub struct JobTables {
    engines: Mutex<Engines>,
    files: ExaminedFiles,
    builder: Option<Box<dyn BuildEngines>>,
    /// Builds by name and digest that failed, why, and until when that is so.
    failed: Mutex<BTreeMap<(String, String), (String, Instant)>>,
}

impl MakeTables for JobTables {
    fn table(
        &self,
        keys: &str,
        engines: &BTreeMap<String, String>,
        pace: Option<TimeScale>,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn PlayJobs>, String> {
        let unread = |error: toml::de::Error| error.message().to_owned();
        if toml::from_str::<Head>(keys).map_err(unread)?.command == nodes::KIND.name {
            return self.search_table(keys, engines, interrupt);
        }
        let keys = MatchKeys::parse(keys, "the job").map_err(|error| error.to_string())?;
        if [&keys.a, &keys.b]
            .into_iter()
            .flatten()
            .any(|text| is_of_file(text))
            || !keys.player.is_empty()
        {
            return Err("a job names a file of this machine".to_owned());
        }
        if keys.games.rules.syzygy.is_some() {
            return Err("a job names tables of this machine".to_owned());
        }
        let asked = MatchSpec::from_keys(&keys).map_err(|error| error.to_string())?;
        let mut spec = asked.clone();
        for seat in &mut spec.seats {
            seat.limit = pace.map_or(seat.limit, |pace| {
                seat.limit.at_pace(pace.nps, pace.reference_nps)
            });
            self.check_program(&seat.player)?;
        }
        let programs = self.programs(engines)?;
        Ok(with_game!(
            spec.conditions.game,
            seat(&spec, asked, &programs, interrupt)
        ))
    }

    fn readiness(&self, name: &str, digest: &str) -> Readiness {
        let Err(why) = check_engine(&self.files, &self.engines(), name, digest) else {
            return Readiness::Ready;
        };
        let refusal = match (Build::parse(name), &self.builder) {
            (None, _) => Some(why),
            (Some(_), None) => Some("it builds nothing".to_owned()),
            (Some(build), Some(builder)) => {
                let failed = lock(&self.failed);
                let failed = failed.get(&(name.to_owned(), digest.to_owned()));
                let failed = failed.filter(|(_, until)| Instant::now() < *until);
                builder
                    .refusal(&build.repository)
                    .or_else(|| failed.map(|(why, _)| why.clone()))
            }
        };
        refusal.map_or(Readiness::ToBuild, Readiness::Refused)
    }

    fn build(&self, name: &str, digest: &str, interrupt: &Interrupt) {
        let (Some(build), Some(builder)) = (Build::parse(name), &self.builder) else {
            return;
        };
        let begun = Instant::now();
        let built = || {
            let wanted: BuildIdentity = digest
                .parse()
                .ok()
                .filter(|wanted: &BuildIdentity| wanted.commit == build.commit)
                .ok_or("it does not understand what is to be built")?;
            let program = builder.build(&build, &wanted, interrupt)?;
            self.engines().add_build(&build, &program, wanted)
        };
        if let Err(why) = built() {
            let key = (name.to_owned(), digest.to_owned());
            let pause = AGAIN_AFTER.max(begun.elapsed() * AGAIN_AFTER_TIMES);
            lock(&self.failed).insert(key, (why, Instant::now() + pause));
        }
    }

    /// Of the standard configuration, in both games; and how machines talk, so that those that do not understand each other share no
    /// jobs.
    fn engine(&self) -> String {
        let played = [Game::Shogi, Game::Chess].map(|game| with_game!(game, played(&Config::base(game))));
        digest_of(&format!("{}{FORMAT}", played.concat()))
    }

    fn nps(&self) -> u64 {
        let openings = built_in::<Board>().openings;
        let positions: Vec<Board> = openings.iter().take(1_000).map(Opening::position).collect();
        nodes_per_second(&Config::default(), positions.iter(), MEASURED)
    }
}

impl JobTables {
    fn engines(&self) -> MutexGuard<'_, Engines> {
        lock(&self.engines)
    }

    /// Engines of these names and digests, which are to stay the same while they play.
    fn programs(&self, digests: &BTreeMap<String, String>) -> Result<ExternalEngines, String> {
        let (engines, files) = (self.engines().clone(), self.files.snapshot());
        for (name, digest) in digests {
            check_engine(&files, &engines, name, digest)?;
        }
        Ok(ExternalEngines::of_engines(engines, files))
    }

    fn check_program(&self, player: &PlayerSpec) -> Result<(), String> {
        let Some(program) = player.process() else {
            return Ok(());
        };
        if !program.is_name_only() {
            return Err("a job names a program of this machine".to_owned());
        }
        let program = self.engines().resolve(program);
        program.map(drop).map_err(|error| error.to_string())
    }

    fn search_table(
        &self,
        keys: &str,
        engines: &BTreeMap<String, String>,
        interrupt: &Interrupt,
    ) -> Result<Box<dyn PlayJobs>, String> {
        let unread = |error: ExperimentError| error.to_string();
        let source = Source::parse(keys, "the job").map_err(|error| error.to_string())?;
        let config = source.table.get("config").and_then(Value::as_array);
        let is_of_file = |text: &Value| text.as_str().is_none_or(is_of_file);
        if source.table.contains_key("positions") || config.is_none_or(|config| config.iter().any(is_of_file))
        {
            return Err("a job names a file of this machine".to_owned());
        }
        let spec = NodesKeys::read(&source, &[]).map_err(unread)?;
        for player in &spec.players {
            self.check_program(player)?;
        }
        with_game!(spec.game, searches(&spec, self.programs(engines)?, interrupt))
    }
}

/// Is the engine of this name that of `digest`, or why not?
fn check_engine(files: &ExaminedFiles, engines: &Engines, name: &str, digest: &str) -> Result<(), String> {
    let wanted = EngineDigest::parse(digest);
    let own = EngineDigest::of_name(files, engines, name).filter(|own| own.has_files_of(&wanted));
    let own = own.ok_or_else(|| {
        format!("its engines file has no '{name}' that is the same file as the coordinator's")
    })?;
    let keys = own.other_keys(&wanted);
    if keys.is_empty() {
        return Ok(());
    }
    Err(format!(
        "its engines file and the coordinator's have another {} for '{name}': write the same in both",
        keys.join(", ")
    ))
}

fn is_of_file(text: &str) -> bool {
    text.trim_start().starts_with(OF_FILE)
}

#[derive(Deserialize)]
struct Head {
    command: String,
}

pub fn serve_fleet(
    options: WorkerOptions,
    builder: impl BuildEngines + 'static,
    tell: impl Fn(&str) + Clone + Send + Sync + 'static,
) -> Result<()> {
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let engines = options.file.engines.as_deref().map(Engines::open).transpose()?;
    let tables: Arc<dyn MakeTables> = Arc::new(JobTables {
        engines: Mutex::new(engines.unwrap_or_default()),
        builder: Some(Box::new(builder)),
        ..JobTables::default()
    });
    Ok(work(options, tables, &process, tell)?)
}

fn played<P: Searchable>(config: &Config) -> String {
    signature([config], built_in::<P>().openings.iter().map(Opening::position))
}

fn seat<P: Searchable>(
    spec: &MatchSpec,
    asked: MatchSpec,
    programs: &ExternalEngines,
    interrupt: &Interrupt,
) -> Box<dyn PlayJobs> {
    let table = table::<P>(spec, programs, interrupt);
    Box::new(PairJobs { asked, table })
}

struct PairJobs<P: Searchable> {
    /// As the keys have it, whatever the pace.
    asked: MatchSpec,
    table: GameTable<P>,
}

fn without_values(spec: &MatchSpec) -> MatchSpec {
    let mut spec = spec.clone();
    for seat in &mut spec.seats {
        if let PlayerKind::Process(process) = &mut seat.player.kind {
            process.options.iter_mut().for_each(|(_, value)| value.clear());
        }
    }
    spec
}

impl<P: Searchable> PlayJobs for PairJobs<P> {
    fn play(&mut self, pair: &JobPair) -> Result<Finished, Unplayed> {
        let opening = Opening::<P>::parse(pair.line, &pair.opening).map_err(|_| Unplayed::Interrupted)?;
        let plan = PairPlan {
            pair: pair.pair,
            players: pair.players,
            opening: 0,
            seeds: pair.seeds,
        };
        let played = self.table.play_pair(&plan, &opening, &mut Vec::new());
        played.map(Finished::Pair)
    }

    fn show_in(&mut self, seat: LiveSlot) {
        self.table.show_in(seat);
    }

    fn set_options(&mut self, keys: &str) -> bool {
        let keys = MatchKeys::parse(keys, "the job");
        let Ok(asked) = keys.and_then(|keys| MatchSpec::from_keys(&keys)) else {
            return false;
        };
        if without_values(&asked) != without_values(&self.asked) || !self.table.set_options_of(&asked.seats) {
            return false;
        }
        self.asked = asked;
        true
    }
}

/// What is no position is nobody's fault here: the job goes back, and the coordinator plays it itself or fails.
fn position<P: Searchable>(pair: &JobPair) -> Result<P, Unplayed> {
    P::parse(&pair.opening).map_err(|_| Unplayed::Interrupted)
}

fn searches<P: Searchable>(
    spec: &NodesSpec,
    programs: ExternalEngines,
    interrupt: &Interrupt,
) -> Result<Box<dyn PlayJobs>, String> {
    let worker =
        SearchWorker::<P>::new(spec, Arc::new(programs), interrupt).map_err(|error| error.to_string())?;
    Ok(Box::new(SearchJobs { worker }))
}

struct SearchJobs<P: Searchable> {
    worker: SearchWorker<P>,
}

impl<P: Searchable> PlayJobs for SearchJobs<P> {
    fn play(&mut self, pair: &JobPair) -> Result<Finished, Unplayed> {
        let position = position::<P>(pair)?;
        self.worker.search(pair.pair, 0, &position).map(Finished::Search)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The tables of a machine with an engines file of these lines, and the digest of its engine `x`.
    fn machine(folder: &Path, lines: &str) -> (JobTables, String) {
        let path = folder.join("engines.toml");
        fs::write(&path, format!("[x]\ncommand = \"./program\"\n{lines}")).unwrap();
        let tables = JobTables {
            engines: Mutex::new(Engines::open(&path).unwrap()),
            ..JobTables::default()
        };
        let digest = EngineDigest::of_name(&ExaminedFiles::default(), &tables.engines(), "x");
        (tables, digest.unwrap().to_string())
    }

    #[test]
    #[cfg_attr(windows, ignore = "a program without .exe")]
    fn an_engine_that_is_replaced_is_no_longer_that_of_the_jobs() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::write(&program, "one").unwrap();
        let (tables, digest) = machine(folder.path(), "");
        let engines = BTreeMap::from([("x".to_owned(), digest.clone())]);
        assert_eq!(tables.readiness("x", &digest), Readiness::Ready);
        assert!(tables.programs(&engines).is_ok());
        fs::write(&program, "another").unwrap();
        assert!(tables.programs(&engines).is_err());
        assert!(matches!(tables.readiness("x", &digest), Readiness::Refused(_)));
        fs::write(&program, "one").unwrap();
        assert_eq!(tables.readiness("x", &digest), Readiness::Ready);
    }

    #[test]
    #[cfg_attr(windows, ignore = "a program without .exe")]
    fn an_engine_that_is_set_up_otherwise_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("program"), "one").unwrap();
        let (_, digest) = machine(folder.path(), "[x.options]\nThreads = 1\n");
        let (tables, _) = machine(folder.path(), "[x.options]\nThreads = 4\n");
        let readiness = tables.readiness("x", &digest);
        assert!(
            matches!(&readiness, Readiness::Refused(why) if why.contains("options.threads")),
            "{readiness:?}"
        );
    }
}
