//! Games of shogi in CSA (<http://www2.computer-shogi.org/protocol/record_v22.html>).
//!
//! Names, times, comments and ends are passed over.

use tanren_engine::game::{Position, Side};
use tanren_engine::shogi::{Board, Kind, Square};

use super::diagram::Diagram;
use super::entry::{EntrySink, Replay, numbered_lines};

/// The kinds of pieces as CSA files name them, in the order of [`Kind::ALL`].
const KINDS: &str = "FU KY KE GI KA HI KI OU TO NY NK NG UM RY";

pub(super) fn each(text: &str, plies: Option<u32>, found: &mut EntrySink<'_, Board>) {
    let mut game = CsaGame::new(1, plies);
    for (line, content) in numbered_lines(text) {
        if content == "/" {
            game.end(found);
            game = CsaGame::new(line + 1, plies);
            continue;
        }
        let is_free_text = content.starts_with(['\'', '$', 'N', 'V', 'T', '%']);
        let statements = content.split(if is_free_text { '\n' } else { ',' });
        for statement in statements.map(str::trim).filter(|text| !text.is_empty()) {
            if let Err(message) = game.read(statement) {
                game.replay.refuse(line, statement, message);
            }
        }
    }
    // A file may end with a `/`.
    game.end(found);
}

struct CsaGame {
    replay: Replay<Board>,
    /// Until the side to move is said.
    diagram: Option<Diagram>,
    has_ended: bool,
}

impl CsaGame {
    fn new(line: u32, plies: Option<u32>) -> CsaGame {
        CsaGame {
            replay: Replay::new(line, plies),
            diagram: None,
            has_ended: false,
        }
    }

    fn read(&mut self, statement: &str) -> Result<(), String> {
        match statement.as_bytes() {
            [b'\'' | b'$' | b'N' | b'V' | b'T', ..] => Ok(()),
            [b'%', ..] => {
                self.has_ended = true;
                Ok(())
            }
            _ if !statement.is_ascii() => Err("it is no statement of CSA".to_owned()),
            [b'P', b'I', ..] => self.start_without(&statement[2..]),
            [b'P', b'1'..=b'9', ..] => self.rank(statement),
            [b'P', b'+' | b'-', ..] => self.pieces(side_of(&statement[1..])?, &statement[2..]),
            [b'+' | b'-'] => self.begin(side_of(statement)?),
            [b'+' | b'-', ..] => self.play(statement),
            _ => Err("it is no statement of CSA".to_owned()),
        }
    }

    fn start_without(&mut self, pieces: &str) -> Result<(), String> {
        let mut diagram = Diagram::start();
        for piece in chunks(pieces, 4)? {
            diagram.set(square_of(&piece[..2])?, None)?;
        }
        self.diagram = Some(diagram);
        Ok(())
    }

    fn rank(&mut self, statement: &str) -> Result<(), String> {
        let rank = statement.as_bytes()[1] - b'0';
        let diagram = self.diagram.get_or_insert_with(Diagram::empty);
        // What stands at the end of a line may be cut off with the blanks.
        let squares = format!("{:<27}", &statement[2..]);
        for (file, square) in (1..=9).rev().zip(chunks(&squares, 3)?) {
            let piece = match square.trim() {
                "" | "*" => None,
                _ => Some((side_of(square)?, kind_of(&square[1..])?)),
            };
            diagram.set([file, rank], piece)?;
        }
        Ok(())
    }

    fn pieces(&mut self, side: Side, pieces: &str) -> Result<(), String> {
        let diagram = self.diagram.get_or_insert_with(Diagram::empty);
        for piece in chunks(pieces, 4)? {
            match piece.split_at(2) {
                ("00", "AL") => diagram.hold_rest(side),
                ("00", kind) => diagram.hold(side, kind_of(kind)?, 1)?,
                (square, kind) => diagram.set(square_of(square)?, Some((side, kind_of(kind)?)))?,
            }
        }
        Ok(())
    }

    fn begin(&mut self, side: Side) -> Result<(), String> {
        let mut diagram = self.diagram.take().unwrap_or_else(Diagram::start);
        diagram.side = side;
        self.replay.board = Some(diagram.board()?);
        Ok(())
    }

    fn play(&mut self, statement: &str) -> Result<(), String> {
        if self.has_ended || self.replay.is_played_out() {
            return Ok(());
        }
        let side = side_of(statement)?;
        if self.replay.board.is_none() {
            self.begin(side)?;
        }
        let parts = chunks(&statement[1..], 2)?;
        let (Some(board), [from, to, kind]) = (&self.replay.board, parts.as_slice()) else {
            return Err("it is no move".to_owned());
        };
        if board.side() != side {
            return Err("it is the other side's turn".to_owned());
        }
        let (to, kind) = (square_text(to)?, kind_of(kind)?);
        let text = if *from == "00" {
            format!("{}*{to}", kind.letter())
        } else {
            let from = square_text(from)?;
            let moving = board.piece_on(Square::parse(&from).map_err(|error| error.to_string())?);
            let promotes = !moving.is_none() && moving.kind() != kind;
            if promotes && !(moving.kind().can_promote() && moving.kind().promoted() == kind) {
                return Err(format!("{:?} cannot become {kind:?}", moving.kind()));
            }
            format!("{from}{to}{}", if promotes { "+" } else { "" })
        };
        let mv = board.parse_move(&text).map_err(|error| error.to_string())?;
        self.replay.play(mv);
        Ok(())
    }

    fn end(self, found: &mut EntrySink<'_, Board>) {
        let start = || self.diagram.map(|diagram| diagram.board());
        self.replay.end(start, found);
    }
}

fn chunks(text: &str, length: usize) -> Result<Vec<&str>, String> {
    if !text.len().is_multiple_of(length) {
        return Err(format!("'{text}' is cut off"));
    }
    Ok((0..text.len())
        .step_by(length)
        .map(|at| &text[at..at + length])
        .collect())
}

fn side_of(text: &str) -> Result<Side, String> {
    match text.as_bytes().first() {
        Some(b'+') => Ok(Side::First),
        Some(b'-') => Ok(Side::Second),
        _ => Err(format!("'{text}' has no side (+ or -)")),
    }
}

fn kind_of(text: &str) -> Result<Kind, String> {
    let mut known = KINDS.split(' ').zip(Kind::ALL);
    known
        .find_map(|(name, kind)| (name == text).then_some(kind))
        .ok_or_else(|| format!("'{text}' is no piece"))
}

fn square_of(text: &str) -> Result<[u8; 2], String> {
    match text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Ok([file - b'0', rank - b'0']),
        _ => Err(format!("'{text}' is no square")),
    }
}

fn square_text(text: &str) -> Result<String, String> {
    let [file, rank] = square_of(text)?;
    Ok(format!("{file}{}", char::from(b'a' + rank - 1)))
}
