use std::cmp::Ordering;

use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, ci_text, or_dash, plural, signed};
use crate::document::table::{Align, indented, inner_table, titled, wrapped};
use crate::document::text::Text;
use crate::document::{Block, Document, Figure, Section, Table, no_strength};
use crate::kinds::ablate::AblationFindings;
use crate::kinds::ablate::plot;
use crate::kinds::ablate::study::{ALPHA, AblationRow, GainOrLoss};
use crate::session::found::Found as _;
use crate::stats::Estimate;

pub(crate) fn document(found: &AblationFindings) -> Document<'_> {
    let rows = by_worth(&found.rows);
    let in_order = Table::of(&columns(), &found.rows)
        .with(found.rows.iter().map(|row| faults::kinds_of_both(&row.faults)));
    let mut shown = Table::of(&columns(), rows.iter().copied()).caption(Text::new("Settings"));
    for (row, of) in shown.rows.iter_mut().zip(&rows) {
        row.is_faint = of.elo.value.is_none();
    }
    let blocks = vec![
        Block::Lines(describe(found)),
        Block::Details(wrapped(&about_family(found))),
        Block::Figure(
            Figure::new(Text::new("What each setting is worth"), move || plot::rows(&rows))
                .about(Text::new(
                    "95 % CI. Right of 0: the engine is better with the setting as it is. Filled: significant for all rows together",
                ))
                .file("ablation.svg"),
        ),
        Block::Table(in_order.key("").file("ablation.csv")),
    ];
    let all = Section::folded("settings", Text::new("All columns"), vec![Block::Table(shown)]);
    Document {
        title: format!("{} settings", found.rows.len()),
        answer: answer(found),
        sections: vec![Section::new("result", Text::plain(""), blocks), all],
    }
}

fn answer(found: &AblationFindings) -> Answer {
    if let Some(invalid) = found.invalid() {
        return no_strength(&invalid);
    }
    let count = |worth| found.rows.iter().filter(|row| row.worth == worth).count();
    let games = 2 * found.pairs();
    let sentence = Text::filled(
        "{pays} of {of} settings gain Elo as they stand, {costs} cost Elo (Holm, 5 %): {games} games",
        &[
            ("of", &found.rows.len()),
            ("pays", &count(GainOrLoss::Pays)),
            ("costs", &count(GainOrLoss::Costs)),
            ("games", &games),
        ],
    );
    Answer::new(State::Ranked, sentence)
}

pub(crate) fn columns() -> Columns<'static, AblationRow> {
    columns! { row: AblationRow;
        "technique", "the setting that was changed" => &row.variant.technique;
        "setting", "what it was changed to" => &row.variant.setting;
        "pairs", "pairs of the base against the changed engine" => row.tally.pairs();
    }
    .estimate(
        ["elo", "elo_low", "elo_high"],
        "Elo of the base against the changed engine",
        "the 95 % interval",
        ELO_DECIMALS,
        |row| row.elo,
    )
    .estimate(
        ["node_ratio", "node_ratio_low", "node_ratio_high"],
        "nodes of the changed engine over the base's at a fixed depth",
        "the 95 % interval",
        FINE_DECIMALS,
        |row| row.nodes.as_ref().map_or(Estimate::UNKNOWN, |nodes| nodes.ratio),
    )
    .and(columns! { row: AblationRow;
        "verdict", "what the setting of the base is worth" => row.worth.name();
        "base_setting", "what the base has" => &row.variant.base_setting;
        "score", "mean points of the base in a game" => Cell::rounded(row.tally.score(), FINE_DECIMALS);
    })
    .pentanomial(|row| row.tally.pentanomial)
    .and(columns! { row: AblationRow;
        "depth", "the depth at which nodes are compared" => row.nodes.as_ref().map(|nodes| nodes.depth);
        "positions", "positions that both searched to that depth" => row.nodes.as_ref().map(|nodes| nodes.positions);
        "duplicates", "pairs identical to an earlier one" => row.repeated;
    })
    .and(faults::of_both(["the base", "the changed engine"], |row: &AblationRow| row.faults.of_both()))
    .and(columns! { row: AblationRow;
        "p_value", "probability that equal engines are as far apart at any look at the row" => Cell::significant(row.p);
        "p_holm", "the same for all rows together (Holm): the verdict is that of 0.05" => Cell::significant(row.p_holm);
        "q_value", "least false-discovery rate at which the row is said to differ (Benjamini and Hochberg)"
            => Cell::significant(row.q);
        "selected", "1 where the verdict chose the row for its size: its Elo is too large on average"
            => u64::from(row.worth.is_shown());
        "acted", "how often the technique acted a game, in the first games of the row"
            => Cell::rounded(row.acted.and_then(|acted| acted.a_game()), ELO_DECIMALS);
        "mean_depth", "mean depth of the base's searches in these games" => Cell::rounded(row.mean_depth, ELO_DECIMALS);
        "identical_pairs",
            "pairs whose two games are identical: the engines never differed" => row.mirrored;
    })
}

pub(crate) fn line(row: &AblationRow) -> String {
    let [value, low, high] = [row.elo.value, row.elo.low, row.elo.high].map(|value| signed(value, 1));
    let (assignment, pairs, worth) = (row.variant.assignment(), row.tally.pairs(), row.worth.name());
    format!(
        "{assignment}: Elo {value} [{low}, {high}] after {}, {worth}",
        plural(pairs, "pair")
    )
}

fn describe(found: &AblationFindings) -> String {
    let header = [
        "changed to",
        "Elo",
        "95 % CI",
        "nodes",
        "95 % CI",
        "games",
        "verdict",
    ];
    let cells = by_worth(&found.rows).into_iter().map(|row| {
        let ratio = row.nodes.as_ref().map(|nodes| nodes.ratio);
        let fine = |value| or_dash(value, 2);
        [
            row.variant.assignment(),
            signed(row.elo.value, 1),
            ci_text(&row.elo),
            fine(ratio.and_then(|ratio| ratio.value)),
            ratio.map_or("-".to_owned(), |ratio| {
                format!("{} to {}", fine(ratio.low), fine(ratio.high))
            }),
            row.tally.games().to_string(),
            row.worth.name().replace('_', " "),
        ]
    });
    inner_table(&titled(&header, cells), Align::Keyed(1)) + &indented(&wrapped(EXPLANATION))
}

/// What the verdicts hold for, and what the numbers next to them do not say.
fn about_family(found: &AblationFindings) -> String {
    let count = |is: fn(&AblationRow) -> bool| found.rows.iter().filter(|row| is(row)).count();
    let (shown, planned) = (count(|row| row.worth.is_shown()), found.planned);
    let alone = count(|row| row.p.is_some_and(|p| p <= ALPHA));
    let mut text = format!(
        "\nverdicts hold for all {planned} rows together (Holm, 5 %): {shown} are shown, {alone} would be alone; q is the \
         false-discovery rate\n"
    );
    if shown > 0 {
        text +=
            "the Elo of a row that is shown is too large on average, since it was selected for its size\n";
    }
    if count(|row| row.worth == GainOrLoss::NotExercised) > 0 {
        text += "not_exercised: the technique acted less than once a game, or the engines differed in less than 5 % of the pairs; \
                 play longer games or give more nodes to measure it\n";
    }
    if let [_, .., last] = found.length.looks()[..] {
        let looks = found.length.looks().len();
        text += &format!("p and intervals allow for {looks} looks at a row, up to {last} pairs (Pocock)\n");
    }
    if let Some(budget) = found.length.budget {
        let pairs = found.pairs();
        let most = found.rows.iter().map(|row| row.tally.pairs()).max().unwrap_or(0);
        let alike = most * planned as u64;
        text += &format!(
            "{pairs} of {budget} pairs spent where they decide; as many for every row as for the longest would be {alike}\n"
        );
    }
    text
}

const EXPLANATION: &str = "
Elo: of the base's setting over the change. Nodes: of the change over the setting, to one depth.
";

/// Best first; rows without a value last, all ties in the order given.
fn by_worth(rows: &[AblationRow]) -> Vec<&AblationRow> {
    let mut sorted: Vec<&AblationRow> = rows.iter().collect();
    sorted.sort_by(|one, other| match (one.elo.value, other.elo.value) {
        (Some(one), Some(other)) => other.total_cmp(&one),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    sorted
}

#[cfg(test)]
mod tests {
    use crate::kinds::ablate::report::*;
    use crate::kinds::fixtures::{ablation, ablation_row as row};

    #[test]
    fn files_keep_the_order_of_the_settings_and_the_table_sorts_by_worth() {
        let found = ablation(vec![row("lmr", "off", 0), row("killers", "off", 2)]);
        let csv = String::from_utf8(columns().csv(&found.rows).unwrap()).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[1].starts_with("lmr,off,40,-") && lines[1].contains(",1.5,1.25,1.75,costs,on,"));
        assert!(lines[2].starts_with("killers,off,40,") && lines[2].contains(",worth_it,on,"));
        let document = document(&found);
        let text = document.text_with(true);
        assert!(
            text.contains("for all 2 rows together (Holm, 5 %): 2 are shown"),
            "{text}"
        );
        assert!(text.find("killers=off") < text.find("lmr=off"), "{text}");
        assert_eq!(document.json()[1]["verdict"], "worth_it");
    }

    #[test]
    fn a_row_without_a_value_comes_last_and_is_empty_in_files() {
        let mut empty = row("lmr", "off", 2);
        empty.elo = Estimate::UNKNOWN;
        empty.nodes = None;
        let found = ablation(vec![empty, row("killers", "off", 0)]);
        assert_eq!(by_worth(&found.rows)[0].variant.technique, "killers");
        let document = document(&found);
        assert!(document.json()[0]["elo"].is_null());
        let text = document.text();
        assert!(text.contains("- to -"), "{text}");
    }
}
