//! Records of games, for `fuzz/`.

use tanren_engine::game::{Game, Side};

use super::view::{GameView, RecordHeader};
use super::{RecordFormat, csa, kif, pgn};
use crate::record::GameRecord;

pub fn write(game: Game, opening: &str, record: &GameRecord, name: &str) {
    let header = RecordHeader {
        event: name.to_owned(),
        site: Some(name.to_owned()),
        has_times: true,
        time_controls: Vec::new(),
    };
    let view = GameView {
        header: &header,
        number: 1,
        opening,
        book: "",
        names: [name; 2],
        time_controls: ["10+0.1", ""],
        first: Side::First,
        winner: None,
        game: record,
    };
    let mut output = Vec::new();
    match game {
        Game::Shogi => {
            let _ = csa::write(&mut output, &view);
            let _ = kif::write(&mut output, &view, RecordFormat::Kifu);
        }
        Game::Chess => drop(pgn::write(&mut output, &view)),
    }
    let text = String::from_utf8(output).unwrap_or_default();
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
}
