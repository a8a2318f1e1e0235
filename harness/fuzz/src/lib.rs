//! What the targets of the engine ask for: everything that holds in any position.

use std::io;

use tanren_engine::game::{GameMove, MoveList, Path, Position};
use tanren_engine::protocol::ProtocolSession;
use tanren_engine::shogi::Board;

/// A text is refused, or is a position that can be written, read, and played on for two plies.
pub fn position<P: Position>(text: &str) {
    let Ok(mut position) = P::parse(text) else {
        return;
    };
    let written = position.to_string();
    let read = P::parse(&written).map(|read| (read.key(), read.to_string()));
    assert_eq!(read, Ok((position.key(), written)));
    for mv in legal(&position) {
        let (key, text) = (position.key(), mv.to_string());
        assert_eq!(position.parse_move(&text), Ok(mv));
        let undo = position.make(mv);
        let next = position.to_string();
        assert_eq!(
            P::parse(&next).map(|read| read.in_check()),
            Ok(position.in_check()),
            "{next}"
        );
        let counted = position.count_legal_all();
        assert_eq!(counted, legal(&position).len(), "{next}");
        position.unmake(mv, undo);
        assert_eq!(position.key(), key);
    }
}

/// Each two bytes are a move as a ledger has it; then each word is one as text.
pub fn moves<P: Position>(input: &[u8]) {
    let mut position = P::start();
    let mut path = Path::new(&position);
    for bits in input.chunks_exact(2) {
        let mv = P::Move::from_bits(u16::from_le_bytes([bits[0], bits[1]]));
        let _ = mv.to_string();
        if position.is_pseudo_legal(mv) && position.is_legal(mv) {
            assert!(legal(&position).contains(&mv), "{mv} in {position}");
            position.make(mv);
            path.push(&position);
        }
    }
    let mut position = P::start();
    for word in String::from_utf8_lossy(input).split_ascii_whitespace() {
        // One that stays where it is has the form of a move, and is written as none.
        if let Ok(mv) = P::Move::parse(word)
            && let Ok(again) = P::Move::parse(&mv.to_string())
        {
            assert_eq!(again, mv, "{word}");
        }
        if let Ok(mv) = position.parse_move(word)
            && position.is_legal(mv)
        {
            assert_eq!(P::Move::parse(&mv.to_string()), Ok(mv), "{word}");
            position.make(mv);
        }
    }
}

fn legal<P: Position>(position: &P) -> Vec<P::Move> {
    let mut list = MoveList::new();
    position.legal_all(&mut list);
    list.to_vec()
}

/// Lines are told to the engine, which must answer or ignore them and leave at the end. What takes long or much memory by
/// design is left out.
pub fn session(input: &[u8]) {
    let mut lines = b"setoption name USI_Hash value 1\n".to_vec();
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let is_long = text.contains("bench") || text.contains("USI_Hash");
        if is_long {
            continue;
        }
        let is_search = text.trim_start().starts_with("go");
        if is_search {
            lines.extend_from_slice(line.trim_ascii_end());
            lines.extend_from_slice(b" nodes 20\nstop\n");
        } else {
            lines.extend_from_slice(line);
        }
    }
    let talked = ProtocolSession::<Board, _>::new(io::sink()).run(&lines[..]);
    assert!(talked.is_ok());
}
