//! `ablation.svg`: a dot and an interval for each changed setting, Elo to the left and nodes to the right.

use std::io;

use crate::document::chart::{BLUE, FAINT_INK, INK, NumberAxis, VERMILION, image, range, ratio_mark, text};
use crate::document::intervals::{Dot, Panel, draw_names};
use crate::document::number::shortened;
use crate::kinds::ablate::study::{AblationRow, GainOrLoss};

const TITLE: &str = "What each setting is worth as it stands in the base";
const SUBTITLE: &str =
    "changed setting (what the base has); to the right of the line: the base is better; 95 % intervals";

const HEAD_HEIGHT: u32 = 84;
const FOOT_HEIGHT: u32 = 54;
const ROW_HEIGHT: u32 = 22;
const CHAR_WIDTH: u32 = 8;
const LABEL_CHARS_MAX: usize = 40;
const ELO_WIDTH: u32 = 480;
const RATIO_WIDTH: u32 = 300;
const MARGIN: u32 = 16;

pub(crate) fn svg(rows: &[&AblationRow]) -> io::Result<String> {
    let label = |row: &&AblationRow| {
        let text = format!("{} ({})", row.variant.assignment(), row.variant.base_setting);
        shortened(&text, LABEL_CHARS_MAX)
    };
    let labels: Vec<String> = rows.iter().map(label).collect();
    let chars = labels.iter().map(|label| label.chars().count()).max();
    let labels_width = MARGIN + CHAR_WIDTH * chars.unwrap_or(0) as u32 + MARGIN;
    let rows_height = ROW_HEIGHT * rows.len().max(1) as u32;
    let size = (
        labels_width + ELO_WIDTH + RATIO_WIDTH + MARGIN,
        HEAD_HEIGHT + rows_height + FOOT_HEIGHT,
    );
    image(size, |root| {
        let (head, body) = root.split_vertically(HEAD_HEIGHT);
        head.draw_text(TITLE, &text(24, INK), (16, 14))?;
        head.draw_text(SUBTITLE, &text(15, FAINT_INK), (16, 46))?;
        let (names, plots) = body.split_horizontally(labels_width);
        draw_names(&names, labels.into_iter(), [labels_width - 8, ROW_HEIGHT], 14)?;
        let (elo, ratio) = plots.split_horizontally(ELO_WIDTH);
        for (area, (panel, dots)) in [(elo, elo_panel(rows)), (ratio, ratio_panel(rows))] {
            panel.draw(&area, rows.len(), &dots)?;
        }
        Ok(())
    })
}

fn elo_panel(rows: &[&AblationRow]) -> (Panel<'static>, Vec<Dot>) {
    let dots = rows.iter().enumerate().filter_map(|(place, row)| {
        let colour = match row.worth {
            GainOrLoss::Pays => BLUE,
            GainOrLoss::Costs => VERMILION,
            _ => FAINT_INK,
        };
        Dot::of(place, &row.elo, colour)
    });
    let dots: Vec<Dot> = dots.collect();
    let (low, high) = range((0.0, 0.0), dots.iter().flat_map(Dot::ends));
    let room = 0.04 * (high - low).max(1.0);
    let panel = Panel {
        axis: NumberAxis::Linear {
            low: low - room,
            high: high + room,
        },
        name: "Elo",
        mark: &|elo| {
            if elo.abs() < 0.5 {
                "0".to_owned()
            } else {
                format!("{elo:+.0}")
            }
        },
        middle: Some(0.0),
        foot_height: FOOT_HEIGHT,
        font: 14,
    };
    (panel, dots)
}

fn ratio_panel(rows: &[&AblationRow]) -> (Panel<'static>, Vec<Dot>) {
    let dots = rows.iter().enumerate().filter_map(|(place, row)| {
        let mut dot = Dot::of(place, &row.nodes.as_ref()?.ratio, FAINT_INK)?;
        if dot.low > 1.0 {
            dot.colour = BLUE;
        } else if dot.high < 1.0 {
            dot.colour = VERMILION;
        }
        Some(dot)
    });
    let dots: Vec<Dot> = dots.collect();
    let (low, high) = range((0.9, 1.1), dots.iter().flat_map(Dot::ends));
    let panel = Panel {
        axis: NumberAxis::Log {
            low: low / 1.04,
            high: high * 1.04,
        },
        name: "nodes at a fixed depth",
        mark: &ratio_mark,
        middle: Some(1.0),
        foot_height: FOOT_HEIGHT,
        font: 14,
    };
    (panel, dots)
}

#[cfg(test)]
mod tests {
    use crate::kinds::ablate::plot::*;
    use crate::kinds::fixtures::ablation_row as row;

    #[test]
    fn every_row_has_its_name_and_a_dot_in_both_panels() {
        let rows = [
            row("lmr", "off", 2),
            row("killers", "off", 0),
            row("null_move", "prune", 1),
        ];
        let image = svg(&rows.iter().collect::<Vec<_>>()).unwrap();
        for name in ["lmr=off (on)", "killers=off (on)", "null_move=prune (reduce)"] {
            assert!(image.contains(name), "{name}");
        }
        assert_eq!(image.matches("<circle").count(), 2 * 3);
    }

    #[test]
    fn nothing_at_all_still_makes_an_image() {
        assert!(svg(&[]).unwrap().trim_end().ends_with("</svg>"));
    }
}
