//! The columns of a file, declared once: CSV, JSON, the tables of pages and those of the manual are made from them.

use std::borrow::{Borrow, Cow};
use std::io::Write;

use serde_json::{Map, Value};

use crate::document::cell::{Cell, harmless};
use crate::stats::{Corrected, Estimate};

/// Columns of rows of type `R`; what they are made from lives as long as `'s`.
pub(crate) struct Columns<'s, R> {
    columns: Vec<Column<'s, R>>,
}

struct Column<'s, R> {
    name: Cow<'s, str>,
    about: Cow<'s, str>,
    value: Take<'s, R>,
}

type Take<'s, R> = Box<dyn for<'r> Fn(&'r R) -> Cell<'r> + Send + 's>;

/// A column a line: its name, what it means, and its value in a row.
macro_rules! columns {
    ($row:ident: $type:ty; $($name:expr, $about:expr => $value:expr;)*) => {
        $crate::document::columns::Columns::<$type>::new()
            $(.column($name, $about, move |$row: &$type| $crate::document::cell::Cell::from($value)))*
    };
}
pub(crate) use columns;

const PENTANOMIAL: [(&str, &str); 5] = [
    ("ptnml_0", "pairs in which A lost both games"),
    ("ptnml_1", "pairs of a loss and a draw"),
    ("ptnml_2", "pairs of two draws, or of a win and a loss"),
    ("ptnml_3", "pairs of a win and a draw"),
    ("ptnml_4", "pairs in which A won both games"),
];

impl<'s, R: 's> Columns<'s, R> {
    pub(crate) fn new() -> Self {
        Columns { columns: Vec::new() }
    }

    pub(crate) fn column(
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

    /// Three columns: an estimate and the ends of its interval, which is called so.
    pub(crate) fn estimate(
        self,
        [name, low, high]: [&'static str; 3],
        about: &'static str,
        interval: &'static str,
        decimals: usize,
        value: impl Fn(&R) -> Estimate + Copy + Send + 's,
    ) -> Self {
        let end = |end: &str| format!("{end} end of {interval} of {name}");
        self.column(name, about, move |row| Cell::rounded(value(row).value, decimals))
            .column(low, end("lower"), move |row| {
                Cell::rounded(value(row).low, decimals)
            })
            .column(high, end("upper"), move |row| {
                Cell::rounded(value(row).high, decimals)
            })
    }

    /// Three columns: a probability for itself and compared with all others of its family.
    pub(crate) fn family(self, of: &str, value: impl Fn(&R) -> Option<Corrected> + Copy + Send + 's) -> Self {
        let holm = format!("p-value among {of} (Holm)");
        let q = format!("false-discovery rate among {of} (Benjamini-Hochberg)");
        self.and(columns! { row: R;
            "p_value", "p-value of this row alone"
                => Cell::significant(value(row).map(|family| family.p));
            "p_holm", holm => Cell::significant(value(row).map(|family| family.p_holm));
            "q_value", q => Cell::significant(value(row).map(|family| family.q));
        })
    }

    /// Five columns: pairs by the points that A scored in them.
    pub(crate) fn pentanomial(self, value: impl Fn(&R) -> [u64; 5] + Copy + Send + 's) -> Self {
        let columns = (0..).zip(PENTANOMIAL);
        columns.fold(self, |columns, (points, (name, about)): (usize, _)| {
            columns.column(name, about, move |row| value(row)[points].into())
        })
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.columns.extend(other.columns);
        self
    }

    /// The same columns of a part of something larger.
    pub(crate) fn within<W: 's>(
        self,
        part: impl for<'r> Fn(&'r W) -> &'r R + Copy + Send + 's,
    ) -> Columns<'s, W>
    where
        R: 'static,
    {
        let columns = self.columns.into_iter();
        columns.fold(Columns::new(), |columns, Column { name, about, value }| {
            columns.column(name, about, move |whole| value(part(whole)))
        })
    }

    pub(crate) fn writer<W: Write>(self, output: W) -> csv::Result<RowWriter<'s, R, W>> {
        let mut writer = csv::Writer::from_writer(output);
        for column in &self.columns {
            // Some are labels of players.
            writer.write_field(harmless(&column.name).as_bytes())?;
        }
        writer.write_record(None::<&[u8]>)?;
        Ok(RowWriter {
            columns: self,
            writer,
            space: String::new(),
        })
    }

    pub(crate) fn csv(self, rows: impl IntoIterator<Item = impl Borrow<R>>) -> csv::Result<Vec<u8>> {
        let mut writer = self.writer(Vec::new())?;
        for row in rows {
            writer.write(row.borrow())?;
        }
        writer.finish()
    }

    pub(crate) fn object(&self, row: &R) -> Map<String, Value> {
        let names = self.columns.iter().map(|column| column.name.clone().into_owned());
        names.zip(self.cells(row).map(|cell| cell.value())).collect()
    }

    pub(crate) fn array(&self, rows: impl IntoIterator<Item = impl Borrow<R>>) -> Value {
        let objects = rows.into_iter().map(|row| self.object(row.borrow()).into());
        Value::Array(objects.collect())
    }

    pub(crate) fn cells<'r>(&self, row: &'r R) -> impl Iterator<Item = Cell<'r>> {
        self.columns.iter().map(move |column| (column.value)(row))
    }

    /// The name of each and what it means.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.columns.iter().map(|column| (&*column.name, &*column.about))
    }

    /// The lists of the manual: a column, its interval and its counts are one line, and so are columns that differ in one word.
    #[cfg(test)]
    pub(crate) fn markdown(&self) -> String {
        let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
        for (name, about) in self.names() {
            let last = lines.last_mut();
            let merged = last.and_then(|(names, meaning)| {
                let stem = PARTS.iter().find_map(|part| name.strip_suffix(part));
                let is_part = stem.is_some_and(|stem| names.contains(&stem));
                let is_pentanomial = name.starts_with("ptnml_") && names[0] == PENTANOMIAL[0].0;
                let both = match (is_part, is_pentanomial) {
                    (true, _) => meaning.clone(),
                    (_, true) => "pairs in which A scored 0, ½, 1, 1½, 2 points".to_owned(),
                    _ => merged(meaning, about)?,
                };
                names.push(name);
                *meaning = both;
                Some(())
            });
            if merged.is_none() {
                lines.push((vec![name], about.to_owned()));
            }
        }
        let line = |(names, about): &(Vec<&str>, String)| format!("- `{}`: {about}\n", names.join("`, `"));
        lines.iter().map(line).collect()
    }
}

/// Columns that belong to the one before them.
#[cfg(test)]
const PARTS: [&str; 5] = ["_low", "_high", "_of", "_rate", "_se"];

/// Two meanings that differ in one word, as one.
#[cfg(test)]
fn merged(meaning: &str, about: &str) -> Option<String> {
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (meaning.split(' ').collect(), about.split(' ').collect());
    let pairs = || ours.iter().zip(&theirs);
    let is_one = ours.len() == theirs.len() && ours.len() > 2 && pairs().filter(|(a, b)| a != b).count() == 1;
    let word = |(a, b): (&&str, &&str)| {
        if a == b {
            (*a).to_owned()
        } else {
            format!("{a}/{b}")
        }
    };
    is_one.then(|| pairs().map(word).collect::<Vec<_>>().join(" "))
}

pub(crate) struct RowWriter<'s, R, W: Write> {
    columns: Columns<'s, R>,
    writer: csv::Writer<W>,
    space: String,
}

impl<R, W: Write> RowWriter<'_, R, W> {
    pub(crate) fn write(&mut self, row: &R) -> csv::Result<()> {
        for column in &self.columns.columns {
            let cell = (column.value)(row);
            self.writer
                .write_field(cell.harmless_field(&mut self.space).as_bytes())?;
        }
        self.writer.write_record(None::<&[u8]>)
    }

    /// Whole rows reach the file, so that it can be watched.
    pub(crate) fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }

    pub(crate) fn finish(self) -> csv::Result<W> {
        Ok(self.writer.into_inner().map_err(|error| error.into_error())?)
    }
}

#[cfg(test)]
mod tests {
    use crate::document::columns::*;

    #[test]
    fn one_declaration_gives_csv_json_and_its_description() {
        type Row = (&'static str, Option<f64>);
        let rows: [Row; 2] = [("a,b", Some(1.0 / 3.0)), ("鍛錬", None)];
        let sample = || {
            columns! { row: Row;
                "name", "what it is called" => row.0;
                "value", "this | that" => Cell::rounded(row.1, 2);
            }
        };
        let csv = |rows: &[Row]| String::from_utf8(sample().csv(rows).unwrap()).unwrap();
        assert_eq!(csv(&rows), "name,value\n\"a,b\",0.33\n鍛錬,\n");
        assert_eq!(csv(&[]), "name,value\n");
        let json = serde_json::json!([{"name": "a,b", "value": 0.33}, {"name": "鍛錬", "value": null}]);
        assert_eq!(sample().array(rows), json);
        let lines = "- `name`: what it is called\n- `value`: this | that\n";
        assert_eq!(sample().markdown(), lines);
        let within = sample().within(|whole: &(Row, ())| &whole.0);
        assert_eq!(within.object(&(rows[0], ()))["value"], 0.33);
    }
}
