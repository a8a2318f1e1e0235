//! Ratings of many players: results by pairing in, Elo with covariance out.
//!
//! The model is Bradley–Terry with draws (Davidson 1970) and an advantage of moving first (Davidson & Beaver 1977): with
//! `d = theta_first - theta_second + eta` the results win, draw, loss of the first mover have weights `e^(d/2)`, `nu`, `e^(-d/2)`.
//! Fitted by maximum likelihood (concave, Newton's method), covariance from the observed information. Shown as Elo
//! `d · 400/ln 10 · 2/(2 + nu)`, so that between near equals it is the Elo of the expected score.
//!
//! A rating is finite only among players who can be compared both ways: from each, a chain of "did not lose every game to"
//! must lead to each other one. Such a *pool* has ratings of its own; between pools there is no finite difference, and none is
//! made up. The two global parameters carry a normal prior of ten logarithmic units, for games that do not determine them.

use super::davidson::{Model, PairedGames, Pairing};
use super::elo::Estimate;
use super::normal;
use super::pools::pools;
use std::f64::consts::LN_10;
use thiserror::Error;

/// Why no ratings can be computed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RatingsError {
    /// An index beyond the players.
    #[error("pairing {pairing} names player {player}, but there are only {players} players")]
    UnknownPlayer {
        /// Index of the pairing.
        pairing: usize,
        /// Index named.
        player: usize,
        /// Number of players.
        players: usize,
    },
    /// A player against itself.
    #[error("pairing {pairing} lets player {player} play itself")]
    SelfPlay {
        /// Index of the pairing.
        pairing: usize,
        /// Index named.
        player: usize,
    },
    /// The likelihood could not be maximised.
    #[error("the ratings did not converge; the results are too one-sided for this model")]
    NotConverged,
}

/// Fitted ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    pools: Vec<Vec<usize>>,
    pool_of: Vec<usize>,
    /// Natural strengths, mean 0 in each pool, then `eta`, then `ln nu`.
    parameters: Vec<f64>,
    /// Covariance of the parameters, row by row, in the gauge where each pool's first player is fixed.
    covariance: Vec<f64>,
    has_draws: bool,
}

impl Ratings {
    /// Fits the model to all pairings of `players` players, given in any order and as often as one likes.
    ///
    /// # Errors
    /// A pairing of unknown players or of a player with itself; no convergence.
    pub fn fit(players: usize, pairings: &[Pairing]) -> Result<Ratings, RatingsError> {
        for (pairing, games) in pairings.iter().enumerate() {
            for player in [games.first, games.second] {
                if player >= players {
                    return Err(RatingsError::UnknownPlayer {
                        pairing,
                        player,
                        players,
                    });
                }
            }
            if games.first == games.second {
                return Err(RatingsError::SelfPlay {
                    pairing,
                    player: games.first,
                });
            }
        }
        let (pools, pool_of) = pools(players, pairings);
        // Between pools one side won everything: at the maximum those games have probability 1 and say nothing more.
        let within: Vec<Pairing> = pairings
            .iter()
            .filter(|games| pool_of[games.first] == pool_of[games.second])
            .copied()
            .collect();
        let has_draws = within.iter().any(|games| games.draws > 0);
        let model = Model {
            players,
            pools: &pools,
            pairings: &within,
            has_draws,
        };
        let (mut parameters, covariance) = model.maximise().ok_or(RatingsError::NotConverged)?;
        for pool in &pools {
            let mean = pool.iter().map(|&player| parameters[player]).sum::<f64>() / pool.len() as f64;
            for &player in pool {
                parameters[player] -= mean;
            }
        }
        Ok(Ratings {
            pools,
            pool_of,
            parameters,
            covariance,
            has_draws,
        })
    }

    /// The same ratings from opening pairs, with a covariance that holds however the two games of a pair depend on each other: sharp
    /// openings make pairs scatter less than two games of the model would.
    ///
    /// # Errors
    /// As [`Ratings::fit`].
    pub fn fit_pairs(players: usize, paired: &[PairedGames]) -> Result<Ratings, RatingsError> {
        let pairings: Vec<Pairing> = paired.iter().flat_map(PairedGames::pairings).collect();
        let mut ratings = Ratings::fit(players, &pairings)?;
        let pool_of = &ratings.pool_of;
        let within = |games: &&PairedGames| pool_of[games.a] == pool_of[games.b];
        let within: Vec<PairedGames> = paired.iter().filter(within).copied().collect();
        let model = Model {
            players,
            pools: &ratings.pools,
            pairings: &[],
            has_draws: ratings.has_draws,
        };
        if !within.is_empty() {
            ratings.covariance = model.robust_covariance(&ratings.parameters, &ratings.covariance, &within);
        }
        Ok(ratings)
    }

    /// The pools, each a list of player indices; one pool if all players can be compared.
    pub fn pools(&self) -> &[Vec<usize>] {
        &self.pools
    }

    /// Elo of a player against the mean of its pool, with its interval; `None`: no such player, or alone in its pool.
    pub fn rating(&self, player: usize, confidence: f64) -> Option<Estimate> {
        let pool = &self.pools[*self.pool_of.get(player)?];
        if pool.len() < 2 {
            return None;
        }
        let mut contrast = vec![0.0; self.parameters.len()];
        for &other in pool {
            contrast[other] = -1.0 / pool.len() as f64;
        }
        contrast[player] += 1.0;
        Some(self.estimate(&contrast, confidence))
    }

    /// Elo of `player` minus that of `other`, with its interval; `None`: different pools, or no such player.
    pub fn difference(&self, player: usize, other: usize, confidence: f64) -> Option<Estimate> {
        self.difference_contrast(player, other)
            .map(|contrast| self.estimate(&contrast, confidence))
    }

    /// The probability that an equal player would have come out lower beside `other` than `player` did; `None` as for
    /// [`Ratings::difference`].
    pub fn los(&self, player: usize, other: usize) -> Option<f64> {
        let (value, error) = self.value_and_error(&self.difference_contrast(player, other)?);
        Some(if error > 0.0 {
            normal::cdf(value / error)
        } else {
            0.5
        })
    }

    /// Elo of moving first, with its interval; `None` if no pool has any game.
    pub fn first_move_advantage(&self, confidence: f64) -> Option<Estimate> {
        if self.pools.iter().all(|pool| pool.len() < 2) {
            return None;
        }
        let mut contrast = vec![0.0; self.parameters.len()];
        contrast[self.pool_of.len()] = 1.0;
        Some(self.estimate(&contrast, confidence))
    }

    /// Probability of a draw between equals of whom none has the advantage of moving first: `nu / (2 + nu)`.
    pub fn draw_ratio(&self) -> f64 {
        let nu = self.nu();
        nu / (2.0 + nu)
    }

    fn nu(&self) -> f64 {
        if self.has_draws {
            self.parameters[self.pool_of.len() + 1].exp()
        } else {
            0.0
        }
    }

    fn difference_contrast(&self, player: usize, other: usize) -> Option<Vec<f64>> {
        if self.pool_of.get(player)? != self.pool_of.get(other)? {
            return None;
        }
        let mut contrast = vec![0.0; self.parameters.len()];
        contrast[player] += 1.0;
        contrast[other] -= 1.0;
        Some(contrast)
    }

    fn estimate(&self, contrast: &[f64], confidence: f64) -> Estimate {
        let (value, error) = self.value_and_error(contrast);
        let half_width = normal::two_sided_z(confidence) * error;
        Estimate {
            value: Some(value),
            low: Some(value - half_width),
            high: Some(value + half_width),
        }
    }

    /// Elo of a linear combination of the parameters and its standard error, the scale's own uncertainty included.
    fn value_and_error(&self, contrast: &[f64]) -> (f64, f64) {
        let natural: f64 = contrast.iter().zip(&self.parameters).map(|(c, p)| c * p).sum();
        let nu = self.nu();
        let scale = 400.0 / LN_10 * 2.0 / (2.0 + nu);
        let mut gradient: Vec<f64> = contrast.iter().map(|c| c * scale).collect();
        if let Some(last) = gradient.last_mut() {
            *last -= natural * scale * nu / (2.0 + nu);
        }
        let size = gradient.len();
        let variance: f64 = (0..size)
            .map(|i| {
                let row = &self.covariance[i * size..(i + 1) * size];
                gradient[i] * row.iter().zip(&gradient).map(|(v, g)| v * g).sum::<f64>()
            })
            .sum();
        (natural * scale, variance.max(0.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::elo_of_score;
    use crate::pair_model::PairModel;
    use crate::random::Random;
    use crate::sprt::EloModel;
    use proptest::prelude::*;

    fn pairing(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Pairing {
        Pairing {
            first,
            second,
            wins,
            draws,
            losses,
        }
    }

    /// Both colours of a match in which moving first made no difference, from the view of `a`.
    fn both_colours(a: usize, b: usize, [wins, draws, losses]: [u64; 3]) -> [Pairing; 2] {
        [
            pairing(a, b, [wins, draws, losses]),
            pairing(b, a, [losses, draws, wins]),
        ]
    }

    #[test]
    fn two_players_without_draws_differ_by_the_logarithm_of_their_wins() {
        let ratings = Ratings::fit(2, &both_colours(0, 1, [60, 0, 20])).unwrap();
        let difference = ratings.difference(0, 1, 0.95).unwrap();
        let error = 400.0 / LN_10 * (1.0f64 / 120.0 + 1.0 / 40.0).sqrt();
        let half_width = 0.5 * (difference.high.unwrap() - difference.low.unwrap());
        assert!((half_width - 1.959_964 * error).abs() < 1e-3, "{half_width}");
        assert!((difference.value.unwrap() - 400.0 * 3f64.log10()).abs() < 1e-6);
        assert!((ratings.rating(0, 0.95).unwrap().value.unwrap() - 200.0 * 3f64.log10()).abs() < 1e-6);
    }

    #[test]
    fn draws_are_fitted_and_the_scale_is_that_of_the_score() {
        let ratings = Ratings::fit(2, &both_colours(0, 1, [60, 30, 30])).unwrap();
        // e^d = 60/30 and nu = (draws/wins) e^(d/2).
        let nu = 0.5 * 2f64.sqrt();
        assert!((ratings.draw_ratio() - nu / (2.0 + nu)).abs() < 1e-3);
        let value = |ratings: Ratings| ratings.difference(0, 1, 0.95).unwrap().value.unwrap();
        assert!((value(ratings) - 400.0 * 2f64.log10() * 2.0 / (2.0 + nu)).abs() < 0.05);
        let close = Ratings::fit(2, &both_colours(0, 1, [510, 1000, 490])).unwrap();
        assert!((value(close) - elo_of_score(0.505).unwrap()).abs() < 1e-2);
    }

    #[test]
    fn a_first_mover_who_wins_three_of_four_is_191_elo_ahead() {
        let games = |first, second| pairing(first, second, [75, 0, 25]);
        let ratings = Ratings::fit(2, &[games(0, 1), games(1, 0)]).unwrap();
        let advantage = ratings.first_move_advantage(0.95).unwrap();
        assert!((advantage.value.unwrap() - 190.8485).abs() < 0.1, "{advantage:?}");
        assert!(ratings.difference(0, 1, 0.95).unwrap().value.unwrap().abs() < 1e-6);
        assert!(ratings.difference(0, 1, 0.95).unwrap().value.unwrap().abs() < 1e-4);
    }

    #[test]
    fn players_who_cannot_be_compared_are_put_in_pools_of_their_own() {
        let mut games = both_colours(0, 1, [5, 2, 3]).to_vec();
        games.extend(both_colours(2, 3, [4, 0, 4]));
        // Player 4 beat 0 always, player 5 played nobody.
        games.extend(both_colours(4, 0, [9, 0, 0]));
        let ratings = Ratings::fit(6, &games).unwrap();
        assert_eq!(ratings.pools(), [vec![0, 1], vec![2, 3], vec![4], vec![5]]);
        assert_eq!(ratings.difference(0, 2, 0.95), None);
        assert_eq!(ratings.difference(4, 0, 0.95), None);
        assert_eq!(ratings.rating(5, 0.95), None);
        assert_eq!(ratings.difference(0, 9, 0.95), None);
        assert!(ratings.difference(0, 1, 0.95).is_some() && ratings.rating(3, 0.95).is_some());
    }

    #[test]
    fn a_ring_of_wins_is_one_pool_of_equals() {
        let ring: Vec<Pairing> = [(0, 1), (1, 2), (2, 0)]
            .into_iter()
            .flat_map(|(a, b)| both_colours(a, b, [3, 0, 0]))
            .collect();
        let ratings = Ratings::fit(3, &ring).unwrap();
        assert_eq!(ratings.pools().len(), 1);
        assert!(ratings.difference(0, 2, 0.95).unwrap().value.unwrap().abs() < 1e-4);
    }

    #[test]
    fn mistaken_pairings_are_refused() {
        let game = |first, second| pairing(first, second, [1, 0, 0]);
        let unknown = RatingsError::UnknownPlayer {
            pairing: 1,
            player: 2,
            players: 2,
        };
        assert_eq!(Ratings::fit(2, &[game(0, 1), game(0, 2)]), Err(unknown));
        assert_eq!(
            Ratings::fit(2, &[game(1, 1)]),
            Err(RatingsError::SelfPlay {
                pairing: 0,
                player: 1
            })
        );
        assert_eq!(Ratings::fit(0, &[]).unwrap().first_move_advantage(0.95), None);
    }

    /// A round robin of five players with known strengths in logarithmic units.
    fn simulated(random: &mut Random, strengths: &[f64], eta: f64, nu: f64, games: u64) -> Vec<Pairing> {
        let mut pairings = Vec::new();
        for first in 0..strengths.len() {
            for second in (0..strengths.len()).filter(|&second| second != first) {
                let d = strengths[first] - strengths[second] + eta;
                let weights = [(0.5 * d).exp(), nu, (-0.5 * d).exp()];
                let total: f64 = weights.iter().sum();
                let mut counts = [0; 3];
                for _ in 0..games {
                    let uniform = random.uniform() * total;
                    let result = if uniform < weights[0] {
                        0
                    } else {
                        1 + usize::from(uniform >= weights[0] + nu)
                    };
                    counts[result] += 1;
                }
                let [wins, draws, losses] = counts;
                pairings.push(pairing(first, second, [wins, draws, losses]));
            }
        }
        pairings
    }

    #[test]
    fn simulated_strengths_are_covered_about_as_often_as_promised() {
        let (strengths, eta, nu) = ([0.0, 0.2, -0.4, 0.9, 0.3], 0.25, 0.8);
        let scale = 400.0 / LN_10 * 2.0 / (2.0 + nu);
        let mut random = Random::long(3, 0);
        let (mut covered, mut advantage_covered, trials) = (0, 0, 200);
        for _ in 0..trials {
            let ratings = Ratings::fit(5, &simulated(&mut random, &strengths, eta, nu, 30)).unwrap();
            // Differences of one fit depend on each other; a single one a fit keeps the trials independent.
            let truth = (strengths[3] - strengths[2]) * scale;
            covered += u32::from(ratings.difference(3, 2, 0.95).unwrap().contains(truth));
            let advantage = ratings.first_move_advantage(0.95).unwrap();
            advantage_covered += u32::from(advantage.contains(eta * scale));
        }
        // 190 expected; four standard errors are 12.
        for hits in [covered, advantage_covered] {
            assert!((178..=trials).contains(&hits), "{hits}");
        }
    }

    /// A round robin of `strengths` in pairs whose openings favour the first mover by ± `bias` Elo, which it is not known for.
    fn paired(random: &mut Random, strengths: &[f64], bias: f64, pairs: u64) -> Vec<PairedGames> {
        let mut all = Vec::new();
        for a in 0..strengths.len() {
            for b in a + 1..strengths.len() {
                let models = [bias, -bias].map(|bias| {
                    let elo = strengths[a] - strengths[b];
                    PairModel::new(elo, EloModel::Logistic, 0.1, bias).unwrap()
                });
                let mut results = [[0; 3]; 3];
                for _ in 0..pairs {
                    let pair = models[random.below(2) as usize].draw(random);
                    results[pair.first as usize][pair.second as usize] += 1;
                }
                all.push(PairedGames { a, b, results });
            }
        }
        all
    }

    #[test]
    fn paired_games_are_rated_as_the_same_games_are_and_only_the_widths_differ() {
        let games = paired(&mut Random::long(1, 2), &[0.0, 30.0, -20.0], 250.0, 300);
        let pairings: Vec<Pairing> = games.iter().flat_map(PairedGames::pairings).collect();
        let (plain, robust) = (
            Ratings::fit(3, &pairings).unwrap(),
            Ratings::fit_pairs(3, &games).unwrap(),
        );
        let width = |ratings: &Ratings| {
            let difference = ratings.difference(1, 2, 0.95).unwrap();
            (
                difference.value.unwrap(),
                difference.high.unwrap() - difference.low.unwrap(),
            )
        };
        let ((one, wide), (two, narrow)) = (width(&plain), width(&robust));
        assert!((one - two).abs() < 1e-12);
        assert!(narrow < 0.85 * wide, "{narrow} {wide}");
        let los = robust.los(1, 2).unwrap();
        assert!(
            los > 0.99 && (los + robust.los(2, 1).unwrap() - 1.0).abs() < 1e-12,
            "{los}"
        );
    }

    #[test]
    fn the_interval_of_two_players_is_that_of_their_pairs() {
        let results = [[10, 3, 40], [4, 20, 6], [55, 5, 17]];
        let ratings = Ratings::fit_pairs(2, &[PairedGames { a: 0, b: 1, results }]).unwrap();
        let [mut pentanomial, mut all] = [[0; 5], [0; 5]];
        for (first, row) in results.iter().enumerate() {
            for (second, count) in row.iter().enumerate() {
                pentanomial[first + second] += count;
                all[first + second] += 1;
            }
        }
        assert_eq!(all, [1, 2, 3, 2, 1]);
        let of_pairs = crate::elo::elo(&crate::Sample::pairs(pentanomial), 0.95).unwrap();
        let rated = ratings.difference(0, 1, 0.95).unwrap();
        let width = |estimate: &Estimate| estimate.high.unwrap() - estimate.low.unwrap();
        assert!(
            (width(&rated) / width(&of_pairs) - 1.0).abs() < 0.03,
            "{rated:?} {of_pairs:?}"
        );
        assert!((rated.value.unwrap() - of_pairs.value.unwrap()).abs() < 1.0);
    }

    #[test]
    fn intervals_cover_as_promised_whatever_openings_are_worth() {
        let (strengths, trials) = ([0.0, 40.0, -30.0, 10.0], 300_usize);
        for bias in [0.0, 300.0] {
            let mut random = Random::long(5, bias as u64);
            let covered = (0..trials).filter(|_| {
                let ratings = Ratings::fit_pairs(4, &paired(&mut random, &strengths, bias, 60)).unwrap();
                ratings.difference(1, 2, 0.95).unwrap().contains(70.0)
            });
            // 285 expected; four standard errors are 15. Without pairs all but one or two are covered at 300 Elo.
            let covered = covered.count();
            assert!((270..=298).contains(&covered), "{bias}: {covered}");
        }
    }

    #[test]
    fn pairs_that_are_all_alike_do_not_pass_for_certainty() {
        let mut results = [[0; 3]; 3];
        (results[0][2], results[2][0]) = (4, 4);
        let ratings = Ratings::fit_pairs(2, &[PairedGames { a: 0, b: 1, results }]).unwrap();
        let difference = ratings.difference(0, 1, 0.95).unwrap();
        assert!(difference.high.unwrap() > 50.0, "{difference:?}");
    }

    proptest! {
        #[test]
        fn any_results_give_finite_ratings_or_pools(
            results in prop::collection::vec((0usize..5, 1usize..5, prop::array::uniform3(0u64..2000)), 0..12),
        ) {
            let pairings: Vec<Pairing> = results
                .into_iter()
                .map(|(first, offset, [wins, draws, losses])| {
                    Pairing { first, second: (first + offset) % 5, wins, draws, losses }
                })
                .collect();
            let ratings = Ratings::fit(5, &pairings).unwrap();
            for (a, b) in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))) {
                if let Some(difference) = ratings.difference(a, b, 0.95) {
                    let ends = [difference.low, difference.value, difference.high].map(Option::unwrap);
                    prop_assert!(ends.iter().all(|end| end.is_finite()) && ends.is_sorted());
                }
            }
        }
    }
}
