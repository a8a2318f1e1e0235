//! Widths by how much a parameter changes play.
//!
//! What a step is worth in Elo takes thousands of games for each parameter. How often it changes the move that is played takes a
//! few hundred searches, and parameters whose steps change play equally often perturb the games about equally.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tanren_engine::game;
use tanren_engine::search::Searchable;

use crate::config::{ClockLimit, MoveLimit};
use crate::document::number::plural;
use crate::interrupt::Interrupt;
use crate::kinds::tune::TuningSpec;
use crate::kinds::tune::optimizer::{Parameter, Space, ValueKind, rounded_width};
use crate::kinds::tune::spec::{SPACE, Widths};
use crate::ledger::{Ledger, LedgerError};
use crate::openings::{Opening, built_in_nodes};
use crate::player::{Action, Clocks, Player};
use crate::record::PlayerId;
use crate::runner::LocalExecutor;
use crate::session::Session;
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::ExternalEngines;
use crate::session::observer::RunEvent;
use crate::session::options::RunOptions;
use crate::session::seating;
use crate::session::stored::Run;

/// Under this name a run keeps how its widths were found.
const WIDTHS: &str = "widths";
const ROUNDS: usize = 6;
const FACTOR_MAX: f64 = 3.0;
/// A share so near to the wanted one is left as it is.
const NEAR: f64 = 1.15;
const RANGE_SHARE_MAX: f64 = 0.25;
const WIDTH_MIN: f64 = 0.5;
/// An engine that plays so many positions otherwise when nothing is changed shows nothing.
const NOISE_MAX: f64 = 0.5;
/// The built-in engine forgets everything between two positions, which takes longer the more it could remember.
const HASH_MIB: usize = 1;
/// Searches in a game, both players together, roughly.
const PLIES: f64 = 100.0;
/// Moves that a clock without periods is for.
const CLOCK_MOVES: u64 = 40;
const NAMED_MAX: usize = 12;

impl TuningSpec {
    /// This with the widths that the run in `folder` has, if there is one; an error if they were found otherwise. With other parameters it
    /// stays as it is, which the ledger refuses.
    pub(super) fn with_stored_widths(&self, folder: &Path) -> Option<Result<TuningSpec>> {
        let run = Run::open(folder).ok()?;
        let lines = run.manifest.identity.get(SPACE)?;
        let mut space = Space::parse(lines, "the space", None).ok()?;
        let now = self.widths.text();
        // Older runs do not say how theirs were found.
        let there = run.ledger.kept(WIDTHS).ok()?.unwrap_or_else(|| now.clone());
        if there != now {
            let differences = vec![format!("--widths {there} there, --widths {now} now")];
            let path = folder.to_owned();
            return Some(Err(LedgerError::OtherSpec { path, differences }.into()));
        }
        let without_widths = |space: &Space| -> Vec<Parameter> {
            let parameters = space.parameters.iter().cloned();
            let without_width = |parameter| Parameter {
                c_end: 0.0,
                ..parameter
            };
            parameters.map(without_width).collect()
        };
        if without_widths(&space) != without_widths(&self.space) {
            space = self.space.clone();
        }
        Some(Ok(TuningSpec {
            space,
            widths: Widths::Given,
            ..self.clone()
        }))
    }

    /// Keeps how the widths of a run that begins were found.
    pub(super) fn keep_widths(&self, ledger: &mut Ledger) -> Result<()> {
        if ledger.kept(WIDTHS)?.is_none() && ledger.finished()?.is_empty() {
            ledger.keep(WIDTHS, &self.widths.text())?;
        }
        Ok(())
    }

    /// This with the width of every parameter at which the values on either side of the start, in this parameter alone, have the player
    /// choose other moves in `share` of the built-in positions.
    pub(super) fn with_measured_widths<P: Searchable>(
        &self,
        share: f64,
        options: &RunOptions,
        session: &mut Session<'_, P>,
    ) -> Result<TuningSpec> {
        let (programs, interrupt) = (session.programs(), session.interrupt().clone());
        let mut spec = self.clone();
        spec.widths = Widths::Given;
        spec.games.conditions.node_jitter_percent = 0;
        let seat = &mut spec.games.seats[0];
        seat.limit = of_one_move(seat.limit);
        if seat.player.config().is_some() {
            spec.games.conditions.hash_mib = HASH_MIB;
        }
        let measurement = Measurement {
            spec: &spec,
            share,
            positions: built_in_nodes::<P>()
                .openings
                .iter()
                .map(Opening::position)
                .collect(),
            programs: &programs,
            interrupt: &interrupt,
        };
        let space = match measurement.space(&options.executor()?, session) {
            // It is no game that it lost.
            Err(ExperimentError::Engine { message, .. }) => {
                programs.faults.take();
                let line = format!("warning: no widths can be measured, those given are kept: {message}");
                tell(session, line)?;
                self.space.clone()
            }
            measured => measured?,
        };
        Ok(TuningSpec {
            space,
            widths: Widths::Given,
            ..self.clone()
        })
    }
}

fn tell<P>(session: &mut Session<'_, P>, line: String) -> Result<()> {
    Ok(session.on_event(RunEvent::Line(line))?)
}

/// A limit of as much time for one move as it gives for a move of a game.
fn of_one_move(limit: MoveLimit) -> MoveLimit {
    let MoveLimit::Clock(clock) = limit else {
        return limit;
    };
    let ClockLimit {
        base_ms,
        period_moves,
        increment_ms,
        byoyomi_ms,
    } = clock;
    let moves = if period_moves == 0 {
        CLOCK_MOVES
    } else {
        u64::from(period_moves)
    };
    MoveLimit::MoveTimeMs((base_ms / moves + increment_ms + byoyomi_ms).max(1))
}

fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 100.0 => format!("{seconds:.1} s"),
        seconds => format!("{:.0} minutes", seconds / 60.0),
    }
}

fn told(before: &Space, after: &Space, time: Duration) -> String {
    let both = before.parameters.iter().zip(&after.parameters);
    let changed = both.filter(|(before, after)| before.c_end != after.c_end);
    let mut changes: Vec<String> = changed
        .map(|(before, after)| format!("{} {} -> {}", before.name, before.c_end, after.c_end))
        .collect();
    let more = changes.len().saturating_sub(NAMED_MAX);
    changes.truncate(NAMED_MAX);
    if more > 0 {
        changes.push(format!("and {more} more, in run.toml"));
    }
    let changes = if changes.is_empty() {
        "none changed".to_owned()
    } else {
        changes.join(", ")
    };
    format!("widths measured in {}: {changes}", duration(time))
}

/// Players of one worker, kept from parameter to parameter.
type Sides<P> = Option<[Box<dyn Player<P>>; 2]>;

struct Measurement<'a, P> {
    spec: &'a TuningSpec,
    share: f64,
    positions: Vec<P>,
    programs: &'a ExternalEngines,
    interrupt: &'a Interrupt,
}

impl<P: Searchable> Measurement<'_, P> {
    fn space(&self, executor: &LocalExecutor, session: &mut Session<'_, P>) -> Result<Space> {
        let parameters = &self.spec.space.parameters;
        let (begun, start) = (Instant::now(), self.spec.space.start());
        let noise = executor
            .pool
            .install(|| self.differing(&mut None, [&start, &start]))?;
        let workers = executor.pool.current_num_threads().min(parameters.len());
        let searches = ROUNDS * 2 * self.positions.len() * parameters.len();
        let of_one = begun.elapsed() / (2 * self.positions.len().max(1)) as u32;
        let time = duration(of_one.mul_f64(searches as f64 / workers.max(1) as f64));
        let line = format!(
            "measuring widths of {}: at most {searches} searches, about {time} with {workers} workers, as much \
             as {:.0} games; --widths given skips this",
            plural(parameters.len() as u64, "parameter"),
            searches as f64 / PLIES
        );
        tell(session, line)?;
        if noise > NOISE_MAX {
            let percent = 100.0 * noise;
            let line = format!(
                "warning: {percent:.0} % of the moves differ when nothing is changed, so no widths can be measured; those given are kept"
            );
            tell(session, line)?;
            return Ok(self.spec.space.clone());
        }
        let next = AtomicUsize::new(0);
        let measured = executor.pool.broadcast(|_| {
            let (mut players, mut found) = (None, Vec::new());
            while let index = next.fetch_add(1, Ordering::Relaxed)
                && let Some(parameter) = parameters.get(index)
            {
                found.push((index, self.width(parameter, noise, &mut players)?));
            }
            Ok(found)
        });
        let measured = measured.into_iter().collect::<Result<Vec<_>>>()?;
        let mut space = self.spec.space.clone();
        let mut idle: Vec<&str> = Vec::new();
        for (index, width) in measured.into_iter().flatten() {
            match width {
                Some(width) => space.parameters[index].c_end = width,
                None => idle.push(&parameters[index].name),
            }
        }
        tell(session, told(&self.spec.space, &space, begun.elapsed()))?;
        if !idle.is_empty() {
            idle.sort_unstable();
            let line = format!(
                "warning: no move changes by {}; widths stay as given there",
                idle.join(", ")
            );
            tell(session, line)?;
        }
        Ok(space)
    }

    /// The width of `parameter`; `None` if it changes no move, wide as it may be.
    fn width(&self, parameter: &Parameter, noise: f64, players: &mut Sides<P>) -> Result<Option<f64>> {
        // Beyond the nearer end of the range one side would stand still, and a method may begin with twice the width.
        let room = 0.5 * (parameter.start - parameter.min).min(parameter.max - parameter.start);
        let share_of_range = RANGE_SHARE_MAX * (parameter.max - parameter.min);
        let least = match parameter.kind {
            ValueKind::Integer => WIDTH_MIN,
            ValueKind::Real => 1e-6 * share_of_range,
        };
        let greatest = share_of_range.min(room.max(parameter.c_end)).max(least);
        let mut width = parameter.c_end.clamp(least, greatest);
        let mut changes_something = false;
        let side = |width: f64| -> Vec<f64> {
            let parameters = self.spec.space.parameters.iter();
            let moved = |other: &Parameter| match other.name == parameter.name {
                true => other.start + width,
                false => other.start,
            };
            parameters.map(moved).collect()
        };
        for _ in 0..ROUNDS {
            let differing = self.differing(players, [&side(width), &side(-width)])?;
            let share = ((differing - noise) / (1.0 - noise)).max(0.0);
            changes_something |= share > 0.0;
            let factor = self.share / share.max(1e-9);
            if (1.0 / NEAR..=NEAR).contains(&factor) {
                break;
            }
            let factor = factor.clamp(1.0 / FACTOR_MAX, FACTOR_MAX).powf(0.7);
            width = (width * factor).clamp(least, greatest);
        }
        Ok(changes_something.then(|| rounded_width(width)))
    }

    /// The share of the positions where the two sides move otherwise.
    fn differing(&self, kept: &mut Sides<P>, values: [&[f64]; 2]) -> Result<f64> {
        let [one, other] = kept.take().map_or([None, None], |sides| sides.map(Some));
        let mut plus = self.seated(one, values[0], PlayerId::A)?;
        let mut minus = self.seated(other, values[1], PlayerId::B)?;
        let mut differing = 0;
        for position in &self.positions {
            let actions = [
                self.action(&mut *plus, position)?,
                self.action(&mut *minus, position)?,
            ];
            differing += usize::from(actions[0] != actions[1]);
        }
        *kept = Some([plus, minus]);
        Ok(differing as f64 / self.positions.len().max(1) as f64)
    }

    fn seated(
        &self,
        kept: Option<Box<dyn Player<P>>>,
        values: &[f64],
        id: PlayerId,
    ) -> Result<Box<dyn Player<P>>> {
        let seat = self.spec.seat(values)?;
        let process = seat.player.process();
        let options = process.map_or(&[][..], |process| &process.options);
        let kept = kept.and_then(|mut player| player.set_options(options).then_some(player));
        let conditions = &self.spec.games.conditions;
        Ok(kept.unwrap_or_else(|| seating::player(conditions, &seat, id, self.programs, self.interrupt)))
    }

    fn action(&self, player: &mut dyn Player<P>, position: &P) -> Result<Action<P::Move>> {
        player.new_game(position, 0);
        let thought = player.think(position, &game::Path::new(position), &Clocks::default());
        match thought.map(|thought| thought.action) {
            Some(Action::Move(mv)) if position.is_pseudo_legal(mv) && position.is_legal(mv) => {
                Ok(Action::Move(mv))
            }
            Some(action @ (Action::Resign | Action::Declare)) => Ok(action),
            Some(_) => Err(ExperimentError::Engine {
                label: self.spec.label().to_owned(),
                message: self.fault(),
            }),
            None => Err(match (player.environment_error(), self.interrupt.signal()) {
                (Some(error), _) => error.into(),
                (None, Some(signal)) => ExperimentError::Stopped(signal),
                (None, None) => ExperimentError::Input("interrupted while widths were measured".to_owned()),
            }),
        }
    }

    fn fault(&self) -> String {
        let faults = self.programs.faults.counts().into_iter();
        let mut words =
            faults.map(|((label, reason), count)| format!("{label}: {}: {}", reason.name(), count.example));
        words.next().unwrap_or_else(|| "an engine is at fault".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_has_three_digits() {
        let widths = [443.14, 0.51234, 12345.0, 0.000_123_45, 1.0, 572.0];
        assert_eq!(
            widths.map(rounded_width),
            [443.0, 0.512, 12300.0, 0.000_123, 1.0, 572.0]
        );
    }

    #[test]
    fn a_clock_gives_a_move_its_share() {
        let clock = |period_moves| ClockLimit {
            base_ms: 8000,
            period_moves,
            increment_ms: 50,
            byoyomi_ms: 0,
        };
        let limits = [0, 20].map(|moves| of_one_move(MoveLimit::Clock(clock(moves))));
        assert_eq!(limits, [MoveLimit::MoveTimeMs(250), MoveLimit::MoveTimeMs(450)]);
        assert_eq!(of_one_move(MoveLimit::Nodes(7)), MoveLimit::Nodes(7));
    }
}
