//! The weights of a configuration, expanded over the number of pieces once.
//!
//! Integers alone: a weight is in 160ths of a centipawn, so that tenths are whole and a sixteenth of a tenth is left for the line between.

use super::count::Wanted;
use super::feature::{FEATURES, Feature};
use crate::config::{Config, PiecesLine};

/// A centipawn in the unit of the weights.
pub(super) const CENTIPAWN: i32 = 160;
const TENTH: i32 = CENTIPAWN / 10;
/// Men on the board at the start of a game.
pub(super) const MEN: usize = 32;

/// The weight of each feature.
pub(super) type Row = [i32; FEATURES];

/// By number of pieces on the board.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    rows: Box<[Row; MEN + 1]>,
    pub(super) wanted: Wanted,
}

impl Weights {
    pub(super) fn new(config: &Config) -> Self {
        let mut rows = Box::new([[0; FEATURES]; MEN + 1]);
        for (index, feature) in Feature::ALL.into_iter().enumerate() {
            let (line, unit) = line_of(config, feature);
            let phase = [config.chess.phase_opening, config.chess.phase_ending];
            for (pieces, row) in rows.iter_mut().enumerate() {
                row[index] = at(line, unit, phase, pieces as i32);
            }
        }
        let weighs = |from: Feature, to: Feature| {
            let range = from as usize..=to as usize;
            rows.iter()
                .any(|row| row[range.clone()].iter().any(|&weight| weight != 0))
        };
        let both = weighs(Feature::PassedAdvanceFree, Feature::PassedAdvanceFree)
            || weighs(Feature::ThreatWeak, Feature::Unstoppable);
        Weights {
            wanted: Wanted {
                pawns: weighs(Feature::Passed, Feature::Isolated)
                    || weighs(Feature::SemiOpen, Feature::OpenFile)
                    || weighs(Feature::PassedAdvance, Feature::KingFiles)
                    || weighs(Feature::PassedSafe, Feature::PassedKings)
                    || weighs(Feature::Unstoppable, Feature::Unstoppable),
                safety: weighs(Feature::EarlyQueen, Feature::Shield),
                attacks: both
                    || weighs(Feature::MobilityPawn, Feature::KingAttackKing)
                    || weighs(Feature::ThreatPawn, Feature::KingAttackers),
                both,
            },
            rows,
        }
    }

    /// What features are worth with so many `pieces` on the board.
    #[inline]
    pub(super) fn row(&self, pieces: usize) -> &Row {
        &self.rows[pieces.min(MEN)]
    }
}

/// The value of `line`, which is in `unit`s, with so many `pieces`: the opening value with `most` and more, the ending value with `least` and fewer, a
/// straight line between.
fn at(line: PiecesLine, unit: i32, [most, least]: [i32; 2], pieces: i32) -> i32 {
    let (opening, ending) = (line.opening * unit, line.ending * unit);
    if pieces <= least {
        ending
    } else if pieces >= most {
        opening
    } else {
        (ending * (most - pieces) + opening * (pieces - least)) / (most - least)
    }
}

/// The line of a feature, all zero if its term is switched off, and the unit of its values.
fn line_of(config: &Config, feature: Feature) -> (PiecesLine, i32) {
    let w = &config.chess;
    let (line, unit) = match feature {
        Feature::BishopPair => {
            let line = PiecesLine {
                opening: w.bishop_pair,
                ending: w.bishop_pair_ending,
            };
            (line, CENTIPAWN)
        }
        _ => (config.chess_terms.line(feature.name()).unwrap_or_default(), TENTH),
    };
    // The switch of `eval.mobility.pawn` is `eval.mobility`; the pair of bishops has none.
    let technique = feature
        .name()
        .match_indices('.')
        .nth(1)
        .map_or(feature.name(), |(at, _)| &feature.name()[..at]);
    if feature != Feature::BishopPair && w.number(technique) == Some(0) {
        return (PiecesLine::default(), unit);
    }
    (line, unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn a_weight_is_flat_at_both_ends_and_straight_between_in_tenths() {
        let mut config = Config::default();
        let set = |config: &mut Config, values: [(&str, &str); 2]| {
            for (name, value) in values {
                config.set(Game::Chess, name, value).unwrap();
            }
        };
        set(
            &mut config,
            [("eval.passed.opening", "226"), ("eval.passed.ending", "453")],
        );
        let passed =
            |config: &Config, pieces: usize| Weights::new(config).rows[pieces][Feature::Passed as usize];
        // Flat up to 14 pieces, straight up to 32: with 23 it is half of 22.6 and half of 45.3, 33.95 centipawns.
        assert_eq!(
            [2, 14, 23, 32].map(|pieces| passed(&config, pieces)),
            [453 * TENTH, 453 * TENTH, 5432, 226 * TENTH]
        );
        assert_eq!(5432 * 100 / CENTIPAWN, 3395);
        // Sayuri's later program: 24 and 2.
        set(
            &mut config,
            [("eval.phase.opening", "24"), ("eval.phase.ending", "2")],
        );
        assert_eq!(
            [2, 13, 24, 32].map(|pieces| passed(&config, pieces)),
            [7248, 5432, 3616, 3616]
        );
        config.chess.passed = false;
        assert_eq!(passed(&config, 14), 0);
    }
}
