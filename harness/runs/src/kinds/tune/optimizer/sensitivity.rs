//! Widths by how much a parameter changes play.
//!
//! What a step is worth in Elo takes thousands of games for each parameter. How often it changes the best move takes a few
//! hundred searches, and parameters whose steps change play equally often perturb the games about equally.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Path;
use tanren_engine::search::{Searchable, Searcher, Silent};
use tanren_engine::time::Limits;

use super::{Parameter, Space};
use crate::config::MoveLimit;
use crate::kinds::tune::TuningSpec;
use crate::openings::Opening;
use crate::session::error::{ExperimentError, Result};
use crate::session::openings::load_positions;
use crate::session::options::RunOptions;

const ROUNDS: u32 = 6;
const FACTOR_MAX: f64 = 3.0;
const RANGE_SHARE_MAX: f64 = 0.25;
const WIDTH_MIN: f64 = 0.5;
/// The searches are short and forget everything between two positions.
const HASH_MIB: usize = 1;

/// `spec` with the widths at which each parameter, moved alone by its width either way, changes `share` of the moves in the built-in
/// positions. A parameter that changes nothing at all keeps its width.
pub fn widened<P: Searchable>(spec: &TuningSpec, share: f64, options: &RunOptions) -> Result<TuningSpec> {
    if !(share > 0.0 && share < 1.0) {
        return Err(ExperimentError::Input(format!(
            "--auto-c is {share}, but must be above 0 and below 1"
        )));
    }
    let MoveLimit::Nodes(nodes) = spec.games.seats[0].limit else {
        return Err(ExperimentError::Input("--auto-c needs a node limit".to_owned()));
    };
    let suite = load_positions::<P>(None)?;
    let measured = Sensitivity {
        share,
        nodes,
        config: spec.games.seats[0].player.builtin()?,
        positions: suite.openings.iter().map(Opening::position).collect(),
    };
    let executor = options.executor()?;
    let space = executor.pool.install(|| measured.widen(&spec.space));
    Ok(TuningSpec {
        space: space.map_err(|error| ExperimentError::Input(error.to_string()))?,
        auto_width: None,
        ..spec.clone()
    })
}

struct Sensitivity<'a, P> {
    share: f64,
    nodes: u64,
    config: &'a Config,
    positions: Vec<P>,
}

impl<P: Searchable> Sensitivity<'_, P> {
    fn widen(&self, space: &Space) -> Result<Space, SettingError> {
        let widened = space.parameters.par_iter().map(|parameter| {
            let mut width = parameter.c_end;
            // Beyond the nearer end of the range one side would stand still.
            let room = (parameter.start - parameter.min).min(parameter.max - parameter.start);
            let share_of_range = RANGE_SHARE_MAX * (parameter.max - parameter.min);
            let greatest = share_of_range.min(room.max(parameter.c_end)).max(WIDTH_MIN);
            let mut changes_something = false;
            for _ in 0..ROUNDS {
                let share = self.changed(parameter, width)?;
                changes_something |= share > 0.0;
                let factor = (self.share / share.max(1e-9)).clamp(1.0 / FACTOR_MAX, FACTOR_MAX);
                width = (width * factor.powf(0.7)).clamp(WIDTH_MIN, greatest);
            }
            let mut parameter = parameter.clone();
            if changes_something {
                parameter.c_end = (10.0 * width).round() / 10.0;
            }
            Ok(parameter)
        });
        let parameters = widened.collect::<Result<_, SettingError>>()?;
        Ok(Space { parameters })
    }

    fn changed(&self, parameter: &Parameter, width: f64) -> Result<f64, SettingError> {
        let side = |sign: f64| -> Result<Searcher<P>, SettingError> {
            let mut config = self.config.clone();
            let text = parameter.text(parameter.start + sign * width);
            config.set(P::GAME, &parameter.name, &text)?;
            Ok(Searcher::new(&config, HASH_MIB))
        };
        let mut sides = [side(1.0)?, side(-1.0)?];
        let limits = Limits {
            nodes_max: Some(self.nodes),
            ..Limits::default()
        };
        let differing = self.positions.iter().filter(|&position| {
            let [plus, minus] = sides.each_mut().map(|searcher| {
                searcher.new_game();
                let path = Path::new(position);
                searcher.search(position, &path, &limits, &mut Silent).best
            });
            plus != minus
        });
        Ok(differing.count() as f64 / self.positions.len().max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::built_in_nodes;
    use tanren_engine::shogi::Board;

    #[test]
    fn widths_are_measured_within_the_range_and_the_same_each_time() {
        let openings = built_in_nodes().openings;
        let measured = Sensitivity::<Board> {
            share: 0.3,
            nodes: 200,
            config: &Config::default(),
            positions: openings.iter().take(12).map(Opening::position).collect(),
        };
        let lines = "eval.hand.rook, 1040, 0, 2500, 10, 0.002\neval.gold, 540, 0, 2500, 10, 0.002\n";
        let space = Space::parse(lines, "s", None).unwrap();
        let wide = measured.widen(&space).unwrap();
        assert_eq!(wide, measured.widen(&space).unwrap());
        for (before, after) in space.parameters.iter().zip(&wide.parameters) {
            assert_eq!(before.name, after.name);
            assert!((0.5..=625.0).contains(&after.c_end), "{after:?}");
        }
        assert_ne!(wide, space);
    }
}
