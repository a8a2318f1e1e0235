//! The tables of a process.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tanren_engine::chess::Board;
use tanren_engine::game::Position;

use super::files::Listing;
use super::{Known, TablesError};

/// Tables that are open; the library opens those of one folder in a process.
static OPEN: Mutex<Option<Tables>> = Mutex::new(None);

#[derive(Debug, Clone)]
pub struct Tables(Arc<Opened>);

struct Opened {
    path: PathBuf,
    listing: Listing,
    #[cfg(target_arch = "x86_64")]
    library: pyrrhic_rs::TableBases<super::attacks::Attacks>,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Opened")
            .field(&self.path)
            .field(&self.listing)
            .finish()
    }
}

impl Tables {
    pub fn open(folder: &Path) -> Result<Tables, TablesError> {
        let listing = Listing::of(folder)?;
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = open.as_ref() {
            if tables.0.path == folder && tables.0.listing == listing {
                return Ok(tables.clone());
            }
            if Arc::strong_count(&tables.0) > 1 {
                return Err(TablesError::InUse(tables.0.path.clone()));
            }
            *open = None;
        }
        let tables = Tables(Arc::new(Opened::of(folder, listing)?));
        *open = Some(tables.clone());
        Ok(tables)
    }

    pub fn digest(&self) -> &str {
        &self.0.listing.digest
    }

    /// What `position` is worth, if that is known: only where nothing but what stands on the board counts.
    pub fn known<P: Position>(&self, position: &P) -> Option<Known> {
        let board = (position as &dyn Any).downcast_ref::<Board>()?;
        let inner = board.inner();
        if inner.occupied().len() > self.0.listing.men_max || inner.halfmove_clock() > 0 {
            return None;
        }
        self.0.known(board)
    }
}

#[cfg(target_arch = "x86_64")]
impl Opened {
    fn of(folder: &Path, listing: Listing) -> Result<Opened, TablesError> {
        let name = folder.to_str().filter(|name| !name.contains(':'));
        let name = name.ok_or_else(|| TablesError::Name(folder.to_owned()))?;
        let library = pyrrhic_rs::TableBases::new(name).map_err(|_| TablesError::None(folder.to_owned()))?;
        Ok(Opened {
            path: folder.to_owned(),
            listing,
            library,
        })
    }

    fn known(&self, board: &Board) -> Option<Known> {
        use cozy_chess::{Color, Piece, Rank, Square};
        use pyrrhic_rs::WdlProbeResult;

        let inner = board.inner();
        let castles = |color| {
            let rights = inner.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        };
        if castles(Color::White) || castles(Color::Black) {
            return None;
        }
        let us = inner.side_to_move();
        let en_passant = inner
            .en_passant()
            .map_or(0, |file| Square::new(file, Rank::Third.relative_to(!us)) as u32);
        let pieces = |piece| inner.pieces(piece).0;
        let found = self.library.probe_wdl(
            inner.colors(Color::White).0,
            inner.colors(Color::Black).0,
            pieces(Piece::King),
            pieces(Piece::Queen),
            pieces(Piece::Rook),
            pieces(Piece::Bishop),
            pieces(Piece::Knight),
            pieces(Piece::Pawn),
            en_passant,
            us == Color::White,
        );
        let mover = board.side_to_move();
        Some(match found.ok()? {
            WdlProbeResult::Win => Known::Won(mover),
            WdlProbeResult::Loss => Known::Won(mover.opponent()),
            WdlProbeResult::Draw | WdlProbeResult::CursedWin | WdlProbeResult::BlessedLoss => Known::Drawn,
        })
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Opened {
    fn of(_: &Path, _: Listing) -> Result<Opened, TablesError> {
        Err(TablesError::Unsupported)
    }

    fn known(&self, _: &Board) -> Option<Known> {
        None
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use tanren_engine::game::Side;
    use tanren_engine::shogi;

    use super::*;

    const FOLDER: &str = "../tests/syzygy";
    const POSITIONS: &str = include_str!("../../../tests/syzygy/positions.csv");

    #[expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
    fn known(text: &str) -> Option<Known> {
        Tables::open(Path::new(FOLDER))
            .unwrap()
            .known(&Board::parse(text).unwrap())
    }

    #[test]
    fn positions_are_worth_what_another_program_reads_in_the_same_tables() {
        let mut found = [0; 3];
        for line in POSITIONS.lines().skip(1) {
            let (position, winner) = line.split_once(',').unwrap();
            let (kind, expected) = match winner {
                "white" => (0, Known::Won(Side::First)),
                "black" => (1, Known::Won(Side::Second)),
                _ => (2, Known::Drawn),
            };
            found[kind] += 1;
            assert_eq!(known(position), Some(expected), "{position}");
        }
        assert!(found.iter().all(|&count| count >= 25), "{found:?}");
    }

    #[test]
    fn what_more_than_the_board_decides_is_not_known() {
        assert_eq!(
            known("8/8/8/8/8/k7/8/K6Q b - - 0 1"),
            Some(Known::Won(Side::First))
        );
        for (position, why) in [
            ("8/8/8/8/8/k7/8/K6Q b - - 1 1", "a counter"),
            ("8/8/8/8/8/k7/8/4K2R b K - 0 1", "castling"),
            ("8/8/8/8/8/k7/7r/K6Q b - - 0 1", "four men"),
        ] {
            assert_eq!(known(position), None, "{why}");
        }
        let tables = Tables::open(Path::new(FOLDER)).unwrap();
        assert_eq!(tables.known(&shogi::Board::start()), None);
    }

    #[test]
    fn a_folder_is_opened_once_and_no_other_while_it_is_in_use() {
        let tables = Tables::open(Path::new(FOLDER)).unwrap();
        let again = Tables::open(Path::new(FOLDER)).unwrap();
        assert_eq!(tables.digest(), again.digest());
        let other = tempfile::tempdir().unwrap();
        let table = std::fs::read(Path::new(FOLDER).join("KQvK.rtbw")).unwrap();
        std::fs::write(other.path().join("KQvK.rtbw"), table).unwrap();
        assert_eq!(
            Tables::open(other.path()).unwrap_err(),
            TablesError::InUse(PathBuf::from(FOLDER))
        );
        let missing = other.path().join("absent");
        assert!(Tables::open(&missing).unwrap_err().to_string().contains("absent"));
    }
}
