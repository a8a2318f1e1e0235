//! The match of tuned against start that a tuning ends with.
//!
//! In: the values found. Out: what a match on openings that the tuning never saw found.

use super::parts::Tuning;
use crate::config::Seat;
use crate::experiment::ExperimentError;
use crate::experiment::findings::MatchFindings;
use crate::experiment::r#match::{Place, describe, identify};
use crate::experiment::news::{Audience, Begins, News};
use crate::random::Random;
use crate::record::PairFault;
use tanren_engine::search::Searchable;

/// Below the folder of the tuning.
pub const FOLDER: &str = "confirm";
/// What A and B are called.
pub(super) const LABELS: [&str; 2] = ["tuned", "start"];
const STREAM_CONFIRM: u64 = 0x7475_0005;

/// Plays the match, or what is left of it.
pub(super) fn confirm<P: Searchable>(
    tuning: &Tuning<'_, P>,
    tuned: &[f64],
    audience: &mut dyn Audience,
) -> Result<(MatchFindings, Option<PairFault>), ExperimentError> {
    let spec = tuning.spec;
    let suite = tuning.openings(true);
    let openings = suite.openings.len();
    let labelled = |values: &[f64], label: &str| -> Result<Seat, ExperimentError> {
        let mut seat = spec.seat(values)?;
        label.clone_into(&mut seat.player.label);
        Ok(seat)
    };
    let mut games = spec.games.clone();
    games.seats = [
        labelled(tuned, LABELS[0])?,
        labelled(&spec.space.start(), LABELS[1])?,
    ];
    games.conditions.pairs = Some(spec.confirm_pairs.unwrap_or(openings as u64));
    games.conditions.sprt = spec.confirm_test()?;
    games.conditions.repeat = false;
    // Files hold seeds up to 2^63.
    games.conditions.seed = Random::new(spec.plan.seed, &[STREAM_CONFIRM]).next_u64() >> 1;
    let pairs = games.conditions.pairs_max(openings)?;
    let folder = tuning.folder.join(FOLDER);
    let mut identity = identify(&games, &suite, pairs);
    tuning.programs.identify(&mut identity);
    let about = describe(&games, identity, &folder);
    audience.hear(News::Begins(Begins::Confirming { pairs }))?;
    let place = Place {
        suite: &suite,
        executor: tuning.workers.executor(),
        process: &tuning.process,
        folder: &folder,
        programs: &tuning.programs,
    };
    place.play(&games, &about, pairs, audience)
}
