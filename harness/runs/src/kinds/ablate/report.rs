use std::cmp::Ordering;

use crate::config::MoveLimit;
use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::language::said;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, ci_text, or_dash, p_text, plural, signed};
use crate::document::table::{Align, indented, inner_table, titled, wrapped};
use crate::document::text::Text;
use crate::document::{Block, Document, Figure, Section, Table, no_strength};
use crate::kinds::ablate::AblationFindings;
use crate::kinds::ablate::plot;
use crate::kinds::ablate::study::{ALPHA, AblationRow, AtLimit, GainOrLoss, Variant};
use crate::session::found::Found as _;
use crate::stats::Estimate;

pub(crate) fn document(found: &AblationFindings) -> Document<'_> {
    let rows = by_worth(&found.rows);
    let more = found.rows.iter().map(|row| {
        let mut more = faults::kinds_of_both(&row.faults());
        if found.is_pooled() {
            more.insert("limits".to_owned(), limit_columns().array(of_limits(row)));
        }
        more
    });
    let in_order = Table::of(&columns(), &found.rows).with(more);
    let mut shown = Table::of(&columns(), rows.iter().copied()).caption(Text::new("Settings"));
    for (row, of) in shown.rows.iter_mut().zip(&rows) {
        row.is_faint = of.elo.value.is_none();
    }
    let limits = &found.limits;
    let mut blocks = vec![
        Block::Lines(describe(found)),
        Block::Details(wrapped(&about_family(found))),
        Block::Figure(
            Figure::new(Text::new("What each setting is worth"), move || plot::rows(&rows, limits))
                .about(Text::new(
                    "95 % CI. Right of 0: the engine is better with the setting as it is. Filled: significant for all rows together",
                ))
                .file("ablation.svg"),
        ),
        Block::Table(in_order.key("").file("ablation.csv")),
    ];
    let mut all = vec![Block::Table(shown)];
    if found.is_pooled() {
        let rows: Vec<OfLimit> = found.rows.iter().flat_map(of_limits).collect();
        let table = || Table::of(&limit_columns(), &rows);
        // JSON has them in the rows.
        blocks.push(Block::Table(table().file("limits.csv")));
        all.push(Block::Table(table().caption(Text::new("Each limit"))));
    }
    let all = Section::folded("settings", Text::new("All columns"), all);
    Document {
        title: format!(
            "{} settings",
            found
                .rows
                .iter()
                .filter(|row| row.variant.given.is_none())
                .count()
        ),
        answer: answer(found),
        sections: vec![Section::new("result", Text::plain(""), blocks), all],
    }
}

fn answer(found: &AblationFindings) -> Answer {
    if let Some(invalid) = found.invalid() {
        return no_strength(&invalid);
    }
    let rows = || found.rows.iter().filter(|row| row.variant.given.is_none());
    let count = |worth| rows().filter(|row| row.worth == worth).count();
    let games = 2 * found.pairs();
    let template = match found.is_pooled() {
        false => Text::template(
            "{pays} of {of} settings gain Elo as they stand, {costs} cost Elo (Holm, 5 %): {games} games",
        ),
        true => Text::template(
            "{pays} of {of} settings gain Elo as they stand, {costs} cost Elo, {differ} depend on the limit (Holm, 5 %): {limits} limits, {games} games",
        ),
    };
    let sentence = Text::filled(
        template,
        &[
            ("of", &rows().count()),
            ("pays", &count(GainOrLoss::Pays)),
            ("costs", &count(GainOrLoss::Costs)),
            ("differ", &count(GainOrLoss::LimitsDiffer)),
            ("limits", &found.limits.len()),
            ("games", &games),
        ],
    );
    Answer::new(State::Ranked, sentence)
}

pub(crate) fn columns() -> Columns<'static, AblationRow> {
    columns! { row: AblationRow;
        "technique", "the setting that was changed" => &row.variant.technique;
        "setting", "what it was changed to" => &row.variant.setting;
        "pairs", "pairs of the base against the changed engine" => row.pairs();
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
        "score", "mean points of the base in a game" => Cell::rounded(row.tally().score(), FINE_DECIMALS);
    })
    .pentanomial(|row| row.tally().pentanomial)
    .and(columns! { row: AblationRow;
        "depth", "the depth at which nodes are compared" => row.nodes.as_ref().map(|nodes| nodes.depth);
        "positions", "positions that both searched to that depth" => row.nodes.as_ref().map(|nodes| nodes.positions);
        "duplicates", "pairs identical to an earlier one" => row.sum(|at| at.repeated);
    })
    .and(faults::of_both(["the base", "the changed engine"], |row: &AblationRow| row.faults().of_both()))
    .and(columns! { row: AblationRow;
        "p_value", "probability that equal engines are as far apart at any look at the row" => Cell::significant(row.p);
        "p_holm", "the same for all rows together (Holm): the verdict is that of 0.05" => Cell::significant(row.p_holm);
        "q_value", "least false-discovery rate at which the row is said to differ (Benjamini and Hochberg)"
            => Cell::significant(row.q);
        "selected", "1 where the verdict chose the row for its size: its Elo is too large on average"
            => u64::from(row.worth.is_shown());
        "acted", "how often the technique acted a game, in the first games of the row"
            => Cell::rounded(row.acted().and_then(|acted| acted.a_game()), ELO_DECIMALS);
        "mean_depth", "mean depth of the base's searches in these games" => Cell::rounded(row.mean_depth(), ELO_DECIMALS);
        "identical_pairs",
            "pairs whose two games are identical: the engines never differed" => row.sum(|at| at.mirrored);
        "limits_q", "of several limits: Cochran's Q of their Elo" => Cell::significant(row.agreement.map(|limits| limits.q));
        "limits_p", "probability that limits which agree are as far apart" => Cell::significant(row.agreement.map(|limits| limits.p));
        "limits_p_holm", "the same for all rows together (Holm)" => Cell::significant(row.agreement_p_holm);
        "given", "what both engines have changed (--pairs-of)" => given(&row.variant);
    })
    .estimate(
        ["interaction", "interaction_low", "interaction_high"],
        "Elo of both changes together above the sum of each",
        "the 95 % interval",
        ELO_DECIMALS,
        |row| row.interaction.map_or(Estimate::UNKNOWN, |interaction| interaction.elo),
    )
    .and(columns! { row: AblationRow;
        "interaction_p", "probability that changes which do not interact are as far from their sum"
            => Cell::significant(row.interaction.map(|interaction| interaction.p));
        "interaction_p_holm", "the same for all interactions together (Holm)" => Cell::significant(row.interaction_p_holm);
    })
}

fn given(variant: &Variant) -> Option<String> {
    variant.given.as_ref().map(|given| given.assignment())
}

/// A setting at one limit.
pub(crate) type OfLimit = (Variant, AtLimit);

fn of_limits(row: &AblationRow) -> impl Iterator<Item = OfLimit> {
    row.at.iter().map(|at| (row.variant.clone(), at.clone()))
}

/// `limits.csv`
pub(crate) fn limit_columns() -> Columns<'static, OfLimit> {
    columns! { row: OfLimit;
        "technique", "the setting that was changed" => &row.0.technique;
        "setting", "what it was changed to" => &row.0.setting;
        "given", "what both engines have changed (--pairs-of)" => given(&row.0);
        "limit", "what bounded each move" => row.1.limit.text();
        "pairs", "pairs of the base against the changed engine" => row.1.tally.pairs();
    }
    .estimate(
        ["elo", "elo_low", "elo_high"],
        "Elo of the base against the changed engine",
        "the 95 % interval",
        ELO_DECIMALS,
        |row| row.1.elo,
    )
    .pentanomial(|row| row.1.tally.pentanomial)
    .and(columns! { row: OfLimit;
        "duplicates", "pairs identical to an earlier one" => row.1.repeated;
        "acted", "how often the technique acted a game, in the first games of the row"
            => Cell::rounded(row.1.acted.and_then(|acted| acted.a_game()), ELO_DECIMALS);
        "mean_depth", "mean depth of the base's searches in these games" => Cell::rounded(row.1.mean_depth(), ELO_DECIMALS);
        "identical_pairs", "pairs whose two games are identical: the engines never differed" => row.1.mirrored;
    })
}

pub(crate) fn line(row: &AblationRow) -> String {
    let (value, interval) = (signed(row.elo.value, 1), interval(&row.elo));
    let (name, worth) = (row.variant.name(), row.worth.name().replace('_', " "));
    let pairs = plural(row.pairs(), "pair");
    format!("{name}: the base has Elo {value} {interval} after {pairs}, {worth}")
}

fn describe(found: &AblationFindings) -> String {
    let rows: Vec<&AblationRow> = by_worth(&found.rows);
    let (pairs_of, alone): (Vec<&AblationRow>, Vec<&AblationRow>) =
        rows.into_iter().partition(|row| row.variant.given.is_some());
    let mut text = match found.is_pooled() {
        false => one_limit(&alone) + &indented(&wrapped(EXPLANATION)),
        true => all_limits(&alone, &found.limits) + &indented(&wrapped(EXPLANATION_OF_LIMITS)),
    };
    if !pairs_of.is_empty() {
        text += "\n";
        text += &interactions(&pairs_of, &alone);
        text += &indented(&wrapped(EXPLANATION_OF_PAIRS));
    }
    text
}

fn one_limit(rows: &[&AblationRow]) -> String {
    let header = [
        "changed to",
        "Elo",
        "95 % CI",
        "nodes",
        "95 % CI",
        "games",
        "verdict",
    ];
    let cells = rows.iter().map(|row| {
        let ratio = row.nodes.as_ref().map(|nodes| nodes.ratio);
        let fine = |value| or_dash(value, 2);
        [
            row.variant.assignment(),
            signed(row.elo.value, 1),
            ci_text(&row.elo),
            fine(ratio.and_then(|ratio| ratio.value)),
            ratio.map_or("-".to_owned(), |ratio| {
                said(&format!("{} to {}", fine(ratio.low), fine(ratio.high))).into_owned()
            }),
            row.tally().games().to_string(),
            verdict(row),
        ]
    });
    inner_table(&titled(&header, cells), Align::Keyed(1))
}

fn all_limits(rows: &[&AblationRow], limits: &[MoveLimit]) -> String {
    let names: Vec<String> = limits.iter().map(MoveLimit::to_string).collect();
    let names = names.iter().map(String::as_str);
    let header = ["changed to", "Elo", "95 % CI"].into_iter().chain(names);
    let header: Vec<&str> = header.chain(["limits p", "p", "verdict"]).collect();
    let cells = rows.iter().map(|row| {
        let at = |limit: &MoveLimit| {
            let at = row.at.iter().find(|at| at.limit == *limit);
            signed(at.and_then(|at| at.elo.value), 1)
        };
        let elo = [
            row.variant.assignment(),
            signed(row.elo.value, 1),
            interval(&row.elo),
        ];
        let p = [row.agreement_p_holm, row.p_holm].map(p_text);
        let cells = elo.into_iter().chain(limits.iter().map(at)).chain(p);
        cells.chain([verdict(row)]).collect::<Vec<_>>()
    });
    inner_table(&titled(&header, cells), Align::Keyed(1))
}

fn interactions(rows: &[&AblationRow], alone: &[&AblationRow]) -> String {
    let header = [
        "changed to",
        "Elo",
        "both have",
        "Elo then",
        "interaction",
        "95 % CI",
        "p",
    ];
    let cells = rows.iter().map(|row| {
        let name = row.variant.assignment();
        let own = alone.iter().find(|own| own.variant.assignment() == name);
        let interaction = row
            .interaction
            .map_or(Estimate::UNKNOWN, |interaction| interaction.elo);
        [
            name,
            signed(own.and_then(|own| own.elo.value), 1),
            given(&row.variant).unwrap_or_default(),
            signed(row.elo.value, 1),
            signed(interaction.value, 1),
            interval(&interaction),
            p_text(row.interaction_p_holm),
        ]
    });
    inner_table(&titled(&header, cells), Align::Keyed(1))
}

/// One word, so that a narrow table keeps it on one line.
fn interval(elo: &Estimate) -> String {
    format!("[{}, {}]", signed(elo.low, 1), signed(elo.high, 1))
}

fn verdict(row: &AblationRow) -> String {
    said(&row.worth.name().replace('_', " ")).into_owned()
}

/// What the verdicts hold for, and what the numbers next to them do not say.
fn about_family(found: &AblationFindings) -> String {
    let count = |is: fn(&AblationRow) -> bool| found.rows.iter().filter(|row| is(row)).count();
    let (shown, planned) = (count(|row| row.worth.is_shown()), found.planned);
    let alone = count(|row| row.p.is_some_and(|p| p <= ALPHA));
    let mut text = format!(
        "\nverdicts are Holm-corrected over all {planned} rows (5 %): {shown} significant, {alone} without the \
         correction; q is the false-discovery rate\n"
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
        let most = found.rows.iter().map(AblationRow::pairs).max().unwrap_or(0);
        let alike = most * planned as u64;
        text += &format!(
            "{pairs} of {budget} pairs spent where they decide; as many for every row as for the longest would be {alike}\n"
        );
    }
    text
}

const EXPLANATION: &str = "
Elo: base minus changed engine. Nodes: changed engine divided by base, to the same depth.
";

const EXPLANATION_OF_LIMITS: &str = "
Elo: base minus changed engine, all limits pooled. limits p: whether the limits agree (Cochran's Q). p: whether the change is worth nothing. Both Holm-corrected over all rows.
";

const EXPLANATION_OF_PAIRS: &str = "
Elo then: where both engines have the other change. interaction: Elo minus Elo then (of several limits at each of them, pooled); above 0 both changes together are better than the sum of each. p: for all interactions together (Holm).
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
        assert!(text.contains("over all 2 rows (5 %): 2 significant"), "{text}");
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
