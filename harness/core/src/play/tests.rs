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
    game_of(start, [Scripted::boxed(a), Scripted::boxed(b)], rules)
}

fn game_of(start: &str, players: [Box<dyn Player<Toy>>; 2], rules: Rules) -> GameRecord {
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
fn a_game_ends_as_the_rules_and_the_players_have_it() {
    use DeclarationRule::{Off, Points24, Points27};
    let declared_under = |declaration| Rules { declaration, ..RULES };
    let of_plies = |plies_max| Rules { plies_max, ..RULES };
    let without_repetition = Rules {
        repetition: RepetitionRule::Off,
        ..of_plies(40)
    };
    let (a, b) = (Some(PlayerId::A), Some(PlayerId::B));
    let cases: [(&str, Script, Script, Rules, _, _, usize); 11] = [
        // The first mover may be the second side.
        (
            "3 b",
            one_or_resign,
            one_or_resign,
            RULES,
            a,
            Reason::NoLegalMove,
            3,
        ),
        ("3 a", resign, take_one, RULES, b, Reason::Resignation, 0),
        // An illegal move is not recorded.
        ("1 a", take_one, take_one, RULES, a, Reason::IllegalMove, 1),
        // The opening stands after plies 0, 2, 4 and 6.
        ("9 a", wait, wait, RULES, None, Reason::Repetition, 6),
        ("9 a", wait, wait, without_repetition, None, Reason::MaxPlies, 40),
        ("9 a", take_one, take_one, of_plies(4), None, Reason::MaxPlies, 4),
        // The last move of the longest game may win.
        ("3 a", take_one, take_one, of_plies(3), a, Reason::NoLegalMove, 3),
        (
            "13 a",
            declare,
            take_one,
            declared_under(Points27),
            a,
            Reason::Declaration,
            0,
        ),
        (
            "12 a",
            declare,
            take_one,
            declared_under(Points27),
            b,
            Reason::WrongDeclaration,
            0,
        ),
        (
            "12 a",
            declare,
            take_one,
            declared_under(Points24),
            None,
            Reason::DeclarationDraw,
            0,
        ),
        (
            "13 a",
            declare,
            take_one,
            declared_under(Off),
            b,
            Reason::WrongDeclaration,
            0,
        ),
    ];
    for (start, of_a, of_b, rules, winner, reason, moves) in cases {
        let record = game(start, of_a, of_b, rules);
        assert_eq!(
            (outcome(&record), record.moves.len()),
            ((winner, reason), moves),
            "{start} {rules:?}"
        );
    }
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
fn scores_end_a_game_where_the_rules_of_the_game_do_not() {
    let adjudicated = |resign: &str, draw: &str| Rules {
        resign: (!resign.is_empty()).then(|| resign.parse().unwrap()),
        draw: (!draw.is_empty()).then(|| draw.parse().unwrap()),
        ..RULES
    };
    let agreeing = || [scored(|_| -600), scored(|ply| if ply < 4 { 0 } else { 600 })];
    let lost = || [scored(|_| -600), scored(|_| -600)];
    let level = || [scored(|_| 5), scored(|_| -5)];
    let b = Some(PlayerId::B);
    let both = adjudicated("score=500,moves=2,both", "");
    let any = adjudicated("score=500,moves=2", "from=0,moves=1,score=1000");
    let drawn = adjudicated("", "from=6,moves=2,score=5");
    for (start, players, rules, winner, reason, moves) in [
        ("30 a", agreeing(), both, b, Reason::AdjudicatedWin, 8),
        ("30 a", agreeing(), RULES, b, Reason::NoLegalMove, 30),
        ("2 a", lost(), any, b, Reason::NoLegalMove, 2),
        ("30 a", level(), drawn, None, Reason::AdjudicatedDraw, 6),
    ] {
        let record = game_of(start, players, rules);
        assert_eq!(
            (outcome(&record), record.moves.len()),
            ((winner, reason), moves),
            "{start} {rules:?}"
        );
    }
}

#[test]
fn who_oversteps_the_clock_loses_and_the_move_does_not_count() {
    let clock = ClockLimit {
        base_ms: 5,
        ..ClockLimit::default()
    };
    let slow = Scripted::new(take_one).with_clock(clock, Duration::from_millis(4));
    let record = game_of("30 a", [Scripted::boxed(take_one), Box::new(slow)], RULES);
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
