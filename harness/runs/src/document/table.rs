//! Plain tables, and lines that fit their window.

use console::Term;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::document::language::{Language, said, said_lines};

const GAP: usize = 2;
/// Of tables below an answer.
const MARGIN: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
    /// The first so many columns to the left, the others to the right.
    Keyed(usize),
}

impl Align {
    /// Columns that say which row it is.
    fn keys(self) -> usize {
        match self {
            Align::Keyed(keys) => keys,
            Align::Left | Align::Right => 1,
        }
    }

    fn is_left(self, column: usize) -> bool {
        match self {
            Align::Left => true,
            Align::Right => false,
            Align::Keyed(keys) => column < keys,
        }
    }
}

/// Columns two spaces apart; rows may not differ in length. A table wider than the text wraps its cells at words; if that
/// does not help, the columns that are left follow below, with the keys repeated.
pub(crate) fn table(rows: &[Vec<String>], align: Align) -> String {
    table_of_width(rows, align, text_width())
}

/// As [`table`], below an answer.
pub(crate) fn inner_table(rows: &[Vec<String>], align: Align) -> String {
    indented(&table_of_width(rows, align, text_width() - MARGIN))
}

/// Rows below a row of names.
pub(crate) fn titled(
    names: &[&str],
    rows: impl IntoIterator<Item = impl Into<Vec<String>>>,
) -> Vec<Vec<String>> {
    let mut all = vec![names.iter().map(|name| said(name).into_owned()).collect()];
    all.extend(rows.into_iter().map(Into::into));
    all
}

/// As [`table`], with a row of names above the others.
pub(crate) fn titled_table(
    names: &[&str],
    rows: impl IntoIterator<Item = impl Into<Vec<String>>>,
    align: Align,
) -> String {
    table(&titled(names, rows), align)
}

fn table_of_width(rows: &[Vec<String>], align: Align, width: usize) -> String {
    let columns: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).collect();
    let natural: Vec<usize> = columns
        .iter()
        .map(|&column| widest(rows, column, UnicodeWidthStr::width))
        .collect();
    let least: Vec<usize> = columns
        .iter()
        .map(|&column| widest(rows, column, longest_word))
        .collect();
    if let Some(widths) = fitted(&natural, &least, width) {
        return lines(rows, &columns, &widths, align);
    }
    let (header, body) = rows.split_at(rows.len().min(1));
    let width_of = |&column: &usize| {
        let words = widest(header, column, longest_word);
        words.max(widest(body, column, UnicodeWidthStr::width))
    };
    let widths: Vec<usize> = columns.iter().map(width_of).collect();
    let blocks = blocks(&widths, align.keys(), width);
    let blocks = blocks.iter().map(|block| lines(rows, block, &widths, align));
    blocks.collect::<Vec<_>>().join("\n")
}

fn widest(rows: &[Vec<String>], column: usize, of: impl Fn(&str) -> usize) -> usize {
    rows.iter().map(|row| of(&row[column])).max().unwrap_or(0)
}

fn longest_word(text: &str) -> usize {
    words(text).map(|(_, word)| word.width()).max().unwrap_or(0)
}

/// The widths of all columns side by side, those with most room above their longest word made narrower; `None` if no words
/// are left to break.
fn fitted(natural: &[usize], least: &[usize], width: usize) -> Option<Vec<usize>> {
    let mut widths = natural.to_vec();
    let all = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    while all(&widths) > width {
        let room = |column: &usize| widths[*column] - least[*column];
        let column = (0..widths.len())
            .max_by_key(room)
            .filter(|column| room(column) > 0)?;
        widths[column] -= 1;
    }
    Some(widths)
}

/// Columns that stand side by side, the first `keys` ones in each block.
fn blocks(widths: &[usize], keys: usize, width: usize) -> Vec<Vec<usize>> {
    let keys: Vec<usize> = (0..keys.min(widths.len())).collect();
    let key_width: usize = keys.iter().map(|&key| widths[key] + GAP).sum();
    let (mut blocks, mut block, mut used) = (Vec::new(), keys.clone(), key_width);
    for (column, own) in widths.iter().enumerate().skip(keys.len()) {
        if used + own > width && block.len() > keys.len() {
            blocks.push(std::mem::replace(&mut block, keys.clone()));
            used = key_width;
        }
        used += own + GAP;
        block.push(column);
    }
    blocks.push(block);
    blocks
}

fn lines(rows: &[Vec<String>], columns: &[usize], widths: &[usize], align: Align) -> String {
    let mut text = String::new();
    for row in rows {
        let cells = columns.iter().map(|&column| broken(&row[column], widths[column]));
        let cells: Vec<Vec<String>> = cells.collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let parts = columns.iter().zip(&cells).map(|(&column, cell)| {
                let part = cell.get(line).map_or("", String::as_str);
                let space = " ".repeat(widths[column].saturating_sub(part.width()));
                if align.is_left(column) {
                    format!("{part}{space}")
                } else {
                    format!("{space}{part}")
                }
            });
            let gap = " ".repeat(GAP);
            text += parts.collect::<Vec<_>>().join(&gap).trim_end();
            text.push('\n');
        }
    }
    text
}

/// Lines of at most `width` columns, unless a word is wider; spaces within a line stay as they are.
pub fn broken(text: &str, width: usize) -> Vec<String> {
    if text.width() <= width {
        return vec![text.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for (spaces, word) in words(text) {
        match lines.last_mut() {
            Some(line) if line.width() + spaces.len() + word.width() <= width => {
                line.push_str(spaces);
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// What a number keeps on its line.
const UNITS: [&str; 7] = ["Elo", "nElo", "ms", "MiB", "秒", "ミリ秒", "ノード"];

/// The words, each after its spaces. Numbers keep their units: an interval, `5.0 %`, `1.2 ±0.3`, `+1.6 Elo` and a cell `0.2 s` are one word.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let word = rest.trim_start_matches(' ');
        let spaces = &rest[..rest.len() - word.len()];
        let mut end = 0;
        while !word[end..].is_empty() {
            end += word[end..].find(' ').unwrap_or(word.len() - end);
            let is_open = word[..end].rfind('[') > word[..end].rfind(']');
            let next = word[end..].trim_start_matches(' ');
            let is_number = word[..end].ends_with(|c: char| c.is_ascii_digit() || c == ']');
            let is_named = next == "s" || UNITS.iter().any(|unit| next.starts_with(unit));
            let is_unit = is_number && is_named || next.starts_with(['%', '±']);
            if next.is_empty() || !(is_unit || is_open && next.contains(']')) {
                break;
            }
            end = word.len() - next.len();
        }
        end = first_break(&word[..end]);
        rest = &word[end..];
        (end > 0).then(|| (spaces, &word[..end]))
    })
}

/// Where a line may end first: Japanese has no spaces, but no line begins with a mark that closes, or ends with one that opens.
fn first_break(word: &str) -> usize {
    let letters = word.char_indices().zip(word.chars().skip(1));
    let may_end = |((at, letter), next): &((usize, char), char)| {
        let is_wide = letter.width() == Some(2);
        let head = &word[..*at];
        let is_within = head.rfind('（') > head.rfind('）') && word[*at..].contains('）');
        let is_joined =
            "、。，．・：；！？）」』】〉》〜ーぁぃぅぇぉっゃゅょァィゥェォッャュョ％%),.:;".contains(*next);
        is_wide && !is_joined && !is_within && !"（「『【〈《".contains(*letter)
    };
    let found = letters.into_iter().find(may_end);
    found.map_or(word.len(), |((at, letter), _)| at + letter.len_utf8())
}

/// A table below an answer.
pub(crate) fn indented(text: &str) -> String {
    let lines = text.lines();
    lines
        .map(|line| format!("  {line}").trim_end().to_owned() + "\n")
        .collect()
}

/// Between the parts of a line.
const PART: &str = "   ";

/// Lines of a name and what there is to say of it; without a name a line belongs to the one above.
pub(crate) fn named_lines<'a>(lines: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let lines = lines.into_iter();
    lines
        .map(|(name, text)| {
            let name = said(name);
            let room: usize = match Language::spoken() {
                Language::English => 7,
                Language::Japanese => 8,
            };
            let space = " ".repeat(room.saturating_sub(name.width()));
            let parts = text.split(PART).map(said).collect::<Vec<_>>();
            hanging(&format!("  {name}{space} "), &parts.join(PART))
        })
        .collect()
}

/// `text` after `head`, and where it is wider than the window on lines below that begin where it began.
pub(crate) fn hanging(head: &str, text: &str) -> String {
    hanging_to(head, text, text_width())
}

fn hanging_to(head: &str, text: &str, width: usize) -> String {
    let room = width.saturating_sub(head.width()).max(1);
    let margin = " ".repeat(head.width());
    let mut lines = String::new();
    for (index, part) in broken(text, room).iter().enumerate() {
        let start = if index == 0 { head } else { &margin };
        lines += format!("{start}{part}").trim_end();
        lines.push('\n');
    }
    lines
}

/// Text whose lines are no wider than the window: longer ones go on below, moved in to where their own text began. That is
/// after a name and two spaces or more, or after the spaces that the line begins with.
pub(crate) fn wrapped(text: &str) -> String {
    wrapped_to(&said_lines(text), text_width())
}

fn wrapped_to(text: &str, width: usize) -> String {
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        if content.width() <= width {
            wrapped += line;
            continue;
        }
        let (head, tail) = content.split_at(text_start(content));
        wrapped += &hanging_to(head, tail, width);
        if !line.ends_with('\n') {
            wrapped.pop();
        }
    }
    wrapped
}

/// Where the text of a line begins: after its first two spaces in a row, or after the spaces at its start.
fn text_start(line: &str) -> usize {
    let content = line.trim_start_matches(' ');
    let indent = line.len() - content.len();
    // A name is one word.
    let name = content.find(' ').filter(|&end| content[end..].starts_with("  "));
    name.map_or(indent, |end| {
        line.len() - content[end..].trim_start_matches(' ').len()
    })
}

const TEXT_WIDTH: usize = 80;
const TEXT_WIDTH_MIN: usize = 40;
/// Columns of text on stdout: those of its window, or 80.
pub(crate) fn text_width() -> usize {
    let window = Term::stdout().size_checked();
    window.map_or(TEXT_WIDTH, |(_, columns)| {
        usize::from(columns).max(TEXT_WIDTH_MIN)
    })
}

#[cfg(test)]
mod tests {
    use crate::document::table::*;
    use proptest::prelude::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let row = |line: &str| line.split('|').map(str::to_owned).collect();
        text.lines().map(row).collect()
    }

    /// As wide as the widest cell; too wide, cells wrap at words, and columns without words go on below.
    #[test]
    fn tables_are_no_wider_than_their_window() {
        let cells = "a|bbb\ncc|±\n鍛錬|+1";
        let jobs = "job|what came of it\none|it ended well\ntwo|lost";
        for (cells, align, width, expected) in [
            (cells, Align::Right, 80, "   a  bbb\n  cc    ±\n鍛錬   +1\n"),
            (cells, Align::Left, 80, "a     bbb\ncc    ±\n鍛錬  +1\n"),
            (cells, Align::Keyed(1), 80, "a     bbb\ncc      ±\n鍛錬   +1\n"),
            ("", Align::Left, 80, ""),
            (
                jobs,
                Align::Left,
                14,
                "job  what came\n     of it\none  it ended\n     well\ntwo  lost\n",
            ),
            (
                "depth|1|2|3\nbase|1000|2000|3000",
                Align::Keyed(1),
                18,
                "depth     1     2\nbase   1000  2000\n\ndepth     3\nbase   3000\n",
            ),
        ] {
            assert_eq!(table_of_width(&rows(cells), align, width), expected);
        }
    }

    #[test]
    fn an_interval_and_a_number_with_its_unit_are_one_word() {
        let text = "Elo +1.6 [-0.4, +2.8]  LOS 99.5 % after 3";
        let lines = ["Elo +1.6", "[-0.4, +2.8]  LOS", "99.5 % after 3"];
        assert_eq!(broken(text, 17), lines);
        let text = "b より強い：+112.6 Elo（90%信頼区間）、88局、SPRT [0, 40] nElo";
        let lines = [
            "b より強い：",
            "+112.6 Elo（90%信頼区間）、",
            "88局、SPRT [0, 40] nElo",
        ];
        assert_eq!(broken(text, 26), lines);
        assert_eq!(broken("an [open bracket", 4), ["an", "[open", "bracket"]);
    }

    #[test]
    fn a_long_line_goes_on_below_its_text() {
        let text = "short\nverdict  one two three\n         four five six\nplain words here now";
        let expected = "short\nverdict  one two\n         three\n         four\n         five six\nplain words here\nnow";
        assert_eq!(wrapped_to(text, 17), expected);
    }

    proptest! {
        #[test]
        fn wrapping_loses_no_letter_and_keeps_what_fits(words in proptest::collection::vec("[a-z鍛錬]{1,9}", 0..40), width in 1usize..90) {
            let text = words.join(" ");
            let wrapped = wrapped_to(&text, width);
            // A line may end between two wide characters, so words are compared letter by letter.
            prop_assert_eq!(wrapped.split_whitespace().collect::<String>(), words.concat());
            for line in wrapped.lines() {
                prop_assert!(line.width() <= width || !line.contains(' '), "{line}");
            }
        }

        #[test]
        fn a_table_is_never_wider_than_its_window(
            cells in proptest::collection::vec(proptest::collection::vec("[a-z鍛 ]{0,14}", 5), 1..6),
            width in 58usize..100,
        ) {
            let text = table_of_width(&cells, Align::Left, width);
            for line in text.lines() {
                prop_assert!(line.width() <= width, "{}: {line}", line.width());
            }
        }
    }
}
