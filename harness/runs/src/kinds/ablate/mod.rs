//! An ablation from its specification to its outcome: for each row a match against the base and a comparison of nodes.

mod acted;
mod looks;
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
use crate::kinds::ablate::study::{
    ALPHA, AblationRow, AtLimit, GainOrLoss, Length, Variant, compare_nodes, judge,
};
use crate::kinds::match_::play_in;
use crate::kinds::nodes::NodesSpec;
use crate::kinds::nodes::SummaryRow;
use crate::kinds::nodes::search_in;
use crate::ledger::Ledger;
use crate::match_state::{MatchState, Verdict};
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
            is_timed: self.limits().any(MoveLimit::is_timed),
            ..Needs::of_match(&self.games)
        }
    }

    fn run(&self, options: &RunOptions, observer: &mut dyn RunObserver) -> Result<Outcome> {
        with_game!(self.games.conditions.game, play(self, options, observer))
    }

    fn recount(&self, run: &Run, _: &mut dyn RunObserver) -> Result<(Box<dyn Found>, bool)> {
        let found = recount(self, &run.ledger, &run.folder)?;
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
    let spec = &looks::with_earlier(spec, &ledger)?;
    for reason in &spec.skipped {
        session.on_event(RunEvent::Line(format!("left out: {reason}")))?;
    }
    let limit = match (&spec.pool[..], spec.games.seats[0].limit) {
        ([], MoveLimit::Nodes(nodes)) => format!("at {nodes} nodes a move"),
        ([], limit) => format!("by {limit}"),
        _ => {
            let limits: Vec<String> = spec.limits().map(|limit| limit.to_string()).collect();
            format!("at {}", limits.join(", at "))
        }
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
            if self.is_to_stop() {
                break;
            }
            let name = variant.name();
            let line = format!("[{number}/{of}] {name}");
            self.session.on_event(RunEvent::Part(name))?;
            self.session.on_event(RunEvent::Line(line))?;
            let searches = match variant.given {
                None => self.searches(&folder_name(variant), &variant.config)?,
                Some(_) => Vec::new(),
            };
            // A comparison of half of the searches is no row.
            if self.is_to_stop() {
                break;
            }
            let nodes = comparison(spec, &base_searches, &searches);
            let (mut row, pairs) = self.row(variant, nodes)?;
            pairs_played += pairs;
            for at in &mut row.at {
                let name = acted_name(spec, variant, at.limit);
                at.acted = acted::of(&kept, &name);
                if at.acted.is_none() && !self.is_to_stop() {
                    let folder = self.session.folder.join(match_folder(spec, variant, at.limit));
                    at.acted = acted::count::<P>(spec, variant, at.limit, &folder)?;
                    if let Some(counted) = at.acted {
                        acted::keep(ledger, name, counted)?;
                    }
                }
            }
            if row.worth != GainOrLoss::Interrupted {
                looks::keep(ledger, &spec.length)?;
            }
            findings.rows.push(row);
            judge(&mut findings.rows, of - number);
            self.session.tell_found(ledger, &findings)?;
            let Some(row) = findings.rows.last() else { break };
            let pairs_left = spec.length.pairs * ((of - number) * spec.limits().count()) as u64;
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
        let length = &self.spec.length;
        let stored = stored(self.spec, &self.session.folder, variant)?;
        let before: u64 = stored.iter().map(|state| state.tally().pairs()).sum();
        let planned = stored.iter().map(|state| state.progress.rule.pairs_max).max();
        let mut pairs = length.first_stage(planned.unwrap_or(0));
        loop {
            let matches = self.play_to(variant, pairs)?;
            let is_whole = matches.len() == self.spec.limits().count();
            let next = length.next_stage(&matches, self.spec.rows.len());
            if let Some(next) = next
                && !self.is_to_stop()
            {
                pairs = next;
                continue;
            }
            let played = matches.iter().map(|state| state.tally().pairs()).sum::<u64>() - before;
            let mut row = self.spec.row(variant, &matches, nodes);
            if next.is_some() || !is_whole {
                row.worth = GainOrLoss::Interrupted;
            }
            return Ok((row, played));
        }
    }

    /// The matches of a row at all limits, each up to so many pairs; those that are over stay as they are.
    fn play_to(&mut self, variant: &Variant, pairs: u64) -> Result<Vec<MatchState>> {
        let spec = self.spec;
        let mut matches = stored(spec, &self.session.folder, variant)?;
        for (number, limit) in spec.limits().enumerate() {
            if number > 0 && self.is_to_stop() {
                break;
            }
            let is_over =
                |state: &&MatchState| matches!(state.verdict(), Verdict::Identical | Verdict::Invalid);
            let over = matches.get(number).filter(is_over);
            let pairs = over.map_or(pairs, |state| state.progress.rule.pairs_max);
            let games = spec.match_of(variant, limit, pairs);
            let mut part = self.session.part(match_folder(spec, variant, limit), None);
            let until = part.pairs_until_pause(pairs);
            let (found, _) = play_in(&games, [pairs, until], &mut part)?;
            match matches.get_mut(number) {
                Some(stored) => *stored = found.match_state,
                None => matches.push(found.match_state),
            }
        }
        Ok(matches)
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

fn recount(spec: &AblationSpec, ledger: &Ledger, folder: &Path) -> Result<AblationFindings> {
    let (spec, kept) = (&looks::with_earlier(spec, ledger)?, acted::kept(ledger)?);
    let mut findings = AblationFindings::of(spec);
    let base_searches = stored_searches(spec, folder, "base")?;
    for variant in &spec.rows {
        let matches = stored(spec, folder, variant)?;
        if matches.is_empty() {
            break;
        }
        let searches = match variant.given {
            None => stored_searches(spec, folder, &folder_name(variant))?,
            Some(_) => Vec::new(),
        };
        let nodes = comparison(spec, &base_searches, &searches);
        let mut row = spec.row(variant, &matches, nodes);
        // A row that has its first pairs is judged by what it has, though more may be played.
        let is_begun =
            row.pairs_at_each() < spec.length.pairs && spec.length.next_stage(&matches, 1).is_some();
        if is_begun || row.at.len() < spec.limits().count() {
            row.worth = GainOrLoss::Interrupted;
        }
        for at in &mut row.at {
            at.acted = acted::of(&kept, &acted_name(spec, variant, at.limit));
        }
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

/// The matches of a row, by limit, up to the first that is not begun.
fn stored(spec: &AblationSpec, folder: &Path, variant: &Variant) -> Result<Vec<MatchState>> {
    let mut matches = Vec::new();
    for limit in spec.limits() {
        let folder = folder.join(match_folder(spec, variant, limit));
        if !Ledger::exists(&folder) {
            break;
        }
        let ledger = Ledger::open_existing(&folder)?;
        let pairs_max = ledger.manifest()?.identity.pairs().unwrap_or(0);
        let mut match_state = MatchState::new(spec.games.conditions.stop_rule_without_test(pairs_max));
        runner::recount(&ledger, &mut match_state)?;
        matches.push(match_state);
    }
    Ok(matches)
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

/// `matches/with-null_move-off/nodes-10000/lmr-off`: what both engines have changed, and a limit other than the first.
fn match_folder(spec: &AblationSpec, variant: &Variant, limit: MoveLimit) -> PathBuf {
    let given = variant.given.as_ref();
    let given = given.map(|given| plain_name(&format!("with {}", given.assignment())));
    let limit = is_pooled(spec, limit).then(|| plain_name(&limit.to_string()));
    let mut folder = PathBuf::from("matches");
    folder.extend(given);
    folder.extend(limit);
    folder.join(folder_name(variant))
}

fn acted_name(spec: &AblationSpec, variant: &Variant, limit: MoveLimit) -> String {
    match is_pooled(spec, limit) {
        false => variant.name(),
        true => format!("{} at {limit}", variant.name()),
    }
}

fn is_pooled(spec: &AblationSpec, limit: MoveLimit) -> bool {
    limit != spec.games.seats[0].limit
}

fn searches_folder(folder: &Path, name: &str) -> PathBuf {
    folder.join("nodes").join(name)
}

#[derive(Debug, Clone)]
pub struct AblationFindings {
    /// The game, and what it plays without a change.
    pub base: [String; 2],
    pub rows: Vec<AblationRow>,
    pub planned: usize,
    pub length: Length,
    pub limits: Vec<MoveLimit>,
}

impl AblationFindings {
    pub(crate) fn of(spec: &AblationSpec) -> AblationFindings {
        AblationFindings {
            base: [
                spec.games.conditions.game.name().to_owned(),
                spec.base().canonical(),
            ],
            rows: Vec::new(),
            planned: spec.rows.len(),
            length: spec.length.clone(),
            limits: spec.limits().collect(),
        }
    }

    /// Several ablations of one base as one, all limits together.
    pub fn pooled(parts: &[&AblationFindings]) -> Result<AblationFindings, String> {
        let [first, ..] = parts else {
            return Err("there is no ablation".to_owned());
        };
        if let Some(other) = parts.iter().find(|part| part.base != first.base) {
            let [one, other] = [first, other].map(|part| part.base.join(" "));
            return Err(format!("the bases differ, {one} and {other}"));
        }
        // The looks of the part that has most of them.
        let length = parts.iter().map(|part| &part.length);
        let length = length
            .max_by_key(|length| length.looks().len())
            .unwrap_or(&first.length);
        let mut pooled = AblationFindings {
            base: first.base.clone(),
            rows: Vec::new(),
            planned: 0,
            length: Length {
                budget: None,
                ..length.clone()
            },
            limits: Vec::new(),
        };
        for part in parts {
            let is_new = |limit: &&MoveLimit| !pooled.limits.contains(limit);
            let limits: Vec<MoveLimit> = part.limits.iter().filter(is_new).copied().collect();
            pooled.limits.extend(limits);
            for row in &part.rows {
                let Some(own) = pooled.rows.iter_mut().find(|own| own.variant == row.variant) else {
                    pooled.rows.push(row.clone());
                    continue;
                };
                let has = |at: &&AtLimit| own.at.iter().any(|own| own.limit == at.limit);
                if let Some(twice) = row.at.iter().find(has) {
                    return Err(format!(
                        "{} at {} is in two of them",
                        row.variant.name(),
                        twice.limit
                    ));
                }
                let is_interrupted = [own.worth, row.worth].contains(&GainOrLoss::Interrupted);
                let at = own.at.iter().chain(&row.at).cloned().collect();
                let nodes = own.nodes.take().or_else(|| row.nodes.clone());
                *own = AblationRow::new(row.variant.clone(), at, nodes, &pooled.length);
                if is_interrupted {
                    own.worth = GainOrLoss::Interrupted;
                }
            }
        }
        let to_come = parts.iter().map(|part| part.planned - part.rows.len()).sum();
        pooled.planned = pooled.rows.len() + to_come;
        judge(&mut pooled.rows, to_come);
        Ok(pooled)
    }

    pub(crate) fn is_pooled(&self) -> bool {
        self.limits.len() > 1
    }

    pub fn pairs(&self) -> u64 {
        self.rows.iter().map(AblationRow::pairs).sum()
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
            faults: Some(
                self.rows
                    .iter()
                    .map(|row| Overview::faults_of(&row.faults()))
                    .sum(),
            ),
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
        let labels = ["base".to_owned(), row.variant.name()];
        let mut at = row.at.iter();
        at.find_map(|at| InvalidRun::of_counts(&at.faults, &labels))
    }
}

impl AblationSpec {
    fn row(&self, variant: &Variant, matches: &[MatchState], nodes: Option<SummaryRow>) -> AblationRow {
        let level = self.length.level_of_each();
        let at = self.limits().zip(matches);
        let at = at.map(|(limit, match_state)| AtLimit::new(limit, match_state, level));
        AblationRow::new(variant.clone(), at.collect(), nodes, &self.length)
    }
}

impl<P: Searchable> Study<'_, P> {
    pub(crate) fn spend(
        &mut self,
        budget: u64,
        findings: &mut AblationFindings,
        ledger: &Ledger,
    ) -> Result<()> {
        let (length, limits) = (&self.spec.length, self.spec.limits().count() as u64);
        let mut looks = length.looks();
        looks.retain(|&look| look <= length.most());
        let rule = Elimination::new(looks, self.spec.rows.len(), ALPHA);
        while !self.is_to_stop() {
            let questions: Vec<Question> = findings.rows.iter().map(question).collect();
            let left = budget.saturating_sub(findings.pairs());
            let Some((index, target)) = rule.next(&questions, left / limits) else {
                break;
            };
            let variant = &self.spec.rows[index];
            let name = variant.name();
            let line = format!("{name}, up to {target} pairs");
            self.session.on_event(RunEvent::Part(name))?;
            self.session.on_event(RunEvent::Line(line))?;
            let before = findings.rows[index].clone();
            let matches = self.play_to(variant, target)?;
            let mut row = self.spec.row(variant, &matches, before.nodes);
            for (at, before) in row.at.iter_mut().zip(before.at) {
                at.acted = before.acted;
            }
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
        pairs: row.pairs_at_each(),
        p: row.p_of_look,
        is_closed: matches!(row.worth, GainOrLoss::Identical | GainOrLoss::Invalid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::fixtures::{ABLATION_LIMIT, ablation, ablation_row};

    #[test]
    fn ablations_of_one_base_are_pooled_where_no_row_has_a_limit_twice() {
        let part = |limit, rows: &[(&str, usize)]| {
            let rows = rows.iter().map(|&(name, halves)| {
                let mut row = ablation_row(name, "off", halves);
                row.at[0].limit = limit;
                row
            });
            AblationFindings {
                limits: vec![limit],
                ..ablation(rows.collect())
            }
        };
        let other = MoveLimit::MoveTimeMs(100);
        let one = part(ABLATION_LIMIT, &[("lmr", 2), ("killers", 2)]);
        let two = part(other, &[("killers", 0)]);
        let pooled = AblationFindings::pooled(&[&one, &two]).unwrap();
        assert_eq!(
            (&*pooled.limits, pooled.planned),
            (&[ABLATION_LIMIT, other][..], 2)
        );
        let worth: Vec<GainOrLoss> = pooled.rows.iter().map(|row| row.worth).collect();
        assert_eq!(worth, [GainOrLoss::Pays, GainOrLoss::LimitsDiffer]);
        let mut chess = two.clone();
        chess.base[0] = "chess".to_owned();
        for (other, expected) in [
            (&one, "lmr=off at nodes 60 is in two of them"),
            (&chess, "the bases differ, shogi base and chess base"),
        ] {
            assert_eq!(AblationFindings::pooled(&[&one, other]).unwrap_err(), expected);
        }
    }
}
