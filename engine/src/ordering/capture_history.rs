//! Capture history: how well captures did before.

use std::marker::PhantomData;

use super::history::pull;
use crate::config::SearchConfig;
use crate::game::Position;

/// The history of captures, by [`Position::piece_to`] and [`Position::victim`].
#[derive(Debug)]
pub(crate) struct CaptureHistory<P> {
    /// Empty when switched off.
    values: Vec<i16>,
    limit: i32,
    worth: i32,
    position: PhantomData<P>,
}

impl<P: Position> CaptureHistory<P> {
    /// An empty history, without room for anything unless `config` uses it.
    pub(crate) fn new(config: &SearchConfig) -> Self {
        let len = P::PIECE_TO * P::VICTIMS;
        CaptureHistory {
            values: vec![0; if config.capture_history { len } else { 0 }],
            limit: config.history_limit,
            worth: config.capture_history_worth,
            position: PhantomData,
        }
    }

    pub(crate) fn is_on(&self) -> bool {
        !self.values.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.values.fill(0);
    }

    #[inline]
    pub(crate) fn place(position: &P, mv: P::Move) -> usize {
        position.piece_to(mv) * P::VICTIMS + position.victim(mv)
    }

    /// How well the capture at `place` did, at most the limit (`history.limit`) either way.
    #[inline]
    pub(crate) fn score(&self, place: usize) -> i32 {
        self.values.get(place).map_or(0, |&value| i32::from(value))
    }

    /// What the history of `mv` adds to the material it gains, in centipawns.
    #[inline(always)]
    pub(super) fn worth(&self, position: &P, mv: P::Move) -> i32 {
        self.score(Self::place(position, mv)) * self.worth / self.limit
    }

    pub(crate) fn update(&mut self, place: usize, bonus: i32) {
        if let Some(value) = self.values.get_mut(place) {
            pull(value, bonus, self.limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::{Duel, DuelMove, playouts};
    use crate::game::{EarlyTests, MoveList};
    use crate::ordering::{History, LosingCaptures, MovePicker};

    #[test]
    fn a_capture_that_did_well_is_tried_before_one_of_equal_material() {
        let config = SearchConfig::with("capture_history=on");
        let mut seen = 0;
        for (position, _) in playouts::<false>(200) {
            let mut captures = MoveList::new();
            position.captures(&mut captures, EarlyTests::default());
            captures.retain(|mv| position.mover_value(*mv) == 100);
            let [first, second, ..] = captures[..] else {
                continue;
            };
            let places = [first, second].map(|mv| CaptureHistory::place(&position, mv));
            if position.in_check() || places[0] == places[1] {
                continue;
            }
            for (favourite, place) in [first, second].into_iter().zip(places) {
                let mut history = History::<Duel<false>>::new(&config);
                history.captures.update(place, 4000);
                let (none, losing) = (DuelMove::NONE, LosingCaptures::InOrder);
                let mut picker = MovePicker::new(&position, none, [none; 2], losing, EarlyTests::default());
                let picked = picker.next(&position, &history, [Duel::<false>::PIECE_TO; 3]);
                assert_eq!(picked, Some(favourite), "{position}");
            }
            seen += 1;
        }
        assert!(seen > 0);
    }

    #[test]
    fn it_remembers_nothing_when_off_or_cleared() {
        for (settings, expected) in [("capture_history=off", 0), ("capture_history=on", 500)] {
            let mut history = CaptureHistory::<Duel<false>>::new(&SearchConfig::with(settings));
            history.update(9, 500);
            assert_eq!(history.score(9), expected);
            history.clear();
            assert_eq!(history.score(9), 0);
        }
    }
}
