//! A match: its lines, its page, the columns of `sprt.csv`.

use std::io::Write;
use std::path::Path;

use tanren_engine::game::Game;

use crate::config::{MoveLimit, sprt_text};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::ends::end_name;
use crate::document::faults;
use crate::document::file::{FileError, write_atomically};
use crate::document::gathered::Gathered;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, or_dash, percent, plural, shortened, signed};
use crate::document::summary::{self, Summary, interval_words};
use crate::document::table::{Align, named_lines, titled_table};
use crate::document::text::Text;
use crate::document::{Block, Document, Section, Table};
use crate::event::Warning;
use crate::kinds::match_::MatchFindings;
use crate::kinds::match_::page::{self, side_names};
use crate::match_state::{MatchState, MatchStep, Totals, Verdict};
use crate::record::{PairFault, Reason};
use crate::session::{engines, hosts};
use crate::stats::{Basis, Bounds, Estimate, Estimates};

/// Of a name within a line.
const LABEL_CHARS: usize = 24;

pub(crate) fn document<'a>(found: &'a MatchFindings, games: Option<&Gathered>) -> Document<'a> {
    let match_state = &found.match_state;
    let summary = Summary::new(match_state, &found.labels);
    let lines = describe(&summary, found) + &engines::lines(&found.engines) + &hosts::lines(&found.hosts);
    let mut sections = page::sections(found, games);
    sections[0].blocks.extend([
        Block::Lines(lines),
        Block::Details(details(&summary, match_state)),
        Block::values(summary.values()),
        Block::Table(Table::of(&summary::columns(), [&summary]).file("summary.csv")),
    ]);
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
    sections.push(Section::folded(
        "programs",
        Text::new("Programs and machines"),
        programs,
    ));
    Document {
        title: format!("{} – {}", found.labels[0], found.labels[1]),
        answer: summary.answer(),
        sections,
    }
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
    let header = ["run", "pairs", "score", "Elo", "low", "high", "LLR", "result"];
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
            summary.state().said(),
        ]
    };
    titled_table(&header, results.map(row), Align::Left)
}

/// The games, told as `games`, with results and pairs.
pub(crate) fn counts(summary: &Summary, games: &str) -> Vec<(&'static str, String)> {
    let tally = &summary.tally;
    let a = shortened(&summary.labels[0], LABEL_CHARS);
    let (wins, losses, draws) = (tally.wins(), tally.losses(), tally.draws);
    let rate = percent(summary.estimates.score);
    let [ll, ld, even, dw, ww] = tally.pentanomial;
    let mut lines = vec![(
        "Games",
        format!("{games}   W-L-D {wins}-{losses}-{draws}   win rate {rate}"),
    )];
    if !tally.is_of_single_games() {
        lines.push((
            "Pairs",
            format!("0: {ll}   ½: {ld}   1: {even}   1½: {dw}   2: {ww}   points of {a} in a pair"),
        ));
    }
    lines
}

/// Games, results, pairs, the test, colours, ends, nodes, depth and time, limits, always in this order.
fn describe(summary: &Summary, found: &MatchFindings) -> String {
    let (tally, totals, game) = (&summary.tally, &found.match_state.totals, found.game);
    let (games, pairs) = (tally.games(), tally.pairs());
    if games == 0 {
        return String::new();
    }
    let a = shortened(&summary.labels[0], LABEL_CHARS);
    let of_pairs = || format!("{games} in {}", plural(pairs, "pair"));
    let told = if tally.is_of_single_games() {
        games.to_string()
    } else {
        of_pairs()
    };
    let mut lines = counts(summary, &told);
    if !matches!(summary.verdict, Verdict::Identical | Verdict::Invalid) {
        lines.extend(llr_text(summary).map(|text| ("LLR", text)));
        let los = summary
            .estimates
            .los
            .filter(|_| summary.verdict != Verdict::Interrupted);
        lines.extend(los.map(|los| ("LOS", percent(Some(los)))));
    }
    let by_colour = |wins: u64, losses: u64, draws: u64| {
        let games = wins + losses + draws;
        let share = (games > 0).then(|| (wins as f64 + draws as f64 / 2.0) / games as f64);
        format!("{wins}-{losses}-{draws} ({})", percent(share))
    };
    let first = by_colour(tally.first_wins, tally.first_losses, tally.first_draws);
    let second_draws = tally.draws - tally.first_draws;
    let second = by_colour(tally.second_wins, tally.second_losses, second_draws);
    let [first_side, second_side] = side_names(game);
    lines.push((
        "Colour",
        format!(
            "{a} as {} {first}   as {} {second}",
            first_side.said(),
            second_side.said()
        ),
    ));
    lines.push(("Ends", ends(totals, game)));
    lines.push(("Nodes", per_move(totals)));
    lines.push(("Limit", limits(found)));
    if summary.mirrored > 0 {
        let (same, of) = (summary.mirrored, plural(pairs, "pair"));
        lines.push((
            "Same",
            format!("{same} of {of} played the same moves in both games"),
        ));
    }
    let mut text = named_lines(lines) + &faults::lines(&summary.faults, &summary.labels);
    let held_back = held_back(summary).map(|why| ("", why));
    text += &named_lines(held_back);
    let repeated = (summary.repeated > 0).then_some(Warning::RepeatedPairs {
        pairs: summary.repeated,
        of: pairs,
    });
    let warnings = repeated.into_iter().chain(time_losses(summary));
    text + &named_lines(warnings.map(|warning| ("Warning", warning.to_string())))
}

/// Losses on time of one player do not make a run invalid, so that who reads the answer is told.
pub(crate) fn time_losses(summary: &Summary) -> impl Iterator<Item = Warning<'_>> {
    let players = summary.labels.iter().enumerate();
    players.filter_map(|(player, label)| {
        let faults = summary.faults.of(player);
        let (losses, games) = (faults.time_losses, faults.games);
        let are_many = 100 * losses > TIME_LOSSES_MAX_PERCENT * games;
        are_many.then_some(Warning::TimeLosses { label, losses, games })
    })
}

/// `+3.10   H0 -2.91 ──────────────┼━━━━━━━━━━━━━● H1 +2.90   H1 accepted`
pub(crate) fn llr_text(summary: &Summary) -> Option<String> {
    let (llr, bounds) = (summary.estimates.llr()?, summary.estimates.bounds()?);
    let accepted = match summary.verdict {
        Verdict::AcceptedH1 => "   H1 accepted",
        Verdict::AcceptedH0 => "   H0 accepted",
        _ => "",
    };
    let told = signed(Some(llr), 2);
    Some(format!("{told}   {}{accepted}", llr_gauge(llr, bounds)))
}

const TIME_LOSSES_MAX_PERCENT: u64 = 2;
const GAUGE_CELLS: usize = 29;

/// Where a test stands between its bounds: the thick line goes from 0 to its LLR.
pub(crate) fn llr_gauge(llr: f64, Bounds { lower, upper }: Bounds) -> String {
    let place = |value: f64| {
        let share = ((value - lower) / (upper - lower)).clamp(0.0, 1.0);
        (share * (GAUGE_CELLS - 1) as f64).round() as usize
    };
    let (zero, now) = (place(0.0), place(llr));
    let cell = |index| match index {
        _ if index == now => '●',
        _ if index == zero => '┼',
        _ if (zero.min(now)..zero.max(now)).contains(&index) => '━',
        _ => '─',
    };
    let cells: String = (0..GAUGE_CELLS).map(cell).collect();
    format!("H0 {lower:+.2} {cells} H1 {upper:+.2}")
}

/// Mean nodes, depth and time of a move of A and of B.
fn per_move(totals: &Totals) -> String {
    let both = |sums: [u64; 2], decimals: usize, unit: f64| {
        let [a, b] =
            [0, 1].map(|player| or_dash(totals.per_move(sums, player).map(|mean| mean / unit), decimals));
        format!("{a} : {b}")
    };
    let is_short = |player| totals.per_move(totals.time_us, player).is_none_or(|us| us < 1e6);
    let (unit, name) = if is_short(0) && is_short(1) {
        (1e3, "ms")
    } else {
        (1e6, "s")
    };
    let (nodes, depth) = (both(totals.nodes, 0, 1.0), both(totals.depth_sum, 1, 1.0));
    let time = both(totals.time_us, 2, unit);
    format!("{nodes} per move   Depth {depth}   Time {time} {name}")
}

/// What both players had for their moves: `1000 nodes a move   Hash 4 MiB`.
fn limits(found: &MatchFindings) -> String {
    let both = |[a, b]: [String; 2]| if a == b { a } else { format!("{a} : {b}") };
    let (limits, hash) = (both(found.limits.map(MoveLimit::words)), both(found.hash.clone()));
    format!("{limits}   Hash {hash} MiB")
}

/// The other estimates, and how the test is set.
fn details(summary: &Summary, match_state: &MatchState) -> String {
    let (progress, estimates) = (&match_state.progress, &summary.estimates);
    if matches!(summary.verdict, Verdict::Identical | Verdict::Invalid) {
        return String::new();
    }
    let other = Estimates {
        basis: Basis::FixedLength,
        ..*estimates
    };
    let anytime = Estimates {
        basis: Basis::Anytime,
        ..*estimates
    };
    let mut lines = vec![
        (
            "Elo",
            format!("{}  {}", interval(&estimates.elo), interval_words(estimates)),
        ),
        (
            "",
            format!(
                "{}  {}, uncorrected",
                interval(&estimates.uncorrected),
                interval_words(&other)
            ),
        ),
        (
            "",
            format!("{}  {}", interval(&estimates.anytime), interval_words(&anytime)),
        ),
        ("nElo", interval(&estimates.nelo)),
    ];
    if let Some((sprt, asked)) = progress.rule.sprt.zip(progress.bounds()) {
        lines.push(("Test", sprt_text(&sprt)));
        let bounds = format!(
            "{:+.3} {:+.3}, moved inwards by half the mean overshoot",
            asked.lower, asked.upper
        );
        lines.push(("Wald", bounds));
    }
    named_lines(lines)
}

pub(crate) fn interval(estimate: &Estimate) -> String {
    format!(
        "{} [{}, {}]",
        signed(estimate.value, 1),
        signed(estimate.low, 1),
        signed(estimate.high, 1)
    )
}

fn ends(totals: &Totals, game: Game) -> String {
    let counts = Reason::ALL.into_iter().zip(totals.reasons);
    let seen = counts.filter(|(_, count)| *count > 0);
    let texts: Vec<String> = seen
        .map(|(reason, count)| format!("{} {count}", end_name(reason, game).said()))
        .collect();
    texts.join("   ")
}

/// Why a test that has crossed a bound accepts nothing.
fn held_back(summary: &Summary) -> Option<String> {
    let (llr, bounds) = (summary.estimates.llr()?, summary.estimates.bounds()?);
    if !matches!(summary.verdict, Verdict::Interrupted | Verdict::LimitReached) {
        return None;
    }
    let (player, games) = summary.faults.waits_for()?;
    bounds.accepts(llr)?;
    let (label, most) = (&summary.labels[player], summary.faults.limits.max_percent);
    Some(format!(
        "no verdict yet: the fault rate of {label} may exceed {most} %; at least {games} games are needed to rule that out"
    ))
}

#[cfg(test)]
mod tests {
    use crate::kinds::match_::report::*;
    use crate::stop::StopRule;
    use tanren_core::fixtures::pair;

    #[test]
    fn every_step_has_its_intervals_from_the_first_pair_on() {
        let mut match_state = MatchState::new(StopRule::new(
            crate::config::parse_sprt("elo0=0,elo1=5").ok(),
            100,
        ));
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

    #[test]
    fn a_player_that_lost_many_games_on_time_is_named() {
        let labels = ["new", "old"].map(str::to_owned);
        let warnings = |late: u64| {
            let mut match_state = MatchState::new(StopRule::new(None, 100));
            for number in 0..50 {
                let mut record = pair(number, [2, 0], 0);
                if number < late {
                    record.games[0].reason = crate::record::Reason::TimeLoss;
                }
                match_state.count(&record);
            }
            let summary = Summary::new(&match_state, &labels);
            let warnings = time_losses(&summary).map(|warning| warning.to_string());
            warnings.collect::<Vec<_>>()
        };
        assert_eq!(warnings(2), [""; 0], "2 % of its games");
        assert_eq!(
            warnings(3),
            ["old lost 3 of 100 games on time: the result may not measure strength"]
        );
    }
}
