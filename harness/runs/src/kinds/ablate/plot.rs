//! `ablation.svg`: a dot and an interval for each changed setting, Elo to the left and nodes to the right.

use crate::config::MoveLimit;
use crate::document::intervals::{Dot, Panel, Rows, ends};
use crate::document::plot::{NumberAxis, range, ratio_mark};
use crate::document::text::Text;
use crate::kinds::ablate::study::{AblationRow, GainOrLoss};

/// All limits together, each limit, and nodes where they were compared.
pub(crate) fn rows(rows: &[&AblationRow], limits: &[MoveLimit]) -> Rows {
    let elo = rows.iter().map(|row| match row.worth {
        GainOrLoss::Pays => Dot::of(&row.elo, "pass", true),
        GainOrLoss::Costs => Dot::of(&row.elo, "fail", true),
        _ => Dot::of(&row.elo, "same", false),
    });
    let ratios = rows.iter().map(|row| {
        let ratio = row.nodes.as_ref()?.ratio;
        Dot::of_interval(&ratio, 1.0).map(|dot| Dot {
            colour: if dot.is_filled { "accent" } else { dot.colour },
            ..dot
        })
    });
    let ratios: Vec<Option<Dot>> = ratios.collect();
    let mut panels = vec![Panel::elo(elo.collect())];
    if limits.len() > 1 {
        panels.extend(limits.iter().map(|&limit| of_limit(rows, limit)));
        let all = panels.iter().flat_map(|panel| panel.dots.iter().copied());
        let axis = Panel::elo(all.collect()).axis;
        panels.iter_mut().for_each(|panel| panel.axis = axis);
    }
    let (low, high) = range((0.9, 1.1), ends(&ratios));
    let nodes = Panel {
        name: Text::new("nodes"),
        axis: NumberAxis::Log {
            low: low / 1.04,
            high: high * 1.04,
        },
        mark: ratio_mark,
        middle: 1.0,
        width: 220.0,
        dots: ratios,
        text: |ratio| format!("{ratio:.2}"),
    };
    if limits.len() < 2 || nodes.dots.iter().any(Option::is_some) {
        panels.push(nodes);
    }
    Rows {
        heading: Text::new("setting, changed to"),
        names: rows.iter().map(|row| row.variant.name()).collect(),
        panels,
    }
}

fn of_limit(rows: &[&AblationRow], limit: MoveLimit) -> Panel {
    let at = rows.iter().map(|row| row.at.iter().find(|at| at.limit == limit));
    let dots = at.map(|at| Dot::of(&at?.elo, "same", false));
    Panel {
        name: Text::plain(limit.to_string()),
        width: 220.0,
        ..Panel::elo(dots.collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::ablate::plot::*;
    use crate::kinds::fixtures::ablation_row as row;

    #[test]
    fn every_row_has_its_name_and_a_dot_in_both_panels() {
        let all = [
            row("lmr", "off", 2),
            row("killers", "off", 0),
            row("null_move", "prune", 1),
        ];
        let all: Vec<&AblationRow> = all.iter().collect();
        let image = rows(&all, &[]).svg(&Text::plain(""));
        for name in ["lmr=off", "killers=off", "null_move=prune"] {
            assert!(image.contains(name), "{name}");
        }
        assert_eq!(image.matches("<circle").count(), 2 * 3);
        let limits = [MoveLimit::Nodes(60), MoveLimit::MoveTimeMs(5)];
        let pooled = rows(&all, &limits).svg(&Text::plain(""));
        assert!(pooled.contains("movetime 5 ms") && pooled.matches("<circle").count() == 3 * 3);
        assert!(rows(&[], &[]).svg(&Text::plain("")).ends_with("</svg>"));
    }
}
