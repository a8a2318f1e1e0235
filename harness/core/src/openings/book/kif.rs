//! Games of shogi in KIF (<http://kakinoki.o.oo7.jp/kif_format.html>), in UTF-8 or Shift_JIS.
//!
//! Comments, times, variations and ends are passed over.

use std::borrow::Cow;

use tanren_engine::game::{Position, Side};
use tanren_engine::shogi::{Board, Kind, Square};

use super::diagram::Diagram;
use super::entry::{EntrySink, Replay, numbered_lines};

const FILES: &str = "１２３４５６７８９";
const RANKS: &str = "一二三四五六七八九";
/// In the order of [`Kind::ALL`], with other names of the same.
const KINDS: &str = "歩 香 桂 銀 角 飛 金 玉|王 と 成香|杏 成桂|圭 成銀|全 馬 龍|竜";
const HANDICAPS: [(&str, &[u8]); 13] = [
    ("平手", &[]),
    ("香落ち", &[11]),
    ("右香落ち", &[91]),
    ("角落ち", &[22]),
    ("飛車落ち", &[82]),
    ("飛香落ち", &[82, 11]),
    ("二枚落ち", &[82, 22]),
    ("四枚落ち", &[82, 22, 11, 91]),
    ("五枚落ち", &[82, 22, 11, 91, 81]),
    ("左五枚落ち", &[82, 22, 11, 91, 21]),
    ("六枚落ち", &[82, 22, 11, 91, 81, 21]),
    ("八枚落ち", &[82, 22, 11, 91, 81, 21, 71, 31]),
    ("十枚落ち", &[82, 22, 11, 91, 81, 21, 71, 31, 61, 41]),
];

pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::SHIFT_JIS.decode(bytes).0,
    }
}

pub(super) fn each(text: &str, plies: Option<u32>, found: &mut EntrySink<'_, Board>) {
    let mut game = KifGame::new(1, plies);
    for (line, content) in numbered_lines(text) {
        if content.is_empty() || content.starts_with(['*', '&', '#']) {
            continue;
        }
        let number_end = content.bytes().take_while(u8::is_ascii_digit).count();
        let read = if number_end > 0 && content[number_end..].starts_with([' ', '\u{3000}']) {
            game.play(content[number_end..].trim())
        } else {
            if game.is_over_before(content) {
                game.end(found);
                game = KifGame::new(line, plies);
            }
            game.header(content)
        };
        if let Err(message) = read {
            game.replay.refuse(line, content, message);
        }
    }
    game.end(found);
}

struct KifGame {
    replay: Replay<Board>,
    /// From the first line on that tells of the start or of a move.
    diagram: Option<Diagram>,
    /// Ranks of the diagram that were read.
    ranks: u8,
    to: Option<Square>,
    /// Variations and what follows the end.
    is_passed_over: bool,
}

impl KifGame {
    fn new(line: u32, plies: Option<u32>) -> KifGame {
        KifGame {
            replay: Replay::new(line, plies),
            diagram: None,
            ranks: 0,
            to: None,
            is_passed_over: false,
        }
    }

    fn diagram(&mut self) -> &mut Diagram {
        self.diagram.get_or_insert_with(Diagram::start)
    }

    fn is_over_before(&self, content: &str) -> bool {
        let begins = content.contains('：') || content.starts_with("手数");
        (self.replay.board.is_some() || self.is_passed_over) && begins && !content.starts_with("変化")
    }

    fn header(&mut self, content: &str) -> Result<(), String> {
        if content.starts_with("変化") {
            self.is_passed_over = true;
            return Ok(());
        }
        if let Some(handicap) = content.strip_prefix("手合割：") {
            return self.handicap(handicap.trim_matches([' ', '\u{3000}']));
        }
        if content.starts_with("手数") {
            self.diagram();
            return Ok(());
        }
        for (prefix, side) in [
            ("先手の持駒：", Side::First),
            ("下手の持駒：", Side::First),
            ("後手の持駒：", Side::Second),
            ("上手の持駒：", Side::Second),
        ] {
            if let Some(hand) = content.strip_prefix(prefix) {
                return self.hand(side, hand);
            }
        }
        let is_second_to_move = content == "後手番" || content == "上手番";
        if let Some(diagram) = self.diagram.as_mut().filter(|_| is_second_to_move) {
            diagram.side = Side::Second;
        }
        match content.strip_prefix('|') {
            Some(rank) => self.rank(rank),
            None => Ok(()),
        }
    }

    fn handicap(&mut self, name: &str) -> Result<(), String> {
        let diagram = self.diagram();
        if name == "その他" {
            return Ok(());
        }
        let known = HANDICAPS.iter().find(|(known, _)| *known == name);
        let (_, given_up) = known.ok_or("this handicap is not known: give the position as a diagram")?;
        for &square in *given_up {
            diagram.set([square / 10, square % 10], None)?;
        }
        if !given_up.is_empty() {
            diagram.side = Side::Second;
        }
        Ok(())
    }

    fn hand(&mut self, side: Side, text: &str) -> Result<(), String> {
        let diagram = self.diagram();
        for part in text
            .split([' ', '\u{3000}'])
            .filter(|part| !part.is_empty() && *part != "なし")
        {
            let (kind, count) = kind_of(part).ok_or_else(|| format!("'{part}' is no piece"))?;
            let count = count_of(count).ok_or_else(|| format!("'{count}' is no number"))?;
            diagram.hold(side, kind, count)?;
        }
        Ok(())
    }

    fn rank(&mut self, text: &str) -> Result<(), String> {
        let is_first = self.ranks == 0;
        self.ranks += 1;
        let rank = self.ranks;
        let diagram = self.diagram();
        if is_first {
            diagram.clear_board();
        }
        let mut letters = text.chars();
        for file in (1..=9).rev() {
            let (sign, name) = (letters.next(), letters.next().unwrap_or('・').to_string());
            let side = if sign == Some('v') {
                Side::Second
            } else {
                Side::First
            };
            let piece = match name.as_str() {
                "・" => None,
                _ => Some((
                    side,
                    kind_of(&name).ok_or_else(|| format!("'{name}' is no piece"))?.0,
                )),
            };
            diagram.set([file, rank], piece)?;
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        self.diagram();
        if self.is_passed_over || self.replay.is_played_out() {
            return Ok(());
        }
        let board = match (&self.replay.board, &self.diagram) {
            (None, Some(diagram)) => self.replay.board.insert(diagram.board()?),
            (Some(board), _) => board,
            (None, None) => return Ok(()),
        };
        let Some((to, behind)) = destination(text, self.to) else {
            // A word such as 投了 ends the game.
            self.is_passed_over = true;
            return Ok(());
        };
        let no_move = || "it is no move".to_owned();
        let (kind, behind) = kind_of(behind).ok_or_else(no_move)?;
        let usi = match behind.split_once('(') {
            _ if behind.starts_with('打') => format!("{}*{to}", kind.letter()),
            Some((promotion, from)) => {
                let from = from
                    .split(')')
                    .next()
                    .and_then(|from| from.parse::<u8>().ok())
                    .ok_or_else(no_move)?;
                let rank = (from % 10).checked_sub(1).ok_or_else(no_move)?;
                let promotes = if promotion.starts_with('成') { "+" } else { "" };
                format!("{}{}{to}{promotes}", from / 10, char::from(b'a' + rank))
            }
            None => return Err(no_move()),
        };
        let mv = board.parse_move(&usi).map_err(|error| error.to_string())?;
        if !mv.is_drop() && board.piece_on(mv.from()).kind() != kind {
            return Err(format!(
                "on {} stands {:?}, not {kind:?}",
                mv.from(),
                board.piece_on(mv.from()).kind()
            ));
        }
        self.to = Some(mv.to());
        self.replay.play(mv);
        Ok(())
    }

    fn end(self, found: &mut EntrySink<'_, Board>) {
        let start = || self.diagram.map(|diagram| diagram.board());
        self.replay.end(start, found);
    }
}

/// Where a move goes, and what is written behind; `last` is where the last one went.
fn destination(text: &str, last: Option<Square>) -> Option<(Square, &str)> {
    if let Some(behind) = text.strip_prefix('同') {
        return Some((last?, behind.trim_start_matches([' ', '\u{3000}'])));
    }
    let mut letters = text.chars();
    let (file, rank) = (letters.next()?, letters.next()?);
    let digit = |letter: char, names: &str| {
        let named = names.chars().position(|name| name == letter);
        let index = named.or_else(|| letter.to_digit(10)?.checked_sub(1).map(|index| index as usize));
        index.map(|index| index as u8)
    };
    Some((
        Square::at(digit(file, FILES)?, digit(rank, RANKS)?),
        letters.as_str(),
    ))
}

fn kind_of(text: &str) -> Option<(Kind, &str)> {
    let mut known = KINDS.split(' ').zip(Kind::ALL);
    known.find_map(|(names, kind)| {
        let behind = names.split('|').find_map(|name| text.strip_prefix(name));
        Some((kind, behind?))
    })
}

/// Chinese numerals up to 18; none is one.
fn count_of(text: &str) -> Option<u32> {
    let ones = |text: &str| match text {
        "" => Some(0),
        _ => (1..)
            .zip(RANKS.chars())
            .find_map(|(count, name)| (text == name.to_string()).then_some(count)),
    };
    match text.strip_prefix('十') {
        Some(behind) => Some(10 + ones(behind)?),
        None => Some(ones(text)?.max(1)),
    }
}
