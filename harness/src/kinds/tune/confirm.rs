//! The match of tuned against start that a tuning ends with, on openings that the tuning never saw.

use tanren_engine::search::Searchable;

use super::openings;
use super::spec::TuningSpec;

use crate::config::Seat;
use crate::kinds::match_::{MatchFindings, play_in};
use crate::random::Random;
use crate::record::PairFault;
use crate::session::Session;
use crate::session::error::ExperimentError;
use crate::session::observer::RunEvent;

pub const FOLDER: &str = "confirm";
const LABELS: [&str; 2] = ["tuned", "start"];
const STREAM_CONFIRM: u64 = 0x7475_0005;

pub(crate) fn confirm<P: Searchable>(
    spec: &TuningSpec,
    tuned: &[f64],
    session: &mut Session<'_, P>,
) -> Result<(MatchFindings, Option<PairFault>), ExperimentError> {
    let suite = openings(spec, &session.suite, true);
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
    session.on_event(RunEvent::Line(format!(
        "confirming: tuned against start, {pairs} pairs at most on other openings"
    )))?;
    let mut part = session.part(FOLDER, Some(suite));
    play_in(&games, [pairs, pairs], &mut part)
}
