//! A TOML file of which every key knows where it stands.
//!
//! In: text. Out: a table, the places of its keys, and all that is wrong when it is read as something. Must not: give a key
//! a meaning.

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::diagnosis::{Refusal, diagnose};
use super::mistake::{Mistake, Mistakes, Place};

/// A file and the places of its keys.
#[derive(Debug, Clone)]
pub struct Document {
    origin: String,
    table: Table,
    leaves: Vec<Leaf>,
}

/// One step into a table or an array.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Element(usize),
}

/// A key whose value is no table, or an element of an array that is none.
#[derive(Debug, Clone)]
struct Leaf {
    path: Vec<Step>,
    place: Place,
    /// The value, for finding it in messages.
    text: String,
}

impl Document {
    /// Takes the text of a file; `origin` is what messages call it.
    ///
    /// # Errors
    /// All that is no TOML.
    pub fn parse(text: &str, origin: &str) -> Result<Document, Mistakes> {
        let (spanned, errors) = DeTable::parse_recoverable(text);
        let of = |error: &toml::de::Error| Mistake::of_toml(error, text, origin);
        Mistakes::check(errors.iter().map(of).collect())?;
        let table = toml::from_str(text).map_err(|error| Mistakes::from(of(&error)))?;
        let mut leaves = Vec::new();
        add_leaves(text, spanned.get_ref(), &mut Vec::new(), &mut leaves);
        leaves.sort_by_key(|leaf| leaf.place);
        Ok(Document {
            origin: origin.to_owned(),
            table,
            leaves,
        })
    }

    /// The keys and values.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Where the value called `name` stands, whatever tables it is in; the first such, or that in the element of this number.
    pub fn place_of(&self, name: &str, element: Option<usize>) -> Option<Place> {
        let is_it = |leaf: &&Leaf| {
            let has_name = leaf
                .path
                .iter()
                .any(|step| matches!(step, Step::Key(key) if key == name));
            let is_there = element.is_none_or(|element| leaf.path.contains(&Step::Element(element)));
            has_name && is_there
        };
        self.leaves.iter().find(is_it).map(|leaf| leaf.place)
    }

    /// A mistake at `place`.
    pub fn mistake(&self, place: Option<Place>, message: String) -> Mistake {
        Mistake {
            origin: self.origin.clone(),
            place: place.unwrap_or(Place::START),
            message,
        }
    }

    /// What `attempt` makes of the table.
    ///
    /// # Errors
    /// All that it refuses, each at its key.
    pub fn read<T>(&self, attempt: impl Fn(Table) -> Result<T, Refusal>) -> Result<T, Mistakes> {
        let is_named = |leaf: usize, message: &str| self.leaves[leaf].is_named_in(message);
        let without = |left_out: &[bool]| attempt(self.without(left_out));
        let (read, found) = diagnose(self.leaves.len(), is_named, without);
        let mistakes = found.into_iter().map(|(leaf, message)| match leaf {
            None => self.mistake(None, message),
            Some(leaf) => {
                let leaf = &self.leaves[leaf];
                self.mistake(Some(leaf.place), leaf.named(message))
            }
        });
        let mistakes: Vec<Mistake> = mistakes.collect();
        read.ok_or_else(|| Mistakes::from(mistakes))
    }

    fn without(&self, left_out: &[bool]) -> Table {
        let mut table = Value::Table(self.table.clone());
        // From the end: what stands behind an element of an array moves up.
        for (leaf, _) in self
            .leaves
            .iter()
            .zip(left_out)
            .rev()
            .filter(|(_, is_left_out)| **is_left_out)
        {
            remove(&mut table, &leaf.path);
        }
        match table {
            Value::Table(table) => table,
            _ => Table::new(),
        }
    }
}

impl Leaf {
    fn key(&self) -> &str {
        let keys = self.path.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Element(_) => None,
        });
        keys.unwrap_or_default()
    }

    fn is_named_in(&self, message: &str) -> bool {
        is_word_of(message, self.key()) || (self.text.chars().count() > 1 && message.contains(&self.text))
    }

    /// A message that says which key it is about.
    fn named(&self, message: String) -> String {
        if self.is_named_in(&message) {
            message
        } else {
            format!("{}: {message}", self.key())
        }
    }
}

/// Does `name` stand in `message`, not as a part of another word? Also as an option of the command line.
pub fn is_word_of(message: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    [name.to_owned(), name.replace('_', "-")].iter().any(|name| {
        !name.is_empty()
            && message.match_indices(name.as_str()).any(|(at, _)| {
                let before = message[..at].chars().next_back();
                let after = message[at + name.len()..].chars().next();
                !before.is_some_and(is_part) && !after.is_some_and(|c| is_part(c) || c == '-')
            })
    })
}

fn add_leaves(text: &str, table: &DeTable<'_>, path: &mut Vec<Step>, leaves: &mut Vec<Leaf>) {
    for (key, value) in table.iter() {
        path.push(Step::Key(key.get_ref().to_string()));
        add_value(text, value, key.span().start, path, leaves);
        path.pop();
    }
}

fn add_value(
    text: &str,
    value: &Spanned<DeValue<'_>>,
    offset: usize,
    path: &mut Vec<Step>,
    leaves: &mut Vec<Leaf>,
) {
    match value.get_ref() {
        // What is empty has nothing that could be wrong.
        DeValue::Table(table) => add_leaves(text, table, path, leaves),
        DeValue::Array(array) if !array.is_empty() => {
            for (number, element) in array.iter().enumerate() {
                path.push(Step::Element(number));
                add_value(text, element, element.span().start, path, leaves);
                path.pop();
            }
        }
        other => leaves.push(Leaf {
            path: path.clone(),
            place: Place::of(text, offset),
            text: other.as_str().map_or_else(
                || text.get(value.span()).unwrap_or_default().to_owned(),
                str::to_owned,
            ),
        }),
    }
}

fn remove(value: &mut Value, path: &[Step]) {
    match (value, path) {
        (Value::Table(table), [Step::Key(key)]) => {
            table.remove(key);
        }
        (Value::Array(array), [Step::Element(number)]) if *number < array.len() => {
            array.remove(*number);
        }
        // Where there is to be no array at all, an empty one is as wrong as its last element.
        (Value::Table(table), [Step::Key(key), Step::Element(0)])
            if table
                .get(key)
                .and_then(Value::as_array)
                .is_some_and(|array| array.len() == 1) =>
        {
            table.remove(key);
        }
        (Value::Table(table), [Step::Key(key), rest @ ..]) => {
            if let Some(inner) = table.get_mut(key) {
                remove(inner, rest);
            }
        }
        (Value::Array(array), [Step::Element(number), rest @ ..]) => {
            if let Some(inner) = array.get_mut(*number) {
                remove(inner, rest);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::diagnosis::RefusalKind;

    /// Refuses the first number below 0 that it meets.
    fn no_negative(value: &Value) -> Result<(), Refusal> {
        match value {
            Value::Integer(number) if *number < 0 => Err(Refusal {
                message: format!("{number} is below zero"),
                kind: RefusalKind::Key,
            }),
            Value::Table(table) => table.iter().try_for_each(|(_, value)| no_negative(value)),
            Value::Array(array) => array.iter().try_for_each(no_negative),
            _ => Ok(()),
        }
    }

    #[test]
    fn every_value_that_is_refused_is_told_at_its_place_in_tables_and_arrays_too() {
        let text =
            "a = -10\nlist = [1, -20, -30]\n[games]\nb = -40\n[[player]]\nc = 1\n[[player]]\n\"日\" = -50\n";
        let document = Document::parse(text, "x.toml").unwrap();
        let refused = document
            .read(|table| no_negative(&Value::Table(table)))
            .unwrap_err();
        let lines: Vec<String> = refused.into_vec().iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "'x.toml', line 1, column 1: -10 is below zero",
                "'x.toml', line 2, column 12: -20 is below zero",
                "'x.toml', line 2, column 17: -30 is below zero",
                "'x.toml', line 4, column 1: -40 is below zero",
                "'x.toml', line 8, column 1: -50 is below zero",
            ]
        );
        let place = |line| Some(Place { line, column: 1 });
        assert_eq!(document.place_of("b", None), place(4));
        assert_eq!(document.place_of("player", Some(1)), place(8));
        assert_eq!(document.place_of("z", None), None);
    }

    #[test]
    fn a_file_that_is_no_toml_is_refused_with_every_place() {
        let text = "a = \nb = 1\nc = 'open\nd = 2\n";
        let refused = Document::parse(text, "x.toml").unwrap_err().to_string();
        assert!(
            refused.contains("line 1, column") && refused.contains("line 3, column"),
            "{refused}"
        );
    }

    #[test]
    fn a_name_is_found_as_a_word_and_as_an_option() {
        assert!(is_word_of("invalid value for '--node-jitter <N>'", "node_jitter"));
        assert!(is_word_of("player a: wrong", "a"));
        assert!(!is_word_of("nodes of player b", "node"));
        assert!(!is_word_of("invalid value for '--nodes-a <N>'", "nodes"));
    }
}
