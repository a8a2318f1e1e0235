//! History heuristics: how well quiet moves did before, on their own and as answers.

use std::marker::PhantomData;

use super::capture_history::CaptureHistory;
use crate::config::{CaptureOrder, SearchConfig};
use crate::game::Position;
use crate::large_pages::zeros;

/// The `piece_to` numbers of the moves one, two and four plies before; [`Position::PIECE_TO`] where there was none or a pass.
pub(crate) type Context = [usize; 3];

/// Where a quiet move has its history: its [`Position::piece_to`] and how its squares are attacked ([`Position::ends_in`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place(u16);

/// Bits of a [`Place`] that say how the squares of the move are attacked.
const ATTACKED_BITS: u32 = 2;

impl Place {
    #[inline(always)]
    pub(crate) fn of<P: Position>(position: &P, mv: P::Move, attacked: &P::Squares) -> Place {
        Place((position.piece_to(mv) << ATTACKED_BITS | position.ends_in(mv, attacked)) as u16)
    }

    #[inline(always)]
    fn piece_to(self) -> usize {
        usize::from(self.0 >> ATTACKED_BITS)
    }
}

/// The histories of quiet moves, and that of captures.
#[derive(Debug)]
pub(crate) struct History<P> {
    is_on: bool,
    /// By [`Place`]; empty when switched off.
    quiet: Vec<i16>,
    /// By earlier `piece_to`, then own `piece_to`, and a row that stays empty; none when switched off.
    continuation: Vec<i16>,
    /// The game in which each row of `continuation` was last written: rows of other games count as zero.
    row_games: Vec<u32>,
    game: u32,
    /// How many moves of the context `continuation` looks at.
    context_len: usize,
    /// No single table holds a value beyond this, either way.
    limit: i32,
    /// Are moves from and to attacked squares kept apart?
    pub(crate) is_apart: bool,
    /// What is kept of `quiet` from one search to the next, in percent.
    aging: i32,
    /// What a quiet move that gives check is worth in addition.
    pub(super) check: i32,
    pub(super) capture_order: CaptureOrder,
    pub(crate) captures: CaptureHistory<P>,
    position: PhantomData<P>,
}

impl<P: Position> History<P> {
    const PLACES: usize = {
        assert!(P::PIECE_TO << ATTACKED_BITS <= 1 << u16::BITS);
        P::PIECE_TO << ATTACKED_BITS
    };

    pub(crate) fn new(config: &SearchConfig) -> Self {
        let rows = if config.continuation { P::PIECE_TO + 1 } else { 0 };
        History {
            is_on: config.history,
            quiet: vec![0; Self::PLACES],
            continuation: zeros((rows + 1) * P::PIECE_TO),
            row_games: vec![0; rows],
            game: 1,
            context_len: 2 + usize::from(config.continuation_4),
            limit: config.history_limit,
            is_apart: config.history && config.history_attacked,
            aging: config.history_aging,
            check: if config.history { config.history_check } else { 0 },
            capture_order: config.capture_order,
            captures: CaptureHistory::new(config),
            position: PhantomData,
        }
    }

    /// What the opponent attacks, if the history of quiet moves is kept apart by it (`history.attacked`); no square if not.
    pub(crate) fn attacked(&self, position: &P) -> P::Squares {
        if self.is_apart {
            position.attacked_squares()
        } else {
            P::Squares::default()
        }
    }

    /// Is it known that the opponent attacks neither square of a quiet move?
    #[inline]
    pub(crate) fn is_safe(&self, place: Place) -> bool {
        self.is_apart && place.0 & ((1 << ATTACKED_BITS) - 1) == 0
    }

    /// Ages the quiet history for a new search. The continuation table is left alone: it would take longer than a short search.
    pub(crate) fn age(&mut self) {
        if self.aging < 100 {
            for value in &mut self.quiet {
                *value = (i32::from(*value) * self.aging / 100) as i16;
            }
        }
    }

    /// Forgets all. Rows of the large table are emptied when first written again.
    pub(crate) fn forget(&mut self) {
        self.quiet.fill(0);
        self.captures.clear();
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.row_games.fill(0);
            self.game = 1;
        }
    }

    /// Where the rows begin that apply after the moves of `context`.
    #[inline]
    fn rows(&self, context: Context) -> [usize; 3] {
        let [one, two, four] = context.map(|earlier| self.row(earlier));
        [one, two, if self.has_distant() { four } else { self.zeros() }]
    }

    /// How well a quiet move did on its own and after the moves of `context`: at most four times the limit (`history.limit`) either way.
    #[inline]
    pub(crate) fn score(&self, context: Context, place: Place) -> i32 {
        let rows = self.rows(context);
        let after = rows.map(|row| i32::from(self.continuation[row + place.piece_to()]));
        i32::from(self.quiet[usize::from(place.0)]) + after.into_iter().sum::<i32>()
    }

    /// The same for many moves of one position.
    // Inlined, so that the compiler knows that all rows are of one length.
    #[inline(always)]
    pub(crate) fn scores(&self, context: Context) -> impl Fn(Place) -> i32 {
        let rows = self.rows(context);
        let quiet = &self.quiet[..Self::PLACES];
        let [one, two, four] = rows.map(|row| &self.continuation[row..][..P::PIECE_TO]);
        move |place| {
            let at = place.piece_to();
            i32::from(quiet[usize::from(place.0)])
                + i32::from(one[at])
                + i32::from(two[at])
                + i32::from(four[at])
        }
    }

    fn has_distant(&self) -> bool {
        self.context_len > 2
    }

    /// What the move four plies before tells of a quiet move; 0 where it is not looked at.
    pub(crate) fn distant_score(&self, context: Context, place: Place) -> i32 {
        let [.., four] = self.rows(context);
        i32::from(self.continuation[four + place.piece_to()])
    }

    /// Rewards a move (`bonus` above 0) or punishes it (below 0), on its own and after the moves of `context`.
    pub(crate) fn update(&mut self, context: Context, place: Place, bonus: i32) {
        self.update_alone(place, bonus);
        if self.row_games.is_empty() {
            return;
        }
        for &earlier in &context[..self.context_len] {
            let row = &mut self.continuation[earlier * P::PIECE_TO..][..P::PIECE_TO];
            if self.row_games[earlier] != self.game {
                self.row_games[earlier] = self.game;
                row.fill(0);
            }
            pull(&mut row[place.piece_to()], bonus, self.limit);
        }
    }

    /// Rewards or punishes a move on its own, whatever came before.
    #[inline]
    pub(crate) fn update_alone(&mut self, place: Place, bonus: i32) {
        if self.is_on {
            pull(&mut self.quiet[usize::from(place.0)], bonus, self.limit);
        }
    }

    /// Where the row of an earlier move begins, that of zeros if this game has written none.
    #[inline]
    fn row(&self, earlier: usize) -> usize {
        let is_written = self.row_games.get(earlier) == Some(&self.game);
        if is_written {
            P::PIECE_TO * earlier
        } else {
            self.zeros()
        }
    }

    #[inline]
    fn zeros(&self) -> usize {
        P::PIECE_TO * self.row_games.len()
    }
}

/// Moves `value` towards the sign of `bonus` by ever smaller steps ("gravity"), so that it stays within `limit`.
#[inline]
pub(crate) fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*value);
    // |bonus| <= limit keeps |new| <= limit, which fits.
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::Duel;

    type Histories = History<Duel<false>>;

    const SEVEN: Place = Place(7 << ATTACKED_BITS);

    #[test]
    fn a_move_from_an_attacked_square_has_a_history_of_its_own_and_shares_what_follows_other_moves() {
        let mut history = Histories::new(&SearchConfig::default());
        history.update([1, 2, 3], SEVEN, 1000);
        let attacked = Place(SEVEN.0 | 1);
        assert_eq!(history.score([1, 2, 3], SEVEN), 4000);
        assert_eq!(history.score([1, 2, 3], attacked), 3000);
    }

    #[test]
    fn a_quiet_move_is_safe_if_it_neither_leaves_nor_reaches_an_attacked_square() {
        let safe = |config: &SearchConfig| {
            let history = Histories::new(config);
            [0, 1, 2, 3].map(|ends| history.is_safe(Place(SEVEN.0 | ends)))
        };
        assert_eq!(safe(&SearchConfig::default()), [true, false, false, false]);
        // Without `history.attacked` no place knows.
        assert_eq!(safe(&SearchConfig::with("history.attacked=off")), [false; 4]);
    }

    #[test]
    fn the_move_four_plies_before_counts_only_when_switched_on() {
        let on = SearchConfig::default();
        let off = SearchConfig {
            continuation_4: false,
            ..on.clone()
        };
        // The same move four plies before, all else different: only the distant row remembers it.
        let (learnt, asked) = ([1, 2, 3], [4, 5, 3]);
        for (config, expected) in [(off, 1), (on, 2)] {
            let mut history = Histories::new(&config);
            history.update(learnt, SEVEN, 1000);
            assert_eq!(history.score(asked, SEVEN), expected * 1000);
            assert_eq!(history.distant_score(asked, SEVEN), (expected - 1) * 1000);
            history.forget();
            assert_eq!(history.score(asked, SEVEN), 0);
        }
    }

    #[test]
    fn aging_keeps_the_share_asked_for() {
        for (history_aging, expected) in [(100, 1000), (60, 600), (0, 0)] {
            let config = SearchConfig {
                history_aging,
                continuation: false,
                ..SearchConfig::default()
            };
            let mut history = Histories::new(&config);
            history.update([0; 3], SEVEN, 1000);
            history.age();
            assert_eq!(history.score([0; 3], SEVEN), expected);
        }
    }

    #[test]
    fn a_value_never_leaves_its_bounds_and_answers_to_both_signs() {
        for limit in [4096, 8192, 16384] {
            let mut value = 0;
            for bonus in [4000, -4000] {
                for _ in 0..1000 {
                    pull(&mut value, bonus, limit);
                }
                let towards = i32::from(value) * bonus.signum();
                assert!(towards > limit - 200 && towards <= limit, "{value}");
            }
        }
    }
}
