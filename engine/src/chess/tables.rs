//! Syzygy tables: endings whose result is known.

use std::any::Any;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Board;
use crate::game::{Known, Position};

/// What tables of results and of distances begin with.
const MAGICS: [(&str, [u8; 4]); 2] = [
    ("rtbw", [0x71, 0xe8, 0x23, 0x5d]),
    ("rtbz", [0xd7, 0x66, 0x0c, 0xa5]),
];
/// They are made of blocks of so many bytes and a checksum of so many.
const BLOCK: u64 = 64;
const CHECKSUM: u64 = 16;

/// Why tables cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// A folder cannot be read.
    #[error("cannot read the folder '{}': {reason}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// No folder has any.
    #[error("there are no Syzygy tables in '{0}': it is the folder with the files KQvK.rtbw, KRvK.rtbw, …")]
    None(String),
    /// A file is not what it is called.
    #[error("'{}' is no whole Syzygy table: get it again, or take it out of its folder", .0.display())]
    Damaged(PathBuf),
    /// The library is made for no other processor.
    #[error("Syzygy tables are there on x86-64 only")]
    Unsupported,
}

/// The size of the open file of a table, if it can be one of this kind (`rtbw` or `rtbz`).
pub fn table_size(mut file: &File, kind: &str) -> Option<u64> {
    let (_, expected) = MAGICS.into_iter().find(|&(known, _)| known == kind)?;
    let mut magic = [0; 4];
    file.read_exact(&mut magic).ok()?;
    let size = file.metadata().ok()?.len();
    (magic == expected && size % BLOCK == CHECKSUM).then_some(size)
}

/// Most men of a table in these folders. Refuses those with a damaged table, which the library would trust, and those without any, after which
/// it opens no others.
fn checked_men_max(folders: &str) -> Result<u32, TablesError> {
    let mut men_max = 0;
    for folder in folders.split(':').map(Path::new) {
        let unreadable = |error: std::io::Error| TablesError::Unreadable {
            path: folder.to_owned(),
            reason: error.to_string(),
        };
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let kind = path
                .extension()
                .and_then(|kind| kind.to_str())
                .unwrap_or_default();
            let is_table = MAGICS.iter().any(|&(known, _)| known == kind);
            if is_table && !File::open(&path).is_ok_and(|file| table_size(&file, kind).is_some()) {
                return Err(TablesError::Damaged(path));
            }
            if kind == "rtbw" {
                // KQvK has three.
                let name = path.file_stem().map_or(0, |name| name.len() as u32);
                men_max = men_max.max(name.saturating_sub(1));
            }
        }
    }
    (men_max > 0)
        .then_some(men_max)
        .ok_or_else(|| TablesError::None(folders.to_owned()))
}

/// Tables that are open. The library has those of one path in a process.
pub struct Tables {
    #[cfg(target_arch = "x86_64")]
    library: pyrrhic_rs::TableBases<super::attacks::Attacks>,
    men_max: u32,
    /// Positions that were found.
    hits: AtomicU64,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "tables of {} men", self.men_max)
    }
}

impl Tables {
    /// Opens the tables of the folders in `path`, which `:` separates.
    ///
    /// # Errors
    /// There are none, one is damaged, or others are open.
    pub fn open(path: &str) -> Result<Tables, TablesError> {
        Tables::open_checked(path, checked_men_max(path)?)
    }

    /// What `position` is worth, if that is known: only where nothing but what stands on the board counts.
    pub fn known(&self, board: &Board) -> Option<Known> {
        if board.occupied().len() > self.men_max || board.quiet_plies() > 0 {
            return None;
        }
        let known = self.probe(board)?;
        self.hits.fetch_add(1, Relaxed);
        Some(known)
    }

    /// The result of `position` and the moves that keep it, of those that win the ones nearest to a capture, a pawn's move or the mate.
    /// `None` where tables of distances do not know.
    pub fn best_moves<P: Position>(&self, position: &P) -> Option<(Known, Vec<P::Move>)> {
        let board = (position as &dyn Any).downcast_ref::<Board>()?;
        if board.occupied().len() > self.men_max {
            return None;
        }
        let (known, texts) = self.probe_root(board)?;
        self.hits.fetch_add(1, Relaxed);
        let moves = texts.iter().filter_map(|text| position.parse_move(text).ok());
        let moves: Vec<P::Move> = moves.collect();
        (!moves.is_empty()).then_some((known, moves))
    }

    /// Positions that were found since the tables were opened.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }
}

#[cfg(target_arch = "x86_64")]
mod probing {
    use cozy_chess::{Color, Piece};
    use pyrrhic_rs::{DtzProbeValue, DtzResult, TableBases, WdlProbeResult};

    use super::{Board, Tables, TablesError};
    use crate::game::{Known, Position};

    /// White, black, then the kinds from king to pawn, as the library asks for them.
    fn sets(board: &Board) -> [u64; 8] {
        let pieces = |piece| board.pieces(piece).0;
        [
            board.colors(Color::White).0,
            board.colors(Color::Black).0,
            pieces(Piece::King),
            pieces(Piece::Queen),
            pieces(Piece::Rook),
            pieces(Piece::Bishop),
            pieces(Piece::Knight),
            pieces(Piece::Pawn),
        ]
    }

    fn may_castle(board: &Board) -> bool {
        Color::ALL.into_iter().any(|color| board.may_castle(color))
    }

    fn en_passant(board: &Board) -> u32 {
        board.en_passant_square().map_or(0, |square| square as u32)
    }

    impl Tables {
        pub(super) fn open_checked(path: &str, men_max: u32) -> Result<Tables, TablesError> {
            let library = TableBases::new(path).map_err(|_| TablesError::None(path.to_owned()))?;
            Ok(Tables {
                men_max,
                library,
                hits: Default::default(),
            })
        }

        pub(super) fn probe(&self, board: &Board) -> Option<Known> {
            if may_castle(board) {
                return None;
            }
            let [white, black, kings, queens, rooks, bishops, knights, pawns] = sets(board);
            let is_white = board.turn() == Color::White;
            let found = self.library.probe_wdl(
                white,
                black,
                kings,
                queens,
                rooks,
                bishops,
                knights,
                pawns,
                en_passant(board),
                is_white,
            );
            let mover = board.side_to_move();
            Some(match found.ok()? {
                WdlProbeResult::Win => Known::Won(mover),
                WdlProbeResult::Loss => Known::Won(mover.opponent()),
                WdlProbeResult::Draw | WdlProbeResult::CursedWin | WdlProbeResult::BlessedLoss => {
                    Known::Drawn
                }
            })
        }

        pub(super) fn probe_root(&self, board: &Board) -> Option<(Known, Vec<String>)> {
            if may_castle(board) {
                return None;
            }
            let [white, black, kings, queens, rooks, bishops, knights, pawns] = sets(board);
            let is_white = board.turn() == Color::White;
            let found = self.library.probe_root(
                white,
                black,
                kings,
                queens,
                rooks,
                bishops,
                knights,
                pawns,
                board.quiet_plies().into(),
                en_passant(board),
                is_white,
            );
            let found = found.ok()?;
            let moves = found.moves[..found.num_moves]
                .iter()
                .filter_map(|value| match value {
                    DtzProbeValue::DtzResult(result) => Some((worth(result), text(result))),
                    _ => None,
                });
            let moves: Vec<(_, String)> = moves.collect();
            let best = moves.iter().map(|&(worth, _)| worth).max()?;
            let kept = moves.into_iter().filter(|&(worth, _)| worth == best);
            let mover = board.side_to_move();
            let known = match best {
                (LOST, _) => Known::Won(mover.opponent()),
                (WON, _) => Known::Won(mover),
                _ => Known::Drawn,
            };
            Some((known, kept.map(|(_, text)| text).collect()))
        }
    }

    const LOST: u8 = 0;
    const WON: u8 = 4;

    /// The result, and of wins how near they are.
    fn worth(result: &DtzResult) -> (u8, u16) {
        match result.wdl {
            WdlProbeResult::Loss => (LOST, 0),
            WdlProbeResult::BlessedLoss => (1, 0),
            WdlProbeResult::Draw => (2, 0),
            WdlProbeResult::CursedWin => (3, u16::MAX - result.dtz),
            WdlProbeResult::Win => (WON, u16::MAX - result.dtz),
        }
    }

    /// The move as UCI writes it.
    fn text(result: &DtzResult) -> String {
        let square = |square: u8| [b'a' + square % 8, b'1' + square / 8].map(char::from);
        let promotion = match result.promotion {
            pyrrhic_rs::Piece::Queen => "q",
            pyrrhic_rs::Piece::Rook => "r",
            pyrrhic_rs::Piece::Bishop => "b",
            pyrrhic_rs::Piece::Knight => "n",
            pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => "",
        };
        let squares = [result.from_square, result.to_square]
            .into_iter()
            .flat_map(square);
        squares.chain(promotion.chars()).collect()
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Tables {
    fn open_checked(_: &str, _: u32) -> Result<Tables, TablesError> {
        Err(TablesError::Unsupported)
    }

    fn probe(&self, _: &Board) -> Option<Known> {
        None
    }

    fn probe_root(&self, _: &Board) -> Option<(Known, Vec<String>)> {
        None
    }
}
