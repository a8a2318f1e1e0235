//! How much of its time a position deserves, judged between iterations.

use crate::config::{GapReading, SearchConfig};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Easy<M> {
    mv: M,
    value: i32,
}

impl<M: Copy> Easy<M> {
    /// The move whose value leads all others by `easy_move.gap`, if there is one.
    pub(super) fn find(config: &SearchConfig, values: impl IntoIterator<Item = (M, i32)>) -> Option<Self> {
        let mut best: Option<Easy<M>> = None;
        let mut second: Option<i32> = None;
        for (mv, value) in values {
            match best {
                Some(easy) if value <= easy.value => second = second.max(Some(value)),
                _ => {
                    second = second.max(best.map(|easy| easy.value));
                    best = Some(Easy { mv, value });
                }
            }
        }
        best.filter(|best| {
            second.is_some_and(|second| match config.easy_move_reading {
                GapReading::Large => best.value - second >= config.easy_move_gap,
                GapReading::Small => best.value - second <= config.easy_move_gap,
            })
        })
    }
}

/// What the iterations so far say about the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace<M> {
    easy: Option<Easy<M>>,
    depth: u32,
    best: Option<M>,
    score: i32,
    /// Iterations since the best move changed.
    unchanged: u32,
    fall: i32,
    /// Share of the nodes of the last iteration that were spent on its best move since it became best, in percent.
    effort: u64,
}

impl<M: Copy + Eq> Pace<M> {
    pub(super) fn new(easy: Option<Easy<M>>) -> Self {
        Pace {
            easy,
            depth: 0,
            best: None,
            score: 0,
            unchanged: 0,
            fall: 0,
            effort: 100,
        }
    }

    pub(super) fn note(&mut self, depth: u32, best: Option<M>, score: i32, effort: u64) {
        self.effort = effort;
        // The first iteration has nothing to be compared with.
        let is_first = self.depth == 0;
        self.unchanged = if best == self.best { self.unchanged + 1 } else { 0 };
        self.fall = if is_first { 0 } else { self.score - score };
        if is_first {
            self.unchanged = 1;
        }
        (self.depth, self.best, self.score) = (depth, best, score);
    }

    pub(super) fn percent(&self, config: &SearchConfig) -> u64 {
        let mut percent = 100;
        if config.easy_move && self.is_easy(config) {
            percent = percent * u64::from(config.easy_move_percent.unsigned_abs()) / 100;
        }
        if config.stable_move {
            percent = percent * u64::from(self.stability_percent(config).unsigned_abs()) / 100;
        }
        if config.node_time && self.depth >= config.node_time_depth_min.unsigned_abs() {
            let less = u64::from(config.node_time_slope.unsigned_abs()) * self.effort / 100;
            let share = u64::from(config.node_time_base.unsigned_abs()).saturating_sub(less);
            percent = percent * share / 100;
        }
        percent
    }

    fn is_easy(&self, config: &SearchConfig) -> bool {
        self.depth >= config.easy_move_depth_min.unsigned_abs()
            && self.easy.is_some_and(|easy| {
                // Of moves that are worth the same it does not matter which is best.
                let holds = self.best == Some(easy.mv) || config.easy_move_reading == GapReading::Small;
                holds && self.score >= easy.value - config.easy_move_fall
            })
    }

    fn stability_percent(&self, config: &SearchConfig) -> i32 {
        if self.fall >= config.stable_move_fall {
            config.stable_move_falling_percent
        } else if self.unchanged == 0 {
            config.stable_move_changed_percent
        } else if self.unchanged >= config.stable_move_iterations.unsigned_abs() {
            config.stable_move_percent
        } else {
            100
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_easy_if_its_value_leads_the_second_by_the_gap() {
        let config = SearchConfig::with("plain,easy_move=on");
        let find = |values: &[(char, i32)]| Easy::find(&config, values.iter().copied()).map(|easy| easy.mv);
        assert_eq!(find(&[('a', -50), ('b', 350), ('c', -60)]), Some('b'));
        assert_eq!(find(&[('a', 400), ('b', 0)]), Some('a'));
        assert_eq!(find(&[('a', 399), ('b', 0)]), None);
        assert_eq!(find(&[('a', 0), ('b', 900), ('c', 900)]), None);
        assert_eq!(find(&[('a', 0)]), None);
    }

    #[test]
    fn by_the_other_reading_a_position_is_stable_if_the_two_best_are_close_whichever_is_played() {
        let config = SearchConfig::with("plain,easy_move=on,easy_move.reading=small,easy_move.gap=50");
        let find = |values: &[(char, i32)]| Easy::find(&config, values.iter().copied());
        assert_eq!(find(&[('a', 51), ('b', 0)]), None);
        assert_eq!(find(&[('a', 0)]), None);
        let mut pace = Pace::new(find(&[('a', 50), ('b', 0)]));
        pace.note(6, Some('b'), 50, 50);
        assert_eq!(pace.percent(&config), 30);
        pace.note(7, Some('b'), -51, 50);
        assert_eq!(pace.percent(&config), 100, "the score fell");
    }

    #[test]
    fn an_easy_position_stays_easy_while_the_move_and_its_value_hold() {
        let config = SearchConfig::with("plain,easy_move=on");
        let easy = Easy::find(&config, [('a', 500), ('b', 0)]);
        let share = |depth, best, score| {
            let mut pace = Pace::new(easy);
            pace.note(depth, Some(best), score, 50);
            pace.percent(&config)
        };
        assert_eq!(share(6, 'a', 400), 30);
        assert_eq!(share(6, 'a', 399), 100);
        assert_eq!(share(6, 'b', 500), 100);
        assert_eq!(share(5, 'a', 500), 100);
    }

    #[test]
    fn a_best_move_that_stays_gets_less_time_and_one_that_changes_more() {
        let config = SearchConfig::with("plain,stable_move=on");
        let mut pace = Pace::new(None);
        let mut shares = Vec::new();
        for (depth, best) in (1..).zip("aaaabaaaa".chars()) {
            pace.note(depth, Some(best), 0, 50);
            shares.push(pace.percent(&config));
        }
        assert_eq!(shares, [100, 100, 100, 60, 130, 130, 100, 100, 100]);
    }

    #[test]
    fn a_falling_score_gets_more_time_however_stable_the_move() {
        let config = SearchConfig::with("plain,stable_move=on");
        let mut pace = Pace::new(None);
        for depth in 1..=5 {
            pace.note(depth, Some('a'), 100, 50);
        }
        pace.note(6, Some('a'), 60, 50);
        assert_eq!(pace.percent(&config), 210);
        pace.note(7, Some('a'), 60, 50);
        assert_eq!(pace.percent(&config), 60);
    }

    #[test]
    fn switched_off_every_position_gets_its_whole_share() {
        let config = SearchConfig::with("plain");
        let mut pace = Pace::new(Easy::find(&config, [('a', 5000), ('b', 0)]));
        for depth in 1..=20 {
            pace.note(depth, Some('a'), 5000 - 100 * depth as i32, 50);
            assert_eq!(pace.percent(&config), 100);
        }
    }

    #[test]
    fn the_fewer_nodes_went_into_the_best_move_the_more_time_it_gets() {
        let config = SearchConfig::with("plain,node_time=on,node_time.base=200,node_time.slope=140");
        let share = |depth, effort| {
            let mut pace = Pace::new(None);
            pace.note(depth, Some('a'), 0, effort);
            pace.percent(&config)
        };
        assert_eq!([0, 50, 100].map(|effort| share(6, effort)), [200, 130, 60]);
        assert_eq!(share(5, 0), 100, "the first iterations do not count");
    }
}
