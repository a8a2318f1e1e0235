//! Endgames whose best move attacks something away from the king: SS-Cut cannot play it, DS-Cut may.
#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use tanren_engine::config::Config;
use tanren_engine::game::{Game, Metric, Path, Position, RegionKind, RegionRules};
use tanren_engine::search::{Searcher, Silent};
use tanren_engine::shogi::{Board, Kind, Move};
use tanren_engine::time::Limits;

/// `START moves MOVES ; best MOVE ; distance D ; gap CENTIPAWNS`.
const SUITE: &str = include_str!("../../suites/shogi-far-attacks.sfen");

struct Question {
    position: Board,
    best: Move,
    distance: u8,
}

fn questions() -> Vec<Question> {
    let lines = SUITE.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(" ; ").collect();
            let [game, best, distance, _gap] = fields[..] else {
                panic!("four fields: {line}");
            };
            let (start, moves) = game.split_once(" moves ").unwrap();
            let mut position = Board::parse(start).unwrap();
            for word in moves.split(' ') {
                position.make(position.parse_move(word).unwrap());
            }
            let best = position.parse_move(best.strip_prefix("best ").unwrap()).unwrap();
            let distance = distance.strip_prefix("distance ").unwrap().parse().unwrap();
            Question {
                position,
                best,
                distance,
            }
        })
        .collect()
}

/// The moves that `player` chooses, to depth 6 in a new game.
fn chosen(player: &str, questions: &[Question]) -> Vec<Option<Move>> {
    let config = Config::parse(Game::Shogi, player).unwrap();
    let limits = Limits {
        depth_max: Some(6),
        ..Limits::default()
    };
    let mut searcher = Searcher::new(&config, 16);
    let choose = |question: &Question| {
        searcher.new_game();
        let path = Path::new(&question.position);
        searcher
            .search(&question.position, &path, &limits, &mut Silent)
            .best
    };
    questions.iter().map(choose).collect()
}

fn found(player: &str) -> usize {
    let questions = questions();
    let chosen = chosen(player, &questions);
    let pairs = questions.iter().zip(chosen);
    pairs
        .filter(|(question, chosen)| *chosen == Some(question.best))
        .count()
}

#[test]
fn the_best_moves_of_the_suite_attack_something_beyond_the_distance_of_the_static_cut() {
    let questions = questions();
    let rules = RegionRules {
        metric: Metric::KingMoves,
        exempts: true,
    };
    for Question {
        position,
        best,
        distance,
    } in &questions
    {
        let region = position.region(*best, rules).unwrap();
        assert_eq!(
            (region.kind, region.distance),
            (RegionKind::Attack, *distance),
            "{position}"
        );
        assert!(region.distance > 5, "{position}");
    }
    let is_knight = |best: Move| best.is_drop() && best.dropped() == Kind::Knight;
    let knights = questions
        .iter()
        .filter(|question| is_knight(question.best))
        .count();
    assert!(
        questions.len() >= 20 && knights >= 5,
        "{} of {}",
        knights,
        questions.len()
    );
}

#[test]
fn the_static_cut_never_plays_them_and_the_dynamic_cut_does() {
    let [none, fixed, dynamic] = ["tacos-n", "tacos-ss", "tacos-ds"].map(found);
    assert_eq!(fixed, 0);
    assert!(none > 13 && dynamic > 13, "{none}, {dynamic} in a new game");
}
