//! A tournament's standings as lines of a terminal.

use super::TournamentReport;
use crate::crosstable::CrosstableCell;
use crate::document::answer::State;
use crate::document::faults;
use crate::document::language::said;
use crate::document::number::{ci_text, percent, plural, signed};
use crate::document::summary::{accepted, family_text};
use crate::document::table::{Align, indented, inner_table, named_lines, titled, wrapped};
use crate::kinds::match_::page::side_names;
use crate::match_state::Verdict;
use crate::stats::Corrected;

impl TournamentReport<'_> {
    pub(super) fn describe(&self) -> String {
        let advantage = self.first_move_advantage();
        let advantage = advantage.map(|elo| {
            let (value, [first, _]) = (signed(elo.value, 1), side_names(self.game));
            (
                "Colour",
                format!("{value} Elo for {} (95 % CI {})", first.said(), ci_text(&elo)),
            )
        });
        let mut about = named_lines(advantage.into_iter().chain(self.order()));
        about += &faults::lines(&self.crosstable.faults, self.labels);
        let cells = self.crosstable.cells.iter();
        let verdicts = cells.filter_map(|cell| self.verdict_text(cell));
        let verdicts: Vec<String> = verdicts.map(|text| format!("  {text}\n")).collect();
        let blank = if verdicts.is_empty() { "" } else { "\n" };
        format!(
            "{}{}\n{}\n{about}{blank}{}",
            self.ranking_table(),
            indented(&wrapped(&self.pools_text())),
            self.score_table(),
            wrapped(&verdicts.concat())
        )
    }

    /// What an adaptive tournament knows.
    fn order(&self) -> Option<(&'static str, String)> {
        let rounds = self.crosstable.rounds.as_ref()?;
        let cells = &self.crosstable.cells;
        let known = cells.iter().filter(|cell| cell.ordered.is_some()).count();
        let text = format!(
            "known in {known} of {} (5 % error in all, at any time); {} of {} played",
            plural(cells.len() as u64, "pairing"),
            self.crosstable.pairs,
            plural(rounds.pairs, "pair")
        );
        Some(("Order", text))
    }

    pub(super) fn details(&self) -> String {
        let draws = self
            .valid_ratings()
            .map(|ratings| percent(Some(ratings.draw_ratio())));
        let rows: Vec<Corrected> = self.pairings().filter_map(|row| row.family).collect();
        let family = (rows.len() > 1).then(|| format!("of {} pairings {}", rows.len(), family_text(&rows)));
        let lines = [
            ("Draws", draws.map(|share| format!("{share} between equals"))),
            ("Holm", family),
        ];
        named_lines(lines.into_iter().filter_map(|(name, text)| Some((name, text?))))
    }

    pub(super) fn ranking_table(&self) -> String {
        let header = ["", "", "player", "Elo", "95 % CI", "games", "W-L-D", "score"];
        let alike = self.alike();
        let mut above = None;
        let mut has_equals = false;
        let rows = self.players().map(|row| {
            let (score, elo) = (row.total, row.elo);
            let is_equal = above.is_some_and(|above| alike.contains(&(above, row.player)));
            above = Some(row.player);
            has_equals |= is_equal;
            [
                row.rank.to_string(),
                if is_equal { "=" } else { "" }.to_owned(),
                row.label.to_owned(),
                signed(elo.value, 1),
                ci_text(&elo),
                score.games().to_string(),
                format!("{}-{}-{}", score.wins, score.losses, score.draws),
                percent(score.share()),
            ]
        });
        let rows: Vec<_> = rows.collect();
        let mut table = inner_table(&titled(&header, rows), Align::Keyed(3));
        if has_equals && self.invalid.is_none() {
            table += "  = not significantly different from the player above (Holm, 5 %)\n";
        }
        table
    }

    fn score_table(&self) -> String {
        let mut header = vec![String::new(), said("score of the row against").into_owned()];
        header.extend((1..=self.ranking.len()).map(|rank| rank.to_string()));
        let rows = (1..).zip(&self.ranking).map(|(rank, &player)| {
            let mut row = vec![format!("{rank}"), self.labels[player].clone()];
            row.extend(self.ranking.iter().map(|&other| {
                let share = self
                    .crosstable
                    .between(player, other)
                    .and_then(|score| score.share());
                percent(share)
            }));
            row
        });
        let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
        inner_table(&rows, Align::Keyed(2))
    }

    fn pools_text(&self) -> String {
        let Some(ratings) = &self.ratings else {
            return "no ratings: the results are too one-sided for the model\n".to_owned();
        };
        if ratings.pools().len() < 2 {
            return String::new();
        }
        let mut text =
            "not all players can be compared: between these groups one side won everything, or none met\n"
                .to_owned();
        for pool in ratings.pools() {
            let names: Vec<&str> = pool.iter().map(|&player| self.labels[player].as_str()).collect();
            text += &format!("  {}\n", names.join("; "));
        }
        text
    }

    fn verdict_text(&self, cell: &CrosstableCell) -> Option<String> {
        let sprt = cell.match_state.progress.rule.sprt?;
        let names = self.names(cell);
        let [a, b] = &names;
        let (state, text) = match (self.crosstable.verdict(cell), cell.accepted) {
            (Verdict::Invalid, _) => (State::Invalid, format!("{a} – {b}: decided by faults")),
            (_, Some((verdict, pairs))) => {
                let claim = accepted(verdict, &sprt, &names).map_or_else(String::new, |claim| claim.en);
                let state = match verdict {
                    Verdict::AcceptedH1 => State::Passed,
                    _ => State::Failed,
                };
                (state, format!("{claim}, after {}", plural(pairs, "pair")))
            }
            (_, None) => (State::Undecided, format!("{a} – {b}")),
        };
        Some(format!("{} {}  {text}", state.icon(), state.said()))
    }
}
