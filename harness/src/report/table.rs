//! Plain tables.
//!
//! In: cells of text, the first row a header. Out: lines of columns. Must not: know what the cells mean.

use unicode_width::UnicodeWidthStr;

/// To which side cells are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// `cell` as wide as `width` columns of a terminal, in which a kanji takes two.
pub(super) fn pad(cell: &str, width: usize, align: Align) -> String {
    let blank = " ".repeat(width.saturating_sub(cell.width()));
    match align {
        Align::Left => format!("{cell}{blank}"),
        Align::Right => format!("{blank}{cell}"),
    }
}

/// Columns two spaces apart; rows may not differ in length.
pub(super) fn table(rows: &[Vec<String>], align: Align) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| pad(cell, width, align));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["a", "bbb"], ["cc", "±"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows, Align::Right), " a  bbb\ncc    ±\n");
        assert_eq!(table(&rows, Align::Left), "a   bbb\ncc  ±\n");
        assert_eq!(table(&[], Align::Left), "");
        let rows = [["鍛錬", "1"], ["base", "10"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows, Align::Right), "鍛錬   1\nbase  10\n");
    }
}
