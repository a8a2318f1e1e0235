//! A sheet: columns declared once, each with its name, what it means and how its value is taken from a row.
//!
//! In: columns, then rows. Out: CSV, JSON, a table for a reader, the table of columns in the docs.

use std::borrow::{Borrow, Cow};
use std::io::Write;

use serde_json::{Map, Value};

use super::cell::{Cell, harmless};
use super::table::{Align, table};
use crate::stats::{Corrected, Estimate};

/// Columns of rows of type `R`; what they are made from lives as long as `'s`.
pub(super) struct Sheet<'s, R> {
    columns: Vec<Column<'s, R>>,
}

struct Column<'s, R> {
    name: Cow<'s, str>,
    about: Cow<'s, str>,
    value: Take<'s, R>,
}

/// Takes a value from a row.
type Take<'s, R> = Box<dyn for<'r> Fn(&'r R) -> Cell<'r> + Send + 's>;

const PENTANOMIAL: [(&str, &str); 5] = [
    ("ptnml_0", "pairs in which A lost both games"),
    ("ptnml_1", "pairs of a loss and a draw"),
    ("ptnml_2", "pairs of two draws, or of a win and a loss"),
    ("ptnml_3", "pairs of a win and a draw"),
    ("ptnml_4", "pairs in which A won both games"),
];

impl<'s, R: 's> Sheet<'s, R> {
    /// No columns yet.
    pub(super) fn new() -> Self {
        Sheet { columns: Vec::new() }
    }

    /// One more column: its name, what it means in a line, and its value.
    pub(super) fn column(
        mut self,
        name: impl Into<Cow<'s, str>>,
        about: impl Into<Cow<'s, str>>,
        value: impl for<'r> Fn(&'r R) -> Cell<'r> + Send + 's,
    ) -> Self {
        self.columns.push(Column {
            name: name.into(),
            about: about.into(),
            value: Box::new(value),
        });
        self
    }

    /// Three columns: an estimate and the ends of its 95 % interval.
    pub(super) fn estimate(
        self,
        [name, low, high]: [&'static str; 3],
        about: &'static str,
        decimals: usize,
        value: impl Fn(&R) -> Estimate + Copy + Send + 's,
    ) -> Self {
        self.column(name, about, move |row| Cell::rounded(value(row).value, decimals))
            .column(
                low,
                format!("lower end of the 95 % interval of {name}"),
                move |row| Cell::rounded(value(row).low, decimals),
            )
            .column(
                high,
                format!("upper end of the 95 % interval of {name}"),
                move |row| Cell::rounded(value(row).high, decimals),
            )
    }

    /// Three columns: a probability for itself and beside all others of its family.
    pub(super) fn family(
        self,
        of: &'static str,
        value: impl Fn(&R) -> Option<Corrected> + Copy + Send + 's,
    ) -> Self {
        self.column(
            "p_value",
            "probability that equal players are as far apart, for itself",
            move |row| Cell::significant(value(row).map(|family| family.p)),
        )
        .column(
            "p_holm",
            format!("the same for {of} together (Holm)"),
            move |row| Cell::significant(value(row).map(|family| family.p_holm)),
        )
        .column(
            "q_value",
            format!("least false-discovery rate among {of} (Benjamini and Hochberg)"),
            move |row| Cell::significant(value(row).map(|family| family.q)),
        )
    }

    /// Five columns: pairs by the points that A scored in them.
    pub(super) fn pentanomial(self, value: impl Fn(&R) -> [u64; 5] + Copy + Send + 's) -> Self {
        let columns = (0..).zip(PENTANOMIAL);
        columns.fold(self, |sheet, (points, (name, about)): (usize, _)| {
            sheet.column(name, about, move |row| value(row)[points].into())
        })
    }

    /// The columns of `other` after these.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.columns.extend(other.columns);
        self
    }

    /// The same columns of a part of something larger.
    pub(super) fn within<W: 's>(
        self,
        part: impl for<'r> Fn(&'r W) -> &'r R + Copy + Send + 's,
    ) -> Sheet<'s, W>
    where
        R: 'static,
    {
        let columns = self.columns.into_iter();
        columns.fold(Sheet::new(), |sheet, Column { name, about, value }| {
            sheet.column(name, about, move |whole| value(part(whole)))
        })
    }

    /// Begins a CSV file with the line of names.
    pub(super) fn writer<W: Write>(self, output: W) -> csv::Result<SheetWriter<'s, R, W>> {
        let mut writer = csv::Writer::from_writer(output);
        for column in &self.columns {
            // Some are labels of players.
            writer.write_field(harmless(&column.name).as_bytes())?;
        }
        writer.write_record(None::<&[u8]>)?;
        Ok(SheetWriter {
            sheet: self,
            writer,
            space: String::new(),
        })
    }

    /// A whole CSV file; empty, without the line of names, if there are no rows.
    pub(super) fn csv_of_some(self, rows: impl IntoIterator<Item = impl Borrow<R>>) -> csv::Result<Vec<u8>> {
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_none() {
            return Ok(Vec::new());
        }
        self.csv(rows)
    }

    /// A whole CSV file.
    pub(super) fn csv(self, rows: impl IntoIterator<Item = impl Borrow<R>>) -> csv::Result<Vec<u8>> {
        let mut writer = self.writer(Vec::new())?;
        for row in rows {
            writer.write(row.borrow())?;
        }
        writer.finish()
    }

    /// One object, keys as the columns.
    pub(super) fn object(&self, row: &R) -> Map<String, Value> {
        let columns = self.columns.iter();
        columns
            .map(|column| (column.name.clone().into_owned(), (column.value)(row).value()))
            .collect()
    }

    /// An array of objects, keys as the columns.
    pub(super) fn array(&self, rows: impl IntoIterator<Item = impl Borrow<R>>) -> Value {
        let objects = rows.into_iter().map(|row| self.object(row.borrow()).into());
        Value::Array(objects.collect())
    }

    /// `value`, an object, with the rows as its `key` if there are any.
    pub(super) fn added_to(&self, mut value: Value, key: &str, rows: &[R]) -> Value {
        if let (Value::Object(object), false) = (&mut value, rows.is_empty()) {
            object.insert(key.to_owned(), self.array(rows));
        }
        value
    }

    /// The rows below the names, for a reader.
    pub(super) fn table(&self, rows: impl IntoIterator<Item = impl Borrow<R>>, align: Align) -> String {
        let mut space = String::new();
        let names = self.columns.iter().map(|column| column.name.clone().into_owned());
        let mut lines = vec![names.collect()];
        for row in rows {
            let cells = self.columns.iter().map(|column| {
                let cell = (column.value)(row.borrow());
                cell.field(&mut space).to_owned()
            });
            lines.push(cells.collect());
        }
        table(&lines, align)
    }

    /// What every column means, as a Markdown table.
    #[cfg(test)]
    pub(super) fn markdown(&self) -> String {
        let line = |column: &Column<'_, R>| {
            let about = column.about.replace('|', "\\|");
            format!("| `{}` | {about} |\n", column.name)
        };
        let lines: String = self.columns.iter().map(line).collect();
        format!("| column | meaning |\n|---|---|\n{lines}")
    }

    /// The columns: the name of each and what it means.
    pub(super) fn names(&self) -> Vec<(&str, &str)> {
        let columns = self.columns.iter();
        columns.map(|column| (&*column.name, &*column.about)).collect()
    }

    /// The names and the fields of a row, as a CSV has them.
    pub(super) fn fields(&self, row: &R) -> Vec<(String, String)> {
        let mut space = String::new();
        let columns = self.columns.iter();
        columns
            .map(|column| {
                let field = (column.value)(row).field(&mut space).to_owned();
                (column.name.clone().into_owned(), field)
            })
            .collect()
    }
}

/// A CSV file that is written row by row.
pub(super) struct SheetWriter<'s, R, W: Write> {
    sheet: Sheet<'s, R>,
    writer: csv::Writer<W>,
    /// Where numbers become text: a file of a million rows asks for no memory but this.
    space: String,
}

impl<R, W: Write> SheetWriter<'_, R, W> {
    /// One more row.
    pub(super) fn write(&mut self, row: &R) -> csv::Result<()> {
        for column in &self.sheet.columns {
            let cell = (column.value)(row);
            self.writer
                .write_field(cell.harmless_field(&mut self.space).as_bytes())?;
        }
        self.writer.write_record(None::<&[u8]>)
    }

    /// Whole rows reach the file, so that it can be watched.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }

    /// The output with all rows.
    pub(super) fn finish(self) -> csv::Result<W> {
        Ok(self.writer.into_inner().map_err(|error| error.into_error())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row {
        name: String,
        value: Option<f64>,
    }

    fn rows() -> [Row; 2] {
        let row = |name: &str, value| Row {
            name: name.to_owned(),
            value,
        };
        [row("a,b", Some(1.0 / 3.0)), row("鍛錬", None)]
    }

    fn sheet() -> Sheet<'static, Row> {
        Sheet::new()
            .column("name", "what it is called", |row: &Row| (&row.name).into())
            .column("value", "this | that", |row| Cell::rounded(row.value, 2))
    }

    #[test]
    fn one_declaration_gives_csv_json_a_table_and_its_description() {
        let csv = String::from_utf8(sheet().csv(rows()).unwrap()).unwrap();
        assert_eq!(csv, "name,value\n\"a,b\",0.33\n鍛錬,\n");
        let json = sheet().array(rows()).to_string();
        assert_eq!(
            json,
            "[{\"name\":\"a,b\",\"value\":0.33},{\"name\":\"鍛錬\",\"value\":null}]"
        );
        assert_eq!(
            sheet().table(rows(), Align::Left),
            "name  value\na,b   0.33\n鍛錬\n"
        );
        let expected =
            "| column | meaning |\n|---|---|\n| `name` | what it is called |\n| `value` | this \\| that |\n";
        assert_eq!(sheet().markdown(), expected);
    }

    #[test]
    fn the_columns_of_a_part_are_those_of_the_part() {
        struct Whole(Row);
        let [row, _] = rows();
        let sheet = sheet().within(|whole: &Whole| &whole.0);
        assert_eq!(sheet.object(&Whole(row))["value"], 0.33);
    }

    #[test]
    fn without_rows_there_is_a_line_of_names_or_nothing() {
        let none: [Row; 0] = [];
        assert_eq!(sheet().csv(&none).unwrap(), b"name,value\n");
        assert_eq!(sheet().csv_of_some(&none).unwrap(), b"");
    }
}
