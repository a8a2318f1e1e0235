//! Plain tables.
//!
//! In: cells of text, the first row a header. Out: lines of columns. Must not: know what the cells mean.

/// To which side cells are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Columns two spaces apart; rows may not differ in length.
pub(super) fn table(rows: &[Vec<String>], align: Align) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| match align {
            Align::Left => format!("{cell:width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
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
    }
}
