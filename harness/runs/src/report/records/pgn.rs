//! PGN, export format (Edwards, "Portable Game Notation Specification", 1994).
//!
//! A comment after each move holds score and depth from its player's view, `{+0.35/7}`, mates as `+M5` in plies, and the
//! time in seconds where it decided what was played, the nodes, `n=1000`, `pv="…"` if moves were expected next, and what the engine itself
//! wrote. The last one ends with the reason of the end. Moves of a book have the comment `{book}`.
//! An opening has the name of the last position of its game that has one, the first included.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use tanren_engine::chess::Board;
use tanren_engine::game::{Position, Side};

use super::ends::end_words;
use super::opening_name::{OpeningName, opening_name};
use super::san::san;
use super::view::{GameView, each_move, expected_words, unreadable};
use crate::config::MoveLimit;
use crate::openings::is_text_of_chess960;
use crate::record::Score;

const COLUMNS_MAX: usize = 80;

pub(super) fn write(output: &mut dyn Write, view: &GameView<'_>) -> io::Result<()> {
    let start: Board = view.start()?.0;
    let start = start.to_string();
    let Moves {
        plies,
        words,
        opening,
    } = moves(view)?;
    let result = match view.winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    };
    let date = view.times("%Y.%m.%d").map(|[start, _]| start);
    let mut tags = vec![
        ("Event", view.event()),
        ("Site", view.site().unwrap_or("?".into())),
        ("Date", date.map_or("????.??.??".into(), Cow::from)),
        ("Round", view.number.to_string().into()),
        ("White", view.name(Side::First)),
        ("Black", view.name(Side::Second)),
        ("Result", result.into()),
    ];
    if start != Board::start().to_string() {
        tags.extend([("SetUp", "1".into()), ("FEN", start.as_str().into())]);
    }
    tags.extend([
        ("PlyCount", plies.to_string().into()),
        ("Termination", end_words(view).pgn.into()),
    ]);
    let controls = match view.time_controls {
        [white, black] if white == black => [("TimeControl", white), ("", "")],
        [white, black] => [("WhiteTimeControl", white), ("BlackTimeControl", black)],
    };
    let controls = controls.into_iter().filter(|(_, control)| !control.is_empty());
    tags.extend(controls.map(|(name, control)| (name, control.into())));
    tags.extend(duration(view).map(|duration| ("GameDuration", duration.into())));
    if let Some([start, end]) = view.times("%Y-%m-%dT%H:%M:%S +0000") {
        tags.extend([("GameStartTime", start.into()), ("GameEndTime", end.into())]);
    }
    tags.extend(is_text_of_chess960(&start).then(|| ("Variant", "Chess960".into())));
    let opening = opening.map(|opening| [("ECO", opening.eco.into()), ("Opening", opening.name.into())]);
    tags.extend(opening.into_iter().flatten());
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(output, "[{name} \"{value}\"]")?;
    }
    writeln!(output)?;
    let words: Vec<String> = words.into_iter().chain([result.to_owned()]).collect();
    write_wrapped(output, &words)?;
    writeln!(output)
}

struct Moves {
    plies: usize,
    words: Vec<String>,
    opening: Option<OpeningName>,
}

fn moves(view: &GameView<'_>) -> io::Result<Moves> {
    let (start, _): (Board, _) = view.start()?;
    // The pieces of Chess960 may stand as in chess, but its openings are others.
    let is_named = !is_text_of_chess960(&start.to_string());
    let name_of = |board: &Board| if is_named { opening_name(board) } else { None };
    let (mut plies, mut words) = (0, Vec::new());
    let mut opening = name_of(&start);
    let mut last_comment = None;
    each_move(view, |turn, mv, [before, after]: [&Board; 2]| {
        push_comment(&mut words, last_comment.take());
        plies += 1;
        let number = before.move_number();
        words.push(match before.side_to_move() {
            Side::First => format!("{number}."),
            // A comment or the beginning of the game stands before it.
            Side::Second => format!("{number}..."),
        });
        let no_move = || unreadable(view, &format!("{mv} is no move at ply {plies}"));
        words.push(san(before, mv).ok_or_else(no_move)?);
        opening = name_of(after).or(opening);
        last_comment = match turn {
            Some(index) => comment(view, index, after),
            None => Some("book".to_owned()),
        };
        Ok(())
    })?;
    // Readers expect one comment after a move.
    let reason = view.game.reason.name();
    let last_comment = last_comment.map_or(reason.to_owned(), |comment| format!("{comment}, {reason}"));
    push_comment(&mut words, Some(last_comment));
    Ok(Moves {
        plies,
        words,
        opening,
    })
}

fn push_comment(words: &mut Vec<String>, comment: Option<String>) {
    if let Some(comment) = comment {
        let comment = format!("{{{comment}}}");
        words.extend(comment.split_whitespace().map(str::to_owned));
    }
}

fn comment(view: &GameView<'_>, index: usize, after: &Board) -> Option<String> {
    let turn = view.game.turns.get(index)?;
    let mut text = match turn.score {
        None => turn.depth.to_string(),
        Some(Score::Centipawns(value)) => {
            let sign = if value < 0 { '-' } else { '+' };
            let size = value.unsigned_abs();
            format!("{sign}{}.{:02}/{}", size / 100, size % 100, turn.depth)
        }
        Some(Score::Mate(plies)) => {
            let sign = if plies > 0 { '+' } else { '-' };
            format!("{sign}M{}/{}", plies.unsigned_abs(), turn.depth)
        }
    };
    if let Some(time_ms) = view.time_ms(index) {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}.{:03}s", time_ms / 1000, time_ms % 1000);
    }
    if turn.nodes > 0 {
        let _ = write!(text, ", n={}", turn.nodes);
    }
    let expected = expected_words(view, index, after, |board, mv| {
        // Only legal moves are asked for.
        san(board, mv).unwrap_or_else(|| mv.to_string())
    });
    if !expected.is_empty() {
        let _ = write!(text, ", pv=\"{}\"", expected.join(" "));
    }
    if let Some(comment) = view.comment(index) {
        let _ = write!(text, ", {}", comment.replace('{', "(").replace('}', ")"));
    }
    Some(text)
}

/// What a move is played by, in the words of the tag `TimeControl`: seconds, `-` for none.
pub(super) fn time_control(limit: MoveLimit) -> String {
    let seconds = |time_ms: u64| {
        let text = format!("{}.{:03}", time_ms / 1000, time_ms % 1000);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match limit {
        MoveLimit::Nodes(_) | MoveLimit::Depth(_) => "-".to_owned(),
        MoveLimit::MoveTimeMs(time_ms) => format!("1/{}", seconds(time_ms)),
        // The format has no word for it.
        MoveLimit::Clock(clock) if clock.byoyomi_ms > 0 => "?".to_owned(),
        MoveLimit::Clock(clock) => {
            let period = (clock.period_moves > 0).then(|| format!("{}/", clock.period_moves));
            let increment = (clock.increment_ms > 0).then(|| format!("+{}", seconds(clock.increment_ms)));
            let base = seconds(clock.base_ms);
            format!(
                "{}{base}{}",
                period.unwrap_or_default(),
                increment.unwrap_or_default()
            )
        }
    }
}

fn duration(view: &GameView<'_>) -> Option<String> {
    let span = view.header.has_times.then_some(view.game.span)?;
    let seconds = span.end_ms.saturating_sub(span.start_ms) / 1000;
    Some(format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    ))
}

fn write_wrapped(output: &mut dyn Write, words: &[String]) -> io::Result<()> {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() >= COLUMNS_MAX {
            writeln!(output)?;
            column = 0;
        } else if column > 0 {
            write!(output, " ")?;
            column += 1;
        }
        write!(output, "{word}")?;
        column += word.len();
    }
    writeln!(output)
}
