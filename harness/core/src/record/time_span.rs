//! When games were played.

use serde::{Deserialize, Serialize};

/// From the beginning of a game to its end by the clock of the machine that played it, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeSpan {
    pub start_ms: u64,
    pub end_ms: u64,
}

/// No run waits longer between two games while it plays.
const BREAK_MS: u64 = 5_000;

/// The time in which any game was played.
#[derive(Debug, Clone, Default)]
pub struct PlayingTime {
    /// In order, with breaks between them.
    spans: Vec<TimeSpan>,
}

impl PlayingTime {
    pub fn add(&mut self, mut span: TimeSpan) {
        if span.start_ms == 0 {
            return;
        }
        let is_before = |known: &TimeSpan| known.end_ms.saturating_add(BREAK_MS) < span.start_ms;
        let first = self.spans.partition_point(is_before);
        let is_near = |known: &TimeSpan| known.start_ms <= span.end_ms.saturating_add(BREAK_MS);
        let end = first + self.spans[first..].partition_point(is_near);
        for known in &self.spans[first..end] {
            span.start_ms = span.start_ms.min(known.start_ms);
            span.end_ms = span.end_ms.max(known.end_ms);
        }
        self.spans.splice(first..end, [span]);
    }

    pub fn seconds(&self) -> f64 {
        let ms = self
            .spans
            .iter()
            .map(|span| span.end_ms.saturating_sub(span.start_ms));
        ms.fold(0, u64::saturating_add) as f64 / 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_at_the_same_time_count_once_and_a_break_does_not_count() {
        let mut time = PlayingTime::default();
        for (start_ms, end_ms, seconds) in [
            (0, 0, 0.0),
            (100_000, 103_000, 3.0),
            (101_000, 102_000, 3.0),
            (200_000, 201_000, 4.0),
            (105_000, 106_000, 7.0),
            (96_000, 97_000, 11.0),
            (90_000, 210_000, 120.0),
            (90_000, 80_000, 120.0),
        ] {
            time.add(TimeSpan { start_ms, end_ms });
            assert_eq!(time.seconds(), seconds, "{start_ms}");
        }
    }
}
