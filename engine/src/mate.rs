//! Mates by checks alone, searched exhaustively: the attacker may only give check, the defender has every legal move.
//!
//! Repetition needs no rule here. The lengths are tried from the shortest up, and in a shortest mate no position comes
//! twice: from its second occurrence the mate would be shorter than from its first.

use std::collections::HashMap;

use crate::game::{MoveList, Position};

/// The search for a mate was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no proof within {nodes_max} nodes")]
pub struct Unproven {
    /// The nodes it was allowed.
    pub nodes_max: u64,
}

/// What is proven of a position with the attacker to move.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// There is no mate within so many plies.
    refuted: u32,
    /// There is a mate within so many plies; 0 if none is known.
    proven: u32,
}

/// An exhaustive search for mates by checks that remembers what it has proven.
#[derive(Debug)]
pub struct MateSolver {
    known: HashMap<u64, Known>,
    nodes: u64,
    nodes_max: u64,
}

impl MateSolver {
    /// A solver that gives each question up after `nodes_max` moves of the attacker.
    pub fn new(nodes_max: u64) -> Self {
        MateSolver {
            known: HashMap::new(),
            nodes: 0,
            nodes_max,
        }
    }

    /// The plies of the shortest mate (an odd number), `None` if there is none within `plies_max`.
    ///
    /// # Errors
    /// Too many nodes.
    pub fn shortest<P: Position>(&mut self, position: &P, plies_max: u32) -> Result<Option<u32>, Unproven> {
        self.start();
        let mut position = position.clone();
        for plies in (1..=plies_max).step_by(2) {
            if self.attack(&mut position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Is the legal move `mv` the first of a mate within `plies`?
    ///
    /// # Errors
    /// Too many nodes.
    pub fn mates_by<P: Position>(&mut self, position: &P, mv: P::Move, plies: u32) -> Result<bool, Unproven> {
        self.start();
        if plies == 0 || !position.gives_check(mv) {
            return Ok(false);
        }
        let mut after = position.clone();
        after.make(mv);
        // The answers are asked for with growing lengths, as in `shortest`, so that none repeats a position.
        for plies in (1..=plies).step_by(2) {
            if self.defend(&mut after, plies - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn start(&mut self) {
        self.nodes = 0;
    }

    /// Can the side to move mate within `plies`, an odd number?
    fn attack<P: Position>(&mut self, position: &mut P, plies: u32) -> Result<bool, Unproven> {
        let key = position.key();
        let known = self.known.get(&key).copied().unwrap_or_default();
        if plies <= known.refuted {
            return Ok(false);
        }
        if known.proven != 0 && known.proven <= plies {
            return Ok(true);
        }
        let mut moves = MoveList::new();
        position.legal_all(&mut moves);
        moves.retain(|mv| position.gives_check(*mv));
        for mv in moves {
            if self.nodes >= self.nodes_max {
                return Err(Unproven {
                    nodes_max: self.nodes_max,
                });
            }
            self.nodes += 1;
            let undo = position.make(mv);
            let is_mate = self.defend(position, plies - 1);
            position.unmake(mv, undo);
            if is_mate? {
                self.known.entry(key).or_default().proven = plies;
                return Ok(true);
            }
        }
        self.known.entry(key).or_default().refuted = plies;
        Ok(false)
    }

    /// Is the side to move, which is in check, mated within `plies`, an even number?
    fn defend<P: Position>(&mut self, position: &mut P, plies: u32) -> Result<bool, Unproven> {
        if plies == 0 {
            return Ok(position.count_legal_all() == 0);
        }
        let mut moves = MoveList::new();
        position.legal_all(&mut moves);
        for mv in moves {
            let undo = position.make(mv);
            let is_mate = self.attack(position, plies - 1);
            position.unmake(mv, undo);
            if !is_mate? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::{Duel, DuelMove, playouts};

    const NODES_MAX: u64 = 1_000_000;

    /// The same question without memory and without growing lengths.
    fn is_mate(position: &Duel<false>, plies: u32) -> bool {
        checks(position)
            .into_iter()
            .any(|mv| is_mated_by(position, mv, plies))
    }

    fn is_mated_by(position: &Duel<false>, mv: DuelMove, plies: u32) -> bool {
        let mut after = *position;
        after.make(mv);
        let mut answers = MoveList::new();
        after.legal_all(&mut answers);
        answers.into_iter().all(|answer| {
            let mut next = after;
            next.make(answer);
            plies > 2 && is_mate(&next, plies - 2)
        })
    }

    fn checks(position: &Duel<false>) -> MoveList<DuelMove> {
        let mut moves = MoveList::new();
        position.legal_all(&mut moves);
        moves.retain(|mv| position.gives_check(*mv));
        moves
    }

    #[test]
    fn shortest_mates_and_their_first_moves_agree_with_brute_force() {
        let mut found = [0; 3];
        // One solver for all: what it remembers must not depend on the question.
        let mut solver = MateSolver::new(NODES_MAX);
        for (position, _) in playouts::<false>(9000) {
            let expected = [1, 3, 5].into_iter().find(|&plies| is_mate(&position, plies));
            assert_eq!(solver.shortest(&position, 5), Ok(expected), "{position}");
            let Some(plies) = expected else { continue };
            found[plies as usize / 2] += 1;
            for mv in checks(&position) {
                let mates = is_mated_by(&position, mv, 5);
                assert_eq!(solver.mates_by(&position, mv, 5), Ok(mates), "{mv} in {position}");
            }
        }
        assert!(found[0] > 0 && found[1] > 0, "{found:?}");
    }

    #[test]
    fn a_question_that_needs_too_many_nodes_is_given_up() {
        let mut solver = MateSolver::new(0);
        let gives_check = |(position, _): &(Duel<false>, _)| !checks(position).is_empty();
        let (position, _) = playouts::<false>(3000).into_iter().find(gives_check).unwrap();
        assert_eq!(solver.shortest(&position, 3), Err(Unproven { nodes_max: 0 }));
    }
}
