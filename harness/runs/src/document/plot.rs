//! Charts. What is drawn stretches with its window, words keep their size; the same drawing at a fixed size is an SVG file.

use std::fmt::{Display, Write};

use maud::{Markup, PreEscaped, html};

use crate::document::text::Text;
use crate::sanitize;

/// The drawing's own units, of its width and its height.
const UNITS: f64 = 1000.0;
const FILE_WIDTH: f64 = 760.0;
const FILE_MARGINS: [f64; 4] = [70.0, 24.0, 44.0, 40.0];

const STYLE: &str = include_str!("../report/page/assets/chart.css");
/// Where the colours are: `--name: light-dark(#light, #dark);` a line.
const TOKENS: &str = include_str!("../report/page/assets/page.css");

/// Of series, distinct for readers with any colour vision.
pub(crate) const SERIES: [&str; 7] = ["accent", "b", "pass", "violet", "fail", "teal", "same"];

/// The class of the colour of a series.
pub(crate) fn series(index: usize) -> &'static str {
    SERIES[index % SERIES.len()]
}

pub(crate) struct Plot {
    axes: [NumberAxis; 2],
    height: u32,
    paths: Vec<Path>,
    dots: Vec<Dot>,
    words: Vec<Word>,
    legend: Vec<(usize, Text)>,
}

/// Places are shares of the plot, from its left and from its top.
struct Path {
    places: Vec<[f64; 2]>,
    is_closed: bool,
    class: String,
}

struct Dot {
    place: [f64; 2],
    is_square: bool,
    colour: &'static str,
}

struct Word {
    place: [f64; 2],
    offset: [i32; 2],
    anchor: Anchor,
    class: String,
    text: Text,
}

#[derive(Debug, Clone, Copy, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Plot {
    /// An empty plot with a grid and its marks: of the x axis below, of the y axis to the left.
    pub(crate) fn new(axes: [NumberAxis; 2], marks: [&dyn Fn(f64) -> String; 2], height: u32) -> Plot {
        let mut plot = Plot {
            axes,
            height,
            paths: Vec::new(),
            dots: Vec::new(),
            words: Vec::new(),
            legend: Vec::new(),
        };
        let [x, y] = axes;
        for at in x.marks() {
            plot.path([(at, y.ends().0), (at, y.ends().1)], "grid");
            let anchor = if x.share(at) > 0.95 {
                Anchor::End
            } else {
                Anchor::Middle
            };
            plot.word([x.share(at), 1.0], [0, 17], anchor, "", Text::plain(marks[0](at)));
        }
        for at in y.marks() {
            plot.path([(x.ends().0, at), (x.ends().1, at)], "grid");
            plot.word(
                [0.0, 1.0 - y.share(at)],
                [-8, 4],
                Anchor::End,
                "",
                Text::plain(marks[1](at)),
            );
        }
        plot
    }

    fn place(&self, (x, y): (f64, f64)) -> [f64; 2] {
        [self.axes[0].share(x), 1.0 - self.axes[1].share(y)].map(|share| share.clamp(0.0, 1.0))
    }

    fn path(&mut self, points: impl IntoIterator<Item = (f64, f64)>, class: &str) {
        let places = points.into_iter().map(|point| self.place(point)).collect();
        self.paths.push(Path {
            places,
            is_closed: false,
            class: class.to_owned(),
        });
    }

    /// A line of a series in this colour.
    pub(crate) fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: &str) {
        self.path(points, &format!("line c-{colour}"));
    }

    /// A value across the whole plot that is not a mark: zero, a half.
    pub(crate) fn axis(&mut self, y: f64) {
        let (left, right) = self.axes[0].ends();
        self.path([(left, y), (right, y)], "axis");
    }

    /// A dashed line across the whole plot.
    pub(crate) fn bound(&mut self, y: f64, colour: &str) {
        let (left, right) = self.axes[0].ends();
        self.path([(left, y), (right, y)], &format!("bound c-{colour}"));
    }

    /// What lies between two lines, each from left to right.
    pub(crate) fn band(
        &mut self,
        one: impl IntoIterator<Item = (f64, f64)>,
        other: impl IntoIterator<Item = (f64, f64)>,
        colour: &str,
    ) {
        let mut outline: Vec<(f64, f64)> = one.into_iter().collect();
        let back: Vec<(f64, f64)> = other.into_iter().collect();
        outline.extend(back.into_iter().rev());
        self.path(outline, &format!("band c-{colour}"));
        if let Some(path) = self.paths.last_mut() {
            path.is_closed = true;
        }
    }

    /// Everything above or below a value.
    pub(crate) fn beyond(&mut self, y: f64, is_above: bool, colour: &str) {
        let ((left, right), (low, high)) = (self.axes[0].ends(), self.axes[1].ends());
        let end = if is_above { high } else { low };
        self.band([(left, y), (right, y)], [(left, end), (right, end)], colour);
    }

    /// A thick line from one value to another.
    pub(crate) fn interval(&mut self, x: f64, ends: [f64; 2], colour: &str) {
        self.path(ends.map(|end| (x, end)), &format!("interval c-{colour}"));
    }

    pub(crate) fn dot(&mut self, at: (f64, f64), colour: &'static str) {
        self.dots.push(Dot {
            place: self.place(at),
            is_square: false,
            colour,
        });
    }

    /// A value of a series: each has a colour and a shape.
    pub(crate) fn mark(&mut self, at: (f64, f64), index: usize) {
        self.dots.push(Dot {
            place: self.place(at),
            ..Dot::of_series(index)
        });
    }

    fn word(&mut self, place: [f64; 2], offset: [i32; 2], anchor: Anchor, class: &str, text: Text) {
        self.words.push(Word {
            place,
            offset,
            anchor,
            class: class.to_owned(),
            text,
        });
    }

    /// A word of the drawing, in the text's colour or in that of what it names; `offset` in pixels to the right and down.
    pub(crate) fn label(
        &mut self,
        at: (f64, f64),
        offset: [i32; 2],
        anchor: Anchor,
        colour: Option<&str>,
        text: Text,
    ) {
        let class = colour.map_or("said".to_owned(), |colour| {
            format!("said strong inked c-{colour}")
        });
        let place = self.place(at);
        self.word(place, offset, anchor, &class, text);
    }

    /// What a series is, above the plot.
    pub(crate) fn name(&mut self, index: usize, text: Text) {
        self.legend.push((index, text));
    }

    pub(crate) fn html(&self, caption: &Text) -> Markup {
        let share = |share: f64| format!("{}%", number(100.0 * share));
        html! {
            @if !self.legend.is_empty() {
                ul class="legend" {
                    @for (index, name) in &self.legend {
                        li { svg class="plot" aria-hidden="true" { path class={ "line c-" (series(*index)) } d="M0 5H18" {} (Dot::of_series(*index).markup("9", "5")) } (name) }
                    }
                }
            }
            div class="plot-box" {
                svg class="plot" height=(self.height) role="img" aria-label=(caption.en) data-en=(caption.en) data-ja=(caption.ja) {
                    svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none" {
                        @for path in &self.paths { (path.markup([UNITS, UNITS])) }
                    }
                    @for dot in &self.dots { (dot.markup(&share(dot.place[0]), &share(dot.place[1]))) }
                    @for word in &self.words { (word.markup(share(word.place[0]), share(word.place[1]))) }
                }
            }
        }
    }

    /// A file of its own, in the light colours.
    pub(crate) fn svg(&self, title: &Text) -> String {
        let [left, right, top, bottom] = FILE_MARGINS;
        let top = top + 18.0 * self.legend.len() as f64;
        let size = [FILE_WIDTH - left - right, f64::from(self.height)];
        let body = html! {
            @for (line, (index, name)) in self.legend.iter().enumerate() {
                @let y = 18.0 * line as f64 - top + 44.0;
                path class={ "line c-" (series(*index)) } d={ "M0 " (y) "h18" } {}
                (Dot::of_series(*index).markup("9", &y.to_string()))
                text x="26" y=(y + 4.0) { (sanitize::lines(&name.en)) }
            }
            @for path in &self.paths { (path.markup(size)) }
            @for dot in &self.dots { (dot.markup(&number(dot.place[0] * size[0]).to_string(), &number(dot.place[1] * size[1]).to_string())) }
            @for word in &self.words { (word.markup(number(word.place[0] * size[0]), number(word.place[1] * size[1]))) }
        };
        file(
            [FILE_WIDTH, size[1] + top + bottom],
            [left, top],
            title,
            "plot",
            &body,
        )
    }
}

impl Dot {
    fn of_series(index: usize) -> Dot {
        Dot {
            place: [0.0; 2],
            is_square: index % 2 == 1,
            colour: series(index),
        }
    }

    fn markup(&self, x: &str, y: &str) -> Markup {
        let class = format!("mark c-{}", self.colour);
        html! {
            @if self.is_square {
                rect class=(class) x=(x) y=(y) width="9" height="9" transform="translate(-4.5 -4.5)" {}
            } @else {
                circle class=(class) cx=(x) cy=(y) r="5" {}
            }
        }
    }
}

impl Path {
    fn markup(&self, size: [f64; 2]) -> Markup {
        let mut d = String::new();
        for (index, [x, y]) in self.places.iter().enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            let _ = write!(d, "{letter}{} {}", number(x * size[0]), number(y * size[1]));
        }
        if self.is_closed {
            d.push('Z');
        }
        html! { path class=(self.class) d=(d) {} }
    }
}

impl Word {
    fn markup(&self, x: impl Display, y: impl Display) -> Markup {
        let anchor: &str = self.anchor.into();
        let [dx, dy] = self.offset;
        let text = |lang: Option<&str>, text: &str| {
            html! {
                text x=(x) y=(y) dx=[(dx != 0).then_some(dx)] dy=(dy) text-anchor=(anchor) class=[(!self.class.is_empty()).then_some(&self.class)] lang=[lang] { (sanitize::lines(text)) }
            }
        };
        if self.text.en == self.text.ja {
            return text(None, &self.text.en);
        }
        html! { (text(Some("en"), &self.text.en)) (text(Some("ja"), &self.text.ja)) }
    }
}

/// A whole file around a drawing, which begins at `origin`.
pub(crate) fn file(size: [f64; 2], origin: [f64; 2], title: &Text, class: &str, body: &Markup) -> String {
    let [width, height] = size;
    let drawn = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } font-family="Helvetica, Arial, sans-serif" {
            style { (PreEscaped(light_style())) }
            rect width="100%" height="100%" fill="#ffffff" {}
            text x="20" y="24" font-size="15" font-weight="bold" { (sanitize::lines(&title.en)) }
            g class=(class) transform={ "translate(" (origin[0]) " " (origin[1]) ")" } { (body) }
        }
    };
    drawn.into_string()
}

/// The style of charts with each variable replaced by its light colour: not every program that shows SVG knows variables.
fn light_style() -> String {
    let mut style = format!("{STYLE}[lang=\"ja\"] {{ display: none; }}\n");
    for line in TOKENS.lines() {
        let token = line
            .trim()
            .strip_prefix("--")
            .and_then(|line| line.split_once(": light-dark("));
        if let Some((name, colours)) = token
            && let Some((light, _)) = colours.split_once(',')
        {
            style = style.replace(&format!("var(--{name})"), light);
        }
    }
    style
}

/// To two decimals.
pub(crate) fn number(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

pub(crate) fn range(from: (f64, f64), values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let wider = |(low, high): (f64, f64), value| (low.min(value), high.max(value));
    values.into_iter().fold(from, wider)
}

pub(crate) fn plain_mark(value: f64) -> String {
    format!("{}", (value * 1e3).round() / 1e3)
}

/// `+40`, `0`, `−0.5` with a true minus.
pub(crate) fn signed_mark(value: f64) -> String {
    let value = (value * 1e3).round() / 1e3;
    match value {
        0.0 => "0".to_owned(),
        value if value < 0.0 => format!("−{}", -value),
        value => format!("+{value}"),
    }
}

/// `× 0.95`, `× 2`.
pub(crate) fn ratio_mark(ratio: f64) -> String {
    format!("× {}", (ratio * 1e3).round() / 1e3)
}

/// An axis of numbers with round marks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NumberAxis {
    Linear {
        low: f64,
        high: f64,
    },
    /// Equal ratios are equally long; both ends are positive.
    Log {
        low: f64,
        high: f64,
    },
    /// From 0 to a count, which is marked.
    Counted {
        count: u64,
    },
    /// Whole numbers from 1, with half a step of room on both sides.
    Depths {
        max: u32,
    },
}

impl NumberAxis {
    pub(crate) fn ends(self) -> (f64, f64) {
        match self {
            NumberAxis::Linear { low, high } | NumberAxis::Log { low, high } => (low, high),
            NumberAxis::Counted { count } => (0.0, count.max(1) as f64),
            NumberAxis::Depths { max } => (0.5, f64::from(max) + 0.5),
        }
    }

    /// Where a value is, from 0 at the low end to 1.
    pub(crate) fn share(self, value: f64) -> f64 {
        let (low, high) = self.ends();
        match self {
            NumberAxis::Log { .. } => (value / low).ln() / (high / low).ln(),
            _ => (value - low) / (high - low),
        }
    }

    pub(crate) fn marks(self) -> Vec<f64> {
        match self {
            NumberAxis::Linear { low, high } => linear_marks(low, high),
            NumberAxis::Log { low, high } => log_marks(low, high),
            NumberAxis::Counted { .. } => {
                let (low, high) = self.ends();
                let marks = linear_marks(low, high).into_iter();
                marks.filter(|mark| *mark < 0.88 * high).chain([high]).collect()
            }
            NumberAxis::Depths { max } => depth_marks(max),
        }
    }
}

/// Marks of a linear stretch that is neither empty nor crowded.
const MARKS_MAX: f64 = 6.0;

/// Round numbers for a logarithmic axis from `low` to `high` (both positive): the wider the range, the fewer within a
/// power of ten; equal steps if it is narrow.
fn log_marks(low: f64, high: f64) -> Vec<f64> {
    let decades = (high / low).log10();
    match decades {
        ..0.3 => linear_marks(low, high),
        ..1.0 => multiples(low, high, &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]),
        ..2.5 => multiples(low, high, &[1.0, 2.0, 5.0]),
        _ => multiples(low, high, &[1.0]),
    }
}

fn multiples(low: f64, high: f64, factors: &[f64]) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let marks = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
    marks.filter(|mark| (low..=high).contains(mark)).collect()
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_marks(low: f64, high: f64) -> Vec<f64> {
    let least = (high - low) / MARKS_MAX;
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= least);
    let step = factor.unwrap_or(10.0) * power;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|multiple| multiple as f64 * step).collect()
}

/// Every depth, or every second, fifth, … if there are many.
fn depth_marks(depth_max: u32) -> Vec<f64> {
    let step = [1, 2, 5, 10, 20].into_iter().find(|step| depth_max / step <= 20);
    let step = step.unwrap_or(50);
    let multiples = (1..=depth_max).filter(|depth| depth % step == 0);
    multiples.map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use crate::document::plot::*;

    #[test]
    fn a_wide_range_is_marked_at_powers_and_a_narrow_one_in_equal_steps() {
        assert_eq!(log_marks(50.0, 2e5), [100.0, 1e3, 1e4, 1e5]);
        assert_eq!(log_marks(0.5, 12.0), [0.5, 1.0, 2.0, 5.0, 10.0]);
        assert_eq!(log_marks(0.9, 3.5), [1.0, 1.5, 2.0, 3.0]);
        let narrow: Vec<String> = log_marks(0.91, 1.08)
            .iter()
            .map(|mark| format!("{mark:.2}"))
            .collect();
        assert_eq!(narrow, ["0.95", "1.00", "1.05"]);
    }

    #[test]
    fn depths_are_whole_and_never_crowded() {
        assert_eq!(depth_marks(3), [1.0, 2.0, 3.0]);
        for depth in 1..=127 {
            let marks = depth_marks(depth);
            assert!((1..=20).contains(&marks.len()), "{depth}: {marks:?}");
        }
    }

    /// Lines stretch in the page and words do not; a file has the light colours, no variables and no Japanese.
    #[test]
    fn a_plot_is_drawn_in_a_page_and_as_a_file() {
        let axis = NumberAxis::Linear { low: 0.0, high: 10.0 };
        let mut plot = Plot::new([axis, axis], [&plain_mark, &signed_mark], 250);
        plot.line([(0.0, 0.0), (5.0, 12.0)], "accent");
        plot.label(
            (5.0, 5.0),
            [0, 0],
            Anchor::End,
            Some("pass"),
            Text::plain("<b>\u{1b}"),
        );
        let page = plot.html(&Text::plain("chart")).into_string();
        assert!(
            page.contains("M0 1000L500 0") && page.contains("x=\"50%\" y=\"50%\""),
            "{page}"
        );
        let file = plot.svg(&Text::plain("chart"));
        for drawn in [&page, &file] {
            assert!(drawn.contains("&lt;b&gt;") && !drawn.contains('\u{1b}'));
        }
        assert!(!file.contains("var(") && file.contains("#1d5fa6"), "{file}");
    }
}
