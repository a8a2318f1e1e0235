//! `nodes.svg`: at each depth the nodes of every configuration compared with the first.

use crate::document::number::shortened;
use crate::document::plot::{Anchor, NumberAxis, Plot, plain_mark, range, series, signed_mark};
use crate::document::text::Text;
use crate::kinds::nodes::{NodesSummary, SummaryRow};

const HEIGHT: u32 = 340;
const LABEL_CHARS_MAX: usize = 48;
/// Of a depth: how far apart the configurations are drawn.
const STEP: f64 = 0.12;

pub(crate) fn ratios(summary: &NodesSummary, labels: &[String]) -> Plot {
    let rows = summary.rows.iter();
    let shown = rows
        .flat_map(|row| [row.ratio.low, row.ratio.value, row.ratio.high])
        .flatten();
    // A few percent are noise more often than not, and must not fill the picture.
    let (low, high) = range((0.95, 1.05), shown);
    let max = summary.depth_compared().unwrap_or(1);
    let axes = [
        NumberAxis::Depths { max },
        NumberAxis::Log {
            low: low / 1.02,
            high: high * 1.02,
        },
    ];
    let mut plot = Plot::new(axes, [&plain_mark, &percent], HEIGHT);
    plot.axis(1.0);
    let middle = labels.len() as f64 / 2.0;
    for (config, label) in labels.iter().enumerate().skip(1) {
        let colour = series(config - 1);
        let room = STEP.min(0.8 / labels.len() as f64);
        let at = |row: &SummaryRow| f64::from(row.depth) + room * (config as f64 - middle);
        let rows: Vec<&SummaryRow> = summary.rows_of(config).collect();
        for row in &rows {
            if let Some((low, high)) = row.ratio.low.zip(row.ratio.high) {
                plot.interval(at(row), [low, high], colour);
            }
        }
        let points = rows.iter().filter_map(|row| Some((at(row), row.ratio.value?)));
        let points: Vec<(f64, f64)> = points.collect();
        plot.line(points.iter().copied(), colour);
        for &point in &points {
            plot.mark(point, config - 1);
        }
        let label = shortened(label, LABEL_CHARS_MAX);
        let last = points.last().map_or(String::new(), |&(_, ratio)| {
            percent((100.0 * ratio).round() / 100.0)
        });
        plot.name(config - 1, Text::plain(format!("{label} {last}")));
    }
    let first = labels
        .first()
        .map(|label| shortened(label, LABEL_CHARS_MAX))
        .unwrap_or_default();
    plot.label(
        (f64::from(max) + 0.5, 1.0),
        [-4, -6],
        Anchor::End,
        None,
        Text::plain(first),
    );
    plot
}

/// `−10 %` of a ratio of 0.9
fn percent(ratio: f64) -> String {
    format!("{} %", signed_mark(100.0 * (ratio - 1.0)))
}

#[cfg(test)]
mod tests {
    use crate::kinds::nodes::plot::*;
    use crate::kinds::nodes::summary::tests::search;

    fn image(labels: &[String], depth: u32) -> String {
        let nodes = |config: u64, position: u64| {
            (1..=depth).map(move |depth| ((30 + 7 * position) * 3u64.pow(depth.min(20)) / (config + 1), "a"))
        };
        let jobs = (0..labels.len()).flat_map(|config| (0..5).map(move |position| (config, position)));
        let searches = jobs.map(|(config, position)| {
            let found: Vec<(u64, &str)> = nodes(config as u64, position as u64).collect();
            search(config, position, &found)
        });
        let searches: Vec<_> = searches.collect();
        let summary = NodesSummary::new(&searches, &vec![false; labels.len()], depth.max(1));
        ratios(&summary, labels).svg(&Text::plain(""))
    }

    #[test]
    fn every_configuration_has_its_name_and_a_mark_at_each_depth() {
        let labels = ["base", "base,lmr=off", "a<b"].map(str::to_owned);
        let image = image(&labels, 6);
        for name in ["base", "base,lmr=off −50 %", "a&lt;b −67 %"] {
            assert!(image.contains(name), "{name}");
        }
        assert_eq!(image.matches("<circle").count(), 6 + 1);
        assert_eq!(image.matches("class=\"mark").count(), 2 * (6 + 1));
    }

    #[test]
    fn one_depth_one_configuration_or_nothing_at_all_still_make_an_image() {
        for (configs, depth) in [(1, 1), (1, 127), (9, 1), (20, 12), (1, 0)] {
            let labels: Vec<String> = (0..configs).map(|config| format!("config {config}")).collect();
            assert!(image(&labels, depth).ends_with("</svg>"), "{configs} {depth}");
        }
    }
}
