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

const ROUNDS: u32 = 6;
const FACTOR_MAX: f64 = 3.0;
const RANGE_SHARE_MAX: f64 = 0.25;
const WIDTH_MIN: f64 = 0.5;
/// The searches are short and forget everything between two positions.
const HASH_MIB: usize = 1;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensitivity {
    pub share: f64,
    pub nodes: u64,
}

impl Sensitivity {
    /// `space` with the widths at which each parameter, moved alone by its width either way from `config`, changes the wanted share of
    /// the moves in `positions`. The widths are those of the space where a parameter changes nothing at all.
    pub fn widen<P: Searchable>(
        &self,
        space: &Space,
        config: &Config,
        positions: &[P],
    ) -> Result<Space, SettingError> {
        let widths = space.parameters.par_iter().map(|parameter| {
            let mut width = parameter.c_end;
            // Beyond the nearer end of the range one side would stand still.
            let room = (parameter.start - parameter.min).min(parameter.max - parameter.start);
            let share_of_range = RANGE_SHARE_MAX * (parameter.max - parameter.min);
            let greatest = share_of_range.min(room.max(parameter.c_end)).max(WIDTH_MIN);
            let mut changes_something = false;
            for _ in 0..ROUNDS {
                let share = self.changed::<P>(parameter, width, config, positions)?;
                changes_something |= share > 0.0;
                let factor = (self.share / share.max(1e-9)).clamp(1.0 / FACTOR_MAX, FACTOR_MAX);
                width = (width * factor.powf(0.7)).clamp(WIDTH_MIN, greatest);
            }
            Ok(if changes_something {
                (10.0 * width).round() / 10.0
            } else {
                parameter.c_end
            })
        });
        let widths: Vec<f64> = widths.collect::<Result<_, SettingError>>()?;
        Ok(space.with_widths(&widths))
    }

    fn changed<P: Searchable>(
        &self,
        parameter: &Parameter,
        width: f64,
        config: &Config,
        positions: &[P],
    ) -> Result<f64, SettingError> {
        let side = |sign: f64| -> Result<Searcher<P>, SettingError> {
            let mut config = config.clone();
            let text = parameter.text(parameter.start + sign * width);
            config.set(P::GAME, &parameter.name, &text)?;
            Ok(Searcher::new(&config, HASH_MIB))
        };
        let mut sides = [side(1.0)?, side(-1.0)?];
        let limits = Limits {
            nodes_max: Some(self.nodes),
            ..Limits::default()
        };
        let differing = positions.iter().filter(|&position| {
            let [plus, minus] = &mut sides;
            let [plus, minus] = [plus, minus].map(|searcher| {
                searcher.new_game();
                searcher
                    .search(position, &Path::new(position), &limits, &mut Silent)
                    .best
            });
            plus != minus
        });
        Ok(differing.count() as f64 / positions.len().max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::{Opening, built_in_nodes};
    use tanren_engine::shogi::Board;

    #[test]
    fn a_parameter_that_changes_little_gets_a_greater_width_than_one_that_changes_much() {
        let openings = built_in_nodes().openings;
        let positions: Vec<Board> = openings.iter().take(12).map(Opening::position).collect();
        let lines = "eval.hand.rook, 1040, 0, 2500, 10, 0.002\neval.gold, 540, 0, 2500, 10, 0.002\n";
        let space = Space::parse(lines, "s").unwrap();
        let sensitivity = Sensitivity {
            share: 0.3,
            nodes: 200,
        };
        let wide = sensitivity.widen(&space, &Config::default(), &positions).unwrap();
        assert_eq!(
            wide,
            sensitivity.widen(&space, &Config::default(), &positions).unwrap()
        );
        for (before, after) in space.parameters.iter().zip(&wide.parameters) {
            assert_eq!(before.name, after.name);
            assert!((0.5..=625.0).contains(&after.c_end), "{after:?}");
        }
        assert_ne!(wide, space);
    }
}
