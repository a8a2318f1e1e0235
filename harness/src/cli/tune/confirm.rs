//! The match of tuned against start that a tuning ends with.
//!
//! In: the values found. Out: the folder of a match on openings that the tuning never saw. Must not: judge more than the test.

use tanren_engine::eval::Evaluated;

use super::super::error::CliError;
use super::super::play::{Place, describe_run, identify};
use super::play::Tuning;
use crate::config::{MatchSpec, parse_sprt};
use crate::event::Event;
use crate::random::Random;
use crate::report::{Confirmation, Progress};

/// Below the folder of the tuning.
pub(super) const FOLDER: &str = "confirm";
const STREAM_CONFIRM: u64 = 0x7475_0005;

/// Plays the match, or what is left of it.
pub(super) fn confirm<P: Evaluated>(tuning: &Tuning<'_, P>, tuned: &[f64]) -> Result<Confirmation, CliError> {
    let spec = tuning.spec;
    let suite = tuning.openings(true);
    let openings = suite.openings.len() as u64;
    let mut games = spec.match_of([tuned, &spec.space.start()])?;
    let [a, b] = games.players;
    let sprt = spec.confirm.as_deref().and_then(|text| parse_sprt(text).ok());
    games = MatchSpec {
        players: [a.labelled(Some("tuned")), b.labelled(Some("start"))],
        pairs: Some(spec.confirm_pairs.unwrap_or(openings)),
        sprt,
        repeat: false,
        // Files hold seeds up to 2^63.
        seed: Random::new(spec.plan.seed, &[STREAM_CONFIRM]).next_u64() >> 1,
        ..games
    };
    let pairs = games.pairs_max(suite.openings.len())?;
    let folder = tuning.folder.join(FOLDER);
    let mut identity = identify(&games, &suite, pairs);
    tuning.programs.identify(&mut identity);
    let about = describe_run(&games, identity, &folder);
    tuning.options.say(&format!(
        "confirming: tuned against start, {pairs} pairs at most on other openings"
    ));
    let mut progress = (!tuning.options.quiet).then(|| Progress::new(pairs));
    let mut listener = |event: &Event<'_>| {
        if let Some(progress) = &mut progress {
            progress.event(event);
        }
    };
    let place = Place {
        suite: &suite,
        executor: &tuning.executor,
        process: &tuning.process,
        folder: &folder,
        programs: &tuning.programs,
    };
    let (summary, _) = place.play(&games, &about, pairs, &mut listener)?;
    Ok(Confirmation { summary })
}
