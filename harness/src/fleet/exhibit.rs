//! The game that a slot plays at the moment, for who would like to see it.
//!
//! In: the jobs of a slot. Out: a place for its games, and the last one noted there. Must not: tell of a game when its job is over.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::wire::{Job, ShownGame};
use crate::play::{LiveGames, LiveSlot};

/// What a slot shows.
#[derive(Debug, Default)]
pub(super) struct Exhibit {
    live_games: Arc<LiveGames>,
    /// Of the job that is being played.
    run: Mutex<Option<String>>,
}

impl Exhibit {
    /// A place for the games of `job`; what is played a second time is not shown.
    pub(super) fn begin(&self, job: &Job) -> LiveSlot {
        *self.run() = job.audit_of.is_none().then(|| job.run.clone());
        self.live_games.slot()
    }

    /// The job is over.
    pub(super) fn end(&self) {
        *self.run() = None;
    }

    /// The game as it stood when this was last asked.
    pub(super) fn game(&self) -> Option<ShownGame> {
        let run = self.run().clone()?;
        let game = self.live_games.games().pop();
        self.live_games.ask();
        Some(ShownGame { run, game: game? })
    }

    fn run(&self) -> MutexGuard<'_, Option<String>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(audit_of: Option<&str>) -> Job {
        Job {
            run: "0123456789abcdef".to_owned(),
            table: String::new(),
            pairs: Vec::new(),
            audit_of: audit_of.map(str::to_owned),
            reference_nps: None,
        }
    }

    #[test]
    fn a_game_is_told_of_while_its_job_is_played_and_never_under_the_name_of_the_next() {
        let exhibit = Exhibit::default();
        assert_eq!(exhibit.game(), None);
        let mut seat = exhibit.begin(&job(None));
        assert_eq!(exhibit.game(), None, "nobody noted anything yet");
        seat.publish(crate::play::LiveGame::default());
        assert_eq!(exhibit.game().unwrap().run, "0123456789abcdef");
        exhibit.end();
        assert_eq!(exhibit.game(), None);
        seat = exhibit.begin(&job(None));
        assert_eq!(exhibit.game(), None, "the game before is another job's");
        seat.publish(crate::play::LiveGame::default());
        assert!(exhibit.game().is_some());
    }

    #[test]
    fn a_game_that_is_played_a_second_time_is_not_told_of() {
        let exhibit = Exhibit::default();
        let mut seat = exhibit.begin(&job(Some("worker-1")));
        seat.publish(crate::play::LiveGame::default());
        assert_eq!(exhibit.game(), None);
    }
}
