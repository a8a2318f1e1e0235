//! CSA V2.2 (<http://www2.computer-shogi.org/protocol/record_v22.html>).
//!
//! A score stands in a comment after its move as Floodgate writes it, `'** 123`, in centipawns from black's view, and after it
//! the moves that were expected next.

use std::io::{self, Write};

use tanren_engine::game::Side;
use tanren_engine::shogi::{Board, Kind, Move, Piece, Square};

use super::ends::end_words;
use super::view::{GameView, each_move, expected_words, plain_centipawns, ranks};
use crate::record::Reason;

pub(super) fn write(output: &mut dyn Write, view: &GameView<'_>) -> io::Result<()> {
    let [first, second] = [Side::First, Side::Second].map(|side| view.name(side));
    writeln!(
        output,
        "V2.2\nN+{first}\nN-{second}\n$EVENT:{} game {}",
        view.event(),
        view.number
    )?;
    if let Some(site) = view.site() {
        writeln!(output, "$SITE:{site}")?;
    }
    if let Some([start, end]) = view.times("%Y/%m/%d %H:%M:%S") {
        writeln!(output, "$START_TIME:{start}\n$END_TIME:{end}")?;
    }
    write_position(output, &view.start()?.0)?;
    each_move(view, |turn, mv, [before, after]: [&Board; 2]| {
        writeln!(output, "{}{}", sign(before.side()), move_text(before, mv))?;
        match turn {
            Some(index) => write_turn(output, view, index, before.side(), after),
            None => writeln!(output, "'book"),
        }
    })?;
    writeln!(output, "'{}", view.game.reason.name())?;
    writeln!(output, "{}", end_words(view).csa)?;
    if let Some(time_ms) = view.time_ms(view.game.moves.len()) {
        writeln!(output, "T{}", time_ms / 1000)?;
    }
    // As Floodgate writes it, since not every end says who won.
    if view.game.reason == Reason::Unplayed {
        return Ok(());
    }
    let result = |side| match view.winner {
        None => "draw",
        Some(winner) if winner == side => "win",
        Some(_) => "lose",
    };
    let [one, two] = [Side::First, Side::Second].map(result);
    let reason = view.game.reason.name();
    writeln!(output, "'summary:{reason}:{first} {one}:{second} {two}")
}

fn write_turn(
    output: &mut dyn Write,
    view: &GameView<'_>,
    index: usize,
    side: Side,
    after: &Board,
) -> io::Result<()> {
    let Some(turn) = view.game.turns.get(index) else {
        return Ok(());
    };
    if let Some(time_ms) = view.time_ms(index) {
        writeln!(output, "T{}", time_ms / 1000)?;
    }
    if let Some(score) = turn.score {
        write!(output, "'** {}", plain_centipawns(score, side))?;
        let word = |board: &Board, mv| format!(" {}{}", sign(board.side()), move_text(board, mv));
        writeln!(output, "{}", expected_words(view, index, after, word).concat())?;
    }
    write!(output, "'depth {} nodes {}", turn.depth, turn.nodes)?;
    match view.time_ms(index) {
        Some(time_ms) => writeln!(output, " time {time_ms} ms")?,
        None => writeln!(output)?,
    }
    match view.comment(index) {
        Some(comment) => writeln!(output, "'info {comment}"),
        None => Ok(()),
    }
}

fn write_position(output: &mut dyn Write, board: &Board) -> io::Result<()> {
    let cell = |piece: Piece| match piece.is_none() {
        true => " * ".to_owned(),
        false => format!("{}{}", sign(piece.side()), piece_text(piece.kind())),
    };
    for (rank, cells) in (1..).zip(ranks(board, cell)) {
        writeln!(output, "P{rank}{cells}")?;
    }
    for side in [Side::First, Side::Second] {
        let hand = board.hand(side);
        if hand.is_empty() {
            continue;
        }
        write!(output, "P{}", sign(side))?;
        for kind in Kind::HAND {
            for _ in 0..hand.count(kind) {
                write!(output, "00{}", piece_text(kind))?;
            }
        }
        writeln!(output)?;
    }
    writeln!(output, "{}", sign(board.side()))
}

/// Origin, destination and the piece that stands there afterwards.
fn move_text(board: &Board, mv: Move) -> String {
    let to = square_text(mv.to());
    if mv.is_drop() {
        return format!("00{to}{}", piece_text(mv.dropped()));
    }
    let arriving: Piece = mv.arriving(board.piece_on(mv.from()));
    format!("{}{to}{}", square_text(mv.from()), piece_text(arriving.kind()))
}

fn square_text(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

fn sign(side: Side) -> char {
    match side {
        Side::First => '+',
        Side::Second => '-',
    }
}

const PIECES: [&str; 14] = [
    "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY",
];

fn piece_text(kind: Kind) -> &'static str {
    PIECES[kind as usize - 1]
}
