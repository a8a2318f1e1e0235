mod text;

use std::collections::HashSet;

use tanren_engine::game::Game;

use serde_json::{Map, Value, json};

use crate::config::TournamentSpec;
use crate::crosstable::{Crosstable, CrosstableCell};
use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::faults;
use crate::document::gathered::Gathered;
use crate::document::intervals;
use crate::document::invalid::InvalidRun;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, signed};
use crate::document::summary::Summary;
use crate::document::text::Text;
use crate::document::{Block, Document, Section, Table, no_strength};
use crate::kinds::match_::page::{reasons, side_names};
use crate::kinds::match_::report::interval;
use crate::kinds::tournament::TournamentFindings;
use crate::kinds::tournament::columns::{
    DifferenceRow, PairingRow, PlayerRow, crosstable_columns, differences_columns, pairings_columns,
    ratings_columns,
};
use crate::match_state::Verdict;
use crate::session::found::Found as _;
use crate::session::observer::Standings;
use crate::session::{engines, hosts};
use crate::stats::{CONFIDENCE, DecidedBy, Estimate, Ratings, corrected};

pub(crate) fn document<'a>(found: &'a TournamentFindings, games: Option<&Gathered>) -> Document<'a> {
    let report = TournamentReport::new(found);
    let mut sections = vec![
        Section::new("result", Text::plain(""), result(&report, found)),
        Section::new(
            "pairings",
            Text::new("Against each other"),
            against(&report, found),
        ),
    ];
    if let Some(games) = games {
        let sides = side_names(found.game);
        let block = reasons(games, found.game, sides);
        sections.push(Section::new("games-summary", Text::plain(""), vec![block]));
    }
    Document {
        title: found.labels.join(", "),
        answer: answer(&report, found),
        sections,
    }
}

fn result<'a>(report: &TournamentReport<'_>, found: &TournamentFindings) -> Vec<Block<'a>> {
    let players: Vec<PlayerRow<'_>> = report.players().collect();
    let mut rows: Vec<&PlayerRow<'_>> = players.iter().collect();
    let is_series = found.is_series();
    if is_series {
        rows.sort_by_key(|row| row.player);
    }
    let rows: Vec<(String, Estimate)> = rows.iter().map(|row| (row.label.to_owned(), row.elo)).collect();
    let figure = if is_series {
        Text::new("Elo over versions, with its 95 % interval")
    } else {
        Text::new("Elo with its 95 % interval")
    };
    let chart = is_series.then(|| {
        let heading = figure.said();
        format!("\n  {heading}\n{}", intervals::elo(Text::plain(""), &rows).text())
    });
    let lines = engines::lines(&found.engines) + &hosts::lines(&found.hosts);
    vec![
        Block::Lines(report.describe() + &chart.unwrap_or_default() + &lines),
        Block::Details(report.details()),
        Block::figure(figure, move || intervals::elo(Text::new("player"), &rows)),
        Block::Table(ratings_table(found, &players)),
    ]
}

fn ratings_table(found: &TournamentFindings, players: &[PlayerRow<'_>]) -> Table {
    let kinds = players.iter().map(|row| {
        let kinds = faults::kinds(&found.crosstable.faults, row.player);
        Map::from_iter([("faults_kinds".to_owned(), kinds)])
    });
    Table::of(&ratings_columns(), players)
        .shown(&[
            "rank", "player", "elo", "elo_low", "elo_high", "games", "points", "score",
        ])
        .with(kinds)
        .key("players")
        .caption(Text::new("Ratings"))
        .file("ratings.csv")
}

fn against<'a>(report: &TournamentReport<'_>, found: &TournamentFindings) -> Vec<Block<'a>> {
    let crosstable = crosstable_columns(&found.labels, &found.crosstable);
    let points = Text::new("Points against each other");
    let mut against = vec![
        Block::Table(Table::of(&crosstable, report.ranking.clone()).caption(points)),
        Block::Table(Table::of(&crosstable, 0..found.labels.len()).file("crosstable.csv")),
        Block::Table(Table::of(&differences_columns(), report.differences()).file("differences.csv")),
        Block::Table(report.difference_table()),
        Block::Table(pairings_table(report)),
        Block::values(report.values()),
    ];
    against.extend(engines::block(&found.engines));
    against.extend(hosts::block(&found.hosts));
    against
}

fn pairings_table(report: &TournamentReport<'_>) -> Table {
    let pairings: Vec<PairingRow> = report.pairings().collect();
    let kinds = pairings
        .iter()
        .map(|row| faults::kinds_of_both(&row.summary.faults));
    let mut shown = vec![
        "a", "b", "pairs", "wins", "draws", "losses", "elo", "elo_low", "elo_high",
    ];
    let is_test = |row: &PairingRow| row.summary.verdict != Verdict::FixedLength;
    if pairings.iter().any(is_test) {
        shown.push("verdict");
    }
    Table::of(&pairings_columns(), &pairings)
        .shown(&shown)
        .with(kinds)
        .key("pairings")
        .caption(Text::new("Pairings"))
        .file("pairings.csv")
}

fn answer(report: &TournamentReport<'_>, found: &TournamentFindings) -> Answer {
    let pairs = found.crosstable.pairs;
    if let Some(invalid) = &report.invalid {
        return no_strength(invalid);
    }
    if !found.shard.is_whole() {
        let values: [(&str, &dyn std::fmt::Display); 2] = [("shard", &found.shard), ("games", &(2 * pairs))];
        let sentence = Text::filled("shard {shard}: {games} games", &values);
        return Answer::new(
            State::Undecided,
            sentence.then(&Text::new("; tanren merge makes one run of all shards")),
        );
    }
    let Some(first) = report.players().next().filter(|_| pairs > 0) else {
        return Answer::new(State::Undecided, Text::new("no game is played yet"));
    };
    let alike = report.alike();
    let equals = report.ranking.iter().skip(1);
    let equals = equals.filter(|other| alike.contains(&(first.player, **other)));
    let equals: Vec<&str> = equals.map(|&other| report.labels[other].as_str()).collect();
    let (players, games) = (report.labels.len(), 2 * pairs);
    let [value, low, high] = [first.elo.value, first.elo.low, first.elo.high].map(|elo| signed(elo, 1));
    let template = match (first.elo.value, found.anchor) {
        (Some(_), None) => Text::template(
            "{one} is first of {players} players: {elo} Elo above the mean of its pool (95 % CI {low} to {high}), {games} games",
        ),
        (Some(_), Some(_)) => Text::template(
            "{one} is first of {players} players: {elo} Elo (95 % CI {low} to {high}), {games} games",
        ),
        (None, _) => Text::template("{one} is first of {players} players: {games} games"),
    };
    let sentence = Text::filled(
        template,
        &[
            ("one", &first.label),
            ("players", &players),
            ("elo", &value),
            ("low", &low),
            ("high", &high),
            ("games", &games),
        ],
    );
    let others = match &equals[..] {
        [] => return Answer::new(State::Ranked, sentence),
        [one] => (*one).to_owned(),
        [one, other] => format!("{one}, {other}"),
        more => {
            let rest = Text::filled(
                ", not significantly stronger than {count} of them",
                &[("count", &more.len())],
            );
            return Answer::new(State::Ranked, sentence.then(&rest));
        }
    };
    let rest = Text::filled(
        ", not significantly stronger than {others}",
        &[("others", &others)],
    );
    Answer::new(State::Ranked, sentence.then(&rest))
}

/// While it is played.
pub(crate) fn standings(spec: &TournamentSpec, crosstable: &Crosstable) -> Standings {
    let report = TournamentReport::of(spec.conditions.game, &spec.labels, spec.anchor, crosstable);
    let first = report.players().next();
    let first = first.map(|first| format!("first {} {} Elo", first.label, signed(first.elo.value, 1)));
    Standings {
        parts: first.into_iter().collect(),
        lines: report.ranking_table(),
    }
}

struct TournamentReport<'a> {
    game: Game,
    labels: &'a [String],
    crosstable: &'a Crosstable,
    invalid: Option<InvalidRun>,
    /// `None` if the likelihood has no maximum that could be found.
    ratings: Option<Ratings>,
    /// The players from best to worst: the greatest pool first.
    ranking: Vec<usize>,
    anchor: Option<(usize, f64)>,
}

impl<'a> TournamentReport<'a> {
    fn new(found: &'a TournamentFindings) -> Self {
        let report = TournamentReport::of(found.game, &found.labels, found.anchor, &found.crosstable);
        TournamentReport {
            invalid: found.invalid(),
            ..report
        }
    }

    fn of(
        game: Game,
        labels: &'a [String],
        anchor: Option<(usize, f64)>,
        crosstable: &'a Crosstable,
    ) -> Self {
        let ratings = crosstable.ratings().ok();
        let mut ranking: Vec<usize> = (0..labels.len()).collect();
        let pool_size = |player: usize| pool_of(ratings.as_ref(), player).map_or(0, |(_, size)| size);
        let value = |player: usize| {
            let estimate = ratings.as_ref()?.rating(player, CONFIDENCE);
            estimate?.value
        };
        let value = |player: usize| value(player).unwrap_or(0.0);
        let share = |player: usize| crosstable.total(player).share().unwrap_or(0.0);
        // Who won every game is above all others, who lost every game below.
        let tier = |player: usize| {
            let lone = |ratings: &Ratings| {
                ratings
                    .bounding_pool(player)
                    .and(ratings.rating(player, CONFIDENCE))
            };
            match ratings.as_ref().and_then(lone) {
                Some(bound) if bound.low.is_some() => 0,
                Some(_) => 2,
                None => 1,
            }
        };
        ranking.sort_by(|&one, &two| {
            let by_pool = pool_size(two).cmp(&pool_size(one));
            let by_value = value(two).total_cmp(&value(one));
            let by_tier = tier(one).cmp(&tier(two));
            by_tier
                .then(by_pool)
                .then(by_value)
                .then(share(two).total_cmp(&share(one)))
        });
        TournamentReport {
            game,
            labels,
            crosstable,
            invalid: None,
            ratings,
            ranking,
            anchor,
        }
    }

    fn values(&self) -> Value {
        let advantage = self.first_move_advantage().unwrap_or(Estimate::UNKNOWN);
        let elo = |value| Cell::rounded(value, ELO_DECIMALS).value();
        let reason = self.invalid.as_ref().map(ToString::to_string);
        json!({
            "verdict": reason.as_ref().map(|_| Verdict::Invalid.name()),
            "verdict_reason": reason,
            "first_side_elo": elo(advantage.value),
            "first_side_elo_low": elo(advantage.low),
            "first_side_elo_high": elo(advantage.high),
            "draw_ratio": Cell::rounded(self.valid_ratings().map(Ratings::draw_ratio), FINE_DECIMALS).value(),
        })
    }

    /// Players whose ratings do not differ significantly (5 %), with Holm's correction for all of them.
    fn alike(&self) -> HashSet<(usize, usize)> {
        let all = 0..self.labels.len();
        let pairs = all
            .clone()
            .flat_map(|one| all.clone().map(move |other| (one, other)));
        let pairs: Vec<(usize, usize)> = pairs.filter(|(one, other)| one < other).collect();
        let p_value = |&(one, other): &(usize, usize)| {
            let los = self.valid_ratings()?.los(one, other)?;
            Some(2.0 * los.min(1.0 - los))
        };
        let families = corrected(&pairs.iter().map(p_value).collect::<Vec<_>>());
        let alike = pairs.iter().zip(families);
        let alike = alike.filter(|(_, family)| family.is_some_and(|row| row.p_holm > 0.05));
        alike
            .flat_map(|(&(one, other), _)| [(one, other), (other, one)])
            .collect()
    }

    fn names(&self, cell: &CrosstableCell) -> [String; 2] {
        cell.players
            .map(|player| self.labels[usize::from(player)].clone())
    }

    fn valid_ratings(&self) -> Option<&Ratings> {
        self.ratings.as_ref().filter(|_| self.invalid.is_none())
    }

    fn difference(&self, player: usize, other: usize) -> Option<Estimate> {
        self.valid_ratings()?.difference(player, other, CONFIDENCE)
    }

    fn rating(&self, player: usize) -> Option<Estimate> {
        let ratings = self.valid_ratings()?;
        let Some((anchor, elo)) = self.anchor else {
            return ratings.rating(player, CONFIDENCE);
        };
        // Only within its pool is there a distance to it; the others keep the mean of their own.
        if let Some(from_anchor) = ratings.difference(player, anchor, CONFIDENCE) {
            return Some(from_anchor.map(|end| end + elo));
        }
        let pool = ratings.bounding_pool(player)?;
        let anchored = ratings
            .rating(anchor, CONFIDENCE)
            .filter(|_| ratings.pools()[pool].contains(&anchor));
        let shift = elo - anchored?.value?;
        Some(ratings.rating(player, CONFIDENCE)?.map(|end| end + shift))
    }

    fn differences(&self) -> impl Iterator<Item = DifferenceRow<'_>> {
        let others = |&one: &usize| self.ranking.iter().map(move |&other| (one, other));
        let pairs = self
            .ranking
            .iter()
            .flat_map(others)
            .filter(|(one, other)| one != other);
        pairs.filter_map(|(one, other)| {
            Some(DifferenceRow {
                labels: [&self.labels[one], &self.labels[other]],
                difference: self.difference(one, other)?,
                los: self.valid_ratings()?.los(one, other)?,
            })
        })
    }

    fn first_move_advantage(&self) -> Option<Estimate> {
        self.valid_ratings()?.first_move_advantage(CONFIDENCE)
    }

    fn players(&self) -> impl Iterator<Item = PlayerRow<'_>> {
        (1..).zip(&self.ranking).map(|(rank, &player)| PlayerRow {
            player,
            rank,
            label: &self.labels[player],
            elo: self.rating(player).unwrap_or(Estimate::UNKNOWN),
            total: self.crosstable.total(player),
            faults: self.crosstable.faults.of(player),
            pool: pool_of(self.ratings.as_ref(), player).map(|(pool, _)| pool + 1),
            invalid: self.invalid.as_ref(),
        })
    }

    fn pairings(&self) -> impl Iterator<Item = PairingRow> {
        let p_values = self
            .crosstable
            .p_values()
            .into_iter()
            .map(|p| p.filter(|_| self.invalid.is_none()));
        let family = corrected(&p_values.collect::<Vec<_>>());
        self.crosstable.cells.iter().zip(family).map(|(cell, family)| {
            let mut summary = Summary::new(&cell.match_state, &self.names(cell));
            let verdict = self.crosstable.verdict(cell);
            match &self.invalid {
                Some(invalid) if verdict == Verdict::Invalid && summary.invalid.is_none() => {
                    summary = summary.made_invalid(invalid.clone());
                }
                _ => summary.verdict = verdict,
            }
            // A test is said here and stops nothing.
            if summary.invalid.is_none() && verdict != Verdict::Interrupted {
                let decided_by = match self.crosstable.is_of_length(cell) {
                    true => DecidedBy::Length,
                    false => DecidedBy::Nothing,
                };
                summary.estimates = cell.match_state.progress.estimates(decided_by);
            }
            PairingRow {
                summary,
                decided_after: cell.accepted.map(|(_, pairs)| pairs).or(cell.ordered),
                family,
            }
        })
    }

    fn difference_table(&self) -> Table {
        let rows = self.ranking.iter().map(|&player| {
            let of = |&other: &usize| match self.difference(player, other) {
                Some(difference) if player != other => {
                    let is_proven = difference.low.is_some_and(|low| low > 0.0)
                        || difference.high.is_some_and(|high| high < 0.0);
                    format!("{}{}", interval(&difference), if is_proven { " *" } else { "" })
                }
                _ => String::new(),
            };
            std::iter::once(self.labels[player].clone())
                .chain(self.ranking.iter().map(of))
                .collect()
        });
        let names = self
            .ranking
            .iter()
            .map(|&player| Text::plain(&self.labels[player]));
        let caption = Text::new("Difference in Elo, row above column; * where the interval excludes zero");
        Table::page(caption, std::iter::once(Text::new("player")).chain(names), rows)
    }
}

fn pool_of(ratings: Option<&Ratings>, player: usize) -> Option<(usize, usize)> {
    let pools = ratings?.pools();
    let index = pools.iter().position(|pool| pool.contains(&player))?;
    Some((index, pools[index].len()))
}

#[cfg(test)]
mod tests {
    use tanren_core::fixtures::{pair, played};
    use tanren_engine::game::Game;

    use crate::kinds::tournament::report::*;
    use crate::record::{PairOutcome, Reason};
    use crate::shard::Shard;
    use crate::stop::StopRule;

    fn found(crosstable: Crosstable) -> TournamentFindings {
        TournamentFindings {
            game: Game::Shogi,
            labels: ["one", "two", "three"].map(str::to_owned).to_vec(),
            anchor: None,
            crosstable,
            counted: 60,
            shard: Shard::WHOLE,
            engines: Vec::new(),
            hosts: Vec::new(),
        }
    }

    #[test]
    fn the_better_player_is_above_and_points_add_up() {
        let found = found(played(20, Some("elo0=0,elo1=100")));
        let crosstable = crosstable_columns(&found.labels, &found.crosstable)
            .csv(0..3)
            .unwrap();
        assert_eq!(
            String::from_utf8(crosstable).unwrap(),
            "player,one,two,three\none,,35.0,20.0\ntwo,5.0,,25.0\nthree,20.0,15.0,\n"
        );
        let document = document(&found, None);
        let json = document.json();
        assert_eq!(
            (&json["players"][0]["player"], &json["players"][0]["rank"]),
            (&json!("one"), &json!(1))
        );
        assert_eq!(json["pairings"][0]["verdict"], "accepted_h1");
        assert!(
            json["pairings"][0]["decided_after"].as_u64().unwrap() < 20,
            "{json}"
        );
        let text = document.text();
        assert!(
            text.contains("PASSED  one is stronger than two, after "),
            "{text}"
        );
    }

    #[test]
    fn an_invalid_tournament_says_nothing_about_strength_and_why() {
        let mut crosstable = played(20, Some("elo0=0,elo1=100"));
        for number in 60..80 {
            let mut record = pair(number, [2, 0], number as u16);
            record.games[1].reason = Reason::Crash;
            crosstable.count(&PairOutcome::from(&record));
        }
        let found = found(crosstable);
        let document = document(&found, None);
        let json = document.json();
        for player in json["players"].as_array().unwrap() {
            let elo = ["elo", "elo_low", "elo_high"].map(|name| player[name].is_null());
            assert_eq!(elo, [true; 3], "{player}");
            assert!(player["points"].is_number() && player["verdict_reason"].is_string());
        }
        assert!(json["first_side_elo"].is_null() && json["draw_ratio"].is_null());
        let text = document.text();
        assert!(
            !text.contains("Elo for") && text.starts_with("INVALID  "),
            "{text}"
        );
    }

    #[test]
    fn versions_against_the_first_are_drawn_in_their_order() {
        let rule = StopRule::new(None, 5);
        let mut crosstable = Crosstable::new(3, &[[0, 1], [0, 2]], rule);
        for number in 0..10 {
            let mut record = pair(number, [0, 2], number as u16);
            record.players = [0, 1 + (number % 2) as u16];
            crosstable.count(&PairOutcome::from(&record));
        }
        let mut found = found(crosstable);
        assert!(!document(&found, None).text().contains("over versions"));
        found.anchor = Some((0, 0.0));
        let text = document(&found, None).text();
        let (_, chart) = text.split_once("Elo over versions").unwrap();
        let at = |name: &str| chart.find(&format!("\n  {name} ")).unwrap();
        assert!(at("one") < at("two") && at("two") < at("three"), "{chart}");
    }

    #[test]
    fn players_who_cannot_be_compared_are_said_to_be() {
        let rule = StopRule::new(None, 5);
        let found = found(Crosstable::new(3, &[[0, 1]], rule));
        let document = document(&found, None);
        assert!(document.text().contains("not all players can be compared"));
        assert!(document.json()["players"][0]["elo"].is_null());
    }
}
