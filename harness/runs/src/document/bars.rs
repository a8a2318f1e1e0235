//! Counts as bars.

use std::io;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::document::chart::{BLUE, FAINT_GRID, FAINT_INK, GREEN, ORANGE, SKY, VERMILION, image, row_text};

const WIDTH: u32 = 760;
const ROW_HEIGHT: u32 = 34;
const NAME_WIDTH: i32 = 150;
const COUNT_WIDTH: i32 = 150;
const COLOURS: [RGBColor; 5] = [VERMILION, ORANGE, FAINT_INK, SKY, BLUE];

pub(crate) fn svg(rows: &[(&str, u64)]) -> io::Result<String> {
    let height = ROW_HEIGHT * rows.len().max(1) as u32 + 8;
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
    let total: u64 = rows.iter().map(|row| row.1).sum::<u64>().max(1);
    let room = WIDTH as i32 - NAME_WIDTH - COUNT_WIDTH;
    image((WIDTH, height), |root| {
        let [names, counts] = [HPos::Right, HPos::Left].map(|side| row_text(16, side));
        for (place, (name, count)) in rows.iter().enumerate() {
            let top = 4 + (ROW_HEIGHT as usize * place) as i32;
            let middle = top + ROW_HEIGHT as i32 / 2;
            let colour = if rows.len() == COLOURS.len() {
                COLOURS[place]
            } else {
                GREEN
            };
            let length = (f64::from(room) * *count as f64 / most as f64).round() as i32;
            root.draw_text(name, &names, (NAME_WIDTH - 10, middle))?;
            for (length, colour) in [(room, FAINT_GRID), (length, colour)] {
                let bar = [
                    (NAME_WIDTH, top + 4),
                    (NAME_WIDTH + length, top + ROW_HEIGHT as i32 - 4),
                ];
                root.draw(&Rectangle::new(bar, colour.filled()))?;
            }
            let share = 100.0 * *count as f64 / total as f64;
            let said = format!("{count} ({share:.1} %)");
            root.draw_text(&said, &counts, (NAME_WIDTH + room + 8, middle))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use crate::document::bars::*;

    #[test]
    fn every_name_has_a_bar_and_its_share() {
        let rows = [("lost", 1), ("won <b>", 3)];
        let drawn = svg(&rows).unwrap();
        assert!(
            drawn.contains("3 (75.0 %)") && drawn.contains("1 (25.0 %)"),
            "{drawn}"
        );
        assert!(!drawn.contains("<b>"));
        assert!(svg(&[]).unwrap().trim_end().ends_with("</svg>"));
    }
}
