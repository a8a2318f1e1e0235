//! The lines of fastchess and of cutechess-cli on stdout, for the programs that read them: games as they begin and end, results as
//! pairs are counted. What these say of strength is by their formulas.

mod ends;
mod numbers;
mod variations;

use std::collections::{BTreeMap, HashSet};
use std::mem::swap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use self::ends::{is_crash, is_drawn_by_moves, reason};
use self::numbers::{elo_text, number, plus_minus, ratio, share, without_sign_of_zero};
use self::variations::illegal_variations;
use super::output::print_data;
use crate::crosstable::Crosstable;
use crate::event::Event;
use crate::kinds::tournament::TournamentFindings;
use crate::match_state::{MatchState, Verdict};
use crate::platform::{lock, read_regular};
use crate::play::{GameListener, LiveGame};
use crate::record::{GameOutcome, GameRecord, PairOutcome, PlayerId, Reason};
use crate::schedule::PairPlan;
use crate::session::observer::RunEvent;
use crate::stats::{Sample, Tally, UnadjustedElo, unadjusted_elo};

const RULE: &str = "--------------------------------------------------";

/// What their options say of the lines.
#[derive(Debug, Clone, Default)]
pub struct FastchessStyle {
    pub is_cutechess: bool,
    pub names: Vec<String>,
    /// Games of the run at most.
    pub games: u64,
    /// What stands in brackets behind the names of two engines: their limits, their threads where those are asked for, their hash tables and
    /// the book.
    pub limits: [String; 2],
    pub threads: [Option<String>; 2],
    pub hashes: [String; 2],
    pub book: Option<String>,
    /// Results are told whenever so many pairs more (games without the pentanomial) are counted; 0 is at the end alone.
    pub rating_interval: u64,
    /// The score of cutechess-cli is told whenever so many games more are over; 0 is never.
    pub score_interval: u64,
    pub has_pentanomial: bool,
    /// Is one game played for each opening?
    pub is_single: bool,
    /// Is nothing but errors wanted on stderr?
    pub is_silent: bool,
    /// The file whose CRC-32 is told at the end.
    pub crc_of: Option<PathBuf>,
}

#[derive(Debug)]
pub struct FastchessLines(Mutex<Lines>);

#[derive(Debug)]
struct Lines {
    begun: Instant,
    style: FastchessStyle,
    /// Games that were told as they ended, and are not counted yet.
    told: HashSet<u64>,
    /// Games that are over: wins, draws and losses of the first of two players.
    results: BTreeMap<[u16; 2], [u64; 3]>,
    /// The threads that engines announced; those that say nothing of threads have none.
    announced: BTreeMap<String, Option<u64>>,
    /// Losses on time, and by a process that ended or did not answer.
    faults: BTreeMap<u16, [u64; 2]>,
    /// Pairs in the last block of results, or before this run went on.
    reported: u64,
    has_reported: bool,
    /// Wins, draws and losses in the last `Elo difference`, and the last `SPRT`.
    last: Option<([u64; 3], String)>,
    /// The last game that a crash or a stall ended.
    crashed: u64,
}

/// Who has White in a game, and its number through the run.
struct Place {
    number: u64,
    white: PlayerId,
}

impl Place {
    /// In the first game of a pair the player of place A has White.
    fn of(pair: u64, first: PlayerId, is_begun_by_black: bool, is_single: bool) -> Place {
        let white = if is_begun_by_black {
            first.opponent()
        } else {
            first
        };
        let number = match is_single {
            true => pair + 1,
            false => 2 * pair + 1 + white.index() as u64,
        };
        Place { number, white }
    }

    fn of_game(game: &LiveGame, is_single: bool) -> Place {
        let first = PairPlan::FIRST[usize::from(game.index)];
        let is_begun_by_black = game.opening.split(' ').nth(1) == Some("b");
        Place::of(game.pair, first, is_begun_by_black, is_single)
    }
}

impl GameListener for FastchessLines {
    fn started(&self, game: &LiveGame) {
        let lines = lock(&self.0);
        let Place { number, white } = Place::of_game(game, lines.style.is_single);
        say(&format!(
            "Started game {number} of {} ({})",
            lines.style.games,
            lines.players(game.players, white)
        ));
    }

    fn finished(&self, game: &LiveGame, record: &GameRecord) {
        let outcome = GameOutcome::from(record);
        let is_by_moves = outcome.reason == Reason::DrawnByRule && is_drawn_by_moves(&game.opening, record);
        let illegal = illegal_variations(&game.opening, record);
        let mut lines = lock(&self.0);
        if !lines.style.is_cutechess {
            for (player, illegal) in illegal {
                say(&illegal.text(lines.name(game.players[player.index()])));
            }
        }
        let place = Place::of_game(game, lines.style.is_single);
        lines.finished(&place, game.players, &outcome, is_by_moves);
    }
}

impl FastchessLines {
    pub fn new(style: FastchessStyle) -> Arc<FastchessLines> {
        Arc::new(FastchessLines(Mutex::new(Lines {
            begun: Instant::now(),
            style,
            told: HashSet::new(),
            results: BTreeMap::new(),
            announced: BTreeMap::new(),
            faults: BTreeMap::new(),
            reported: 0,
            has_reported: false,
            last: None,
            crashed: 0,
        })))
    }

    pub fn is_silent(&self) -> bool {
        lock(&self.0).style.is_silent
    }

    pub fn on_event(&self, event: &RunEvent<'_>) {
        let mut lines = lock(&self.0);
        match event {
            RunEvent::Play { event, pairs_max, .. } => match event {
                Event::Started { count } => lines.begin(count, *pairs_max),
                Event::Counted { count, pair } => {
                    lines.count(pair);
                    if lines.is_due(count.tally().pairs()) {
                        lines.report(count);
                    }
                }
                Event::Ended { count } => lines.end(count),
            },
            RunEvent::Engine { label, threads } => {
                lines.announced.insert((*label).to_owned(), *threads);
            }
            RunEvent::Standings { crosstable, is_begin } => match is_begin {
                true => lines.begin_tournament(crosstable),
                false if lines.is_due(crosstable.pairs) => lines.rank(crosstable),
                false => {}
            },
            RunEvent::Found { found, .. } => {
                if let Some(found) = found.of::<TournamentFindings>()
                    && (found.crosstable.pairs != lines.reported || !lines.has_reported)
                {
                    lines.rank(&found.crosstable);
                }
            }
            _ => {}
        }
    }

    /// A fault after which the run stops.
    pub fn stopped(&self) {
        say(&format!(
            "Game {} stalled / disconnected and no recover option set for engine, stopping tournament.",
            lock(&self.0).crashed
        ));
        self.finish();
    }

    /// An engine that does not start.
    pub fn failed(name: &str, message: &str) {
        let why = match message.contains("did not start") {
            true => "Engine didn't respond to uciok after startup",
            false => message,
        };
        say(&format!("Fatal; {name} engine startup failure: \"{why}\""));
    }

    /// An option that an engine does not have, or a value that it does not take.
    pub fn left_out(name: &str, option: &str, value: Option<&str>) {
        say(&match value {
            None => format!("Warning; {name} doesn't have option {option}"),
            Some(value) => format!("Warning; Invalid value for option {option}; {value}"),
        });
    }

    /// What stands below all results.
    pub fn finish(&self) {
        let lines = lock(&self.0);
        if !lines.style.is_cutechess {
            for (&player, [on_time, crashed]) in &lines.faults {
                say(&format!(
                    "Player: {}\n  Timeouts: {on_time}\n  Crashed: {crashed}",
                    lines.name(player)
                ));
            }
        }
        if let Some(file) = &lines.style.crc_of
            && let Ok(bytes) = read_regular(file, u64::MAX - 1)
        {
            say(&format!(
                "File {} has CRC32: {:#010x}",
                file.display(),
                crc32fast::hash(&bytes)
            ));
        }
        let seconds = lines.begun.elapsed().as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        say(&format!(
            "Finished match\nTotal Time: {hours:02}:{minutes:02}:{:02} (hours:minutes:seconds)",
            seconds % 60
        ));
    }
}

impl Lines {
    fn name(&self, player: u16) -> &str {
        self.style
            .names
            .get(usize::from(player))
            .map_or("?", String::as_str)
    }

    fn players(&self, players: [u16; 2], white: PlayerId) -> String {
        let [white, black] = [white, white.opponent()].map(|id| self.name(players[id.index()]));
        format!("{white} vs {black}")
    }

    fn begin(&mut self, match_state: &MatchState, pairs_max: u64) {
        let games_of_pair = if self.style.is_single { 1 } else { 2 };
        self.style.games = games_of_pair * pairs_max;
        let tally = match_state.tally();
        self.reported = tally.pairs();
        self.results
            .insert([0, 1], [tally.wins(), tally.draws, tally.losses()]);
    }

    fn begin_tournament(&mut self, crosstable: &Crosstable) {
        self.reported = crosstable.pairs;
        let stored = crosstable.cells.iter().map(|cell| {
            let tally = cell.match_state.tally();
            (cell.players, [tally.wins(), tally.draws, tally.losses()])
        });
        self.results = stored.collect();
    }

    fn finished(&mut self, place: &Place, players: [u16; 2], game: &GameOutcome, is_by_moves: bool) {
        let &Place { number, white } = place;
        let result = match game.winner {
            None => "1/2-1/2",
            Some(winner) if winner == white => "1-0",
            Some(_) => "0-1",
        };
        let names = self.players(players, white);
        let reason = reason(game, white, is_by_moves);
        // Frameworks stop or log by these.
        if let Some(winner) = game.winner.filter(|_| !self.style.is_cutechess) {
            let loser = self.name(players[winner.opponent().index()]);
            if reason.contains("illegal") {
                say(&format!("Warning; Illegal move played by {loser}"));
            } else if is_crash(game.reason) {
                say(&format!("Warning; Engine {loser} is not responsive"));
            }
        }
        say(&format!(
            "Finished game {number} ({names}): {result} {{{reason}}}"
        ));
        self.told.insert(number);
        if let Some(winner) = game.winner {
            let faults = self.faults.entry(players[winner.opponent().index()]);
            match game.reason {
                Reason::TimeLoss => faults.or_default()[0] += 1,
                reason if is_crash(reason) => {
                    faults.or_default()[1] += 1;
                    self.crashed = number;
                }
                _ => {}
            }
        }
        let column = match game.winner {
            Some(PlayerId::A) => 0,
            None => 1,
            Some(PlayerId::B) => 2,
        };
        let results = self.results.entry(players).or_default();
        results[column] += 1;
        let [wins, draws, losses] = *results;
        let games = wins + draws + losses;
        let interval = self.style.score_interval;
        if self.style.is_cutechess && interval > 0 && games.is_multiple_of(interval) {
            let score = (wins as f64 + 0.5 * draws as f64) / games as f64;
            let names = self.players(players, PlayerId::A);
            say(&format!(
                "Score of {names}: {wins} - {losses} - {draws}  [{score:.3}] {games}"
            ));
        }
    }

    /// Tells the games of a pair that another machine played.
    fn count(&mut self, pair: &PairOutcome) {
        for game in pair.played() {
            let is_black = pair.is_begun_by_second_side;
            let place = Place::of(pair.pair, game.first, is_black, self.style.is_single);
            if !self.told.contains(&place.number) {
                self.finished(&place, pair.players, game, true);
            }
            self.told.remove(&place.number);
        }
    }

    /// Is it time for results, with so many pairs counted?
    fn is_due(&self, pairs: u64) -> bool {
        let interval = self.style.rating_interval;
        let units = if self.style.has_pentanomial || self.style.is_single {
            1
        } else {
            2
        };
        interval > 0 && units * pairs / interval > units * self.reported / interval
    }

    fn end(&mut self, match_state: &MatchState) {
        let verdict = match_state.verdict();
        let accepted = match verdict {
            Verdict::AcceptedH0 => Some("H0"),
            Verdict::AcceptedH1 => Some("H1"),
            _ => None,
        };
        let pairs = match_state.tally().pairs();
        if pairs > 0 && (pairs != self.reported || !self.has_reported) {
            self.report(match_state);
        }
        if let (Some(accepted), Some(test)) = (accepted, match_state.estimates().test)
            && !self.style.is_cutechess
        {
            let (elo0, elo1) = (test.sprt.elo0(), test.sprt.elo1());
            say(&format!(
                "SPRT ([{elo0:.2}, {elo1:.2}]) completed - {accepted} was accepted"
            ));
        }
    }

    fn report(&mut self, match_state: &MatchState) {
        self.reported = match_state.tally().pairs();
        self.has_reported = true;
        if self.style.is_cutechess {
            self.cutechess_results(match_state);
        } else {
            let results = self.results(match_state);
            say(&format!("{RULE}\n{results}{RULE}"));
        }
    }

    fn results(&self, match_state: &MatchState) -> String {
        let tally = match_state.tally();
        let has_pentanomial = self.style.has_pentanomial;
        let elo = unadjusted_elo(&if has_pentanomial {
            Sample::pairs(tally.pentanomial)
        } else {
            Sample::games(tally.losses(), tally.draws, tally.wins())
        });
        let names = self.players([0, 1], PlayerId::A);
        let [ll, ld, even, wd, ww] = tally.pentanomial;
        let (games, points) = (tally.games() as f64, points(tally));
        let mut text = format!(
            "Results of {names} ({}):\nElo: {}, nElo: {}\n",
            self.conditions(),
            plus_minus(elo.elo, elo.elo_error, points / games),
            plus_minus(elo.nelo, elo.nelo_error, points / games),
        );
        let los = number(elo.los.map(|los| 100.0 * los));
        text += &if has_pentanomial {
            let drawn = 200.0 * even as f64 / games;
            let ratio = ratio(ww + wd, ld + ll);
            format!("LOS: {los} %, DrawRatio: {drawn:.2} %, PairsRatio: {ratio}\n")
        } else {
            format!(
                "LOS: {los} %, DrawRatio: {:.2} %\n",
                100.0 * tally.draws as f64 / games
            )
        };
        text += &format!(
            "Games: {games}, Wins: {}, Losses: {}, Draws: {}, Points: {points:.1} ({:.2} %)\n",
            tally.wins(),
            tally.losses(),
            tally.draws,
            100.0 * points / games
        );
        if has_pentanomial {
            // Each pair of two draws has two of the drawn games, and each with one draw has one.
            let both_drawn = (tally.draws - ld - wd) / 2;
            let ratio = ratio(even - both_drawn, both_drawn);
            text += &format!("Ptnml(0-2): {:?}, WL/DD Ratio: {ratio}\n", tally.pentanomial);
        }
        if let Some(test) = match_state.estimates().test {
            let (llr, bounds) = (without_sign_of_zero(test.llr.unwrap_or_default()), test.bounds);
            text += &format!(
                "LLR: {llr:.2} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]\n",
                share(llr, bounds.lower, bounds.upper),
                bounds.lower,
                bounds.upper,
                test.sprt.elo0(),
                test.sprt.elo1()
            );
        }
        text
    }

    fn conditions(&self) -> String {
        let both = |[one, two]: [String; 2]| match one == two {
            true => one,
            false => format!("{one} - {two}"),
        };
        let threads = [0, 1].map(|index| {
            let asked = self.style.threads[index].clone();
            asked.map_or_else(|| self.announced_threads(index as u16), |asked| asked + "t")
        });
        let hashes = self.style.hashes.each_ref().map(|hash| format!("{hash}MB"));
        let parts = [both(self.style.limits.clone()), both(threads), both(hashes)];
        let parts: Vec<String> = parts.into_iter().chain(self.style.book.clone()).collect();
        parts.join(", ")
    }

    fn announced_threads(&self, player: u16) -> String {
        match self.announced.get(self.name(player)) {
            Some(Some(threads)) => format!("{threads}t"),
            Some(None) => "NULL".to_owned(),
            None => "1t".to_owned(),
        }
    }

    /// Games are in the results as they end, before their pairs are counted: no line is told twice.
    fn cutechess_results(&mut self, match_state: &MatchState) {
        let results = self.results.get(&[0, 1]).copied().unwrap_or_default();
        let [wins, draws, losses] = results;
        let elo = unadjusted_elo(&Sample::games(losses, draws, wins));
        let games = (wins + draws + losses) as f64;
        let elo = format!(
            "Elo difference: {}, LOS: {} %, DrawRatio: {:.1} %",
            plus_minus(elo.elo, elo.elo_error, (wins as f64 + 0.5 * draws as f64) / games),
            number(elo.los.map(|los| 100.0 * los)),
            100.0 * draws as f64 / games
        );
        let mut sprt = String::new();
        if let Some(test) = match_state.estimates().test {
            let (llr, bounds) = (without_sign_of_zero(test.llr.unwrap_or_default()), test.bounds);
            let accepted = match match_state.verdict() {
                Verdict::AcceptedH0 => " - H0 was accepted",
                Verdict::AcceptedH1 => " - H1 was accepted",
                _ => "",
            };
            sprt = format!(
                "SPRT: llr {llr:.3} ({:.1}%), lbound {:.3}, ubound {:.3}{accepted}",
                share(llr, bounds.lower, bounds.upper),
                bounds.lower,
                bounds.upper
            );
        }
        let last = self.last.as_ref();
        let is_new = last.is_none_or(|(last, _)| *last != results);
        if is_new {
            say(&elo);
        }
        if !sprt.is_empty() && (is_new || last.is_none_or(|(_, last)| *last != sprt)) {
            say(&sprt);
        }
        self.last = Some((results, sprt));
    }

    /// The table of a tournament.
    fn rank(&mut self, crosstable: &Crosstable) {
        (self.reported, self.has_reported) = (crosstable.pairs, true);
        let players = 0..self.style.names.len();
        let mut rows: Vec<(usize, Tally, UnadjustedElo)> = players
            .map(|player| {
                let tally = tally_of(crosstable, player);
                (player, tally, unadjusted_elo(&Sample::pairs(tally.pentanomial)))
            })
            .collect();
        let strength = |tally: &Tally| tally.score().unwrap_or(-1.0);
        rows.sort_by(|(_, a, _), (_, b, _)| strength(b).total_cmp(&strength(a)));
        let longest = self.style.names.iter().map(|name| name.chars().count()).max();
        let width = longest.unwrap_or(0).max(25);
        let head = ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"];
        let head: String = head.iter().map(|word| format!(" {word:>10}")).collect();
        let mut text = format!("{:<4} {:<width$}{head} {:>20}\n", "Rank", "Name", "Ptnml(0-2)");
        for (rank, (player, tally, elo)) in rows.iter().enumerate() {
            let score = tally.score().unwrap_or(f64::NAN);
            let share = |share: Option<f64>| match share {
                Some(share) => format!("{:.1}%", 100.0 * share),
                None => "nan%".to_owned(),
            };
            let pairs = (tally.pairs() > 0).then(|| tally.pairs() as f64);
            let values = [
                elo_text(elo.elo, score),
                number(elo.elo_error),
                elo_text(elo.nelo, score),
                number(elo.nelo_error),
                tally.games().to_string(),
                share(tally.score()),
                share(pairs.map(|pairs| tally.pentanomial[2] as f64 / pairs)),
            ];
            let values: String = values.iter().map(|value| format!(" {value:>10}")).collect();
            let name = self.name(*player as u16);
            let pentanomial = format!("{:?}", tally.pentanomial);
            text += &format!("{:>4} {name:<width$}{values} {pentanomial:>20}\n", rank + 1);
        }
        say(&format!("{RULE}\n{text}{RULE}"));
    }
}

/// All pairs of a player, as it sees them.
fn tally_of(crosstable: &Crosstable, player: usize) -> Tally {
    let mut sum = Tally::default();
    for cell in &crosstable.cells {
        let mut own = *cell.match_state.tally();
        if usize::from(cell.players[1]) == player {
            own.pentanomial.reverse();
            swap(&mut own.first_wins, &mut own.first_losses);
            swap(&mut own.second_wins, &mut own.second_losses);
        } else if usize::from(cell.players[0]) != player {
            continue;
        }
        sum.add_all(&own);
    }
    sum
}

fn points(tally: &Tally) -> f64 {
    tally.wins() as f64 + 0.5 * tally.draws as f64
}

/// Nobody reads on: no reason to end a run.
fn say(text: &str) {
    let _ = print_data(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_numbered_by_the_colour_of_the_first_player() {
        let number = |first, is_black, is_single| {
            let place = Place::of(3, first, is_black, is_single);
            (place.number, place.white)
        };
        use PlayerId::{A, B};
        for (first, is_black, is_single, expected) in [
            (A, false, false, (7, A)),
            (B, false, false, (8, B)),
            (A, true, false, (8, B)),
            (B, true, false, (7, A)),
            (B, true, true, (4, A)),
        ] {
            assert_eq!(number(first, is_black, is_single), expected);
        }
    }
}
