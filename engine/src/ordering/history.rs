//! History heuristics: how well quiet moves did before, on their own and as answers.
//!
//! In: moves that cut and moves that did not, as [`Position::piece_to`] numbers. Out: scores for ordering and reductions.
//! Must not: look at a position.

use std::marker::PhantomData;

use crate::config::SearchConfig;
use crate::game::Position;

/// No single table holds a value beyond this, either way.
pub const HISTORY_MAX: i32 = 8192;

/// The `piece_to` numbers of the moves one and two plies before; [`Position::PIECE_TO`] where there was none or a pass.
pub type Context = [usize; 2];

/// The histories of quiet moves.
#[derive(Debug)]
pub struct History<P> {
    /// By `piece_to`; empty when switched off.
    quiet: Vec<i16>,
    /// By earlier `piece_to`, then own `piece_to`; empty when switched off.
    continuation: Vec<i16>,
    /// The game in which each row of `continuation` was last written: rows of other games count as zero.
    row_games: Vec<u32>,
    game: u32,
    position: PhantomData<P>,
}

impl<P: Position> History<P> {
    /// Empty histories, as far as `config` uses them.
    pub fn new(config: &SearchConfig) -> Self {
        let rows = if config.continuation { P::PIECE_TO + 1 } else { 0 };
        History {
            quiet: vec![0; if config.history { P::PIECE_TO } else { 0 }],
            continuation: vec![0; rows * P::PIECE_TO],
            row_games: vec![0; rows],
            game: 1,
            position: PhantomData,
        }
    }

    /// Forgets all. Rows of the large table are emptied when first written again.
    pub fn new_game(&mut self) {
        self.quiet.fill(0);
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.row_games.fill(0);
            self.game = 1;
        }
    }

    /// The tables that apply after the moves of `context`.
    #[inline]
    pub fn view(&self, context: Context) -> HistoryView<'_> {
        HistoryView {
            quiet: &self.quiet,
            rows: context.map(|earlier| self.row(earlier)),
        }
    }

    /// Rewards the move that cut and punishes the moves tried before it.
    pub fn update(&mut self, context: Context, piece_to: usize, bonus: i32) {
        if let Some(value) = self.quiet.get_mut(piece_to) {
            pull(value, bonus);
        }
        if self.row_games.is_empty() {
            return;
        }
        for earlier in context {
            let row = &mut self.continuation[earlier * P::PIECE_TO..][..P::PIECE_TO];
            if self.row_games[earlier] != self.game {
                self.row_games[earlier] = self.game;
                row.fill(0);
            }
            pull(&mut row[piece_to], bonus);
        }
    }

    #[inline]
    fn row(&self, earlier: usize) -> &[i16] {
        if self.row_games.get(earlier) == Some(&self.game) {
            &self.continuation[earlier * P::PIECE_TO..][..P::PIECE_TO]
        } else {
            &[]
        }
    }
}

/// The history tables of one node.
#[derive(Debug, Clone, Copy)]
pub struct HistoryView<'a> {
    quiet: &'a [i16],
    rows: [&'a [i16]; 2],
}

impl HistoryView<'_> {
    /// The sum over all tables, at most three times [`HISTORY_MAX`] either way.
    #[inline]
    pub fn score(&self, piece_to: usize) -> i32 {
        let read = |table: &[i16]| table.get(piece_to).map_or(0, |&value| i32::from(value));
        read(self.quiet) + read(self.rows[0]) + read(self.rows[1])
    }
}

/// Moves `value` towards the sign of `bonus` by ever smaller steps ("gravity"), so that it stays within [`HISTORY_MAX`].
#[inline]
fn pull(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    // |bonus| <= HISTORY_MAX keeps |new| <= HISTORY_MAX, which fits.
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_never_leaves_its_bounds_and_answers_to_both_signs() {
        let mut value = 0;
        for _ in 0..1000 {
            pull(&mut value, 4000);
        }
        assert!(value > 8000 && i32::from(value) <= HISTORY_MAX, "{value}");
        for _ in 0..1000 {
            pull(&mut value, -4000);
        }
        assert!(value < -8000 && i32::from(value) >= -HISTORY_MAX, "{value}");
    }
}
