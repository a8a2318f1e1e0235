//! `odds.svg`: A's score in each batch over the ratio it was played at, the fitted curve, and where it crosses one half.

use crate::document::plot::{Anchor, NumberAxis, Plot, range, ratio_mark};
use crate::document::text::Text;
use crate::kinds::odds::plan::{OddsStep, curve};
use crate::stats::Estimate;

const HEIGHT: u32 = 320;
const CURVE_POINTS: usize = 120;
/// Half a factor of two and a bit on both sides of what was played.
const ROOM: f64 = 1.3;

pub(crate) fn plot(steps: &[OddsStep]) -> Plot {
    let (low, high) = range((1.0, 1.0), steps.iter().map(|step| step.ratio));
    let (low, high) = (low / ROOM, high * ROOM);
    let axes = [
        NumberAxis::Log { low, high },
        NumberAxis::Linear { low: 0.0, high: 1.0 },
    ];
    let percent = |score: f64| format!("{:.0} %", 100.0 * score);
    let mut plot = Plot::new(axes, [&ratio_mark, &percent], HEIGHT);
    let estimate = steps.last().map_or(Estimate::UNKNOWN, |step| step.estimate);
    if let Some((left, right)) = estimate.low.zip(estimate.high) {
        plot.band([(left, 1.0), (right, 1.0)], [(left, 0.0), (right, 0.0)], "accent");
    }
    plot.axis(0.5);
    plot.label(
        (high, 0.5),
        [-2, 15],
        Anchor::End,
        None,
        Text::new("equal strength"),
    );
    if let Some(curve) = curve(steps) {
        let ratio = |point: usize| low * (high / low).powf(point as f64 / CURVE_POINTS as f64);
        let points = (0..=CURVE_POINTS).map(ratio);
        plot.line(points.map(|ratio| (ratio, curve.score(ratio.ln()))), "accent");
    }
    for step in steps {
        if let Some(score) = step.tally.score() {
            plot.mark((step.ratio, score), 1);
        }
    }
    if let Some(value) = estimate.value {
        plot.dot((value, 0.5), "accent");
        let text = Text::plain(ratio_mark(value));
        plot.label((value, 0.5), [0, -12], Anchor::Middle, Some("accent"), text);
    }
    plot.name(1, Text::new("a batch"));
    plot.name(
        0,
        Text::new("fitted curve, ratio of equal strength with its 95 % CI"),
    );
    plot
}

#[cfg(test)]
mod tests {
    use crate::kinds::fixtures::odds_steps;
    use crate::kinds::odds::plot::*;

    #[test]
    fn every_batch_is_a_dot_and_the_interval_is_shaded_once_there_is_one() {
        let steps = odds_steps();
        let image = |steps| plot(steps).svg(&Text::plain(""));
        let [none, one, two] = [0, 1, 2].map(|count| image(&steps[..count]));
        assert_eq!(
            [&none, &one, &two].map(|image| image.matches("<circle").count() - 1),
            [0, 0, 1]
        );
        assert_eq!(
            [&one, &two].map(|image| image.matches("class=\"band").count()),
            [0, 1]
        );
        assert!(two.contains("× 1"));
    }
}
