//! The referee and the game loop, on the toy game.

use tanren_engine::config::DeclarationRule;

use std::time::Duration;

use super::*;
use crate::config::{ClockLimit, ClockRules, Counting, FaultPolicy, RepetitionRule};
use crate::player::Scripted;
use crate::record::{Reason, Score};
use crate::toy::{Take, Toy, WAIT};

const RULES: Rules = Rules {
    strict: false,
    plies_max: 0,
    declaration: DeclarationRule::Points27,
    repetition: RepetitionRule::On,
    resign: None,
    draw: None,
    clock: ClockRules {
        margin_ms: 0,
        overhead_ms: 0,
        counting: Counting::Exact,
    },
    on_fault: FaultPolicy::UNSAID,
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
    assert_eq!(record.turns.len(), 4, "one a search");
    assert_eq!(record.turns[1].score, Some(Score::Centipawns(-1)));
    assert_eq!((record.turns[3].nodes, record.turns[3].depth), (10, 3));
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
        players: [4, 2],
        opening: 0,
        seeds: [2, 3],
    };
    let opening = Opening::new(8, Toy::parse("6 a").unwrap());
    let mut table = Table::new([Scripted::boxed(script), Scripted::boxed(script)], RULES);
    let record = table.play_pair(&plan, &opening, &mut Vec::new()).unwrap();
    assert_eq!(
        (record.pair, record.opening_line, record.opening.as_str()),
        (5, 8, "6 a")
    );
    assert_eq!(record.players, [4, 2]);
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

fn scored(scores: impl Fn(usize) -> i32 + Send + 'static) -> Box<dyn Player<Toy>> {
    let script = Scripted::new(one_or_resign);
    Box::new(script.with_scores(move |ply| Some(Score::Centipawns(scores(ply)))))
}

#[test]
fn a_player_that_sees_itself_lost_for_long_loses_by_adjudication() {
    let rules = Rules {
        resign: Some("score=500,moves=2,both".parse().unwrap()),
        ..RULES
    };
    let players = || [scored(|_| -600), scored(|ply| if ply < 4 { 0 } else { 600 })];
    let start = Toy::parse("30 a").unwrap();
    let record = Table::new(players(), rules)
        .play_game(&start, PlayerId::A, 7)
        .unwrap();
    assert_eq!(outcome(&record), (Some(PlayerId::B), Reason::AdjudicatedWin));
    assert_eq!((record.moves.len(), record.turns.len()), (8, 8));
    let record = Table::new(players(), RULES)
        .play_game(&start, PlayerId::A, 7)
        .unwrap();
    assert_eq!(
        outcome(&record),
        (Some(PlayerId::B), Reason::NoLegalMove),
        "off by default"
    );
}

#[test]
fn the_rules_of_the_game_come_before_adjudication() {
    let rules = Rules {
        resign: Some("score=500,moves=2".parse().unwrap()),
        draw: Some("from=0,moves=1,score=1000".parse().unwrap()),
        ..RULES
    };
    let start = Toy::parse("2 a").unwrap();
    let players = [scored(|_| -600), scored(|_| -600)];
    let record = Table::new(players, rules)
        .play_game(&start, PlayerId::A, 7)
        .unwrap();
    assert_eq!(outcome(&record), (Some(PlayerId::B), Reason::NoLegalMove));
}

#[test]
fn a_level_game_is_drawn_by_adjudication() {
    let rules = Rules {
        draw: Some("from=6,moves=2,score=5".parse().unwrap()),
        ..RULES
    };
    let start = Toy::parse("30 a").unwrap();
    let players = [scored(|_| 5), scored(|_| -5)];
    let record = Table::new(players, rules)
        .play_game(&start, PlayerId::A, 7)
        .unwrap();
    assert_eq!(outcome(&record), (None, Reason::AdjudicatedDraw));
    assert_eq!(record.moves.len(), 6);
}

#[test]
fn without_the_repetition_rule_a_game_goes_on() {
    let rules = Rules {
        repetition: RepetitionRule::Off,
        plies_max: 40,
        ..RULES
    };
    let record = game("9 a", wait, wait, rules);
    assert_eq!(outcome(&record), (None, Reason::MaxPlies));
    assert_eq!(record.moves.len(), 40);
}

#[test]
fn who_oversteps_the_clock_loses_and_the_move_does_not_count() {
    let clock = ClockLimit {
        base_ms: 5,
        ..ClockLimit::default()
    };
    let slow = Scripted::new(take_one).with_clock(clock, Duration::from_millis(4));
    let start = Toy::parse("30 a").unwrap();
    let players = [Scripted::boxed(take_one), Box::new(slow) as Box<dyn Player<Toy>>];
    let record = Table::new(players, RULES)
        .play_game(&start, PlayerId::A, 7)
        .unwrap();
    assert_eq!(outcome(&record), (Some(PlayerId::A), Reason::TimeLoss));
    let turns_of_b = record.turns.len() / 2;
    assert!(
        turns_of_b == 1 || turns_of_b == 2,
        "the second turn of B at the latest"
    );
    assert_eq!(record.moves.len(), record.turns.len() - 1);
    assert!(record.time_us[1] > 5_000);
}

const PLAN: PairPlan = PairPlan {
    pair: 4,
    players: [7, 8],
    opening: 0,
    seeds: [1, 2],
};

fn opening() -> Opening<Toy> {
    Opening::new(1, Toy::parse("9 a").unwrap())
}

fn illegal_at_first(faults: u32, policy: &str) -> Result<PairRecord, Unplayed> {
    let mut games = 0;
    let faulty = Scripted::boxed(move |_: &Toy, _, _| {
        games += 1;
        Some(if games <= faults {
            Action::Move(Take(9))
        } else {
            Action::Resign
        })
    });
    let rules = Rules {
        on_fault: policy.parse().unwrap(),
        ..RULES
    };
    Table::new([faulty, Scripted::boxed(take_one)], rules).play_pair(&PLAN, &opening(), &mut Vec::new())
}

#[test]
fn a_pair_that_ends_without_a_record_keeps_the_note_of_what_was_excused() {
    let mut games = 0;
    // Illegal, then stopped from outside, then illegal again.
    let faulty = Scripted::boxed(move |_: &Toy, _, _| {
        games += 1;
        (games != 2).then_some(Action::Move(Take(9)))
    });
    let rules = Rules {
        on_fault: "illegal_move=replay:1".parse().unwrap(),
        ..RULES
    };
    let mut table = Table::new([faulty, Scripted::boxed(take_one)], rules);
    let mut excused = Vec::new();
    let stopped = table.play_pair(&PLAN, &opening(), &mut excused);
    assert_eq!((stopped, excused.len()), (Err(Unplayed::Interrupted), 1));
    let record = table.play_pair(&PLAN, &opening(), &mut excused).unwrap();
    assert_eq!(
        record.excused.len(),
        1,
        "one replay is all that the policy grants"
    );
    assert_eq!(record.games[0].reason, Reason::IllegalMove);
}

#[test]
fn a_pair_is_played_again_after_a_fault_as_often_as_the_policy_says() {
    let again = illegal_at_first(2, "illegal_move=replay").unwrap();
    assert_eq!(
        again.games.each_ref().map(|game| game.reason),
        [Reason::Resignation; 2]
    );
    let fault = PairFault {
        pair: 4,
        game: 0,
        player: 7,
        reason: Reason::IllegalMove,
    };
    assert_eq!(again.excused, [fault; 2]);
    let bounded = illegal_at_first(2, "illegal_move=replay:1").unwrap();
    assert_eq!(bounded.games[0].reason, Reason::IllegalMove);
    assert_eq!(bounded.excused.len(), 1);
    assert!(illegal_at_first(2, "crash=replay").unwrap().excused.is_empty());
    assert_eq!(illegal_at_first(2, "all=stop"), Err(Unplayed::Stopped(fault)));
}
