//! The blocks of a document as markup.

use maud::{Markup, html};

use crate::document::answer::AnswerRow;
use crate::document::text::Text;
use crate::document::{Block, Heading, Section, Table};
use crate::sanitize;

pub(super) fn section(section: &Section<'_>) -> Option<Markup> {
    let blocks: Vec<Markup> = section.blocks.iter().filter_map(block).collect();
    if blocks.is_empty() {
        return None;
    }
    let heading = format!("{}-heading", section.id);
    Some(if section.is_folded {
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
    })
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

/// Too wide for half of a window.
fn is_wide(table: &Table) -> bool {
    let column = |(index, column): (usize, &Heading)| {
        let cells = table
            .rows
            .iter()
            .map(|row| row.cells[index].short().chars().count());
        let width = cells.chain([column.name.en.chars().count().min(10)]).max();
        if column.is_on_page {
            width.unwrap_or(0) + 2
        } else {
            0
        }
    };
    table.columns.iter().enumerate().map(column).sum::<usize>() > 56
}

fn block(block: &Block<'_>) -> Option<Markup> {
    Some(match block {
        Block::Facts(facts) => html! {
            dl class="facts all" {
                @for fact in facts {
                    div { dt { (fact.name) } dd { (sanitize::line(&fact.value)) @if let Some(about) = &fact.about { " " small { (about) } } } }
                }
            }
        },
        Block::Figure(figure) => html! {
            figure class="card" {
                figcaption { (figure.caption) @if let Some(about) = &figure.about { " " small { (about) } } }
                (figure.html())
            }
        },
        Block::Answers(rows) => answers(rows),
        Block::Table(of) => return table(of),
        Block::Note(text) => html! { p class="note all" { (text) } },
        Block::Verbatim(text) => html! { pre tabindex="0" { (sanitize::lines(text)) } },
        Block::Lines(_) | Block::Details(_) | Block::Values(_) => return None,
    })
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
                            p { (row.answer.sentence) }
                            @if let Some(more) = &row.more { p class="dim" { (more) } }
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
    let cell = |row: usize, column: usize| table.rows[row].cells[column].short();
    let is_number = |&column: &usize| (0..table.rows.len()).any(|row| is_number(&cell(row, column)));
    let numbers: Vec<bool> = shown.iter().map(is_number).collect();
    Some(html! {
        div class={ "card scroll" @if is_wide(table) { " all" } } tabindex="0" role="group" aria-label=(caption.en) data-en=(caption.en) data-ja=(caption.ja) {
            table {
                caption { (caption) }
                thead {
                    tr {
                        @for (index, &column) in shown.iter().enumerate() {
                            @let heading = &table.columns[column];
                            th scope="col" title=(heading.about) class=[(index > 0 && numbers[index]).then_some("number")] { (heading.name) }
                        }
                    }
                }
                tbody {
                    @for (number, row) in table.rows.iter().enumerate() {
                        tr class=[row.is_faint.then_some("faint")] {
                            @for (index, text) in shown.iter().map(|&column| cell(number, column)).enumerate() {
                                @if index == 0 {
                                    th scope="row" { (text) }
                                } @else {
                                    td class=[numbers[index].then_some("number")] { (text) }
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
