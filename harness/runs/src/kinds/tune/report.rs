//! A tuning: its values, its steps (`spsa.csv`), the match that confirms it.

use std::fmt::Display;
use std::io;
use std::path::Path;

use serde_json::json;

use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::file::{FileError, write_text};
use crate::document::number::{ELO_DECIMALS, percent, plural, signed};
use crate::document::summary::Summary;
use crate::document::table::{Align, inner_table, named_lines, titled};
use crate::document::text::Text;
use crate::document::{Block, Document, Figure, Section, Table, no_strength};
use crate::kinds::match_::page;
use crate::kinds::match_::report::llr_text;
use crate::kinds::tune::optimizer::{Parameter, TuningStep};
use crate::kinds::tune::{TuningFindings, TuningSpec, plot};
use crate::match_state::Verdict;
use crate::session::found::Found as _;
use crate::session::hosts;
use crate::stats::Estimate;

/// Of a value in `spsa.csv`, where a width is 1.
const DECIMALS: usize = 4;

/// Of the parameters that moved, for one line.
const CHANGES_MAX: usize = 8;

pub(crate) fn document(found: &TuningFindings) -> Document<'_> {
    let space = &found.spec.space;
    let parameters = &space.parameters;
    let parameters_json = parameters.iter().zip(found.tuned()).map(|(parameter, now)| {
        json!({"name": parameter.name, "start": parameter.start, "now": now, "c_end": parameter.c_end})
    });
    let parameters_json: Vec<_> = parameters_json.collect();
    let mut blocks = vec![
        Block::Lines(describe(found) + &hosts::lines(&found.hosts)),
        Block::values(columns().object(found)),
        Block::values(json!({ "parameters": parameters_json })),
        Block::values(faults::kinds_of_both(&found.faults)),
        Block::Table(Table::of(&columns(), [found]).file("summary.csv")),
        Block::Table(values_table(found)),
        Block::Figure(
            Figure::new(Text::new("The path of every parameter"), || {
                plot::ways_plot(found)
            })
            .about(Text::new(
                "distance from the start in units of c_end, over iterations; shaded: the width of a trial",
            ))
            .file("spsa.svg"),
        ),
    ];
    blocks.extend(hosts::table(&found.hosts).map(|table| Block::Table(table.key("hosts"))));
    let names = |plane: [usize; 2]| plane.map(|index| &parameters[index].name);
    let moved = found
        .steps
        .last()
        .and_then(|step| plot::farthest(space, &step.state));
    blocks.extend(moved.map(|plane| {
        let [one, other] = names(plane);
        let caption = Text::filled(
            "{one} (across) and {other} (up), which moved most",
            &[("one", &one), ("other", &other)],
        );
        Block::figure(caption, move || plot::plane(found, plane))
    }));
    let mut all = vec![Section::new("result", Text::new("Values"), blocks)];
    if let Some(confirmation) = &found.confirmation {
        let titles = [
            (
                "confirm",
                Text::new("The match that confirms it: tuned (A) against start (B)"),
            ),
            ("confirm-course", Text::plain("")),
            ("confirm-games", Text::plain("")),
            (
                "confirm-estimates",
                Text::new("Other estimates of the match that confirms"),
            ),
        ];
        let confirmed = page::sections(confirmation, None).into_iter().zip(titles);
        all.extend(confirmed.map(|(section, (id, title))| Section { id, title, ..section }));
    }
    Document {
        title: found.spec.label().to_owned(),
        answer: answer(found),
        sections: all,
    }
}

/// The summary of the confirming match.
fn summary(found: &TuningFindings) -> Option<Summary> {
    let confirmation = found.confirmation.as_ref();
    confirmation.map(|found| Summary::new(&found.match_state, &found.labels))
}

fn answer(found: &TuningFindings) -> Answer {
    if let Some(invalid) = found.invalid() {
        return no_strength(&invalid);
    }
    let (applied, of) = (found.applied(), found.spec.plan.iterations);
    let parameters = plural(found.spec.space.parameters.len() as u64, "parameter");
    let games = 2 * found.tuning_pairs();
    let values: [(&str, &dyn Display); 5] = [
        ("applied", &applied),
        ("of", &of),
        ("count", &found.spec.space.parameters.len()),
        ("parameters", &parameters),
        ("games", &games),
    ];
    let (state, claim) = if !found.is_finished() {
        (
            State::Undecided,
            Text::template("tuning of {parameters}: {applied} of {of} iterations, {games} games"),
        )
    } else if found.has_no_signal() {
        (
            State::NoDifference,
            Text::template("no signal, keep the values of the start: {parameters}, {games} games"),
        )
    } else {
        let Some(summary) = summary(found) else {
            let sentence = Text::filled(
                "{parameters} tuned, no match has confirmed the values: {games} games",
                &values,
            );
            return Answer::new(State::Counted, sentence);
        };
        return confirmed(found, &summary, &values);
    };
    Answer::new(state, Text::filled(claim, &values))
}

/// What the confirming match says of the values.
fn confirmed(found: &TuningFindings, summary: &Summary, values: &[(&str, &dyn Display)]) -> Answer {
    let (state, claim) = match summary.verdict {
        Verdict::Identical => (
            State::NoDifference,
            Text::template("{parameters} tuned: the same moves as with the values of the start"),
        ),
        Verdict::AcceptedH1 if asks_for_more(found) => (
            State::Passed,
            Text::template("{parameters} tuned: stronger than the values of the start"),
        ),
        Verdict::AcceptedH1 => (
            State::Passed,
            Text::template("{parameters} tuned: not weaker than the values of the start"),
        ),
        _ if is_weaker(summary) => (
            State::Failed,
            Text::template("{parameters} tuned: weaker than the values of the start"),
        ),
        Verdict::AcceptedH0 => (
            State::Failed,
            Text::template("{parameters} tuned: no gain over the values of the start"),
        ),
        _ => (
            State::Undecided,
            Text::template("{parameters} tuned: not known whether stronger than the values of the start"),
        ),
    };
    Answer::new(state, Text::filled(claim, values).then(&summary.measured()))
}

/// Is the test one that only a stronger player passes?
fn asks_for_more(found: &TuningFindings) -> bool {
    let test = found
        .confirmation
        .as_ref()
        .and_then(|found| found.match_state.progress.rule.sprt);
    test.is_some_and(|sprt| sprt.elo0() >= 0.0)
}

fn is_weaker(summary: &Summary) -> bool {
    summary.estimates.elo.high.is_some_and(|high| high < 0.0)
}

/// Name, start and present value of every parameter, and how far it went, in its own units and in those of `c_end`.
fn values(found: &TuningFindings) -> impl Iterator<Item = ([String; 3], [f64; 2])> {
    let parameters = found.spec.space.parameters.iter().zip(found.tuned());
    parameters.map(|(parameter, now)| {
        let [start, text] = [parameter.start, now].map(|value| parameter.text(value));
        let moved = [now - parameter.start, parameter.place(now)];
        ([parameter.name.clone(), start, text], moved)
    })
}

/// `lmr.base 1232 → 873, lmp.base 31 → 15`, those that moved most first.
pub(crate) fn changes(found: &TuningFindings) -> String {
    let mut changes: Vec<_> = values(found).filter(|(_, [change, _])| *change != 0.0).collect();
    changes.sort_by(|(_, [_, one]), (_, [_, two])| two.abs().total_cmp(&one.abs()));
    let more = changes.len().saturating_sub(CHANGES_MAX);
    let shown = changes.iter().take(CHANGES_MAX);
    let mut texts: Vec<String> = shown
        .map(|([name, start, now], _)| format!("{name} {start} → {now}"))
        .collect();
    if more > 0 {
        texts.push(format!("{more} more"));
    }
    texts.join(", ")
}

fn values_table(found: &TuningFindings) -> Table {
    let names = [
        Text::new("parameter"),
        Text::new("start"),
        Text::new("now"),
        Text::new("change in c_end"),
    ];
    let rows = values(found).map(|(texts, [_, in_c])| [texts.as_slice(), &[format!("{in_c:+.2}")]].concat());
    let mut table = Table::page(Text::new("Values"), names, rows);
    table.columns[3].about = "how many of its last steps it moved".to_owned();
    table
}

pub(crate) fn write_tuned(folder: &Path, found: &TuningFindings) -> Result<(), FileError> {
    let path = folder.join("tuned.toml");
    let tuned = found.spec.player_toml(&found.tuned()).map_err(io::Error::other);
    write_text(&path, &tuned.map_err(FileError::unwritable(&path))?)
}

fn describe(found: &TuningFindings) -> String {
    let spec = &found.spec;
    let header = ["parameter", "start", "tuned", "change", "in c_end"];
    let rows = values(found).map(|([name, start, now], [change, in_c])| {
        let change = match change {
            0.0 => "0".to_owned(),
            change => format!("{change:+}"),
        };
        [name, start, now, change, signed(Some(in_c), 2)]
    });
    let (applied, games) = (found.applied(), plural(2 * found.tuning_pairs(), "game"));
    let of = plural(spec.plan.iterations, "iteration");
    let method = spec.plan.method.name();
    let mut lines = vec![("Tuning", format!("{games} in {applied} of {of}, method {method}"))];
    if let Some(summary) = summary(found) {
        let (tally, score) = (&summary.tally, percent(summary.estimates.score));
        let (wins, losses, draws) = (tally.wins(), tally.losses(), tally.draws);
        lines.push((
            "Confirm",
            format!("W-L-D {wins}-{losses}-{draws}   win rate {score}"),
        ));
        lines.extend(llr_text(&summary).map(|text| ("LLR", text)));
        if matches!(summary.verdict, Verdict::LimitReached | Verdict::FixedLength) && summary.sprt.is_some() {
            lines.push(("", "more --confirm-pairs continue the match".to_owned()));
        }
    }
    let faults = faults::lines(&found.faults, &TuningSpec::SIDES.map(str::to_owned));
    format!(
        "{}\n{}{faults}",
        inner_table(&titled(&header, rows), Align::Keyed(1)),
        named_lines(lines)
    )
}

pub(crate) fn columns() -> Columns<'static, TuningFindings> {
    columns! { found: TuningFindings;
        "player", "label of the player" => found.spec.label();
        "method", "how it was tuned" => found.spec.plan.method.name();
        "verdict",
            "the verdict of the confirming match; `no_signal` if the values are those of the start, `unconfirmed` without a match"
            => found.verdict_name();
        "iterations", "iterations applied" => found.applied();
        "pairs", "pairs of the tuning" => found.tuning_pairs();
        "confirm_pairs", "pairs of the confirming match"
            => found.confirmation.as_ref().map(|found| found.match_state.tally().pairs());
    }
    .estimate(
        ["elo", "elo_low", "elo_high"],
        "Elo of the tuned player against the start",
        "the interval",
        ELO_DECIMALS,
        |found| summary(found).map_or(Estimate::UNKNOWN, |summary| summary.estimates.elo),
    )
    .and(faults::of_both(["the side of plus", "the side of minus"], |found: &TuningFindings| {
        found.faults.of_both()
    }))
    .and(columns! { found: TuningFindings;
        "verdict_reason", "why the verdict is `invalid`" => found.invalid().map(|invalid| invalid.to_string());
        "kept",
            "the share of its movement that the method kept against noise, 0 for no signal; empty for a method that does not ask"
            => Cell::fixed(found.last.as_ref().and_then(|step| step.kept), 3);
    })
}

pub(crate) fn step_columns<'s>(parameters: &[Parameter]) -> Columns<'s, TuningStep> {
    let mut columns = columns! { step: TuningStep;
        "iteration", "iterations applied" => step.trial.iteration + 1;
        "balance", "games that A won in this iteration less those that B won" => step.balance;
    };
    for (index, parameter) in parameters.iter().enumerate() {
        let (name, about) = (parameter.name.clone(), "the parameter after the iteration");
        let decimals = decimals(parameter);
        columns = columns.column(name, about, move |step| text(step.state[index], decimals).into());
    }
    for (index, parameter) in parameters.iter().enumerate() {
        let (name, about) = (
            format!("{}:tuned", parameter.name),
            "what the tuning would end with",
        );
        let decimals = decimals(parameter);
        columns = columns.column(name, about, move |step| {
            text(step.estimate[index], decimals).into()
        });
    }
    columns
}

/// So many that a step shows, which is a small share of the width.
fn decimals(parameter: &Parameter) -> usize {
    DECIMALS + (-parameter.c_end.log10()).floor().max(0.0) as usize
}

fn text(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::optimizer::Space;

    #[test]
    fn the_path_of_a_parameter_shows_steps_of_a_thousandth_of_its_width() {
        let lines = "small, float, 0.0005, 0, 0.001, 0.00005, 0.002\nmargin, int, 100, 0, 200, 10, 0.002";
        let space = Space::parse(lines, "the space", None).unwrap();
        let shown = space.parameters.iter().map(|parameter| {
            let step = parameter.start + 0.001 * parameter.c_end;
            text(step, decimals(parameter))
        });
        assert_eq!(shown.collect::<Vec<_>>(), ["0.00050005", "100.0100"]);
    }
}
