//! The referee and the game loop.

use std::cell::RefCell;
use std::time::Duration;

use tanren_engine::config::DeclarationRule;
use tanren_engine::{chess, shogi};

use super::*;
use crate::config::ClockLimit;
use crate::player::Scripted;
use crate::record::Score;

const SHUFFLE: [&str; 4] = ["2h3h", "8b7b", "3h2h", "7b8b"];

/// What a player does who follows `moves` and resigns after them.
fn scripted<P: Position>(position: &P, word: Option<&&str>) -> Action<P::Move> {
    match word {
        None => Action::Resign,
        Some(&"declare") => Action::Declare,
        Some(word) => {
            let mv = position.parse_move(word).or_else(|_| P::Move::parse(word));
            Action::Move(mv.unwrap())
        }
    }
}

fn following<P: Position>(moves: &[&'static str]) -> Scripted<P> {
    let moves = moves.to_vec();
    Scripted::new(move |position: &P, ply, _| Some(scripted(position, moves.get(ply))))
}

fn rules(text: &str) -> Rules {
    let mut rules = Rules::default();
    for rule in text.split_whitespace() {
        let (key, value) = rule.split_once('=').unwrap();
        match key {
            "plies_max" => rules.plies_max = value.parse().unwrap(),
            "declaration" => rules.declaration = DeclarationRule::from_name(value).unwrap(),
            "repetition" => rules.ignores_repetition = value == "off",
            "resign" => rules.resign = Some(value.parse().unwrap()),
            "draw" => rules.draw = Some(value.parse().unwrap()),
            "on_fault" => rules.on_fault = value.parse().unwrap(),
            _ => panic!("{key}"),
        }
    }
    rules
}

fn score(word: &str) -> Option<Score> {
    match word.strip_prefix("mate") {
        Some(plies) => Some(Score::Mate(plies.parse().unwrap())),
        None => word.parse().ok().map(Score::Centipawns),
    }
}

fn game<P: Position>(start: &str, moves: &'static str, rules: Rules, scores: &'static str) -> GameRecord {
    let moves: Vec<&str> = match moves {
        "shuffle" => SHUFFLE.repeat(20),
        _ => moves.split_whitespace().collect(),
    };
    let scores: Vec<Option<Score>> = scores.split_whitespace().map(score).collect();
    let player = |_| -> Box<dyn Player<P>> {
        let scores = scores.clone();
        let score = move |ply: usize| *scores.get(ply % scores.len().max(1))?;
        Box::new(following(&moves).with_scores(score))
    };
    let mut table = GameTable::new([0, 1].map(player), rules);
    table
        .play_game(&P::parse(start).unwrap(), PlayerId::A, 7)
        .unwrap()
}

fn end(record: &GameRecord) -> String {
    let winner = record.winner.map_or("-", PlayerId::letter);
    format!("{winner} {} {}", record.reason.name(), record.moves.len())
}

#[test]
fn a_game_ends_as_the_rules_the_players_and_their_scores_have_it() {
    for line in include_str!("ends.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let [start, moves, rule, scores, expected] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (name, start) = start.trim().split_once(' ').unwrap();
        let play = match name {
            "chess" => game::<chess::Board>,
            _ => game::<shogi::Board>,
        };
        let record = play(start, moves.trim(), rules(rule), scores);
        assert_eq!(end(&record), expected.trim(), "{line}");
    }
}

#[test]
fn everything_that_was_played_is_recorded() {
    let record = game::<chess::Board>("startpos", "f2f3 e7e5 g2g4 d8h4", Rules::default(), "-1");
    assert_eq!(record.moves.len(), 4);
    assert_eq!(record.nodes, [30, 20], "the last search of A found nothing");
    assert_eq!(record.depth_sum, [9, 6]);
    assert_eq!((record.seed, record.turns.len()), (7, 5));
    assert_eq!(record.turns[1].score, Some(Score::Centipawns(-1)));
    assert_eq!((record.turns[4].nodes, record.turns[4].depth), (10, 3));
}

const PLAN: PairPlan = PairPlan {
    pair: 4,
    players: [7, 8],
    opening: 0,
    seeds: [2, 3],
};

fn opening() -> Opening<shogi::Board> {
    Opening::new(8, shogi::Board::start())
}

#[test]
fn a_pair_gives_each_player_the_first_move_once_and_each_game_its_seed() {
    let player = |_| {
        Scripted::boxed(|position, ply, seed| {
            Some(scripted(
                position,
                SHUFFLE.get(ply).filter(|_| ply < seed as usize),
            ))
        })
    };
    let mut table = GameTable::new([0, 1].map(player), Rules::default());
    let record = table.play_pair(&PLAN, &opening(), &mut Vec::new()).unwrap();
    assert_eq!((record.pair, record.players, record.opening_line), (4, [7, 8], 8));
    assert_eq!(record.opening, shogi::Board::start().to_string());
    let [one, two] = record.games;
    assert_eq!((one.first, one.moves.len()), (PlayerId::A, 2));
    assert_eq!((two.first, two.moves.len()), (PlayerId::B, 3));
}

#[test]
fn an_interrupted_game_leaves_no_record() {
    let player =
        |_| Scripted::boxed(|position, ply, _| (ply < 2).then(|| scripted(position, SHUFFLE.get(ply))));
    let mut table = GameTable::new([0, 1].map(player), Rules::default());
    assert!(table.play_game(&shogi::Board::start(), PlayerId::A, 0).is_none());
}

#[test]
fn who_oversteps_the_clock_loses_or_draws_and_the_move_does_not_count() {
    let bare = "4k2r/8/8/8/8/8/8/4K3 w - - 0 1";
    let (moves, a) = (&["e1e2", "e8e7", "e2e1", "e7e8"], Some(PlayerId::A));
    overstep(shogi::Board::start(), &SHUFFLE, true, (a, Reason::TimeLoss));
    for (start, timeout_draw, end) in [
        (bare, false, (a, Reason::TimeLoss)),
        (bare, true, (None, Reason::TimeoutDraw)),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", true, (a, Reason::TimeLoss)),
    ] {
        overstep(chess::Board::parse(start).unwrap(), moves, timeout_draw, end);
    }
}

fn overstep<P: Position>(
    start: P,
    moves: &[&'static str],
    timeout_draw: bool,
    end: (Option<PlayerId>, Reason),
) {
    let clock = ClockLimit {
        base_ms: 5,
        ..ClockLimit::default()
    };
    let mut rules = Rules {
        timeout_draw,
        ..Rules::default()
    };
    rules.clock.margin_ms = 0;
    let slow = following(moves).with_clock(clock, Duration::from_millis(4));
    let mut table = GameTable::new([Box::new(following(moves)), Box::new(slow)], rules);
    let record = table.play_game(&start, PlayerId::A, 7).unwrap();
    assert_eq!((record.winner, record.reason), end);
    let violation = rule_violation(&start, &mut Path::default(), &record, &rules);
    assert_eq!(violation, None, "{start}");
    assert!(
        matches!(record.turns.len(), 2..=4),
        "the second turn of B at the latest"
    );
    assert_eq!(record.moves.len(), record.turns.len() - 1);
    assert!(record.time_us[1] > 5_000);
}

/// A pair whose player A does these in turn, one a game: an illegal move, an interruption, or resigning from then on.
fn after_faults(turns: &'static str, policy: &str) -> (GameTable<shogi::Board>, Vec<PairFault>) {
    let mut turns = turns.split_whitespace();
    let faulty = Scripted::boxed(move |position, _, _| match turns.next() {
        Some("illegal") => Some(scripted(position, Some(&"1a1b"))),
        Some(_) => None,
        None => Some(Action::Resign),
    });
    let players = [faulty, Box::new(following(&SHUFFLE))];
    (
        GameTable::new(players, rules(&format!("on_fault={policy}"))),
        Vec::new(),
    )
}

#[test]
fn a_pair_is_played_again_after_a_fault_as_often_as_the_policy_says() {
    let fault = PairFault {
        pair: 4,
        game: 0,
        player: 7,
        reason: Reason::IllegalMove,
    };
    for (policy, first, replayed) in [
        ("illegal_move=replay", Ok(Reason::Resignation), 2),
        ("illegal_move=replay:1", Ok(Reason::IllegalMove), 1),
        ("crash=replay", Ok(Reason::IllegalMove), 0),
        ("all=stop", Err(Unplayed::Stopped(fault)), 0),
    ] {
        let (mut table, mut faults) = after_faults("illegal illegal", policy);
        let played = table.play_pair(&PLAN, &opening(), &mut faults);
        faults.extend(played.iter().flat_map(|record| record.replayed.iter().copied()));
        assert_eq!(played.map(|record| record.games[0].reason), first, "{policy}");
        assert_eq!(faults, vec![fault; replayed], "{policy}");
    }
}

#[test]
fn a_pair_that_ends_without_a_record_remembers_its_faults() {
    let (mut table, mut faults) = after_faults("illegal stop illegal", "illegal_move=replay:1");
    let stopped = table.play_pair(&PLAN, &opening(), &mut faults);
    assert_eq!((stopped, faults.len()), (Err(Unplayed::Interrupted), 1));
    let record = table.play_pair(&PLAN, &opening(), &mut faults).unwrap();
    assert_eq!(
        record.replayed.len(),
        1,
        "one replay is all that the policy grants"
    );
    assert_eq!(record.games[0].reason, Reason::IllegalMove);
}

#[test]
fn each_player_of_a_pool_is_made_once_and_plays_as_the_plan_says() {
    let made = RefCell::new(Vec::new());
    // Player 0 resigns at once, the others after a move.
    let make = |player: u16| -> Box<dyn Player<shogi::Board>> {
        made.borrow_mut().push(player);
        Box::new(following(&SHUFFLE[..usize::from(player).min(1)]))
    };
    let mut engine_pool = EnginePool::new(4, Rules::default(), Box::new(make));
    let mut winners = |players| {
        let plan = PairPlan { players, ..PLAN };
        let record = engine_pool.play_pair(&plan, &opening(), &mut Vec::new()).unwrap();
        record.games.map(|game| game.winner)
    };
    assert_eq!(winners([0, 1]), [Some(PlayerId::B), Some(PlayerId::B)]);
    assert_eq!(winners([2, 0]), [Some(PlayerId::A), Some(PlayerId::A)]);
    assert_eq!(winners([0, 2]), [Some(PlayerId::B), Some(PlayerId::B)]);
    assert_eq!(*made.borrow(), [0, 1, 2], "player 3 is never needed");
}
