//! The course of a match over its games: the test between its bounds, and Elo with its interval.

use maud::{Markup, html};

use crate::document::number::signed;
use crate::document::plot::{Anchor, NumberAxis, Plot, number, range, series, signed_mark};
use crate::document::text::Text;
use crate::stats::{Bounds, Estimate};

const HEIGHT: u32 = 250;

pub(crate) struct LlrWalk {
    pub(crate) name: String,
    /// Games and the ratio after them.
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) bounds: Bounds,
}

/// Several tests on one scale, or one.
pub(crate) fn walks(walks: &[LlrWalk]) -> Plot {
    let points = || walks.iter().flat_map(|walk| &walk.points);
    let bounds = walks
        .iter()
        .flat_map(|walk| [walk.bounds.lower, walk.bounds.upper]);
    let (low, high) = range((0.0, 0.0), points().map(|point| point.1).chain(bounds));
    let room = 0.16 * (high - low).max(0.1);
    let (_, games) = range((1.0, 1.0), points().map(|point| point.0));
    let mut plot = over_games(games, [low - room, high + room]);
    plot.axis(0.0);
    for (index, walk) in walks.iter().enumerate() {
        let Bounds { lower, upper } = walk.bounds;
        if index == 0 || walks[index - 1].bounds != walk.bounds {
            if index == 0 {
                plot.beyond(lower, false, "fail");
                plot.beyond(upper, true, "pass");
            }
            plot.bound(lower, "fail");
            plot.bound(upper, "pass");
        }
        let colour = series(index);
        plot.line(
            std::iter::once((0.0, 0.0)).chain(walk.points.iter().copied()),
            colour,
        );
        if let Some(&end) = walk.points.last() {
            plot.dot(end, colour);
            if let [_] = walks {
                let text = Text::plain(signed_text(end.1, 2));
                let down = if end.1 < 0.0 { 17 } else { -8 };
                plot.label(end, [-8, down], Anchor::End, Some(colour), text);
            }
        }
        if !walk.name.is_empty() {
            plot.name(index, Text::plain(&walk.name));
        }
    }
    if let Some(walk) = walks.first() {
        let Bounds { lower, upper } = walk.bounds;
        let bound = |bound| signed_text(bound, 2);
        let texts = [
            (
                upper,
                -6,
                "pass",
                Text::filled("H1 accepted above {bound}", &[("bound", &bound(upper))]),
            ),
            (
                lower,
                15,
                "fail",
                Text::filled("H0 accepted below {bound}", &[("bound", &bound(lower))]),
            ),
        ];
        for (bound, down, colour, text) in texts {
            plot.label((0.0, bound), [6, down], Anchor::Start, Some(colour), text);
        }
    }
    plot
}

/// Elo after so many games, and at the end the estimate to quote.
pub(crate) fn elo(points: &[(f64, Estimate)], at_end: Estimate, interval: &Text) -> Plot {
    let known = |estimate: &Estimate| Some([estimate.low?, estimate.value?, estimate.high?]);
    let points = points
        .iter()
        .filter_map(|(games, estimate)| Some((*games, known(estimate)?)));
    let mut points: Vec<(f64, [f64; 3])> = points.collect();
    let end = known(&at_end).zip(points.last_mut()).map(|(at_end, last)| {
        last.1 = at_end;
        (last.0, at_end[1])
    });
    // The first intervals are as wide as the chart is high: what comes later is what is looked at.
    let tail = points.iter().skip(points.len() / 8).map(|point| point.1);
    let (low, high) = range((-5.0, 5.0), tail.flatten());
    let room = 0.06 * (high - low);
    let (_, games) = range((1.0, 1.0), points.iter().map(|point| point.0));
    let mut plot = over_games(games, [low - room, high + room]);
    plot.axis(0.0);
    let at = |index: usize| points.iter().map(move |(games, ends)| (*games, ends[index]));
    plot.band(at(2), at(0), "accent");
    plot.line(at(1), "accent");
    plot.label(
        (games, 0.0),
        [-2, 15],
        Anchor::End,
        None,
        Text::new("equal strength"),
    );
    let middle = points.get(points.len() / 2);
    if let Some(&(games, [_, _, high])) = middle {
        plot.label(
            (games, high),
            [0, -6],
            Anchor::Middle,
            Some("accent"),
            interval.clone(),
        );
    }
    if let Some(end) = end {
        plot.dot(end, "accent");
        let text = Text::plain(signed_text(end.1, 1));
        plot.label(end, [-10, -8], Anchor::End, Some("accent"), text);
    }
    plot
}

fn over_games(games: f64, [low, high]: [f64; 2]) -> Plot {
    let axes = [
        NumberAxis::Counted { count: games as u64 },
        NumberAxis::Linear { low, high },
    ];
    Plot::new(axes, [&|games| format!("{games}"), &signed_mark], HEIGHT)
}

/// With a true minus.
fn signed_text(value: f64, decimals: usize) -> String {
    signed(Some(value), decimals).replace('-', "−")
}

/// Where a test stands between its bounds.
pub fn gauge(llr: f64, bounds: &Bounds) -> Markup {
    let Bounds { lower, upper } = *bounds;
    let share = ((llr - lower) / (upper - lower)).clamp(0.0, 1.0);
    let [lower, llr, upper] = [lower, llr, upper].map(|value| signed_text(value, 2));
    html! {
        svg class="gauge" role="img" aria-label={ "LLR " (llr) ", H0 " (lower) ", H1 " (upper) } {
            rect y="4" width="100%" height="6" rx="3" {}
            circle class="mark c-accent" cx={ (number(100.0 * share)) "%" } cy="7" r="6" {}
        }
        div class="ends" aria-hidden="true" { span { b class="h0" { "H0" } " " (lower) } b { (llr) } span { b class="h1" { "H1" } " " (upper) } }
    }
}

#[cfg(test)]
mod tests {
    use crate::document::course::*;

    #[test]
    fn a_walk_names_its_bounds_and_an_estimate_ends_at_the_one_to_quote() {
        let bounds = Bounds {
            lower: -2.9,
            upper: 2.9,
        };
        let walk = LlrWalk {
            name: String::new(),
            points: vec![(2.0, 0.2), (4.0, -0.4), (6.0, 1.0)],
            bounds,
        };
        let drawn = walks(&[walk]).html(&Text::plain("")).into_string();
        for part in [
            "H1 accepted above +2.90",
            "H0 accepted below −2.90",
            "+1.00",
            ">6<",
        ] {
            assert!(drawn.contains(part), "{part}: {drawn}");
        }
        let estimate = Estimate {
            value: Some(3.0),
            low: Some(-4.0),
            high: Some(10.0),
        };
        let points = [(10.0, Estimate::UNKNOWN), (12.0, estimate), (14.0, estimate)];
        let end = Estimate {
            value: Some(2.5),
            ..estimate
        };
        let drawn = elo(&points, end, &Text::plain("90 % CI"))
            .html(&Text::plain(""))
            .into_string();
        assert!(drawn.contains("90 % CI") && drawn.contains("+2.5"), "{drawn}");
        assert_eq!(
            (
                drawn.matches("class=\"band").count(),
                drawn.matches("<circle").count()
            ),
            (1, 1)
        );
        elo(&[], Estimate::UNKNOWN, &Text::plain("")).html(&Text::plain(""));
    }
}
