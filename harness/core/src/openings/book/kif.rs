//! Games of shogi in KIF (<http://kakinoki.o.oo7.jp/kif_format.html>), in UTF-8 or Shift_JIS.
//!
//! Comments, times, variations and ends are passed over.

use std::borrow::Cow;

use tanren_engine::game::{Position, Side};
use tanren_engine::shogi::{Board, Kind, Square};

use super::diagram::Diagram;
use super::entry::{Found, Wrong, is_beyond};

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// Longer names first.
const KINDS: [(&str, Kind); 19] = [
    ("成香", Kind::ProLance),
    ("成桂", Kind::ProKnight),
    ("成銀", Kind::ProSilver),
    ("歩", Kind::Pawn),
    ("香", Kind::Lance),
    ("桂", Kind::Knight),
    ("銀", Kind::Silver),
    ("金", Kind::Gold),
    ("角", Kind::Bishop),
    ("飛", Kind::Rook),
    ("玉", Kind::King),
    ("王", Kind::King),
    ("と", Kind::ProPawn),
    ("杏", Kind::ProLance),
    ("圭", Kind::ProKnight),
    ("全", Kind::ProSilver),
    ("馬", Kind::Horse),
    ("龍", Kind::Dragon),
    ("竜", Kind::Dragon),
];
/// The squares that the stronger side gives its pieces up on.
const HANDICAPS: [(&str, &[[u8; 2]]); 13] = [
    ("平手", &[]),
    ("香落ち", &[[1, 1]]),
    ("右香落ち", &[[9, 1]]),
    ("角落ち", &[[2, 2]]),
    ("飛車落ち", &[[8, 2]]),
    ("飛香落ち", &[[8, 2], [1, 1]]),
    ("二枚落ち", &[[8, 2], [2, 2]]),
    ("四枚落ち", &[[8, 2], [2, 2], [1, 1], [9, 1]]),
    ("五枚落ち", &[[8, 2], [2, 2], [1, 1], [9, 1], [8, 1]]),
    ("左五枚落ち", &[[8, 2], [2, 2], [1, 1], [9, 1], [2, 1]]),
    ("六枚落ち", &[[8, 2], [2, 2], [1, 1], [9, 1], [8, 1], [2, 1]]),
    (
        "八枚落ち",
        &[[8, 2], [2, 2], [1, 1], [9, 1], [8, 1], [2, 1], [7, 1], [3, 1]],
    ),
    (
        "十枚落ち",
        &[
            [8, 2],
            [2, 2],
            [1, 1],
            [9, 1],
            [8, 1],
            [2, 1],
            [7, 1],
            [3, 1],
            [6, 1],
            [4, 1],
        ],
    ),
];

pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::SHIFT_JIS.decode(bytes).0,
    }
}

/// Hands on the position of each game after `plies` moves, or all of them.
pub(super) fn each(text: &str, plies: Option<u32>, found: &mut Found<'_, Board>) {
    let mut game = Game::new(1);
    for (line, content) in (1..).zip(
        text.lines()
            .map(|line| line.trim_matches(['\u{feff}', '\r', ' ', '\t'])),
    ) {
        if content.is_empty() || content.starts_with(['*', '&', '#']) {
            continue;
        }
        let number_end = content.bytes().take_while(u8::is_ascii_digit).count();
        let read = if number_end > 0 && content[number_end..].starts_with([' ', '\u{3000}']) {
            game.play(content[number_end..].trim(), plies)
        } else {
            if game.is_over_before(content) {
                game.end(found);
                game = Game::new(line);
            }
            game.header(content)
        };
        if let (Err(message), None) = (read, &game.wrong) {
            game.wrong = Some(Wrong::new(line, content, message));
        }
    }
    game.end(found);
}

struct Game {
    line: u32,
    is_begun: bool,
    diagram: Diagram,
    /// Ranks of the diagram that were read.
    ranks: u8,
    board: Option<Board>,
    to: Option<Square>,
    played: u32,
    /// Variations and what follows the end.
    is_passed_over: bool,
    wrong: Option<Wrong>,
}

impl Game {
    fn new(line: u32) -> Game {
        Game {
            line,
            is_begun: false,
            diagram: Diagram::start(),
            ranks: 0,
            board: None,
            to: None,
            played: 0,
            is_passed_over: false,
            wrong: None,
        }
    }

    fn is_over_before(&self, content: &str) -> bool {
        let begins = content.contains('：') || content.starts_with("手数");
        (self.board.is_some() || self.is_passed_over) && begins && !content.starts_with("変化")
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
            self.is_begun = true;
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
        if content == "後手番" || content == "上手番" {
            self.diagram.side = Side::Second;
        }
        match content.strip_prefix('|') {
            Some(rank) => self.rank(rank),
            None => Ok(()),
        }
    }

    fn handicap(&mut self, name: &str) -> Result<(), String> {
        self.is_begun = true;
        if name == "その他" {
            return Ok(());
        }
        let known = HANDICAPS.iter().find(|(known, _)| *known == name);
        let (_, given_up) = known.ok_or("this handicap is not known: give the position as a diagram")?;
        for &square in *given_up {
            self.diagram.set(square, None)?;
        }
        if !given_up.is_empty() {
            self.diagram.side = Side::Second;
        }
        Ok(())
    }

    fn hand(&mut self, side: Side, text: &str) -> Result<(), String> {
        self.is_begun = true;
        for part in text
            .split([' ', '\u{3000}'])
            .filter(|part| !part.is_empty() && *part != "なし")
        {
            let (kind, count) = kind_of(part).ok_or_else(|| format!("'{part}' is no piece"))?;
            self.diagram.hold(
                side,
                kind,
                count_of(count).ok_or_else(|| format!("'{count}' is no number"))?,
            )?;
        }
        Ok(())
    }

    fn rank(&mut self, text: &str) -> Result<(), String> {
        if self.ranks == 0 {
            let hands = std::mem::replace(&mut self.diagram, Diagram::empty());
            self.diagram.side = hands.side;
            self.diagram.take_hands(&hands);
        }
        self.ranks += 1;
        self.is_begun = true;
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
            self.diagram.set([file, self.ranks], piece)?;
        }
        Ok(())
    }

    fn play(&mut self, text: &str, plies: Option<u32>) -> Result<(), String> {
        self.is_begun = true;
        if self.is_passed_over || is_beyond(plies, self.played) {
            return Ok(());
        }
        if self.board.is_none() {
            self.board = Some(self.diagram.board().map_err(|error| error.to_string())?);
        }
        let Some(board) = &mut self.board else {
            return Ok(());
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
        board.make(mv);
        self.played += 1;
        Ok(())
    }

    fn end(self, found: &mut Found<'_, Board>) {
        let position = match (self.wrong, self.board) {
            (Some(wrong), _) => Err(wrong),
            (None, Some(board)) => Ok(board),
            (None, None) if self.is_begun => self
                .diagram
                .board()
                .map_err(|error| Wrong::new(self.line, "", error)),
            (None, None) => return,
        };
        found(self.line, position);
    }
}

/// Where a move goes, and what is written behind; `last` is where the last one went.
fn destination(text: &str, last: Option<Square>) -> Option<(Square, &str)> {
    if let Some(behind) = text.strip_prefix('同') {
        return Some((last?, behind.trim_start_matches([' ', '\u{3000}'])));
    }
    let mut letters = text.chars();
    let (file, rank) = (letters.next()?, letters.next()?);
    let digit = |letter: char, names: &[char; 9]| {
        let named = names
            .iter()
            .position(|&name| name == letter)
            .map(|index| index as u8);
        named.or_else(|| letter.to_digit(10).and_then(|digit| (digit as u8).checked_sub(1)))
    };
    Some((
        Square::at(digit(file, &FILES)?, digit(rank, &RANKS)?),
        letters.as_str(),
    ))
}

/// The piece that a text begins with, and what is written behind.
fn kind_of(text: &str) -> Option<(Kind, &str)> {
    KINDS
        .iter()
        .find_map(|(name, kind)| Some((*kind, text.strip_prefix(name)?)))
}

/// Chinese numerals up to 18; none is one.
fn count_of(text: &str) -> Option<u32> {
    let ones = |text: &str| match text {
        "" => Some(0),
        _ => RANKS
            .iter()
            .position(|rank| rank.to_string() == text)
            .map(|index| index as u32 + 1),
    };
    match text.strip_prefix('十') {
        Some(behind) => Some(10 + ones(behind)?),
        None => Some(ones(text)?.max(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, plies: Option<u32>) -> Vec<(u32, Result<String, Wrong>)> {
        let mut all = Vec::new();
        each(text, plies, &mut |line, found| {
            all.push((line, found.map(|board| board.to_string())))
        });
        all
    }

    fn after(moves: &[&str]) -> String {
        let mut board = Board::start();
        for text in moves {
            board.make(board.parse_move(text).unwrap());
        }
        board.to_string()
    }

    const GAME: &str = "# KIF version=2.0\n手合割：平手　　\n先手：甲\n手数----指手---------消費時間--\n\
        \x20  1 ７六歩(77)   ( 0:01/00:00:01)\n*a comment\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ５五角打\n   6 投了\n\
        まで5手で先手の勝ち\n\n変化：3手\n   3 ２六歩(27)\n";

    #[test]
    fn games_are_left_at_the_ply_that_is_asked_for_without_their_variations() {
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"];
        assert_eq!(read(GAME, None), [(1, Ok(after(&moves)))]);
        assert_eq!(read(GAME, Some(2))[0].1, Ok(after(&moves[..2])));
        let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(GAME);
        assert_eq!(text(&bytes), GAME);
    }

    #[test]
    fn handicaps_diagrams_and_several_games_are_understood() {
        let second = "手合割：二枚落ち\n手数----\n   1 ３四歩(33)\n   2 中断\n";
        let diagram = "手合割：その他\n後手の持駒：飛二　角二　金三　銀四　桂四　香四　歩十七　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n\
            +---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ と ・ ・ ・ ・|三\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金\n先手：a\n手数----\n   1 中断\n";
        let found = read(&format!("{GAME}{second}{diagram}"), None);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1].0, 16);
        assert!(
            found[1]
                .1
                .as_ref()
                .unwrap()
                .starts_with("lnsgkgsnl/9/pppppp1pp/6p2/")
        );
        assert_eq!(
            found[2].1.as_deref(),
            Ok("4k4/9/4+P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1")
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, reason) in [
            ("手数----\n   1 ７五歩(77)\n", "illegal"),
            ("手数----\n   1 ７六銀(77)\n", "stands Pawn"),
            ("手数----\n   1 ７六歩\n", "no move"),
            ("手数----\n   1 ７六歩(70)\n", "no move"),
            ("手数----\n   1 ７六歩(255)\n", ""),
            ("手数----\n手合割：裸玉\n", "not known"),
            ("手数----\n後手の持駒：凸\n", "no piece"),
        ] {
            let found = read(text, None);
            let wrong = found[0].1.as_ref().unwrap_err();
            assert!(
                wrong.line == 2 && wrong.message.contains(reason),
                "{text}: {wrong:?}"
            );
        }
    }
}
