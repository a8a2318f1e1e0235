//! What the pieces attack that step but once: it depends on their places alone, so it is remembered.

use super::attacks::{king_attacks, pseudo_by_kind};
use super::{Bitboard, Board, Kind};
use crate::game::Side;

/// What the knights, silvers, golds (and what moves like one) and the king of a side attack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    key: u64,
    pub(super) by_knights: Bitboard,
    /// By silvers and golds.
    pub(super) by_generals: Bitboard,
    pub(super) all: Bitboard,
    /// By two pieces or more.
    pub(super) twice: Bitboard,
}

impl Steps {
    const NONE: Steps = Steps {
        key: 0,
        by_knights: Bitboard::EMPTY,
        by_generals: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
        twice: Bitboard::EMPTY,
    };

    /// Finds them anew.
    // Seldom needed, so kept out of the way.
    #[inline(never)]
    pub(crate) fn of(board: &Board, side: Side) -> Steps {
        let own = board.sides[side.index()];
        let of = |kind: Kind| own & board.kinds[kind.index()];
        let mut steps = Steps {
            key: board.stepper_keys[side.index()],
            ..Steps::NONE
        };
        let mut add = |kind: Kind, pieces: Bitboard| {
            let mut together = Bitboard::EMPTY;
            pieces.for_each(|square| {
                let attacks = pseudo_by_kind(side, square)[kind.index()];
                steps.twice |= steps.all & attacks;
                steps.all |= attacks;
                together |= attacks;
            });
            together
        };
        let by_knights = add(Kind::Knight, of(Kind::Knight));
        let by_generals = add(Kind::Silver, of(Kind::Silver)) | add(Kind::Gold, own & board.golds);
        let by_king = king_attacks(board.king(side));
        Steps {
            by_knights,
            by_generals,
            twice: steps.twice | steps.all & by_king,
            all: steps.all | by_king,
            ..steps
        }
    }
}

/// More entries are hit more often, but cost as much time in the processor's cache.
const ENTRIES_BITS: u32 = 6;
const ENTRIES: usize = 1 << ENTRIES_BITS;

/// The [`Steps`] met before, by side. An entry is known by the whole key of its pieces.
#[derive(Debug)]
pub(crate) struct StepTable(Box<[[Steps; ENTRIES]; 2]>);

impl StepTable {
    /// Those of `side`, found anew if they are not in the table.
    #[inline]
    pub(crate) fn of(&mut self, board: &Board, side: Side) -> &Steps {
        let key = board.stepper_keys[side.index()];
        let entry = &mut self.0[side.index()][(key >> (64 - ENTRIES_BITS)) as usize];
        if entry.key != key {
            *entry = Steps::of(board, side);
        }
        entry
    }
}

/// Knows nothing: every board has kings, and so a key.
impl Default for StepTable {
    fn default() -> Self {
        StepTable(Box::new([[Steps::NONE; ENTRIES]; 2]))
    }
}
