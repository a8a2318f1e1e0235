//! Ending a game that the players' own scores have decided.

use crate::config::{DrawRule, ResignRule, Rules};
use crate::record::{PlayerId, Reason, Score};

/// The winner, if any, and why.
type Adjudication = (Option<PlayerId>, Reason);

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
    /// A stranger's score alone ends no game, unless the rule says so: it may be from another point of view.
    pub(super) fn new(rules: &Rules, has_stranger: bool) -> Adjudicator {
        let resign = rules.resign.map(|rule| ResignRule {
            both: rule.both.or(Some(has_stranger)),
            ..rule
        });
        Adjudicator {
            resign,
            draw: rules.draw,
            hopeless: [0; 2],
            winning: [0; 2],
            level: 0,
        }
    }

    /// Takes the score of `player`'s turn, by which the game reached `plies`. Captures and pawn moves of chess are `progress`: as
    /// chess programs count it, a draw begins there.
    pub(super) fn turn(
        &mut self,
        player: PlayerId,
        score: Option<Score>,
        is_progress: bool,
        plies: usize,
    ) -> Option<Adjudication> {
        if is_progress {
            self.level = 0;
        }
        let resigned = self.resign.and_then(|rule| self.resign(rule, player, score));
        let drawn = self.draw.and_then(|rule| self.draw(rule, score, plies));
        resigned.or(drawn)
    }

    fn resign(&mut self, rule: ResignRule, player: PlayerId, score: Option<Score>) -> Option<Adjudication> {
        let value = score.map(Score::centipawns);
        count(
            &mut self.hopeless[player.index()],
            value.is_some_and(|value| value <= -rule.score),
        );
        count(
            &mut self.winning[player.index()],
            value.is_some_and(|value| value >= rule.score),
        );
        let has_lost = |loser: PlayerId| {
            let opponent_agrees =
                rule.both != Some(true) || self.winning[loser.opponent().index()] >= rule.moves;
            self.hopeless[loser.index()] >= rule.moves && opponent_agrees
        };
        [player, player.opponent()]
            .into_iter()
            .find(|&loser| has_lost(loser))
            .map(|loser| (Some(loser.opponent()), Reason::AdjudicatedWin))
    }

    fn draw(&mut self, rule: DrawRule, score: Option<Score>, plies: usize) -> Option<Adjudication> {
        let is_level = score.is_some_and(|score| score.centipawns().abs() <= rule.score);
        count(&mut self.level, is_level);
        let is_drawn = plies >= rule.from_ply as usize && self.level >= 2 * rule.moves;
        is_drawn.then_some((None, Reason::AdjudicatedDraw))
    }
}

fn count(streak: &mut u32, goes_on: bool) {
    *streak = if goes_on { *streak + 1 } else { 0 };
}
