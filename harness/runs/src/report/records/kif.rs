//! KIF, the format of Kakinoki's programs (<http://kakinoki.o.oo7.jp/kif_format.html>), in UTF-8 or Shift_JIS.
//!
//! A score stands in a comment after its move as `*#評価値=123`, in centipawns from black's view; another, `*読み筋`, has the moves
//! that were expected next.

use std::io::{self, Write};

use encoding_rs::SHIFT_JIS;
use tanren_engine::game::{Position, Side};
use tanren_engine::shogi::{Board, Kind, Move, Piece, Square};

use super::RecordFormat;
use super::ends::end_words;
use super::view::{GameView, each_move, expected_words, plain_centipawns, ranks};
use crate::record::Reason;

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// Most pieces that hands are written in, dearest first.
const HAND_ORDER: [Kind; 7] = [
    Kind::Rook,
    Kind::Bishop,
    Kind::Gold,
    Kind::Silver,
    Kind::Knight,
    Kind::Lance,
    Kind::Pawn,
];

/// The text as older programs read it, and how many characters the encoding lacks.
pub(super) fn to_shift_jis(text: &str) -> (Vec<u8>, u64) {
    let text = text.replace('\n', "\r\n");
    if let (bytes, _, false) = SHIFT_JIS.encode(&text) {
        return (bytes.into_owned(), 0);
    }
    let (mut bytes, mut replaced) = (Vec::new(), 0);
    for letter in text.chars() {
        match SHIFT_JIS.encode(letter.encode_utf8(&mut [0; 4])) {
            (letter, _, false) => bytes.extend_from_slice(&letter),
            _ => {
                bytes.push(b'?');
                replaced += 1;
            }
        }
    }
    (bytes, replaced)
}

/// In UTF-8; of the encoding it says what `format` says.
pub(super) fn write(output: &mut dyn Write, view: &GameView<'_>, format: RecordFormat) -> io::Result<()> {
    let board: Board = view.start()?.0;
    let encoding = if format == RecordFormat::Kif {
        "Shift_JIS"
    } else {
        "UTF-8"
    };
    writeln!(output, "# KIF version=2.0 encoding={encoding}")?;
    if let Some([start, end]) = view.times("%Y/%m/%d %H:%M:%S") {
        writeln!(output, "開始日時：{start}\n終了日時：{end}")?;
    }
    writeln!(output, "棋戦：{} game {}", view.event(), view.number)?;
    if let Some(site) = view.site() {
        writeln!(output, "場所：{site}")?;
    }
    if board.to_string() == Board::start().to_string() {
        writeln!(output, "手合割：平手")?;
    } else {
        writeln!(output, "手合割：その他")?;
        write_position(output, &board)?;
    }
    let [first, second] = [Side::First, Side::Second].map(|side| view.name(side));
    writeln!(output, "先手：{first}\n後手：{second}")?;
    writeln!(output, "手数----指手---------消費時間--")?;
    let mut total_ms = [0; 2];
    let (mut last_to, mut number) = (None, 1);
    each_move(view, |turn, mv, [before, after]: [&Board; 2]| {
        let text = move_text(before, mv, last_to);
        write_line(output, view, (number, turn), &text, &mut total_ms)?;
        last_to = Some(mv.to());
        number += 1;
        let Some(index) = turn else {
            return writeln!(output, "*定跡");
        };
        write_score(output, view, index, before.side())?;
        write_expected(output, view, index, mv.to(), after)?;
        match view.comment(index) {
            Some(comment) => writeln!(output, "*info {comment}"),
            None => Ok(()),
        }
    })?;
    let last = Some(view.game.moves.len());
    write_line(output, view, (number, last), end_words(view).kif, &mut total_ms)?;
    writeln!(output, "*{}", view.game.reason.name())?;
    write_result(output, view, number - 1)
}

/// The line by which other programs know the result.
fn write_result(output: &mut dyn Write, view: &GameView<'_>, plies: usize) -> io::Result<()> {
    let result = match view.winner {
        Some(Side::First) => "先手の勝ち",
        Some(Side::Second) => "後手の勝ち",
        None if view.game.reason == Reason::Repetition => "千日手",
        None if view.game.reason == Reason::Unplayed => return Ok(()),
        None => "持将棋",
    };
    writeln!(output, "まで{plies}手で{result}")
}

/// Number, move and, if times are told, the time of the move and of all moves of its side.
fn write_line(
    output: &mut dyn Write,
    view: &GameView<'_>,
    (number, turn): (usize, Option<usize>),
    text: &str,
    total_ms: &mut [u64; 2],
) -> io::Result<()> {
    write!(output, "{number:4} {text}")?;
    let timed = turn.and_then(|index| Some((index, view.time_ms(index)?)));
    let Some((index, time_ms)) = timed else {
        return writeln!(output);
    };
    let total = &mut total_ms[view.side(index).index()];
    *total = total.saturating_add(time_ms);
    let (seconds, all) = (time_ms / 1000, *total / 1000);
    writeln!(
        output,
        "   ({:2}:{:02}/{:02}:{:02}:{:02})",
        seconds / 60,
        seconds % 60,
        all / 3600,
        all / 60 % 60,
        all % 60
    )
}

fn write_score(output: &mut dyn Write, view: &GameView<'_>, index: usize, side: Side) -> io::Result<()> {
    let Some(turn) = view.game.turns.get(index) else {
        return Ok(());
    };
    if let Some(score) = turn.score {
        writeln!(output, "*#評価値={}", plain_centipawns(score, side))?;
    }
    writeln!(output, "*深さ {} ノード数 {}", turn.depth, turn.nodes)
}

fn write_expected(
    output: &mut dyn Write,
    view: &GameView<'_>,
    index: usize,
    mut last_to: Square,
    after: &Board,
) -> io::Result<()> {
    let words = expected_words(view, index, after, |board, mv| {
        let sign = match board.side() {
            Side::First => '▲',
            Side::Second => '△',
        };
        let text = move_text(board, mv, Some(last_to));
        last_to = mv.to();
        format!(" {sign}{text}")
    });
    if words.is_empty() {
        return Ok(());
    }
    writeln!(output, "*読み筋{}", words.concat())
}

fn write_position(output: &mut dyn Write, board: &Board) -> io::Result<()> {
    writeln!(output, "後手の持駒：{}", hand_text(board, Side::Second))?;
    writeln!(output, "  ９ ８ ７ ６ ５ ４ ３ ２ １")?;
    writeln!(output, "+---------------------------+")?;
    let cell = |piece: Piece| match piece.side() {
        _ if piece.is_none() => " ・".to_owned(),
        Side::First => format!(" {}", short_name(piece.kind())),
        Side::Second => format!("v{}", short_name(piece.kind())),
    };
    for (name, cells) in RANKS.iter().zip(ranks(board, cell)) {
        writeln!(output, "|{cells}|{name}")?;
    }
    writeln!(output, "+---------------------------+")?;
    writeln!(output, "先手の持駒：{}", hand_text(board, Side::First))?;
    match board.side() {
        Side::First => Ok(()),
        Side::Second => writeln!(output, "後手番"),
    }
}

fn hand_text(board: &Board, side: Side) -> String {
    let hand = board.hand(side);
    let parts: Vec<String> = HAND_ORDER
        .into_iter()
        .filter(|&kind| hand.has(kind))
        .map(|kind| format!("{}{}", short_name(kind), count_text(hand.count(kind))))
        .collect();
    if parts.is_empty() {
        return "なし".to_owned();
    }
    parts.join("　")
}

/// Chinese numerals up to 18; one is not written.
fn count_text(count: u32) -> String {
    let ones = |digit: u32| match digit.checked_sub(1) {
        Some(index) => RANKS[index as usize].to_string(),
        None => String::new(),
    };
    match count {
        0 | 1 => String::new(),
        2..=9 => ones(count),
        _ => format!("十{}", ones(count - 10)),
    }
}

fn move_text(board: &Board, mv: Move, last_to: Option<Square>) -> String {
    let to = mv.to();
    let destination = if last_to == Some(to) {
        "同　".to_owned()
    } else {
        let (file, rank) = (usize::from(to.file()), usize::from(to.rank()));
        format!("{}{}", FILES[file], RANKS[rank])
    };
    if mv.is_drop() {
        return format!("{destination}{}打", long_name(mv.dropped()));
    }
    let from = mv.from();
    let piece = long_name(board.piece_on(from).kind());
    let promotes = if mv.is_promotion() { "成" } else { "" };
    format!(
        "{destination}{piece}{promotes}({}{})",
        from.file() + 1,
        from.rank() + 1
    )
}

fn long_name(kind: Kind) -> &'static str {
    match kind {
        Kind::ProLance => "成香",
        Kind::ProKnight => "成桂",
        Kind::ProSilver => "成銀",
        _ => short_name(kind),
    }
}

fn short_name(kind: Kind) -> &'static str {
    PIECES[kind as usize - 1]
}

/// The names of one character in diagrams, in the order of [`Kind`], which begins at 1.
const PIECES: [&str; 14] = [
    "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍",
];
