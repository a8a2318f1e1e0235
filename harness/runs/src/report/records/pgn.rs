//! PGN, export format (Edwards, "Portable Game Notation Specification", 1994).
//!
//! A comment after each move holds score and depth from its player's view, `{+0.35/7}`, mates as `+M5` in plies, and the
//! time in seconds where it decided what was played, the nodes, `n=1000`, and `pv="…"` if moves were expected next.
//! An opening has the name of the last position of its game that has one, the first included.

use std::fmt::Write as _;
use std::io::{self, Write};

use tanren_engine::chess::Board;
use tanren_engine::game::Side;

use super::ends::end_words;
use super::opening_name::{OpeningName, opening_name};
use super::san::san;
use super::view::{GameView, each_move, expected_words, unreadable};
use crate::config::MoveLimit;
use crate::openings::is_text_of_chess960;
use crate::record::Score;
use crate::sanitize;

const COLUMNS_MAX: usize = 80;

pub(super) fn write(output: &mut dyn Write, view: &GameView<'_>) -> io::Result<()> {
    let (mut words, opening) = moves(view)?;
    let result = match view.winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    };
    let mut tags = vec![
        ("Event", view.event()),
        ("Site", "?".into()),
        ("Date", "????.??.??".into()),
        ("Round", view.number.to_string().into()),
        ("White", view.name(Side::First)),
        ("Black", view.name(Side::Second)),
        ("Result", result.into()),
        ("SetUp", "1".into()),
        ("FEN", sanitize::line(view.opening)),
        ("PlyCount", view.game.moves.len().to_string().into()),
        ("Termination", end_words(view).pgn.into()),
    ];
    let controls = match view.time_controls {
        [white, black] if white == black => [("TimeControl", white), ("", "")],
        [white, black] => [("WhiteTimeControl", white), ("BlackTimeControl", black)],
    };
    let controls = controls.into_iter().filter(|(_, control)| !control.is_empty());
    tags.extend(controls.map(|(name, control)| (name, control.into())));
    tags.extend(duration(view).map(|duration| ("GameDuration", duration.into())));
    tags.extend(is_text_of_chess960(view.opening).then(|| ("Variant", "Chess960".into())));
    let opening = opening.map(|opening| [("ECO", opening.eco.into()), ("Opening", opening.name.into())]);
    tags.extend(opening.into_iter().flatten());
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(output, "[{name} \"{value}\"]")?;
    }
    words.push(format!("{{{}}}", view.game.reason.name()));
    words.push(result.to_owned());
    writeln!(output)?;
    write_wrapped(output, &words)?;
    writeln!(output)
}

fn moves(view: &GameView<'_>) -> io::Result<(Vec<String>, Option<OpeningName>)> {
    // The pieces of Chess960 may stand as in chess, but its openings are others.
    let is_named = !is_text_of_chess960(view.opening);
    let name_of = |board: &Board| if is_named { opening_name(board) } else { None };
    let mut words = Vec::new();
    let mut opening = name_of(&view.start()?);
    each_move(view, |index, mv, [before, after]: [&Board; 2]| {
        let number = before.inner().fullmove_number();
        words.push(match view.side(index) {
            Side::First => format!("{number}."),
            // A comment or the beginning of the game stands before it.
            Side::Second => format!("{number}..."),
        });
        let no_move = || unreadable(view, &format!("{mv} is no move at ply {}", index + 1));
        words.push(san(before, mv).ok_or_else(no_move)?);
        opening = name_of(after).or(opening);
        let comment = comment(view, index, after).unwrap_or_default();
        words.extend(comment.split_whitespace().map(str::to_owned));
        Ok(())
    })?;
    Ok((words, opening))
}

fn comment(view: &GameView<'_>, index: usize, after: &Board) -> Option<String> {
    let turn = view.game.turns.get(index)?;
    let mut text = match turn.score {
        None => format!("{{{}", turn.depth),
        Some(Score::Centipawns(value)) => {
            let sign = if value < 0 { '-' } else { '+' };
            let size = value.unsigned_abs();
            format!("{{{sign}{}.{:02}/{}", size / 100, size % 100, turn.depth)
        }
        Some(Score::Mate(plies)) => {
            let sign = if plies > 0 { '+' } else { '-' };
            format!("{{{sign}M{}/{}", plies.unsigned_abs(), turn.depth)
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
    text.push('}');
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
    let turns = 0..view.game.turns.len();
    let time_ms = turns.map(|index| view.time_ms(index)).sum::<Option<u64>>()?;
    let seconds = time_ms / 1000;
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
