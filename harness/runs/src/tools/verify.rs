//! The folders of stored runs, examined: is all that is stored as it was stored, and does it follow from the rules?

use std::collections::HashMap;
use std::fmt::{Display, Write};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tanren_engine::game::{self, ParseError};
use tanren_engine::search::Searchable;

use crate::document::Document;
#[cfg(feature = "cluster")]
use crate::fleet::is_signed;
use crate::interrupt::Interrupt;
use crate::kinds::registry::find;
use crate::ledger::{Item, Ledger, encode};
use crate::openings::Opening;
use crate::play::{RuleViolation, rule_violation};
use crate::record::{Finished, Origin};
use crate::schedule::{Schedule, seeds_of};
use crate::session::error::{ExperimentError, Result};
use crate::session::game::with_game;
use crate::session::kind::{Holds, StoredGames};
use crate::session::observer::NoObserver;
use crate::session::openings::{has_openings, suite_of};
use crate::session::stored::Run;
use crate::tools::replay::play_again;

/// Lines of problems of one ledger; JSON has them all.
const PROBLEMS_SHOWN: usize = 20;

/// What the examination of a folder, and of those below it, finds.
#[derive(Debug)]
pub struct Verification {
    folder: PathBuf,
    pub ledgers: Vec<LedgerVerification>,
}

#[derive(Debug, Default)]
pub struct LedgerVerification {
    folder: PathBuf,
    kind: Option<String>,
    whole: u64,
    pub problems: Vec<String>,
    /// Pairs that were played again and games of them that went another way, if that was asked for and can be done.
    replayed: Option<[u64; 2]>,
    notes: Vec<String>,
}

/// A line for each ledger, and one for everything that is wrong with it; an object for one folder, an array of them for more.
pub fn document(found: &[Verification]) -> Document<'static> {
    let ledgers = found.iter().flat_map(|folder| &folder.ledgers);
    let value = match found {
        [alone] => alone.value(),
        _ => found.iter().map(Verification::value).collect(),
    };
    Document::of_text(ledgers.map(LedgerVerification::text).collect(), value)
}

impl Verification {
    fn value(&self) -> Value {
        json!({
            "folder": self.folder.display().to_string(),
            "good": self.ledgers.iter().all(|ledger| ledger.problems.is_empty()),
            "ledgers": self.ledgers.iter().map(LedgerVerification::value).collect::<Vec<_>>(),
        })
    }
}

impl LedgerVerification {
    fn text(&self) -> String {
        let holds = self.kind.as_deref().map(|kind| find(kind).map(|kind| kind.holds));
        let holdings = match holds {
            Some(Some(Holds::Pairs)) => Some("pairs"),
            Some(Some(Holds::Searches)) => Some("searches"),
            Some(_) => None,
            None => Some("pairs or searches"),
        };
        let holdings = holdings.map(|unit| format!(", {} {unit} whole", self.whole));
        let replayed = self.replayed.filter(|[pairs, _]| *pairs > 0);
        let replayed = replayed.map(|[pairs, _]| format!(", {pairs} pairs played again"));
        let mut text = format!(
            "{}: {}{}, checksums{}: {}\n",
            self.folder.display(),
            self.kind.as_deref().unwrap_or("of unknown kind"),
            holdings.unwrap_or_default(),
            replayed.unwrap_or_default(),
            match self.problems.len() {
                0 => "good".to_owned(),
                1 => "1 problem".to_owned(),
                more => format!("{more} problems"),
            }
        );
        // Writing to a string cannot fail.
        for problem in self.problems.iter().take(PROBLEMS_SHOWN) {
            let _ = writeln!(text, "  {problem}");
        }
        if let more @ 1.. = self.problems.len().saturating_sub(PROBLEMS_SHOWN) {
            let _ = writeln!(text, "  and {more} more (all of them with --json)");
        }
        for note in &self.notes {
            let _ = writeln!(text, "  note: {note}");
        }
        text
    }

    fn value(&self) -> Value {
        let [pairs, games] = self.replayed.map_or([None, None], |replayed| replayed.map(Some));
        json!({
            "folder": self.folder.display().to_string(),
            "kind": self.kind,
            "checksums": true,
            "whole": self.whole,
            "problems": self.problems,
            "replayed_pairs": pairs,
            "different_games": games,
            "notes": self.notes,
        })
    }

    fn is_damaged(&mut self, what: impl Display) {
        self.problems.push(format!("the ledger is damaged: {what}"));
    }

    fn is_not_repeatable(&mut self, why: impl Display) {
        let note = format!("not played again: {why}");
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Plays so many pairs of each run of games again, spread over all of it.
pub fn verify(folder: &Path, replay: u64) -> Result<Verification> {
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let mut ledgers = Vec::new();
    for folder in ledgers_in(folder) {
        if let Some(signal) = process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        let found = verify_ledger(&folder, replay, &process);
        let stopped = |error| process.signal().map_or(error, ExperimentError::Stopped);
        ledgers.push(found.map_err(stopped)?);
    }
    let folder = folder.to_owned();
    Ok(Verification { folder, ledgers })
}

/// The folders of all ledgers in and below `folder`; itself if there is none.
pub(super) fn ledgers_in(folder: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    below(folder, &mut folders);
    if folders.is_empty() || Ledger::exists(folder) {
        folders.insert(0, folder.to_owned());
    }
    folders
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut folders: Vec<PathBuf> = entries.filter(is_folder).map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        if Ledger::exists(&folder) {
            found.push(folder.clone());
        }
        below(&folder, found);
    }
}

fn verify_ledger(folder: &Path, replay: u64, process: &Interrupt) -> Result<LedgerVerification> {
    let mut found = LedgerVerification {
        folder: folder.to_owned(),
        ..LedgerVerification::default()
    };
    let (ledger, damage) = match Ledger::open_to_examine(folder, process) {
        Ok(opened) => opened,
        Err(error) if error.is_damage() => {
            found.is_damaged(error.damage());
            return Ok(found);
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(damage) = damage {
        found.is_damaged(damage);
    }
    match ledger.examine() {
        Ok(condition) => {
            found.whole = condition.whole;
            if let Some(damage) = condition.file {
                found.is_damaged(damage);
            }
            let items = condition.damaged.iter();
            found.problems.extend(items.map(ToString::to_string));
        }
        Err(error) if error.is_damage() => found.is_damaged(error.damage()),
        Err(error) => return Err(error.into()),
    }
    match ledger.manifest() {
        Ok(manifest) => {
            found.kind = Some(manifest.kind.clone());
            let run = Run {
                folder: folder.to_owned(),
                ledger,
                manifest,
            };
            check_searches(&run, &mut found)?;
            verify_games(&run, replay, process, &mut found)?;
        }
        Err(error) if found.problems.is_empty() => return Err(error.into()),
        Err(_) => {}
    }
    found.problems.dedup();
    Ok(found)
}

fn verify_games(run: &Run, replay: u64, process: &Interrupt, found: &mut LedgerVerification) -> Result<()> {
    let games = match run.games() {
        Ok(Some(games)) => games,
        Ok(None) => return Ok(()),
        Err(error) => {
            let note = format!("the rules of its games are not known, so they are not checked: {error}");
            found.notes.push(note);
            return Ok(());
        }
    };
    let pairs = with_game!(games.conditions.game, check_games(run, &games, found))?;
    if replay > 0 {
        replay_pairs(run, &pairs, replay, process, found)?;
    }
    Ok(())
}

/// Plays `wanted` of `pairs` again, spread evenly over all of them.
fn replay_pairs(
    run: &Run,
    pairs: &[u64],
    wanted: u64,
    process: &Interrupt,
    found: &mut LedgerVerification,
) -> Result<()> {
    let seats = match run.seats() {
        Ok(seats) => seats,
        Err(error) => {
            found.is_not_repeatable(error);
            return Ok(());
        }
    };
    let mut replayed = [0; 2];
    let wanted = wanted.min(pairs.len() as u64);
    for number in 0..wanted {
        let place = (u128::from(number) * pairs.len() as u128 / u128::from(wanted)) as usize;
        let Some(record) = run.ledger.pair(pairs[place])? else {
            continue;
        };
        let [a, b] = record.players;
        if !(seats.is_repeatable(a) && seats.is_repeatable(b)) {
            let [a, b] = [a, b].map(|player| seats.describe(player));
            found.is_not_repeatable(format_args!(
                "{a} against {b}: games by time or with an external engine are not reproducible"
            ));
            continue;
        }
        let played: Vec<usize> = record.played().map(|(index, _)| index).collect();
        let again = with_game!(
            seats.conditions.game,
            play_again(&run.folder, &seats, &record, &played, process)
        );
        let differences = match again {
            // A player or an opening that is not there was found before.
            Err(ExperimentError::Input(_)) if !found.problems.is_empty() => continue,
            again => again?,
        };
        if differences.len() < played.len() {
            return Err(ExperimentError::stopped(process));
        }
        replayed[0] += 1;
        for (index, difference) in played.into_iter().zip(differences) {
            let Some(difference) = difference else { continue };
            let (game, pair, ply) = (
                2 * record.pair + index as u64 + 1,
                record.pair + 1,
                difference.ply,
            );
            replayed[1] += 1;
            found.problems.push(format!(
                "game {game} (pair {pair}): played again, it is another game from ply {ply} on"
            ));
        }
    }
    found.replayed = Some(replayed);
    Ok(())
}

/// A run has fewer gaps.
const STEPS: usize = 1_000_000;

/// The openings of the run by their line; in words why they are not at hand.
fn positions<P: Searchable>(run: &Run, games: &StoredGames) -> Result<HashMap<u32, Opening<P>>, String> {
    let suite = suite_of::<P>(&games.conditions).map_err(|error| error.to_string())?;
    if !has_openings(&run.manifest.identity, &suite.sha256) {
        return Err("the file is not what it was when the run began".to_owned());
    }
    let openings = suite.openings.into_iter();
    Ok(openings.map(|opening| (opening.line, opening)).collect())
}

/// Checks the order, the openings and every game. The numbers of the pairs that can be read, from 0.
fn check_games<P: Searchable>(
    run: &Run,
    games: &StoredGames,
    found: &mut LedgerVerification,
) -> Result<Vec<u64>> {
    let positions = positions::<P>(run, games).unwrap_or_else(|why| {
        let note = format!("its openings are not compared with their file: {why}");
        found.notes.push(note);
        HashMap::new()
    });
    // What is far beyond all that is stored is not looked for.
    let steps = STEPS + found.whole.saturating_mul(run.manifest.shard.of()) as usize;
    let seed = games.conditions.seed;
    let schedule = Schedule::of_pairings(seed, 1, games.pairings.clone(), u64::MAX);
    let mut schedule = schedule.grown(&games.grown).take(steps);
    let is_proved = is_proved(run, found)?;
    let (mut pairs, mut path, mut problems) = (Vec::new(), game::Path::default(), Vec::new());
    run.ledger.for_each_whole(&mut |record| {
        pairs.push(record.pair);
        let pair = record.pair + 1;
        let finished = Finished::Pair(record);
        if !is_proved(&finished) {
            problems.push(format!(
                "pair {pair}: its signature is not that of the machine that is said to have played it"
            ));
        }
        let Finished::Pair(record) = finished else { return };
        let mut breaks = |what: RuleViolation| problems.push(format!("pair {pair}: {what}"));
        let players = match games.pairings.len() {
            1 => Some(games.pairings[0]),
            _ => schedule
                .find(|plan| plan.pair >= record.pair)
                .map(|plan| plan.players),
        };
        let seeds = record.games.each_ref().map(|game| game.seed);
        if players != Some(record.players) || seeds != seeds_of(seed, record.pair) {
            breaks(RuleViolation::Schedule);
        }
        let is_of_line = positions.get(&record.opening_line).is_some_and(|opening| {
            opening.position().to_string() == record.opening && opening.book() == record.book
        });
        if !positions.is_empty() && !is_of_line {
            breaks(RuleViolation::OtherOpening(record.opening_line));
        }
        match P::parse(&record.opening) {
            Err(ParseError(message)) => breaks(RuleViolation::Opening(message)),
            Ok(start) => {
                for (index, game) in record.played() {
                    if let Some(what) = rule_violation(&start, &mut path, game, &games.conditions.rules) {
                        let game = 2 * record.pair + index as u64 + 1;
                        problems.push(format!("game {game} (pair {pair}): {what}"));
                    }
                }
            }
        }
    })?;
    found.problems.append(&mut problems);
    if let Ok(Some(counted)) = run.ledger.counted()
        && found.problems.is_empty()
        && let Some(missing) = missing(run, games, &pairs, counted)?
    {
        let missing = missing + 1;
        let problem = format!("pair {missing} of the {counted} that were counted is missing");
        found.problems.push(problem);
    }
    Ok(pairs)
}

/// The first of the pairs below `counted` that should be there and is not.
fn missing(run: &Run, games: &StoredGames, pairs: &[u64], counted: u64) -> Result<Option<u64>> {
    if !games.is_adaptive {
        let mut numbers = (0..counted).map(|place| run.manifest.shard.pair(place));
        return Ok(numbers.find(|pair| pairs.binary_search(pair).is_err()));
    }
    let found = run.outcome(&mut NoObserver)?.findings;
    Ok(found.pairs().filter(|next| *next < counted))
}

/// Tells whether something is as the machine signed it that is said to have played it. What was played here is nobody else's.
fn is_proved(run: &Run, found: &mut LedgerVerification) -> Result<impl Fn(&Finished) -> bool + use<>> {
    let mut origins = HashMap::new();
    let read = run.ledger.for_each_origin(|number, origin| {
        origins.insert(number, origin);
    });
    match read {
        // What is damaged is told, and proves nothing.
        Err(error) if error.is_damage() => {}
        read => read?,
    }
    let first_format = run.ledger.first_format().ok().flatten();
    if let Some(format) = first_format.filter(|_| !origins.is_empty()) {
        let note = format!(
            "upgraded from format {format}: signatures of machines are of the old ledger and are not checked"
        );
        found.notes.push(note);
        origins.clear();
    }
    let run = run.ledger.run_id();
    Ok(move |finished: &Finished| {
        let origin: Option<&Origin> = origins.get(&finished.number());
        origin.is_none_or(|origin| is_signed(&run, &encode(finished), origin))
    })
}

#[cfg(not(feature = "cluster"))]
fn is_signed(_: &str, _: &[u8], _: &Origin) -> bool {
    true
}

fn check_searches(run: &Run, found: &mut LedgerVerification) -> Result<()> {
    let positions = run.manifest.positions.len();
    // What is damaged was told, and proves nothing.
    if positions == 0 || !found.problems.is_empty() {
        return Ok(());
    }
    let is_proved = is_proved(run, found)?;
    for search in run.ledger.searches()? {
        let (config, position) = search.job();
        if !is_proved(&Finished::Search(search.finished(positions))) {
            let search = Item::Search([config as i64, position as i64]);
            found.problems.push(format!(
                "{search}: its signature is not that of the machine that is said to have made it"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_ledger_has_a_line_and_every_problem_one_more_up_to_a_number() {
        let found = |problems: usize| {
            let ledger = LedgerVerification {
                folder: "x".into(),
                kind: Some("match".to_owned()),
                whole: 4,
                problems: (0..problems).map(|pair| format!("pair {pair}")).collect(),
                ..LedgerVerification::default()
            };
            document(&[Verification {
                folder: "x".into(),
                ledgers: vec![ledger],
            }])
        };
        assert_eq!(found(0).text(), "x: match, 4 pairs whole, checksums: good\n");
        assert_eq!(found(1).text().lines().nth(1), Some("  pair 0"));
        assert_eq!(found(50).text().lines().count(), 1 + PROBLEMS_SHOWN + 1);
        let value = found(50).json();
        assert_eq!(value["ledgers"][0]["problems"].as_array().map(Vec::len), Some(50));
        assert_eq!(
            (&value["good"], &found(0).json()["good"]),
            (&json!(false), &json!(true))
        );
    }
}
