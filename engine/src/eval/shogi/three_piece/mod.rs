//! Learnt relations of three pieces: both kings and a piece, and a king and two pieces that are near it or in hand. Their weights are
//! in the program with the feature `three-piece` alone; `Config::set` refuses the setting without.

mod layout;

use arrayvec::ArrayVec;

pub(super) use self::layout::UNITS;
use self::layout::{REACH, View, pair};
use crate::game::Side;
use crate::shogi::{Bitboard, Board, Hand, Kind, Move, Piece, Square, squares_within};

/// One signed byte a weight.
#[cfg(any(test, feature = "three-piece"))]
static FILE: &[u8] = include_bytes!("../three_piece.bin");
#[cfg(not(any(test, feature = "three-piece")))]
static FILE: &[u8] = &[];
const _: () = assert!(FILE.is_empty() || FILE.len() == layout::WEIGHTS);

fn weight(place: usize) -> i32 {
    i32::from(FILE[place] as i8)
}

/// Sums in units, each from the view of its side or of the first side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ThreePieceSums {
    /// Both kings and a piece, from the first side's view.
    kings: i32,
    /// By the king's side: the king and two pieces.
    pairs: [i32; 2],
}

impl ThreePieceSums {
    /// All together in units, from the first side's view.
    pub(super) fn total(&self) -> i32 {
        self.kings + self.pairs[0] - self.pairs[1]
    }
}

/// Numbers of what is near a king: 24 squares and 14 kinds in hands at most.
type ActiveFeatures = ArrayVec<u16, 40>;

/// What a move changes, before it is made.
struct Change {
    side: Side,
    to: Square,
    /// The square left, and the piece that leaves it; none for a drop.
    left: Option<(Square, Piece)>,
    captured: Option<Piece>,
    arriving: Piece,
    /// The kind whose count in the mover's hand changes, and both counts.
    hand: Option<(Kind, [u32; 2])>,
}

impl Change {
    fn new(board: &Board, mv: Move) -> Self {
        let (side, to) = (board.side(), mv.to());
        let held = board.hand(side);
        if mv.is_drop() {
            let count = held.count(mv.dropped());
            return Change {
                side,
                to,
                left: None,
                captured: None,
                arriving: Piece::new(side, mv.dropped()),
                hand: Some((mv.dropped(), [count, count - 1])),
            };
        }
        let (moving, captured) = (board.piece_on(mv.from()), board.piece_on(to));
        let captured = (!captured.is_none()).then_some(captured);
        Change {
            side,
            to,
            left: Some((mv.from(), moving)),
            captured,
            arriving: mv.arriving(moving),
            hand: captured.map(|captured| {
                let kind = captured.kind().demoted();
                (kind, [held.count(kind), held.count(kind) + 1])
            }),
        }
    }

    fn is_of_king(&self) -> bool {
        self.arriving.kind() == Kind::King
    }

    /// Squares whose pieces the move leaves alone.
    fn kept(&self, board: &Board) -> Bitboard {
        let left = self
            .left
            .map_or(Bitboard::EMPTY, |(square, _)| Bitboard::of(square));
        board.occupied() & !left & !Bitboard::of(self.to)
    }

    /// What both sides hold after the move.
    fn hands(&self, board: &Board) -> [Hand; 2] {
        let mut hands = hands(board);
        if let Some((kind, [before, after])) = self.hand {
            let hand = &mut hands[self.side.index()];
            if after > before {
                hand.add(kind);
            } else {
                hand.remove(kind);
            }
        }
        hands
    }

    /// What both sides hold, but for the kind whose count changes.
    fn kept_hands(&self, board: &Board) -> [Hand; 2] {
        let mut hands = hands(board);
        if let Some((kind, [before, _])) = self.hand {
            for _ in 0..before {
                hands[self.side.index()].remove(kind);
            }
        }
        hands
    }
}

fn hands(board: &Board) -> [Hand; 2] {
    [board.hand(Side::First), board.hand(Side::Second)]
}

/// Tells holder, kind and count of everything in `hands`.
#[inline]
fn for_each_held(hands: [Hand; 2], mut tell: impl FnMut(Side, Kind, u32)) {
    for side in [Side::First, Side::Second] {
        let hand = hands[side.index()];
        if hand.is_empty() {
            continue;
        }
        for kind in Kind::HAND {
            if hand.has(kind) {
                tell(side, kind, hand.count(kind));
            }
        }
    }
}

/// The pieces of a board that are no kings, on `squares`.
fn pieces_on(board: &Board, squares: Bitboard) -> impl Iterator<Item = (Piece, Square)> {
    let pieces = squares.into_iter().map(|square| (board.piece_on(square), square));
    pieces.filter(|(piece, _)| piece.kind() != Kind::King)
}

/// Both kings and what the sides own, ready to look up.
struct Kings {
    views: [View; 2],
    from: [usize; 2],
}

impl Kings {
    #[inline]
    fn new(kings: [Square; 2]) -> Self {
        let views = [
            View::new(Side::First, kings[0]),
            View::new(Side::Second, kings[1]),
        ];
        Kings {
            views,
            from: [views[0].kings(kings[1]), views[1].kings(kings[0])],
        }
    }

    #[inline]
    fn piece(&self, piece: Piece, square: Square) -> i32 {
        let side = piece.side();
        let place = self.views[side.index()].piece(piece.kind(), square);
        side.sign() * weight(self.from[side.index()] + place)
    }

    #[inline]
    fn held(&self, side: Side, kind: Kind, count: u32) -> i32 {
        View::held(kind, count).map_or(0, |place| side.sign() * weight(self.from[side.index()] + place))
    }

    /// The sum over the pieces on `squares` and what is in `hands`.
    fn sum(&self, board: &Board, squares: Bitboard, hands: [Hand; 2]) -> i32 {
        let mut sum: i32 = pieces_on(board, squares)
            .map(|(piece, square)| self.piece(piece, square))
            .sum();
        for_each_held(hands, |side, kind, count| sum += self.held(side, kind, count));
        sum
    }

    /// What a move of another piece than a king changes.
    fn change(&self, change: &Change) -> i32 {
        let mut sum = self.piece(change.arriving, change.to);
        if let Some((square, piece)) = change.left {
            sum -= self.piece(piece, square);
        }
        if let Some(captured) = change.captured {
            sum -= self.piece(captured, change.to);
        }
        if let Some((kind, [before, after])) = change.hand {
            sum += self.held(change.side, kind, after) - self.held(change.side, kind, before);
        }
        sum
    }
}

/// Numbers of what is near the king of `view`, of the pieces on `squares` and of what is in `hands`.
#[inline]
fn numbers(view: &View, king: Square, board: &Board, squares: Bitboard, hands: [Hand; 2]) -> ActiveFeatures {
    let mut numbers = ActiveFeatures::new();
    for (piece, square) in pieces_on(board, squares & squares_within(king, REACH)) {
        numbers.extend(view.near(piece, square));
    }
    for_each_held(hands, |side, kind, count| {
        numbers.extend(view.near_held(side, kind, count));
    });
    numbers
}

/// The sum over the pairs of one of `new` with one of `kept`, and of two of `new`.
#[inline]
fn pairs_with(from: usize, new: &[u16], kept: &[u16]) -> i32 {
    let mut sum = 0;
    for (index, &one) in new.iter().enumerate() {
        for &other in kept.iter().chain(&new[..index]) {
            sum += weight(from + pair(one, other));
        }
    }
    sum
}

/// What a move changes near the king of `view`, which stays on `king`.
fn pairs_changed(view: &View, king: Square, board: &Board, change: &Change) -> i32 {
    let (mut gone, mut come) = (ArrayVec::<u16, 3>::new(), ArrayVec::<u16, 2>::new());
    if let Some((square, piece)) = change.left
        && piece.kind() != Kind::King
    {
        gone.extend(view.near(piece, square));
    }
    if let Some(captured) = change.captured {
        gone.extend(view.near(captured, change.to));
    }
    if !change.is_of_king() {
        come.extend(view.near(change.arriving, change.to));
    }
    if let Some((kind, [before, after])) = change.hand {
        gone.extend(view.near_held(change.side, kind, before));
        come.extend(view.near_held(change.side, kind, after));
    }
    if gone.is_empty() && come.is_empty() {
        return 0;
    }
    let kept = numbers(view, king, board, change.kept(board), change.kept_hands(board));
    let from = view.zone();
    pairs_with(from, &come, &kept) - pairs_with(from, &gone, &kept)
}

/// The sums of a board, from scratch.
pub(super) fn refresh(board: &Board) -> ThreePieceSums {
    let kings = [board.king(Side::First), board.king(Side::Second)];
    let both = Kings::new(kings);
    let pairs = [Side::First, Side::Second].map(|side| {
        let view = &both.views[side.index()];
        let near = numbers(view, kings[side.index()], board, board.occupied(), hands(board));
        pairs_with(view.zone(), &near, &[])
    });
    ThreePieceSums {
        kings: both.sum(board, board.occupied(), hands(board)),
        pairs,
    }
}

/// Carries the sums over `mv`, before it is made: what a piece changes, or everything that is seen from a king that moves.
#[inline(never)]
pub(super) fn update(board: &Board, mv: Move, mut sums: ThreePieceSums) -> ThreePieceSums {
    let change = Change::new(board, mv);
    let us = change.side;
    let mut kings = [board.king(Side::First), board.king(Side::Second)];
    if change.is_of_king() {
        kings[us.index()] = change.to;
    }
    let both = Kings::new(kings);
    if change.is_of_king() {
        sums.kings = both.sum(board, change.kept(board), change.hands(board));
    } else {
        sums.kings += both.change(&change);
    }
    for side in [Side::First, Side::Second] {
        let (view, king) = (&both.views[side.index()], kings[side.index()]);
        if change.is_of_king() && side == us {
            let near = numbers(view, king, board, change.kept(board), change.hands(board));
            sums.pairs[side.index()] = pairs_with(view.zone(), &near, &[]);
        } else {
            sums.pairs[side.index()] += pairs_changed(view, king, board, &change);
        }
    }
    sums
}
