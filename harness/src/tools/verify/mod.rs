//! The folders of stored runs, examined: is all that is stored as it was stored, and does it follow from the rules?

mod findings;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use findings::{Replayed, Unchecked};
use tanren_engine::game::{self, Game, ParseError};
use tanren_engine::search::Searchable;

use crate::interrupt::Interrupt;
use crate::ledger::{Item, Ledger, encode};
use crate::play::{RuleViolation, Table, rule_violation};
use crate::record::{Finished, Origin, PairRecord};
use crate::schedule::seeds_of;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::open_tables;
use crate::session::game::with_game;
use crate::session::kind::StoredGames;
use crate::session::observer::NoObserver;
use crate::session::openings::{has_openings, load_openings};
use crate::session::stored::{Run, StoredSeats};
use crate::tools::replay::first_difference;

#[cfg(feature = "cluster")]
use crate::fleet::is_signed;

pub use findings::{LedgerVerification, Problem, Verification};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifySpec {
    pub folder: PathBuf,
    /// So many pairs of each run of games are played again, spread over all of it.
    pub replay: u64,
}

pub fn verify(spec: &VerifySpec) -> Result<Verification> {
    let process = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let mut folders = vec![spec.folder.clone()];
    below(&spec.folder, &mut folders);
    let mut ledgers = Vec::new();
    for folder in folders {
        if let Some(signal) = process.signal() {
            return Err(ExperimentError::Stopped(signal));
        }
        ledgers.push(verify_ledger(&folder, spec.replay, &process)?);
    }
    Ok(Verification {
        folder: spec.folder.clone(),
        ledgers,
    })
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
        kind: None,
        whole: 0,
        problems: Vec::new(),
        replayed: None,
        notes: Vec::new(),
    };
    let (ledger, damage) = match Ledger::open_to_examine(folder) {
        Ok(opened) => opened,
        Err(error) if error.is_damage() => {
            found.problems.push(Problem::Ledger(error.damage().to_owned()));
            return Ok(found);
        }
        Err(error) => return Err(error.into()),
    };
    found.problems.extend(damage.map(Problem::Ledger));
    match ledger.examine() {
        Ok(condition) => {
            found.whole = condition.whole;
            found.problems.extend(condition.file.map(Problem::Ledger));
            found
                .problems
                .extend(condition.damaged.into_iter().map(Problem::Item));
        }
        Err(error) if error.is_damage() => found.problems.push(Problem::Ledger(error.damage().to_owned())),
        Err(error) => return Err(error.into()),
    }
    match ledger.manifest() {
        Ok(manifest) => {
            found.kind = Some(manifest.kind.clone());
            let run = Run::of_ledger(folder, ledger, manifest);
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
            found.notes.push(Unchecked::NoRules(error.to_string()));
            return Ok(());
        }
    };
    let pairs = with_game!(games.game(), check_games(run, &games, found))?;
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
            found.notes.push(Unchecked::Unrepeatable(error.to_string()));
            return Ok(());
        }
    };
    let mut replayed = Replayed::default();
    let wanted = wanted.min(pairs.len() as u64);
    for number in 0..wanted {
        let place = (u128::from(number) * pairs.len() as u128 / u128::from(wanted)) as usize;
        let Some(record) = run.ledger.pair(pairs[place])? else {
            continue;
        };
        let [a, b] = record.players;
        if !(seats.is_repeatable(a) && seats.is_repeatable(b)) {
            let [a, b] = [a, b].map(|player| seats.describe(player));
            let why =
                format!("{a} against {b}: where time decides or another program plays, it is another game");
            if !found.notes.contains(&Unchecked::Unrepeatable(why.clone())) {
                found.notes.push(Unchecked::Unrepeatable(why));
            }
            continue;
        }
        with_game!(
            seats.game(),
            replay_pair(&seats, &record, process, found, &mut replayed)
        )?;
    }
    found.replayed = Some(replayed);
    Ok(())
}

fn replay_pair<P: Searchable>(
    seats: &StoredSeats,
    record: &PairRecord,
    process: &Interrupt,
    found: &mut LedgerVerification,
    replayed: &mut Replayed,
) -> Result<()> {
    let interrupt = process.for_run();
    let [a, b] = record.players;
    let players = (seats.player::<P>(a, &interrupt), seats.player::<P>(b, &interrupt));
    // A player or an opening that is not there was found before.
    let ((Some(a), Some(b)), Ok(start)) = (players, P::parse(&record.opening)) else {
        return Ok(());
    };
    let mut table = Table::new([a, b], seats.conditions.rules).with_endgames(open_tables(&seats.conditions)?);
    for (index, game) in record.games.iter().enumerate() {
        let again = table.play_game(&start, game.first, game.seed);
        let again = again.ok_or_else(|| ExperimentError::stopped(process))?;
        if let Some(difference) = first_difference::<P>(game, &again) {
            replayed.different += 1;
            found.problems.push(Problem::Different {
                game: 2 * record.pair + index as u64 + 1,
                pair: record.pair + 1,
                ply: difference.ply,
            });
        }
    }
    replayed.pairs += 1;
    Ok(())
}

impl StoredGames {
    fn game(&self) -> Game {
        self.conditions.game
    }

    fn is_in_place(&self, record: &PairRecord) -> bool {
        let pairing = (record.pair % self.pairings.len() as u64) as usize;
        let seeds = record.games.each_ref().map(|game| game.seed);
        record.players == self.pairings[pairing] && seeds == seeds_of(self.seed, record.pair)
    }
}

/// The openings of the run by their line; in words why they are not at hand.
fn positions<P: Searchable>(run: &Run, games: &StoredGames) -> Result<HashMap<u32, String>, String> {
    let suite = load_openings::<P>(&games.conditions, &mut NoObserver).map_err(|error| error.to_string())?;
    if !has_openings(&run.manifest.identity, &suite.sha256) {
        return Err("the file is not what it was when the run began".to_owned());
    }
    let openings = suite.openings.iter();
    Ok(openings
        .map(|opening| (opening.line, opening.position().to_string()))
        .collect())
}

/// Checks the order, the openings and every game. The numbers of the pairs that can be read, from 0.
fn check_games<P: Searchable>(
    run: &Run,
    games: &StoredGames,
    found: &mut LedgerVerification,
) -> Result<Vec<u64>> {
    let positions = positions::<P>(run, games).unwrap_or_else(|why| {
        found.notes.push(Unchecked::NoOpenings(why));
        HashMap::new()
    });
    let signatures = signatures(run)?;
    let (mut pairs, mut path, mut problems) = (Vec::new(), game::Path::default(), Vec::new());
    run.ledger.for_each_whole(&mut |record| {
        pairs.push(record.pair);
        let pair = record.pair + 1;
        let finished = Finished::Pair(record);
        if !signatures.prove(&finished) {
            problems.push(Problem::Unsigned { pair });
        }
        let Finished::Pair(record) = finished else { return };
        let mut breaks = |what| problems.push(Problem::Pair { pair, what });
        if !games.is_in_place(&record) {
            breaks(RuleViolation::Schedule);
        }
        let position = positions.get(&record.opening_line);
        if !positions.is_empty() && position != Some(&record.opening) {
            breaks(RuleViolation::OtherOpening(record.opening_line));
        }
        match P::parse(&record.opening) {
            Err(ParseError(message)) => breaks(RuleViolation::Opening(message)),
            Ok(start) => {
                for (index, game) in record.games.iter().enumerate() {
                    if let Some(what) = rule_violation(&start, &mut path, game, &games.conditions.rules) {
                        let game = 2 * record.pair + index as u64 + 1;
                        problems.push(Problem::Game { game, pair, what });
                    }
                }
            }
        }
    })?;
    found.problems.append(&mut problems);
    if let Ok(Some(counted)) = run.ledger.counted()
        && let Some(missing) = (0..counted).find(|pair| pairs.binary_search(pair).is_err())
        && found.problems.is_empty()
    {
        let pair = missing + 1;
        found.problems.push(Problem::Missing { pair, counted });
    }
    Ok(pairs)
}

struct Signatures {
    run: String,
    origins: HashMap<u64, Origin>,
}

fn signatures(run: &Run) -> Result<Signatures> {
    let mut origins = HashMap::new();
    let read = run.ledger.for_each_origin(|number, origin| {
        origins.insert(number, origin);
    });
    match read {
        // What is damaged is told, and proves nothing.
        Err(error) if error.is_damage() => {}
        read => read?,
    }
    Ok(Signatures {
        run: run.ledger.run_id(),
        origins,
    })
}

impl Signatures {
    /// Is this as the machine signed it that is said to have played it? What was played here is nobody else's.
    #[cfg(feature = "cluster")]
    fn prove(&self, finished: &Finished) -> bool {
        let origin = self.origins.get(&finished.number());
        origin.is_none_or(|origin| is_signed(&self.run, &encode(finished), origin))
    }

    #[cfg(not(feature = "cluster"))]
    fn prove(&self, _: &Finished) -> bool {
        let _ = (&self.run, &self.origins);
        true
    }
}

fn check_searches(run: &Run, found: &mut LedgerVerification) -> Result<()> {
    let positions = run.ledger.positions()?.len();
    // What is damaged was told, and proves nothing.
    if positions == 0 || !found.problems.is_empty() {
        return Ok(());
    }
    let signatures = signatures(run)?;
    for search in run.ledger.searches()? {
        let (config, position) = search.job();
        if !signatures.prove(&Finished::Search(search.finished(positions))) {
            found.problems.push(Problem::UnsignedSearch {
                search: Item::Search([config as i64, position as i64]),
            });
        }
    }
    Ok(())
}
