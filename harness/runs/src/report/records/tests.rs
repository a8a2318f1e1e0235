//! Short games in every format, character for character.

use tanren_engine::game::{GameMove, Position};
use tanren_engine::{chess, shogi};

use super::*;
use crate::openings::moves_of;
use crate::record::{Reason, Score, TimeSpan, Turn};
use tanren_core::fixtures::pair;

fn game<P: Position>(opening: &str, moves: &str, reason: Reason, winner: Option<PlayerId>) -> PairRecord {
    let (mut board, book) = moves_of::<P>(opening, usize::MAX).unwrap();
    for &mv in &book {
        board.make(mv);
    }
    let mut record = pair(0, [1, 1], 0);
    record.opening = board.to_string();
    record.book = opening.to_owned();
    let mut bits = Vec::new();
    for text in moves.split_whitespace() {
        let mv = board.parse_move(text).unwrap();
        bits.push(mv.bits());
        board.make(mv);
    }
    let scores = [Score::Centipawns(35), Score::Centipawns(-120), Score::Mate(3)];
    let turn = |index: usize| Turn {
        score: Some(scores[index % 3]),
        depth: 7,
        nodes: 1000,
        time_ms: 1500,
    };
    let game = &mut record.games[0];
    (game.winner, game.reason) = (winner, reason);
    game.turns = (0..=bits.len()).map(turn).collect();
    // Before its first move a player expects the beginning of the game, and a move that no rules allow.
    let impossible: Vec<u16> = bits.iter().take(3).chain(bits.first()).copied().collect();
    game.variations.push(0, &impossible);
    game.moves = bits;
    game.comments = vec![(1, "phase=3 {x}".to_owned())];
    game.span = TimeSpan {
        start_ms: 1_700_000_000_000,
        end_ms: 1_700_000_075_000,
    };
    record
}

/// What is written of a case: the format, the opening, its moves, the end.
fn case([format, opening, moves]: [&str; 3], reason: Reason, winner: Option<PlayerId>) -> String {
    let (name, has_times) = match format.strip_suffix(" timed") {
        Some(name) => (name, true),
        None => (format, false),
    };
    let known = [
        RecordFormat::Csa,
        RecordFormat::Kif,
        RecordFormat::Kifu,
        RecordFormat::Pgn,
    ];
    let format = known.into_iter().find(|known| known.name() == name).unwrap();
    let record = match format.game() {
        Game::Shogi => game::<shogi::Board>(opening, moves, reason, winner),
        Game::Chess => game::<chess::Board>(opening, moves, reason, winner),
    };
    let labels = ["base".to_owned(), "plain".to_owned()];
    let header = RecordHeader {
        event: "trial".to_owned(),
        site: has_times.then(|| "a club".to_owned()),
        has_times,
        time_controls: ["10+0.1", "-"].map(str::to_owned).to_vec(),
    };
    let view = view(&record, 0, &labels, &header);
    let mut output = Vec::new();
    match format {
        RecordFormat::Csa => csa::write(&mut output, &view),
        RecordFormat::Kif | RecordFormat::Kifu => kif::write(&mut output, &view, format),
        RecordFormat::Pgn => pgn::write(&mut output, &view),
    }
    .unwrap();
    String::from_utf8(output).unwrap()
}

/// Pieces as they arrive, scores from black's view, hands, sides; where a piece comes from, and when it takes back; names of openings, by
/// the last position that has one; Chess960.
#[test]
fn games_are_written_in_every_format() {
    let (a, b) = (Some(PlayerId::A), Some(PlayerId::B));
    let shogi = "7g7f 3c3d 8h2b+ 3a2b B*5e";
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let mate = "e7e5 d1h5 b8c6 f1c4 g8f6 h5f7";
    let dragon = "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    let cases = [
        (["csa", "startpos", shogi], Reason::Resignation, a),
        (["csa timed", "startpos", shogi], Reason::Resignation, a),
        (
            ["csa", "4k4/9/9/9/9/9/9/9/4K4 w RBg2p 1", "P*5e"],
            Reason::MaxPlies,
            None,
        ),
        (["kif timed", "startpos", shogi], Reason::Repetition, None),
        (
            ["kif", "startpos moves 7g7f", "3c3d 2g2f"],
            Reason::MaxPlies,
            None,
        ),
        (["csa", "startpos moves 7g7f", "3c3d"], Reason::MaxPlies, None),
        (
            ["pgn", "startpos moves e2e4 c7c5", "g1f3 d7d6"],
            Reason::MaxPlies,
            None,
        ),
        (["pgn", "startpos moves d2d4", ""], Reason::StartFailure, a),
        (
            ["kif", "4k4/9/9/9/9/9/9/1+p7/4K4 w R17p 1", "8h8i"],
            Reason::TimeLoss,
            a,
        ),
        (["pgn", e4, mate], Reason::NoLegalMove, b),
        (["pgn timed", e4, mate], Reason::NoLegalMove, b),
        (
            ["pgn", "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", "f1b1 b8b7"],
            Reason::MaxPlies,
            None,
        ),
        (
            [
                "pgn",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
                "e2e4 e7e5",
            ],
            Reason::MaxPlies,
            None,
        ),
        (["pgn", dragon, "a2a4 a7a5"], Reason::MaxPlies, None),
        (["pgn", dragon, "c1e3 f8g7 f2f3 h7h5"], Reason::MaxPlies, None),
        (
            ["pgn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4"],
            Reason::MaxPlies,
            None,
        ),
    ];
    let texts = cases.map(|(of, reason, winner)| {
        let [format, opening, moves] = of;
        format!(
            "==== {format}: {opening} moves {moves}\n{}",
            case(of, reason, winner)
        )
    });
    insta::assert_snapshot!(texts.concat() + "====");
}

#[test]
fn what_shift_jis_lacks_is_replaced_and_counted() {
    let (bytes, replaced) = kif::to_shift_jis("先手：a😀é\n");
    assert_eq!(
        (&bytes[..], replaced),
        (&b"\x90\xe6\x8e\xe8\x81\x46a??\r\n"[..], 2)
    );
}

#[test]
fn ends_speak_of_the_side_to_move() {
    let ends = |reason, winner| {
        let [csa, kif] = ["csa", "kif"].map(|format| case([format, "startpos", "7g7f"], reason, winner));
        let end = |text: &str, behind| text.lines().rev().nth(behind).unwrap().to_owned();
        (
            end(&csa, 1),
            end(&kif, 2)[5..].to_owned(),
            [end(&csa, 0), end(&kif, 0)],
        )
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
        (Reason::DeclarationDraw, None, "%HIKIWAKE", "持将棋"),
    ];
    for (reason, winner, csa, kif) in cases {
        let [of_csa, of_kif] = match winner {
            Some(PlayerId::A) => ["base win:plain lose", "先手の勝ち"],
            Some(PlayerId::B) => ["base lose:plain win", "後手の勝ち"],
            None => ["base draw:plain draw", "持将棋"],
        };
        let told = [
            format!("'summary:{}:{of_csa}", reason.name()),
            format!("まで1手で{of_kif}"),
        ];
        let expected = (csa.to_owned(), kif.to_owned(), told);
        assert_eq!(ends(reason, winner), expected, "{reason:?} {winner:?}");
    }
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
