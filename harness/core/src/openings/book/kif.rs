//! Games of shogi in KIF (<http://kakinoki.o.oo7.jp/kif_format.html>) and KI2, in UTF-8, Shift_JIS or EUC-JP.
//!
//! Comments, times, variations and ends are passed over.

use std::borrow::Cow;

use encoding_rs::{EUC_JP, SHIFT_JIS};
use tanren_engine::game::{MoveList, Position, Side};
use tanren_engine::shogi::{Board, Kind, Move, Square};

use super::diagram::Diagram;
use super::entry::{EntrySink, Replay, numbered_lines};

/// Files and ranks are written in any of these.
const DIGITS: [&str; 3] = ["１２３４５６７８９", "一二三四五六七八九", "123456789"];
const BLANKS: [char; 2] = [' ', '\u{3000}'];
/// What stands before each move in KI2: first Sente's, then Gote's.
const MARKS: [char; 6] = ['▲', '☗', '△', '☖', '▽', '▼'];
const SENTE_MARKS: usize = 2;
/// In the order of [`Kind::ALL`], with other names of the same.
const KINDS: &str = "歩 香 桂 銀 角 飛 金 玉|王 と 成香|杏 成桂|圭 成銀|全 馬 龍|竜";
/// What stands in place of a move when a game ends.
const ENDS: &str =
    "投了 中断 千日手 持将棋 詰 不詰 切れ負け 時間切れ 反則 入玉 勝ち宣言 不戦 引き分け 引分 封じ手";
const HANDICAPS: [(&str, &[u8]); 16] = [
    ("平手", &[]),
    ("香落", &[11]),
    ("右香落", &[91]),
    ("角落", &[22]),
    ("飛車落", &[82]),
    ("飛香落", &[82, 11]),
    ("二枚落", &[82, 22]),
    ("三枚落", &[82, 22, 11]),
    ("四枚落", &[82, 22, 11, 91]),
    ("五枚落", &[82, 22, 11, 91, 81]),
    ("左五枚落", &[82, 22, 11, 91, 21]),
    ("六枚落", &[82, 22, 11, 91, 81, 21]),
    ("左七枚落", &[82, 22, 11, 91, 81, 21, 31]),
    ("右七枚落", &[82, 22, 11, 91, 81, 21, 71]),
    ("八枚落", &[82, 22, 11, 91, 81, 21, 71, 31]),
    ("十枚落", &[82, 22, 11, 91, 81, 21, 71, 31, 61, 41]),
];

/// What is not UTF-8 is in the one of two encodings in which it has more of the characters that such files are full of.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // It is cut off in a character.
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(bytes),
        Err(_) => {
            let is_common =
                |letter: &char| "先後手歩銀角飛金玉：▲△".contains(*letter) || digit(*letter).is_some();
            let common = |text: &str| text.chars().filter(|c| !c.is_ascii() && is_common(c)).count();
            let [first, second] = [SHIFT_JIS, EUC_JP].map(|encoding| encoding.decode(bytes).0);
            if common(&second) > common(&first) {
                second
            } else {
                first
            }
        }
    }
}

/// Is this a line that only such files have?
pub(super) fn is_telling(line: &str) -> bool {
    let has_key = matches!(key_value(line), Some(("手合割", _)));
    let is_move =
        line.starts_with(MARKS) && line.chars().nth(1).is_some_and(|letter| digit(letter).is_some());
    has_key || is_move || line.starts_with("手数----")
}

pub(super) fn each(text: &str, plies: Option<u32>, found: &mut EntrySink<'_, Board>) {
    let mut game = KifGame::new(1, plies);
    for (line, content) in numbered_lines(text) {
        if content.is_empty() || content.starts_with(['*', '&', '#']) {
            continue;
        }
        if let Some(text) = behind_number(content) {
            game.read(line, content, |game| game.play(text));
        } else if content.starts_with(MARKS) {
            for text in marked(content) {
                game.read(line, text, |game| game.play(text));
            }
        } else {
            if game.is_over_before(content) {
                game.end(found);
                game = KifGame::new(line, plies);
            }
            game.read(line, content, |game| game.header(line, content));
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
    /// The line of a handicap that no name is known of: a diagram may say what it is.
    unknown_handicap: Option<(u32, String)>,
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
            unknown_handicap: None,
            to: None,
            is_passed_over: false,
        }
    }

    fn read(&mut self, line: u32, text: &str, read: impl FnOnce(&mut KifGame) -> Result<(), String>) {
        if let Err(message) = read(self) {
            self.replay.refuse(line, text, message);
        }
    }

    fn diagram(&mut self) -> &mut Diagram {
        self.diagram.get_or_insert_with(Diagram::start)
    }

    fn is_over_before(&self, content: &str) -> bool {
        let key = key_value(content).map(|(key, _)| key);
        let begins = content.starts_with("手数") || key.is_some_and(|key| key != "変化" && !key.is_ascii());
        (self.replay.board.is_some() || self.is_passed_over) && begins
    }

    fn header(&mut self, line: u32, content: &str) -> Result<(), String> {
        if let Some(rank) = content.strip_prefix(['|', '｜']) {
            return self.rank(rank);
        }
        let (key, value) = key_value(content).unwrap_or((content, ""));
        match (key, value) {
            ("手合割", name) => return self.handicap(line, content, name),
            ("先手の持駒" | "下手の持駒", hand) => return self.hand(Side::First, hand),
            ("後手の持駒" | "上手の持駒", hand) => return self.hand(Side::Second, hand),
            ("手番", "先手" | "下手") | ("先手番" | "下手番", _) => self.turn(Side::First),
            ("手番", "後手" | "上手") | ("後手番" | "上手番", _) => self.turn(Side::Second),
            ("変化", _) => self.is_passed_over = true,
            _ if key.starts_with("まで") => self.is_passed_over = true,
            _ if key.starts_with("手数") => {
                self.diagram();
            }
            _ => {}
        }
        Ok(())
    }

    fn turn(&mut self, side: Side) {
        if let Some(diagram) = &mut self.diagram {
            diagram.side = side;
        }
    }

    fn handicap(&mut self, line: u32, content: &str, name: &str) -> Result<(), String> {
        let is_diagram = self.ranks > 0;
        let diagram = self.diagram();
        // Digits of any kind mean the same, and a syllable may be left out.
        let plain: String = name
            .chars()
            .map(|letter| digit(letter).map_or(letter, rank_name))
            .collect();
        let known = HANDICAPS
            .iter()
            .find(|(known, _)| *known == plain.trim_end_matches('ち'));
        let given_up = known.map_or(&[][..], |(_, given_up)| given_up);
        if !given_up.is_empty() || (known.is_none() && plain.contains('落')) {
            diagram.side = Side::Second;
        }
        if is_diagram {
            return Ok(());
        }
        for &square in given_up {
            diagram.set([square / 10, square % 10], None)?;
        }
        if known.is_none() {
            self.unknown_handicap = Some((line, content.to_owned()));
        }
        Ok(())
    }

    fn hand(&mut self, side: Side, text: &str) -> Result<(), String> {
        let diagram = self.diagram();
        for part in text
            .split(BLANKS)
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
        self.unknown_handicap = None;
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

    /// The position before the first move, if any line told of one.
    fn start(&mut self) -> Option<Result<Board, String>> {
        if let Some((line, content)) = self.unknown_handicap.take() {
            let message = "this handicap is not known: give the position as a diagram";
            self.replay.refuse(line, &content, message);
        }
        self.diagram.as_ref().map(Diagram::board)
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        self.diagram();
        if self.is_passed_over || self.replay.is_played_out() {
            return Ok(());
        }
        if self.replay.board.is_none() {
            self.replay.board = self.start().transpose()?;
        }
        let Some(board) = &self.replay.board else {
            return Ok(());
        };
        let mark = MARKS.iter().position(|&mark| text.starts_with(mark));
        let text = text.trim_start_matches(MARKS).trim_start_matches(BLANKS);
        if ENDS.split(' ').any(|end| text.starts_with(end)) {
            self.is_passed_over = true;
            return Ok(());
        }
        let (to, behind) = destination(text, self.to).ok_or("it is neither a move nor the end of a game")?;
        if mark.is_some_and(|mark| (mark < SENTE_MARKS) != (board.side() == Side::First)) {
            return Err("it is the other side's turn".to_owned());
        }
        let no_move = || "it is no move".to_owned();
        let (kind, behind) = kind_of(behind).ok_or_else(no_move)?;
        // What stands in brackets may be the time alone.
        let origin = behind.split_once('(').filter(|_| !behind.starts_with('打'));
        let origin = origin.and_then(|(promotion, from)| {
            let from = from.split(')').next()?.parse::<u8>().ok()?;
            Some((promotion, from))
        });
        let mv = match origin {
            Some((promotion, from)) => {
                let rank = (from % 10).checked_sub(1).ok_or_else(no_move)?;
                let promotes = if promotion.starts_with('成') { "+" } else { "" };
                let usi = format!("{}{}{to}{promotes}", from / 10, char::from(b'a' + rank));
                board.parse_move(&usi).map_err(|error| error.to_string())?
            }
            None if mark.is_some() || behind.starts_with('打') => move_to(board, to, kind, behind)?,
            None => {
                let mv = move_to(board, to, kind, behind)?;
                let origin = if mv.is_drop() {
                    "打".to_owned()
                } else {
                    format!("({}{})", mv.from().file() + 1, mv.from().rank() + 1)
                };
                return Err(format!(
                    "the square that the piece comes from is missing: write {origin} behind it"
                ));
            }
        };
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

    fn end(mut self, found: &mut EntrySink<'_, Board>) {
        let start = if self.replay.board.is_none() {
            self.start()
        } else {
            None
        };
        self.replay.end(|| start, found);
    }
}

/// The key and the value of a line of a header; the colon may be of half width.
fn key_value(content: &str) -> Option<(&str, &str)> {
    let (key, value) = content.split_once(['：', ':'])?;
    Some((key.trim_matches(BLANKS), value.trim_matches(BLANKS)))
}

/// What stands behind the number of a move; above a diagram stand numbers alone.
fn behind_number(content: &str) -> Option<&str> {
    let is_number = |letter: char| letter.is_ascii_digit() || ('０'..='９').contains(&letter);
    let behind = content.trim_start_matches(is_number);
    let text = behind.trim_matches(BLANKS);
    let is_alone = text.trim_start_matches(is_number).starts_with(BLANKS);
    (behind.len() < content.len() && behind.starts_with(BLANKS) && !is_alone).then_some(text)
}

/// The moves of a line, each with the mark before it.
fn marked(mut content: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let first = content.chars().next()?.len_utf8();
        let end = content[first..]
            .find(MARKS)
            .map_or(content.len(), |at| first + at);
        let (text, behind) = content.split_at(end);
        content = behind;
        Some(text.trim())
    })
}

/// The move of a `kind` that is written without its origin. Where several pieces could make it, `words` tell which: 右 and 左 are the
/// outermost of those that are left by 上 (also 行 and 入), 寄, 引 and 直.
fn move_to(board: &Board, to: Square, kind: Kind, words: &str) -> Result<Move, String> {
    let (place, behind) = words.split_at(
        words
            .find(|word| !"右左上行入寄引直打".contains(word))
            .unwrap_or(words.len()),
    );
    let (promotes, behind) = match behind.strip_prefix('成') {
        Some(behind) => (true, behind),
        None => (
            false,
            behind
                .strip_prefix("不成")
                .or(behind.strip_prefix('生'))
                .unwrap_or(behind),
        ),
    };
    if behind.starts_with(|letter: char| !letter.is_whitespace() && letter != '(') {
        return Err("it is no move".to_owned());
    }
    let mut moves = MoveList::new();
    board.legal_all(&mut moves);
    let is_of_kind = |mv: &&Move| match mv.is_drop() {
        true => mv.dropped() == kind && !promotes,
        false => board.piece_on(mv.from()).kind() == kind && mv.is_promotion() == promotes,
    };
    let all = moves
        .iter()
        .filter(|mv| mv.to() == to)
        .filter(is_of_kind)
        .copied();
    let (drops, mut moves): (Vec<Move>, Vec<Move>) = all.partition(|mv| mv.is_drop());
    if place.contains('打') || moves.is_empty() {
        return match drops[..] {
            [mv] => Ok(mv),
            _ => Err(format!("no such move is legal in {board}")),
        };
    }
    let sign = if board.side() == Side::First { 1 } else { -1 };
    let ahead = |mv: &Move| sign * (mv.from().rank() as i8 - to.rank() as i8);
    let rightness = |mv: &Move| sign * (to.file() as i8 - mv.from().file() as i8);
    for word in place.chars() {
        match word {
            '上' | '行' | '入' => moves.retain(|mv| ahead(mv) > 0),
            '引' => moves.retain(|mv| ahead(mv) < 0),
            '寄' => moves.retain(|mv| ahead(mv) == 0),
            '直' => moves.retain(|mv| ahead(mv) > 0 && rightness(mv) == 0),
            _ => {}
        }
    }
    let outermost = match place.chars().find(|word| "右左".contains(*word)) {
        Some('右') => moves.iter().map(rightness).max(),
        Some(_) => moves.iter().map(rightness).min(),
        None => None,
    };
    moves.retain(|mv| outermost.is_none_or(|outermost| rightness(mv) == outermost));
    match moves[..] {
        [mv] => Ok(mv),
        [] => Err(format!("no such move is legal in {board}")),
        _ => Err(format!("it means more than one move in {board}")),
    }
}

/// Where a move goes, and what is written behind; `last` is where the last one went.
fn destination(text: &str, last: Option<Square>) -> Option<(Square, &str)> {
    if let Some(behind) = text.strip_prefix('同') {
        return Some((last?, behind.trim_start_matches(BLANKS)));
    }
    let mut letters = text.chars();
    let (file, rank) = (digit(letters.next()?)?, digit(letters.next()?)?);
    Some((
        Square::at(file, rank),
        letters.as_str().trim_start_matches(BLANKS),
    ))
}

/// From 0.
fn digit(letter: char) -> Option<u8> {
    let index = |names: &&str| names.chars().position(|name| name == letter);
    DIGITS.iter().find_map(index).map(|index| index as u8)
}

fn rank_name(digit: u8) -> char {
    DIGITS[1].chars().nth(digit.into()).unwrap_or_default()
}

fn kind_of(text: &str) -> Option<(Kind, &str)> {
    let mut known = KINDS.split(' ').zip(Kind::ALL);
    known.find_map(|(names, kind)| {
        let behind = names.split('|').find_map(|name| text.strip_prefix(name));
        Some((kind, behind?))
    })
}

/// Numerals up to 18; none is one.
fn count_of(text: &str) -> Option<u32> {
    let ones = |text: &str| {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (None, _) => Some(0),
            (Some(letter), None) => digit(letter).map(|digit| u32::from(digit) + 1),
            _ => None,
        }
    };
    match text.strip_prefix(['十']) {
        Some(behind) => Some(10 + ones(behind)?),
        None => text.parse().ok().or_else(|| Some(ones(text)?.max(1))),
    }
}
