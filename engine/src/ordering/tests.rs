//! Whatever the hash table and the killers hold, the picker returns every pseudo-legal move once and nothing else.

use super::*;
use crate::config::SearchConfig;
use crate::duel::{Duel, DuelMove as Move, playouts};

fn all(position: &Duel<false>) -> Vec<Move> {
    let mut list = MoveList::new();
    if position.in_check() {
        position.evasions(&mut list, EarlyTests::default());
    } else {
        position.captures(&mut list, EarlyTests::default());
        position.quiets(&mut list, EarlyTests::default());
    }
    list.to_vec()
}

fn picked(mut picker: MovePicker<Duel<false>>, position: &Duel<false>) -> Vec<Move> {
    let history = History::new(&SearchConfig::default());
    let none = <Duel<false> as Position>::PIECE_TO;
    std::iter::from_fn(|| picker.next(position, &history, [none; 3])).collect()
}

fn sorted(mut moves: Vec<Move>) -> Vec<u16> {
    moves.sort_by_key(|mv| mv.bits());
    moves.into_iter().map(GameMove::bits).collect()
}

const NONE: Move = Move::NONE;

fn picker(
    position: &Duel<false>,
    hash_move: Move,
    killers: [Move; 2],
    losing: LosingCaptures,
) -> MovePicker<Duel<false>> {
    MovePicker::new(position, hash_move, killers, losing, EarlyTests::default())
}

#[test]
fn every_move_is_picked_once_whatever_the_hash_table_and_the_killers_say() {
    for (position, _) in playouts::<false>(60) {
        let moves = all(&position);
        let arbitrary = (0..700).step_by(23).map(Move::from_bits);
        let candidates: Vec<Move> = arbitrary.chain(moves.iter().copied()).collect();
        let any = |index: usize| candidates[index % candidates.len()];
        for (index, &hash_move) in candidates.iter().enumerate() {
            let killers = [any(index * 7), any(index * 7 + 1)];
            for losing in [LosingCaptures::Last, LosingCaptures::InOrder] {
                for counter_move in [NONE, killers[0], any(index * 5)] {
                    let mut picker = picker(&position, hash_move, killers, losing);
                    picker.set_counter_move(counter_move);
                    assert_eq!(
                        sorted(picked(picker, &position)),
                        sorted(moves.clone()),
                        "{position}"
                    );
                }
            }
        }
        let mut tactical = moves.clone();
        tactical.retain(|&mv| position.in_check() || position.is_tactical(mv));
        for hash_move in (0..700).map(Move::from_bits) {
            let picker = MovePicker::quiescence(&position, hash_move, EarlyTests::default());
            assert_eq!(
                sorted(picked(picker, &position)),
                sorted(tactical.clone()),
                "{position}"
            );
        }
    }
}

#[test]
fn the_hash_move_comes_first_and_no_quiet_move_after_skipping_and_a_counter_move_after_the_killers() {
    let mut seen = 0;
    for (position, _) in playouts::<false>(60) {
        if position.in_check() {
            continue;
        }
        let moves = all(&position);
        let last = moves[moves.len() - 1];
        let mut skipping = picker(&position, last, [NONE; 2], LosingCaptures::Last);
        let history = History::new(&SearchConfig::default());
        let context = [Duel::<false>::PIECE_TO; 3];
        assert_eq!(skipping.next(&position, &history, context), Some(last));
        skipping.skip_quiets();
        while let Some(mv) = skipping.next(&position, &history, context) {
            assert!(position.is_tactical(mv), "{mv} in {position}");
        }
        let quiets: Vec<Move> = moves
            .into_iter()
            .filter(|&mv| !position.is_tactical(mv))
            .collect();
        let [killer, .., counter_move] = quiets[..] else {
            continue;
        };
        let mut countering = picker(&position, NONE, [killer, NONE], LosingCaptures::Last);
        countering.set_counter_move(counter_move);
        let picked = picked(countering, &position);
        let at = picked.iter().position(|&mv| mv == killer).unwrap();
        assert_eq!(picked[at + 1], counter_move, "{position}");
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn generated_quiet_moves_come_by_their_history_when_they_were_ordered() {
    let mut history = History::new(&SearchConfig::with("history.check=500"));
    let context = [Duel::<false>::PIECE_TO; 3];
    let mut falls = 0;
    for (index, (position, _)) in playouts::<false>(60).into_iter().enumerate() {
        if position.in_check() {
            continue;
        }
        let attacked = position.attacked_squares();
        for (&mv, bonus) in all(&position).iter().zip([100, -300, 200, -50]) {
            history.update_alone(Place::of(&position, mv, &attacked), bonus);
        }
        let [first, second] = [0, 3].map(|index| *all(&position).get(index).unwrap_or(&NONE));
        let mut picker = picker(&position, first, [second, NONE], LosingCaptures::Last);
        if index % 2 == 0 {
            picker.generate_all(&position);
        }
        let (mut last, mut left) = (i32::MAX, None);
        while let Some(mv) = picker.next(&position, &history, context) {
            if !picker.is_at_quiets() {
                continue;
            }
            let place = Place::of(&position, mv, &attacked);
            assert_eq!(picker.place(&position, &history, mv), place);
            let check = 500 * i32::from(position.checks_directly(mv, &position.check_squares()));
            assert_eq!(picker.score(), history.score(context, place) + check);
            assert!(picker.score() <= last, "{mv} in {position}");
            assert!(left.is_none_or(|left: u64| picker.quiets_left() + 1 == left));
            falls += i32::from(picker.score() < last && last < i32::MAX);
            (last, left) = (picker.score(), Some(picker.quiets_left()));
        }
        assert!(left.is_none_or(|left| left == 0), "{position}");
    }
    assert!(falls > 0);
}

#[test]
fn the_latest_answer_to_a_move_is_kept_and_a_pass_has_none() {
    let config = SearchConfig::with("counter_moves=on");
    let mut moves = CounterMoves::<Duel<false>>::new(&config);
    let [none, first, second] = [0, 40, 41].map(Move::from_bits);
    moves.insert(3, first);
    moves.insert(3, second);
    moves.insert(Duel::<false>::PIECE_TO, first);
    assert_eq!(
        [3, 4, Duel::<false>::PIECE_TO].map(|earlier| moves.answer(earlier)),
        [second, none, none]
    );
    moves.clear();
    assert_eq!(moves.answer(3), none);
}
