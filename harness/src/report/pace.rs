//! How much of a run's time was thinking.

use std::time::Instant;

use super::number::percent;
use crate::event::Event;
use crate::standing::Standing;

/// What was played between the first and the last event.
#[derive(Debug, Default)]
pub struct Pace {
    workers: usize,
    began: Option<(Instant, Counts)>,
    ended: Option<(Instant, Counts)>,
}

#[derive(Debug, Clone, Copy)]
struct Counts {
    games: u64,
    thought_us: u64,
}

impl Pace {
    /// Takes the time of an event of a run with so many workers.
    pub fn event(&mut self, event: &Event<'_>, workers: usize) {
        self.workers = workers;
        match event {
            Event::Started { standing } => self.began = Some((Instant::now(), counts(standing))),
            Event::Counted { .. } => {}
            Event::Ended { standing } => self.ended = Some((Instant::now(), counts(standing))),
        }
    }

    /// `200 games in 1042 s; 97.9 % of the time of 2 workers was thinking`; nothing if nothing was played.
    pub fn text(&self) -> Option<String> {
        let ((began, before), (ended, after)) = (self.began?, self.ended?);
        let seconds = (ended - began).as_secs_f64();
        describe(
            after.games - before.games,
            seconds,
            self.workers,
            after.thought_us - before.thought_us,
        )
    }
}

fn describe(games: u64, seconds: f64, workers: usize, thought_us: u64) -> Option<String> {
    if games == 0 || seconds <= 0.0 {
        return None;
    }
    let share = thought_us as f64 / 1e6 / (seconds * workers as f64);
    let workers = match workers {
        1 => "1 worker".to_owned(),
        _ => format!("{workers} workers"),
    };
    let share = percent(Some(share));
    Some(format!(
        "{games} games in {seconds:.1} s; {share} of the time of {workers} was thinking"
    ))
}

fn counts(standing: &Standing) -> Counts {
    Counts {
        games: standing.tally().games(),
        thought_us: standing.totals().time_us.iter().sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_of_all_workers_together() {
        assert_eq!(
            describe(200, 50.0, 2, 98_000_000).as_deref(),
            Some("200 games in 50.0 s; 98.0 % of the time of 2 workers was thinking")
        );
        assert_eq!(describe(0, 1.0, 1, 0), None);
    }
}
