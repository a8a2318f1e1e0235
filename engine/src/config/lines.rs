//! Weights that are broken lines over the number of pieces on the board: a line of `chess_terms.tsv` declares two settings.
//!
//! A weight `eval.x` is `eval.x.opening` with many pieces and `eval.x.ending` with few. From and up to how many is common to all
//! weights (`eval.phase.opening`, `eval.phase.ending`): two numbers say how a game ages, and a table of settings stays readable.

use std::sync::LazyLock;

use super::declare::{Setting, SettingKind};

/// A weight over the number of pieces on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PiecesLine {
    /// Value with many pieces on the board.
    pub opening: i32,
    /// Value with few pieces on the board.
    pub ending: i32,
}

impl PiecesLine {
    /// The number that a part of the name after the weight's stands for.
    pub(super) fn part(&mut self, part: &str) -> Option<&mut i32> {
        match part {
            "opening" => Some(&mut self.opening),
            "ending" => Some(&mut self.ending),
            _ => None,
        }
    }
}

/// Evaluation weights of chess that change with the number of pieces, in tenths of a centipawn: a line of `chess_terms.tsv` each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessTerms(Vec<PiecesLine>);

struct TermTable {
    names: Vec<&'static str>,
    defaults: Vec<PiecesLine>,
    settings: Vec<Setting>,
}

static TERMS: LazyLock<TermTable> = LazyLock::new(|| {
    let mut table = TermTable {
        names: Vec::new(),
        defaults: Vec::new(),
        settings: Vec::new(),
    };
    for row in include_str!("chess_terms.tsv").lines().skip(1) {
        let fields: Vec<&'static str> = row.split('\t').collect();
        let numbers = [1, 2, 3, 4, 5].map(|field: usize| fields[field].parse::<i32>());
        let [Ok(opening), Ok(ending), Ok(min), Ok(max), Ok(step)] = numbers else {
            unreachable!("a number of chess_terms.tsv that is none: {row}");
        };
        let (name, help) = (fields[0], fields[6]);
        for (part, default) in [("opening", opening), ("ending", ending)] {
            table.settings.push(Setting {
                name: format!("{name}.{part}").leak(),
                kind: SettingKind::Int {
                    default,
                    min,
                    max,
                    step,
                },
                help: format!("{help}, {part} value").leak(),
            });
        }
        table.names.push(name);
        table.defaults.push(PiecesLine { opening, ending });
    }
    table
});

impl ChessTerms {
    /// The table of these settings, two for each weight.
    pub fn settings() -> &'static [Setting] {
        &TERMS.settings
    }

    fn index(weight: &str) -> Option<usize> {
        TERMS.names.iter().position(|&name| name == weight)
    }

    /// The weight of this name.
    pub(crate) fn line(&self, weight: &str) -> Option<PiecesLine> {
        ChessTerms::index(weight).map(|index| self.0[index])
    }

    /// The number that stands for the value of `name`.
    pub(super) fn number(&self, name: &str) -> Option<i32> {
        let (weight, part) = name.rsplit_once('.')?;
        self.line(weight)?.part(part).copied()
    }

    /// Sets `name` to a number that its row's `parse` made; false if there is no such name.
    pub(super) fn set_number(&mut self, name: &str, number: i32) -> bool {
        let term = |(weight, part)| Some((ChessTerms::index(weight)?, part));
        let value = name.rsplit_once('.').and_then(term);
        let value = value.and_then(|(index, part)| self.0[index].part(part));
        value.map(|value| *value = number).is_some()
    }
}

impl Default for ChessTerms {
    fn default() -> Self {
        ChessTerms(TERMS.defaults.clone())
    }
}
