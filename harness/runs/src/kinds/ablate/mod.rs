//! An ablation from its specification to its outcome: for each row a match against the base and a comparison of nodes.

mod acted;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod spec;
pub mod study;

use std::path::{Path, PathBuf};
use std::time::Instant;

use tanren_engine::config::Config;
use tanren_engine::search::Searchable;

use crate::config::{MoveLimit, PlayerSpec, Timeouts};
use crate::document::Document;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::kinds::ablate::study::{ALPHA, AblationRow, GainOrLoss, Length, Variant, compare_nodes, judge};
use crate::kinds::match_::play_in;
use crate::kinds::nodes::NodesSpec;
use crate::kinds::nodes::SummaryRow;
use crate::kinds::nodes::search_in;
use crate::ledger::Ledger;
use crate::match_state::MatchState;
use crate::openings::OpeningSuite;
use crate::record::Search;
use crate::runner;
use crate::session::error::Result;
use crate::session::folder::{place, plain_name};
use crate::session::found::Found;
use crate::session::game::with_game;
use crate::session::kind::{Holds, KeysInfo, Kind, KindInfo, Workload};
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::openings::load_positions;
use crate::session::options::RunOptions;
use crate::session::outcome::{Outcome, Progress, Unit};
use crate::session::overview::{ExpectedProgress, Overview};
use crate::session::stored::{Run, StoredSeats};
use crate::session::{Needs, Session};
use crate::stats::{Elimination, Question};

pub use spec::{AblateKeys, AblationSpec};

pub static KIND: KindInfo = KindInfo {
    name: "ablate",
    holds: Holds::Parts,
    workload: Workload::Games,
    pauses: false,
    keys: KeysInfo::of::<AblateKeys>(),
};

impl Kind for AblationSpec {
    fn needs(&self) -> Needs<'_> {
        Needs {
            positions: Some(&self.comparison.positions),
            ..Needs::of_match(&self.games)
        }
    }

    fn check_openings(&self, openings: usize) -> Result<()> {
        Ok(self.games.conditions.pairs_max(openings).map(drop)?)
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.games.conditions.game, play(self, options, observer))
    }

    fn recount(&self, run: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let found = recount(self, &run.folder)?;
        let is_over = found.rows.len() == self.rows.len();
        Ok((Box::new(found), is_over))
    }

    fn seats(&self, _: &Path) -> Result<StoredSeats, String> {
        Err("an ablation; its matches are in the folder 'matches'".to_owned())
    }
}

fn play<P: Searchable>(
    spec: &AblationSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Outcome> {
    let conditions = &spec.games.conditions;
    let mut session = Session::<P>::open(spec, options, observer)?;
    let positions = load_positions(&spec.comparison.positions, usize::MAX)?;
    let identity = session.identified(spec.identity(&session.suite.sha256));
    let labels = [spec.base().label.clone()];
    let default = format!("ablate-{}", labels[0]);
    let name = (conditions.name.as_deref(), &*default);
    let mut ledger = session.store(&KIND, identity, &labels, name, |folder| spec.text(folder))?;
    for reason in &spec.skipped {
        session.on_event(RunEvent::Line(format!("left out: {reason}")))?;
    }
    let limit = match spec.games.seats[0].limit {
        MoveLimit::Nodes(nodes) => format!("at {nodes} nodes a move"),
        limit => format!("by {limit}"),
    };
    session.on_event(RunEvent::Line(format!(
        "{} against {} changes of it, {} pairs each {limit}; {}",
        labels[0],
        spec.rows.len(),
        spec.length.pairs,
        place(&session.folder)
    )))?;
    let mut study = Study {
        spec,
        positions,
        session,
    };
    let findings = study.run(&mut ledger)?;
    let mut session = study.session;
    session.end(Unit::Pairs)?;
    let is_finished = |row: &&AblationRow| row.worth != GainOrLoss::Interrupted;
    let done = findings.rows.iter().filter(is_finished).count() as u64;
    let progress = Progress::new(done, spec.rows.len() as u64, Unit::Rows);
    let is_over = progress.done == progress.of;
    Ok(session.outcome(findings, None, is_over, progress))
}

struct Study<'a, P> {
    spec: &'a AblationSpec,
    positions: OpeningSuite<P>,
    session: Session<'a, P>,
}

impl<P: Searchable> Study<'_, P> {
    fn run(&mut self, ledger: &mut Ledger) -> Result<AblationFindings> {
        let began = Instant::now();
        let (spec, of) = (self.spec, self.spec.rows.len());
        let (mut findings, mut pairs_played) = (AblationFindings::of(spec), 0);
        let kept = acted::kept(ledger)?;
        let base_searches = self.searches("base", spec.config()?)?;
        for (number, variant) in (1..).zip(&spec.rows) {
            let assignment = variant.assignment();
            let line = format!("[{number}/{of}] {assignment}");
            self.session.on_event(RunEvent::Part(assignment))?;
            self.session.on_event(RunEvent::Line(line))?;
            let searches = self.searches(&folder_name(variant), &variant.config)?;
            // A comparison of half of the searches is no row.
            if self.is_to_stop() {
                break;
            }
            let nodes = comparison(spec, &base_searches, &searches);
            let (mut row, pairs) = self.row(variant, nodes)?;
            pairs_played += pairs;
            row.acted = acted::of(&kept, variant);
            if row.acted.is_none() && !self.is_to_stop() {
                let folder = match_folder(&self.session.folder, variant);
                row.acted = acted::count::<P>(spec, variant, &folder)?;
                if let Some(counted) = row.acted {
                    acted::keep(ledger, variant, counted)?;
                }
            }
            findings.rows.push(row);
            judge(&mut findings.rows, of - number);
            self.session.tell_found(ledger, &findings)?;
            let Some(row) = findings.rows.last() else { break };
            let pairs_left = spec.length.pairs * (of - number) as u64;
            let is_known = pairs_played > 0 && number < of;
            let left_s =
                is_known.then(|| began.elapsed().as_secs_f64() / pairs_played as f64 * pairs_left as f64);
            let left = left_s.map_or(String::new(), |left_s| {
                format!("; about {:.0} min left", left_s / 60.0)
            });
            let line = format!("[{number}/{of}] {}{left}", report::line(row));
            self.session.on_event(RunEvent::Line(line))?;
        }
        if let Some(budget) = spec.length.budget
            && findings.rows.len() == of
        {
            self.spend(budget, &mut findings, ledger)?;
        }
        Ok(findings)
    }

    fn is_to_stop(&self) -> bool {
        self.session.is_interrupted() || self.session.is_paused()
    }

    fn row(&mut self, variant: &Variant, nodes: Option<SummaryRow>) -> Result<(AblationRow, u64)> {
        let length = self.spec.length;
        let stored = stored(self.spec, &match_folder(&self.session.folder, variant))?;
        let before = stored
            .as_ref()
            .map_or(0, |match_state| match_state.tally().pairs());
        let planned = stored.map_or(0, |match_state| match_state.progress.rule.pairs_max);
        let mut pairs = length.first_stage(planned);
        loop {
            let match_state = self.play_to(variant, pairs)?;
            let next = length.next_stage(&match_state, self.spec.rows.len());
            if let Some(next) = next
                && !self.is_to_stop()
            {
                pairs = next;
                continue;
            }
            let played = match_state.tally().pairs() - before;
            let mut row = AblationRow::new(variant.clone(), &match_state, nodes, &length);
            if next.is_some() {
                row.worth = GainOrLoss::Interrupted;
            }
            return Ok((row, played));
        }
    }

    fn play_to(&mut self, variant: &Variant, pairs: u64) -> Result<MatchState> {
        let games = self.spec.match_of(variant, pairs);
        let mut part = self.session.part(match_folder(Path::new(""), variant), None);
        let until = part.pairs_until_pause(pairs);
        let (found, _) = play_in(&games, [pairs, until], &mut part)?;
        Ok(found.match_state)
    }

    fn searches(&mut self, name: &str, config: &Config) -> Result<Vec<Search>> {
        let comparison = &self.spec.comparison;
        if comparison.depth == 0 {
            return Ok(Vec::new());
        }
        let mut player = PlayerSpec::of_config(P::GAME, name.to_owned(), config.clone());
        player.label = player.canonical();
        let searched = NodesSpec {
            game: P::GAME,
            players: vec![player],
            positions: comparison.positions.clone(),
            positions_max: self.positions.openings.len(),
            depth: comparison.depth,
            nodes_max: Some(comparison.nodes_max),
            hash_mib: self.spec.games.conditions.hash_mib,
            timeouts: Timeouts::default(),
        };
        let folder = searches_folder(Path::new(""), name);
        let mut part = self.session.part(folder, Some(self.positions.clone()));
        let (_, searches) = search_in(&searched, &mut part)?;
        Ok(searches)
    }
}

fn recount(spec: &AblationSpec, folder: &Path) -> Result<AblationFindings> {
    let mut findings = AblationFindings::of(spec);
    let kept = match Ledger::exists(folder) {
        true => acted::kept(&Ledger::open_existing(folder)?)?,
        false => acted::ActedCounts::default(),
    };
    let base_searches = stored_searches(spec, folder, "base")?;
    for variant in &spec.rows {
        let Some(match_state) = stored(spec, &match_folder(folder, variant))? else {
            break;
        };
        let searches = stored_searches(spec, folder, &folder_name(variant))?;
        let nodes = comparison(spec, &base_searches, &searches);
        let mut row = AblationRow::new(variant.clone(), &match_state, nodes, &spec.length);
        // A row that has its first pairs is judged by what it has, though more may be played.
        if match_state.tally().pairs() < spec.length.pairs
            && spec.length.next_stage(&match_state, 1).is_some()
        {
            row.worth = GainOrLoss::Interrupted;
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

fn stored(spec: &AblationSpec, folder: &Path) -> Result<Option<MatchState>> {
    if !Ledger::exists(folder) {
        return Ok(None);
    }
    let ledger = Ledger::open_existing(folder)?;
    let pairs_max = ledger.manifest()?.identity.pairs().unwrap_or(0);
    let mut match_state = MatchState::new(spec.games.conditions.stop_rule_without_test(pairs_max));
    runner::recount(&ledger, &mut match_state)?;
    Ok(Some(match_state))
}

fn stored_searches(spec: &AblationSpec, folder: &Path, name: &str) -> Result<Vec<Search>> {
    let folder = searches_folder(folder, name);
    if spec.comparison.depth == 0 || !Ledger::exists(&folder) {
        return Ok(Vec::new());
    }
    Ok(Ledger::open_existing(&folder)?.searches()?)
}

fn folder_name(variant: &Variant) -> String {
    plain_name(&variant.assignment())
}

fn match_folder(folder: &Path, variant: &Variant) -> PathBuf {
    folder.join("matches").join(folder_name(variant))
}

fn searches_folder(folder: &Path, name: &str) -> PathBuf {
    folder.join("nodes").join(name)
}

#[derive(Debug, Clone)]
pub struct AblationFindings {
    pub rows: Vec<AblationRow>,
    pub planned: usize,
    pub length: Length,
}

impl AblationFindings {
    pub(crate) fn of(spec: &AblationSpec) -> AblationFindings {
        AblationFindings {
            rows: Vec::new(),
            planned: spec.rows.len(),
            length: spec.length,
        }
    }

    pub fn pairs(&self) -> u64 {
        self.rows.iter().map(|row| row.tally.pairs()).sum()
    }
}

impl Found for AblationFindings {
    fn kind(&self) -> Option<&'static str> {
        Some(KIND.name)
    }

    fn document<'a>(&'a self, _: Option<&Gathered>) -> Document<'a> {
        report::document(self)
    }

    fn numbers(&self) -> Overview {
        let is_finished = |row: &&AblationRow| row.worth != GainOrLoss::Interrupted;
        let done = self.rows.iter().filter(is_finished).count() as u64;
        Overview {
            games: Some(2 * self.pairs()),
            faults: Some(self.rows.iter().map(|row| Overview::faults_of(&row.faults)).sum()),
            progress: Some(ExpectedProgress::of(Progress::new(
                done,
                self.planned as u64,
                Unit::Rows,
            ))),
            ..Overview::default()
        }
    }

    fn invalid(&self) -> Option<InvalidRun> {
        let row = self.rows.iter().find(|row| row.worth == GainOrLoss::Invalid)?;
        let labels = ["base".to_owned(), row.variant.assignment()];
        InvalidRun::of_counts(&row.faults, &labels)
    }
}

impl<P: Searchable> Study<'_, P> {
    pub(crate) fn spend(
        &mut self,
        budget: u64,
        findings: &mut AblationFindings,
        ledger: &Ledger,
    ) -> Result<()> {
        let length = self.spec.length;
        let rule = Elimination::new(length.looks(), self.spec.rows.len(), ALPHA);
        while !self.is_to_stop() {
            let questions: Vec<Question> = findings.rows.iter().map(question).collect();
            let left = budget.saturating_sub(findings.pairs());
            let Some((index, target)) = rule.next(&questions, left) else {
                break;
            };
            let variant = &self.spec.rows[index];
            let assignment = variant.assignment();
            let line = format!("{assignment}, up to {target} pairs");
            self.session.on_event(RunEvent::Part(assignment))?;
            self.session.on_event(RunEvent::Line(line))?;
            let before = findings.rows[index].clone();
            let match_state = self.play_to(variant, target)?;
            let mut row = AblationRow::new(variant.clone(), &match_state, before.nodes, &length);
            row.acted = before.acted;
            findings.rows[index] = row;
            judge(&mut findings.rows, 0);
            self.session.tell_found(ledger, findings)?;
            let line = report::line(&findings.rows[index]);
            let spent = findings.pairs();
            self.session
                .on_event(RunEvent::Line(format!("[{spent}/{budget} pairs] {line}")))?;
        }
        Ok(())
    }
}

fn question(row: &AblationRow) -> Question {
    Question {
        pairs: row.tally.pairs(),
        p: row.p_of_look,
        is_closed: matches!(row.worth, GainOrLoss::Identical | GainOrLoss::Invalid),
    }
}
