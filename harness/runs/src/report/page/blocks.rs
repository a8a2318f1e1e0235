//! The blocks of a document as markup.

use maud::{Markup, PreEscaped, html};

use crate::document::file::FileError;
use crate::document::{Block, Figure, Section, Table};
use crate::sanitize;

pub(super) fn section(section: &Section<'_>) -> Result<Option<Markup>, FileError> {
    let blocks: Vec<Markup> = section
        .blocks
        .iter()
        .filter_map(|of| block(of).transpose())
        .collect::<Result<_, _>>()?;
    if blocks.is_empty() {
        return Ok(None);
    }
    let heading = format!("{}-heading", section.id);
    Ok(Some(if section.is_folded {
        html! {
            details id=(section.id) {
                summary { (section.title) }
                div { @for block in &blocks { (block) } }
            }
        }
    } else {
        html! {
            section id=(section.id) aria-labelledby=(heading) {
                h2 id=(heading) { (section.title) }
                @for block in &blocks { (block) }
            }
        }
    }))
}

fn block(block: &Block<'_>) -> Result<Option<Markup>, FileError> {
    Ok(Some(match block {
        Block::Facts(facts) => html! {
            dl class="facts" {
                @for (name, value) in facts { div { dt { (name) } dd { (value) } } }
            }
        },
        Block::Figure(Figure {
            caption: Some(caption),
            svg,
            ..
        }) => {
            let svg = svg().map_err(|source| FileError::Write {
                path: "report.html".into(),
                source,
            })?;
            html! {
                figure {
                    div class="chart" role="img" aria-label=(caption.en) data-en=(caption.en) data-ja=(caption.ja) { (PreEscaped(image_alone(&svg))) }
                    figcaption { (caption) }
                }
            }
        }
        Block::Table(of) => return Ok(table(of)),
        Block::Note(text) => html! { p class="note" { (text) } },
        Block::Verbatim(text) => html! { pre tabindex="0" { (sanitize::lines(text)) } },
        Block::Lines(_) | Block::Details(_) | Block::Values(_) | Block::Figure(_) => return Ok(None),
    }))
}

fn image_alone(svg: &str) -> &str {
    svg.find("<svg").map_or(svg, |start| &svg[start..])
}

fn table(table: &Table) -> Option<Markup> {
    let caption = table.caption.as_ref()?;
    let shown = |index: &usize| table.columns[*index].is_on_page;
    let shown: Vec<usize> = (0..table.columns.len()).filter(shown).collect();
    let mut space = String::new();
    let mut cell = |row: usize, column: usize| table.rows[row].cells[column].field(&mut space).to_owned();
    Some(html! {
        div class="scroll" tabindex="0" role="group" aria-label=(caption.en) data-en=(caption.en) data-ja=(caption.ja) {
            table {
                caption { (caption) }
                thead { tr { @for column in shown.iter().map(|&column| &table.columns[column]) { th scope="col" title=(column.about) { (column.name) } } } }
                tbody {
                    @for (number, row) in table.rows.iter().enumerate() {
                        tr class=[row.is_faint.then_some("faint")] {
                            @for (index, text) in shown.iter().map(|&column| cell(number, column)).enumerate() {
                                @if index == 0 {
                                    th scope="row" {
                                        @match &row.link { Some(link) => a href=(link) { (text) }, None => (text) }
                                    }
                                } @else if is_number(&text) {
                                    td class="number" { (text) }
                                } @else {
                                    td { (text) }
                                }
                            }
                        }
                    }
                }
            }
        }
    })
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '−' | '.'))
}
