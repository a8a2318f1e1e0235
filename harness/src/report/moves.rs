//! Move lists, one line a game.
//!
//! In: the moves of counted games. Out: lines. Must not: judge a game again.

use std::io::Write;
use std::marker::PhantomData;

use tanren_engine::game::{GameMove, Position};

use crate::ledger::GameMoves;

/// Writes games as lines, `sfen <position> moves <move> …`, and remembers the text of every move: a long run has millions
/// of moves, but only some thousand different ones.
pub(super) struct MoveLines<P> {
    /// By bits: the length, then the text; length 0 is not known yet.
    texts: Vec<[u8; MOVE_TEXT_MAX + 1]>,
    position: PhantomData<P>,
}

/// Longest text of a move that is remembered.
const MOVE_TEXT_MAX: usize = 7;

impl<P: Position> MoveLines<P> {
    pub(super) fn new() -> Self {
        MoveLines {
            texts: vec![[0; MOVE_TEXT_MAX + 1]; 1 << 16],
            position: PhantomData,
        }
    }

    /// Writes one game.
    pub(super) fn write(&mut self, output: &mut impl Write, game: &GameMoves<'_>) -> std::io::Result<()> {
        write!(output, "{} {} moves", P::GAME.notation(), game.opening)?;
        for bytes in game.moves.chunks_exact(2) {
            output.write_all(b" ")?;
            self.write_move(output, u16::from_le_bytes([bytes[0], bytes[1]]))?;
        }
        writeln!(output)
    }

    fn write_move(&mut self, output: &mut impl Write, bits: u16) -> std::io::Result<()> {
        let entry = &mut self.texts[usize::from(bits)];
        if entry[0] == 0 {
            let text = P::Move::from_bits(bits).to_string();
            if text.len() > MOVE_TEXT_MAX {
                return output.write_all(text.as_bytes());
            }
            entry[0] = text.len() as u8;
            entry[1..=text.len()].copy_from_slice(text.as_bytes());
        }
        output.write_all(&entry[1..=usize::from(entry[0])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_engine::shogi::Board;

    #[test]
    fn a_game_is_one_line_of_position_and_moves() {
        let position = Board::start();
        let first = position.parse_move("7g7f").unwrap().bits().to_le_bytes();
        let mut output = Vec::new();
        let game = GameMoves {
            pair: 0,
            opening: "startpos",
            moves: &first,
        };
        MoveLines::<Board>::new().write(&mut output, &game).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text, "sfen startpos moves 7g7f\n");
    }
}
