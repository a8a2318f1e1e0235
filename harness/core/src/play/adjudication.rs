//! Ending a game that the players' own scores have decided.

use crate::config::{Agreement, DrawRule, ResignRule, Rules};
use crate::record::{PlayerId, Reason, Score};

/// The winner, if any, and why.
type Outcome = (Option<PlayerId>, Reason);

/// Counts, for one game, how long scores have said the same.
#[derive(Debug)]
pub(super) struct Adjudicator {
    resign: Option<ResignRule>,
    draw: Option<DrawRule>,
    hopeless: [u32; 2],
    winning: [u32; 2],
    level: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: &Rules) -> Adjudicator {
        Adjudicator {
            resign: rules.resign,
            draw: rules.draw,
            hopeless: [0; 2],
            winning: [0; 2],
            level: 0,
        }
    }

    /// Takes the score of `player`'s turn, by which the game reached `plies`.
    pub(super) fn turn(&mut self, player: PlayerId, score: Option<Score>, plies: usize) -> Option<Outcome> {
        let resigned = self.resign.and_then(|rule| self.resign(rule, player, score));
        let drawn = self.draw.and_then(|rule| self.draw(rule, score, plies));
        resigned.or(drawn)
    }

    fn resign(&mut self, rule: ResignRule, player: PlayerId, score: Option<Score>) -> Option<Outcome> {
        let value = score.map(centipawns);
        count(
            &mut self.hopeless[player.index()],
            value.is_some_and(|value| value <= -rule.score),
        );
        count(
            &mut self.winning[player.index()],
            value.is_some_and(|value| value >= rule.score),
        );
        let has_lost = |loser: PlayerId| {
            let opponent_agrees = match rule.agreement {
                Agreement::Loser => true,
                Agreement::Both => self.winning[loser.opponent().index()] >= rule.moves,
            };
            self.hopeless[loser.index()] >= rule.moves && opponent_agrees
        };
        [player, player.opponent()]
            .into_iter()
            .find(|&loser| has_lost(loser))
            .map(|loser| (Some(loser.opponent()), Reason::AdjudicatedWin))
    }

    fn draw(&mut self, rule: DrawRule, score: Option<Score>, plies: usize) -> Option<Outcome> {
        let is_level = score.is_some_and(|score| centipawns(score).abs() <= rule.score);
        count(&mut self.level, is_level);
        let is_drawn = plies >= rule.from_ply as usize && self.level >= 2 * rule.moves;
        is_drawn.then_some((None, Reason::AdjudicatedDraw))
    }
}

fn count(streak: &mut u32, goes_on: bool) {
    *streak = if goes_on { *streak + 1 } else { 0 };
}

/// A mate is worth more than any score a rule can name.
fn centipawns(score: Score) -> i32 {
    match score {
        // The bound keeps `abs` from overflowing for what another program may say.
        Score::Centipawns(value) => value.clamp(-i32::MAX, i32::MAX),
        Score::Mate(plies) if plies > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The turn (from 1) and the outcome that end a game in which A and B, in turn, see these scores.
    fn end(rules: &Rules, scores: &[Option<Score>]) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new(rules);
        let players = [PlayerId::A, PlayerId::B].into_iter().cycle();
        (1..)
            .zip(players.zip(scores))
            .find_map(|(turn, (player, &score))| Some((turn, adjudicator.turn(player, score, turn)?)))
    }

    fn values(scores: &[i32]) -> Vec<Option<Score>> {
        scores
            .iter()
            .map(|&value| Some(Score::Centipawns(value)))
            .collect()
    }

    fn rules(resign: &str, draw: &str) -> Rules {
        Rules {
            resign: (!resign.is_empty()).then(|| resign.parse().unwrap()),
            draw: (!draw.is_empty()).then(|| draw.parse().unwrap()),
            ..Rules::default()
        }
    }

    #[test]
    fn a_player_loses_after_so_many_hopeless_moves_in_a_row() {
        let mated = Some(Score::Mate(-5));
        let lost_by =
            |turn, player: PlayerId| Some((turn, (Some(player.opponent()), Reason::AdjudicatedWin)));
        let broken = values(&[0, -600, 0, -700, 0, -599, 0, -600, 0, -600, 0, -600]);
        let agreed = values(&[-900, 500, -900, 600, -900, 600]);
        for (rule, scores, expected) in [
            ("", vec![mated; 50], None),
            ("score=600,moves=3", broken, lost_by(12, PlayerId::B)),
            ("score=600,moves=2,both", agreed, lost_by(6, PlayerId::A)),
            ("score=600,moves=2,both", values(&[-900, 500].repeat(20)), None),
            (
                "score=600,moves=2",
                vec![None, mated, None, mated],
                lost_by(4, PlayerId::B),
            ),
            // Silence is not hopeless.
            (
                "score=600,moves=2",
                vec![None, mated, None, None, None, mated],
                None,
            ),
        ] {
            assert_eq!(end(&rules(rule, ""), &scores), expected, "{rule} {scores:?}");
        }
    }

    #[test]
    fn a_level_game_is_drawn_from_the_ply_of_the_rule_on() {
        let level = values(&[10; 40]);
        let mut once = values(&[-10; 12]);
        once[6] = Some(Score::Centipawns(11));
        for (rule, scores, turn) in [
            ("from=20,moves=4,score=10", &level, Some(20)),
            ("from=2,moves=4,score=10", &level, Some(8)),
            ("from=0,moves=3,score=10", &once, Some(6)),
            ("from=7,moves=3,score=10", &once, None),
        ] {
            let expected = turn.map(|turn| (turn, (None, Reason::AdjudicatedDraw)));
            assert_eq!(end(&rules("", rule), scores), expected, "{rule}");
        }
    }
}
