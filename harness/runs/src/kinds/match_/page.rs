//! The page of a match: numbers in their order, the test and the Elo over the games, what the games were like.

use maud::{Markup, html};
use tanren_engine::game::Game;

use crate::config::elo_model_name;
use crate::document::bars;
use crate::document::course::{self, LlrWalk};
use crate::document::ends::end_name;
use crate::document::gathered::Gathered;
use crate::document::number::{compact, or_dash, percent, plural, shortened};
use crate::document::plot::signed_mark;
use crate::document::summary::{Summary, interval_words, test_text, too_few};
use crate::document::text::Text;
use crate::document::{Block, Fact, Figure, Section, Table};
use crate::kinds::match_::MatchFindings;
use crate::kinds::match_::report::interval;
use crate::match_state::{MatchState, MatchStep};
use crate::record::Reason;
use crate::stats::{Calculator, MIN_PAIRS, Sprt};

/// Points of a curve; more cannot be seen on paper.
const POINTS_MAX: usize = 400;
/// Points of a curve that is estimated anew at each.
const ESTIMATES_MAX: usize = 120;
const LABEL_CHARS: usize = 24;
/// Of one game, where nothing is known of draws: that of a win or a loss.
const VARIANCE: f64 = 0.25;

pub(crate) fn sections<'a>(found: &'a MatchFindings, games: Option<&Gathered>) -> Vec<Section<'a>> {
    let summary = Summary::new(&found.match_state, &found.labels);
    let facts = Block::Facts(facts(&summary, &found.match_state));
    let mut sections = vec![Section::new("result", Text::plain(""), vec![facts])];
    if summary.tally.pairs() > 0 {
        let figures = if summary.tally.pairs() < MIN_PAIRS {
            young(found, &summary)
        } else {
            curves(found, &summary)
        };
        sections.push(Section::new("course", Text::plain(""), figures));
        sections.push(Section::new(
            "games-summary",
            Text::plain(""),
            cards(found, &summary, games),
        ));
    }
    if summary.estimates.elo.value.is_some() && summary.tally.pairs() >= MIN_PAIRS {
        sections.push(Section::folded(
            "estimates",
            Text::new("Other estimates"),
            vec![other(&summary)],
        ));
    }
    sections
}

fn facts(summary: &Summary, match_state: &MatchState) -> Vec<Fact> {
    let (tally, estimates, totals) = (&summary.tally, &summary.estimates, &match_state.totals);
    let (wins, losses, draws) = (tally.wins(), tally.losses(), tally.draws);
    let a = shortened(&summary.labels[0], LABEL_CHARS);
    let pairs = Text::filled(
        "in {pairs}",
        &[
            ("pairs", &plural(tally.pairs(), "pair")),
            ("count", &tally.pairs()),
        ],
    );
    let mut facts = vec![
        Fact::new(Text::new("Games"), tally.games()).about(pairs),
        Fact::new(
            Text::new("Wins – losses – draws"),
            format!("{wins} – {losses} – {draws}"),
        ),
    ];
    if tally.games() == 0 {
        return facts;
    }
    facts.push(Fact::new(
        Text::filled("Win rate of {a}", &[("a", &a)]),
        percent(estimates.score),
    ));
    if let (Some(llr), Some(bounds)) = (estimates.llr(), estimates.bounds()) {
        let text = |value: f64| format!("{value:+.2}").replace('-', "−");
        let name = format!("LLR (H0 {}, H1 {})", text(bounds.lower), text(bounds.upper));
        facts.push(Fact::new(Text::plain(name), text(llr)));
    }
    if tally.pairs() >= MIN_PAIRS && estimates.elo.value.is_some() {
        facts.push(Fact::new(
            Text::new("Likelihood of superiority"),
            percent(estimates.los),
        ));
    }
    let [nodes_a, nodes_b] = [0, 1].map(|player| or_dash(totals.per_move(totals.nodes, player), 0));
    facts.push(Fact::new(
        Text::new("Nodes per move"),
        format!("{nodes_a} : {nodes_b}"),
    ));
    facts
}

fn curves<'a>(found: &'a MatchFindings, summary: &Summary) -> Vec<Block<'a>> {
    let match_state = &found.match_state;
    let mut figures = Vec::new();
    if let Some(walk) = walk_of(match_state) {
        let figure = Figure::new(Text::new("Test: log-likelihood ratio"), move || {
            course::walks(std::slice::from_ref(&walk))
        });
        figures.push(Block::Figure(figure.about(Text::new("LLR over games"))));
    }
    let at_end = summary.estimates.elo;
    if at_end.value.is_some() {
        let words = interval_words(&summary.estimates);
        let about = Text::filled("over games, with {interval}", &[("interval", &words)]);
        let level = Text::plain(words.split(',').next().unwrap_or_default());
        let a = shortened(&summary.labels[0], LABEL_CHARS);
        let figure = Figure::new(Text::filled("Elo of {a}", &[("a", &a)]), move || {
            let points = taken(match_state, ESTIMATES_MAX);
            let points = points.iter().filter(|step| pairs_of(step) >= MIN_PAIRS);
            let points = points.map(|step| (games_at(match_state, step), match_state.estimate_at(step)));
            course::elo(&points.collect::<Vec<_>>(), at_end, &level)
        });
        figures.push(Block::Figure(figure.about(about)));
    }
    figures
}

/// Of too few pairs no curve is drawn: each pair, the test, and how it may go on.
fn young<'a>(found: &'a MatchFindings, summary: &Summary) -> Vec<Block<'a>> {
    let pairs = summary.tally.pairs();
    let title = too_few(pairs);
    let a = shortened(&summary.labels[0], LABEL_CHARS);
    let steps: Vec<[u64; 5]> = found.match_state.steps().map(|step| step.pentanomial).collect();
    let about = Text::filled("points of {a} in each pair", &[("a", &a)]);
    let chips = Figure::new(title, move || pair_chips(&steps)).about(about);
    let mut blocks = vec![Block::Figure(chips)];
    if let (Some(llr), Some(bounds), Some(sprt)) =
        (summary.estimates.llr(), summary.estimates.bounds(), sprt(found))
    {
        let test = test_text(&sprt);
        let figure = Figure::new(Text::new("Test: log-likelihood ratio"), move || {
            html! { (course::gauge(llr, &bounds)) }
        });
        blocks.push(Block::Figure(figure.about(Text::plain(test))));
        blocks.extend(forecast(&sprt, &a).map(Block::Table));
    }
    blocks
}

fn sprt(found: &MatchFindings) -> Option<Sprt> {
    found.match_state.progress.rule.sprt
}

/// The points of each pair, and the places of those that are missing.
fn pair_chips(steps: &[[u64; 5]]) -> Markup {
    let before = std::iter::once(&[0; 5]).chain(steps);
    let points = before
        .zip(steps)
        .map(|(before, after)| (0..5).find(|&points| after[points] > before[points]));
    let mut points: Vec<Option<usize>> = points.collect();
    points.resize(MIN_PAIRS as usize, None);
    html! {
        ol class="pairs" {
            @for (index, points) in points.iter().enumerate() {
                li {
                    @match points {
                        Some(points) => b class={ "played c-points-" (points) } { span { (bars::POINTS[*points]) } },
                        None => b {},
                    }
                    (index + 1)
                }
            }
        }
    }
}

/// How the test would end if A were so much stronger: weaker than H0, at H0, between, at H1, beyond.
fn forecast(sprt: &Sprt, a: &str) -> Option<Table> {
    let calculator = Calculator::with_variance(sprt, VARIANCE).ok()?;
    let (elo0, elo1) = (sprt.elo0(), sprt.elo1());
    let strengths = [
        2.0 * elo0 - elo1,
        elo0,
        0.5 * (elo0 + elo1),
        elo1,
        2.0 * elo1 - elo0,
    ];
    let rows = strengths.into_iter().filter_map(|elo| {
        let forecast = calculator.forecast(elo).ok()?;
        Some(vec![
            signed_mark(elo),
            format!("{:.0} %", 100.0 * forecast.pass_probability),
            format!("{:.0}", forecast.games),
        ])
    });
    let unit = elo_model_name(sprt.model());
    let names = [
        Text::filled("{unit} Elo of {a}", &[("unit", &unit), ("a", &a)]),
        Text::new("passes"),
        Text::new("expected games"),
    ];
    Some(Table::page(Text::new("Forecast"), names, rows))
}

fn cards<'a>(found: &'a MatchFindings, summary: &Summary, games: Option<&Gathered>) -> Vec<Block<'a>> {
    let a = shortened(&summary.labels[0], LABEL_CHARS);
    let pentanomial = summary.tally.pentanomial;
    let about = Text::filled("points of {a} in a pair", &[("a", &a)]);
    let tally = summary.tally;
    let [first, second] = side_names(found.game);
    let sides = [
        (first, [tally.first_wins, tally.first_draws, tally.first_losses]),
        (
            second,
            [
                tally.second_wins,
                tally.draws - tally.first_draws,
                tally.second_losses,
            ],
        ),
    ];
    let heads = [
        Text::filled("{a} plays", &[("a", &a)]),
        Text::new("W – L – D"),
        Text::new("win rate"),
    ];
    let mut blocks = vec![
        Block::Figure(
            Figure::new(Text::new("Pairs by points"), move || {
                bars::pentanomial(pentanomial)
            })
            .about(about),
        ),
        Block::Figure(Figure::new(Text::new("By colour"), move || {
            by_side(&heads, &sides)
        })),
    ];
    if let Some(games) = games {
        let [a, opponent] = [Text::plain(&a), Text::new("opponent")];
        blocks.push(reasons(games, found.game, [a, opponent]));
    }
    blocks.push(per_player(found, &a));
    blocks
}

/// The sides of the opening, whoever moves first after it.
pub(crate) fn side_names(game: Game) -> [Text; 2] {
    match game {
        Game::Shogi => [Text::new("▲ Sente"), Text::new("△ Gote")],
        Game::Chess => [Text::new("White"), Text::new("Black")],
    }
}

fn by_side(heads: &[Text; 3], sides: &[(Text, [u64; 3]); 2]) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { (heads[0]) } th scope="col" class="number" { (heads[1]) } th scope="col" class="number" { (heads[2]) } } }
            tbody {
                @for (name, counts) in sides {
                    @let [wins, draws, losses] = *counts;
                    @let share = (wins as f64 + draws as f64 / 2.0) / (wins + draws + losses).max(1) as f64;
                    tr class="open" { th scope="row" { (name) } td class="number" { (wins) " – " (losses) " – " (draws) } td class="number" { (percent(Some(share))) } }
                    tr { td colspan="3" { (bars::results(*counts)) } }
                }
            }
        }
    }
}

/// A name and numbers in each row.
fn numbers(heads: &[Text], rows: &[(Text, Vec<String>)]) -> Markup {
    html! {
        table {
            thead { tr { @for (index, head) in heads.iter().enumerate() { th scope="col" class=[(index > 0).then_some("number")] { (head) } } } }
            tbody {
                @for (name, cells) in rows { tr { th scope="row" { (name) } @for cell in cells { td class="number" { (cell) } } } }
            }
        }
    }
}

/// Games by the reason of their end, and by who won them.
pub(crate) fn reasons<'a>(gathered: &Gathered, game: Game, [first, second]: [Text; 2]) -> Block<'a> {
    let reasons = Reason::ALL.iter().zip(gathered.reasons);
    let seen = reasons.filter(|(_, counts)| counts.iter().sum::<u64>() > 0);
    let rows = seen.map(|(reason, counts)| {
        (
            end_name(*reason, game),
            counts.iter().map(u64::to_string).collect(),
        )
    });
    let rows: Vec<(Text, Vec<String>)> = rows.collect();
    let heads = [Text::new("ended by"), first, second, Text::new("drawn")];
    Block::Figure(Figure::new(Text::new("How games ended"), move || {
        numbers(&heads, &rows)
    }))
}

fn per_player<'a>(found: &MatchFindings, a: &str) -> Block<'a> {
    let totals = found.match_state.totals;
    let mean = |sums: [u64; 2], player| totals.per_move(sums, player);
    let speed = |player: usize| {
        let seconds = totals.time_us[player] as f64 / 1e6;
        (seconds > 0.0).then(|| totals.nodes[player] as f64 / seconds)
    };
    let both = |text: &dyn Fn(usize) -> String| vec![text(0), text(1)];
    let rows = [
        (
            Text::new("depth"),
            both(&|player| or_dash(mean(totals.depth_sum, player), 2)),
        ),
        (
            Text::new("nodes"),
            both(&|player| or_dash(mean(totals.nodes, player), 0)),
        ),
        (
            Text::new("thinking time"),
            both(&|player| mean(totals.time_us, player).map_or_else(|| "-".to_owned(), duration)),
        ),
        (
            Text::new("nodes per second"),
            both(&|player| speed(player).map_or_else(|| "-".to_owned(), compact)),
        ),
    ];
    let heads = [Text::new("per move"), Text::plain(a), Text::new("opponent")];
    let games = found.match_state.tally().games().max(1);
    let length = format!("{:.1}", totals.plies as f64 / games as f64);
    let about = match found.match_state.games_per_second() {
        None => Text::filled("{length} moves a game", &[("length", &length)]),
        Some(speed) => Text::filled(
            "{length} moves a game, {speed} games a second",
            &[("length", &length), ("speed", &format!("{speed:.1}"))],
        ),
    };
    Block::Figure(Figure::new(Text::new("Depth and nodes"), move || numbers(&heads, &rows)).about(about))
}

fn duration(us: f64) -> String {
    if us < 1e6 {
        format!("{:.2} ms", us / 1e3)
    } else {
        format!("{:.2} s", us / 1e6)
    }
}

/// Estimates for comparison with the one that is quoted.
fn other<'a>(summary: &Summary) -> Block<'a> {
    let estimates = &summary.estimates;
    let rows = [
        (Text::plain(interval_words(estimates)), &estimates.elo),
        (Text::new("uncorrected (fixed length)"), &estimates.uncorrected),
        (Text::new("anytime-valid"), &estimates.anytime),
        (Text::new("normalized Elo"), &estimates.nelo),
    ];
    Block::Facts(
        rows.into_iter()
            .map(|(name, estimate)| Fact::new(name, interval(estimate)))
            .collect(),
    )
}

fn taken(match_state: &MatchState, most: usize) -> Vec<MatchStep> {
    let steps: Vec<MatchStep> = match_state.steps().collect();
    let every = steps.len().div_ceil(most).max(1);
    let last = steps.len().saturating_sub(1);
    let steps = steps.into_iter().enumerate();
    let taken = steps.filter(|(index, _)| index % every == 0 || *index == last);
    taken.map(|(_, step)| step).collect()
}

fn pairs_of(step: &MatchStep) -> u64 {
    step.pentanomial.iter().sum()
}

fn games_at(match_state: &MatchState, step: &MatchStep) -> f64 {
    (match_state.progress.rule.games_per_pair() * pairs_of(step)) as f64
}

pub(crate) fn walk_of(match_state: &MatchState) -> Option<LlrWalk> {
    let bounds = match_state.estimates().bounds()?;
    let points = taken(match_state, POINTS_MAX);
    let points = points
        .iter()
        .filter_map(|step| Some((games_at(match_state, step), step.llr?)));
    Some(LlrWalk {
        name: String::new(),
        points: points.collect(),
        bounds,
    })
}
