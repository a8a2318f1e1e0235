//! Ratings of many players: results by pairing in, Elo with covariance out.
//!
//! The model is Bradley–Terry with draws (Davidson 1970) and an advantage of moving first (Davidson & Beaver 1977): with
//! `d = theta_first - theta_second + eta` the results win, draw, loss of the first mover have weights `e^(d/2)`, `nu`, `e^(-d/2)`.
//! Fitted by maximum likelihood (concave, Newton's method), covariance from the observed information. Shown as Elo
//! `d · 400/ln 10 · 2/(2 + nu)`, so that between near equals it is the Elo of the expected score.
//!
//! A rating is finite only among players who can be compared both ways: from each, a chain of "did not lose every game to"
//! must lead to each other one. Such a *pool* has ratings of its own; between pools there is no finite difference, and none is
//! made up. A player alone who won, or lost, every game against a pool has a bound there. The two global parameters carry a normal prior of ten logarithmic units, for games that do not determine them.

use super::davidson::{Model, PairedGames, pools};
use super::elo::Estimate;
use super::linear::{Matrix, dot};
use super::normal;
use super::search::bisect;
use std::f64::consts::LN_10;
use thiserror::Error;

/// No bound is farther from the mean of its pool, in natural units.
const STRENGTH_MAX: f64 = 40.0;

/// Why no ratings can be computed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RatingsError {
    /// A pairing, by its index, of somebody who is no player or with itself.
    #[error("pairing {0} is not one of two different players")]
    NoPairing(usize),
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
    /// Of the parameters, in the gauge where each pool's first player is fixed.
    covariance: Matrix,
    has_draws: bool,
    /// Pairs of players of different pools: one side won all of them.
    between: Vec<PairedGames>,
}

impl Ratings {
    /// Fits the model to all pairs of `players` players, given in any order and as often as one likes. The covariance holds however the
    /// two games of a pair depend on each other: sharp openings make pairs scatter less than two games of the model would.
    /// Errors: A pairing of unknown players or of a player with itself; no convergence.
    pub fn fit(players: usize, paired: &[PairedGames]) -> Result<Ratings, RatingsError> {
        let is_wrong = |games: &PairedGames| games.a == games.b || games.a.max(games.b) >= players;
        if let Some(pairing) = paired.iter().position(is_wrong) {
            return Err(RatingsError::NoPairing(pairing));
        }
        let (pools, pool_of) = pools(players, paired);
        // Between pools one side won everything: at the maximum those games have probability 1 and say nothing more.
        let is_within = |games: &PairedGames| pool_of[games.a] == pool_of[games.b];
        let (within, between): (Vec<PairedGames>, Vec<PairedGames>) =
            paired.iter().partition(|games| is_within(games));
        let pairings = within.iter().flat_map(PairedGames::pairings);
        let has_draws = pairings.into_iter().any(|(_, results)| results[1] > 0);
        let model = Model {
            players,
            pools: &pools,
            paired: &within,
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
            between,
        })
    }

    /// The pools, each a list of player indices; one pool if all players can be compared.
    pub fn pools(&self) -> &[Vec<usize>] {
        &self.pools
    }

    /// Elo of a player against the mean of its pool, with its interval. Of one alone, who won or lost every game, a bound against the pool of
    /// [`Ratings::bounding_pool`]; `None`: no such player, or nothing is known of it.
    pub fn rating(&self, player: usize, confidence: f64) -> Option<Estimate> {
        let pool = &self.pools[*self.pool_of.get(player)?];
        if pool.len() < 2 {
            return self.bound(player, 0.5 * (1.0 - confidence));
        }
        Some(self.estimate(&self.contrast(player, pool), confidence))
    }

    /// The largest pool, by its index, whose players one alone in its own met; `None` of any other player.
    pub fn bounding_pool(&self, player: usize) -> Option<usize> {
        let own = *self.pool_of.get(player)?;
        let met = self.met(player).map(|(other, ..)| self.pool_of[other]);
        let met = met.filter(|&pool| self.pools[pool].len() > 1 && self.pools[own].len() == 1);
        met.max_by_key(|&pool| (self.pools[pool].len(), pool))
    }

    /// Players of other pools that `player` met, in how many pairs, and whether it won.
    fn met(&self, player: usize) -> impl Iterator<Item = (usize, u64, bool)> {
        let of = move |games: &PairedGames| {
            let pairs: u64 = games.results.as_flattened().iter().sum();
            let a_won = games.results[2][2] > 0;
            match (games.a == player, games.b == player) {
                (true, _) => Some((games.b, pairs, a_won)),
                (_, true) => Some((games.a, pairs, !a_won)),
                _ => None,
            }
        };
        self.between
            .iter()
            .filter_map(of)
            .filter(|(_, pairs, _)| *pairs > 0)
    }

    /// The Elo below which winning every pair would happen with probability `error` at most. A pair is won by a player of mean score `s` with
    /// probability `s` at most, however its games depend on each other; the ratings of the pool are taken as they are.
    fn bound(&self, player: usize, error: f64) -> Option<Estimate> {
        let pool = self.bounding_pool(player)?;
        let met: Vec<(usize, u64, bool)> = self
            .met(player)
            .filter(|(other, ..)| self.pool_of[*other] == pool)
            .collect();
        let has_won = met.first()?.2;
        let side = if has_won { 1.0 } else { -1.0 };
        let nu = self.nu();
        let score = |d: f64| {
            let (win, loss) = ((0.5 * d).exp(), (-0.5 * d).exp());
            (win + 0.5 * nu) / (win + nu + loss)
        };
        let log_chance = |strength: f64| {
            let terms = met.iter().map(|&(other, pairs, _)| {
                pairs as f64 * score(side * (strength - self.parameters[other])).ln()
            });
            terms.sum::<f64>()
        };
        let [_, least] = bisect([-STRENGTH_MAX, STRENGTH_MAX], 60, |from| {
            log_chance(side * from) < error.ln()
        });
        let bound = Some(side * least * self.elo_scale());
        Some(Estimate {
            value: None,
            low: bound.filter(|_| has_won),
            high: bound.filter(|_| !has_won),
        })
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
        let is_known = error > 0.0;
        Some(if is_known { normal::cdf(value / error) } else { 0.5 })
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

    /// Elo of a unit of strength.
    fn elo_scale(&self) -> f64 {
        400.0 / LN_10 * 2.0 / (2.0 + self.nu())
    }

    fn difference_contrast(&self, player: usize, other: usize) -> Option<Vec<f64>> {
        let is_comparable = self.pool_of.get(player)? == self.pool_of.get(other)?;
        is_comparable.then(|| self.contrast(player, &[other]))
    }

    /// `player` against the mean of `others`.
    fn contrast(&self, player: usize, others: &[usize]) -> Vec<f64> {
        let mut contrast = vec![0.0; self.parameters.len()];
        for &other in others {
            contrast[other] = -1.0 / others.len() as f64;
        }
        contrast[player] += 1.0;
        contrast
    }

    fn estimate(&self, contrast: &[f64], confidence: f64) -> Estimate {
        let (value, error) = self.value_and_error(contrast);
        Estimate::around(value, normal::two_sided_z(confidence) * error)
    }

    /// Elo of a linear combination of the parameters and its standard error, the scale's own uncertainty included.
    fn value_and_error(&self, contrast: &[f64]) -> (f64, f64) {
        let natural = dot(contrast, &self.parameters);
        let (nu, scale) = (self.nu(), self.elo_scale());
        let mut gradient: Vec<f64> = contrast.iter().map(|entry| entry * scale).collect();
        gradient[self.pool_of.len() + 1] -= natural * scale * nu / (2.0 + nu);
        let variance = self.covariance.quadratic(&gradient);
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
    use crate::testing::assert_near;
    use proptest::prelude::*;

    /// Pairs in which both games went the same way, moving first making no difference: losses, draws, wins of `a`.
    fn alike(a: usize, b: usize, [losses, draws, wins]: [u64; 3]) -> PairedGames {
        let results = [[losses, 0, 0], [0, draws, 0], [0, 0, wins]];
        PairedGames { a, b, results }
    }

    fn value(estimate: Option<Estimate>) -> f64 {
        estimate.unwrap().value.unwrap()
    }

    #[test]
    fn two_players_without_draws_differ_by_the_logarithm_of_their_wins() {
        let ratings = Ratings::fit(2, &[alike(0, 1, [20, 0, 60])]).unwrap();
        assert_near(value(ratings.difference(0, 1, 0.95)), 400.0 * 3f64.log10(), 1e-6);
        assert_near(value(ratings.rating(0, 0.95)), 200.0 * 3f64.log10(), 1e-6);
        let los = ratings.los(0, 1).unwrap();
        assert!(
            los > 0.99 && (los + ratings.los(1, 0).unwrap() - 1.0).abs() < 1e-12,
            "{los}"
        );
    }

    #[test]
    fn draws_are_fitted_and_the_scale_is_that_of_the_score() {
        let ratings = Ratings::fit(2, &[alike(0, 1, [30, 30, 60])]).unwrap();
        // e^d = 60/30 and nu = (draws/wins) e^(d/2).
        let nu = 0.5 * 2f64.sqrt();
        assert!((ratings.draw_ratio() - nu / (2.0 + nu)).abs() < 1e-3);
        let expected = 400.0 * 2f64.log10() * 2.0 / (2.0 + nu);
        assert_near(value(ratings.difference(0, 1, 0.95)), expected, 0.05);
        let close = Ratings::fit(2, &[alike(0, 1, [490, 1000, 510])]).unwrap();
        assert_near(
            value(close.difference(0, 1, 0.95)),
            elo_of_score(0.505).unwrap(),
            1e-2,
        );
    }

    #[test]
    fn a_first_mover_who_wins_three_of_four_is_191_elo_ahead() {
        let results = [[20, 0, 5], [0; 3], [55, 0, 20]];
        let ratings = Ratings::fit(2, &[PairedGames { a: 0, b: 1, results }]).unwrap();
        assert_near(value(ratings.first_move_advantage(0.95)), 190.8485, 0.1);
        assert!(value(ratings.difference(0, 1, 0.95)).abs() < 1e-6);
    }

    #[test]
    fn players_who_cannot_be_compared_are_put_in_pools_of_their_own() {
        let games = [
            alike(0, 1, [3, 2, 5]),
            alike(2, 3, [4, 0, 4]),
            // Player 4 beat 0 always, player 5 played nobody, a single draw joins 6 and 7.
            alike(4, 0, [0, 0, 9]),
            alike(6, 7, [0, 1, 0]),
        ];
        let ratings = Ratings::fit(8, &games).unwrap();
        assert_eq!(
            ratings.pools(),
            [vec![0, 1], vec![2, 3], vec![4], vec![5], vec![6, 7]]
        );
        for (one, other) in [(0, 2), (4, 0), (0, 9)] {
            assert_eq!(ratings.difference(one, other, 0.95), None);
        }
        assert_eq!(ratings.rating(5, 0.95), None);
        // 0.025^(1/9) against an opponent 22 Elo below the mean of its pool.
        let won = ratings.rating(4, 0.95).unwrap();
        assert_eq!(
            (won.value, won.high, ratings.bounding_pool(4)),
            (None, None, Some(0))
        );
        let opponent = value(ratings.rating(0, 0.95));
        assert_near(won.low.unwrap(), 118.0 + opponent, 3.0);
        assert!(ratings.difference(0, 1, 0.95).is_some() && ratings.rating(3, 0.95).is_some());
    }

    #[test]
    fn a_ring_of_wins_is_one_pool_of_equals() {
        let ring = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| alike(a, b, [0, 0, 3]));
        let ratings = Ratings::fit(3, &ring).unwrap();
        assert_eq!(ratings.pools().len(), 1);
        assert!(value(ratings.difference(0, 2, 0.95)).abs() < 1e-4);
    }

    #[test]
    fn mistaken_pairings_are_refused() {
        let game = |a, b| alike(a, b, [0, 0, 1]);
        assert_eq!(
            Ratings::fit(2, &[game(0, 1), game(0, 2)]),
            Err(RatingsError::NoPairing(1))
        );
        assert_eq!(Ratings::fit(2, &[game(1, 1)]), Err(RatingsError::NoPairing(0)));
        assert_eq!(Ratings::fit(0, &[]).unwrap().first_move_advantage(0.95), None);
    }

    /// A round robin of `strengths` in pairs whose openings favour the first mover by ± `bias` Elo, which it is not known for.
    fn paired(random: &mut Random, strengths: &[f64], bias: f64, pairs: u64) -> Vec<PairedGames> {
        let players = 0..strengths.len();
        let pairings = players.flat_map(|a| (a + 1..strengths.len()).map(move |b| (a, b)));
        let play = |(a, b): (usize, usize)| {
            let elo = strengths[a] - strengths[b];
            let models =
                [bias, -bias].map(|bias| PairModel::new(elo, EloModel::Logistic, 0.1, bias).unwrap());
            let mut results = [[0; 3]; 3];
            for _ in 0..pairs {
                let pair = models[random.below(2) as usize].draw(random);
                results[pair.first as usize][pair.second as usize] += 1;
            }
            PairedGames { a, b, results }
        };
        pairings.map(play).collect()
    }

    #[test]
    fn the_interval_of_two_players_is_that_of_their_pairs() {
        let results = [[10, 3, 40], [4, 20, 6], [55, 5, 17]];
        let ratings = Ratings::fit(2, &[PairedGames { a: 0, b: 1, results }]).unwrap();
        let of_pairs = crate::elo::elo(
            &crate::Sample::pairs([10, 7, 115, 11, 17]),
            crate::Level::two_sided(0.95),
        );
        let rated = ratings.difference(0, 1, 0.95).unwrap();
        let width = |estimate: &Estimate| estimate.high.unwrap() - estimate.low.unwrap();
        assert_near(width(&rated) / width(&of_pairs), 1.0, 0.03);
        assert_near(rated.value.unwrap(), of_pairs.value.unwrap(), 1.0);
    }

    #[test]
    fn intervals_cover_as_promised_whatever_openings_are_worth() {
        let (strengths, trials) = ([0.0, 40.0, -30.0, 10.0], 300);
        for bias in [0.0, 300.0] {
            let mut random = Random::long(5, bias as u64);
            let mut covered = [0, 0];
            for _ in 0..trials {
                let ratings = Ratings::fit(4, &paired(&mut random, &strengths, bias, 60)).unwrap();
                let difference = ratings.difference(1, 2, 0.95).unwrap();
                let advantage = ratings.first_move_advantage(0.95).unwrap();
                covered[0] += u32::from(difference.contains(70.0));
                covered[1] += u32::from(advantage.contains(0.0));
            }
            // 285 expected; four standard errors are 15. Without pairs all but one or two are covered at 300 Elo.
            let is_near = |hits: &u32| (270..=298).contains(hits);
            assert!(covered.iter().all(is_near), "{bias}: {covered:?}");
        }
    }

    /// Of a player 300 Elo above three others, those who won every game: their true rating is above the bound. Prints the shares.
    #[test]
    fn the_bound_of_a_player_that_wins_every_game_holds() {
        for (pairs, truth) in [(2, 200.0), (2, 300.0), (3, 300.0), (4, 400.0)] {
            let (mut random, mut won, mut covered) = (Random::long(9, pairs), 0, 0);
            let strengths = [truth, 40.0, -30.0, -10.0];
            for _ in 0..400 {
                let ratings = Ratings::fit(4, &paired(&mut random, &strengths, 0.0, pairs)).unwrap();
                if ratings.pools().len() == 2 && ratings.bounding_pool(0).is_some() {
                    won += 1;
                    covered += u32::from(ratings.rating(0, 0.95).unwrap().contains(truth));
                }
            }
            println!("{pairs},{truth},{won},{covered}");
            assert!(f64::from(covered) >= 0.95 * f64::from(won), "{covered} of {won}");
        }
    }

    #[test]
    fn pairs_that_are_all_alike_do_not_pass_for_certainty() {
        let mut results = [[0; 3]; 3];
        (results[0][2], results[2][0]) = (4, 4);
        let ratings = Ratings::fit(2, &[PairedGames { a: 0, b: 1, results }]).unwrap();
        let difference = ratings.difference(0, 1, 0.95).unwrap();
        assert!(difference.high.unwrap() > 50.0, "{difference:?}");
    }

    proptest! {
        #[test]
        fn any_results_give_finite_ratings_or_pools(
            all in prop::collection::vec(
                (0usize..5, 1usize..5, prop::array::uniform3(prop::array::uniform3(0u64..2000))), 0..12,
            ),
        ) {
            let paired = all.into_iter().map(|(a, offset, results)| PairedGames { a, b: (a + offset) % 5, results });
            let ratings = Ratings::fit(5, &paired.collect::<Vec<_>>()).unwrap();
            for (a, b) in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))) {
                if let Some(difference) = ratings.difference(a, b, 0.95) {
                    let ends = [difference.low, difference.value, difference.high].map(Option::unwrap);
                    prop_assert!(ends.iter().all(|end| end.is_finite()) && ends.is_sorted());
                }
            }
        }
    }
}
