//! The blocks of a document as markup.

use maud::{Markup, html};

use crate::document::answer::AnswerRow;
use crate::document::file::FileError;
use crate::document::text::Text;
use crate::document::{Block, Section, Table};
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
        let has_title = !section.title.en.is_empty();
        html! {
            section id=(section.id) aria-labelledby=[has_title.then_some(&heading)] {
                @if has_title { h2 id=(heading) { (section.title) } }
                div class=(columns(section)) { @for block in &blocks { (block) } }
            }
        }
    }))
}

/// More cards than two are narrower.
fn columns(section: &Section<'_>) -> &'static str {
    let is_card = |block: &&Block<'_>| match block {
        Block::Figure(_) => true,
        Block::Table(table) => table.caption.is_some() && !is_wide(table),
        _ => false,
    };
    match section.blocks.iter().filter(is_card).count() {
        0 | 1 => "one",
        2 => "two",
        _ => "four",
    }
}

fn is_wide(table: &Table) -> bool {
    table.columns.iter().filter(|column| column.is_on_page).count() > 5
}

fn block(block: &Block<'_>) -> Result<Option<Markup>, FileError> {
    Ok(Some(match block {
        Block::Facts(facts) => html! {
            dl class="facts all" {
                @for fact in facts {
                    div { dt { (fact.name) } dd { (sanitize::line(&fact.value)) @if let Some(about) = &fact.about { " " small { (about) } } } }
                }
            }
        },
        Block::Figure(figure) => {
            let drawn = figure.html().map_err(|source| FileError::Write {
                path: "report.html".into(),
                source,
            })?;
            html! {
                figure class="card" {
                    figcaption { (figure.caption) @if let Some(about) = &figure.about { " " small { (about) } } }
                    (drawn)
                }
            }
        }
        Block::Answers(rows) => answers(rows),
        Block::Table(of) => return Ok(table(of)),
        Block::Note(text) => html! { p class="note all" { (text) } },
        Block::Verbatim(text) => html! { pre tabindex="0" { (sanitize::lines(text)) } },
        Block::Lines(_) | Block::Details(_) | Block::Values(_) => return Ok(None),
    }))
}

/// A table that becomes cards on a phone.
fn answers(rows: &[AnswerRow]) -> Markup {
    let number = |value: Option<String>| html! { @match value { Some(value) => (value), None => span class="dim" { "–" } } };
    html! {
        table class="answers all" {
            thead {
                tr {
                    th scope="col" { (Text::new("result")) }
                    th scope="col" { (Text::new("job and answer")) }
                    th scope="col" class="number" { "Elo" }
                    th scope="col" class="number" { (Text::new("games")) }
                    th scope="col" class="number" { (Text::new("nodes, A ÷ B")) }
                    th scope="col" class="number" { (Text::new("time")) }
                }
            }
            tbody {
                @for row in rows {
                    tr class={ "answer " (row.answer.state.name()) } {
                        td class="st" { (row.answer.badge()) }
                        th scope="row" class="an" {
                            @match &row.link { Some(link) => a href=(link) { (row.name) }, None => (row.name) }
                            " " span class="dim" { (row.kind) }
                            p { (row.answer.sentence) @if let Some(more) = &row.more { " " (more) } }
                        }
                        td class="number el" { b { (number(row.elo.clone())) } @if let Some(ends) = &row.interval { br; span class="dim" { (ends) } } }
                        td class="number ga" {
                            @match row.searches { Some(searches) => { (searches) br; span class="dim" { (Text::new("searches")) } }, None => (number(row.games.map(|games| games.to_string()))) }
                        }
                        td class="number ra" { (number(row.node_ratio.map(|ratio| format!("{ratio:.2}")))) }
                        td class="number ti" { (number(row.time.clone())) }
                    }
                }
            }
        }
    }
}

fn table(table: &Table) -> Option<Markup> {
    let caption = table.caption.as_ref()?;
    let shown = |index: &usize| table.columns[*index].is_on_page;
    let shown: Vec<usize> = (0..table.columns.len()).filter(shown).collect();
    let mut space = String::new();
    let mut cell = |row: usize, column: usize| table.rows[row].cells[column].field(&mut space).to_owned();
    Some(html! {
        div class={ "card scroll" @if is_wide(table) { " all" } } tabindex="0" role="group" aria-label=(caption.en) data-en=(caption.en) data-ja=(caption.ja) {
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
