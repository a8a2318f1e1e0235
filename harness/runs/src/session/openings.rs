use tanren_engine::game::{Game, Position};
use tanren_engine::search::Searchable;

use crate::config::{Conditions, Identity, OpeningOrder, OpeningSource};
use crate::event::Warning;
use crate::openings::{self, OpeningError, OpeningSuite, RandomOpenings, Relatives};
use crate::session::error::Result;
use crate::session::observer::{RunEvent, RunObserver};

const OPENINGS: &str = "openings (SHA-256)";

/// Warns of what is odd about openings, or about positions, which have no conditions.
pub(crate) fn tell_openings<P: Position>(
    suite: &OpeningSuite<P>,
    conditions: Option<&Conditions>,
    observer: &mut dyn RunObserver,
) -> Result<()> {
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.len();
        observer.on_event(RunEvent::Warning(Warning::RepeatedOpenings { lines }))?;
    }
    let openings = suite.openings.len();
    if let Some(conditions) = conditions.filter(|conditions| conditions.repeat)
        && let Some(pairs) = conditions.pairs
        && pairs > conditions.openings_once(openings) as u64
    {
        observer.on_event(RunEvent::Warning(Warning::ReusedOpenings { pairs, openings }))?;
    }
    let first = conditions.map_or(1, |conditions| conditions.first_opening);
    if first > openings as u64 {
        observer.on_event(RunEvent::Warning(Warning::FirstOpening { first, openings }))?;
    }
    let is_in_order = |conditions: &Conditions| {
        let is_random = matches!(conditions.openings, OpeningSource::Random(_));
        conditions.order == OpeningOrder::Sequential && !is_random
    };
    if conditions.is_some_and(is_in_order) {
        let texts: Vec<String> = suite
            .openings
            .iter()
            .map(|opening| opening.position().to_string())
            .collect();
        if let Some(found) = Relatives::of(&texts) {
            observer.on_event(RunEvent::Warning(Warning::RelatedOpenings {
                neighbours: found.neighbours,
                far_apart: found.far_apart,
            }))?;
        }
    }
    Ok(())
}

pub(crate) fn suite_of<P: Searchable>(conditions: &Conditions) -> Result<OpeningSuite<P>, OpeningError> {
    match &conditions.openings {
        OpeningSource::BuiltIn => Ok(openings::built_in()),
        OpeningSource::File(path) => openings::load(path, conditions.book_plies),
        OpeningSource::Random(random) => Ok(random.suite(RandomOpenings::count(conditions.pairs))),
    }
}

pub(crate) fn has_openings(identity: &Identity, digest: &str) -> bool {
    let stored = identity.get(OPENINGS);
    // A part of a suite names the whole.
    stored.is_some_and(|stored| stored.contains(digest))
}

/// As many random positions as the built-in suite has, where no number is given.
const RANDOM_POSITIONS: usize = 100;

/// What is searched, not yet cut down to `most`.
pub(crate) fn load_positions<P: Searchable>(
    source: &OpeningSource,
    most: usize,
) -> Result<OpeningSuite<P>, OpeningError> {
    match source {
        OpeningSource::BuiltIn => Ok(openings::built_in_nodes()),
        OpeningSource::File(path) => openings::load(path, None),
        OpeningSource::Random(random) => {
            let count = if most == usize::MAX {
                RANDOM_POSITIONS
            } else {
                most
            };
            Ok(random.suite(RandomOpenings::count(Some(count as u64)).min(count as u64)))
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSpec {
    pub game: Game,
    pub source: OpeningSource,
    pub plies: Option<u32>,
}
