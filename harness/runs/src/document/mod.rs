//! What a run came to: built once by its kind, then written as text, as a page, as JSON and as files.

pub mod answer;
pub mod bars;
pub(crate) mod cell;
pub(crate) mod columns;
pub mod course;
pub(crate) mod ends;
pub(crate) mod faults;
pub mod file;
pub(crate) mod gathered;
pub(crate) mod intervals;
pub mod invalid;
pub mod language;
pub(crate) mod number;
pub(crate) mod plot;
pub(crate) mod summary;
pub mod table;
pub mod text;
use std::borrow::{Borrow, Cow};
use std::io::Write;
use std::path::Path;

use maud::Markup;
use serde_json::{Map, Value};

use crate::document::answer::{Answer, AnswerRow, State};
use crate::document::cell::{Cell, harmless};
use crate::document::columns::Columns;
use crate::document::file::{FileError, write_atomically};
use crate::document::intervals::Rows;
use crate::document::invalid::InvalidRun;
use crate::document::language::said_lines;
use crate::document::plot::Plot;
use crate::document::text::Text;

pub struct Document<'a> {
    pub(crate) title: String,
    pub(crate) answer: Answer,
    pub(crate) sections: Vec<Section<'a>>,
}

pub(crate) struct Section<'a> {
    pub(crate) id: &'static str,
    pub(crate) title: Text,
    pub(crate) blocks: Vec<Block<'a>>,
    /// On the page it stands folded below the games: what is looked up, not read.
    pub(crate) is_folded: bool,
}

/// Tables and figures are shared; what text, JSON and page say in their own words is in blocks of their own.
pub(crate) enum Block<'a> {
    Lines(String),
    /// Lines of the text where all is asked for.
    Details(String),
    /// Keys of the JSON object, or all of a JSON text that is none.
    Values(Value),
    /// Of the page: numbers with their names.
    Facts(Vec<Fact>),
    Note(Text),
    /// Of the page, as it is in a file.
    Verbatim(String),
    /// Of the page: what parts of a run answer.
    Answers(Vec<AnswerRow>),
    Table(Table),
    Figure(Figure<'a>),
}

pub(crate) struct Fact {
    pub(crate) name: Text,
    pub(crate) value: String,
    /// In small letters: unit, bounds.
    pub(crate) about: Option<Text>,
}

impl Fact {
    pub(crate) fn new(name: Text, value: impl ToString) -> Fact {
        Fact {
            name,
            value: value.to_string(),
            about: None,
        }
    }

    pub(crate) fn about(mut self, about: Text) -> Fact {
        self.about = Some(about);
        self
    }
}

/// What is drawn when it is asked for.
pub(crate) struct Figure<'a> {
    /// What it shows.
    pub(crate) caption: Text,
    /// Of what, in which unit.
    pub(crate) about: Option<Text>,
    pub(crate) file: Option<&'static str>,
    draw: Box<dyn Fn() -> Drawing + 'a>,
}

#[derive(derive_more::From)]
pub(crate) enum Drawing {
    Plot(Plot),
    Rows(Rows),
    /// Of a page alone.
    Markup(Markup),
}

#[derive(Default)]
pub(crate) struct Table {
    /// Its key in the JSON object; the table with the key `""` is the whole result.
    pub(crate) key: Option<&'static str>,
    /// Without one it is not on the page.
    pub(crate) caption: Option<Text>,
    pub(crate) file: Option<&'static str>,
    pub(crate) columns: Vec<Heading>,
    pub(crate) rows: Vec<Row>,
}

pub(crate) struct Heading {
    key: String,
    pub(crate) name: Text,
    pub(crate) about: String,
    pub(crate) is_on_page: bool,
}

#[derive(Default)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell<'static>>,
    /// What the JSON has of it besides.
    pub(crate) more: Map<String, Value>,
    /// It is there to be complete, and says nothing.
    pub(crate) is_faint: bool,
}

impl<'a> Document<'a> {
    /// What has no page, no files and no answer.
    pub(crate) fn of_text(lines: String, values: impl Into<Value>) -> Document<'a> {
        Document::answered(Answer::new(State::Counted, Text::plain("")), lines, values)
    }

    /// What has no page and no files.
    pub(crate) fn answered(answer: Answer, lines: String, values: impl Into<Value>) -> Document<'a> {
        let blocks = vec![Block::Lines(lines), Block::values(values)];
        Document {
            title: String::new(),
            answer,
            sections: vec![Section::new("result", Text::plain(""), blocks)],
        }
    }

    fn blocks(&self) -> impl Iterator<Item = &Block<'a>> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// The answer, and what it rests on.
    pub fn text(&self) -> String {
        self.text_with(false)
    }

    /// As [`text`](Document::text), with all details or without.
    pub fn text_with(&self, has_details: bool) -> String {
        let lines = self.blocks().filter_map(|block| match block {
            Block::Lines(lines) => Some(lines.as_str()),
            Block::Details(lines) if has_details => Some(lines.as_str()),
            _ => None,
        });
        let lines: String = lines.collect();
        let lines = said_lines(&lines);
        if self.answer.sentence.en.is_empty() {
            return lines.into_owned();
        }
        format!("{}\n{lines}", self.answer.text())
    }

    pub fn json(&self) -> Value {
        let mut object = Map::new();
        if !self.answer.sentence.en.is_empty() {
            object.insert("state".to_owned(), self.answer.state.name().into());
            object.insert("answer".to_owned(), self.answer.sentence.en.clone().into());
        }
        for block in self.blocks() {
            match block {
                Block::Values(Value::Object(values)) => object.extend(values.clone()),
                Block::Values(whole) => return whole.clone(),
                Block::Table(table @ Table { key: Some(key), .. }) => {
                    if key.is_empty() {
                        return table.json();
                    }
                    object.insert((*key).to_owned(), table.json());
                }
                _ => {}
            }
        }
        object.into()
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), FileError> {
        for block in self.blocks() {
            match block {
                Block::Table(table @ Table { file: Some(file), .. }) => {
                    write_atomically(&folder.join(file), |output| output.write_all(&table.csv()?))?;
                }
                Block::Figure(figure @ Figure { file: Some(file), .. }) => {
                    if let Some(svg) = figure.svg() {
                        write_atomically(&folder.join(file), |output| output.write_all(svg.as_bytes()))?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl<'a> Section<'a> {
    pub(crate) fn new(id: &'static str, title: Text, blocks: Vec<Block<'a>>) -> Section<'a> {
        Section {
            id,
            title,
            blocks,
            is_folded: false,
        }
    }

    pub(crate) fn folded(id: &'static str, title: Text, blocks: Vec<Block<'a>>) -> Section<'a> {
        Section {
            is_folded: true,
            ..Section::new(id, title, blocks)
        }
    }
}

impl<'a> Block<'a> {
    pub(crate) fn figure<D: Into<Drawing>>(caption: Text, draw: impl Fn() -> D + 'a) -> Block<'a> {
        Block::Figure(Figure::new(caption, draw))
    }

    pub(crate) fn values(values: impl Into<Value>) -> Block<'a> {
        Block::Values(values.into())
    }
}

impl<'a> Figure<'a> {
    pub(crate) fn new<D: Into<Drawing>>(caption: Text, draw: impl Fn() -> D + 'a) -> Figure<'a> {
        Figure {
            caption,
            about: None,
            file: None,
            draw: Box::new(move || draw().into()),
        }
    }

    pub(crate) fn about(mut self, about: Text) -> Figure<'a> {
        self.about = Some(about);
        self
    }

    pub(crate) fn file(mut self, file: &'static str) -> Figure<'a> {
        self.file = Some(file);
        self
    }

    pub(crate) fn html(&self) -> Markup {
        match (self.draw)() {
            Drawing::Plot(plot) => plot.html(&self.caption),
            Drawing::Rows(rows) => rows.html(),
            Drawing::Markup(markup) => markup,
        }
    }

    fn svg(&self) -> Option<String> {
        match (self.draw)() {
            Drawing::Plot(plot) => Some(plot.svg(&self.caption)),
            Drawing::Rows(rows) => Some(rows.svg(&self.caption)),
            Drawing::Markup(_) => None,
        }
    }
}

impl Table {
    pub(crate) fn of<R>(columns: &Columns<'_, R>, rows: impl IntoIterator<Item = impl Borrow<R>>) -> Table {
        let headings = columns.names().map(|(key, about)| Heading {
            key: key.to_owned(),
            name: page_name(key),
            about: about.to_owned(),
            is_on_page: true,
        });
        let rows = rows.into_iter().map(|row| Row {
            cells: columns.cells(row.borrow()).map(Cell::into_owned).collect(),
            ..Row::default()
        });
        Table {
            columns: headings.collect(),
            rows: rows.collect(),
            ..Table::default()
        }
    }

    /// A table of a page alone.
    pub(crate) fn page(
        caption: Text,
        names: impl IntoIterator<Item = Text>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Table {
        let headings = names.into_iter().map(|name| Heading {
            key: String::new(),
            name,
            about: String::new(),
            is_on_page: true,
        });
        let rows = rows.into_iter().map(|cells| Row {
            cells: cells.into_iter().map(Cell::from).collect(),
            ..Row::default()
        });
        Table {
            caption: Some(caption),
            columns: headings.collect(),
            rows: rows.collect(),
            ..Table::default()
        }
    }

    pub(crate) fn caption(mut self, caption: Text) -> Table {
        self.caption = Some(caption);
        self
    }

    pub(crate) fn key(mut self, key: &'static str) -> Table {
        self.key = Some(key);
        self
    }

    pub(crate) fn file(mut self, file: &'static str) -> Table {
        self.file = Some(file);
        self
    }

    /// The page shows these columns alone.
    pub(crate) fn shown(mut self, names: &[&str]) -> Table {
        for column in &mut self.columns {
            column.is_on_page = names.contains(&&*column.key);
        }
        self
    }

    pub(crate) fn with(mut self, more: impl IntoIterator<Item = Map<String, Value>>) -> Table {
        for (row, more) in self.rows.iter_mut().zip(more) {
            row.more = more;
        }
        self
    }

    fn json(&self) -> Value {
        let object = |row: &Row| {
            let keys = self.columns.iter().map(|column| column.key.clone());
            let values = keys.zip(row.cells.iter().map(Cell::value));
            let more = row.more.iter().map(|(key, value)| (key.clone(), value.clone()));
            values.chain(more).collect::<Map<String, Value>>()
        };
        self.rows.iter().map(object).collect()
    }

    fn csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.columns.iter().map(|column| harmless(&column.key));
        writer.write_record(names.map(Cow::into_owned))?;
        for row in &self.rows {
            let field = |cell: &Cell<'_>| cell.harmless_field(&mut String::new()).into_owned();
            writer.write_record(row.cells.iter().map(field))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }
}

/// What a page calls the column that files call `key`.
fn page_name(key: &str) -> Text {
    match key {
        "draws" => Text::new("draws"),
        "elo" => Text::new("Elo"),
        "elo_high" => Text::new("Elo, upper end"),
        "elo_low" => Text::new("Elo, lower end"),
        "games" => Text::new("games"),
        "losses" => Text::new("losses"),
        "pairs" => Text::new("pairs"),
        "player" => Text::new("player"),
        "points" => Text::new("points"),
        "rank" => Text::new("rank"),
        "score" => Text::new("score"),
        "verdict" => Text::new("verdict"),
        "wins" => Text::new("wins"),
        _ => Text::plain(key.replace('_', " ")),
    }
}

pub(crate) fn no_strength(invalid: &InvalidRun) -> Answer {
    let filled = |invalid: &str| {
        Text::filled(
            "nothing can be said about strength: {invalid}",
            &[("invalid", &invalid)],
        )
    };
    let why = invalid.to_string();
    let sentence = Text {
        ja: filled(&language::japanese(&why).unwrap_or_else(|| why.clone())).ja,
        ..filled(&why)
    };
    Answer::new(State::Invalid, sentence)
}
