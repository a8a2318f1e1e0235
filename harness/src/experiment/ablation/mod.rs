//! An ablation from its specification to its outcome: for each row a match against the base and a comparison of nodes.
//!
//! In: an [`AblationSpec`]. Out: a folder with a match and searches for each row, an [`Outcome`]. What a row says is
//! decided by `study::ablate`.

mod acted;
mod budget;
mod rows;
pub(super) mod spec;

use std::path::{Path, PathBuf};
use std::time::Instant;

use tanren_engine::config::Config;
use tanren_engine::search::Searchable;

use super::ExperimentError;
use super::capacity::Demand;
use super::findings::{AblationFindings, Found};
use super::folder;
use super::game::with_game;
use super::r#match::{Place, describe, identify};
use super::mending::tell_mended;
use super::news::{Audience, Begins, News};
use super::options::RunOptions;
use super::outcome::{Ending, Findings, Outcome, Progress, Unit};
use super::programs::{Programs, tell_suspensions};
use super::searching::search_text;
use super::suite::{load_openings, load_positions};
use super::workers::Workers;
use crate::config::{PlayerKind, PlayerSpec, Seat, Timeouts};
use crate::interrupt::Interrupt;
use crate::ledger::{About, Ledger, RunKind, StudyPosition};
use crate::openings::{Opening, OpeningSuite};
use crate::player::ExaminedFiles;
use crate::record::Search;
use crate::runner;
use crate::standing::Standing;
use crate::study::ablate::{AblationRow, Variant, Worth, compare_nodes, judge};
use crate::study::nodes::{NodesStudy, SearchConditions, SearchesElsewhere, SummaryRow, without_early_stops};

pub use rows::rows;
pub use spec::{AblationSpec, NodesComparison};

/// What the rows share.
struct Study<'a, P> {
    spec: &'a AblationSpec,
    suite: OpeningSuite<P>,
    positions: OpeningSuite<P>,
    workers: Workers,
    process: Interrupt,
    programs: Programs,
    folder: PathBuf,
}

/// Plays `spec`, or what is left of it, in the folder of `options` or the default one.
pub(super) fn ablate(
    spec: &AblationSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    with_game!(spec.games.conditions.game, play(spec, options, audience))
}

fn play<P: Searchable>(
    spec: &AblationSpec,
    options: &RunOptions,
    audience: &mut dyn Audience,
) -> Result<Outcome, ExperimentError> {
    let suite = load_openings::<P>(&spec.games.conditions, audience)?;
    spec.games.conditions.pairs_max(suite.openings.len())?;
    let positions = load_positions(spec.comparison.positions.as_ref())?;
    let games = &spec.games;
    let process = options.interrupt()?;
    // It has none, but may have endgame tables.
    let seats = std::iter::empty::<(&str, &Seat)>();
    let programs = Programs::examine(&games.conditions, seats, options.outside()?, &process)?;
    let demand = Demand::of(&games.conditions, &games.seats, &programs);
    let workers = options.workers(&demand)?;
    let mut identity = spec.identity(&suite.sha256);
    programs.identify(&mut identity);
    let name = || format!("ablate-{}", spec.base().label);
    let folder = options.folder(|| {
        folder::of_study(
            &spec.games.conditions.name.clone().unwrap_or_else(name),
            &identity,
        )
    });
    let about = About {
        kind: RunKind::Ablation,
        identity,
        spec_toml: spec.text(&folder),
        labels: vec![spec.base().label.clone()],
    };
    let mut ledger = Ledger::open_or_create(&folder, &about)?;
    tell_mended(&ledger, audience)?;
    let study = Study {
        spec,
        suite,
        positions,
        workers,
        process,
        programs,
        folder,
    };
    audience.hear(News::Begins(Begins::Ablation {
        label: &spec.base().label,
        rows: spec.rows.len(),
        pairs: spec.length.pairs,
        limit: spec.games.seats[0].limit,
        skipped: &spec.skipped,
        folder: &study.folder,
    }))?;
    let findings = study.run(&mut ledger, audience)?;
    tell_suspensions(study.workers.executor(), audience)?;
    let is_finished = |row: &&AblationRow| row.worth != Worth::Interrupted;
    let progress = Progress {
        done: findings.rows.iter().filter(is_finished).count() as u64,
        of: spec.rows.len() as u64,
        unit: Unit::Rows,
    };
    let ending = match Ending::of_progress(study.process.signal(), progress) {
        Ending::Complete => Ending::of_validity(findings.invalid()),
        ending => ending,
    };
    Ok(Outcome {
        ending,
        folder: study.folder,
        findings: Findings::Ablation(findings),
    })
}

impl<P: Searchable> Study<'_, P> {
    /// Plays and searches row by row; the files are written after each.
    fn run(
        &self,
        ledger: &mut Ledger,
        audience: &mut dyn Audience,
    ) -> Result<AblationFindings, ExperimentError> {
        let began = Instant::now();
        let of = self.spec.rows.len();
        let (mut findings, mut pairs_played) = (AblationFindings::of(self.spec), 0);
        let kept = acted::kept(ledger)?;
        let base_searches = self.searches("base", self.spec.config()?)?;
        for (number, variant) in (1..).zip(&self.spec.rows) {
            audience.hear(News::Begins(Begins::Row {
                number: [number, of],
                assignment: &variant.assignment(),
            }))?;
            let searches = self.searches(&folder_name(variant), &variant.config)?;
            // A comparison of half of the searches is no row.
            if self.process.is_requested() {
                break;
            }
            let nodes = comparison(self.spec, &base_searches, &searches);
            let (mut row, pairs) = self.row(variant, nodes, audience)?;
            pairs_played += pairs;
            row.acted = acted::of(&kept, variant);
            if row.acted.is_none() && !self.process.is_requested() {
                row.acted = acted::count::<P>(self.spec, variant, &match_folder(&self.folder, variant))?;
                if let Some(counted) = row.acted {
                    acted::keep(ledger, variant, counted)?;
                }
            }
            findings.rows.push(row);
            judge(&mut findings.rows, of - number);
            audience.hear(News::Found {
                folder: &self.folder,
                ledger: Some(&*ledger),
                found: Found::Ablation(&findings),
            })?;
            let Some(row) = findings.rows.last() else { break };
            let pairs_left = self.spec.length.pairs * (of - number) as u64;
            let is_known = pairs_played > 0 && number < of;
            let left_s =
                is_known.then(|| began.elapsed().as_secs_f64() / pairs_played as f64 * pairs_left as f64);
            audience.hear(News::Row {
                number: [number, of],
                row,
                left_s,
            })?;
        }
        if let Some(budget) = self.spec.length.budget
            && findings.rows.len() == of
        {
            self.spend(budget, &mut findings, ledger, audience)?;
        }
        Ok(findings)
    }

    /// One row, and how many of its pairs were played now.
    fn row(
        &self,
        variant: &Variant,
        nodes: Option<SummaryRow>,
        audience: &mut dyn Audience,
    ) -> Result<(AblationRow, u64), ExperimentError> {
        let length = self.spec.length;
        let stored = stored(self.spec, &match_folder(&self.folder, variant))?;
        let before = stored.as_ref().map_or(0, |standing| standing.tally().pairs());
        let planned = stored.map_or(0, |standing| standing.progress().rule().pairs_max);
        let mut pairs = length.first_stage(planned);
        loop {
            let standing = self.play_to(variant, pairs, audience)?;
            let next = length.next_stage(&standing, self.spec.rows.len());
            if let Some(next) = next
                && !self.process.is_requested()
            {
                pairs = next;
                continue;
            }
            let played = standing.tally().pairs() - before;
            let mut row = AblationRow::new(variant.clone(), &standing, nodes, &length);
            if next.is_some() {
                row.worth = Worth::Interrupted;
            }
            return Ok((row, played));
        }
    }

    /// Plays the match of a row up to so many pairs.
    fn play_to(
        &self,
        variant: &Variant,
        pairs: u64,
        audience: &mut dyn Audience,
    ) -> Result<Standing, ExperimentError> {
        let folder = match_folder(&self.folder, variant);
        let games = self.spec.match_of(variant, pairs);
        let mut identity = identify(&games, &self.suite, pairs);
        self.programs.identify(&mut identity);
        let about = describe(&games, identity, &folder);
        let place = Place {
            suite: &self.suite,
            executor: self.workers.executor(),
            process: &self.process,
            folder: &folder,
            programs: &self.programs,
        };
        let (found, _) = place.play(&games, &about, pairs, audience)?;
        Ok(found.standing)
    }

    /// The searches of one configuration, made now or found in its ledger.
    fn searches(&self, name: &str, config: &Config) -> Result<Vec<Search>, ExperimentError> {
        let comparison = &self.spec.comparison;
        if comparison.depth == 0 {
            return Ok(Vec::new());
        }
        let players = [PlayerKind::Builtin(Box::new(without_early_stops(config)))];
        let openings = self.positions.openings.iter();
        let positions: Vec<P> = openings.map(Opening::position).collect();
        let lines = self.positions.openings.iter().map(|opening| opening.line);
        let lines: Vec<u32> = lines.collect();
        let conditions = SearchConditions {
            depth: comparison.depth,
            nodes_max: Some(comparison.nodes_max),
            hash_mib: self.spec.games.conditions.hash_mib,
            timeouts: Timeouts::default(),
            log_folder: None,
            files: ExaminedFiles::default(),
        };
        let player = PlayerSpec::of_config(P::GAME, name.to_owned(), config.clone());
        let canonical = player.canonical();
        let study = NodesStudy {
            players: &players,
            positions: &positions,
            lines: &lines,
            elsewhere: SearchesElsewhere {
                tables: vec![search_text(P::GAME, &player, &conditions)],
                ..SearchesElsewhere::default()
            },
            conditions,
        };
        let about = About {
            kind: RunKind::Nodes,
            identity: study.identity(std::slice::from_ref(&canonical), &self.positions.sha256),
            spec_toml: String::new(),
            labels: vec![canonical],
        };
        let openings = self.positions.openings.iter();
        let of_study = openings.map(|opening| StudyPosition {
            line: opening.line,
            text: opening.position().to_string(),
        });
        let folder = searches_folder(&self.folder, name);
        let mut ledger = Ledger::open_or_create_study(&folder, &about, &of_study.collect::<Vec<_>>())?;
        let interrupt = self.process.for_run();
        Ok(study.run(self.workers.executor(), &mut ledger, &interrupt, |_| {})?)
    }
}

/// What the matches and searches in `folder` come to, row by row up to the first that was not begun.
pub(super) fn recount(spec: &AblationSpec, folder: &Path) -> Result<AblationFindings, ExperimentError> {
    let mut findings = AblationFindings::of(spec);
    let kept = match Ledger::exists(folder) {
        true => acted::kept(&Ledger::open_existing(folder)?)?,
        false => acted::Kept::default(),
    };
    let base_searches = stored_searches(spec, folder, "base")?;
    for variant in &spec.rows {
        let Some(standing) = stored(spec, &match_folder(folder, variant))? else {
            break;
        };
        let searches = stored_searches(spec, folder, &folder_name(variant))?;
        let nodes = comparison(spec, &base_searches, &searches);
        let mut row = AblationRow::new(variant.clone(), &standing, nodes, &spec.length);
        // A row that has its first pairs is judged by what it has, though more may be played.
        if standing.tally().pairs() < spec.length.pairs && spec.length.next_stage(&standing, 1).is_some() {
            row.worth = Worth::Interrupted;
        }
        row.acted = acted::of(&kept, variant);
        findings.rows.push(row);
    }
    let to_come = spec.rows.len() - findings.rows.len();
    judge(&mut findings.rows, to_come);
    Ok(findings)
}

fn comparison(spec: &AblationSpec, base: &[Search], changed: &[Search]) -> Option<SummaryRow> {
    let depth = spec.comparison.depth;
    (depth > 0).then(|| compare_nodes(base, changed, depth)).flatten()
}

/// How the match in `folder` stands; nothing if there is none.
fn stored(spec: &AblationSpec, folder: &Path) -> Result<Option<Standing>, ExperimentError> {
    if !Ledger::exists(folder) {
        return Ok(None);
    }
    let ledger = Ledger::open_existing(folder)?;
    let pairs_max = ledger.about()?.identity.pairs().unwrap_or(0);
    let mut standing = Standing::new(spec.games.conditions.stop_rule_without_test(pairs_max));
    runner::recount(&ledger, &mut standing)?;
    Ok(Some(standing))
}

fn stored_searches(spec: &AblationSpec, folder: &Path, name: &str) -> Result<Vec<Search>, ExperimentError> {
    let folder = searches_folder(folder, name);
    if spec.comparison.depth == 0 || !Ledger::exists(&folder) {
        return Ok(Vec::new());
    }
    Ok(Ledger::open_existing(&folder)?.searches()?)
}

fn folder_name(variant: &Variant) -> String {
    folder::plain_name(&variant.assignment())
}

fn match_folder(folder: &Path, variant: &Variant) -> PathBuf {
    folder.join("matches").join(folder_name(variant))
}

fn searches_folder(folder: &Path, name: &str) -> PathBuf {
    folder.join("nodes").join(name)
}
