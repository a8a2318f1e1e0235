//! What engines say, for `fuzz/`.

use tanren_engine::game::{GameMove, Position};

use super::bits_of;
use super::engine_line::{BestMove, EngineLine, Info, in_plies, texts};
use super::lines::LineBuffer;
use super::option::EngineOption;
use crate::config::EngineProtocol;

pub fn hear<P: Position>(protocol: EngineProtocol, bytes: &[u8], chunk: usize) {
    let mut lines = LineBuffer::new();
    let mut info = Info::default();
    for chunk in bytes.chunks(chunk.max(1)) {
        lines.feed(chunk, |line| hear_line::<P>(protocol, line, &mut info));
    }
}

fn hear_line<P: Position>(protocol: EngineProtocol, line: &[u8], info: &mut Info) {
    match EngineLine::parse(line) {
        EngineLine::Info(later, words) => {
            info.update(later);
            let _ = info.score.map(|score| in_plies(protocol, score));
            bits_of::<P::Move>(texts(words)).for_each(drop);
        }
        EngineLine::Best(Some(BestMove::Move { text, ponder })) => {
            let position = P::start();
            if let Ok(mv) = P::Move::parse(text)
                && position.is_pseudo_legal(mv)
                && position.is_legal(mv)
            {
                let mut next = position.clone();
                next.make(mv);
                let _ = ponder.map(|ponder| next.parse_move(ponder));
            }
        }
        EngineLine::Option(text) => option(&String::from_utf8_lossy(text), ""),
        _ => {}
    }
}

pub fn option(text: &str, value: &str) {
    if let Ok(option) = EngineOption::parse(text)
        && let Ok(line) = option.set_line(value)
    {
        assert_eq!(line.matches(['\n', '\r']).count(), 1, "one line: {line:?}");
    }
}
