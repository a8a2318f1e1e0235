//! What stands in a page: facts, figures, tables, remarks, in sections with a heading each.
//!
//! In: texts, images, rows of sheets. Out: markup. Must not: know what kind of run it is of.

use std::borrow::Borrow;

use maud::{Markup, PreEscaped, Render, html};

use super::text::Text;
use crate::foreign;
use crate::report::sheet::Sheet;

/// A part of a page below one heading.
pub(in crate::report) struct Section {
    pub(in crate::report) id: &'static str,
    pub(in crate::report) title: Text,
    pub(in crate::report) blocks: Vec<Block>,
}

/// A piece of a section.
pub(in crate::report) enum Block {
    /// Names and values.
    Facts(Vec<(Text, Text)>),
    /// An image (SVG) and what it shows.
    Figure {
        caption: Text,
        svg: String,
    },
    Table(Table),
    Note(Text),
    /// Text as it is in a file.
    Verbatim(String),
}

/// Rows below names.
pub(in crate::report) struct Table {
    pub(in crate::report) caption: Text,
    /// Each with what it means.
    pub(in crate::report) columns: Vec<(Text, String)>,
    pub(in crate::report) rows: Vec<Row>,
}

/// The cells of a row.
#[derive(Default)]
pub(in crate::report) struct Row {
    pub(in crate::report) cells: Vec<String>,
    /// Where its name leads to.
    pub(in crate::report) link: Option<String>,
    /// Is it there to be complete, and says nothing?
    pub(in crate::report) is_faint: bool,
}

impl Section {
    pub(in crate::report) fn new(id: &'static str, title: Text, blocks: Vec<Block>) -> Section {
        Section { id, title, blocks }
    }
}

impl Table {
    /// Rows of a sheet, with its columns of these names, or all.
    pub(in crate::report) fn of_sheet<'s, R: 's>(
        caption: Text,
        sheet: &Sheet<'s, R>,
        rows: impl IntoIterator<Item = impl Borrow<R>>,
        wanted: &[&str],
    ) -> Table {
        let all = sheet.names();
        let taken: Vec<usize> = (0..all.len())
            .filter(|&index| wanted.is_empty() || wanted.contains(&all[index].0))
            .collect();
        let rows = rows.into_iter().map(|row| {
            let fields = sheet.fields(row.borrow());
            Row {
                cells: taken.iter().map(|&index| fields[index].1.clone()).collect(),
                ..Row::default()
            }
        });
        Table {
            caption,
            columns: taken
                .iter()
                .map(|&index| {
                    (
                        Text::same(all[index].0.replace('_', " ")),
                        all[index].1.to_owned(),
                    )
                })
                .collect(),
            rows: rows.collect(),
        }
    }
}

impl Render for Section {
    fn render(&self) -> Markup {
        let heading = format!("{}-heading", self.id);
        html! {
            section id=(self.id) aria-labelledby=(heading) {
                h2 id=(heading) { (self.title) }
                @for block in &self.blocks { (block) }
            }
        }
    }
}

impl Render for Block {
    fn render(&self) -> Markup {
        match self {
            Block::Facts(facts) => html! {
                dl class="facts" {
                    @for (name, value) in facts { div { dt { (name) } dd { (value) } } }
                }
            },
            Block::Figure { caption, svg } => html! {
                figure {
                    div class="chart" role="img" aria-label=(caption.en) data-en=(caption.en) data-ja=(caption.ja) { (PreEscaped(image_alone(svg))) }
                    figcaption { (caption) }
                }
            },
            Block::Table(table) => html! { (table) },
            Block::Note(text) => html! { p class="note" { (text) } },
            Block::Verbatim(text) => html! { pre tabindex="0" { (foreign::lines(text)) } },
        }
    }
}

/// An image without what stands before its first tag.
fn image_alone(svg: &str) -> &str {
    svg.find("<svg").map_or(svg, |start| &svg[start..])
}

impl Render for Table {
    fn render(&self) -> Markup {
        html! {
            div class="wide" tabindex="0" role="group" aria-label=(self.caption.en) data-en=(self.caption.en) data-ja=(self.caption.ja) {
                table {
                    caption { (self.caption) }
                    thead { tr { @for (name, about) in &self.columns { th scope="col" title=(about) { (name) } } } }
                    tbody {
                        @for row in &self.rows {
                            tr class=[row.is_faint.then_some("faint")] {
                                @for (index, cell) in row.cells.iter().enumerate() {
                                    @if index == 0 {
                                        th scope="row" {
                                            @match &row.link { Some(link) => a href=(link) { (foreign::line(cell)) }, None => (foreign::line(cell)) }
                                        }
                                    } @else if is_number(cell) {
                                        td class="number" { (cell) }
                                    } @else {
                                        td { (foreign::line(cell)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '−' | '.'))
}
