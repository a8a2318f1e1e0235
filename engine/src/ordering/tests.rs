//! Whatever the hash table and the killers hold, the picker returns every pseudo-legal move once and nothing else.

use super::*;
use crate::config::SearchConfig;
use crate::duel::{Duel, playouts};

type Move = <Duel<false> as Position>::Move;

fn all(position: &Duel<false>) -> Vec<Move> {
    let mut list = MoveList::new();
    if position.in_check() {
        position.evasions(&mut list);
    } else {
        position.captures(&mut list);
        position.quiets(&mut list);
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

#[test]
fn every_move_is_picked_once_whatever_the_hash_table_and_the_killers_say() {
    for (position, _) in playouts::<false>(60) {
        let moves = all(&position);
        let arbitrary = (0..700).step_by(23).map(Move::from_bits);
        let candidates: Vec<Move> = arbitrary.chain(moves.iter().copied()).collect();
        for (index, &hash_move) in candidates.iter().enumerate() {
            let killers = [
                candidates[index * 7 % candidates.len()],
                candidates[(index * 7 + 1) % candidates.len()],
            ];
            for losing in [LosingCaptures::Last, LosingCaptures::InOrder] {
                for counter_move in [
                    Move::from_bits(0),
                    killers[0],
                    candidates[index * 5 % candidates.len()],
                ] {
                    let mut picker =
                        MovePicker::new(&position, hash_move, killers, losing, EarlyTests::default());
                    picker.set_counter_move(counter_move);
                    assert_eq!(
                        sorted(picked(picker, &position)),
                        sorted(moves.clone()),
                        "{position}"
                    );
                }
            }
        }
    }
}

#[test]
fn quiescence_picks_each_capture_once_and_evasions_in_check() {
    for (position, _) in playouts::<false>(60) {
        let mut moves = all(&position);
        if !position.in_check() {
            moves.retain(|&mv| position.is_tactical(mv));
        }
        for hash_move in (0..700).map(Move::from_bits) {
            let picker = MovePicker::quiescence(&position, hash_move, EarlyTests::default());
            assert_eq!(
                sorted(picked(picker, &position)),
                sorted(moves.clone()),
                "{position}"
            );
        }
    }
}

#[test]
fn the_hash_move_comes_first_and_no_quiet_move_after_skipping() {
    for (position, _) in playouts::<false>(60)
        .into_iter()
        .filter(|(position, _)| !position.in_check())
    {
        let none = Move::from_bits(0);
        let moves = all(&position);
        let last = moves[moves.len() - 1];
        let mut picker = MovePicker::new(
            &position,
            last,
            [none; 2],
            LosingCaptures::Last,
            EarlyTests::default(),
        );
        let history = History::new(&SearchConfig::default());
        let context = [Duel::<false>::PIECE_TO; 3];
        assert_eq!(picker.next(&position, &history, context), Some(last));
        picker.skip_quiets();
        while let Some(mv) = picker.next(&position, &history, context) {
            assert!(position.is_tactical(mv), "{mv} in {position}");
        }
    }
}

#[test]
fn a_quiet_counter_move_comes_right_after_the_killers() {
    let none = Move::from_bits(0);
    let mut seen = 0;
    for (position, _) in playouts::<false>(60) {
        let quiets: Vec<Move> = all(&position)
            .into_iter()
            .filter(|&mv| !position.is_tactical(mv))
            .collect();
        let [killer, .., counter_move] = quiets[..] else {
            continue;
        };
        if position.in_check() {
            continue;
        }
        let mut picker = MovePicker::new(
            &position,
            none,
            [killer, none],
            LosingCaptures::Last,
            EarlyTests::default(),
        );
        picker.set_counter_move(counter_move);
        let picked = picked(picker, &position);
        let at = picked.iter().position(|&mv| mv == killer).unwrap();
        assert_eq!(picked[at + 1], counter_move, "{position}");
        seen += 1;
    }
    assert!(seen > 0);
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
