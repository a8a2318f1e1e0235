//! The games of a ledger, one after the other.

use std::collections::HashMap;

use tanren_engine::game::{Game, ParseError, Path};
use tanren_engine::search::Searchable;

use super::findings::{LedgerVerification, Problem, Unchecked};

use crate::kinds::kind::StoredGames;
use crate::ledger::{Item, RunKind, encode};
use crate::play::{RuleViolation, rule_violation};
use crate::record::{Finished, Origin, PairRecord};
use crate::schedule::seeds_of;
use crate::session::error::ExperimentError;
use crate::session::observer::NoObserver;
use crate::session::openings::{has_openings, load_openings};
use crate::session::stored::Run;

#[cfg(feature = "cluster")]
use crate::fleet::is_signed;

impl StoredGames {
    pub(crate) fn game(&self) -> Game {
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
pub(crate) fn check_games<P: Searchable>(
    run: &Run,
    games: &StoredGames,
    found: &mut LedgerVerification,
) -> Result<Vec<u64>, ExperimentError> {
    let positions = positions::<P>(run, games).unwrap_or_else(|why| {
        found.notes.push(Unchecked::NoOpenings(why));
        HashMap::new()
    });
    let signatures = signatures(run)?;
    let (mut pairs, mut path, mut problems) = (Vec::new(), Path::default(), Vec::new());
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

pub(crate) struct Signatures {
    run: String,
    origins: HashMap<u64, Origin>,
}

pub(crate) fn signatures(run: &Run) -> Result<Signatures, ExperimentError> {
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
    pub(crate) fn prove(&self, finished: &Finished) -> bool {
        let origin = self.origins.get(&finished.number());
        origin.is_none_or(|origin| is_signed(&self.run, &encode(finished), origin))
    }

    #[cfg(not(feature = "cluster"))]
    pub(crate) fn prove(&self, _: &Finished) -> bool {
        let _ = (&self.run, &self.origins);
        true
    }
}

/// Adds to `found` every search that another machine is said to have made and did not sign.
pub(crate) fn check_searches(run: &Run, found: &mut LedgerVerification) -> Result<(), ExperimentError> {
    // What is damaged was told, and proves nothing.
    if run.kind() != RunKind::Nodes || !found.problems.is_empty() {
        return Ok(());
    }
    let signatures = signatures(run)?;
    let positions = run.ledger.positions()?.len();
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
