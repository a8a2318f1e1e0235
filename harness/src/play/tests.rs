//! The referee and the game loop, on the toy game.

use tanren_engine::game::DeclarationRule;

use super::*;
use crate::player::Scripted;
use crate::record::Reason;
use crate::toy::{Take, Toy, WAIT};

const RULES: Rules = Rules {
    plies_max: 0,
    declaration: DeclarationRule::Points27,
};

type Script = fn(&Toy, usize, u32) -> Option<Action<Take>>;

fn game(start: &str, a: Script, b: Script, rules: Rules) -> GameRecord {
    let players = [Scripted::boxed(a), Scripted::boxed(b)];
    let start = Toy::parse(start).unwrap();
    Table::new(players, rules)
        .play_game(&start, PlayerId::A, 7)
        .unwrap()
}

fn take_one(_: &Toy, _: usize, _: u32) -> Option<Action<Take>> {
    Some(Action::Move(Take(1)))
}

fn wait(_: &Toy, _: usize, _: u32) -> Option<Action<Take>> {
    Some(Action::Move(WAIT))
}

fn resign(_: &Toy, _: usize, _: u32) -> Option<Action<Take>> {
    Some(Action::Resign)
}

fn declare(_: &Toy, _: usize, _: u32) -> Option<Action<Take>> {
    Some(Action::Declare)
}

fn one_or_resign(position: &Toy, _: usize, _: u32) -> Option<Action<Take>> {
    Some(if position.count_legal_all() == 0 {
        Action::Resign
    } else {
        Action::Move(Take(1))
    })
}

fn outcome(record: &GameRecord) -> (Option<PlayerId>, Reason) {
    (record.winner, record.reason)
}

#[test]
fn who_has_no_legal_move_loses_and_everything_is_recorded() {
    let record = game("3 a", one_or_resign, one_or_resign, RULES);
    assert_eq!(outcome(&record), (Some(PlayerId::A), Reason::NoLegalMove));
    assert_eq!(record.moves, [1, 1, 1]);
    assert_eq!(record.nodes, [20, 20], "the last search of B found nothing");
    assert_eq!(record.depth_sum, [6, 6]);
    assert_eq!(record.seed, 7);
}

#[test]
fn the_first_mover_may_be_the_second_side() {
    let record = game("3 b", one_or_resign, one_or_resign, RULES);
    assert_eq!(outcome(&record), (Some(PlayerId::A), Reason::NoLegalMove));
}

#[test]
fn resigning_with_legal_moves_is_a_resignation() {
    let record = game("3 a", resign, take_one, RULES);
    assert_eq!(outcome(&record), (Some(PlayerId::B), Reason::Resignation));
    assert!(record.moves.is_empty());
}

#[test]
fn an_illegal_move_loses_and_is_not_recorded() {
    let record = game("1 a", take_one, take_one, RULES);
    assert_eq!(outcome(&record), (Some(PlayerId::A), Reason::IllegalMove));
    assert_eq!(record.moves, [1]);
}

#[test]
fn the_fourth_occurrence_is_a_draw_and_the_opening_counts() {
    let record = game("9 a", wait, wait, RULES);
    assert_eq!(outcome(&record), (None, Reason::Repetition));
    assert_eq!(
        record.moves.len(),
        6,
        "the opening stands after plies 0, 2, 4 and 6"
    );
}

#[test]
fn a_declaration_wins_draws_or_loses_as_the_rule_says() {
    let with = |declaration| Rules { declaration, ..RULES };
    let cases = [
        (
            "13 a",
            DeclarationRule::Points27,
            Some(PlayerId::A),
            Reason::Declaration,
        ),
        (
            "12 a",
            DeclarationRule::Points27,
            Some(PlayerId::B),
            Reason::WrongDeclaration,
        ),
        ("12 a", DeclarationRule::Points24, None, Reason::DeclarationDraw),
        (
            "13 a",
            DeclarationRule::Off,
            Some(PlayerId::B),
            Reason::WrongDeclaration,
        ),
    ];
    for (start, rule, winner, reason) in cases {
        let record = game(start, declare, take_one, with(rule));
        assert_eq!(outcome(&record), (winner, reason), "{start} {rule:?}");
    }
}

#[test]
fn the_longest_game_is_a_draw_unless_its_last_move_wins() {
    let with = |plies_max| Rules { plies_max, ..RULES };
    let drawn = game("9 a", take_one, take_one, with(4));
    assert_eq!(outcome(&drawn), (None, Reason::MaxPlies));
    assert_eq!(drawn.moves.len(), 4);
    let won = game("3 a", take_one, take_one, with(3));
    assert_eq!(outcome(&won), (Some(PlayerId::A), Reason::NoLegalMove));
}

#[test]
fn a_pair_gives_each_player_the_first_move_once_and_each_game_its_seed() {
    let script: Script = |position, _, seed| {
        let mv = Action::Move(Take(1 + (seed % 2) as u16));
        Some(if position.count_legal_all() == 0 {
            Action::Resign
        } else {
            mv
        })
    };
    let plan = PairPlan {
        pair: 5,
        opening: 0,
        seeds: [2, 3],
    };
    let opening = Opening {
        line: 8,
        position: Toy::parse("6 a").unwrap(),
    };
    let mut table = Table::new([Scripted::boxed(script), Scripted::boxed(script)], RULES);
    let record = table.play_pair(&plan, &opening).unwrap();
    assert_eq!(
        (record.pair, record.opening_line, record.opening.as_str()),
        (5, 8, "6 a")
    );
    let [one, two] = record.games;
    assert_eq!((one.first, one.moves.len()), (PlayerId::A, 6));
    assert_eq!((two.first, two.moves.len()), (PlayerId::B, 3));
}

#[test]
fn an_interrupted_game_leaves_no_record() {
    let script: Script = |_, ply, _| (ply < 2).then_some(Action::Move(Take(1)));
    let mut table = Table::new([Scripted::boxed(script), Scripted::boxed(script)], RULES);
    assert!(table.play_game(&Toy::start(), PlayerId::A, 0).is_none());
}
