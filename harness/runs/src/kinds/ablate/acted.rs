//! How often a technique acted in the games of a row: the first of them are searched again move by move, and counted.

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use tanren_engine::search::{Counters, Searchable, Technique};

use super::spec::AblationSpec;

use crate::config::MoveLimit;
use crate::kinds::ablate::study::{Acted, Variant};
use crate::ledger::Ledger;
use crate::record::PlayerId;
use crate::session::error::{ExperimentError, Result};
use crate::session::recounter::Recounter;

/// So many pairs of a row are searched again: some hundred searches of each engine.
const PAIRS: u64 = 4;
const KEPT: &str = "acted";

pub(crate) type ActedCounts = BTreeMap<String, [u64; 2]>;

pub(crate) fn kept(ledger: &Ledger) -> Result<ActedCounts> {
    let text = ledger.kept(KEPT)?;
    Ok(text
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default())
}

pub(crate) fn keep(ledger: &mut Ledger, name: String, acted: Acted) -> Result<()> {
    let mut all = kept(ledger)?;
    all.insert(name, [acted.games, acted.acts]);
    let text = serde_json::to_string(&all).map_err(ExperimentError::system("describe the counts"))?;
    Ok(ledger.keep(KEPT, &text)?)
}

pub(crate) fn of(kept: &ActedCounts, name: &str) -> Option<Acted> {
    kept.get(name).map(|&[games, acts]| Acted { games, acts })
}

/// Counts it in the match in `folder`; nothing if the technique has no counter of its own, or time decides the games.
pub(crate) fn count<P: Searchable>(
    spec: &AblationSpec,
    variant: &Variant,
    limit: MoveLimit,
    folder: &FilePath,
) -> Result<Option<Acted>> {
    let of_setting = |technique: &&Technique| technique.name() == variant.technique;
    let Some(technique) = Technique::ALL.iter().find(of_setting) else {
        return Ok(None);
    };
    if limit.is_timed() {
        return Ok(None);
    }
    let ledger = Ledger::open_existing(folder)?;
    let engine = |config| Recounter::<P>::new(&spec.games.conditions, limit, config);
    let mut engines = [engine(spec.base_of(variant)?), engine(&variant.config)];
    let (mut counters, mut games) = ([Counters::default(); 2], 0);
    for pair in 0..PAIRS {
        let Some(record) = ledger.pair(pair)? else { break };
        for game in &record.games {
            let mut of = |id: PlayerId| engines[id.index()].count(&record, game, id);
            if let (Some(of_a), Some(of_b)) = (of(PlayerId::A), of(PlayerId::B)) {
                counters[0].add_all(&of_a);
                counters[1].add_all(&of_b);
                games += 1;
            }
        }
    }
    let acts = counters.map(|counters| counters.successes(*technique));
    let acts = acts.into_iter().max().unwrap_or(0);
    Ok((games > 0).then_some(Acted { games, acts }))
}
