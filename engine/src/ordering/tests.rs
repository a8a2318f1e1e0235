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
    std::iter::from_fn(|| picker.next(position, &history, [none; 2])).collect()
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
                let picker = MovePicker::new(&position, hash_move, killers, losing);
                assert_eq!(
                    sorted(picked(picker, &position)),
                    sorted(moves.clone()),
                    "{position}"
                );
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
            let picker = MovePicker::quiescence(&position, hash_move);
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
        let mut picker = MovePicker::new(&position, last, [none; 2], LosingCaptures::Last);
        let history = History::new(&SearchConfig::default());
        let context = [Duel::<false>::PIECE_TO; 2];
        assert_eq!(picker.next(&position, &history, context), Some(last));
        picker.skip_quiets();
        while let Some(mv) = picker.next(&position, &history, context) {
            assert!(position.is_tactical(mv), "{mv} in {position}");
        }
    }
}
