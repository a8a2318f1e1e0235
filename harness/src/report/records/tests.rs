//! Short games in every format, character for character.

use tanren_engine::game::{GameMove, Position};
use tanren_engine::{chess, shogi};

use super::*;
use crate::record::Variations;
use crate::record::{GameRecord, Reason, Score, Turn};

const OPENING_MOVES: [&str; 5] = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"];

fn game<P: Position>(opening: &str, moves: &[&str], reason: Reason, winner: Option<PlayerId>) -> PairRecord {
    let mut board = P::parse(opening).unwrap();
    let mut bits = Vec::new();
    for text in moves {
        let mv = board.parse_move(text).unwrap();
        bits.push(mv.bits());
        board.make(mv);
    }
    // Before its first move a player expects the beginning of the game, and a move that no rules allow.
    let mut expected = Variations::default();
    let impossible = bits
        .iter()
        .take(3)
        .chain(&bits[..1])
        .copied()
        .collect::<Vec<u16>>();
    expected.push(0, if bits.is_empty() { &[] } else { &impossible });
    let scores = [Score::Centipawns(35), Score::Centipawns(-120), Score::Mate(3)];
    let turn = |index: usize| Turn {
        score: Some(scores[index % 3]),
        depth: 7,
        nodes: 1000,
        time_ms: 1500,
    };
    let game = |first| GameRecord {
        first,
        winner,
        reason,
        turns: (0..=bits.len()).map(turn).collect(),
        variations: expected.clone(),
        warnings: [None; 2],
        moves: bits.clone(),
        nodes: [0; 2],
        time_us: [0; 2],
        depth_sum: [0; 2],
        seed: 0,
    };
    PairRecord {
        replayed: Vec::new(),
        pair: 0,
        players: [0, 1],
        opening_line: 1,
        opening: P::parse(opening).unwrap().to_string(),
        games: [game(PlayerId::A), game(PlayerId::B)],
    }
}

fn text(record: &PairRecord, format: RecordFormat, has_times: bool) -> String {
    let labels = ["base".to_owned(), "plain".to_owned()];
    let header = RecordHeader {
        event: "trial".to_owned(),
        has_times,
        time_controls: ["10+0.1", "-"].map(str::to_owned).to_vec(),
    };
    let view = view(record, 0, &labels, format.game(), &header);
    let mut output = Vec::new();
    match format {
        RecordFormat::Csa => csa::write(&mut output, &view),
        RecordFormat::Kif => kif::write(&mut output, &view),
        RecordFormat::Pgn => pgn::write(&mut output, &view),
    }
    .unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn a_csa_record_has_pieces_as_they_arrive_and_scores_from_blacks_view() {
    let won = Some(PlayerId::A);
    let record = game::<shogi::Board>("startpos", &OPENING_MOVES, Reason::Resignation, won);
    let expected = "\
V2.2
N+base
N-plain
$EVENT:trial game 1
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *\u{20}
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *\u{20}
P5 *  *  *  *  *  *  *  *  *\u{20}
P6 *  *  *  *  *  *  *  *  *\u{20}
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *\u{20}
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
+7776FU
'** 35 -3334FU +8822UM
'depth 7 nodes 1000
-3334FU
'** 120
'depth 7 nodes 1000
+8822UM
'** 29997
'depth 7 nodes 1000
-3122GI
'** -35
'depth 7 nodes 1000
+0055KA
'** -120
'depth 7 nodes 1000
'resignation
%TORYO
";
    assert_eq!(text(&record, RecordFormat::Csa, false), expected);
    let timed = text(&record, RecordFormat::Csa, true);
    let first = "+7776FU\nT1\n'** 35 -3334FU +8822UM\n'depth 7 nodes 1000 time 1500 ms\n";
    assert!(
        timed.contains(first) && timed.ends_with("%TORYO\nT1\n"),
        "{timed}"
    );
}

#[test]
fn a_csa_record_of_a_position_has_its_hands_and_its_side() {
    let opening = "4k4/9/9/9/9/9/9/9/4K4 w RBg2p 1";
    let record = game::<shogi::Board>(opening, &["P*5e"], Reason::MaxPlies, None);
    let csa = text(&record, RecordFormat::Csa, false);
    assert!(
        csa.contains("N+plain\nN-base\n"),
        "white moves first and is A: {csa}"
    );
    assert!(csa.contains("P-00FU00FU00KI\n-\n-0055FU\n'** -35\n"), "{csa}");
    assert!(csa.ends_with("'max_plies\n%JISHOGI\n"), "{csa}");
}

#[test]
fn a_kif_record_says_where_a_piece_comes_from_and_when_it_takes_back() {
    let record = game::<shogi::Board>("startpos", &OPENING_MOVES, Reason::Repetition, None);
    let expected = "\
# KIF version=2.0 encoding=UTF-8
棋戦：trial game 1
手合割：平手
先手：base
後手：plain
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:01/00:00:01)
*#評価値=35
*深さ 7 ノード数 1000
*読み筋 △３四歩(33) ▲２二角成(88)
   2 ３四歩(33)   ( 0:01/00:00:01)
*#評価値=120
*深さ 7 ノード数 1000
   3 ２二角成(88)   ( 0:01/00:00:03)
*#評価値=29997
*深さ 7 ノード数 1000
   4 同　銀(31)   ( 0:01/00:00:03)
*#評価値=-35
*深さ 7 ノード数 1000
   5 ５五角打   ( 0:01/00:00:04)
*#評価値=-120
*深さ 7 ノード数 1000
   6 千日手   ( 0:01/00:00:04)
*repetition
";
    assert_eq!(text(&record, RecordFormat::Kif, true), expected);
}

#[test]
fn a_kif_record_of_a_position_has_a_diagram() {
    let opening = "4k4/9/9/9/9/9/9/1+p7/4K4 w R17p 1";
    let record = game::<shogi::Board>(opening, &["8h8i"], Reason::TimeLoss, Some(PlayerId::A));
    let kif = text(&record, RecordFormat::Kif, false);
    let diagram = "\
手合割：その他
後手の持駒：歩十七
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
";
    assert!(kif.contains(diagram), "{kif}");
    assert!(kif.contains("先手の持駒：飛\n後手番\n"), "{kif}");
    assert!(kif.contains("   1 ８九と(88)\n"), "{kif}");
    assert!(kif.contains("   2 切れ負け\n*time_loss\n"), "{kif}");
}

#[test]
fn ends_speak_of_the_side_to_move() {
    let ends = |reason, winner| {
        let record = game::<shogi::Board>("startpos", &["7g7f"], reason, winner);
        let csa = text(&record, RecordFormat::Csa, false);
        let kif = text(&record, RecordFormat::Kif, false);
        let kif_end = kif.lines().rev().nth(1).unwrap()[5..].to_owned();
        (csa.lines().last().unwrap().to_owned(), kif_end)
    };
    let (a, b) = (Some(PlayerId::A), Some(PlayerId::B));
    let cases = [
        (Reason::NoLegalMove, a, "%TSUMI", "詰み"),
        (Reason::Declaration, b, "%KACHI", "入玉勝ち"),
        (Reason::WrongDeclaration, a, "%ILLEGAL_MOVE", "反則負け"),
        (Reason::PerpetualCheck, a, "%-ILLEGAL_ACTION", "反則負け"),
        (Reason::PerpetualCheck, b, "%+ILLEGAL_ACTION", "反則勝ち"),
        (Reason::AdjudicatedWin, a, "%TORYO", "投了"),
        (Reason::AdjudicatedWin, b, "%CHUDAN", "中断"),
        (Reason::AdjudicatedDraw, None, "%JISHOGI", "持将棋"),
    ];
    for (reason, winner, csa, kif) in cases {
        let expected = (csa.to_owned(), kif.to_owned());
        assert_eq!(ends(reason, winner), expected, "{reason:?} {winner:?}");
    }
}

#[test]
fn a_pgn_record_has_its_position_moves_and_comments() {
    let opening = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let moves = ["e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"];
    let record = game::<chess::Board>(opening, &moves, Reason::NoLegalMove, Some(PlayerId::B));
    let expected = "\
[Event \"trial\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"1\"]
[White \"plain\"]
[Black \"base\"]
[Result \"1-0\"]
[SetUp \"1\"]
[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]
[PlyCount \"6\"]
[Termination \"normal\"]
[WhiteTimeControl \"-\"]
[BlackTimeControl \"10+0.1\"]
[ECO \"C20\"]
[Opening \"King's Pawn Game: Wayward Queen Attack\"]

1... e5 {+0.35/7, n=1000, pv=\"Qh5 Nc6\"} 2. Qh5 {-1.20/7, n=1000} 2... Nc6
{+M3/7, n=1000} 3. Bc4 {+0.35/7, n=1000} 3... Nf6 {-1.20/7, n=1000} 4. Qxf7#
{+M3/7, n=1000} {no_legal_move} 1-0

";
    assert_eq!(text(&record, RecordFormat::Pgn, false), expected);
    let timed = text(&record, RecordFormat::Pgn, true);
    assert!(
        timed.contains("1... e5 {+0.35/7 1.500s, n=1000, pv=")
            && timed.contains("[GameDuration \"00:00:10\"]"),
        "{timed}"
    );
}

#[test]
fn time_controls_are_written_as_pgn_has_them() {
    use crate::config::{ClockLimit, MoveLimit};
    let clock = |base_ms, period_moves, increment_ms, byoyomi_ms| {
        MoveLimit::Clock(ClockLimit {
            base_ms,
            period_moves,
            increment_ms,
            byoyomi_ms,
        })
    };
    for (limit, expected) in [
        (MoveLimit::Nodes(5), "-"),
        (MoveLimit::MoveTimeMs(100), "1/0.1"),
        (clock(10_000, 0, 100, 0), "10+0.1"),
        (clock(60_000, 40, 0, 0), "40/60"),
        (clock(10_000, 0, 0, 1000), "?"),
    ] {
        assert_eq!(pgn::time_control(limit), expected);
    }
}

#[test]
fn a_game_of_chess960_says_so() {
    let opening = "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1";
    let record = game::<chess::Board>(opening, &["f1b1", "b8b7"], Reason::MaxPlies, None);
    let pgn = text(&record, RecordFormat::Pgn, false);
    assert!(
        pgn.contains("[Variant \"Chess960\"]\n") && pgn.contains("1. O-O-O"),
        "{pgn}"
    );
    let shredder = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    let record = game::<chess::Board>(shredder, &["e2e4", "e7e5"], Reason::MaxPlies, None);
    assert!(!text(&record, RecordFormat::Pgn, false).contains("[Opening"));
}

#[test]
fn an_opening_has_the_name_of_the_last_position_that_has_one() {
    let tags = |opening: &str, moves: &[&str]| {
        let record = game::<chess::Board>(opening, moves, Reason::MaxPlies, None);
        let pgn = text(&record, RecordFormat::Pgn, false);
        let of_opening = |line: &&str| line.starts_with("[ECO") || line.starts_with("[Opening");
        pgn.lines().filter(of_opening).collect::<Vec<_>>().join(" ")
    };
    let dragon = "[ECO \"B70\"] [Opening \"Sicilian Defense: Dragon Variation\"]";
    let position = "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    assert_eq!(tags(position, &["a2a4", "a7a5"]), dragon);
    let yugoslav = tags(position, &["c1e3", "f8g7", "f2f3", "h7h5"]);
    assert!(yugoslav.contains("[ECO \"B75\"]"), "{yugoslav}");
    assert_eq!(tags("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &["e2e4"]), "");
}
