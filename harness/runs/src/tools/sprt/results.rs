//! Results in the order they were counted, from a PGN or a CSV such as our `games.csv`.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::Path;

use crate::platform::open_regular;
use crate::sanitize;
use crate::session::error::{ExperimentError, Result};
use crate::stats::{GameResult, PairResult};

/// Longest line that is read, in bytes: of a PGN nothing but its tags matters.
const LINE_MAX: u64 = 1 << 20;
/// What stands after a move of a book.
const BOOK: &str = "{book}";

#[derive(Debug)]
pub(super) struct OrderedResults {
    pub(super) players: [String; 2],
    /// Each with its opening, by number, where it is known.
    pub(super) pairs: Vec<(Option<u32>, PairResult)>,
    /// Pairs of which a game has no result.
    pub(super) unfinished: u64,
}

#[derive(Debug, Default, Clone)]
struct ReadGame {
    /// Who moved first and second.
    players: [String; 2],
    /// From the view of who moved first; `None` if the game has none.
    result: Option<GameResult>,
    /// The number of its round, in parts.
    round: Option<Vec<u64>>,
    opening: Option<String>,
}

/// The results of `path`; of a PGN those of `player`, or of who moved first in the first game.
pub(super) fn read_results(path: &Path, player: Option<&str>) -> Result<OrderedResults> {
    let wrong = |what: String| ExperimentError::Input(format!("--games '{}': {what}", path.display()));
    let input = BufReader::new(open_regular(path).map_err(|error| wrong(error.to_string()))?);
    let is_csv = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let games = if is_csv { of_csv(input) } else { of_pgn(input) };
    games.and_then(|games| paired(games, player)).map_err(wrong)
}

fn of_csv(input: impl Read) -> Result<Vec<ReadGame>, String> {
    let mut reader = csv::Reader::from_reader(input);
    let header = reader
        .headers()
        .map_err(|error| format!("line 1: {error}"))?
        .clone();
    let column = |name: &str| header.iter().position(|column| column == name);
    let needed = |name| column(name).ok_or(format!("line 1: it has no column `{name}`, as games.csv has"));
    let (first, winner, opening) = (needed("first_side")?, needed("winner")?, column("opening"));
    let mut games = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let players = match &row[first] {
            "a" => ["a", "b"],
            "b" => ["b", "a"],
            other => {
                return Err(format!(
                    "line {line}: `first_side` is '{}', not a or b",
                    shown(other)
                ));
            }
        };
        let result = match &row[winner] {
            "draw" => GameResult::Draw,
            winner if winner == players[0] => GameResult::Win,
            winner if winner == players[1] => GameResult::Loss,
            other => {
                return Err(format!(
                    "line {line}: `winner` is '{}', not a, b or draw",
                    shown(other)
                ));
            }
        };
        games.push(ReadGame {
            players: players.map(str::to_owned),
            result: Some(result),
            round: None,
            opening: opening.map(|opening| row[opening].to_owned()),
        });
    }
    Ok(games)
}

fn of_pgn(mut input: impl BufRead) -> Result<Vec<ReadGame>, String> {
    let (mut games, mut tags, mut is_in_tags) = (Vec::new(), HashMap::new(), false);
    // Moves of a book, by which an opening is known that no tag tells.
    let mut book = String::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(LINE_MAX).read_until(b'\n', &mut line);
        if read.map_err(|error: io::Error| error.to_string())? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        match tag(&text) {
            Some((name, value)) => {
                if !is_in_tags && !tags.is_empty() {
                    games.push(of_tags(&tags, &mem::take(&mut book), games.len() + 1)?);
                    tags.clear();
                }
                is_in_tags = true;
                tags.insert(name.to_owned(), value.to_owned());
            }
            None => {
                is_in_tags &= text.trim().is_empty();
                let end = text.rfind(BOOK).map_or(0, |at| at + BOOK.len());
                if book.len() < LINE_MAX as usize {
                    book.push_str(&text[..end]);
                }
            }
        }
    }
    if !tags.is_empty() {
        games.push(of_tags(&tags, &book, games.len() + 1)?);
    }
    // Programs write games as they end; rounds say in which order they were begun. A run that was appended begins with the first again,
    // so that this one comes with the same players a second time.
    if games.iter().all(|game: &ReadGame| game.round.is_some()) {
        let mut seen = HashMap::new();
        games.sort_by_cached_key(|game| {
            let run = seen
                .entry((game.players.clone(), game.round.clone()))
                .or_insert(0);
            *run += 1;
            (*run, game.round.clone())
        });
    }
    Ok(games)
}

/// `[Name "value"]`
fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line
        .trim()
        .strip_prefix('[')?
        .strip_suffix(']')?
        .split_once(' ')?;
    let is_name = name
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || character == '_');
    Some((name, value.trim().strip_prefix('"')?.strip_suffix('"')?)).filter(|_| is_name)
}

fn of_tags(tags: &HashMap<String, String>, book: &str, number: usize) -> Result<ReadGame, String> {
    let of = |name: &str| tags.get(name).ok_or(format!("game {number} has no tag {name}"));
    let result = match of("Result")?.as_str() {
        "1-0" => Some(GameResult::Win),
        "0-1" => Some(GameResult::Loss),
        "1/2-1/2" => Some(GameResult::Draw),
        "*" => None,
        other => return Err(format!("game {number}: its result is '{}'", shown(other))),
    };
    let round = tags
        .get("Round")
        .and_then(|round| round.split('.').map(|part| part.parse().ok()).collect());
    Ok(ReadGame {
        players: [of("White")?.clone(), of("Black")?.clone()],
        result,
        round,
        opening: tags
            .get("FEN")
            .cloned()
            .or((!book.is_empty()).then(|| book.to_owned())),
    })
}

/// Two games in a row with exchanged players and the same opening are a pair.
fn paired(games: Vec<ReadGame>, player: Option<&str>) -> Result<OrderedResults, String> {
    let Some(first) = games.first() else {
        return Err("it holds no game".to_owned());
    };
    let [one, other] = first.players.clone();
    let players = match player {
        Some(player) if player == other => [other, one],
        Some(player) if player != one => {
            return Err(format!(
                "game 1: '{player}' plays neither side, but '{}' and '{}' do",
                shown(&one),
                shown(&other)
            ));
        }
        _ if one == "b" && other == "a" => [other, one],
        _ => [one, other],
    };
    let (mut found, mut openings) = (
        OrderedResults {
            players: players.clone(),
            pairs: Vec::new(),
            unfinished: 0,
        },
        HashMap::new(),
    );
    for (index, pair) in games.chunks(2).enumerate() {
        let number = 2 * index + 1;
        let [one, two] = pair else {
            return Err(format!(
                "game {number} has no second game of its pair; give single games as --wdl"
            ));
        };
        check_pair([one, two], number, &players)?;
        let of_a = |game: &ReadGame| {
            let is_first = game.players[0] == players[0];
            game.result
                .map(|result| if is_first { result } else { result.mirrored() })
        };
        let (Some(of_one), Some(of_two)) = (of_a(one), of_a(two)) else {
            found.unfinished += 1;
            continue;
        };
        let [first, second] = if one.players[0] == players[0] {
            [of_one, of_two]
        } else {
            [of_two, of_one]
        };
        let next = openings.len() as u32;
        let opening = one
            .opening
            .clone()
            .map(|opening| *openings.entry(opening).or_insert(next));
        found.pairs.push((opening, PairResult { first, second }));
    }
    Ok(found)
}

/// Refuses games, the first of which has this number, that are no pair of these players.
fn check_pair([one, two]: [&ReadGame; 2], number: usize, players: &[String; 2]) -> Result<(), String> {
    for (game, number) in [(one, number), (two, number + 1)] {
        let is_known = game.players.iter().all(|player| players.contains(player));
        if !is_known || game.players[0] == game.players[1] {
            let [first, second] = game.players.each_ref().map(|player| shown(player));
            let [a, b] = players.each_ref().map(|player| shown(player));
            return Err(format!(
                "game {number} is one of '{first}' and '{second}', not of '{a}' and '{b}'"
            ));
        }
    }
    if one.players == two.players || one.opening != two.opening {
        let what = if one.players == two.players {
            "players do not change sides"
        } else {
            "openings differ"
        };
        return Err(format!(
            "games {number} and {} are no pair: their {what}; give single games as --wdl",
            number + 1
        ));
    }
    Ok(())
}

/// A text of somebody else, in a message.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    sanitize::line(&short).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pgn(games: &[(&str, &str, &str, &str)]) -> Result<OrderedResults, String> {
        let text = games.iter().map(|(round, white, black, result)| {
            format!("[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{\n[%eval 0.1] }} {result}\n\n")
        });
        of_pgn(text.collect::<String>().as_bytes()).and_then(|games| paired(games, Some("new")))
    }

    #[test]
    fn pairs_of_a_pgn_are_in_the_order_of_their_rounds_and_from_the_view_of_the_player() {
        let found = pgn(&[
            ("2", "old", "new", "1-0"),
            ("1", "old", "new", "0-1"),
            ("1", "new", "old", "1/2-1/2"),
            ("2", "new", "old", "1/2-1/2"),
            ("3.1", "new", "old", "1-0"),
            ("3.2", "old", "new", "*"),
        ]);
        let found = found.unwrap();
        let results: Vec<PairResult> = found.pairs.iter().map(|pair| pair.1).collect();
        let pair = |first, second| PairResult { first, second };
        assert_eq!(
            results,
            [
                pair(GameResult::Draw, GameResult::Win),
                pair(GameResult::Draw, GameResult::Loss)
            ]
        );
        assert_eq!((found.unfinished, &*found.players[0]), (1, "new"));
    }

    #[test]
    fn a_run_that_was_appended_has_rounds_of_its_own() {
        let run = [
            ("2", "old", "new", "1-0"),
            ("1", "new", "old", "1-0"),
            ("4", "old", "new", "1/2-1/2"),
            ("3", "new", "old", "0-1"),
        ];
        let found = pgn(&[run, run].concat()).unwrap();
        let pair = |first, second| PairResult { first, second };
        let [one, two] = [
            pair(GameResult::Win, GameResult::Loss),
            pair(GameResult::Loss, GameResult::Draw),
        ];
        let results: Vec<PairResult> = found.pairs.iter().map(|pair| pair.1).collect();
        assert_eq!(results, [one, two, one, two]);
    }

    #[test]
    fn what_is_no_match_of_pairs_is_refused_with_the_number_of_the_game() {
        for (games, expected) in [
            (vec![], "it holds no game"),
            (vec![("1", "new", "old", "1-0")], "game 1 has no second game"),
            (
                vec![("1", "new", "old", "1-0"), ("1", "new", "old", "1-0")],
                "games 1 and 2 are no pair: their players do not",
            ),
            (
                vec![("1", "new", "old", "1-0"), ("1", "third", "new", "1-0")],
                "game 2 is one of 'third' and 'new'",
            ),
            (vec![("1", "new", "old", "won")], "game 1: its result is 'won'"),
            (vec![("1", "x", "y", "1-0")], "game 1: 'new' plays neither side"),
        ] {
            let refused = pgn(&games).unwrap_err();
            assert!(refused.starts_with(expected), "{refused}");
        }
        let csv = |text: &str| of_csv(text.as_bytes()).unwrap_err();
        assert_eq!(
            csv("a,b\n1,2\n"),
            "line 1: it has no column `first_side`, as games.csv has"
        );
        assert_eq!(
            csv("first_side,winner\na,b\nc,a\n"),
            "line 3: `first_side` is 'c', not a or b"
        );
    }
}
