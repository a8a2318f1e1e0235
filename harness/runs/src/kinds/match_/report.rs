//! A match: its lines, its page, the columns of `sprt.csv`.

use std::io::Write;
use std::path::Path;

use crate::config::{elo_model_name, sprt_text};
use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::file::{FileError, write_atomically};
use crate::document::gathered::Gathered;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, percent, signed};
use crate::document::summary::{self, Summary, interval_words};
use crate::document::table::{Align, named_lines, titled_table, wrapped};
use crate::document::text::Text;
use crate::document::{Block, Document, Row, Section, Table, no_strength};
use crate::document::{bars, course};
use crate::event::Warning;
use crate::kinds::match_::MatchFindings;
use crate::match_state::{MatchState, MatchStep, Totals, Verdict};
use crate::record::{PairFault, Reason};
use crate::session::{engines, hosts};
use crate::stats::{Estimate, Sprt};

/// Points of a curve; more could not be told apart on paper.
const POINTS_MAX: usize = 400;
const OPENINGS_SHOWN: usize = 10;

pub(crate) fn document<'a>(found: &'a MatchFindings, games: Option<&Gathered>) -> Document<'a> {
    let match_state = &found.match_state;
    let summary = Summary::new(match_state, &found.labels);
    let lines =
        describe(&summary, match_state) + &engines::lines(&found.engines) + &hosts::lines(&found.hosts);
    let mut sections = sections(match_state, &found.labels);
    sections[0].blocks.extend([
        Block::Lines(lines),
        Block::values(summary.values()),
        Block::Table(Table::of(&summary::columns(), [&summary]).file("summary.csv")),
    ]);
    if let Some(games) = games {
        sections.push(games_section(found, games));
        if games.openings.len() > 1 {
            sections.push(openings(games, &sides_of_players()));
        }
    }
    let mut programs: Vec<Block<'_>> = engines::block(&found.engines).into_iter().collect();
    if let Some(faults) = games
        .map(|games| &games.replayed)
        .filter(|faults| !faults.is_empty())
    {
        let table = Table::of(&replayed_columns(&found.labels), faults);
        programs.push(Block::Table(
            table.caption(Text::new("Pairs played again after a fault")),
        ));
    }
    programs.extend(hosts::block(&found.hosts));
    sections.push(Section::new(
        "programs",
        Text::new("Programs and machines"),
        programs,
    ));
    Document {
        title: format!("{} – {}", found.labels[0], found.labels[1]),
        answer: answer(&summary, match_state),
        sections,
    }
}

fn answer(summary: &Summary, match_state: &MatchState) -> Answer {
    if let Some(invalid) = &summary.invalid {
        return no_strength(invalid);
    }
    let [a, b] = &summary.labels;
    let pairs = summary.tally.pairs();
    let (elo, ci) = (
        interval(&summary.estimates.elo),
        interval_words(&summary.estimates),
    );
    let test = match_state.progress.rule.sprt.unwrap_or_default();
    let (elo0, elo1, model) = (test.elo0(), test.elo1(), elo_model_name(test.model()));
    let estimate = summary.estimates.elo;
    let (state, sentence) = match summary.verdict {
        Verdict::AcceptedH1 if elo0 == 0.0 => (
            State::Passed,
            Text::filled("{a} is stronger than {b}", &[("a", &a), ("b", &b)]),
        ),
        Verdict::AcceptedH1 => (
            State::Passed,
            Text::filled(
                "{a} is more than {elo0} {model} Elo stronger than {b}",
                &[("a", &a), ("elo0", &elo0), ("model", &model), ("b", &b)],
            ),
        ),
        Verdict::AcceptedH0 => (
            State::Failed,
            Text::filled(
                "{a} is not {elo1} {model} Elo stronger than {b}",
                &[("a", &a), ("elo1", &elo1), ("model", &model), ("b", &b)],
            ),
        ),
        Verdict::LimitReached => (
            State::Undecided,
            Text::filled(
                "Undecided between {a} and {b}: all pairs are played and nothing is accepted",
                &[("a", &a), ("b", &b)],
            ),
        ),
        Verdict::FixedLength if estimate.low.is_some_and(|low| low > 0.0) => (
            State::Passed,
            Text::filled("{a} is stronger than {b}", &[("a", &a), ("b", &b)]),
        ),
        Verdict::FixedLength if estimate.high.is_some_and(|high| high < 0.0) => (
            State::Failed,
            Text::filled("{a} is stronger than {b}", &[("a", &b), ("b", &a)]),
        ),
        Verdict::FixedLength => (
            State::NoDifference,
            Text::filled(
                "No difference is shown between {a} and {b}",
                &[("a", &a), ("b", &b)],
            ),
        ),
        Verdict::Identical => {
            return Answer::new(
                State::NoDifference,
                Text::filled(
                    "{a} and {b} cannot be told apart here: both games of all {pairs} pairs went the same way.",
                    &[("a", &a), ("b", &b), ("pairs", &pairs)],
                ),
            );
        }
        Verdict::Interrupted | Verdict::Invalid => (
            State::Undecided,
            Text::filled("Not decided yet between {a} and {b}", &[("a", &a), ("b", &b)]),
        ),
    };
    let basis = Text::filled(
        "; {elo} Elo ({ci}) after {pairs} pairs.",
        &[("elo", &elo), ("ci", &ci), ("pairs", &pairs)],
    );
    let sentence = Text {
        en: sentence.en + &basis.en,
        ja: sentence.ja + &basis.ja,
    };
    Answer::new(state, sentence)
}

pub(crate) fn sections<'a>(match_state: &'a MatchState, labels: &'a [String; 2]) -> Vec<Section<'a>> {
    let summary = Summary::new(match_state, labels);
    let mut figures = Vec::new();
    if summary.estimates.bounds().is_some() {
        let caption = Text::new("The test: log likelihood ratio between its bounds, upper: A is stronger");
        let walk =
            move || walk_of(match_state).map_or_else(|| Ok(String::new()), |walk| course::walks(&[walk]));
        figures.push(Block::figure(caption, walk));
    }
    let at_end = summary.estimates.elo;
    let caption =
        Text::new("Elo of A and its anytime-valid interval; at the right end the interval of the result");
    figures.push(Block::figure(caption, move || {
        let points: Vec<_> = taken(match_state)
            .iter()
            .map(|step| (pairs_of(step), match_state.elo_at(step)[1]))
            .collect();
        course::elo(&points, at_end)
    }));
    let pentanomial = summary.tally.pentanomial;
    figures.push(Block::figure(
        Text::new("Pairs by the points that A scored in them"),
        move || {
            let names = ["0", "½", "1", "1½", "2"];
            bars::svg(&names.into_iter().zip(pentanomial).collect::<Vec<_>>())
        },
    ));
    vec![
        Section::new("result", Text::new("Result"), vec![Block::Facts(facts(&summary))]),
        Section::new("course", Text::new("Course"), figures),
    ]
}

fn taken(match_state: &MatchState) -> Vec<MatchStep> {
    let steps: Vec<MatchStep> = match_state.steps().collect();
    let every = steps.len().div_ceil(POINTS_MAX).max(1);
    let last = steps.len().saturating_sub(1);
    let steps = steps.into_iter().enumerate();
    let taken = steps.filter(|(index, _)| index % every == 0 || *index == last);
    taken.map(|(_, step)| step).collect()
}

fn pairs_of(step: &MatchStep) -> f64 {
    step.pentanomial.iter().sum::<u64>() as f64
}

pub(crate) fn walk_of(match_state: &MatchState) -> Option<course::LlrWalk> {
    let bounds = match_state.estimates().bounds()?;
    let points = taken(match_state);
    let points = points.iter().filter_map(|step| Some((pairs_of(step), step.llr?)));
    Some(course::LlrWalk {
        name: String::new(),
        points: points.collect(),
        bounds: [bounds.lower, bounds.upper],
    })
}

fn facts(summary: &Summary) -> Vec<(Text, Text)> {
    let (tally, estimates) = (&summary.tally, &summary.estimates);
    let [a, b] = &summary.labels;
    let (games, pairs) = (tally.games(), tally.pairs());
    let (wins, draws, losses) = (tally.wins(), tally.draws, tally.losses());
    let results = format!("{wins} – {draws} – {losses} ({})", percent(estimates.score));
    let mut facts = vec![
        (Text::plain("A"), Text::plain(a)),
        (Text::plain("B"), Text::plain(b)),
        (
            Text::new("Games"),
            Text::filled(
                "{games} in {pairs} pairs",
                &[("games", &games), ("pairs", &pairs)],
            ),
        ),
        (Text::new("A won, drew, lost"), Text::plain(results)),
        (
            Text::new("Elo of A"),
            Text::plain(format!(
                "{} ({})",
                interval(&estimates.elo),
                interval_words(estimates)
            )),
        ),
    ];
    facts.push((
        Text::new("normalized Elo"),
        Text::plain(interval(&estimates.nelo)),
    ));
    facts.push((
        Text::new("likelihood of superiority"),
        Text::plain(percent(estimates.los)),
    ));
    if let (Some(llr), Some(bounds)) = (estimates.llr(), estimates.bounds()) {
        let text = format!("{llr:+.2} ({:+.2}, {:+.2})", bounds.lower, bounds.upper);
        facts.push((Text::plain("LLR"), Text::plain(text)));
    }
    facts
}

fn games_section<'a>(found: &MatchFindings, gathered: &Gathered) -> Section<'a> {
    let (totals, games) = (
        &found.match_state.totals,
        found.match_state.tally().games().max(1) as f64,
    );
    let places = ["first", "second"].into_iter().zip(gathered.colours);
    let colours = Table::page(
        Text::new("By colour"),
        [
            Text::new("A moves"),
            Text::new("won"),
            Text::new("drew"),
            Text::new("lost"),
        ],
        places.map(|(name, counts)| counted(name, counts)),
    );
    let players = found.labels.iter().zip(gathered.depths).enumerate();
    let players = Table::page(
        Text::new("Depth, nodes and time"),
        [
            Text::new("player"),
            Text::new("mean depth"),
            Text::new("nodes a game"),
            Text::new("seconds a game"),
        ],
        players.map(|(player, (label, [depths, searches]))| {
            vec![
                label.clone(),
                format!("{:.1}", depths as f64 / searches.max(1) as f64),
                format!("{:.0}", totals.nodes[player] as f64 / games),
                format!("{:.3}", totals.time_us[player] as f64 / games / 1e6),
            ]
        }),
    );
    let length = format!("{:.1}", totals.plies as f64 / games);
    let blocks = vec![
        Block::Table(colours),
        Block::Table(reasons(gathered, &sides_of_players())),
        Block::Table(players),
        Block::Note(Text::filled(
            "A game has {length} plies in the mean.",
            &[("length", &length)],
        )),
    ];
    Section::new("games-summary", Text::new("What the games were like"), blocks)
}

fn counted(name: &str, counts: [u64; 3]) -> Vec<String> {
    let counts = counts.iter().map(u64::to_string);
    std::iter::once(name.to_owned()).chain(counts).collect()
}

pub(crate) struct Sides {
    won: [Text; 2],
    worst: Text,
    best: Text,
    unit: Text,
    points: Text,
}

fn sides_of_players() -> Sides {
    Sides {
        won: [Text::new("A won"), Text::new("B won")],
        worst: Text::new("Worst for A"),
        best: Text::new("Best for A"),
        unit: Text::new("pairs"),
        points: Text::new("points of A in a pair"),
    }
}

pub(crate) fn sides_of_colours() -> Sides {
    Sides {
        won: [Text::new("first won"), Text::new("second won")],
        worst: Text::new("Worst for who moves first"),
        best: Text::new("Best for who moves first"),
        unit: Text::new("games"),
        points: Text::new("points of the first in a game"),
    }
}

pub(crate) fn reasons(gathered: &Gathered, sides: &Sides) -> Table {
    let [a_won, b_won] = sides.won.clone();
    let reasons = Reason::ALL.iter().zip(gathered.reasons);
    let seen = reasons.filter(|(_, counts)| counts.iter().sum::<u64>() > 0);
    Table::page(
        Text::new("By reason of the end"),
        [Text::new("reason"), a_won, b_won, Text::new("drawn")],
        seen.map(|(reason, counts)| counted(reason.name(), counts)),
    )
}

pub(crate) fn openings<'a>(gathered: &Gathered, sides: &Sides) -> Section<'a> {
    let ranked = gathered.ranked();
    let row = |&(line, pairs, halves): &(u32, u64, f64)| Row {
        cells: vec![line.into(), pairs.into(), Cell::fixed(halves / 2.0, 2)],
        link: Some(format!("#opening={line}")),
        ..Row::default()
    };
    let table = |caption: &Text, rows: Vec<Row>| {
        let names = [
            Text::new("line in the suite"),
            sides.unit.clone(),
            sides.points.clone(),
        ];
        Block::Table(Table {
            rows,
            ..Table::page(caption.clone(), names, [])
        })
    };
    let shown = OPENINGS_SHOWN.min(ranked.len() / 2);
    let blocks = vec![
        table(&sides.worst, ranked.iter().take(shown).map(row).collect()),
        table(&sides.best, ranked.iter().rev().take(shown).map(row).collect()),
        Block::Note(Text::filled(
            "{count} openings were played.",
            &[("count", &ranked.len())],
        )),
    ];
    Section::new("openings", Text::new("By opening"), blocks)
}

pub(crate) fn replayed_columns(labels: &[String]) -> Columns<'_, PairFault> {
    let label = |player: u16| labels.get(usize::from(player)).map_or("", String::as_str);
    columns! { fault: PairFault;
        "pair", "number of the pair that was played again, from 1" => fault.pair + 1;
        "game", "number of the game in which it happened, from 1" => 2 * fault.pair + u64::from(fault.game) + 1;
        "player", "who was at fault" => label(fault.player).to_owned();
        "reason", "what it did" => fault.reason.name();
    }
}

/// A step of the walk, with the plain and the anytime-valid Elo after it.
type StepRow = (MatchStep, [Estimate; 2]);

pub(crate) fn step_columns() -> Columns<'static, StepRow> {
    let end = |value| Cell::fixed(value, ELO_DECIMALS);
    columns! { row: StepRow;
        "pairs", "pairs counted so far" => row.0.pentanomial.iter().sum::<u64>();
    }
    .pentanomial(|row| row.0.pentanomial)
    .and(columns! { row: StepRow;
        "llr", "log likelihood ratio of the test" => Cell::fixed(row.0.llr, FINE_DECIMALS);
        "elo", "Elo of A" => end(row.1[0].value);
        "elo_low", "lower end of the uncorrected interval" => end(row.1[0].low);
        "elo_high", "upper end" => end(row.1[0].high);
        "anytime_low", "lower end of the anytime-valid interval" => end(row.1[1].low);
        "anytime_high", "upper end" => end(row.1[1].high);
    })
}

fn steps_csv(match_state: &MatchState) -> csv::Result<Vec<u8>> {
    step_columns().csv(match_state.steps().map(|step| (step, match_state.elo_at(&step))))
}

pub(crate) fn write_steps(folder: &Path, found: &MatchFindings) -> Result<(), FileError> {
    let csv = steps_csv(&found.match_state);
    write_atomically(&folder.join("sprt.csv"), |output| output.write_all(&csv?))
}

pub(crate) fn compare(results: impl Iterator<Item = (String, Summary)>) -> String {
    let header = ["run", "pairs", "score", "Elo", "low", "high", "LLR", "verdict"];
    let row = |(name, summary): (String, Summary)| {
        let elo = summary.estimates.elo;
        [
            Cell::from(name).field(&mut String::new()).to_owned(),
            summary.tally.pairs().to_string(),
            percent(summary.estimates.score),
            signed(elo.value, 1),
            signed(elo.low, 1),
            signed(elo.high, 1),
            signed(summary.estimates.llr(), 2),
            summary.verdict.name().to_owned(),
        ]
    };
    titled_table(&header, results.map(row), Align::Left)
}

fn describe(summary: &Summary, match_state: &MatchState) -> String {
    let tally = &summary.tally;
    let (games, pairs, wins, losses, draws) = (
        tally.games(),
        tally.pairs(),
        tally.wins(),
        tally.losses(),
        tally.draws,
    );
    let score = percent(summary.estimates.score);
    let [ll, ld, even, dw, ww] = tally.pentanomial;
    let mut lines = vec![
        ("A", summary.labels[0].clone()),
        ("B", summary.labels[1].clone()),
        (
            "games",
            format!("{games} in {pairs} pairs: A won {wins}, lost {losses}, drew {draws} ({score})"),
        ),
        (
            "pairs",
            format!("0: {ll}  1/2: {ld}  1: {even}  3/2: {dw}  2: {ww}  (points of A)"),
        ),
        (
            "colours",
            format!(
                "A moving first +{} -{}, second +{} -{}",
                tally.first_wins, tally.first_losses, tally.second_wins, tally.second_losses
            ),
        ),
        ("ends", ends(&match_state.totals)),
    ];
    if games > 0 {
        lines.push(("", averages(&match_state.totals, games)));
    }
    if summary.mirrored > 0 {
        let same = summary.mirrored;
        lines.push((
            "same",
            format!("in {same} of {pairs} pairs the players never differed: both games went the same way"),
        ));
    }
    let head = named_lines(lines.drain(..)) + &wrapped(&faults::lines(&summary.faults, &summary.labels));
    if !matches!(summary.verdict, Verdict::Identical | Verdict::Invalid) {
        lines.extend(estimates(summary, match_state));
    }
    let sprt = match_state.progress.rule.sprt;
    let verdict = summary.verdict.name();
    lines.push((
        "verdict",
        format!("{verdict}: {}", meaning(summary, sprt.as_ref())),
    ));
    if summary.repeated > 0 {
        let warning = Warning::RepeatedPairs {
            pairs: summary.repeated,
            of: pairs,
        };
        lines.push(("warning", warning.to_string()));
    }
    head + &named_lines(lines)
}

fn estimates(summary: &Summary, match_state: &MatchState) -> Vec<(&'static str, String)> {
    let (progress, estimates) = (&match_state.progress, &summary.estimates);
    let sprt = progress.rule.sprt;
    let los = percent(estimates.los);
    let mut lines = vec![
        (
            "Elo",
            format!("{}  {}", interval(&estimates.elo), interval_words(estimates)),
        ),
        ("nElo", format!("{}   LOS {los}", interval(&estimates.nelo))),
    ];
    let bounds = progress.bounds().zip(estimates.bounds());
    if let (Some(sprt), Some(llr), Some((asked, used))) = (sprt, estimates.llr(), bounds) {
        let llr = format!(
            "{llr:+.3}, bounds {:+.3} {:+.3} (Wald's {:+.3} {:+.3} less half the mean overshoot)",
            used.lower, used.upper, asked.lower, asked.upper
        );
        lines.extend([("LLR", llr), ("test", sprt_text(&sprt))]);
    }
    lines
}

pub(crate) fn interval(estimate: &Estimate) -> String {
    format!(
        "{} [{}, {}]",
        signed(estimate.value, 1),
        signed(estimate.low, 1),
        signed(estimate.high, 1)
    )
}

fn ends(totals: &Totals) -> String {
    let counts = Reason::ALL.iter().zip(totals.reasons);
    let seen = counts.filter(|(_, count)| *count > 0);
    let texts: Vec<String> = seen
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    texts.join(", ")
}

fn averages(totals: &Totals, games: u64) -> String {
    let per_game = |sum: u64| sum as f64 / games as f64;
    format!(
        "a game: {:.1} plies, {:.0} nodes of A, {:.0} of B",
        per_game(totals.plies),
        per_game(totals.nodes[0]),
        per_game(totals.nodes[1])
    )
}

/// Why a test that has crossed a bound accepts nothing.
fn held_back(summary: &Summary) -> Option<String> {
    let (llr, bounds) = (summary.estimates.llr()?, summary.estimates.bounds()?);
    let (player, games) = summary.faults.waits_for()?;
    bounds.accepts(llr)?;
    let (tally, most) = (summary.faults.of(player), summary.faults.limits.max_percent);
    let (label, faults, played) = (&summary.labels[player], tally.faults, tally.games);
    Some(format!(
        "{label} was at fault in {faults} of {played} games, and so many are known to be fewer than {most} % of them from {games} \
         games on"
    ))
}

fn meaning(summary: &Summary, sprt: Option<&Sprt>) -> String {
    let test = sprt.copied().unwrap_or_default();
    let (elo0, elo1, model) = (test.elo0(), test.elo1(), elo_model_name(test.model()));
    match summary.verdict {
        Verdict::AcceptedH1 => format!(
            "A is stronger than {elo0} {model} Elo (were it not, this would happen with probability about {})",
            test.alpha()
        ),
        Verdict::AcceptedH0 => format!(
            "A is not {elo1} {model} Elo stronger (were it, this would happen with probability about {})",
            test.beta()
        ),
        Verdict::LimitReached => held_back(summary).map_or_else(
            || "all pairs are played and the test is undecided; nothing is accepted".to_owned(),
            |why| format!("all pairs are played and nothing is accepted: {why}"),
        ),
        Verdict::FixedLength => {
            let ci = interval_words(&summary.estimates);
            match (summary.estimates.elo.low, summary.estimates.elo.high) {
                (Some(low), _) if low > 0.0 => format!("A is stronger (the {ci} lies above 0)"),
                (_, Some(high)) if high < 0.0 => format!("B is stronger (the {ci} lies below 0)"),
                _ => format!("no difference shown (the {ci} contains 0)"),
            }
        }
        Verdict::Identical => {
            "both games of every pair went the same way, move for move; A and B cannot be told apart here"
                .to_owned()
        }
        Verdict::Interrupted => held_back(summary).map_or_else(
            || "stopped before the end; nothing is accepted".to_owned(),
            |why| format!("stopped before the end; nothing is accepted: {why}"),
        ),
        Verdict::Invalid => match &summary.invalid {
            Some(invalid) => format!("{invalid}; nothing is said about strength"),
            None => "faults decided it; nothing is said about strength".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::match_::report::*;
    use crate::stop::{FaultLimits, StopRule};
    use tanren_core::fixtures::pair;

    #[test]
    fn every_step_has_its_intervals_from_the_first_pair_on() {
        let mut match_state = MatchState::new(StopRule {
            sprt: crate::config::parse_sprt("elo0=0,elo1=5").ok(),
            pairs_max: 100,
            faults: FaultLimits::default(),
        });
        for number in 0..20 {
            match_state.count(&pair(number, [1, (number % 3) as usize], 0));
        }
        let text = String::from_utf8(steps_csv(&match_state).unwrap()).unwrap();
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 21);
        assert!(
            text.lines()
                .all(|row| row.split(',').all(|cell| !cell.is_empty())),
            "{text}"
        );
    }
}
