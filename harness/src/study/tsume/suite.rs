//! Suites of mate problems.
//!
//! In: text, one problem a line: a position and the plies of its shortest mate, `POSITION ; mate 5`. Out: [`Problem`]s, or
//! what is wrong with them. Must not: take a length on trust where it is asked to check.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tanren_engine::game::Position;
use tanren_engine::mate::MateSolver;

/// One mate problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem<P> {
    /// Its line in the file, from 1.
    pub line: u32,
    /// The position, the attacker to move.
    pub position: P,
    /// Plies of the shortest mate by checks alone.
    pub plies: u32,
}

/// A file of problems or games that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TsumeError {
    /// The file cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("{origin}, line {line}: {message}: '{text}'")]
    BadLine {
        /// The file.
        origin: String,
        /// Its line, from 1.
        line: u32,
        /// The line's text.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// There is nothing in it.
    #[error("{origin} holds nothing but blank lines and comments")]
    Empty {
        /// The file.
        origin: String,
    },
}

/// Reads the file at `path`.
pub(super) fn read(path: &Path) -> Result<String, TsumeError> {
    std::fs::read_to_string(path).map_err(|source| TsumeError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

/// Parses every line that is neither blank nor a comment.
pub(super) fn parse_lines<T>(
    text: &str,
    origin: &str,
    parse: impl Fn(u32, &str) -> Result<T, String>,
) -> Result<Vec<T>, TsumeError> {
    let numbered = (1..).zip(text.lines().map(str::trim));
    let filled = numbered.filter(|(_, content)| !content.is_empty() && !content.starts_with('#'));
    let parsed = filled.map(|(line, content)| {
        parse(line, content).map_err(|message| TsumeError::BadLine {
            origin: origin.to_owned(),
            line,
            text: content.to_owned(),
            message,
        })
    });
    let parsed: Vec<T> = parsed.collect::<Result<_, _>>()?;
    if parsed.is_empty() {
        return Err(TsumeError::Empty {
            origin: origin.to_owned(),
        });
    }
    Ok(parsed)
}

/// Reads the suite at `path`.
///
/// # Errors
/// Unreadable, empty, or a line that is no problem.
pub fn load<P: Position>(path: &Path) -> Result<Vec<Problem<P>>, TsumeError> {
    parse(&read(path)?, &format!("'{}'", path.display()))
}

/// Parses a suite; `origin` is what messages call it.
///
/// # Errors
/// The first line that is no problem; no problem at all.
pub fn parse<P: Position>(text: &str, origin: &str) -> Result<Vec<Problem<P>>, TsumeError> {
    parse_lines(text, origin, parse_problem)
}

fn parse_problem<P: Position>(line: u32, content: &str) -> Result<Problem<P>, String> {
    let (position, length) = content
        .rsplit_once("; mate ")
        .ok_or("expected 'POSITION ; mate PLIES'")?;
    let plies: u32 = length
        .trim()
        .parse()
        .map_err(|_| format!("'{}' is no number of plies", length.trim()))?;
    if plies.is_multiple_of(2) {
        return Err(format!("a mate takes an odd number of plies, not {plies}"));
    }
    let position = P::parse(position.trim()).map_err(|error| error.to_string())?;
    Ok(Problem {
        line,
        position,
        plies,
    })
}

/// What is wrong with the problems, in their order, on the threads of the current pool: a position that stands twice, a length
/// that is not that of the shortest mate, or one that `nodes_max` nodes do not prove.
pub fn wrong_problems<P: Position>(problems: &[Problem<P>], nodes_max: u64) -> Vec<(u32, String)> {
    let mut line_of_key = HashMap::new();
    let repeated = problems.iter().filter_map(|problem| {
        let first = *line_of_key.entry(problem.position.key()).or_insert(problem.line);
        (first != problem.line).then(|| (problem.line, format!("repeats the position of line {first}")))
    });
    let mut wrong: Vec<(u32, String)> = repeated.collect();
    wrong.par_extend(problems.par_iter().filter_map(|problem| {
        let stated = problem.plies;
        let found = MateSolver::new(nodes_max).shortest(&problem.position, stated);
        let message = match found {
            Ok(Some(plies)) if plies == stated => return None,
            Ok(Some(plies)) => format!("is a mate in {plies}, not in {stated}"),
            Ok(None) => format!("has no mate in {stated}"),
            Err(error) => error.to_string(),
        };
        Some((problem.line, message))
    }));
    wrong.sort();
    wrong
}
