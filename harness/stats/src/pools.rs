//! Who can be compared with whom: pairings in, groups of mutually comparable players out. Rates nobody.

use super::davidson::Pairing;

/// Groups of players each of whom took something off every other, directly or through others; in order of their first player.
pub(crate) fn pools(players: usize, pairings: &[Pairing]) -> (Vec<Vec<usize>>, Vec<usize>) {
    // reaches[i][j]: a chain from i to j of "did not lose every game to".
    let mut reaches = vec![vec![false; players]; players];
    for games in pairings {
        reaches[games.first][games.second] |= games.wins + games.draws > 0;
        reaches[games.second][games.first] |= games.losses + games.draws > 0;
    }
    for via in 0..players {
        let onward = reaches[via].clone();
        for from in reaches.iter_mut().filter(|from| from[via]) {
            for (reached, more) in from.iter_mut().zip(&onward) {
                *reached |= more;
            }
        }
    }
    let mut pools: Vec<Vec<usize>> = Vec::new();
    let mut pool_of = Vec::with_capacity(players);
    for (player, onward) in reaches.iter().enumerate() {
        let known = pools
            .iter()
            .position(|pool| onward[pool[0]] && reaches[pool[0]][player]);
        let pool = known.unwrap_or_else(|| {
            pools.push(Vec::new());
            pools.len() - 1
        });
        pools[pool].push(player);
        pool_of.push(pool);
    }
    (pools, pool_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beaten(first: usize, second: usize) -> Pairing {
        Pairing {
            first,
            second,
            wins: 2,
            draws: 0,
            losses: 0,
        }
    }

    #[test]
    fn a_ring_of_defeats_is_one_pool_and_a_ladder_is_none() {
        assert_eq!(
            pools(3, &[beaten(0, 1), beaten(1, 2), beaten(2, 0)]).0,
            [vec![0, 1, 2]]
        );
        assert_eq!(
            pools(3, &[beaten(0, 1), beaten(1, 2)]).0,
            [vec![0], vec![1], vec![2]]
        );
    }

    #[test]
    fn a_single_draw_joins_two_players() {
        let draw = Pairing {
            first: 2,
            second: 0,
            wins: 0,
            draws: 1,
            losses: 0,
        };
        assert_eq!(pools(3, &[draw]).1, [0, 1, 0]);
    }
}
