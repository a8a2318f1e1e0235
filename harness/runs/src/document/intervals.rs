//! Values with their intervals, one below the other: on a page a table, as a file an image.

use maud::{Markup, html};
use unicode_width::UnicodeWidthStr;

use crate::document::number::shortened;
use crate::document::plot::{NumberAxis, file, number, range, signed_mark};
use crate::document::text::Text;
use crate::sanitize;
use crate::stats::Estimate;

const NAME_WIDTH: f64 = 260.0;
const NAME_CHARS_MAX: usize = 40;
const VALUE_WIDTH: f64 = 70.0;
const ROW_HEIGHT: f64 = 22.0;
const HEAD_HEIGHT: f64 = 62.0;
const MARKS_MAX: usize = 3;

/// Names with a value in each panel.
pub(crate) struct Rows {
    pub(crate) heading: Text,
    pub(crate) names: Vec<String>,
    pub(crate) panels: Vec<Panel>,
}

pub(crate) struct Panel {
    pub(crate) name: Text,
    pub(crate) axis: NumberAxis,
    pub(crate) mark: fn(f64) -> String,
    /// What a value is compared with.
    pub(crate) middle: f64,
    /// Of its image in a file.
    pub(crate) width: f64,
    pub(crate) dots: Vec<Option<Dot>>,
    pub(crate) text: fn(f64) -> String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Dot {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) colour: &'static str,
    /// Hollow where nothing is shown.
    pub(crate) is_filled: bool,
}

impl Dot {
    pub(crate) fn of(estimate: &Estimate, colour: &'static str, is_filled: bool) -> Option<Dot> {
        let value = estimate.value?;
        Some(Dot {
            value,
            low: estimate.low.unwrap_or(value),
            high: estimate.high.unwrap_or(value),
            colour,
            is_filled,
        })
    }

    /// Filled, and better or worse than `middle`, where its interval excludes it.
    pub(crate) fn of_interval(estimate: &Estimate, middle: f64) -> Option<Dot> {
        let dot = Dot::of(estimate, "same", false)?;
        Some(match dot {
            dot if dot.low > middle => Dot {
                colour: "pass",
                is_filled: true,
                ..dot
            },
            dot if dot.high < middle => Dot {
                colour: "fail",
                is_filled: true,
                ..dot
            },
            dot => dot,
        })
    }
}

/// Elo of several players or runs on one scale.
pub(crate) fn elo(heading: Text, rows: &[(String, Estimate)]) -> Rows {
    let dots: Vec<Option<Dot>> = rows.iter().map(|(_, elo)| Dot::of_interval(elo, 0.0)).collect();
    Rows {
        heading,
        names: rows.iter().map(|(name, _)| name.clone()).collect(),
        panels: vec![Panel::elo(dots)],
    }
}

impl Panel {
    pub(crate) fn elo(dots: Vec<Option<Dot>>) -> Panel {
        let (low, high) = range((-1.0, 1.0), ends(&dots));
        let room = 0.04 * (high - low);
        Panel {
            name: Text::plain("Elo"),
            axis: NumberAxis::Linear {
                low: low - room,
                high: high + room,
            },
            mark: signed_mark,
            middle: 0.0,
            width: 360.0,
            dots,
            text: |elo| signed_mark((10.0 * elo).round() / 10.0),
        }
    }

    fn marks(&self) -> Vec<f64> {
        let marks = self.axis.marks();
        let every = marks.len().div_ceil(MARKS_MAX);
        // The middle is named, whatever else is.
        let middle = marks.iter().position(|&mark| mark == self.middle).unwrap_or(0);
        let marks = marks.into_iter().enumerate();
        marks
            .filter(|(index, _)| index % every == middle % every)
            .map(|(_, mark)| mark)
            .collect()
    }
}

pub(crate) fn ends(dots: &[Option<Dot>]) -> impl Iterator<Item = f64> {
    dots.iter().flatten().flat_map(|dot| [dot.low, dot.high])
}

/// Characters of the chart of a terminal, and of a name beside it.
const TEXT_WIDTH: usize = 38;
const TEXT_NAME_CHARS: usize = 24;

impl Rows {
    /// The first panel as lines for a terminal.
    pub(crate) fn text(&self) -> String {
        let Some(panel) = self.panels.first() else {
            return String::new();
        };
        let names: Vec<String> = self
            .names
            .iter()
            .map(|name| shortened(name, TEXT_NAME_CHARS))
            .collect();
        let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
        let column = |value: f64| {
            let share = panel.axis.share(value).clamp(0.0, 1.0);
            (share * (TEXT_WIDTH - 1) as f64).round() as usize
        };
        let row = |(name, dot): (&String, &Option<Dot>)| {
            let mut line = [' '; TEXT_WIDTH];
            line[column(panel.middle)] = '│';
            let mut value = "–".to_owned();
            if let Some(dot) = dot {
                line[column(dot.low)..=column(dot.high)].fill('─');
                line[column(dot.value)] = if dot.is_filled { '●' } else { '○' };
                value = (panel.text)(dot.value);
            }
            let line = line.iter().collect::<String>();
            let pad = width + 9 - name.width();
            format!("  {name}{value:>pad$}  {}\n", line.trim_end())
        };
        names.iter().zip(&panel.dots).map(row).collect()
    }

    pub(crate) fn html(&self) -> Markup {
        let at = |panel: &Panel, value: f64| {
            format!("{}%", number(100.0 * panel.axis.share(value).clamp(0.0, 1.0)))
        };
        html! {
            table class="rows" {
                thead {
                    tr {
                        th scope="col" { (self.heading) }
                        @for (index, panel) in self.panels.iter().enumerate() {
                            th class=(cell_class(index)) aria-hidden="true" {
                                svg class="row" height="18" { @for mark in panel.marks() { text x=(at(panel, mark)) y="13" text-anchor="middle" { ((panel.mark)(mark)) } } }
                            }
                            th scope="col" class="number" { (panel.name) }
                        }
                    }
                }
                tbody {
                    @for (row, name) in self.names.iter().enumerate() {
                        tr {
                            th scope="row" { (sanitize::line(name)) }
                            @for (index, panel) in self.panels.iter().enumerate() {
                                td class=(cell_class(index)) aria-hidden="true" {
                                    svg class="row" height="24" { (row_markup(panel, row, |value| at(panel, value))) }
                                }
                                td class="number" { @match panel.dots[row] { Some(dot) => ((panel.text)(dot.value)), None => "–" } }
                            }
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn svg(&self, title: &Text) -> String {
        let mut left = NAME_WIDTH;
        let body = html! {
            @for (row, name) in self.names.iter().enumerate() {
                text x=(NAME_WIDTH - 12.0) y=(ROW_HEIGHT * row as f64 + 15.0) text-anchor="end" class="said" { (sanitize::line(&shortened(name, NAME_CHARS_MAX))) }
            }
            @for panel in &self.panels {
                @let start = left;
                @let at = |value: f64| number(start + panel.width * panel.axis.share(value).clamp(0.0, 1.0));
                @for mark in panel.marks() { text x=(at(mark)) y="-8" text-anchor="middle" { ((panel.mark)(mark)) } }
                text x=(start + panel.width + VALUE_WIDTH - 14.0) y="-8" text-anchor="end" { (panel.name.en) }
                @for row in 0..self.names.len() {
                    g class="row" transform={ "translate(0 " (ROW_HEIGHT * row as f64) ")" } { (row_markup(panel, row, at)) }
                    @if let Some(dot) = panel.dots[row] {
                        text x=(start + panel.width + VALUE_WIDTH - 14.0) y=(ROW_HEIGHT * row as f64 + 15.0) text-anchor="end" class="said" { ((panel.text)(dot.value)) }
                    }
                }
                ({ left += panel.width + VALUE_WIDTH; "" })
            }
        };
        let height = HEAD_HEIGHT + ROW_HEIGHT * self.names.len().max(1) as f64 + 12.0;
        file([left + 10.0, height], [0.0, HEAD_HEIGHT], title, "plot", &body)
    }
}

fn cell_class(panel: usize) -> &'static str {
    if panel == 0 {
        "row-cell"
    } else {
        "row-cell second wide"
    }
}

fn row_markup<T: std::fmt::Display>(panel: &Panel, row: usize, at: impl Fn(f64) -> T) -> Markup {
    html! {
        line class="axis" x1=(at(panel.middle)) x2=(at(panel.middle)) y1="0" y2="24" {}
        @if let Some(dot) = panel.dots[row] {
            line class={ "line c-" (dot.colour) } x1=(at(dot.low)) x2=(at(dot.high)) y1="12" y2="12" {}
            circle class={ "mark " (if dot.is_filled { "" } else { "hollow " }) "c-" (dot.colour) } cx=(at(dot.value)) cy="12" r="5" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::document::intervals::*;

    #[test]
    fn what_is_not_known_has_a_name_and_no_dot_and_what_is_shown_is_filled() {
        let known = Estimate {
            value: Some(10.0),
            low: Some(-2.0),
            high: None,
        };
        let shown = Estimate {
            low: Some(2.0),
            ..known
        };
        let rows = [
            ("a <b>".to_owned(), known),
            ("b".repeat(50), Estimate::UNKNOWN),
            ("c".to_owned(), shown),
        ];
        let rows = elo(Text::plain("player"), &rows);
        let (page, file) = (rows.html().into_string(), rows.svg(&Text::plain("Elo")));
        for drawn in [&page, &file] {
            assert_eq!(drawn.matches("<circle").count(), 2, "{drawn}");
            assert_eq!(drawn.matches("mark hollow").count(), 1);
            assert!(drawn.contains("a &lt;b&gt;") && drawn.contains("+10"));
        }
        let lines = rows.text();
        let lines: Vec<&str> = lines.lines().collect();
        assert!(
            lines[0].ends_with("─○") && lines[1].ends_with('│') && lines[2].contains("│"),
            "{lines:?}"
        );
        assert!(
            file.contains('…')
                && elo(Text::plain(""), &[])
                    .svg(&Text::plain(""))
                    .ends_with("</svg>")
        );
    }
}
