//! `tanren test`: two commits of an engine, built and played against each other. The run is a match like any other.

mod bench;
mod build;
mod git;
mod init;
mod openbench;
mod recipe;
mod series;
#[cfg(feature = "cluster")]
mod trusted;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use serde_json::json;
use tanren_core::match_state::Verdict;
use tanren_core::record::TimeScale;
use toml::Table;

pub(super) use self::build::default_cache;
use self::build::{Builder, Built};
use self::git::{Commit, Repository};
use self::recipe::Recipe;
#[cfg(feature = "cluster")]
pub(super) use self::trusted::TrustedRepositories;
use super::Command;
use super::detect::{local, protocol_of};
use super::kinds::KindArgs;
use super::shared::{CliError, PgnArgs, ShardArgs, print};
use crate::config::{Build, EngineProtocol, Engines, LIMITS, MatchKeys, ProcessSpec};
use crate::interrupt::Interrupt;
use crate::kinds::match_::MatchFindings;
use crate::report::{note, test_block};
use crate::session::error::ExperimentError;
use crate::session::outcome::Outcome;

/// Build two commits of an engine and play them against each other.
///
/// BASE..BRANCH, or BRANCH against where it left the default branch (HEAD if absent), or OLD NEW, which may be programs. Each commit is built
/// by the recipe of the repository (tanren.toml, or an engine of OpenBench) and kept in a cache. Then bench is compared, and a match of the
/// preset is played. `tanren test init` writes the recipe.
///
/// The same command on the same folder resumes where it stopped.
#[derive(Args)]
pub(super) struct TestArgs {
    /// BASE..BRANCH, BRANCH, or OLD NEW: commits or programs; or init.
    #[arg(value_name = "WHAT")]
    what: Vec<String>,
    /// Play each commit against the first, and show Elo over versions.
    #[arg(long, help_heading = "Test")]
    series: bool,
    /// stc, ltc, smp, nonreg, fixed, or one of the recipe (stc).
    #[arg(long, value_name = "NAME", help_heading = "Test")]
    preset: Option<String>,
    /// How the engine is built: tanren.toml, or Engines/NAME.json of OpenBench (tanren.toml of the repository).
    #[arg(long, value_name = "FILE", help_heading = "Test")]
    recipe: Option<PathBuf>,
    /// Where the 50 builds of each repository that were used last are kept (tanren/builds in the user's folder for caches).
    #[arg(long, value_name = "DIR", help_heading = "Test")]
    cache: Option<PathBuf>,
    /// Scale time controls to the speed of this machine by bench and nps of the recipe, or not (off).
    #[arg(long, value_name = "HOW", value_parser = ["nps", "off"], default_value = "nps", help_heading = "Test")]
    scale: String,
    /// Build, compare bench, and play nothing.
    #[arg(long, help_heading = "Test")]
    dry_run: bool,
    #[command(flatten)]
    of: MatchArgs,
}

type MatchArgs = KindArgs<MatchKeys, ShardArgs, PgnArgs>;

/// What is played, before it is built.
enum Side {
    Program(PathBuf),
    Commit(Commit),
}

/// Where workers of a fleet find the commits.
fn address(recipe: &Recipe, repository: Option<&Repository>) -> Result<String, CliError> {
    match (&recipe.repository, repository) {
        (Some(address), _) => Ok(address.clone()),
        (None, Some(repository)) => repository.address(),
        (None, None) => Ok(String::new()),
    }
}

impl TestArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let keys = &self.of.keys;
        if keys.a.is_some() || keys.b.is_some() {
            return Err(CliError::input(
                "--a and --b are what is tested: leave them out, or use tanren match",
            ));
        }
        let repository = Repository::here()?;
        if self.what == ["init"] {
            return init::init(
                repository
                    .as_ref()
                    .map_or(Path::new("."), |repository| &repository.root),
            );
        }
        let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
        let recipe = self.recipe(repository.as_ref())?;
        let sides = self.sides(repository.as_ref(), &recipe)?;
        refuse_twins(&sides)?;
        let mut preset = recipe.preset(self.preset.as_deref())?;
        recipe
            .warnings
            .iter()
            .for_each(|warning| note(&format!("warning: {warning}")));
        let cache = self.cache.clone().map_or_else(default_cache, Ok)?;
        let builder = Builder {
            cache: &cache,
            recipe: &recipe,
            interrupt: &interrupt,
            needs_speed: recipe.nps.is_some() && self.scales(),
            begun: SystemTime::now(),
        };
        self.check_match(&self.filled(preset.clone(), &[], &[])?)?;
        let mut built = self.built(&builder, repository.as_ref(), &sides)?;
        name_apart(&mut built);
        self.tell(&built);
        let options = recipe::options(&mut preset);
        let address = address(&recipe, repository.as_ref())?;
        let mut engines = Engines::default();
        let players = built
            .iter()
            .map(|one| player(one, &recipe, &address, &options, &mut engines));
        let players = players.collect::<Result<Vec<String>, CliError>>()?;
        let of = self.filled(preset, &built, &players)?;
        let is_timed =
            of.keys.limit.tc.is_some() || of.keys.limit.byoyomi.is_some() || of.keys.limit.movetime.is_some();
        let reference_nps = recipe.nps.filter(|_| is_timed && self.scales());
        let pace = reference_nps.and_then(|reference_nps| pace(&built, reference_nps));
        if self.series {
            let of = series::gauntlet(of, &built, players);
            return match self.dry_run {
                true => of.check_files(engines).and_then(|()| self.print_builds(&built)),
                false => of.run_judged(pace, engines, |_| Ok(())),
            };
        }
        if self.dry_run {
            of.check_files(engines)?;
            return self.print_builds(&built);
        }
        let bench = built
            .last()
            .and_then(|built| built.bench)
            .map(|bench| bench.nodes);
        let conditions = conditions(&of.keys, &options);
        let is_shown = of.output.is_text();
        of.run_judged(pace, engines, |outcome| {
            if is_shown {
                print(&format!("\n{}", test_block(outcome, &conditions, bench)))?;
            }
            judge(outcome)
        })
    }

    fn scales(&self) -> bool {
        #[cfg(feature = "cluster")]
        if self.of.work.play.keys.is_same_time_for_all() {
            return false;
        }
        self.scale != "off"
    }

    fn recipe(&self, repository: Option<&Repository>) -> Result<Recipe, CliError> {
        if let Some(path) = &self.recipe {
            return Recipe::open(path);
        }
        let path = repository.map(|repository| repository.root.join(recipe::FILE));
        match path.filter(|path| path.is_file()) {
            Some(path) => Recipe::open(&path),
            None => Ok(Recipe::none()),
        }
    }

    /// What is played, the base first.
    fn sides(&self, repository: Option<&Repository>, recipe: &Recipe) -> Result<Vec<Side>, CliError> {
        let side = |name: &str| {
            if Path::new(name).is_file() {
                return Ok(Side::Program(name.into()));
            }
            let repository = repository.ok_or_else(|| match name {
                "HEAD" => no_repository(),
                _ => CliError::input(format!(
                    "there is no file '{name}', and this is no repository of git: run tanren test where the engine is, or give it two programs"
                )),
            })?;
            if recipe.build.is_empty() {
                return Err(CliError::input(format!(
                    "'{}' has no {}: tanren test init writes one from its Makefile, Cargo.toml or CMakeLists.txt",
                    repository.root.display(),
                    recipe::FILE
                )));
            }
            repository.commit(name).map(Side::Commit)
        };
        let names: Vec<&str> = self.what.iter().map(String::as_str).collect();
        if self.series {
            if names.len() < 2 {
                return Err(CliError::input(
                    "--series needs two commits at least, as in --series v1.0 v1.1 HEAD",
                ));
            }
            return names.into_iter().map(side).collect();
        }
        let one = match names[..] {
            [] => "HEAD",
            [one] => one,
            [old, new] => return Ok(vec![side(old)?, side(new)?]),
            _ => {
                let message = "test takes BASE..BRANCH, BRANCH, or OLD NEW; --series takes more";
                return Err(CliError::input(message));
            }
        };
        if let Some((base, branch)) = range(one, "...") {
            let (base, branch) = (side(or_head(base))?, side(or_head(branch))?);
            if let (Side::Commit(base), Side::Commit(branch), Some(repository)) = (&base, &branch, repository)
            {
                let base = repository.merge_base(base, branch)?;
                return Ok(vec![Side::Commit(base), Side::Commit(branch.clone())]);
            }
            return Ok(vec![base, branch]);
        }
        if let Some((base, branch)) = range(one, "..") {
            return Ok(vec![side(or_head(base))?, side(or_head(branch))?]);
        }
        match (side(one)?, repository) {
            (Side::Commit(branch), Some(repository)) => {
                let base = repository.base_of(&branch, recipe.base.as_deref())?;
                Ok(vec![Side::Commit(base), Side::Commit(branch)])
            }
            _ => Err(CliError::input(format!(
                "'{one}' is a program: name the one that it is tested against, as in ./old ./new"
            ))),
        }
    }

    fn built(
        &self,
        builder: &Builder<'_>,
        repository: Option<&Repository>,
        sides: &[Side],
    ) -> Result<Vec<Built>, CliError> {
        let built = sides.iter().map(|side| match (side, repository) {
            (Side::Commit(commit), Some(repository)) => self.commit(builder, repository, commit),
            (Side::Program(path), _) => builder.program(path),
            (Side::Commit(_), None) => Err(no_repository()),
        });
        built.collect()
    }

    fn commit(
        &self,
        builder: &Builder<'_>,
        repository: &Repository,
        commit: &Commit,
    ) -> Result<Built, CliError> {
        if repository.has_changes_over(commit)? {
            note(&format!(
                "warning: changes that are not committed are not tested: {} is {}",
                commit.name,
                commit.short()
            ));
        }
        let own = self.own_recipe(repository, commit)?;
        let recipe = own.as_ref().unwrap_or(builder.recipe);
        let built = Builder { recipe, ..*builder }.commit(repository, commit)?;
        if let (Some(bench), Some(promised)) = (built.bench, repository.promised(commit)?)
            && bench.nodes != promised
        {
            note(&format!(
                "warning: the commit message of {} says bench {promised}, but the build has bench {}",
                built.label, bench.nodes
            ));
        }
        Ok(built)
    }

    /// That of the commit on a fleet: its workers build by no other.
    fn own_recipe(&self, repository: &Repository, commit: &Commit) -> Result<Option<Recipe>, CliError> {
        #[cfg(feature = "cluster")]
        if self.of.work.play.keys.is_on_fleet() {
            let missing = || {
                CliError::input(format!(
                    "{} has no {}, and workers of a fleet build by no other recipe than that of the commit: commit one",
                    commit.label(),
                    recipe::FILE
                ))
            };
            return Recipe::at(repository, commit)?.ok_or_else(missing).map(Some);
        }
        #[cfg(not(feature = "cluster"))]
        let _ = (repository, commit);
        Ok(None)
    }

    /// What was built, and whether it searches alike.
    fn tell(&self, built: &[Built]) {
        for one in built {
            let bench = one
                .bench
                .map(|bench| format!(", bench {}", bench.nodes))
                .unwrap_or_default();
            let speed = one
                .bench
                .and_then(|bench| bench.nps)
                .map(|nps| format!(" at {nps} nps"));
            note(&format!(
                "{}: {}{bench}{}",
                one.label,
                one.how,
                speed.unwrap_or_default()
            ));
        }
        if let [base, branch] = built
            && let (Some(old), Some(new)) = (base.bench, branch.bench)
            && old.nodes == new.nodes
        {
            let advice = match self.preset.as_deref() {
                Some("nonreg") => "",
                _ => "; --preset nonreg tests that it loses nothing",
            };
            note(&format!(
                "bench is the same in both: the change does not affect the bench search{advice}"
            ));
        }
    }

    /// The same as JSON, if that is asked for.
    fn print_builds(&self, built: &[Built]) -> Result<(), CliError> {
        if !self.of.output.printing().is_json {
            return Ok(());
        }
        let players = built.iter().map(|one| {
            json!({
                "label": one.label,
                "commit": one.identity.as_ref().map(|identity| &identity.commit),
                "bench": one.bench.map(|bench| bench.nodes),
                "nps": one.bench.and_then(|bench| bench.nps),
            })
        });
        let benches: Option<Vec<u64>> = built.iter().map(|one| Some(one.bench?.nodes)).collect();
        let same_bench = benches.map(|nodes| nodes.iter().all(|other| *other == nodes[0]));
        print(&json!({ "players": players.collect::<Vec<_>>(), "same_bench": same_bench }).to_string())
    }

    /// What would be refused after the builds.
    fn check_match(&self, of: &MatchArgs) -> Result<(), CliError> {
        if self.series {
            series::check(&of.keys)?;
        }
        check_openings(of)
    }

    /// The options of the match: the user's own, and where these say nothing, the preset's.
    fn filled(&self, mut preset: Table, built: &[Built], players: &[String]) -> Result<MatchArgs, CliError> {
        let limit = &self.of.keys.limit;
        if !limit.is_empty() {
            preset.retain(|key, _| !LIMITS.contains(&key));
        }
        if !limit.is_empty() && limit.tc.is_none() && limit.byoyomi.is_none() {
            preset.remove("time_margin");
        }
        if self.series {
            preset.remove("sprt");
            preset.insert("pairs".to_owned(), series::PAIRS.into());
        }
        let keys = preset
            .iter()
            .map(|(key, value)| (key.as_str(), recipe::text(value)));
        let mut keys: Vec<(&str, String)> = keys.collect();
        if let ([base, .., branch], [old, .., new]) = (built, players) {
            keys.extend([("a", new.clone()), ("b", old.clone())]);
            keys.extend([("label_a", branch.label.clone()), ("label_b", base.label.clone())]);
        }
        let words = std::env::args().skip_while(|word| word != "test");
        let own: Vec<String> = words.skip(1).collect();
        match Command::filled("test", &keys, &own)? {
            Command::Test(filled) => Ok(filled.of),
            _ => Err(CliError::input("the command is not tanren test")),
        }
    }
}

/// A book that is not there is told before anything is built.
fn check_openings(of: &MatchArgs) -> Result<(), CliError> {
    let book = of.keys.games.openings.openings.as_deref();
    match book.filter(|book| !book.starts_with("random:")) {
        Some(book) => File::open(book)
            .map(drop)
            .map_err(|error| CliError::input(format!("cannot read the openings '{book}': {error}"))),
        None => Ok(()),
    }
}

/// What is before and after `dots`; `None` if `word` is a path, which may have dots as well.
fn range<'a>(word: &'a str, dots: &str) -> Option<(&'a str, &'a str)> {
    let is_path = Path::new(word).is_file() || word.starts_with("../") || word.starts_with("..\\");
    word.split_once(dots).filter(|_| !is_path)
}

fn or_head(name: &str) -> &str {
    if name.is_empty() { "HEAD" } else { name }
}

fn no_repository() -> CliError {
    CliError::input(
        "this is no repository of git: run tanren test where the engine is, or give it two programs",
    )
}

fn refuse_twins(sides: &[Side]) -> Result<(), CliError> {
    let mut seen: Vec<&Commit> = Vec::new();
    for side in sides {
        let Side::Commit(commit) = side else { continue };
        if let Some(other) = seen.iter().find(|other| other.hash == commit.hash) {
            let (one, two, hash) = (&other.name, &commit.name, commit.short());
            return Err(CliError::input(format!(
                "{one} and {two} are the same commit, {hash}: there is nothing to test"
            )));
        }
        seen.push(commit);
    }
    Ok(())
}

/// Programs of one name are called by their paths.
fn name_apart(built: &mut [Built]) {
    let labels: Vec<String> = built.iter().map(|one| one.label.clone()).collect();
    for one in built {
        if labels.iter().filter(|label| **label == one.label).count() > 1 {
            one.label = one.program.display().to_string();
        }
    }
}

/// A commit is a player by its name, which `engines` has then, and a program by its path.
fn player(
    built: &Built,
    recipe: &Recipe,
    address: &str,
    options: &[(String, String)],
    engines: &mut Engines,
) -> Result<String, CliError> {
    let program = built.program.to_string_lossy();
    let protocol = match recipe.protocol.as_deref() {
        Some(protocol) => EngineProtocol::from_name(protocol).unwrap_or(EngineProtocol::Uci),
        None => protocol_of(&program, local(&program), false).map_err(CliError::input)?,
    };
    let command = match &built.identity {
        None => program.into_owned(),
        Some(identity) => {
            let build = Build {
                repository: address.to_owned(),
                commit: identity.commit.clone(),
            };
            engines
                .add_build(&build, &built.program, identity.clone())
                .map_err(CliError::input)?;
            format!("@{build}")
        }
    };
    let mut spec = ProcessSpec::new(protocol, &command).map_err(CliError::input)?;
    spec.options = options.to_vec();
    Ok(spec.text())
}

/// What time is worth on this machine; as OpenBench, by the mean of all programs.
fn pace(built: &[Built], reference_nps: u64) -> Option<TimeScale> {
    let speeds: Vec<f64> = built
        .iter()
        .filter_map(|one| Some(one.bench?.nps? as f64))
        .collect();
    if speeds.is_empty() {
        note("warning: bench says no nodes per second, so time controls are not scaled");
        return None;
    }
    let slowness: f64 = speeds.iter().map(|speed| 1.0 / speed).sum::<f64>() / speeds.len() as f64;
    let pace = TimeScale {
        nps: ((1.0 / slowness).round() as u64).max(1),
        reference_nps,
    };
    note(&format!(
        "time controls are multiplied by {:.2}: bench runs at {} nps here, {reference_nps} on the reference machine",
        pace.scale(),
        pace.nps
    ));
    Some(pace)
}

/// As OpenBench writes them: `10+0.1s Threads=1 Hash=16MB`.
fn conditions(keys: &MatchKeys, options: &[(String, String)]) -> String {
    let limit = &keys.limit;
    let option = |wanted: &str| {
        let own = options.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        own.map(|(_, value)| value.as_str())
    };
    // An engine may have a switch of this name.
    let own_hash = option("hash").or(option("usi_hash"));
    let own_hash = own_hash.and_then(|mib| mib.parse().ok());
    let hash = own_hash.or(keys.games.hash);
    let parts = [
        limit.tc.as_ref().map(|tc| format!("{tc}s")),
        limit.byoyomi.map(|ms| format!("byoyomi={ms}ms")),
        limit.movetime.map(|ms| format!("MT={ms}")),
        limit.depth.map(|depth| format!("D={depth}")),
        limit.nodes.map(|nodes| format!("N={nodes}")),
        Some(format!("Threads={}", option("threads").unwrap_or("1"))),
        hash.map(|mib| format!("Hash={mib}MB")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A script that asks whether a branch may be merged reads the exit code.
fn judge(outcome: &Outcome) -> Result<(), CliError> {
    let found = outcome.findings.of::<MatchFindings>();
    match found.map(|found| found.match_state.verdict()) {
        Some(Verdict::AcceptedH0) => Err(CliError::TestFailed),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_name_the_hash_that_the_engine_is_told() {
        let mut keys = MatchKeys::default();
        keys.games.hash = Some(16);
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        for (options, expected) in [
            (vec![], "Threads=1 Hash=16MB"),
            (
                vec![option("Hash", "2"), option("Threads", "3")],
                "Threads=3 Hash=2MB",
            ),
            (vec![option("usi_hash", "2")], "Threads=1 Hash=2MB"),
            (vec![option("Hash", "true")], "Threads=1 Hash=16MB"),
        ] {
            assert_eq!(conditions(&keys, &options), expected);
        }
    }

    #[test]
    fn a_path_is_no_range() {
        for (word, expected) in [
            ("main..fast", Some(("main", "fast"))),
            ("..fast", Some(("", "fast"))),
            ("../engine", None),
            ("fast", None),
        ] {
            assert_eq!(range(word, ".."), expected, "{word}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old..new");
        std::fs::write(&path, "").unwrap();
        assert_eq!(range(path.to_str().unwrap(), ".."), None);
    }
}
