use proptest::prelude::*;

use super::*;
use crate::config::Config;
use crate::game::{Game, MoveList, Position};

/// The board with colours and ranks exchanged.
fn turned(board: &Board) -> Board {
    let fen = board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let exchanged = |c: char| {
            if c.is_ascii_uppercase() {
                c.to_ascii_lowercase()
            } else {
                c.to_ascii_uppercase()
            }
        };
        text.chars().map(exchanged).collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "_").replace('6', "3").replace('_', "6");
    let rights = if fields[2] == "-" {
        "-".to_owned()
    } else {
        swap(fields[2])
    };
    let text = format!(
        "{} {side} {rights} {en_passant} {} {}",
        ranks.join("/"),
        fields[4],
        fields[5]
    );
    Board::parse(&text).unwrap()
}

/// Plays the moves that `choices` name, one of the legal ones each; calls `visit` before each with the move, and after it.
fn play(choices: &[u16], mut visit: impl FnMut(&Board, Option<Move>)) {
    let mut board = Board::start();
    for &choice in choices {
        let mut list = MoveList::new();
        board.legal(&mut list);
        if list.is_empty() {
            break;
        }
        let mv = list[usize::from(choice) % list.len()];
        visit(&board, Some(mv));
        board.make(mv);
        visit(&board, None);
    }
}

#[test]
fn the_start_position_is_worth_the_tempo() {
    let mut config = Config::base(Game::Chess);
    config.chess.tempo = 17;
    let board = Board::start();
    let evaluator = Evaluator::new(&config);
    let score = evaluator.evaluate(&board, &evaluator.refresh(&board), &mut PawnTable::new());
    assert_eq!(score, 17);
}

#[test]
fn material_alone_is_carried_along_and_seen_by_the_side_to_move() {
    let evaluator = Evaluator::new(&Config::preset(Game::Chess, "sayuri").unwrap());
    let material = |fen: &str| {
        let board = Board::parse(fen).unwrap();
        evaluator.material(&board, &evaluator.refresh(&board))
    };
    assert_eq!(material("4k3/8/8/8/8/5P2/8/QRBNK3 w - - 0 1"), 2700);
    assert_eq!(material("4k3/8/8/8/8/5P2/8/QRBNK3 b - - 0 1"), -2700);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sums_and_pawn_counts_carried_along_equal_those_from_scratch_through_whole_games(
        choices in proptest::collection::vec(any::<u16>(), 1..160)
    ) {
        let evaluator = Evaluator::new(&Config::default());
        let mut table = PawnTable::new();
        let mut sums = evaluator.refresh(&Board::start());
        play(&choices, |board, mv| {
            if let Some(mv) = mv {
                sums = evaluator.update(board, mv, &sums);
                return;
            }
            let scratch = evaluator.refresh(board);
            assert_eq!(sums, scratch, "in {board}");
            let direct = Pawns::of(Color::ALL.map(|color| board.inner().colored_pieces(color, Piece::Pawn)));
            assert_eq!(table.of(board), direct, "in {board}");
            assert_eq!(table.of(board), direct, "remembered, in {board}");
            let remembered = evaluator.evaluate(board, &sums, &mut table);
            let fresh = evaluator.evaluate(board, &scratch, &mut PawnTable::new());
            assert_eq!(remembered, fresh, "in {board}");
        });
    }

    #[test]
    fn a_position_turned_around_counts_and_is_worth_the_same(
        choices in proptest::collection::vec(any::<u16>(), 1..120)
    ) {
        let evaluator = Evaluator::new(&Config::default());
        let worth = |board: &Board| evaluator.evaluate(board, &evaluator.refresh(board), &mut PawnTable::new());
        play(&choices, |board, mv| {
            if mv.is_some() || board.inner().halfmove_clock() > 99 {
                return;
            }
            let other = turned(board);
            let [white, black] = counts(board);
            assert_eq!(counts(&other), [black, white], "{board} and {other}");
            assert_eq!(worth(board), worth(&other), "{board} and {other}");
        });
    }

    #[test]
    fn features_counted_by_bits_equal_those_counted_square_by_square(
        choices in proptest::collection::vec(any::<u16>(), 1..120)
    ) {
        play(&choices, |board, mv| {
            if mv.is_none() {
                for us in Color::ALL {
                    let found = counts(board)[us as usize];
                    for (feature, expected) in naive::counts(board, us) {
                        assert_eq!(found[feature as usize], expected, "{us} {feature:?} in {board}");
                    }
                }
            }
        });
    }
}

/// What is counted beyond Sayuri's evaluation (whose part `fidelity.csv` has by hand), square by square and slowly.
mod naive {
    use super::*;
    use crate::chess::Color;

    type Place = (i32, i32);

    fn at(board: &Board, us: Color, (file, rank): Place) -> Option<(Piece, bool)> {
        if !(0..8).contains(&file) || !(0..8).contains(&rank) {
            return None;
        }
        let rank = if us == Color::White { rank } else { 7 - rank };
        let square = Square::index((rank * 8 + file) as usize);
        let piece = board.inner().piece_on(square)?;
        Some((piece, board.inner().color_on(square) == Some(us)))
    }

    fn places(board: &Board, us: Color, piece: Piece, own: bool) -> Vec<Place> {
        let all = (0..64).map(|index| (index % 8, index / 8));
        all.filter(|&place| at(board, us, place) == Some((piece, own)))
            .collect()
    }

    fn attacked(board: &Board, us: Color, piece: Piece, (file, rank): Place) -> Vec<Place> {
        let all = |steps: &[Place], far: bool| {
            let mut found = Vec::new();
            for &(df, dr) in steps {
                let mut to = (file + df, rank + dr);
                while (0..8).contains(&to.0) && (0..8).contains(&to.1) {
                    found.push(to);
                    if !far || at(board, us, to).is_some() {
                        break;
                    }
                    to = (to.0 + df, to.1 + dr);
                }
            }
            found
        };
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let both: Vec<Place> = diagonal.into_iter().chain(straight).collect();
        match piece {
            Piece::Pawn => all(&[(-1, 1), (1, 1)], false),
            Piece::Knight => {
                let leaps = [
                    (1, 2),
                    (2, 1),
                    (-1, 2),
                    (-2, 1),
                    (1, -2),
                    (2, -1),
                    (-1, -2),
                    (-2, -1),
                ];
                all(&leaps, false)
            }
            Piece::Bishop => all(&diagonal, true),
            Piece::Rook => all(&straight, true),
            Piece::Queen => all(&both, true),
            Piece::King => all(&both, false),
        }
    }

    /// `ring` is what lies beside the enemy king.
    fn own_counts(board: &Board, us: Color, ring: &[Place]) -> [(Feature, usize); 8] {
        let own = places(board, us, Piece::Pawn, true);
        let enemy = places(board, us, Piece::Pawn, false);
        let passed: Vec<Place> = own
            .iter()
            .copied()
            .filter(|(file, rank)| !enemy.iter().any(|(f, r)| (f - file).abs() <= 1 && r > rank))
            .collect();
        let minors: Vec<Place> = [Piece::Knight, Piece::Bishop]
            .into_iter()
            .flat_map(|piece| places(board, us, piece, true))
            .collect();
        let advance = |pawn: &Place| ((pawn.1 - 1) * (pawn.1 - 1)) as usize;
        let is_free = |pawn: &&Place| at(board, us, (pawn.0, pawn.1 + 1)).is_none();
        let protects = |to: &Place| own.iter().any(|(f, r)| (f - to.0).abs() == 1 && r + 1 == to.1);
        let connected = own
            .iter()
            .filter(|to| protects(to) || own.iter().any(|(f, r)| (f - to.0).abs() == 1 && *r == to.1));
        let outposts = minors.iter().filter(|to| {
            let is_chased = enemy.iter().any(|(f, r)| (f - to.0).abs() == 1 && *r > to.1);
            (3..6).contains(&to.1) && protects(to) && !is_chased
        });
        let king = places(board, us, Piece::King, true)[0].0;
        let files = (king - 1..=king + 1)
            .filter(|file| (0..8).contains(file) && !own.iter().any(|pawn| pawn.0 == *file));
        let targets = |pieces: &[Piece]| -> Vec<Place> {
            let all = pieces.iter().flat_map(|&piece| places(board, us, piece, false));
            all.collect()
        };
        let hit = |by: Piece, to: &Place| {
            let from = places(board, us, by, true);
            from.iter()
                .any(|&from| attacked(board, us, by, from).contains(to))
        };
        let pieces = targets(&[Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]);
        let majors = targets(&[Piece::Rook, Piece::Queen]);
        let attackers: usize = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .into_iter()
            .flat_map(|piece| {
                places(board, us, piece, true)
                    .into_iter()
                    .map(move |from| (piece, from))
            })
            .filter(|&(piece, from)| {
                attacked(board, us, piece, from)
                    .iter()
                    .any(|to| ring.contains(to))
            })
            .count();
        [
            (Feature::PassedAdvance, passed.iter().map(advance).sum()),
            (
                Feature::PassedAdvanceFree,
                passed.iter().filter(|pawn| is_free(pawn)).map(advance).sum(),
            ),
            (Feature::Connected, connected.count()),
            (Feature::Outpost, outposts.count()),
            (Feature::KingFiles, files.count()),
            (
                Feature::ThreatPawn,
                pieces.iter().filter(|to| hit(Piece::Pawn, to)).count(),
            ),
            (
                Feature::ThreatMinor,
                majors
                    .iter()
                    .filter(|to| hit(Piece::Knight, to) || hit(Piece::Bishop, to))
                    .count(),
            ),
            (Feature::KingAttackers, attackers * attackers),
        ]
    }

    pub(super) fn counts(board: &Board, us: Color) -> [(Feature, i16); 8] {
        let ring = attacked(board, us, Piece::King, places(board, us, Piece::King, false)[0]);
        own_counts(board, us, &ring).map(|(feature, count)| (feature, count as i16))
    }
}
